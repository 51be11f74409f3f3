"""`workbench envelope`: what is shown of one, and the functions that it prints, run as they come out."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from command import Bench

TICKET = """\
envelope: ticket
ingress: channel
template: |-
  [Ticket {number} from {sender}]
  > {quoted}

  {text}
  -- end
slots:
  number: {example: "17", kind: number}
  sender: {example: "\\e[31mMallory", kind: name}
  quoted: {example: "is it up?", kind: text}
regions: {quoted: quoted}
transform: [html-escape, {truncate: 40}]
relation: no-stronger
source: {from: "a log, 2026-03-02", turns: 1400, status: captured}
"""


@pytest.fixture
def work(bench: Bench) -> Bench:
    assert bench("new", "workspace").code == 0
    bench.write("envelopes/ticket.yaml", TICKET)
    bench.write("envelopes/folded.yaml", 'envelope: folded\ningress: rag\ntemplate: "{document}\\n{text}"\n')
    return bench


def test_all_that_there_is_to_know_of_one(work: Bench) -> None:
    done = work("envelope", "ticket", "--typed", "is <it> up?")
    assert done.code == 0, done.said
    assert done.text.splitlines() == [
        "ticket  channel",
        "  source     captured, 1,400 turns: a log, 2026-03-02",
        "  file       envelopes/ticket.yaml",
        "  relation   no-stronger",
        "  transform  html-escape, truncate 40",
        "  loses      all after the first 40 characters",
        "",
        "template",
        "  [Ticket {number} from {sender}]",
        "  > {quoted}",
        "  ",
        "  {text}",
        "  -- end",
        "",
        "slots",
        "  number  number  transport   17",
        "  sender  name    transport   ␛[31mMallory",
        "  quoted  text    quoted      is it up?",
        "",
        "an example, and who wrote what",
        "  transport | [Ticket 17 from ␛[31mMallory]",
        "            | > ",
        "  quoted    | is it up?",
        "  transport | ",
        "  user      | is &lt;it&gt; up?",
        "  transport | -- end",
    ]


def test_the_same_as_json(work: Bench) -> None:
    told = work("envelope", "ticket", "--typed", "is <it> up?", "--format", "json").json
    assert told["envelope"] == "ticket" and told["ingress"] == "channel"
    assert told["transform"] == ["html-escape", {"truncate": 40}]
    assert told["loses"] == ["all after the first 40 characters"]
    assert told["relation"] == "no-stronger"
    assert told["source"] == {"from": "a log, 2026-03-02", "turns": 1400, "status": "captured"}
    assert [(slot["name"], slot["kind"], slot["author"]) for slot in told["slots"]] == [
        ("number", "number", "transport"),
        ("sender", "name", "transport"),
        ("quoted", "text", "quoted"),
    ]
    example = told["example"]
    users = [example["text"][start:end] for start, end, author in example["regions"] if author == "user"]
    assert users == ["is &lt;it&gt; up?"]
    assert example["unwrapped"] == {"typed": "is <it> up?", "lossy": True, "ambiguous": False}


def test_what_an_envelope_loses_stands_in_the_list(work: Bench) -> None:
    rows = {row["envelope"]: row["loses"] for row in work("list", "envelopes", "--format", "json").json}
    assert rows == {"chat": "nothing", "folded": "nothing", "ticket": "truncate"}


def test_the_printed_python_passes_its_own_tests_and_takes_other_turns_apart(work: Bench) -> None:
    done = work("envelope", "ticket", "--unwrap", "python")
    assert (done.code, done.said) == (0, "")
    path = work.write("unwrap_ticket.py", done.text)
    subprocess.run([sys.executable, "-I", path], check=True)
    script = (
        "import runpy; take = runpy.run_path('unwrap_ticket.py')['unwrap_ticket'];"
        "print(repr([take('[Ticket 9 from Ann]\\n> a\\n\\nis &lt;it&gt;\\n-- end'), take('is it')]))"
    )
    said = subprocess.run(
        [sys.executable, "-c", script], cwd=work.folder, capture_output=True, text=True, check=True
    )
    assert said.stdout == "['is <it>', None]\n"
    assert "- all after the first 40 characters" in done.text
    assert "Somebody else's text stands in this frame" in done.text


def test_the_printed_function_as_json(work: Bench) -> None:
    for language in ("python", "typescript"):
        told = work("envelope", "ticket", "--unwrap", language, "--format", "json").json
        assert (told["envelope"], told["language"]) == ("ticket", language)
        assert told["code"] == work("envelope", "ticket", "--unwrap", language).text
        assert told["code"].isascii()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("tiket",), ['no envelope is called "tiket"', 'did you mean "ticket"?']),
        (("ticket(chat)",), ["several envelopes, one in the other", "ticket, chat"]),
        (("\x1b[31m",), ["␛[31m"]),
        (("folded", "--unwrap", "python"), ["envelopes/folded.yaml", "no mark tells the words", "carry"]),
        (("ticket", "--unwrap", "cobol"), ["python", "typescript"]),
    ],
)
def test_what_is_refused_says_why(work: Bench, arguments: tuple[str, ...], said: list[str]) -> None:
    done = work("envelope", *arguments)
    assert (done.code, done.out) == (2, b"")
    assert all(part in done.said for part in said), done.said


def test_a_broken_file_is_told_with_its_place(work: Bench) -> None:
    work.write("envelopes/ticket.yaml", TICKET.replace("kind: number", "kind: nombre"))
    done = work("envelope", "ticket")
    assert done.code == 2
    assert "envelopes/ticket.yaml:10:" in done.said


def test_it_needs_no_workspace_of_ones_own(bench: Bench) -> None:
    told = json.loads(bench("envelope", "channel", "--format", "json").text)
    assert told["example"]["unwrapped"]["typed"] == told["example"]["typed"]
