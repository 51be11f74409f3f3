"""The envelopes that ship: each says where it is from, and gives the words back that it was put round."""

from __future__ import annotations

import re
from pathlib import Path
from time import process_time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workbench.core.envelope import Envelope, Ingress, unwrap, wrap
from workbench.core.nesting import unwrap_nested, wrap_nested
from workbench.core.template import parts
from workbench.core.transform import LOSSY, Steps, Transform, apply_to_text
from workbench.core.turn import Author, Region, bare, user_spans
from workbench.demo import table
from workbench.demo.phrases import find
from workbench.files.envelope import load_envelope

ROOT = Path(__file__).parents[2]
ENVELOPES = {path.stem: load_envelope(path) for path in sorted((ROOT / "envelopes").glob("*.yaml"))}
CANARY = (ROOT / "scenarios" / "canary.txt").read_text(encoding="utf-8")
PHRASES = [phrase for row in table.KEYWORDS for phrase in row.phrases]

TYPED = [
    "what's on my calendar today",
    'two lines,\nwith "quotes", a \\ and <tags> & braces {text} {document}',
    "ends with a colon:",
    "日程を見せて 🦀",
]
envelope = pytest.mark.parametrize("envelope", ENVELOPES.values(), ids=ENVELOPES)


def literals(made: Envelope) -> list[str]:
    """The frame, cut at its slots."""
    return [part.text for part in parts(made.template, frozenset(made.slots)) if not part.slot]


def is_mark(literal: str) -> bool:
    return any(char.isalnum() for char in literal)


def kept(steps: Steps, words: str) -> str:
    """What is left of the words after what the transforms are declared to lose."""
    for step, number in steps:
        match step:
            case Transform.TRIM:
                words = words.strip()
            case Transform.COLLAPSE_SPACE:
                words = re.sub(r"\s+", " ", words)
            case Transform.CRLF:
                words = re.sub("\r\n|\r", "\n", words)
            case Transform.TRUNCATE:
                words = words[:number]
            case Transform.STRIP_MENTION | Transform.DROP_TOKEN:
                words = apply_to_text([(step, number)], words)
            case _:
                pass
    return words


def same(steps: Steps, one: str, two: str) -> bool:
    """Alike, but for line feeds where soft-wrap has been at work."""
    if any(step is Transform.SOFT_WRAP for step, _ in steps):
        return re.sub(r"[ \n]", " ", one) == re.sub(r"[ \n]", " ", two)
    return one == two


