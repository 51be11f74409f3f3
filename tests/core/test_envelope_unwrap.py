"""Unwrapping: the exact inverse of wrapping, and what it says where there is none."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.core.envelope import Envelope, Ingress, Slot, SlotKind, Transform, Unwrapped, unwrap, wrap
from workbench.core.transform import LOSSY
from workbench.core.turn import bare

CHANNEL = Envelope(
    "channel",
    Ingress.CHANNEL,
    '<message channel="{channel}" from="{sender}">\n{text}\n</message>',
    slots={"channel": Slot("channel", "chat", SlotKind.NAME), "sender": Slot("sender", "u1", SlotKind.NAME)},
)


def envelope(template: str, *steps: Transform, **slots: SlotKind) -> Envelope:
    return Envelope(
        "made",
        Ingress.CHANNEL,
        template,
        slots={name: Slot(name, f"example of {name}", kind) for name, kind in slots.items()},
        transforms=tuple((step, 12 if step is Transform.TRUNCATE else None) for step in steps),
    )


def found(made: Envelope, text: str) -> Unwrapped:
    unwrapped = unwrap(made, text)
    assert unwrapped is not None
    return unwrapped


def test_other_values_than_the_examples_are_found() -> None:
    text = '<message channel="signal" from="Kim, at work">\nhello\n\nyou\n</message>'
    assert unwrap(CHANNEL, text) == Unwrapped(
        "hello\n\nyou", None, {"channel": "signal", "sender": "Kim, at work"}, lossy=False, ambiguous=False
    )


@pytest.mark.parametrize(
    "text",
    [
        "hello",
        "",
        '<message channel="a" from="b">\nhello\n</message>\n',
        ' <message channel="a" from="b">\nhello\n</message>',
        '<message channel="a\nb" from="c">\nhello\n</message>',
        '<message channel="a" from="b">\n</message>',
    ],
)
def test_a_text_of_another_form_is_none(text: str) -> None:
    assert unwrap(CHANNEL, text) is None


def test_a_slot_that_comes_twice_is_equal() -> None:
    fence = envelope("<<<{id}>>>\n{text}\n<<<end {id}>>>", id=SlotKind.NONCE)
    assert found(fence, "<<<77>>>\nhi\n<<<end 77>>>").slots == {"id": "77"}
    assert unwrap(fence, "<<<77>>>\nhi\n<<<end 78>>>") is None
    # The first end is another's: the words go on to the end that fits.
    assert found(fence, "<<<77>>>\na\n<<<end 78>>>\nb\n<<<end 77>>>").typed == "a\n<<<end 78>>>\nb"


def test_words_that_come_twice_are_equal() -> None:
    twice = envelope("{text} / {text}")
    assert found(twice, "a / b / a / b").typed == "a / b"
    assert unwrap(twice, "a / b") is None


def test_examples_come_before_free_values() -> None:
    reply = envelope("> {earlier}\n\n{text}", earlier=SlotKind.TEXT)
    exact = found(reply, "> example of earlier\n\na\n\nb")
    assert (exact.typed, exact.ambiguous) == ("a\n\nb", False)
    free = found(reply, "> other\n\na\n\nb")
    assert (free.typed, free.slots, free.ambiguous) == ("a\n\nb", {"earlier": "other"}, True)


def test_two_ways_to_split_are_said_to_be_two() -> None:
    attached = envelope("{text}\n\n---\n{document}")
    once = found(attached, "q\n\n---\npage")
    assert (once.typed, once.document, once.ambiguous) == ("q", "page", False)
    twice = found(attached, "q\n\n---\npage\n\n---\nmore")
    assert (twice.typed, twice.document, twice.ambiguous) == ("q", "page\n\n---\nmore", True)


def test_base64_and_json_slots() -> None:
    file = envelope("{text}[{data}]", data=SlotKind.BASE64)
    assert found(file, "a [b] c[aGVsbG8=\nZm9v]").slots == {"data": "aGVsbG8=\nZm9v"}
    assert unwrap(file, "a [b] c[no, not that]") is None
    meta = envelope('{"m": {meta}, "t": "{text}"}', Transform.JSON_ESCAPE, meta=SlotKind.JSON)
    got = found(meta, '{"m": {"a":\n1}, "t": "say \\"hi\\""}')
    assert (got.typed, got.slots) == ('say "hi"', {"meta": '{"a":\n1}'})


def test_words_that_the_transform_cannot_have_left_are_lossy() -> None:
    escaped = envelope("<m>{text}</m>", Transform.HTML_ESCAPE)
    assert found(escaped, "<m>a &lt; b</m>") == Unwrapped("a < b", None, {}, lossy=False, ambiguous=False)
    other_escape = found(escaped, "<m>it&#39;s</m>")
    assert (other_escape.typed, other_escape.lossy) == ("it's", True)


def test_an_escape_settles_where_the_words_end() -> None:
    escaped = envelope("<m>{text}</m>{document}</m>", Transform.HTML_ESCAPE)
    got = found(escaped, "<m>a</m>b</m>c</m>")
    assert (got.typed, got.document, got.ambiguous) == ("a", "b</m>c", False)


@pytest.mark.parametrize(
    ("step", "typed", "wrapped"),
    [
        (Transform.HTML_ESCAPE, '<a href="x">\'&amp;', "&lt;a href=&quot;x&quot;&gt;&#x27;&amp;amp;"),
        (Transform.JSON_ESCAPE, 'a"\\\n\x00é\U0001f600', 'a\\"\\\\\\n\\u0000é\U0001f600'),
        (Transform.SLACK_ESCAPE, "a&b<c>\"'", "a&amp;b&lt;c&gt;\"'"),
        (Transform.QUOTE_PREFIX, "a\n\nb", "> a\n> \n> b"),
        (Transform.QUOTE_PREFIX_BARE, "a\n\n b\n", "> a\n>\n>  b\n>"),
        (Transform.INDENT_ALL_2, "a\n\nb", "a\n  \n  b"),
        (Transform.INDENT_ALL_4, "a\n\nb", "a\n    \n    b"),
        (Transform.BR, "a\n\nb", "a<br><br>b"),
        (Transform.BR_SLASH, "a\nb", "a<br/>b"),
        (Transform.BR_SPACE_SLASH, "a\nb", "a<br />b"),
        (Transform.NL2BR, "a\n\nb", "a<br />\n<br />\nb"),
        (Transform.BASE64, "héllo \ud800", "aMOpbGxvIO2ggA=="),
    ],
)
def test_transforms_are_undone(step: Transform, typed: str, wrapped: str) -> None:
    made = envelope("[{text}]", step)
    assert wrap(made, bare(typed)).text == f"[{wrapped}]"
    assert unwrap(made, f"[{wrapped}]") == Unwrapped(typed, None, {}, lossy=False, ambiguous=False)


def test_every_line_end_of_a_mail_comes_back_as_a_line_feed() -> None:
    made = envelope("[{text}]", Transform.CRLF)
    for typed in ("a\nb\n", "a\r\nb\r\n", "a\rb\r"):
        text = wrap(made, bare(typed)).text
        assert text == "[a\r\nb\r\n]"
        assert unwrap(made, text) == Unwrapped("a\nb\n", None, {}, lossy=True, ambiguous=False)
    assert made.loses == ("whether a line ended with LF, CR LF or CR; LF comes back",)


def test_soft_wrapped_words_come_back() -> None:
    made = envelope("{text}", Transform.SOFT_WRAP)
    typed = "word and word " * 30 + "\nshort\nlines\n\n" + "x" * 70 + " yyyyyyyy z"
    got = found(made, wrap(made, bare(typed)).text)
    assert (got.typed, got.lossy) == (typed, True)


class TestCases:
    """Wrapped turns of the case book, whose words a cleaner has cut too much or too little of."""

    def test_k1_05_blocks_of_json_before_a_stamp(self) -> None:
        made = envelope(
            "<relevant-memories>\n{memories}\n</relevant-memories>\n\n"
            "Conversation info (untrusted metadata):\n```json\n{info}\n```\n\n"
            "Sender (untrusted metadata):\n```json\n{who}\n```\n\n[{time}] {text}\n",
            memories=SlotKind.TEXT,
            info=SlotKind.JSON,
            who=SlotKind.JSON,
            time=SlotKind.TIME,
        )
        got = found(
            made,
            "<relevant-memories>\n- likes short answers\n</relevant-memories>\n\n"
            'Conversation info (untrusted metadata):\n```json\n{"message_id":"100"}\n```\n\n'
            'Sender (untrusted metadata):\n```json\n{"label":"Sam (u1)"}\n```\n\n'
            "[Mon 2026-03-02 09:00 UTC] what is my locker number\n",
        )
        assert (got.typed, got.ambiguous) == ("what is my locker number", False)

    def test_k1_20_the_bots_own_name_in_a_quotation_stays(self) -> None:
        made = envelope("> <{sender}> {quoted}\n\n{text}", sender=SlotKind.NAME, quoted=SlotKind.NAME)
        got = found(made, "> <@bot:chat.example> did you look at the logs?\n\nyes, both of them")
        assert (got.typed, got.slots["sender"]) == ("yes, both of them", "@bot:chat.example")

    def test_k1_34_the_thread_below_a_mail_is_not_the_words(self) -> None:
        made = envelope(
            "{text}\n\nOn {date}, {sender} <{address}> wrote:\n> {quoted}\n",
            date=SlotKind.TIME,
            sender=SlotKind.NAME,
            address=SlotKind.NAME,
            quoted=SlotKind.TEXT,
        )
        got = found(
            made,
            "yes please close it\n\nOn Tue, 3 Mar 2026, Support <help@corp.example> wrote:\n"
            "> -- reply above\n> this line --\n> You can also say: reopen, escalate, refund\n",
        )
        assert got.typed == "yes please close it"

    def test_k1_36_a_label_in_the_words_is_no_senders_name(self) -> None:
        made = envelope(
            "[{channel} {sender} {time}] {sender}: {text}",
            channel=SlotKind.NAME,
            sender=SlotKind.NAME,
            time=SlotKind.TIME,
        )
        got = found(made, "[Chat Kim 2026-05-01 10:00] Kim: TODO: book the room for Monday")
        assert (got.typed, got.slots["sender"]) == ("TODO: book the room for Monday", "Kim")


class TestMarks:
    """Where a frame's own mark stands twice: a document may hold it too, words hardly do."""

    def test_a_mark_with_a_word_in_it_counts_at_its_last_place_before_the_words(self) -> None:
        dialogue = envelope("{history}\nHuman: {text}\nAssistant:", history=SlotKind.TEXT)
        got = found(dialogue, "Human: a\nAssistant: b\nHuman: c\nAssistant: d\nHuman: e\nAssistant:")
        assert (got.typed, got.ambiguous) == ("e", True)

    def test_a_blank_line_counts_at_its_first_place_since_words_have_paragraphs(self) -> None:
        thread = envelope("[Thread root from {who}]: {root}\n\n{text}", who=SlotKind.NAME, root=SlotKind.TEXT)
        got = found(thread, "[Thread root from Ben]: boats?\n\nyes\n\nat nine")
        assert (got.typed, got.ambiguous) == ("yes\n\nat nine", True)

    def test_what_stands_behind_the_words_begins_at_the_first_place(self) -> None:
        mail = envelope("{text}\n\nOn {day} Ann wrote:\n{quoted}", day=SlotKind.TIME, quoted=SlotKind.TEXT)
        got = found(mail, "yes\n\nOn Monday Ann wrote:\nno\n\nOn Sunday Ann wrote:\nyes?")
        assert (got.typed, got.ambiguous) == ("yes", True)

    def test_one_line_slots_leave_no_doubt(self) -> None:
        note = envelope("## Tab: {tab}\n## Request:\n{text}", tab=SlotKind.NAME)
        got = found(note, "## Tab: a\n## Request:\nx\n## Request:\ny")
        assert (got.typed, got.ambiguous) == ("x\n## Request:\ny", False)


