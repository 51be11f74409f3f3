"""`workbench explain`, as at a terminal: the words in place, what restores, and every way to end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from typing import Any

import pytest
from command import COMMAND, Bench

ROUTER = '''
import os, random, time

def first(text):
    """Reads one line."""
    line = text.split("\\n")[0]
    return {"outcome": "fire" if "email" in line else "pass", "calls": ["mail"] if "email" in line else []}

def leaky(text):
    return {"outcome": "fire", "calls": ["mail"], "scanned": text, "spans": [[0, len(text)]]}

def slow(text):
    time.sleep(0.15)
    return {"outcome": "fire", "calls": ["mail"]} if "an email" in text else "pass"

def scored(text):
    value = 0.7 if "an email" in text else 0.2
    scores = [{"route": "mail", "value": value, "threshold": 0.5}]
    calls = ["mail"] if value > 0.5 else []
    return {"outcome": "fire" if calls else "pass", "calls": calls, "scores": scores}

def crash(text):
    raise ValueError("not today")

def handle(message, files):
    text = message + " ".join(open(path).read() for path in files)
    return route(text)

def route(text):
    return "mail" if "an email" in text else "pass"
'''

WORKSPACE = """
adapters:
  words: {use: keyword, table: scenarios/table.yaml}
  first: {use: python, target: "r:first"}
  leaky: {use: python, target: "r:leaky"}
  slow: {use: python, target: "r:slow"}
  scored: {use: python, target: "r:scored"}
  crash: {use: python, target: "r:crash"}
  app: {use: python, entry: "r:handle", tap: ["r:route"], call: {message: typed, files: paths}}
"""

TABLE = """
keywords:
  - {phrases: [an email], tool: mail}
hold: [every morning]
"""

SCENARIO = """
scenario: pages
adapters: [words]
envelopes: [attached]
prompts:
  - id: ask
    text: How long is this page?
    attach: page.txt
    expect: pass
  - id: bad
    text: write an email
    attach: page.txt
    expect: hold
"""

FRAMED = """
scenario: framed
adapters: [first, leaky]
envelopes: [channel]
prompts:
  - {id: mail, text: write an email}
