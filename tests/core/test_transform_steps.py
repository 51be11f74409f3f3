"""What each transform does to the words, to their authors, and to where the typed ones stand."""

from __future__ import annotations

import base64
import html
import json
from urllib.parse import quote, quote_plus
from xml.sax.saxutils import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.core.segment import Edit, Segment, edit, from_turn, regions, text_of, typed_pieces
from workbench.core.transform import LOSSY, WRAP_COLUMNS, Transform, apply, apply_to_text, loses, undo
from workbench.core.turn import Author, bare


def done(step: Transform, text: str, number: int | None = None) -> str:
    return text_of(apply([(step, number)], from_turn(bare(text))))


@pytest.mark.parametrize(
    ("step", "text", "after"),
    [
        (Transform.TRIM, " \n a b\t\u3000", "a b"),
        (Transform.TRIM, " \n ", ""),
        (Transform.COLLAPSE_SPACE, " a\n\n b\tc d  ", " a b c d "),
        (Transform.STRIP_MENTION, "@helperbot /status", "/status"),
        (Transform.STRIP_MENTION, "  <@U0AAAA1>  hi <@U2>", "hi <@U2>"),
        (Transform.STRIP_MENTION, "<@!17|Kim Lee> hi", "hi"),
        (Transform.STRIP_MENTION, "@bot: hi", "hi"),
        (Transform.STRIP_MENTION, "@bot", ""),
        (Transform.STRIP_MENTION, "@doc:one hi", "@doc:one hi"),
        (Transform.STRIP_MENTION, "ask @bot", "ask @bot"),
        (Transform.STRIP_MENTION, "@ home", "@ home"),
        (Transform.DROP_TOKEN, "@doc:01-master-agreement what is the term?", "what is the term?"),
        (Transform.DROP_TOKEN, "what is in @doc:01-master-agreement about  fees?", "what is in about  fees?"),
        (Transform.DROP_TOKEN, "a  @doc:one @doc:two  b", "a b"),
        (Transform.DROP_TOKEN, "sum up @doc:one.", "sum up ."),
        (Transform.DROP_TOKEN, "@doc:one", ""),
        (Transform.INDENT_2, "a\n\n b\nc\n", "a\n\n   b\n  c\n"),
        (Transform.INDENT_4, "a\nb", "a\n    b"),
        (Transform.ATTRIBUTE_ESCAPE, '<"it\'s" & so>', "&lt;&quot;it's&quot; &amp; so&gt;"),
        (Transform.HTML_ESCAPE_39, '"it\'s"', "&quot;it&#39;s&quot;"),
        (Transform.HTML_ESCAPE_34, '"it\'s"', "&#34;it&#39;s&#34;"),
        (Transform.URL_ENCODE, "it's (a&b)/é", "it's%20(a%26b)%2F%C3%A9"),
        (Transform.CSV_ESCAPE, 'a "b"', 'a ""b""'),
        (Transform.SQL_ESCAPE, "it's", "it''s"),
        (Transform.DROP_TOKEN, " \n@doc:one\n what ", "what "),
        (Transform.DROP_TOKEN, "  hi ", "  hi "),
        (Transform.DROP_TOKEN, "mail a@doc:one or @doc: or @one", "mail a@doc:one or @doc: or @one"),
        (Transform.DROP_TOKEN, "a @doc:one\nb", "a \nb"),
        (Transform.LF, "a\nb\r\nc\rd\r\n\r\n", "a\nb\nc\nd\n\n"),
        (Transform.CRLF, "a\nb\r\n", "a\r\nb\r\n"),
        (Transform.CRLF, "\r\n\r\r\n\n\rx\r", "\r\n\r\n\r\n\r\n\r\nx\r\n"),
        (Transform.QUOTE_PREFIX, "", "> "),
        (Transform.QUOTE_PREFIX, "a\n", "> a\n> "),
    ],
)
def test_words_after_a_transform(step: Transform, text: str, after: str) -> None:
    assert done(step, text) == after


def test_truncate_counts_code_points() -> None:
    assert done(Transform.TRUNCATE, "\U0001f600bc", 2) == "\U0001f600b"
    assert done(Transform.TRUNCATE, "abc", 0) == ""
    assert done(Transform.TRUNCATE, "abc", 3) == "abc"


