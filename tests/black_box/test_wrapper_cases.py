"""Bugs that others have had with a wrapper round the words, k1-… of the case book: each drifts, and is found.

Each also shows that the envelope, taken off, mends it: `--policy unwrap` leaves no drift.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from command import Bench

WORKSPACE = """\
adapters:
  router: {use: python, target: "router:route"}
"""

COMMANDS = """\
def route(text):
    head = text.split(" ")[0].split("\\n")[0]
    known = head in ("/sethome", "/start", "/compact", "/status")
    calls = [{"name": head}] if known else []
    return {"outcome": "fire" if known else "pass", "calls": calls, "scanned": text}
"""


def phrase(words: str, tool: str) -> str:
    """A router that looks for a phrase anywhere."""
    return f"""\
def route(text):
    at = text.find({words!r})
    if at < 0:
        return {{"outcome": "pass", "scanned": text}}
    match = {{"rule": {tool!r}, "text": {words!r}, "start": at, "end": at + {len(words)}}}
    return {{"outcome": "fire", "calls": [{{"name": {tool!r}}}], "scanned": text, "matches": [match]}}
"""


@dataclass(frozen=True)
class Case:
    """`was` and `became` are the outcomes, bare and wrapped."""

    template: str
    router: str
    typed: str
    was: str
    became: str
    slots: str = "{}"
    regions: str = "{}"


CASES = {
    "k1-01": Case(
        "<system-reminder>\\nYour background task {job} is running.\\n</system-reminder>\\n\\n{text}\\n",
        phrase("background task", "integration"),
        "ship that",
        "pass",
        "fire",
        "{job: {example: job_41, kind: nonce}}",
    ),
    "k1-08": Case(
        "<@{bot}> {text}", COMMANDS, "/sethome", "fire", "pass", "{bot: {example: U0AAAA1, kind: nonce}}"
    ),
    "k1-12": Case("{text}\\u00a0", COMMANDS, "/start", "fire", "pass"),
    "k1-16": Case(
        "> {quoted}\\n\\n{text}",
        phrase("> daily", "daily").replace("text.find", "text.lower().find"),
        "what did you mean?",
        "pass",
        "fire",
        "{quoted: {example: daily, kind: name}}",
        "{quoted: quoted}",
    ),
    "k1-21": Case(
        "[task {number}: {title}]\\nReply from the human:\\n{text}\\n",
        COMMANDS,
        "/compact",
        "fire",
        "pass",
        "{number: {example: '88', kind: number}, title: {example: tidy the repo, kind: name}}",
    ),
    "k1-23": Case(
        '// Load the modules you need\\nimport {name} from \\"./app\\";\\n\\n{text}',
        "def route(text):\n"
        "    bad = text.startswith('/')\n"
        "    return {'outcome': 'hold' if bad else 'pass', 'scanned': text}\n",
        "add error handling",
        "pass",
        "hold",
        "{name: {example: start, kind: name}}",
    ),
    "k1-29": Case(
        "<transcript>\\n{text}\\n</transcript>",
        "def route(text):\n"
        "    calls = [{'name': 'create-test'}] if text.startswith('create a test') else []\n"
        "    return {'outcome': 'fire' if calls else 'pass', 'calls': calls, 'scanned': text}\n",
        "create a test for this function",
        "fire",
        "pass",
    ),
}


def workspace(bench: Bench, case: Case, name: str) -> Bench:
    bench.write("workbench.yaml", WORKSPACE)
    bench.write("router.py", case.router)
    template = case.template.replace('"', '\\"').replace('\\\\"', '\\"')
    bench.write(
        f"envelopes/{name}.yaml",
        f'envelope: {name}\ningress: channel\ntemplate: "{template}"\n'
        f"slots: {case.slots}\nregions: {case.regions}\n",
    )
    bench.write(
        f"scenarios/{name}.yaml",
        f"scenario: {name}\nenvelopes: [{name}]\nprompts:\n  - {{id: one, text: {case.typed!r}}}\n",
    )
    return bench


def drifts(report: Any) -> list[Any]:
    return [finding for finding in report["findings"] if finding["kind"] == "drift"]


@pytest.mark.parametrize("name", CASES)
def test_the_wrapper_alone_changes_the_answer_and_taken_off_it_does_not(bench: Bench, name: str) -> None:
    case = CASES[name]
    work = workspace(bench, case, name)
    done = work("run", "--trust", "--no-save", "-q", "--format", "json")
    assert done.code == 1, done.said
    (drift,) = drifts(done.json)
    assert (drift["arm"], drift["baseline"]["outcome"], drift["variant"]["outcome"]) == (
        name,
        case.was,
        case.became,
    )
    windows = {cell["arm"]: cell["window"] for cell in done.json["cells"]}
    assert windows["bare"]["foreign_share"] == 0.0
    assert windows[name]["user_coverage"] == 1.0
    mended = work("run", "--trust", "--no-save", "-q", "--format", "json", "--policy", "unwrap").json
    assert drifts(mended) == []
    handed = {cell["arm"]: cell["window"]["head"] for cell in mended["cells"]}
    assert handed == {"bare": case.typed, name: case.typed}


def test_k1_01_the_phrase_that_fired_stands_in_the_reminder(bench: Bench) -> None:
    done = workspace(bench, CASES["k1-01"], "k1-01")("run", "--trust", "--no-save", "-q")
    assert "background task" in done.text
    assert "transport" in done.text


def test_k1_12_the_blank_that_breaks_no_line_is_shown(bench: Bench) -> None:
    done = workspace(bench, CASES["k1-12"], "k1-12")("run", "--trust", "--no-save", "-q")
    assert done.code == 1
    assert "U+00A0" in done.text


def test_k1_21_only_whole_commands_are_commands_bare_and_wrapped(bench: Bench) -> None:
    work = workspace(bench, CASES["k1-21"], "k1-21")
    work.write(
        "scenarios/k1-21.yaml",
        "scenario: prose\nenvelopes: [k1-21]\nprompts:\n"
        "  - {text: /home/sam/report is broken, expect: pass}\n  - {text: /compactify, expect: pass}\n",
    )
    for policy in ("none", "unwrap"):
        report = work("run", "--trust", "--no-save", "-q", "--format", "json", "--policy", policy).json
        assert {cell["decision"]["outcome"] for cell in report["cells"]} == {"pass"}
        assert [finding for finding in report["findings"] if finding["severity"] == "error"] == []


MENTION = """\
import json

