"""A service's answer whose JSON can be read in two ways."""

from __future__ import annotations

from workbench.adapters.calls.picking import Picked, picking_of
from workbench.adapters.calls.session import Received
from workbench.core.trial import Status


def test_a_key_that_stands_twice_is_not_chosen_from() -> None:
    picking, problems = picking_of({"outcome": "a"}, {})
    assert not problems
    reply = Picked(picking, "turn").whole(Received(200, {}, b'{"a": "fire", "a": "pass"}'))
    assert reply.status is Status.MALFORMED
    assert reply.error == 'the answer cannot be read: the key "a" stands twice'
