"""Parts of a turn: nothing lost, nothing of the user's touched, the rest as it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.envelope import Envelope, Ingress, wrap
from workbench.core.turn import Author, Region, Turn, bare
from workbench.explain.parts import Grain, cut, foreign, left_out, without

TEXTS = st.text(st.sampled_from("ab .\n!?)\"'。\r\t_-"), max_size=60)


@given(TEXTS, st.sampled_from(Grain))
def test_the_parts_are_the_whole(text: str, grain: Grain) -> None:
    whole = ((0, len(text)),) if text else ()
    parts = cut(text, whole, grain)
    assert "".join(text[start:end] for start, end in parts) == text
    assert all(end > start for start, end in parts)


@pytest.mark.parametrize(
    ("grain", "text", "parts"),
    [
        (Grain.LINE, "one\n\ntwo\r\nthree", ["one\n\n", "two\r\n", "three"]),
        (
            Grain.SENTENCE,
            "One click. Then wait (it is 3.5 s). Done!",
            ["One click. ", "Then wait (it is 3.5 s). ", "Done!"],
        ),
        (Grain.SENTENCE, "你好。再见！ok", ["你好。", "再见！", "ok"]),
        (Grain.WORD, 'say "one-click", don\'t', ["say ", '"', "one-click", '", ', "don't"]),
    ],
)
def test_parts_are_what_a_person_would_call_them(grain: Grain, text: str, parts: list[str]) -> None:
    assert [text[start:end] for start, end in cut(text, [(0, len(text))], grain)] == parts


def test_a_part_is_taken_out_of_the_turn_and_the_words_stay() -> None:
    envelope = Envelope("tag", Ingress.CHANNEL, "<in from=chat>\n{text}\n</in> bye")
    turn = wrap(envelope, bare("open it"))
    found = without(turn, [(0, 15), (len(turn.text) - 4, len(turn.text))])
    assert found.text == "open it\n</in>"
    assert found.regions == (Region(0, 7, Author.USER), Region(7, 13, Author.TRANSPORT))
    assert [(piece.start, piece.end) for piece in found.pieces] == [(0, 7)]


@given(st.data())
def test_what_stays_is_in_order_and_by_the_same_author(data: st.DataObject) -> None:
    pieces = data.draw(
        st.lists(st.tuples(st.sampled_from(Author), st.text("xyz. ", min_size=1, max_size=9)), max_size=5)
    )
    regions, text = [], ""
    for author, words in pieces:
        regions.append(Region(len(text), len(text) + len(words), author))
        text += words
    turn = Turn(text, "", tuple(regions))
    parts = cut(text, foreign(turn), Grain.WORD)
    removed = data.draw(st.lists(st.sampled_from(parts), unique=True)) if parts else []
    found = without(turn, removed)
    authors = [author for author, words in pieces for _ in words]
    kept = [at for at in range(len(text)) if not any(start <= at < end for start, end in removed)]
    solid = [at for at in kept if text[at] != " "]
    assert found.text.replace(" ", "") == "".join(text[at] for at in solid)
    drawn = [r.author for r in found.regions for at in range(r.start, r.end) if found.text[at] != " "]
    assert drawn == [authors[at] for at in solid]
    assert len(found.text) - len(kept) <= len(removed)
    rest = left_out(foreign(turn), removed)
    assert sum(end - start for start, end in rest) == sum(e - s for s, e in foreign(turn)) - sum(
        e - s for s, e in removed
    )


@pytest.mark.parametrize(
    ("text", "removed", "left"),
    [
        ("is it?\n\nnow go", (6, 12), "is it? go"),
        ("one-two", (3, 4), "one two"),
        ("(one) two", (0, 1), "one) two"),
        ("one two", (4, 7), "one "),
        ("one two", (0, 4), "two"),
        ("<a>b", (2, 3), "<a b"),
        ("a<<b", (1, 2), "a<b"),
    ],
)
def test_what_meets_never_becomes_one_word(text: str, removed: tuple[int, int], left: str) -> None:
    turn = Turn(text, "", (Region(0, len(text), Author.TRANSPORT),))
    assert without(turn, [removed]).text == left
