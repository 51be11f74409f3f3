"""A window found again in its turn: where, whose characters, and what it lacks."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from window_kit import HEAD, TAIL, TYPED, authors, placed, turn_of

from workbench.compare.window import Found, place
from workbench.core.decision import Span, Window, WindowSource
from workbench.core.turn import Attachment, Author, Message, Region, Turn, TypedPiece, bare

TAGGED = turn_of((HEAD, Author.TRANSPORT), (TYPED, Author.USER), (TAIL, Author.TRANSPORT))


def test_the_whole_turn_is_read() -> None:
    window = placed(TAGGED.text, TAGGED)
    assert (window.found, window.spans) == (Found.EXACT, ((0, 57),))
    assert authors(window) == [(HEAD, "transport"), (TYPED, "user"), (TAIL, "transport")]
    # <tagchannel="chat"> is 19, Checkmycalendar,andemail 24, </tag> 6
    assert window.user_coverage == 1.0
    assert window.foreign_share == 25 / 49
    assert window.lacking == ()


def test_the_tag_line_is_read() -> None:
    window = placed('<tag channel="chat">', TAGGED)
    assert window.spans == ((0, 20),)
    assert (window.user_coverage, window.foreign_share) == (0.0, 1.0)
    assert window.lacking == ((0, 29),)


@pytest.mark.parametrize(
    ("text", "found", "spans", "coverage"),
    [
        (TYPED, Found.EXACT, ((21, 50),), 1.0),
        (f"  {TYPED}\n\n", Found.SPACING, ((21, 50),), 1.0),
        ("Check my calendar, and email", Found.SPACING, ((21, 50),), 1.0),
        ("check MY calendar, and email", Found.CASE, ((21, 50),), 1.0),
        ("check my calendar and email", Found.WORDS, ((21, 39), (40, 50)), 23 / 24),
        ("Check my  calendar", Found.EXACT, ((21, 39),), 15 / 24),
        ("calendar", Found.EXACT, ((31, 39),), 8 / 24),
        ("check calendar email", Found.PIECES, ((21, 27), (31, 39), (44, 50)), 18 / 24),
    ],
)
def test_found_again_through_what_routers_do(
    text: str, found: Found, spans: tuple[Span, ...], coverage: float
) -> None:
    window = placed(text, TAGGED)
    assert (window.found, window.spans) == (found, spans)
    assert window.user_coverage == pytest.approx(coverage)
    assert window.foreign_share == 0.0


def test_normal_forms() -> None:
    turn = turn_of(("§ ", Author.TRANSPORT), ("Zürich, 東京 ﬁne", Author.USER))
    decomposed = unicodedata.normalize("NFD", "Zürich, 東京 ﬁne")
    window = placed(decomposed, turn)
    assert (window.found, window.spans) == (Found.FORM, ((2, 16),))
    assert (window.user_coverage, window.foreign_share) == (1.0, 0.0)
    assert placed(unicodedata.normalize("NFKC", "Zürich, 東京 ﬁne").upper(), turn).found is Found.CASE


def test_text_of_the_app_is_nobodys_in_the_turn() -> None:
    window = placed(f"[app] {TYPED}", TAGGED)
    assert authors(window) == [("[app] ", "app"), (TYPED, "user")]
    assert window.spans == ((21, 50),)
    assert window.foreign_share == 5 / 29


def test_a_cut_window_with_a_mark_keeps_its_place() -> None:
    window = placed(TAGGED.text[:29] + "…", TAGGED)
    assert window.spans == ((0, 29),)
    assert authors(window) == [(HEAD, "transport"), ("Check my", "user"), ("…", "app")]


def test_head_and_tail_are_two_pieces() -> None:
    long = "please look at every open invoice of March and tell me which of them nobody has paid yet"
    window = placed(long[:30] + " … " + long[-30:], bare(long))
    assert window.found is Found.PIECES
    assert window.spans == ((0, 30), (58, 88))
    assert [long[slice(*span)] for span in window.lacking] == [long[30:58]]


def test_nothing_is_read() -> None:
    window = placed("", TAGGED)
    assert (window.spans, window.parts) == ((), ())
    assert (window.user_coverage, window.foreign_share) == (0.0, 0.0)


def test_it_stands_nowhere() -> None:
    window = placed("qqq", TAGGED)
    assert (window.found, window.spans) == (Found.NOWHERE, None)
    assert authors(window) == [("qqq", "app")]
    assert (window.user_coverage, window.foreign_share) == (0.0, 1.0)


def test_several_places_go_to_the_user_and_are_said_to_be_so() -> None:
    turn = turn_of(("> stop the job\n\n", Author.QUOTED), ("stop the job", Author.USER))
    window = placed("stop the job", turn)
    assert (window.places, window.ambiguous, window.spans) == (2, True, ((16, 28),))
    assert (window.user_coverage, window.foreign_share) == (1.0, 0.0)
    twice = turn_of(("no no ", Author.QUOTED), ("yes", Author.USER))
    assert placed("no", twice).ambiguous is False
    assert placed("no", twice).foreign_share == 1.0


def test_claimed_spans_settle_it() -> None:
    turn = turn_of(("> stop the job\n\n", Author.QUOTED), ("stop the job", Author.USER))
    window = placed("STOP THE JOB", turn, ((2, 14),))
    assert (window.found, window.ambiguous, window.foreign_share) == (Found.CLAIMED, False, 1.0)
    wrong = placed("stop the job", turn, ((0, 3),))
    assert wrong.found is Found.EXACT
    two = placed("stop job", turn, ((16, 21), (25, 28)))
    assert (two.spans, two.user_coverage) == (((16, 21), (25, 28)), 7 / 10)


def test_words_read_beside_the_turn() -> None:
    turn = Turn(
        "<m>a &lt; b</m>",
        "a < b",
        (Region(0, 3, Author.TRANSPORT), Region(3, 11, Author.USER), Region(11, 15, Author.TRANSPORT)),
        (TypedPiece(3, 5, 0, 2), TypedPiece(5, 9, 2, 3), TypedPiece(9, 11, 3, 5)),
    )
    beside = placed("a < b", turn)
    assert (beside.spans, beside.user_coverage, beside.foreign_share) == (((3, 11),), 1.0, 0.0)
    escaped = placed("a &lt; b", turn)
    assert (escaped.spans, escaped.user_coverage, escaped.foreign_share) == (((3, 11),), 1.0, 0.0)
    # An escape cut in two holds none of its character.
    assert placed("a &l", turn).user_coverage == 1 / 3


def test_a_turn_that_the_app_joins() -> None:
    typed = "How long is it?"
    turn = Turn(
        typed,
        typed,
        (Region(0, 15, Author.USER),),
        (TypedPiece(0, 15, 0, 15),),
        (Attachment("a.txt", "/w/a.txt", "Send an email.\nCall her."),),
        made_by_app=True,
    )
    window = place(
        Window(f"{typed}\n\n<file>\nSend an email.\nCall her.\n</file>", WindowSource.CAPTURED), turn, typed
    )
    assert window.spans == ((0, 15),)
    assert [author for _, author in authors(window)] == ["user", "app", "attachment", "app"]
    assert (window.user_coverage, window.foreign_share) == (1.0, (6 + 20 + 7) / (12 + 6 + 20 + 7))
    alone = place(Window("Send an email.", WindowSource.CAPTURED), turn, typed)
    assert (alone.spans, alone.foreign_share) == (None, 1.0)


def test_earlier_messages_are_history() -> None:
    turn = Turn(
        "and now?",
        "and now?",
        (Region(0, 8, Author.USER),),
        (TypedPiece(0, 8, 0, 8),),
        messages=(Message("user", "turn on the light"), Message("user", "and now?")),
    )
    assert authors(placed("turn on the light", turn)) == [("turn on the light", "history")]


def test_nothing_typed_has_no_share() -> None:
    turn = turn_of(("<doc>\nOne click.\n</doc>", Author.ATTACHMENT))
    window = placed(turn.text, turn)
    assert (window.user_coverage, window.foreign_share, window.lacking) == (None, None, ())
    assert window.spans == ((0, 23),)


@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40), st.data())
def test_any_slice_of_a_turn_is_found(head: str, typed: str, tail: str, data: st.DataObject) -> None:
    turn = turn_of((head, Author.TRANSPORT), (typed, Author.USER), (tail, Author.QUOTED))
    start = data.draw(st.integers(0, len(turn.text)))
    end = data.draw(st.integers(start, len(turn.text)))
    text = turn.text[start:end]
    window = placed(text, turn)
    assert "".join(text[part.start : part.end] for part in window.parts) == text
    for part in window.parts:
        assert part.start < part.end
    if text:
        assert window.found is Found.EXACT
        assert window.spans is not None
        ((low, high),) = window.spans
        assert turn.text[low:high] == text
    if window.user_coverage is not None:
        assert 0.0 <= window.user_coverage <= 1.0
        assert window.foreign_share is not None
        assert 0.0 <= window.foreign_share <= 1.0
        if start <= len(head) and end >= len(head) + len(typed) and not window.ambiguous:
            assert window.user_coverage == 1.0


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_window_has_parts_that_rebuild_it(text: str, typed: str) -> None:
    window = placed(text, bare(typed))
    assert "".join(text[part.start : part.end] for part in window.parts) == text
