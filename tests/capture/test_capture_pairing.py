"""What was typed and what was made of it, brought together."""

from __future__ import annotations

from workbench.capture.pairing import pair_turns
from workbench.capture.turns import LogTurn, Place, Who


def typed(number: int, words: str, **more: object) -> LogTurn:
    return LogTurn(Place("a.jsonl", number), "columns", typed=words, **more)  # type: ignore[arg-type]


def wrapped(number: int, text: str, **more: object) -> LogTurn:
    return LogTurn(Place("a.jsonl", number), "columns", wrapped=text, **more)  # type: ignore[arg-type]


def test_both_halves_in_one_record_are_a_pair() -> None:
    done = pair_turns([LogTurn(Place("a.jsonl", 1), "columns", typed="go", wrapped="[x] go")])
    assert [(pair.typed, pair.wrapped) for pair in done.pairs] == [("go", "[x] go")]


def test_an_id_counts_before_the_order() -> None:
    done = pair_turns([wrapped(1, "[x] two", id="2"), typed(2, "one", id="1"), typed(3, "two", id="2")])
    assert [pair.typed for pair in done.pairs] == ["two"]
    assert [half for _, half in done.alone] == ["typed words that reached no router"]


def test_without_an_id_the_nearest_earlier_words_of_the_session_go_with_a_turn() -> None:
    turns = [
        typed(1, "mine", session="a", time=1.0),
        typed(2, "yours", session="b", time=2.0),
        wrapped(3, "[x] mine", session="a", time=3.0),
        wrapped(4, "[x] yours", session="b", time=4.0),
    ]
    assert [(pair.typed, pair.wrapped) for pair in pair_turns(turns).pairs] == [
        ("mine", "[x] mine"),
        ("yours", "[x] yours"),
    ]


def test_words_are_used_once() -> None:
    done = pair_turns([typed(1, "go"), wrapped(2, "[x] go"), wrapped(3, "[x] tick")])
    assert len(done.pairs) == 1
    assert done.alone == [(Place("a.jsonl", 3), "no typed words go with it")]


def test_later_words_do_not_go_with_an_earlier_turn() -> None:
    done = pair_turns([wrapped(1, "[x] go", session="a", time=1.0), typed(9, "go", session="a", time=2.0)])
    assert done.pairs == []


def test_a_log_with_sessions_goes_with_one_without_by_time() -> None:
    """A proxy sees requests and no session; the typed words lie where the sessions are, or the other way."""
    for mine, theirs in (("s1", None), (None, "s1")):
        turns = [
            typed(1, "dim the lamp", session=mine, time=1.0),
            typed(2, "and the fan", session=mine, time=5.0),
            LogTurn(Place("b.har", 1), "har", wrapped="[x] dim the lamp", session=theirs, time=2.0),
            LogTurn(Place("b.har", 2), "har", wrapped="[x] no such words", session=theirs, time=3.0),
            LogTurn(Place("b.har", 3), "har", wrapped="[x] and the fan", session=theirs, time=6.0),
        ]
        done = pair_turns(turns)
        assert [pair.typed for pair in done.pairs] == ["dim the lamp", "and the fan"]
        assert [place.number for place, _ in done.alone] == [2]


def test_other_sessions_words_do_not_go_with_a_turn_of_one() -> None:
    turns = [
        typed(1, "dim the lamp", session="a", time=1.0),
        wrapped(2, "dim the lamp!", session="b", time=2.0),
    ]
    assert pair_turns(turns).pairs == []


def test_words_that_reached_no_router_yet_are_not_taken_for_those_that_stand_there() -> None:
    turns = [
        typed(1, "dim the lamp"),
        typed(2, "call Ana back"),
        wrapped(4, "[x] dim the lamp"),
        wrapped(5, "[x] call Ana back"),
    ]
    assert [pair.typed for pair in pair_turns(turns).pairs] == ["dim the lamp", "call Ana back"]


def test_halves_of_two_long_logs_are_brought_together_by_time() -> None:
    count = 20_000
    halves = [typed(number, f"say {number}", time=number * 2.0) for number in range(count)]
    halves += [
        LogTurn(Place("b.har", number), "har", wrapped=f"[x] say {number}", time=number * 2.0 + 1)
        for number in range(0, count, 3)
    ]
    done = pair_turns(halves)
    assert all(pair.wrapped == f"[x] {pair.typed}" for pair in done.pairs)
    assert len(done.pairs) == len(range(0, count, 3))


def test_words_that_waited_are_told_as_one_turn() -> None:
    done = pair_turns([typed(1, "buy salt"), typed(2, "and lemons"), wrapped(3, "- buy salt\n- and lemons")])
    assert [(pair.typed, pair.together) for pair in done.pairs] == [("and lemons", ("buy salt",))]


def test_what_is_no_users_turn_is_counted_apart() -> None:
    done = pair_turns(
        [
            typed(1, "x", who=Who.TOOL_RESULT),
            LogTurn(Place("a.jsonl", 2), "columns", typed=" ", wrapped="[x]"),
            LogTurn(Place("a.jsonl", 3), "columns", typed="go", wrapped="go"),
            LogTurn(Place("a.jsonl", 4), "columns", typed="go on", wrapped="[x] go", truncated=True),
        ]
    )
    assert (len(done.machine), len(done.wordless), len(done.bare), len(done.cut)) == (1, 1, 1, 1)
    assert done.turns == 4
