"""Cases of the kind 2-threshold that need no library: a router that fails, everyday words, talk of a tool."""

from __future__ import annotations

import pytest
from command import Bench

LIMITED = """\
def route(text):
    if len(text.split()) > 50:
        raise ValueError("the encoder takes 50 tokens, this has %d" % len(text.split()))
    return {"action": "fire", "tool": "summarise", "scanned": text} if "summarise" in text else None
"""
LOG = "\n".join(f"12:00:{n % 60:02} job {n} ended" for n in range(300))
TABLE = """\
keywords:
  - {phrases: [stop, abort, interrupt], tool: job::stop, side_effects: true}
  - {phrases: [autopilot], tool: mode::autopilot, side_effects: true}
"""
QUOTED = """\
envelope: quoted
ingress: reply
template: |-
  > {quoted}

  {text}
slots: {quoted: {example: stop, kind: text}}
regions: {quoted: quoted}
"""
MENTION = """\
envelope: mention
ingress: mention
template: "<@{bot}> {text}"
slots: {bot: {example: U1, kind: name}}
"""


@pytest.fixture
def jobs(bench: Bench) -> Bench:
    bench.write("workbench.yaml", "adapters:\n  table: {use: keyword, table: table.yaml}\n")
    bench.write("table.yaml", TABLE)
    bench.write("envelopes/quoted.yaml", QUOTED)
    bench.write("envelopes/mention.yaml", MENTION)
    return bench


def test_a_router_that_fails_on_a_long_turn(bench: Bench) -> None:
    """k2-05: an error with its message; neither pass nor none, and every other cell has its answer."""
    bench.write("app.py", LIMITED)
    bench.write("workbench.yaml", 'adapters:\n  router: {use: python, target: "app:route"}\n')
    bench.write("log.txt", LOG)
    bench.write(
        "scenarios/s.yaml",
        "scenario: s\nprompts:\n"
        "  - {id: pasted, text: summarise the log, paste: ../log.txt, expect: fire summarise}\n"
        "  - {id: short, text: summarise the page, expect: fire summarise}\n",
    )
    done = bench("run", "s", "--trust", "-q", "--format", "json")
    assert done.code == 4  # no verdict: errors settle nothing
    cells = {(cell["prompt"], cell["arm"]): cell for cell in done.json["cells"]}
    failed = cells.pop(("pasted", "paste"))
    assert (failed["statuses"], failed["decision"], failed["outcomes"]) == ({"error": 2}, None, {})
    assert "the encoder takes 50 tokens, this has 1203" in failed["errors"][0]["error"]
    assert [cell["outcomes"] for cell in cells.values()] == [{"fire": 2}] * 2
    assert [one["kind"] for one in done.json["findings"]] == ["no-verdict"]


def test_an_everyday_word_and_a_command(jobs: Bench) -> None:
    """k2-13: `wait` passes and `stop` fires; quoted it does not, and behind a mention it does."""
    jobs.write(
        "scenarios/s.yaml",
        "scenario: s\nprompts:\n"
        "  - {id: wait, text: wait, expect: pass}\n"
        "  - {id: please, text: please wait, expect: pass}\n"
        "  - {id: stop, text: stop, expect: fire job::stop}\n",
    )
    done = jobs("run", "s", "-q", "--format", "json")
    outcomes = {(cell["prompt"], cell["arm"]): cell["decision"]["outcome"] for cell in done.json["cells"]}
    assert outcomes["wait", "bare"] == outcomes["please", "bare"] == "pass"
    assert outcomes["stop", "bare"] == outcomes["stop", "mention"] == "fire"
    drifted = {(one["prompt"], one["arm"]) for one in done.json["findings"] if one["kind"] == "drift"}
    assert drifted == {("wait", "quoted"), ("please", "quoted")}
    assert jobs("run", "s", "--policy", "outside-quotes", "--envelope", "quoted", "-q").code == 0


def test_talk_about_a_mode_is_no_use_of_it(jobs: Bench) -> None:
    """k2-15: who reports a fault of a mode by its name must not switch it on. The prompt is a mention."""
    jobs.write(
        "scenarios/s.yaml",
        "scenario: s\nenvelopes: []\nprompts:\n"
        '  - {id: mention, text: "autopilot keeps restarting, find out why", expect: pass}\n'
        "  - {id: use, text: autopilot, expect: fire mode::autopilot}\n",
    )
    done = jobs("run", "s", "-q", "--format", "json")
    assert {(one["prompt"], one["kind"]) for one in done.json["findings"]} == {
        ("mention", "expectation"),
        ("mention", "vacuous"),
    }
    jobs.write("table.yaml", TABLE + "guessed: hold\n")
    held = jobs("run", "s", "-q", "--format", "json").json
    assert [cell["decision"]["outcome"] for cell in held["cells"]] == ["hold", "hold"]
