"""Scores that drift while the decision stands, and scores that tell nothing apart."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from workbench.compare.findings import find
from workbench.core.cell import BARE, AdapterInfo, Cell, CellKey, Delivery, Run
from workbench.core.decision import Decision, Outcome, Score, ToolCall, Window, WindowSource
from workbench.core.finding import Finding
from workbench.core.trial import Status, Trial
from workbench.core.turn import bare


def cell(
    prompt: str,
    typed: str,
    scores: Mapping[str, float],
    *,
    arm: str = BARE,
    window: str | None = None,
    tool: str | None = "t",
    used: float | None = None,
) -> Cell:
    decision = Decision(
        Outcome.FIRE if tool else Outcome.PASS,
        (ToolCall(tool),) if tool else (),
        None if window is None else (Window(window, WindowSource.REPORTED),),
        tuple(Score(route, value, 0.5, used) for route, value in scores.items()),
    )
    delivery = Delivery(CellKey("s", prompt, arm, "a"), typed, bare(typed))
    return Cell(delivery, (Trial(0, Status.OK, decision),))


def found(*cells: Cell, deterministic: bool = True) -> list[Finding]:
    info = AdapterInfo("a", "python", deterministic=deterministic)
    return [f for f in find(Run("r", "t", 0.0, {"a": info}, cells)) if f.kind in ("vacuous", "score-drift")]


def test_drift_says_how_near_each_arm_is_to_another_decision() -> None:
    before = cell("1", "x", {"mail": 0.9, "web": 0.45, "event": 0.1})
    after = cell("1", "x", {"mail": 0.8, "web": 0.55, "event": 0.2}, arm="w")
    (drift,) = found(before, after)
    assert drift.headline == "SCORE DRIFT [w] 'x': margin of web changed sign"
    assert drift.evidence["flips"] == [
        {
            "arm": "bare",
            "distance": pytest.approx(0.4),
            "route": "mail",
            "how": "would fall below its threshold",
        },
        {"arm": "w", "distance": pytest.approx(0.25), "route": "web", "how": "would overtake mail"},
    ]


def test_the_same_scores_for_other_words_tell_nothing() -> None:
    """A greeting and a mash of keys with one confidence (k2-06)."""
    (one,) = found(
        cell("1", "hello there", {"greet": 0.61, "bye": 0.2}),
        cell("2", "qwpdk aslkdj zzxmv", {"greet": 0.61, "bye": 0.2}),
        cell("3", "book a room", {"greet": 0.1, "bye": 0.3}),
    )
    assert (one.kind, one.severity, one.prompt) == ("vacuous", "warning", None)
    assert one.headline == (
        "VACUOUS s: a: 2 texts have the very same scores, which tell nothing of them:"
        " 'hello there', 'qwpdk aslkdj zzxmv'"
    )
    assert one.evidence["same_scores"] == [["s#1@bare:a", "s#2@bare:a"]]


def test_a_constant_score_cannot_be_thresholded() -> None:
    """Every match with one confidence, whatever matched (k2-17)."""
    (one,) = found(
        cell("1", "address the concern", {"coder": 0.8}),
        cell("2", "deploy the site", {"devops": 0.8}),
        cell("3", "nothing matched", {"coder": 0.0}),
    )
    assert one.headline == "VACUOUS s: a: the score is 0.8 for all of 2 texts: no threshold can part them"


def test_what_was_read_is_what_counts() -> None:
    scores = {"mail": 0.7, "web": 0.2}
    # The envelope was taken off before: one text, one score.
    assert (
        found(
            cell("1", "send it", scores, window="send it"),
            cell("1", "send it", scores, arm="w", window="send it"),
        )
        == []
    )
    # Not reported: the words that were typed are all that is known to differ.
    assert found(cell("1", "send it", scores), cell("1", "send it", scores, arm="w")) == []
    # Blanks and capitals are no other text.
    trimmed = cell("1", "send it", scores, arm="w", window=" Send  it\n")
    assert found(cell("1", "send it", scores, window="send it"), trimmed) == []
    # An envelope that was read, and moved nothing at all (k2-04).
    read = found(
        cell("1", "send it", scores, window="send it"),
        cell("1", "send it", scores, arm="w", window="long preamble send it"),
        cell("2", "find it", {"mail": 0.1, "web": 0.6}, window="find it"),
    )
    assert [finding.kind for finding in read] == ["vacuous"]


def test_nothing_matched_is_alike_of_any_text() -> None:
    nothing = {"mail": 0.0, "web": 0.0}
    assert (
        found(
            cell("1", "one", nothing), cell("2", "two", nothing), cell("3", "mail", {"mail": 0.5, "web": 0.2})
        )
        == []
    )


def test_a_sampled_adapter_is_left_alone() -> None:
    same = {"confidence": 0.5}
    cells = (cell("1", "one", same), cell("2", "two", same))
    assert found(*cells, deterministic=False) == []
    assert len(found(*cells)) == 1


def test_it_gives_way_to_a_scenario_in_which_nothing_fired() -> None:
    same = {"mail": 0.2}
    cells = (cell("1", "one", same, tool=None), cell("2", "two", same, tool=None))
    info = {"a": AdapterInfo("a", "python")}
    told = find(Run("r", "t", 0.0, info, cells, whole=frozenset({"s"})))
    assert [finding.headline for finding in told if finding.kind == "vacuous"] == [
        "VACUOUS s: a fired on no prompt; add one that must fire"
    ]


def test_what_the_router_went_by_is_what_crosses() -> None:
    before = cell("1", "x", {"mail": 0.4}, used=0.6)
    after = cell("1", "x", {"mail": 0.3}, arm="w", used=0.55)
    assert found(before, after) == []
    assert len(found(before, cell("1", "x", {"mail": 0.4}, arm="w", used=0.45))) == 1