class TestFiles:
    def test_there_are_forty_or_more_and_every_ingress_kind_is_among_them(self) -> None:
        assert len(ENVELOPES) >= 40
        assert len({made.template for made in ENVELOPES.values()}) == len(ENVELOPES)
        assert {made.ingress for made in ENVELOPES.values()} == set(Ingress)
        assert {"channel", "reply", "attached"} <= set(ENVELOPES)

    def test_nearly_every_transform_is_in_use(self) -> None:
        used = {step for made in ENVELOPES.values() for step, _ in made.transforms}
        assert set(Transform) - used <= {
            Transform.QUOTE_PREFIX,  # no format that is known quotes the words, or does what follows
            *(Transform.HTML_ESCAPE_34, Transform.HTML_ESCAPE_39, Transform.XML_ESCAPE),
            *(Transform.ATTRIBUTE_ESCAPE, Transform.CSV_ESCAPE, Transform.SQL_ESCAPE, Transform.JSON_ASCII),
            *(Transform.URL_ENCODE, Transform.PERCENT_ENCODE, Transform.FORM_ENCODE),
            *(Transform.INDENT_2, Transform.INDENT_4, Transform.INDENT_ALL_2, Transform.INDENT_ALL_4),
            *(Transform.BR, Transform.BR_SLASH, Transform.BR_SPACE_SLASH, Transform.NL2BR),
            *(Transform.QUOTE_PREFIX_BARE, Transform.LF),
        }

    def test_one_has_the_words_twice_and_some_a_slot_twice(self) -> None:
        twice = {name for name, made in ENVELOPES.items() if made.template.count("{text}") == 2}
        assert "copilot-twice" in twice
        assert ENVELOPES["openclaw-topic"].template.count("{id}") == 2

    @envelope
    def test_each_names_its_source_and_claims_no_capture(self, envelope: Envelope) -> None:
        assert envelope.source.origin
        assert envelope.source.status in ("provisional", "hand-written")

    @envelope
    def test_words_that_are_ours_are_owned_up_to(self, envelope: Envelope) -> None:
        ours = "is ours" in envelope.source.origin
        assert ours == (envelope.source.status == "hand-written")
        assert ours == ("is ours" in Path(envelope.file).read_text(encoding="utf-8").split("template:")[0])

    @envelope
    def test_each_begins_with_a_comment_that_says_what_it_is(self, envelope: Envelope) -> None:
        first = Path(envelope.file).read_text(encoding="utf-8").splitlines()[0]
        assert first.startswith("# ")

    @envelope
    def test_every_declared_slot_stands_in_the_template_with_an_example(self, envelope: Envelope) -> None:
        for name, slot in envelope.slots.items():
            assert f"{{{name}}}" in envelope.template
            assert slot.example

    @envelope
    @pytest.mark.parametrize("typed", TYPED)
    def test_the_words_and_the_document_come_out_as_they_went_in(
        self, envelope: Envelope, typed: str
    ) -> None:
        document = CANARY if envelope.carries_document else None
        turn = wrap(envelope, bare(typed), document)
        found = unwrap(envelope, turn.text)
        assert found is not None
        assert found.document == document
        assert found.slots == {name: slot.example for name, slot in envelope.slots.items()}
        assert found.typed == typed or found.lossy

    @envelope
    def test_the_words_stand_in_a_region_of_the_users_and_nothing_else_does(self, envelope: Envelope) -> None:
        turn = wrap(envelope, bare(TYPED[0]), CANARY)
        words = apply_to_text(envelope.transforms, TYPED[0])
        copies = envelope.template.count("{text}")
        assert [turn.text[start:end] for start, end in user_spans(turn)] == [words] * copies

    @envelope
    def test_the_frame_holds_no_phrase_of_the_table(self, envelope: Envelope) -> None:
        assert find([*PHRASES, *table.HOLD], wrap(envelope, bare("hello"), "").text) == []

    def test_a_quote_and_a_history_are_not_the_transports(self) -> None:
        authors = {
            name: {region.author for region in wrap(envelope, bare("hello"), "a page").regions}
            for name, envelope in ENVELOPES.items()
        }
        for name in ("reply", "mail-reply"):
            assert authors[name] == {Author.USER, Author.TRANSPORT, Author.QUOTED}
        assert authors["group-chat"] == {Author.USER, Author.TRANSPORT, Author.HISTORY}
        for name in ("attached", "retrieved"):
            assert authors[name] == {Author.USER, Author.TRANSPORT, Author.ATTACHMENT}

    def test_the_channel_stands_round_the_words(self) -> None:
        turn = wrap(ENVELOPES["channel"], bare("hello"))
        tag = '<untrusted_channel_message channel="chat" from="u1">\n'
        assert turn.text.startswith(f"{tag}hello\n</untrusted_channel_message>\n\n<channel_rules>")
        assert Region(len(tag), len(tag) + 5, Author.USER) in turn.regions

    @pytest.mark.parametrize(
        ("name", "typed", "turn"),
        [
            ("mention", "is a < b & c?", "<@U04BENCH1> is a &lt; b &amp; c?"),
            ("tool-feedback", 'say "no"\n', '{"status":"denied","feedback":"say \\"no\\"\\n"}'),
            ("voice-note", "call ana", "[Audio]\nTranscript:\ncall ana"),
            ("reply", "yes", "> <@ana:example.org> The boat leaves at nine tomorrow.\n\nyes"),
        ],
    )
    def test_an_envelope_gives_exactly_this(self, name: str, typed: str, turn: str) -> None:
        assert wrap(ENVELOPES[name], bare(typed)).text == turn

    def test_space_at_the_end_and_line_ends_of_mail_survive_the_file(self) -> None:
        assert ENVELOPES["retrieved"].template.endswith("\nAnswer: ")
        assert ENVELOPES["retrieved"].template.splitlines()[1] == "-" * 21
        mail = wrap(ENVELOPES["mail-reply"], bare("one\ntwo")).text
        assert mail.startswith("one\r\ntwo\r\n\r\nOn ")
        assert mail.count("\n") == mail.count("\r\n")

    def test_an_attached_file_loses_its_token_and_keeps_its_text(self) -> None:
        turn = wrap(ENVELOPES["attached"], bare("what is in  @doc:notes here"), CANARY)
        assert turn.text.startswith('what is in here\n\n<document name="notes.txt" id="1">\n')
        assert CANARY in turn.text


