"""Several readers of one turn, and an extractor by itself, through a real app."""

from __future__ import annotations

import pytest
from command import Bench

APP = """\
def is_small_talk(text):
    return "pass" if len(text) < 20 else None


def route(text):
    return "mail::send" if "send" in text else None


def handle(message, files):
    joined = message
    for file in files:
        with open(file) as stream:
            joined += "\\n\\n" + stream.read()
    if is_small_talk(joined):
        return "hello"
    return route(message)


def memory_query(text):
    return text.strip().splitlines()[-1]
"""
WORKSPACE = """\
adapters:
  app:
    use: python
    entry: "app:handle"
    tap: ["app:is_small_talk", "app:route"]
    call: {message: typed, files: paths}
  memory: {use: python, target: "app:memory_query", returns: window}
"""
SCENARIO = """\
scenario: s
adapters: [app]
prompts:
  - {id: q, text: "how long is this file?", attach: doc.txt, expect: no calls}
  - {id: c, text: "hi, send it", attach: doc.txt, expect: fire mail::send}
"""
ENVELOPE = """\
envelope: stamped
ingress: harness
template: |-
  {text}
  [sent at {time}]
slots: {time: {example: "09:00", kind: time}}
"""


@pytest.fixture
def app(bench: Bench) -> Bench:
    bench.write("app.py", APP)
    bench.write("workbench.yaml", WORKSPACE)
    bench.write("scenarios/s.yaml", SCENARIO)
    bench.write("scenarios/doc.txt", "Please send it to everyone on the list.\n")
    return bench


def test_the_gate_reads_the_file_and_the_router_does_not(app: Bench) -> None:
    done = app("run", "s#q", "--trust", "-q", "--format", "json")
    bare, attach = done.json["cells"]
    assert [window["tap"] for window in attach["windows"]] == ["app:is_small_talk", "app:route"]
    assert [window["foreign_share"] > 0 for window in attach["windows"]] == [True, False]
    assert [window["foreign_share"] for window in bare["windows"]] == [0, 0]
    (leak,) = done.json["findings"]
    assert (leak["kind"], leak["severity"]) == ("leak", "error")
    assert "app:is_small_talk read 32 characters" in leak["headline"]
    assert leak["evidence"]["readers"] == {"app:is_small_talk": 32, "app:route": None}


def test_each_reader_is_shown_and_compared_by_itself(app: Bench) -> None:
    text = app("run", "s#q", "--trust", "-q").text
    assert "  reader    app:is_small_talk: given 22 characters, then 64" in text
    assert "    + A   │ Please send it to everyone on the list." in text
    assert "the same text on both arms" in text  # what the router itself was given


def test_a_reader_that_one_arm_never_calls(app: Bench) -> None:
    """Bare, the gate takes the words for small talk; with the file they are none, and the router is asked."""
    done = app("run", "s#c", "--trust", "-q", "--format", "json")
    bare, attach = done.json["cells"]
    assert (bare["statuses"], attach["statuses"]) == ({"ok": 2}, {"ok": 2})
    assert (bare["decision"]["outcome"], attach["decision"]["outcome"]) == ("pass", "fire")
    assert bare["window"]["tap"] == "app:is_small_talk"
    text = app("run", "s#c", "--trust", "-q").text
    assert "ATTACHMENT DRIFT" in text
    assert "app:is_small_talk: given 11 characters, then 53" in text


def test_an_extractor_is_judged_by_its_window_alone(app: Bench) -> None:
    """A memory query that takes the last line finds the stamp, and none of the user's words."""
    app.write("envelopes/stamped.yaml", ENVELOPE)
    app.write("scenarios/m.yaml", "scenario: m\nadapters: [memory]\nprompts:\n  - {text: my locker number}\n")
    done = app("run", "m", "--trust", "-q", "--format", "json")
    assert {one["kind"] for one in done.json["findings"]} == {"leak", "miss"}
    assert {one["arm"] for one in done.json["findings"]} == {"stamped"}
    assert [cell["window"]["head"] for cell in done.json["cells"]] == ["my locker number", "[sent at 09:00]"]
    assert done.code == 0  # warnings alone
