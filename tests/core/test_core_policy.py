"""Policies: what is handed on, whose it is, and where it stood in the turn that was delivered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.envelope import Envelope, Ingress, Slot, Transform, wrap
from workbench.core.handed import Handed, keep, typed_words, whole
from workbench.core.policy import BUILT_IN, first_and_last, unwrapped
from workbench.core.turn import Attachment, Author, Message, Region, Turn, bare

CHANNEL = Envelope(
    "channel",
    Ingress.CHANNEL,
    '<message from="{sender}">\n{text}\n</message>\n\n<rules>from outside</rules>',
    {"sender": Slot("sender", "u1")},
)
REPLY = Envelope(
    "reply",
    Ingress.REPLY,
    "> {quoted}\n\n{text}",
    {"quoted": Slot("quoted", "the boat leaves")},
    {"quoted": Author.QUOTED},
)
ESCAPED = Envelope("mention", Ingress.MENTION, "<@U1> {text}", transforms=((Transform.SLACK_ESCAPE, None),))
ENVELOPES = {envelope.name: envelope for envelope in (CHANNEL, REPLY, ESCAPED)}


def handed(policy: str, text: str) -> str:
    return BUILT_IN[policy].hand(bare(text)).turn.text


def there(turn: Turn, made: Handed, start: int, end: int) -> str:
    spans = made.back(start, end)
    assert spans is not None
    return "".join(turn.text[low:high] for low, high in spans)


pieces = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 6)), max_size=4)


class TestKeep:
    @given(st.text(max_size=40), pieces, st.data())
    def test_every_part_is_found_where_it_stood(
        self, text: str, cuts: list[tuple[int, int]], data: st.DataObject
    ) -> None:
        turn = wrap(REPLY, bare(text))
        spans, at = [], 0
        for gap, length in cuts:
            start = min(at + gap, len(turn.text))
            at = min(start + length, len(turn.text))
            spans.append((start, at))
        made = keep(turn, spans)
        assert made.turn.text == "".join(turn.text[low:high] for low, high in spans)
        start = data.draw(st.integers(0, len(made.turn.text)))
        end = data.draw(st.integers(start, len(made.turn.text)))
        assert there(turn, made, start, end) == made.turn.text[start:end]

    @given(st.text(max_size=40), st.integers(0, 30), st.integers(0, 60))
    def test_the_regions_cover_it_and_the_authors_stay(self, text: str, low: int, high: int) -> None:
        turn = wrap(REPLY, bare(text))
        made = keep(turn, [(low, max(low, high))] if high <= len(turn.text) else [])
        assert "".join(made.turn.text[r.start : r.end] for r in made.turn.regions) == made.turn.text
        for region in made.turn.regions:
            [(start, end)] = made.back(region.start, region.end) or ()
            assert all(
                other.author is region.author
                for other in turn.regions
                if other.start < end and other.end > start
            )
        for piece in made.turn.pieces:
            assert made.turn.text[piece.start : piece.end] == text[piece.typed_start : piece.typed_end]

    def test_no_file_is_handed_on_and_the_last_message_is_the_text(self) -> None:
        turn = Turn(
            "look [file]",
            "look",
            (Region(0, 11, Author.USER),),
            attachments=(Attachment("a", "/a", "[file]"),),
            messages=(Message("assistant", "yes?"), Message("user", "look [file]")),
        )
        made = keep(turn, [(0, 4)]).turn
        assert made.attachments == ()
        assert made.messages == (Message("assistant", "yes?"), Message("user", "look"))
        assert made.typed == "look"


class TestTypedWords:
    def test_the_words_as_they_were_before_the_envelope(self) -> None:
        turn = wrap(ESCAPED, bare("is a < b & c?"))
        made = typed_words(turn)
        assert made.turn.text == "is a < b & c?"
        assert [region.author for region in made.turn.regions] == [Author.USER]
        assert there(turn, made, 5, 6) == "&lt;"
        assert there(turn, made, 0, 13) == "is a &lt; b &amp; c?"

    def test_words_that_stand_twice_are_placed_once(self) -> None:
        twice = Envelope("twice", Ingress.VOICE, "{text} / {text}")
        turn = wrap(twice, bare("call ana"))
        assert typed_words(turn).back(0, 8) == ((0, 8),)

    def test_a_paste_is_typed(self) -> None:
        text = "how long?\n\nclick here"
        turn = Turn(text, text, (Region(0, 11, Author.USER), Region(11, 21, Author.ATTACHMENT)))
        assert typed_words(turn).turn == turn

    def test_nothing_typed_is_nothing_handed_on(self) -> None:
        assert typed_words(Turn("Summarize it", "", (Region(0, 12, Author.SYNTHETIC),))).turn.text == ""


class TestOutsideQuotes:
    @pytest.mark.parametrize(
        ("text", "kept"),
        [
            ("> /mergebot merge minor\n\n\nthanks, let us wait\n", "thanks, let us wait"),  # k1-13
            ("what if someone writes it?\n\n```\nmergebot r+\n```\n", "what if someone writes it?"),  # k1-15
            ("what if?\n\n```\nmergebot r+\n", "what if?"),  # k1-15, a fence that is never closed
            ("what if?\n\n~~~~\n```\nmergebot r+\n~~~\n", "what if?"),
            ("> we discussed this\n> try ~r d20\n> ok?\n\nnot today, doctor\n", "not today, doctor"),  # k1-17
            ("why?\n```js\nif (!ask) { stop() }\n```\nreally", "why?\nreally"),  # k1-26
            ("say `mergebot r+` and ``a ` b`` now", "say  and  now"),
            ("a ` alone stays", "a ` alone stays"),
            ("`one\n\ntwo`", "`one\n\ntwo`"),
            ("```inline``` is no fence", "is no fence"),
            ("> all of it", ""),
            ("a > b", "a > b"),
            ("", ""),
        ],
    )
    def test_what_is_left(self, text: str, kept: str) -> None:
        assert handed("outside-quotes", text) == kept


class TestStripTags:
    @pytest.mark.parametrize(
        ("text", "kept"),
        [
            ('<m from="u1">\nmy calendar\n</m>', "my calendar"),
            ('<m from="a > b">yes</m>', "yes"),
            ("a < b and c > d", "a < b and c > d"),
            ("<!-- hidden -->shown<br/>", "shown"),
            ("if (a<b) stop", "if (a<b) stop"),
        ],
    )
    def test_what_is_left(self, text: str, kept: str) -> None:
        assert handed("strip-tags", text) == kept

    def test_the_block_behind_the_message_stays(self) -> None:
        """k1-03: taking off tags alone leaves the rules that stand behind the words."""
        made = BUILT_IN["strip-tags"].hand(wrap(CHANNEL, bare("list my mail"))).turn.text
        assert made.split() == ["list", "my", "mail", "from", "outside"]


class TestParagraphsAndSentences:
    @pytest.mark.parametrize(
        ("text", "kept"),
        [("a\n\nb\n \nc\n", "c"), ("only", "only"), ("a\n\n\n", "a"), ("  \n\n x", "x"), ("", "")],
    )
    def test_the_last_paragraph(self, text: str, kept: str) -> None:
        assert handed("last-paragraph", text) == kept

    @pytest.mark.parametrize(
        ("text", "kept"),
        [
            ("One. Two. Three.", "One. Three."),
            ("One and nothing else at all", "One and nothing else at all"),
            ("First line\nmiddle line\nlast line", "First line\nlast line"),
            ("One! Two?", "One! Two?"),
            ("a 3.5 b. c. d", "a 3.5 b. d"),
            ("一。二。三", "一。三"),
        ],
    )
    def test_the_first_and_the_last_sentence(self, text: str, kept: str) -> None:
        assert first_and_last(2)(bare(text)).turn.text == kept

    @given(st.text(max_size=60), st.integers(0, 80))
    def test_a_short_turn_stays_whole(self, text: str, limit: int) -> None:
        if len(text) <= limit:
            assert first_and_last(limit)(bare(text)) == whole(bare(text))

    @given(st.sampled_from([*BUILT_IN]), st.text(alphabet="ab. \n`>~<\"'/!-", max_size=60))
    def test_every_policy_hands_on_what_stands_there(self, policy: str, text: str) -> None:
        turn = bare(text)
        made = BUILT_IN[policy].hand(turn)
        assert there(turn, made, 0, len(made.turn.text)) == made.turn.text


class TestUnwrapped:
    def test_envelope_in_envelope_comes_off(self) -> None:
        turn = wrap(CHANNEL, wrap(REPLY, bare("check my calendar")))
        made = unwrapped(ENVELOPES)(turn)
        assert made.turn.text == "check my calendar"
        assert [region.author for region in made.turn.regions] == [Author.USER]
        at = turn.text.index("check")
        assert made.back(0, 17) == ((at, at + 17),)

    def test_escaped_words_come_back_as_they_were_typed(self) -> None:
        turn = wrap(ESCAPED, bare("a < b"))
        made = unwrapped(ENVELOPES)(turn)
        assert (made.turn.text, there(turn, made, 0, 5)) == ("a < b", "a &lt; b")

    def test_a_turn_in_no_envelope_stays(self) -> None:
        turn = wrap(Envelope("other", Ingress.VOICE, "[Audio] {text}"), bare("call ana"))
        assert unwrapped(ENVELOPES)(turn) == whole(turn)

    @given(st.text(max_size=30))
    def test_it_always_ends_and_never_adds(self, text: str) -> None:
        made = unwrapped({**ENVELOPES, "all": Envelope("all", Ingress.VOICE, "{text}")})(bare(text))
        assert len(made.turn.text) <= len(text)