MARKS = sorted({mark for made in ENVELOPES.values() for mark in literals(made)})
pieces = st.sampled_from(
    [
        *("\r\n", "\r", "\n\n", "\n", " ", "\u00a0", "\u202f", "\u2028", "\x00", "\x1b[31m", "\ufeff"),
        *(
            "🦀",
            "👩‍👩‍👧",
            "e\u0301",
            "שלום",
            "\u202eabc\u202c",
            "مرحبا",
            "日程",
            "\ud83e",
            "\udd80",
            "\ud800",
        ),
        *(
            "&amp;",
            "&lt;b&gt;",
            "&#39;",
            "\\n",
            "\\u0041",
            '"',
            "'",
            "\\",
            "<",
            ">",
            "&",
            "{text}",
            "{a}",
            "> ",
        ),
        *("@bench ", "<@U1>", "@doc:notes", "aGk=", "word", "two words", "x" * 80, "TODO: "),
    ]
)
words = st.lists(pieces | st.sampled_from(MARKS) | st.text(max_size=6), max_size=8).map("".join)
plain = st.lists(
    st.sampled_from(["what", "is", "on", "today", "&", "<b>", '"', "🦀", "שלום"]), min_size=1
).map(" ".join)
some = st.sampled_from(list(ENVELOPES.values()))
HOSTILE = {
    "nothing": "",
    "blank": " \n\t ",
    "CR LF": "one\r\ntwo\r\n\r\nthree\r",
    "emoji and RTL": "🦀 שלום \u202eabc\u202c 👩‍👩‍👧 مرحبا",
    "lone surrogates": "\udd80 \ud83e \ud800\udfff",
    "100,000": "all the words of a long day\n" * 3571,
    "100,000 without a blank": "x" * 100_000,
    "100,000 to escape": "<&>\"'\\\n" * 14_286,
    "100,000 of one mark": "\n\n" * 50_000,
}


def wrapped(made: Envelope, typed: str) -> str:
    return wrap(made, bare(typed), CANARY if made.carries_document else None).text


# Those whose frame has a word of its own: what has none is told from other text by chance only.
MARKED = {name: made for name, made in ENVELOPES.items() if any(map(is_mark, literals(made)))}
marked = pytest.mark.parametrize("envelope", MARKED.values(), ids=MARKED)