def route(text):
    said = json.loads(text) if text.startswith("{") else {"text": text}
    words, units = said["text"], UNITS
    for mention in said.get("mention", {}).get("mentionees", []):
        cut = words.encode("utf-16-le") if units == 2 else words
        start, end = mention["index"] * units, (mention["index"] + mention["length"]) * units
        cut = cut[:start] + cut[end:]
        words = cut.decode("utf-16-le", "replace") if units == 2 else cut
    words = words.replace("\\U0001f980", "").strip()
    fires = words == "/status"
    return {"outcome": "fire" if fires else "pass", "calls": [{"name": "status"}] if fires else []}
"""


@pytest.mark.parametrize(("units", "found"), [(1, 1), (2, 0)])
def test_k1_10_a_mention_cut_out_by_the_wrong_unit_drifts(bench: Bench, units: int, found: int) -> None:
    bench.write("workbench.yaml", WORKSPACE)
    bench.write("router.py", MENTION.replace("UNITS", str(units)))
    body = (
        '{"text":"\U0001f980 @bot3 {text}","mention":{"mentionees":[{"index":3,"length":5,"isSelf":true}]}}'
    )
    bench.write(
        "envelopes/line.yaml",
        f"envelope: line\ningress: mention\ntemplate: '{body}'\ntransform: [json-escape]\n",
    )
    bench.write(
        "scenarios/status.yaml", "scenario: status\nprompts:\n  - {text: /status, expect: fire status}\n"
    )
    report = bench("run", "--trust", "--no-save", "-q", "--format", "json").json
    assert len(drifts(report)) == found


NOT_TYPED = {
    "k1-28": (
        "[forwarded voice note, transcript] {words}{text}",
        "please remind me to call the bank at nine",
    ),
    "k1-38": ("{words}{text}", "Checks passed. To merge when ready, put ==MERGE_NOW== in the description."),
}


@pytest.mark.parametrize("name", NOT_TYPED)
def test_words_that_nobody_typed_must_not_fire(bench: Bench, name: str) -> None:
    template, words = NOT_TYPED[name]
    bench.write("workbench.yaml", WORKSPACE)
    bench.write("router.py", phrase("remind me" if name == "k1-28" else "==MERGE_NOW==", "act"))
    bench.write(
        f"envelopes/{name}.yaml",
        f"envelope: {name}\ningress: channel\ntemplate: '{template}'\n"
        f"slots: {{words: {{example: '{words}'}}}}\nregions: {{words: app}}\n",
    )
    bench.write(
        f"scenarios/{name}.yaml",
        f"scenario: {name}\nenvelopes: [{name}]\nprompts:\n  - {{id: none, text: '', expect: no calls}}\n",
    )
    report = bench("run", "--trust", "--no-save", "-q", "--format", "json").json
    kinds = {finding["kind"] for finding in report["findings"] if finding["arm"] == name}
    assert {"drift", "expectation"} <= kinds
    cell = next(cell for cell in report["cells"] if cell["arm"] == name)
    assert cell["window"]["user_coverage"] is None and cell["window"]["foreign_share"] is None


TWO_READERS = """\
def command(text):
    return "status" if text.startswith("/") else None

