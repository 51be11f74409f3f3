"""Every shape that a guest may answer in, and what is no decision."""

from __future__ import annotations

import pytest

from workbench.adapters.normalise import normalise
from workbench.core.decision import Decision, Match, Outcome, Score, ToolCall, Window, WindowSource


def read(raw: object, **options: str) -> Decision:
    result = normalise(raw, **options)
    assert result.decision is not None, result.error
    return result.decision


@pytest.mark.parametrize("raw", [None, "", [], "pass", {"action": "pass"}, {"tool": None}, {"name": None}])
def test_pass(raw: object) -> None:
    decision = read(raw)
    assert (decision.outcome, decision.calls, decision.windows) == (Outcome.PASS, (), None)


@pytest.mark.parametrize(
    ("raw", "calls"),
    [
        ("mail::send", ("mail::send",)),
        (["a", "b"], ("a", "b")),
        ([{"name": "a"}, {"name": "b", "arguments": {"x": 1}}], ("a", "b")),
        ({"action": "fire", "tool": "a"}, ("a",)),
        ({"outcome": "fire", "calls": [{"name": "a"}, {"name": "a"}]}, ("a", "a")),
        ({"action": "fire", "tool": ["a", "b"]}, ("a", "b")),
        ({"calls": None, "tool": "a"}, ("a",)),
        ({"name": "route", "similarity_score": 0.6}, ("route",)),
        ("fire", ()),
    ],
)
def test_fire(raw: object, calls: tuple[str, ...]) -> None:
    decision = read(raw)
    assert (decision.outcome, decision.called) == (Outcome.FIRE, calls)


def test_a_hold_keeps_the_declined_calls() -> None:
    decision = read({"action": "hold", "tool": "a", "scanned": "every morning"})
    assert (decision.outcome, decision.tools, decision.called) == (Outcome.HOLD, ("a",), ())
    assert decision.windows == (Window("every morning", WindowSource.REPORTED),)


def test_the_full_shape() -> None:
    decision = read(
        {
            "outcome": "fire",
            "calls": [{"name": "a", "arguments": {"q": "x"}}],
            "scanned": "my calendar",
            "spans": [[2, 13]],
            "scores": [{"route": "a", "value": 0.62, "threshold": 0.5}, {"route": "b", "value": 0}],
            "matches": [{"rule": "r", "text": "my calendar", "start": 2, "end": 13}],
            "note": "n",
        },
        turn="x my calendar",
    )
    assert decision == Decision(
        Outcome.FIRE,
        (ToolCall("a", {"q": "x"}),),
        (Window("my calendar", WindowSource.REPORTED, ((2, 13),)),),
        (Score("a", 0.62, 0.5), Score("b", 0.0)),
        (Match("r", "my calendar", 2, 13),),
        "n",
    )
    assert decision.raw is None


def test_three_kinds_of_nothing() -> None:
    assert read({"outcome": "pass"}).windows is None
    assert read({"outcome": "pass", "scanned": ""}).windows == (Window("", WindowSource.REPORTED),)
    assert read({"outcome": "pass"}).scores is None
    assert read({"outcome": "pass", "scores": []}).scores == ()
    assert normalise({"outcome": "maybe"}).decision is None


@pytest.mark.parametrize(
    "raw",
    [
        True,
        3,
        2.5,
        {},
        {"result": "a"},
        {"outcome": "maybe"},
        {"outcome": 1},
        [1],
        [{"arguments": {}}],
        [{"name": ""}],
        {"outcome": "fire", "calls": [{"name": 7}]},
        {"unreadable": "<object>"},
    ],
)
def test_what_is_no_decision_says_why_and_is_kept(raw: object) -> None:
    result = normalise(raw)
    assert result.decision is None
    assert result.error
    assert result.raw


@pytest.mark.parametrize(
    ("raw", "flag"),
    [
        ("FIRE", "outcome written 'FIRE'"),
        ({"outcome": "pass", "calls": ["a"]}, "pass with calls"),
        ({"outcome": "pass", "scanned": 7}, "scanned is a number, not text"),
        ({"outcome": "pass", "scanned": "x", "spans": [[3, 1]]}, "span [3, 1] is outside the turn"),
        ({"outcome": "pass", "scanned": "x", "spans": [[0, 99]]}, "span [0, 99] is outside the turn"),
        ({"outcome": "pass", "spans": "all"}, "spans are no list of [start, end]"),
        ({"outcome": "pass", "scores": [{"route": "a"}]}, 'score unreadable: {"route":"a"}'),
        ({"outcome": "pass", "matches": [3]}, "match unreadable: 3"),
        ([{"function": {"name": "a", "arguments": '{"x"'}}], "arguments are no JSON"),
        ([{"function": {"name": "a", "arguments": ""}}], "arguments empty"),
    ],
)
def test_what_is_unusual_is_flagged_and_the_raw_answer_kept(raw: object, flag: str) -> None:
    decision = read(raw, turn="text")
    assert flag in decision.flags
    assert decision.raw is not None


def test_not_a_number_is_no_score() -> None:
    decision = read(
        {"outcome": "pass", "scores": {"a": 0.5, "b": float("nan"), "c": float("inf"), "d": 10**400}}
    )
    assert decision.scores == (Score("a", 0.5),)
    assert len(decision.flags) == 3


def test_chat_shaped_calls_have_parsed_arguments() -> None:
    decision = read([{"id": "c1", "type": "function", "function": {"name": "a", "arguments": '{"x": 1}'}}])
    assert decision.calls == (ToolCall("a", {"x": 1}, "c1"),)


def test_spans_alone_are_a_window() -> None:
    decision = read({"outcome": "pass", "spans": [[0, 2], [3, 5]]}, turn="ab cd")
    assert decision.windows == (Window("abcd", WindowSource.REPORTED, ((0, 2), (3, 5))),)


def test_returns_window() -> None:
    assert read("just text", returns="window").windows == (Window("just text", WindowSource.REPORTED),)
    assert read("fire", returns="window").outcome is Outcome.PASS
    assert normalise(None, returns="window").decision is None
    assert normalise(["a"], returns="window").decision is None


def test_what_is_nested_beyond_sense_is_no_decision() -> None:
    deep: object = "x"
    for _ in range(100_000):
        deep = [deep]
    result = normalise({"outcome": "fire", "calls": [{"name": "a", "arguments": {"q": deep}}]})
    assert result.decision is None
    assert result.error == "nested deeper than 100 levels"
    shallow = read([{"name": "a", "arguments": [[[["x"]]]]}])
    assert shallow.calls[0].arguments == [[[["x"]]]]