"""

ENVELOPES = {
    "attached": "envelope: attached\ningress: attachment\n"
    'template: "{text}\\n[page]\\n{document}\\n[/page]"\n',
    "channel": 'envelope: channel\ningress: channel\ntemplate: "<chat id=7>\\n{text}\\n</chat>"\n',
}

PAGE = "".join(f"Line {n} has nothing in it. Nor has this.\n" for n in range(60))
PAGE = PAGE.replace("Line 31 has nothing in it.", "Line 31 is where you send an email to somebody.")


@pytest.fixture
def work(bench: Bench) -> Bench:
    bench.write("workbench.yaml", WORKSPACE)
    bench.write("r.py", ROUTER)
    bench.write("scenarios/table.yaml", TABLE)
    bench.write("scenarios/pages.yaml", SCENARIO)
    bench.write("scenarios/framed.yaml", FRAMED)
    bench.write("scenarios/page.txt", PAGE)
    for name, text in ENVELOPES.items():
        bench.write(f"envelopes/{name}.yaml", text)
    return bench


def explained(bench: Bench, *arguments: str) -> dict[str, Any]:
    done = bench("explain", *arguments, "--format", "json")
    found: dict[str, Any] = json.loads(done.out)["explanation"]
    found["code"] = done.code
    return found


def test_the_words_are_named_marked_in_place_and_taken_away(work: Bench) -> None:
    done = work("explain", "pages#ask@attached:words")
    assert done.code == 0
    lines = done.text.split("\n")
    assert lines[0] == "pages#ask@attached:words"
    row = next(number for number, line in enumerate(lines) if "is where you send an email" in line)
    assert lines[row].strip().startswith("A")
    marked = lines[row + 1]
    at = lines[row].index("an email")
    assert marked[at : at + 8] == "xx^^^^^^", "what is taken away is a part of it"
    assert marked.replace("xx^^^^^^", "").strip("│ ") == ""
    assert "Line 12 " not in done.text, "what is far from the cause is left out"
    assert "THE WORDS THAT MOVED IT" in done.text
    assert 'A line 34, the attachment\'s: "an email"' in done.text
    assert "TAKEN AWAY, IT IS DECIDED ON AS BARE IS" in done.text
    assert 'matched there: "an email"' in done.text
    assert done.said == ""


def test_json_has_spans_in_what_was_delivered(work: Bench) -> None:
    found = explained(work, "pages#1@attached:words")
    assert found["code"] == 0
    assert found["names_a_cause"] is True
    (span,) = found["cause"]["spans"]
    assert found["text"][span["start"] : span["end"]] == span["text"] == "an email "
    assert (span["author"], span["attachment"]) == ("attachment", "page.txt")
    assert PAGE[slice(*span["attachment_span"])] == "an email "
    assert found["cause"]["minimal"] is True
    assert found["bare"] == {"outcome": "pass", "calls": []}
    assert found["variant"]["calls"] == [{"name": "mail", "arguments": None}]
    assert found["removal"]["minimal"] is True
    assert 0 < found["calls"]["asked"] <= 60
    assert found["calls"]["most"] == 200
    assert found["calls"]["used_up"] is None


def test_a_finding_goes_by_its_id_or_the_beginning_of_it(work: Bench) -> None:
    report = work("run", "pages", "--format", "json").json
    drift = next(f for f in report["findings"] if f["kind"] == "drift")
    whole = explained(work, drift["id"])
    assert whole["finding"] == drift["id"]
    assert [span["text"] for span in whole["cause"]["spans"]] == ["an email "]
    assert explained(work, drift["id"][:8])["cause"] == whole["cause"]
    done = work("explain", "ffffffffffff")
    assert done.code == 2
    assert "ffffffffffff" in done.said


def test_an_expectation_that_fails_on_bare_is_nothing_that_moved(work: Bench) -> None:
    report = work("run", "pages", "--format", "json").json
    wrong = next(f for f in report["findings"] if f["kind"] == "expectation" and f["arm"] == "bare")
    done = work("explain", wrong["id"])
    assert done.code == 4
    assert "this is the bare arm" in done.text
    assert 'matched there: "an email"' in done.text


def test_a_leak_without_another_decision_says_what_to_look_at(work: Bench) -> None:
    report = work("run", "framed", "--trust", "--format", "json").json
    leak = next(f for f in report["findings"] if f["kind"] == "leak")
    done = work("explain", leak["id"], "--trust")
    assert done.code == 4
    assert "NOTHING MOVED" in done.text
    assert "about what was read, not what was decided" in done.text


def test_a_window_that_was_stolen_is_explained_by_its_place(work: Bench) -> None:
    found = explained(work, "framed#mail@channel:first", "--trust")
    assert (found["code"], found["ending"]) == (0, "place")
    assert found["cause"]["spans"][0]["text"].endswith("\n")
    assert found["removal"] is not None


def test_files_that_an_app_joins_are_cut(work: Bench) -> None:
    found = explained(work, "pages#ask@attach:app", "--trust")
    assert found["code"] == 0
    assert [span["text"] for span in found["cause"]["spans"]] == ["an email "]
    assert found["cause"]["spans"][0]["attachment"] == "page.txt"
    assert found["joined_by_the_app"] is True
    assert (work.folder / "scenarios/page.txt").read_text() == PAGE


def test_scores_tell_what_each_sentence_adds(work: Bench) -> None:
    done = work("explain", "pages#ask@attached:scored", "--trust")
    assert done.code == 0
    assert "what a sentence adds to the margin of mail" in done.text
    assert "+0.500" in done.text


def test_an_envelope_that_the_scenario_does_not_list_can_be_asked_for(work: Bench) -> None:
    work.write("envelopes/other.yaml", ENVELOPES["attached"].replace("attached", "other", 1))
    assert explained(work, "pages#ask@other:words")["code"] == 0


def test_the_budget_is_kept_and_the_best_so_far_printed(work: Bench) -> None:
    found = explained(work, "pages#ask@attached:words", "--calls", "9")
    assert found["code"] == 4
    assert found["ending"] == "out-of-calls"
    assert found["calls"]["asked"] == 9
    assert "an email" in "".join(span["text"] for span in found["cause"]["spans"])
    done = work("explain", "pages#ask@attached:words", "--calls", "9")
    assert "OUT OF CALLS; THE BEST SO FAR" in done.text
    assert "--calls allows more" in done.text


def test_the_grain_is_as_asked_for(work: Bench) -> None:
    found = explained(work, "pages#ask@attached:words", "--grain", "sentence")
    assert [span["text"] for span in found["cause"]["spans"]] == [
        "Line 31 is where you send an email to somebody. "
    ]


def test_an_adapter_that_never_answers_is_3(work: Bench) -> None:
    done = work("explain", "pages#ask@attached:crash", "--trust")
    assert done.code == 3
    assert "not today" in done.text


def test_it_is_written_to_a_file_whole(work: Bench) -> None:
    done = work("explain", "pages#ask@attached:words", "--format", "json", "-o", "why.json")
    assert (done.code, done.out) == (0, b"")
    assert json.loads((work.folder / "why.json").read_text())["explanation"]["ending"] == "words"
    assert work("explain", "pages#ask@attached:words", "-o", "no/why.json").code == 2


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("pages", "names no cell"),
        ("pages#ask@attached", "names no cell"),
        ("pages#ask@nowhere:words", "has no arm"),
        ("pages#ask@attached:word", "unknown adapter"),
        ("pages#asks@attached:words", "has no prompt"),
        ("page#ask@attached:words", "there is no scenario"),
        ("abcd", "no run is stored here"),
        ("pages#ask@attach\x1b[31m:words", "has no arm"),
    ],
)
def test_what_names_nothing_is_a_usage_error(work: Bench, argument: str, said: str) -> None:
    done = work("explain", argument)
    assert (done.code, done.out) == (2, b"")
    assert said in done.said
    assert b"\x1b" not in done.err
    assert "Traceback" not in done.said


def test_nothing_is_started_without_trust(work: Bench) -> None:
    done = work("explain", "framed#mail@channel:first")
    assert done.code == 2
    assert "not trusted" in done.said


def test_calls_below_one_are_a_usage_error(work: Bench) -> None:
    assert work("explain", "pages#ask@attached:words", "--calls", "0").code == 2


def test_foreign_text_stays_inert(work: Bench) -> None:
    work.write("scenarios/page.txt", "Once.\n\x1b[31m an email\u202e [bold]now[/bold] \x07\nEnd.\n")
    done = work("explain", "pages#ask@attached:words")
    assert done.code == 0
    assert b"\x1b" not in done.out + done.err
    assert "\u202e" not in done.text
    assert "[bold]" in done.text


def test_ctrl_c_prints_the_best_so_far(work: Bench) -> None:
    command = [str(COMMAND), "explain", "pages#ask@attached:slow", "--trust", "--format", "json"]
    with subprocess.Popen(
        command, cwd=work.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ)
    ) as going:
        time.sleep(2.5)
        going.send_signal(signal.SIGINT)
        out, err = going.communicate(timeout=20)
    assert going.returncode == 130
    assert b"Traceback" not in err
    found = json.loads(out)["explanation"]
    assert found["ending"] == "stopped"
    assert "an email" in "".join(span["text"] for span in found["cause"]["spans"])
