"""Every stored type, through JSON and back."""

from __future__ import annotations

from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store_values import HOSTILE, decisions, deliveries, json_values, texts

from workbench.core.cell import Delivery
from workbench.core.decision import Decision, Outcome, Score, ToolCall, Window, WindowSource
from workbench.core.trial import Trial
from workbench.core.turn import Attachment, Turn
from workbench.store.codec import UnstorableError, decode, dumps, encode, loads


class Shelf:
    """Texts by number, as the database keeps them."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def put(self, text: str) -> int:
        self.texts.append(text)
        return len(self.texts) - 1

    def get(self, number: int) -> str:
        return self.texts[number]


def through(value: Any) -> Any:
    shelf = Shelf()
    return decode(type(value), loads(dumps(encode(value, shelf.put))), shelf.get)


@given(deliveries)
def test_a_delivery_comes_back_equal(delivery: Delivery) -> None:
    assert through(delivery) == delivery


@given(decisions)
def test_a_decision_comes_back_equal(decision: Decision) -> None:
    back = through(decision)
    assert back == decision
    assert back.raw == decision.raw  # not compared by ==


@given(json_values)
def test_json_keeps_its_types(value: Any) -> None:
    assert repr(loads(dumps(value))) == repr(value)


@given(st.lists(texts))
def test_lone_surrogates_do_not_melt_into_a_pair(several: list[str]) -> None:
    assert loads(dumps(several)) == several


def test_not_reported_and_reported_empty_stay_apart() -> None:
    nothing, empty = Decision(Outcome.PASS), Decision(Outcome.PASS, windows=(), scores=(), matches=())
    assert through(nothing).windows is None
    assert through(empty).windows == ()
    assert through(empty).scores == ()


def test_a_long_text_is_put_aside_once_and_a_short_one_is_not() -> None:
    shelf = Shelf()
    document = "words " * 1000
    turn = Turn("short", "", (), attachments=(Attachment("a.txt", "/a.txt", document),))
    made = dumps(encode(turn, shelf.put))
    assert shelf.texts == [document]
    assert len(made) < 200


def test_a_number_in_arguments_is_not_taken_for_a_text() -> None:
    call = ToolCall("tool", {"id": 3, "long": "x" * 5000})
    assert through(call) == call


def test_what_a_later_version_adds_is_passed_over() -> None:
    assert decode(Score, {"route": "a", "value": 1.0, "rank": 3}, Shelf().get) == Score("a", 1.0)


def test_what_an_earlier_version_lacked_takes_its_default() -> None:
    assert decode(Score, {"route": "a", "value": 1.0}, Shelf().get).threshold is None


def test_a_read_only_mapping_is_a_mapping() -> None:
    call = ToolCall("tool", MappingProxyType({"a": (1, 2)}))
    assert through(call).arguments == {"a": [1, 2]}


@dataclass
class Odd:
    """Something that is no JSON."""


def cycle() -> list[Any]:
    made: list[Any] = []
    made.append(made)
    return made


def deep(levels: int = 100_000) -> list[Any]:
    made: list[Any] = []
    for _ in range(levels):
        made = [made]
    return made


@pytest.mark.parametrize("arguments", [Odd(), {"a": Odd()}, {(1, 2): 3}, b"bytes", cycle(), deep()])
def test_what_is_no_json_cannot_be_stored(arguments: Any) -> None:
    with pytest.raises(UnstorableError):
        dumps(encode(ToolCall("tool", arguments), Shelf().put))


@pytest.mark.parametrize(
    "broken",
    [
        Decision("fire"),  # type: ignore[arg-type]
        Decision(Outcome.FIRE, ("tool",)),  # type: ignore[arg-type]
        Decision(Outcome.FIRE, windows=(Window(b"x", WindowSource.REPORTED),)),  # type: ignore[arg-type]
        Decision(Outcome.FIRE, flags=7),  # type: ignore[arg-type]
    ],
)
def test_an_answer_that_breaks_its_types_cannot_be_stored(broken: Decision) -> None:
    with pytest.raises(UnstorableError):
        encode(broken, Shelf().put)


def test_every_field_of_a_trial_has_a_column() -> None:
    """A field added to Trial needs a column: this fails until it has one."""
    assert [field.name for field in fields(Trial)] == [
        "index", "status", "decision", "error", "raw", "log", "seconds", "seed", "exchange",
    ]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_survives(text: str) -> None:
    assert through(Decision(Outcome.PASS, note=text)).note == text
