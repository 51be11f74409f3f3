"""Frames that a history repeats, chance phrases, and paths that rewrite words: what capture makes of them."""

from __future__ import annotations

import json
import quopri
from collections.abc import Callable

import pytest
from capture_logs import NAMES, TYPED, turns_of

from workbench.capture.captured import Captured, Form
from workbench.capture.capturing import capture
from workbench.core.envelope import Transform, unwrap

SAID = (
    "Is it open?",
    "Yes, until nine.",
    "And on Sundays?",
    "Not then.",
    "Who told you?",
    "Kim did.",
    "Send her a note",
    "Done.",
)


def only(captured: Captured) -> Form:
    (form,) = captured.forms
    return form


def chat(begin: str, ask: str, answer: str, end: str) -> Callable[[str, int], str]:
    """A conversation with as many earlier turns as the number says; the first may be the very same words."""

    def frame(words: str, number: int) -> str:
        earlier = [(words if number % 2 else SAID[0], SAID[1]), *zip(SAID[2::2], SAID[3::2], strict=True)]
        turns = "".join(f"{ask}{one}{end}{answer}{two}{end}" for one, two in earlier[: number % 4])
        return f"{begin}{turns}{ask}{words}{end}{answer}".rstrip()

    return frame


FORMS = {
    "prose": chat("A friendly conversation.\n\n", "Human: ", "AI: ", "\n"),
    "marks": chat("<|system|>\nBe brief.<|end|>\n", "<|user|>\n", "<|assistant|>\n", "<|end|>\n"),
}


@pytest.mark.parametrize("name", FORMS)
def test_of_turns_framed_alike_the_last_is_the_users(name: str) -> None:
    frame = FORMS[name]
    form = only(capture(turns_of(frame), {}))
    assert form.turns == len(TYPED)
    for number in range(4):
        found = unwrap(form.envelope, frame("what is left to do?", number))
        assert found is not None
        assert found.typed == "what is left to do?"


def test_a_phrase_that_all_documents_happen_to_share_is_no_mark() -> None:
    def frame(words: str, number: int) -> str:
        said = f"{NAMES[number]} will call before the meeting on {number}."
        page = f"{SAID[number % 8]}\n{said}\n{SAID[-1 - number % 8]}"
        return f"{words}\n\n<page>\n{page}\n</page>"

    form = only(capture(turns_of(frame), {}))
    assert "before the meeting" not in form.envelope.template
    assert unwrap(form.envelope, "hi\n\n<page>\nnothing of the kind\nat all\n</page>") is not None


def test_a_mark_may_be_a_letter_of_its_own_kind() -> None:
    """Datamarking puts a modifier letter in the place of each space."""
    form = only(capture(turns_of(lambda words, number: f"{words}\n\nˆ{SAID[number].replace(' ', 'ˆ')}ˆ"), {}))
    assert unwrap(form.envelope, "hi\n\nˆaˆpageˆ") is not None


def test_json_within_json_is_told_from_json() -> None:
    def frame(words: str, number: int) -> str:
        return json.dumps({"records": [{"body": json.dumps({"text": words, "n": number})}]})

    form = only(capture(turns_of(frame), {}))
    assert [name for name, _ in form.envelope.transforms] in (
        [Transform.JSON_ESCAPE, Transform.JSON_ESCAPE],
        [Transform.JSON_ASCII, Transform.JSON_ESCAPE],
    )
    found = unwrap(form.envelope, frame('two\nlines and a "quote"', 7))
    assert found is not None
    assert found.typed == 'two\nlines and a "quote"'


@pytest.mark.parametrize(("plain", "forms"), [(4, 0), (12, 0), (30, 1)])
def test_a_path_that_rewrites_words_in_its_own_way_is_not_believed_for_the_plain_ones(
    plain: int, forms: int
) -> None:
    """One turn of twenty shows other words than were typed; one of thirty is a doubt."""

    def frame(words: str, number: int) -> str:
        return f"[{number} from {NAMES[number % len(NAMES)]}]: {words.replace(chr(39), chr(0x2019))} [end]"

    typed = [f"please {SAID[number % 8].lower()} {number}" for number in range(plain)]
    captured = capture(turns_of(frame, [*typed, "it's late"]), {})
    assert len(captured.forms) == forms
    if forms:
        assert any("that nobody typed" in doubt for doubt in captured.forms[0].doubts)
    else:
        assert any("that nobody typed" in misfit.reason for misfit in captured.misfits)


@pytest.mark.parametrize("break_", [" / ", "\u2028", "[LF]"])
def test_a_path_with_a_break_of_its_own_is_not_believed_for_words_of_one_line(break_: str) -> None:
    def frame(words: str, number: int) -> str:
        return f"[{number} from {NAMES[number % len(NAMES)]}]: {words.replace(chr(10), break_)} [end]"

    captured = capture(turns_of(frame, [*SAID, "remind Ana of the rent\nand call the bank"]), {})
    assert not captured.forms


def test_a_path_that_encodes_some_characters_only_is_not_believed_for_plain_words() -> None:
    def frame(words: str, number: int) -> str:
        return f"X-Id: {number}\n\n{quopri.encodestring(words.encode()).decode()}\n--end--"

    captured = capture(turns_of(frame, [*SAID, "send the café 日本 note"]), {})
    assert not captured.forms


def test_a_path_that_makes_line_feeds_of_all_line_ends() -> None:
    def frame(words: str, number: int) -> str:
        return f"## turn {number}\n{words.replace(chr(13), '')}\n## end"

    form = only(capture(turns_of(frame, [*SAID, "remind Ana\r\nof the rent"]), {}))
    assert [name for name, _ in form.envelope.transforms] == [Transform.LF]
    assert form.turns == len(SAID) + 1


def test_senders_of_whom_there_are_a_few_are_values_and_not_frames() -> None:
    def frame(words: str, number: int) -> str:
        return f"[Chat {NAMES[number % 4]} 10:{number:02}] {NAMES[number % 4]}: {words}"

    typed = [f"{words} {number}" for number in range(5) for words in TYPED]
    form = only(capture(turns_of(frame, typed), {}))
    assert (form.turns, form.envelope.template) == (40, "[Chat {chat} {time}] {chat}: {text}")