texts = st.text(st.sampled_from("ab \n<&>\"'\\|=\r") | st.characters(), max_size=12)
exact_steps = st.lists(st.sampled_from(sorted(set(Transform) - LOSSY)), max_size=3)
pieces = st.lists(
    st.sampled_from(["{text}", "{document}", "{who}", "{note}", "<", "\n", "> ", "a", "|", "{no}"]),
    max_size=7,
)


def made_of(template: list[str], steps: list[Transform]) -> Envelope:
    return Envelope(
        "made",
        Ingress.RAG,
        "".join(template),
        slots={"who": Slot("who", "a|", SlotKind.NAME), "note": Slot("note", "", SlotKind.TEXT)},
        transforms=tuple((step, None) for step in steps),
    )


@settings(max_examples=400, deadline=None)
@given(texts, texts, pieces, pieces, exact_steps)
def test_wrapping_what_was_unwrapped_gives_the_same_text(
    typed: str, document: str, before: list[str], after: list[str], steps: list[Transform]
) -> None:
    made = made_of([*before, "{text}", *after], steps)
    text = wrap(made, bare(typed), document).text
    got = found(made, text)
    assert wrap(made, bare(got.typed), got.document).text == text
    assert not got.lossy
    if not got.ambiguous:
        assert got.typed == typed
        if made.carries_document:
            assert got.document == document


