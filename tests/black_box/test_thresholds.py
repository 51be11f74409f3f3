"""`workbench thresholds`: a range where there is one, and the pair of prompts where there is none."""

from __future__ import annotations

import json

import pytest
from command import Bench

ROUTER = '''
def route(text):
    """Scores by words; the highest route fires at 0.5."""
    words = text.lower()
    return decide({"mail": 0.9 if "send" in words else 0.62 if "sentences" in words else 0.3,
                   "weather": 0.8 if "forecast" in words else 0.55 if "cold" in words else 0.2})


def decide(values, threshold=0.5):
    scores = [{"route": name, "value": value, "threshold": threshold} for name, value in values.items()]
    best = max(scores, key=lambda score: score["value"])
    fires = best["value"] >= threshold
    return {"outcome": "fire" if fires else "pass", "calls": [{"name": best["route"]}] if fires else [],
            "scores": scores}


def odd(text):
    """Its decision has nothing to do with its scores."""
    return {**route(text), "outcome": "pass", "calls": []}


def silent(text):
    return "mail" if "send" in text else None


def broken(text):
    raise RuntimeError("no model here")
'''

WORKSPACE = """
adapters:
  scoring: {use: python, target: "router:route"}
  odd: {use: python, target: "router:odd"}
  silent: {use: python, target: "router:silent"}
  broken: {use: python, target: "router:broken"}
  drawing: {use: python, target: "router:route", deterministic: false}
"""

SCENARIO = """
scenario: asked
envelopes: [tag]
prompts:
  - {{id: forecast, text: "{command}", expect: fire weather}}
  - {{id: mail, text: send it to Bo, expect: fire mail}}
  - {{id: count, text: "How many sentences are in this file?", expect: no calls}}
"""

ENVELOPE = """
envelope: tag
ingress: channel
template: |-
  <in from="chat">
  {text}
  </in>
"""


@pytest.fixture
def asked(bench: Bench) -> Bench:
    bench.write("workbench.yaml", WORKSPACE)
    bench.write("router.py", ROUTER)
    bench.write("envelopes/tag.yaml", ENVELOPE)
    bench.write("scenarios/asked.yaml", SCENARIO.format(command="the forecast"))
    return bench


def test_a_range_exists(asked: Bench) -> None:
    done = asked("thresholds", "asked", "--adapter", "scoring", "--trust", "-q")
    assert (done.code, done.said) == (0, "")
    assert "all is as expected for 0.62 < threshold ≤ 0.8, the middle is 0.71" in done.text
    assert "as it is now (threshold 0.5): 4 of 6 expectations hold" in done.text
    assert "count@bare alone fires mail (0.62) already" in done.text
    assert len([line for line in done.text.splitlines() if "█" in line]) == 6, "a bar for each delivery"


def test_no_single_threshold_does_but_one_for_each_route(asked: Bench) -> None:
    asked.write("scenarios/asked.yaml", SCENARIO.format(command="is it cold"))
    done = asked("thresholds", "asked", "--adapter", "scoring", "--trust", "-q")
    assert done.code == 0
    assert "no threshold does: forecast@bare must fire at 0.55, and count@" in done.text
    assert "must not at 0.62" in done.text
    assert "0.2 < weather ≤ 0.55" in done.text
    assert "0.62 < mail ≤ 0.9" in done.text
    alone = asked("thresholds", "asked", "--adapter", "scoring", "--route", "mail", "--trust", "-q")
    assert alone.code == 0
    other = asked("thresholds", "asked", "--adapter", "scoring", "--route", "weather", "--trust", "-q")
    assert other.code == 1, "at 0.5 for mail the question fires, whatever weather's threshold is"
    assert "count@bare must not fire like that, and does whatever it is" in other.text


