"""`workbench probe --window`, on routers of the user's own that do not say what they read."""

from __future__ import annotations

import json

import pytest
from command import Bench

ROUTER = """
import random

draw = random.Random(7)


def first_80(text):
    return "calendar::list" if "my calendar" in text[:80] else None


def last_line(turn):
    lines = [line for line in turn["text"].splitlines() if line.strip()]
    return "calendar::list" if lines and "my calendar" in lines[-1] else None


def anything(text):
    return "calendar::list" if draw.random() < 0.5 else None


def nothing(text):
    return None


def broken(text):
    raise RuntimeError("no model here")


calls = 0


def dying(text):
    global calls
    calls += 1
    if calls > 20:
        raise RuntimeError("out of memory")
    return first_80(text)


def app(message):
    return first_80(message)
"""

WORKSPACE = """
adapters:
  short: {use: python, target: "router:first_80"}
  last: {use: python, target: "router:last_line", call: turn}
  dice: {use: python, target: "router:anything"}
  mute: {use: python, target: "router:nothing"}
  broken: {use: python, target: "router:broken"}
  dying: {use: python, target: "router:dying"}
  app: {use: python, entry: "router:app", tap: ["router:first_80"], call: {message: typed}}
  drawing: {use: python, target: "router:first_80", deterministic: false}
"""

SCENARIO = """
scenario: asked
prompts:
  - {text: hello there, expect: pass}
  - {text: check my calendar, expect: fire calendar::list}
"""

ENVELOPE = """
envelope: tag
ingress: channel
template: |-
  <in from="{who}">
  {text}
  </in>
slots: {who: {example: someone, kind: name}}
"""


@pytest.fixture
def asked(bench: Bench) -> Bench:
    bench.write("workbench.yaml", WORKSPACE)
    bench.write("router.py", ROUTER)
    bench.write("scenarios/asked.yaml", SCENARIO)
    bench.write("envelopes/tag.yaml", ENVELOPE)
    return bench


def test_the_first_80_characters(asked: Bench) -> None:
    done = asked("probe", "--window", "--adapter", "short", "--trust", "--format", "json", "-q")
    assert (done.code, done.said) == (0, "")
    (found,) = done.json["windows"]
    assert found["source"] == "inferred"
    assert found["reads"] == "the first 80 characters of the turn"
    n = {"least": 80, "most": 80, "unit": "characters"}
    assert found["way"] == {"source": "text", "outside": [], "part": "first characters", "n": n}
    assert found["phrase"] == "my calendar", "the words that count of the prompt that is to fire"
    assert found["against"] == []
    assert found["agree"] >= 30
    assert found["again"]["different"] == 0
    assert found["calls"] <= 80
    assert {one["layout"] for one in found["placements"]} >= {"long turn", "envelope tag", "quote above"}


def test_words_for_people(asked: Bench) -> None:
    done = asked("probe", "check my calendar", "--window", "--adapter", "last", "--trust")
    assert done.code == 0
    first, sure, *rest = done.text.splitlines()
    assert first == "last  reads the last line of the turn that is not empty"
    assert "inferred: " in sure
    assert 'phrase "my calendar"' in rest[0]
    assert any("envelope tag: " in line for line in rest)
    assert "asking last, at most 150 times" in done.said


def test_answers_at_random_are_unknown(asked: Bench) -> None:
    done = asked("probe", "--window", "--adapter", "dice", "--trust", "--format", "json", "-q")
    assert done.code == 4
    (found,) = done.json["windows"]
    assert (found["source"], found["reads"], found["way"]) == (None, None, None)
    assert found["unknown"]


def test_few_calls_are_not_enough(asked: Bench) -> None:
    done = asked("probe", "--window", "--adapter", "short", "--calls", "12", "--trust", "-q")
    assert done.code == 4
    assert "window unknown: the calls allowed are used up" in done.text
    assert "possible: " in done.text
    assert "12 calls" in done.text


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--window", "--adapter", "app"], 2, "`tap`"),
        (["--window", "--adapter", "drawing"], 2, "it samples"),
        (["--window", "--adapter", "nobody"], 2, "nobody"),
        (["--window", "--adapter", "short", "--repeat", "2"], 2, "--repeat has no meaning"),
        (["--window", "--adapter", "short", "--format", "junit"], 2, "no format junit"),
        (["--window", "--adapter", "short", "--calls", "0"], 2, "at least 1"),
        (["two\nlines", "--window", "--adapter", "short"], 2, "one line"),
        (["--adapter", "short"], 2, "TEXT is missing"),
        (["hello", "--calls", "3", "--adapter", "short"], 2, "--calls is for --window"),
    ],
)
def test_what_cannot_be_followed_says_why(asked: Bench, arguments: list[str], code: int, said: str) -> None:
    done = asked("probe", "--trust", "-q", *arguments)
    assert (done.code, done.out) == (code, b"")
    assert said in done.said


def test_no_phrase_fires(asked: Bench) -> None:
    done = asked("probe", "--window", "--adapter", "mute", "--trust", "-q")
    assert done.code == 4
    assert "no phrase is known" in done.text
    assert 'workbench probe "TEXT" --window' in done.text


def test_an_adapter_that_never_answers(asked: Bench) -> None:
    done = asked("probe", "--window", "--adapter", "broken", "--trust", "-q")
    assert done.code == 3
    assert "no model here" in done.text


def test_without_trust_nothing_runs(asked: Bench) -> None:
    done = asked("probe", "--window", "--adapter", "short")
    assert (done.code, done.out) == (2, b"")
    assert "not trusted" in done.said


def test_to_a_file(asked: Bench) -> None:
    done = asked("probe", "--window", "--adapter", "short", "--trust", "-q", "-o", "w.json")
    assert (done.code, done.out) == (0, b"")
    assert json.loads((asked.folder / "w.json").read_text())["windows"][0]["source"] == "inferred"


def test_a_table_says_the_same_of_itself(shipped: Bench) -> None:
    """The built-in router reports its window, and what is inferred is the same."""
    done = shipped("probe", "--window", "--adapter", "keywords", "--envelope", "channel", "-q")
    assert done.code == 0
    assert done.text.startswith("keywords  reads the whole of the turn\n")


def test_an_adapter_that_stops_answering_has_no_window(asked: Bench) -> None:
    done = asked("probe", "--window", "--adapter", "dying", "--trust", "-q")
    assert done.code == 4
    assert "window unknown: too many calls have no answer" in done.text
    assert "out of memory" in done.text