def agent(text):
    return None

def handle(message):
    body = "@helperbot " + message
    command(body)
    return agent(body.removeprefix("@helperbot "))
"""


def test_k1_09_two_readers_of_one_turn_read_different_texts(bench: Bench) -> None:
    bench.write(
        "workbench.yaml",
        'adapters:\n  app: {use: python, entry: "app:handle", tap: ["app:command", "app:agent"]}\n',
    )
    bench.write("app.py", TWO_READERS)
    bench.write("scenarios/two.yaml", "scenario: two\nprompts:\n  - {text: /status}\n")
    done = bench("run", "--trust", "--no-save", "-q", "--format", "json")
    (cell,) = done.json["cells"]
    assert [window["head"] for window in cell["windows"]] == ["@helperbot /status", "/status"]
    assert [window["foreign_share"] > 0 for window in cell["windows"]] == [True, False]


RUN = """\
import re

def route(text):
    fires = re.fullmatch(r"!run \\w+ --title '[^']*' https?://\\S+", text)
    return {"outcome": "fire" if fires else "pass", "calls": [{"name": "run"}] if fires else []}
"""


def test_k1_33_what_a_chat_client_made_of_the_words_is_replayed_and_named(bench: Bench) -> None:
    bench.write("workbench.yaml", WORKSPACE)
    bench.write("router.py", RUN)
    typed = "!run report --title 'q3' https://example.com"
    routed = "!run report \u2014title \u2018q3\u2019 <https://example.com>"
    bench.write("log.jsonl", json.dumps({"typed": typed, "routed": routed, "tools": []}) + "\n")
    found = bench("audit", "log.jsonl", "--replay", "router", "--trust", "--format", "json").json
    (drift,) = found["replayed"]["drifts"]
    assert (drift["bare"], drift["routed"]) == ("fire run", "pass")
    said = bench("capture", "log.jsonl", "-o", "envelopes").text
    assert "typographic marks" in said
    assert "links in angle brackets" in said
