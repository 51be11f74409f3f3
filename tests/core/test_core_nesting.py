"""Envelopes in envelopes: wrapping from the inside out, and the same way back."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.core.envelope import Envelope, Ingress, Slot, SlotKind, Transform, wrap
from workbench.core.nesting import unwrap_nested, wrap_nested
from workbench.core.turn import bare


def envelope(template: str, *steps: Transform) -> Envelope:
    slots = {"who": Slot("who", "Ann", SlotKind.NAME), "note": Slot("note", "a note", SlotKind.TEXT)}
    used = {name: slot for name, slot in slots.items() if f"{{{name}}}" in template}
    return Envelope("made", Ingress.CHANNEL, template, used, transforms=tuple((step, None) for step in steps))


TAG = envelope('<m from="{who}">\n{text}\n</m>', Transform.HTML_ESCAPE)
QUOTE = envelope("> {note}\n\n{text}", Transform.QUOTE_PREFIX)
BODY = envelope('{"message": "{text}", "by": "{who}"}', Transform.JSON_ESCAPE)
PAGE = envelope("{document}\n\nQuestion: {text}")
CODED = envelope("{text}", Transform.BASE64)
TRIMMED = envelope("[{text}]", Transform.TRIM)
ALL = [TAG, QUOTE, BODY, PAGE, CODED]

typed_words = st.text(st.sampled_from("ab<>&\"'\\\n\r|> ") | st.characters(), max_size=20)


def test_the_first_is_the_outermost() -> None:
    turn = wrap_nested([TAG, QUOTE], bare("yes"))
    assert turn.text == '<m from="Ann">\n&gt; a note\n\n&gt; yes\n</m>'
    assert turn == wrap(TAG, wrap(QUOTE, bare("yes")))
    found = unwrap_nested([TAG, QUOTE], turn.text)
    assert found is not None
    assert (found.typed, found.lossy, found.ambiguous) == ("yes", False, False)
    assert [layer.slots for layer in found.layers] == [{"who": "Ann"}, {"note": "a note"}]


def test_none_at_all_leaves_the_turn_as_it_is() -> None:
    assert wrap_nested([], bare("yes")) == bare("yes")
    with pytest.raises(ValueError, match="no envelopes"):
        unwrap_nested([], "yes")


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(ALL), min_size=1, max_size=4), typed_words, st.text("ab\n", max_size=8))
def test_words_come_back_through_any_nesting(chain: list[Envelope], typed: str, document: str) -> None:
    turn = wrap_nested(chain, bare(typed), document).text
    found = unwrap_nested(chain, turn)
    assert found is not None
    assert not found.lossy
    assert wrap_nested(chain, bare(found.typed), found.document).text == turn
    if not found.ambiguous:
        assert found.typed == typed
        assert found.document == (document if PAGE in chain else None)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(ALL), min_size=1, max_size=3), st.text('<m from="Ann">\n/ab', max_size=30))
def test_other_texts_are_none_or_come_back_as_they_were(chain: list[Envelope], text: str) -> None:
    found = unwrap_nested(chain, text)
    if found is not None and not found.lossy and PAGE not in chain:
        slots = {name: value for layer in found.layers for name, value in layer.slots.items()}
        if all(value in ("Ann", "a note") for value in slots.values()):
            assert wrap_nested(chain, bare(found.typed)).text == text


def test_what_an_outer_transform_has_taken_from_an_inner_frame_is_not_guessed() -> None:
    inner = envelope("{text} ")
    assert unwrap_nested([TRIMMED, inner], wrap_nested([TRIMMED, inner], bare("yes")).text) is None
    found = unwrap_nested([TRIMMED, TAG], wrap_nested([TRIMMED, TAG], bare(" yes ")).text)
    assert found is not None
    assert (found.typed, found.lossy) == (" yes ", True)


def test_a_long_hostile_turn_does_not_hang() -> None:
    chain = [QUOTE, QUOTE, QUOTE, TAG]
    for text in ("> \n\n" * 50_000, ">" * 200_000, "> a\n\n> > b\n\n" * 20_000):
        start = process_time()
        unwrap_nested(chain, text)
        assert process_time() - start < 10