def test_a_quote_prefix_is_not_the_users() -> None:
    made = apply([(Transform.QUOTE_PREFIX, None)], from_turn(bare("a\nb")))
    assert [(s.text, s.author) for s in made] == [
        ("> ", Author.TRANSPORT),
        ("a\n", Author.USER),
        ("> ", Author.TRANSPORT),
        ("b", Author.USER),
    ]


def test_soft_wrap_breaks_at_the_last_space_that_fits() -> None:
    text = "x" * 40 + " " + "y" * 37 + " z"
    assert done(Transform.SOFT_WRAP, text) == "x" * 40 + " " + "y" * 37 + "\nz"
    assert done(Transform.SOFT_WRAP, "y" * 100 + " z " + "y" * 100) == "y" * 100 + "\nz\n" + "y" * 100
    assert done(Transform.SOFT_WRAP, "y" * WRAP_COLUMNS) == "y" * WRAP_COLUMNS


@settings(deadline=None)
@given(st.text(st.sampled_from("abcdefgh \n"), max_size=400))
def test_soft_wrapped_lines_are_short_where_there_is_a_space(text: str) -> None:
    wrapped = done(Transform.SOFT_WRAP, text)
    assert wrapped.replace("\n", " ") == text.replace("\n", " ")
    for line in wrapped.split("\n"):
        assert len(line) <= WRAP_COLUMNS or " " not in line[1:]


any_text = st.text(st.characters() | st.sampled_from("<>&\"'\\\n\r\t @:> \ud800\udc00"), max_size=60)


@settings(deadline=None)
@given(any_text)
def test_escapes_agree_with_the_standard_library(text: str) -> None:
    assert done(Transform.HTML_ESCAPE, text) == html.escape(text)
    assert done(Transform.SLACK_ESCAPE, text) == html.escape(text, quote=False)
    assert done(Transform.JSON_ESCAPE, text) == json.dumps(text, ensure_ascii=False)[1:-1]
    assert done(Transform.JSON_ASCII, text) == json.dumps(text)[1:-1]
    assert done(Transform.XML_ESCAPE, text) == escape(text, {'"': "&quot;", "'": "&apos;"})
    assert done(Transform.PERCENT_ENCODE, text) == quote(text, safe="", errors="surrogatepass")
    assert done(Transform.FORM_ENCODE, text) == quote_plus(text, errors="surrogatepass")
    assert done(Transform.BASE64, text) == base64.b64encode(text.encode("utf-8", "surrogatepass")).decode()
    assert done(Transform.TRIM, text) == text.strip()
    assert done(Transform.COLLAPSE_SPACE, text).split() == text.split()


steps = st.lists(
    st.sampled_from(Transform).map(lambda step: (step, 9 if step is Transform.TRUNCATE else None)), max_size=4
)


def units(text: str) -> bytes:
    """Two halves of a pair that stand side by side are the pair, as JSON has it."""
    return text.encode("utf-16-le", "surrogatepass")


@settings(deadline=None)
@given(any_text, steps)
def test_plain_text_goes_the_same_way(text: str, transforms: list[tuple[Transform, int | None]]) -> None:
    assert apply_to_text(transforms, text) == text_of(apply(transforms, from_turn(bare(text))))


@settings(deadline=None)
@given(any_text, steps)
def test_what_loses_nothing_is_undone(text: str, transforms: list[tuple[Transform, int | None]]) -> None:
    if loses(transforms):
        assert LOSSY & {step for step, _ in transforms}
    else:
        assert units(undo(transforms, apply_to_text(transforms, text))) == units(text)


@settings(deadline=None)
@given(any_text, st.sampled_from(Transform))
def test_anything_may_be_undone(text: str, step: Transform) -> None:
    undo([(step, 3)], text)


def test_base64_is_shared_out_over_the_authors() -> None:
    made = apply(
        [(Transform.BASE64, None)],
        [Segment("head: ", Author.TRANSPORT), Segment("words", Author.USER, (0, 5))],
    )
    assert text_of(made) == base64.b64encode(b"head: words").decode()
    assert [(s.text, s.author, s.typed) for s in made] == [
        ("aGVhZDog", Author.TRANSPORT, None),
        ("d29yZHM=", Author.USER, (0, 5)),
    ]