@settings(deadline=None)
@given(texts, pieces, st.lists(st.sampled_from(Transform), max_size=3))
def test_every_wrapped_text_is_unwrapped(typed: str, before: list[str], steps: list[Transform]) -> None:
    made = envelope("".join([*before, "{text}"]), *steps)
    got = found(made, wrap(made, bare(typed), "doc").text)
    assert got.lossy or not LOSSY.intersection(steps)


@settings(deadline=None)
@given(st.text(st.sampled_from("a|<\n> "), max_size=30), pieces, exact_steps)
def test_any_text_is_answered_with_what_gives_it_again(
    text: str, template: list[str], steps: list[Transform]
) -> None:
    made = made_of([*template, "{text}"], steps)
    got = unwrap(made, text)
    if got is not None and not got.lossy:
        slots = {name: Slot(name, value) for name, value in got.slots.items()}
        again = Envelope("again", Ingress.RAG, made.template, slots=slots, transforms=made.transforms)
        assert wrap(again, bare(got.typed), got.document).text == text


MILLION = 1_000_000
HOSTILE = {
    "feeds": "\n" * MILLION,
    "one line": "x" * MILLION,
    "false starts": "<a>" * (MILLION // 3),
    "almost": '<message channel="' * (MILLION // 18) + "\n</message>",
    "blanks and quotes": '" from="' * (MILLION // 8),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize(
    "made",
    [
        CHANNEL,
        envelope("<a>{one}<a>{two}<a>{one}<b>{text}", one=SlotKind.TEXT, two=SlotKind.TEXT),
        envelope(
            "{one}{two}\n{three}\n{one}{text}!", one=SlotKind.TEXT, two=SlotKind.TEXT, three=SlotKind.NAME
        ),
        envelope(
            "{one}<a>{two}<a>{three}{one}{text}", one=SlotKind.TEXT, two=SlotKind.TEXT, three=SlotKind.TEXT
        ),
    ],
    ids=["channel", "repeated", "adjacent", "equal"],
)
def test_a_million_characters_do_not_hang(text: str, made: Envelope) -> None:
    start = process_time()
    unwrap(made, text)
    assert process_time() - start < 10


def test_a_million_characters_come_back() -> None:
    made = envelope("<m>{text}</m>\n{document}", Transform.JSON_ESCAPE)
    typed = "some words\n" * (MILLION // 11)
    text = wrap(made, bare(typed), typed).text
    assert found(made, text).typed == typed


def test_many_slots_do_not_recurse() -> None:
    names = [f"s{number}" for number in range(3000)]
    made = envelope(
        ",".join(f"{{{name}}}" for name in names) + "{text}", **dict.fromkeys(names, SlotKind.NAME)
    )
    assert found(made, wrap(made, bare("hi")).text).typed == "hi"