class TestUnwrapping:
    @envelope
    @settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(typed=words)
    def test_the_words_come_back_but_for_what_is_declared_to_be_lost(
        self, envelope: Envelope, typed: str
    ) -> None:
        turn = wrapped(envelope, typed)
        found = unwrap(envelope, turn)
        assert found is not None
        assert found.lossy == bool(envelope.loses)
        if not found.ambiguous:
            assert same(envelope.transforms, found.typed, kept(envelope.transforms, typed))
        elif not found.lossy:
            assert wrap(envelope, bare(found.typed), found.document).text == turn

    @envelope
    @settings(max_examples=20, deadline=None)
    @given(typed=plain)
    def test_common_words_leave_no_doubt(self, envelope: Envelope, typed: str) -> None:
        found = unwrap(envelope, wrapped(envelope, typed))
        assert found is not None and not found.ambiguous
        assert same(envelope.transforms, found.typed, kept(envelope.transforms, typed))

    @envelope
    @pytest.mark.parametrize("typed", HOSTILE.values(), ids=HOSTILE)
    def test_hostile_words_come_back_soon(self, envelope: Envelope, typed: str) -> None:
        turn = wrapped(envelope, typed)
        start = process_time()
        found = unwrap(envelope, turn)
        assert process_time() - start < 5
        assert found is not None
        assert same(envelope.transforms, found.typed, kept(envelope.transforms, typed)) or found.ambiguous

    @envelope
    def test_words_that_hold_the_frames_own_marks(self, envelope: Envelope) -> None:
        for mark in literals(envelope):
            typed = f"before{mark}after"
            found = unwrap(envelope, wrapped(envelope, typed))
            assert found is not None
            assert same(envelope.transforms, found.typed, kept(envelope.transforms, typed)) or found.ambiguous

    @envelope
    def test_a_turn_in_a_turn_gives_the_outer_words(self, envelope: Envelope) -> None:
        typed = wrapped(envelope, "inner words")
        found = unwrap(envelope, wrapped(envelope, typed))
        assert found is not None
        assert same(envelope.transforms, found.typed, kept(envelope.transforms, typed)) or found.ambiguous

    @marked
    def test_a_text_of_another_form_is_none(self, envelope: Envelope) -> None:
        foreign = [
            *TYPED,
            *HOSTILE.values(),
            CANARY,
            "TODO: book the room for Monday",
            "[note] hello",
            "/start",
        ]
        for text in foreign:
            assert unwrap(envelope, text) is None
        whole = wrapped(envelope, "hello there")
        first, *_, last = parts(envelope.template, frozenset(envelope.slots))
        assert first.slot or unwrap(envelope, whole[1:]) is None
        assert last.slot or not is_mark(last.text) or unwrap(envelope, whole[:-1]) is None

    @marked
    def test_no_other_envelope_takes_its_turns(self, envelope: Envelope) -> None:
        turn = wrapped(envelope, "hello there")
        assert {name for name, other in MARKED.items() if unwrap(other, turn)} == {envelope.name}

    @envelope
    def test_what_loses_nothing_says_so_and_what_loses_says_what(self, envelope: Envelope) -> None:
        losing = [step for step, _ in envelope.transforms if step in LOSSY]
        assert len(envelope.loses) == len(losing)
        assert all(sentence and "{" not in sentence for sentence in envelope.loses)


class TestNesting:
    @settings(max_examples=200, deadline=None)
    @given(st.lists(some, min_size=1, max_size=3), words)
    def test_envelopes_in_envelopes_give_the_words_back(self, chain: list[Envelope], typed: str) -> None:
        turn = wrap_nested(chain, bare(typed), "a page").text
        found = unwrap_nested(chain, turn)
        if found is None:
            # An outer envelope that loses something may have lost a part of an inner frame.
            assert any(made.loses for made in chain[:-1]) or any(
                layer is not None and layer.ambiguous for layer in [unwrap(chain[0], turn)]
            )
        elif not found.lossy and not found.ambiguous:
            assert found.typed == typed
        # Two frames with a document each may be split in more than one way.
        documents = sum(made.carries_document for made in chain)
        if found is not None and not found.lossy and not (found.ambiguous and documents > 1):
            assert wrap_nested(chain, bare(found.typed), found.document).text == turn

    @pytest.mark.parametrize("inner", ENVELOPES.values(), ids=ENVELOPES)
    def test_the_channel_round_each(self, inner: Envelope) -> None:
        chain = [ENVELOPES["channel"], inner]
        for typed in (*TYPED, "</untrusted_channel_message>", ""):
            turn = wrap_nested(chain, bare(typed), CANARY if inner.carries_document else None)
            assert turn.text == wrap(chain[0], wrap(inner, bare(typed), CANARY)).text
            found = unwrap_nested(chain, turn.text)
            assert found is not None
            assert same(inner.transforms, found.typed, kept(inner.transforms, typed))
            assert found.document == (CANARY if inner.carries_document else None)

    def test_a_frame_that_is_not_there_is_none(self) -> None:
        channel, reply = ENVELOPES["channel"], ENVELOPES["reply"]
        assert unwrap_nested([channel, reply], wrap(channel, bare("hello")).text) is None
        assert unwrap_nested([reply, channel], wrap_nested([channel, reply], bare("hello")).text) is None
        with pytest.raises(ValueError, match="no envelopes"):
            unwrap_nested([], "hello")

    def test_the_next_frame_tells_which_way_to_split_the_outer_one(self) -> None:
        thread, reply = ENVELOPES["zeroclaw-thread"], ENVELOPES["hermes-reply"]
        turn = '[Thread root from @kim]: one\n\ntwo\n\n[Replying to: "three"]\n\nfour'
        alone, both = unwrap(thread, turn), unwrap_nested([thread, reply], turn)
        assert alone is not None and alone.typed.startswith("two")
        assert both is not None and both.typed == "four"