class TestEdit:
    WORDS = (Segment("<", Author.TRANSPORT), Segment("abc", Author.USER, (0, 3)))
    ATOM = (Segment("&amp;", Author.USER, (0, 1)), Segment("b", Author.USER, (1, 2)))

    def test_no_edit_changes_nothing(self) -> None:
        assert edit(self.WORDS, []) == self.WORDS

    def test_a_cut_in_the_middle(self) -> None:
        assert edit(self.WORDS, [Edit(2, 3)]) == (
            Segment("<", Author.TRANSPORT),
            Segment("a", Author.USER, (0, 1)),
            Segment("c", Author.USER, (2, 3)),
        )

    def test_a_character_for_a_character_leaves_the_run_whole(self) -> None:
        assert edit(self.WORDS, [Edit(2, 3, "B")])[1] == Segment("aBc", Author.USER, (0, 3))

    def test_a_change_over_two_authors_is_the_users_where_they_typed(self) -> None:
        assert edit(self.WORDS, [Edit(0, 3, "-")]) == (
            Segment("-", Author.USER, (0, 2)),
            Segment("c", Author.USER, (2, 3)),
        )

    def test_a_change_within_an_atom_leaves_one_atom(self) -> None:
        assert edit(self.ATOM, [Edit(0, 1, "&amp;")]) == (
            Segment("&amp;amp;", Author.USER, (0, 1)),
            Segment("b", Author.USER, (1, 2)),
        )

    def test_an_atom_that_loses_a_part_stands_for_nothing(self) -> None:
        assert edit(self.ATOM, [Edit(2, 5)]) == (
            Segment("&a", Author.USER),
            Segment("b", Author.USER, (1, 2)),
        )

    def test_an_insertion_has_its_own_author(self) -> None:
        assert edit(self.WORDS, [Edit(2, 2, "> ", Author.TRANSPORT)]) == (
            Segment("<", Author.TRANSPORT),
            Segment("a", Author.USER, (0, 1)),
            Segment("> ", Author.TRANSPORT),
            Segment("bc", Author.USER, (1, 3)),
        )

    def test_words_that_come_twice_are_not_taken_for_one_run(self) -> None:
        twice = (Segment("a ", Author.USER, (0, 2)), Segment(" a", Author.USER, (0, 2)))
        assert edit(twice, [Edit(1, 3, "_")]) == (
            Segment("a_", Author.USER, (0, 2)),
            Segment("a", Author.USER, (1, 2)),
        )


segments = st.lists(
    st.tuples(st.text("ab&", min_size=1, max_size=5), st.sampled_from(Author), st.integers(0, 3)), max_size=6
)
edits = st.lists(st.tuples(st.integers(0, 25), st.integers(0, 3), st.text("xy", max_size=3)), max_size=6)


@settings(deadline=None)
@given(segments, edits)
def test_edits_agree_with_the_same_edits_of_plain_text(
    given_segments: list[tuple[str, Author, int]], given_edits: list[tuple[int, int, str]]
) -> None:
    made: list[Segment] = []
    at = 0
    for text, author, kind in given_segments:
        length = (0, len(text), 1, 7)[kind]  # nobody's, verbatim, an escape, a code
        made.append(Segment(text, author, (at, at + length) if length else None))
        at += length
    before = text_of(made)
    changes: list[Edit] = []
    for start, length, text in sorted(given_edits):
        end = min(start + length, len(before))
        if start <= end and (not changes or changes[-1].end <= start):
            changes.append(Edit(start, end, text))
    after = before
    for change in reversed(changes):
        after = after[: change.start] + change.text + after[change.end :]
    result = edit(made, changes)
    assert text_of(result) == after
    assert all(segment.text for segment in result)
    found = regions(result)
    assert "".join(after[r.start : r.end] for r in found) == after
    last = 0
    for piece in typed_pieces(result):
        assert last <= piece.typed_start or piece.typed_start == piece.typed_end
        assert 0 <= piece.typed_start < piece.typed_end <= at
        last = piece.typed_start
