"""A classifier's answer: one of its routes, spelled exactly."""

from __future__ import annotations

import json

import pytest
from wire_kit import FORMATS, PLAIN, STREAM, calls_of, flags_in, read, streamed, texts

from workbench.core.decision import Outcome, ToolCall
from workbench.core.trial import Status
from workbench.wire.codec import Reply

ROUTES = ("billing", "Support", "none", "hold", "Nothing", "pass")


def answered(name: str, text: str, streaming: bool = False) -> Reply:
    body = texts(name, text, streaming)
    return streamed(name, body, routes=ROUTES) if streaming else read(name, body, routes=ROUTES)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize(
    ("route", "outcome"),
    [
        ("billing", Outcome.FIRE),
        ("Support", Outcome.FIRE),
        ("none", Outcome.PASS),
        ("Nothing", Outcome.PASS),
        ("pass", Outcome.PASS),
        ("hold", Outcome.HOLD),
    ],
)
def test_the_route_is_the_decision(name: str, streaming: bool, route: str, outcome: Outcome) -> None:
    text = json.dumps({"route": route})
    decision = answered(name, text, streaming).decision
    assert decision is not None
    assert decision.outcome is outcome
    assert decision.calls == ((ToolCall(route),) if outcome is Outcome.FIRE else ())
    assert decision.raw == text


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("billing", "the answer cannot be read: no JSON"),
        ("", "nothing but blanks"),
        ('"billing"', 'expected {"route": …}'),
        ('{"answer": "billing"}', 'expected {"route": …}'),
        ('{"route": "Billing"}', "Billing is none of the routes"),
        ('{"route": null}', "null is none of the routes"),
        ('{"route": ["billing"]}', "none of the routes"),
        ('```json\n{"route": "billing"}\n```', "no JSON"),
        ('{"route": "billing"} or {"route": "Support"}', "trailing characters after JSON"),
        ('{"route": "billing", "route": "Support"}', "stands twice"),
    ],
)
def test_all_else_is_malformed(name: str, text: str, words: str) -> None:
    reply = answered(name, text)
    assert reply.status is Status.MALFORMED
    assert reply.error is not None and words in reply.error
    assert reply.raw == text and not reply.again


@pytest.mark.parametrize("name", FORMATS)
def test_a_call_is_no_route(name: str) -> None:
    for reply in (read(name, PLAIN[name], routes=ROUTES), streamed(name, STREAM[name], routes=ROUTES)):
        assert (reply.status, reply.error) == (Status.MALFORMED, "a call came where a route was asked for")


def test_other_keys_are_told() -> None:
    reply = answered("ollama", '{"why": "money", "route": "billing"}')
    assert calls_of(reply) == [("billing", None, None)]
    assert flags_in(reply) == ("the answer has another key: why",)