def test_no_threshold_does(asked: Bench) -> None:
    extra = '  - {id: sentences, text: "write two sentences to Al", expect: fire mail}\n'
    asked.write("scenarios/asked.yaml", SCENARIO.format(command="the forecast") + extra)
    done = asked("thresholds", "asked", "--adapter", "scoring", "--trust", "-q", "--format", "json")
    assert done.code == 1
    found = done.json["thresholds"]
    assert found["possible"] is False
    assert found["together"]["ranges"] == []
    pair = found["together"]["excluded_by"]
    assert pair["must_fire"]["cell"].startswith("asked#sentences@")
    assert pair["must_not_fire"]["cell"].startswith("asked#count@")
    assert (pair["must_fire"]["score"], pair["must_not_fire"]["score"]) == (0.62, 0.62)
    assert found["apart"]["ranges"] is None
    assert found["apart"]["excluded_by"]["route"] == "mail"
    words = asked("thresholds", "asked", "--adapter", "scoring", "--trust", "-q")
    assert words.code == 1
    assert "no threshold does: sentences@" in words.text
    assert "nor does one for each route" in words.text


def test_json_has_every_step_and_score(asked: Bench) -> None:
    done = asked("thresholds", "asked#mail", "--adapter", "scoring", "--trust", "-q", "--format", "json")
    found = done.json["thresholds"]
    assert done.json["workbench"] == 1
    assert found["stock"] == {"thresholds": {"mail": 0.5, "weather": 0.5}, "wrong": []}
    assert [(one["arm"], one["scores"][0]["value"]) for one in found["deliveries"]] == [
        ("bare", 0.9),
        ("tag", 0.9),
    ]
    assert [(step["above"], step["up_to"], step["fires"]) for step in found["together"]["steps"]] == [
        (None, 0.9, 2),
        (0.9, None, 0),
    ]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--adapter", "silent"], 2, "silent reports no scores"),
        (["--adapter", "scoring", "--route", "mial"], 2, 'did you mean "mail"?'),
        (["--adapter", "drawing"], 2, "drawing samples"),
        (["--adapter", "broken"], 3, "no model here"),
        ([], 2, "exactly one adapter is needed"),
        (["--adapter", "scoring", "--adapter", "silent"], 2, "exactly one adapter is needed"),
        (["--adapter", "nobody"], 2, "nobody"),
        (["--adapter", "scoring", "-o", "nowhere/x.json"], 2, "cannot write"),
    ],
)
def test_what_cannot_be_swept_says_why(asked: Bench, arguments: list[str], code: int, said: str) -> None:
    done = asked("thresholds", "asked", "--trust", "-q", *arguments)
    assert (done.code, done.out) == (code, b"")
    assert said in done.said
    assert "Traceback" not in done.said


def test_without_trust_nothing_runs(asked: Bench) -> None:
    done = asked("thresholds", "asked", "--adapter", "scoring")
    assert (done.code, done.out) == (2, b"")
    assert "not trusted" in done.said


def test_where_nothing_is_expected_nothing_is_decided(asked: Bench) -> None:
    asked.write("scenarios/asked.yaml", "scenario: asked\nprompts: [{text: send it}]\n")
    done = asked("thresholds", "asked", "--adapter", "scoring", "--trust", "-q")
    assert done.code == 4
    assert "no prompt says what is expected" in done.text


def test_to_a_file(asked: Bench) -> None:
    done = asked(
        *("thresholds", "asked", "--adapter", "scoring", "--trust", "-q", "--format", "json", "-o", "t.json")
    )
    assert (done.code, done.out) == (0, b"")
    assert json.loads((asked.folder / "t.json").read_text())["thresholds"]["adapter"] == "scoring"
    assert not list(asked.folder.glob(".workbench/**/*.db")), "no run is kept"


def test_decisions_that_do_not_follow_from_the_scores_leave_it_open(asked: Bench) -> None:
    done = asked("thresholds", "asked", "--adapter", "odd", "--trust", "-q")
    assert done.code == 4
    assert "its own decision on forecast@bare does not follow from its scores: pass" in done.text
    assert "is open" in done.text
