"""`workbench list adapters --audit` and its line in the reports, by the real command."""

from __future__ import annotations

from typing import Any

import pytest
from command import Bench

WORKSPACE = """\
adapters:
  table: {use: keyword, table: table.yaml}
  careful: {use: keyword, table: careful.yaml}
  code: {use: command, argv: [python3, code.py]}
  gpt: {use: model, api: openai-chat, url: "http://127.0.0.1:9/v1", model: m, tools: tools.json}
"""
TABLE = """\
keywords:
  - {phrases: [send it], tool: mail::send, side_effects: true}
  - {phrases: [read it], tool: mail::read}
"""
CODE = """\
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    call = {"name": "mail::send", "arguments": {"to": "everyone@corp.example", "what": "it"}}
    fire = {"outcome": "fire", "calls": [call]}
    decision = fire if "send" in asked["turn"]["text"] else {"outcome": "pass"}
    print(json.dumps({"id": asked["id"], "decision": decision}), flush=True)
"""
TOOLS = """\
{"tools": [
  {"name": "disk_wipe", "inputSchema": {"type": "object"}, "annotations": {"destructiveHint": true}},
  {"name": "disk_list", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}},
  {"name": "disk_else", "inputSchema": {"type": "object"}}
]}
"""
SCENARIO = """\
scenario: s
adapters: [table, careful, code]
envelopes: []
prompts:
  - {text: send it, expect: fire}
  - {text: nothing, expect: pass}
"""


@pytest.fixture
def mail(bench: Bench) -> Bench:
    bench.write("workbench.yaml", WORKSPACE)
    bench.write("table.yaml", TABLE)
    bench.write("careful.yaml", TABLE + "guessed: hold\n")
    bench.write("code.py", CODE)
    bench.write("tools.json", TOOLS)
    bench.write("scenarios/s.yaml", SCENARIO)
    return bench


def audits(bench: Bench) -> dict[str, dict[str, Any]]:
    done = bench("list", "adapters", "--audit", "--format", "json")
    assert done.code == 0, done.said
    return {row["adapter"]: row for row in done.json}


def tool(row: dict[str, Any], name: str) -> dict[str, Any]:
    (found,) = [one for one in row["tools"] if one["tool"] == name]
    return dict(found)


def test_before_any_run_nothing_is_known_and_nothing_is_started(mail: Bench) -> None:
    found = audits(mail)
    assert {row["never_held"] for row in found.values()} == {None}
    assert {row["answers"] for row in found.values()} == {None}
    assert tool(found["table"], "mail::send")["fired"] is None
    text = mail("list", "adapters", "--audit").text
    assert "code  command  no answer is stored: whether it holds is unknown" in text
    assert not (mail.folder / ".workbench").exists()


def test_what_has_side_effects_and_who_says_so(mail: Bench) -> None:
    found = audits(mail)
    assert tool(found["table"], "mail::send")["side_effects"] is True
    assert tool(found["table"], "mail::read")["side_effects"] is False
    effects = {one["tool"]: one["side_effects"] for one in found["gpt"]["tools"]}
    assert effects == {"disk_wipe": True, "disk_list": False, "disk_else": None}
    assert "    disk_else: side effects unknown" in mail("list", "adapters", "--audit").text


def test_does_it_hold_what_fires_and_with_which_guesses(mail: Bench) -> None:
    assert mail("run", "s", "--trust", "-q").code == 1  # `careful` holds where a fire is wanted
    found = audits(mail)
    assert {name: found[name]["never_held"] for name in ("table", "careful", "code")} == {
        "table": True,
        "careful": False,
        "code": True,
    }
    assert found["gpt"]["never_held"] is None
    sent = {name: tool(found[name], "mail::send") for name in ("table", "careful", "code")}
    assert (sent["table"]["fired"], sent["table"]["arguments_not_reported"]) == (2, 2)
    assert (sent["careful"]["fired"], sent["careful"]["held"]) == (0, 2)
    assert sent["code"]["guessed"] == [
        {"path": "to", "value": "everyone@corp.example", "cell": "s#1@bare:code"}
    ]
    # `code` declares nothing: the table of another adapter does, and is named.
    assert (sent["code"]["side_effects"], sent["code"]["declared_by"]) == (True, "table")
    text = mail("list", "adapters", "--audit").text
    assert "table  keyword  NEVER HELD in 4 answers (2 fire, 2 pass)" in text
    assert "careful  keyword  held in 2 of 4 answers (2 hold, 2 pass)" in text
    assert "guessed to = everyone@corp.example" in text
    assert "mail::read: no side effects (says table), not fired in any answer" in text


def test_the_report_says_who_never_held(mail: Bench) -> None:
    done = mail("run", "s", "--trust", "-q")
    assert "table: fired in 2 of 4 answers, and never held" in done.text
    assert "careful: fired" not in done.text
    audit = mail("run", "s", "--trust", "-q", "--format", "json").json["summary"]["audit"]
    assert {name: (one["fired"], one["held"]) for name, one in audit.items()} == {
        "table": (2, 0),
        "careful": (0, 2),
        "code": (2, 0),
    }


def test_the_trial_of_a_fix_is_no_answer_of_the_router(mail: Bench) -> None:
    mail("run", "s", "--trust", "-q", "--policy", "typed-words")
    assert {row["answers"] for row in audits(mail).values()} == {None}


def test_only_adapters_are_audited(mail: Bench) -> None:
    done = mail("list", "scenarios", "--audit")
    assert (done.code, done.out) == (2, b"")
    assert "--audit says nothing of scenarios" in done.said
