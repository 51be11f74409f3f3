"""Wrapping: slots, authors, nesting, and where the typed characters stand afterwards."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.core.envelope import Envelope, Ingress, Slot, Transform, wrap
from workbench.core.turn import Attachment, Author, Message, Region, Turn, TypedPiece, bare

CHANNEL = Envelope(
    "channel",
    Ingress.CHANNEL,
    '<message channel="{channel}" from="{sender}">\n{text}\n</message>',
    slots={"channel": Slot("channel", "chat"), "sender": Slot("sender", "u1")},
)
REPLY = Envelope(
    "reply",
    Ingress.REPLY,
    "> {earlier}\n\n{text}",
    slots={"earlier": Slot("earlier", "an earlier line")},
    authors={"earlier": Author.QUOTED},
)


def plain(template: str, *steps: Transform, truncate: int | None = None) -> Envelope:
    transforms = tuple((step, truncate if step is Transform.TRUNCATE else None) for step in steps)
    return Envelope("plain", Ingress.HARNESS, template, transforms=transforms)


def authors(turn: Turn) -> list[tuple[str, str]]:
    return [(turn.text[r.start : r.end], r.author.value) for r in turn.regions]


def pairs(turn: Turn) -> list[tuple[str, str]]:
    return [(turn.text[p.start : p.end], turn.typed[p.typed_start : p.typed_end]) for p in turn.pieces]


def test_slots_are_filled_with_their_examples() -> None:
    turn = wrap(CHANNEL, bare("hello"))
    assert turn.text == '<message channel="chat" from="u1">\nhello\n</message>'
    assert authors(turn) == [
        ('<message channel="chat" from="u1">\n', "transport"),
        ("hello", "user"),
        ("\n</message>", "transport"),
    ]
    assert turn.pieces == (TypedPiece(35, 40, 0, 5),)


def test_an_author_may_be_set_for_a_slot() -> None:
    assert authors(wrap(REPLY, bare("yes"))) == [
        ("> ", "transport"),
        ("an earlier line", "quoted"),
        ("\n\n", "transport"),
        ("yes", "user"),
    ]


def test_envelopes_nest_and_inner_authors_survive() -> None:
    turn = wrap(CHANNEL, wrap(REPLY, bare("yes & no")))
    assert authors(turn) == [
        ('<message channel="chat" from="u1">\n> ', "transport"),
        ("an earlier line", "quoted"),
        ("\n\n", "transport"),
        ("yes & no", "user"),
        ("\n</message>", "transport"),
    ]
    assert pairs(turn) == [("yes & no", "yes & no")]
    assert turn.typed == "yes & no"


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ('{"a": {"b": "{text}"}}', '{"a": {"b": "hi"}}'),
        ("{{text}}", "{hi}"),
        ("{a{text}", "{ahi"),
        (
            "{Text} {TEXT} {text} { text } {0} {} {undeclared}",
            "{Text} {TEXT} hi { text } {0} {} {undeclared}",
        ),
        ("{text", "{text"),
        ("{text}\r\n", "hi\r\n"),
    ],
)
def test_every_other_brace_is_literal(template: str, text: str) -> None:
    assert wrap(plain(template), bare("hi")).text == text


def test_what_is_filled_in_is_not_scanned_again() -> None:
    envelope = Envelope(
        "odd", Ingress.RAG, "{a}|{document}|{text}", slots={"a": Slot("a", "{text}{document}{a}")}
    )
    turn = wrap(envelope, bare("{a}{document}"), "{text}{a}")
    assert turn.text == "{text}{document}{a}|{text}{a}|{a}{document}"
    assert pairs(turn) == [("{a}{document}", "{a}{document}")]


def test_a_document_is_an_attachment_unless_said_otherwise() -> None:
    envelope = plain("{text}\n[{document}]")
    assert authors(wrap(envelope, bare("q"), "page")) == [
        ("q", "user"),
        ("\n[", "transport"),
        ("page", "attachment"),
        ("]", "transport"),
    ]
    assert wrap(envelope, bare("q")).text == "q\n[]"
    history = Envelope("h", Ingress.RAG, "{document}{text}", authors={"document": Author.HISTORY})
    assert authors(wrap(history, bare("q"), "page")) == [("page", "history"), ("q", "user")]


def test_words_that_come_twice_have_two_pieces() -> None:
    turn = wrap(plain("{text}{text}"), bare("ab"))
    assert turn.regions == (Region(0, 4, Author.USER),)
    assert turn.pieces == (TypedPiece(0, 2, 0, 2), TypedPiece(2, 4, 0, 2))


def test_an_outer_transform_reaches_all_that_is_inside() -> None:
    escaping = plain("<m>{text}</m>", Transform.HTML_ESCAPE)
    turn = wrap(escaping, wrap(plain("<{text}>", Transform.HTML_ESCAPE), bare("a<b")))
    assert turn.text == "<m>&lt;a&amp;lt;b&gt;</m>"
    assert authors(turn) == [("<m>&lt;", "transport"), ("a&amp;lt;b", "user"), ("&gt;</m>", "transport")]
    assert pairs(turn) == [("a", "a"), ("&amp;lt;", "<"), ("b", "b")]


def test_an_escape_that_is_cut_stands_for_nothing() -> None:
    cut = plain("{text}", Transform.HTML_ESCAPE, Transform.TRUNCATE, truncate=4)
    turn = wrap(cut, bare("a&b"))
    assert turn.text == "a&am"
    assert pairs(turn) == [("a", "a")]
    assert authors(turn) == [("a&am", "user")]


def test_an_empty_prompt_leaves_the_frame() -> None:
    turn = wrap(CHANNEL, bare(""))
    assert turn.text == '<message channel="chat" from="u1">\n\n</message>'
    assert authors(turn) == [(turn.text, "transport")]
    assert turn.pieces == ()
    assert wrap(plain("{text}"), bare("")) == bare("")


def test_all_else_of_the_inner_turn_stays() -> None:
    inner = Turn(
        "hi",
        "hi",
        (Region(0, 2, Author.USER),),
        (TypedPiece(0, 2, 0, 2),),
        (Attachment("a.txt", "/a.txt", "x"),),
        (Message("user", "before"),),
    )
    turn = wrap(plain("<{text}>"), inner)
    assert (turn.typed, turn.attachments, turn.messages) == ("hi", inner.attachments, inner.messages)


def test_pieces_that_reach_over_regions_are_cut_there() -> None:
    pasted = Turn(
        "ask: page",
        "ask: page",
        (Region(0, 5, Author.USER), Region(5, 9, Author.ATTACHMENT)),
        (TypedPiece(0, 9, 0, 9),),
    )
    turn = wrap(plain("[{text}]"), pasted)
    assert authors(turn) == [
        ("[", "transport"),
        ("ask: ", "user"),
        ("page", "attachment"),
        ("]", "transport"),
    ]
    assert pairs(turn) == [("ask: ", "ask: "), ("page", "page")]


texts = st.text(st.characters() | st.sampled_from("ab \n\t\r<&\"'>@:\\{}"), max_size=40)
steps = st.lists(
    st.sampled_from(Transform).map(lambda step: (step, 12 if step is Transform.TRUNCATE else None)),
    max_size=3,
)
templates = st.lists(st.sampled_from(["{text}", "{document}", "{who}", "<", "\n", "> ", " {x} "]), max_size=6)


def make(template: list[str], transforms: list[tuple[Transform, int | None]]) -> Envelope:
    return Envelope(
        "made",
        Ingress.CHANNEL,
        "".join(template) + "{text}",
        slots={"who": Slot("who", "kim")},
        authors={"who": Author.HISTORY},
        transforms=tuple(transforms),
    )


@settings(deadline=None)
@given(texts, st.lists(st.tuples(templates, steps), min_size=1, max_size=3), texts)
def test_regions_cover_the_text_and_pieces_lie_in_them(
    typed: str, layers: list[tuple[list[str], list[tuple[Transform, int | None]]]], document: str
) -> None:
    turn = bare(typed)
    for template, transforms in layers:
        turn = wrap(make(template, transforms), turn, document)
    at = 0
    for number, region in enumerate(turn.regions):
        assert region.start == at < region.end
        assert number == 0 or turn.regions[number - 1].author is not region.author
        at = region.end
    assert at == len(turn.text)
    last = 0
    for piece in turn.pieces:
        assert last <= piece.start < piece.end <= len(turn.text)
        assert 0 <= piece.typed_start < piece.typed_end <= len(typed)
        assert any(
            r.start <= piece.start and piece.end <= r.end and r.author is Author.USER for r in turn.regions
        )
        last = piece.end


@settings(deadline=None)
@given(texts, templates, st.lists(st.sampled_from([Transform.TRIM, Transform.STRIP_MENTION]), max_size=2))
def test_words_that_are_only_cut_stand_as_they_were_typed(
    typed: str, template: list[str], cuts: list[Transform]
) -> None:
    turn = wrap(make(template, [(cut, None) for cut in cuts]), bare(typed))
    for piece in turn.pieces:
        assert turn.text[piece.start : piece.end] == typed[piece.typed_start : piece.typed_end]
    if not cuts:
        copies = template.count("{text}") + 1
        assert sum(piece.end - piece.start for piece in turn.pieces) == copies * len(typed)
