"""Receipts are told from requests, and each goes to the request that it is of."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.capture.turns import Place
from workbench.lanes.lane import Unit
from workbench.lanes.ledger.call import digest_of
from workbench.lanes.ledger.joining import Join, Known, join
from workbench.lanes.ledger.receipt import NotAReceipt, Receipt, is_receipt, read_receipt

CHAT: dict[str, Any] = {
    "model": "m",
    "messages": [{"role": "system", "content": "be brief"}, {"role": "user", "content": "hi"}],
}
PLACE = Place("x", 1)


def receipt(**more: Any) -> Receipt:
    return read_receipt({"lanes": [{"name": "a", "chars": 1}], **more}, PLACE)


def known(*ids: str, body: Any = None, turn: str | None = None) -> Known:
    return Known(ids, (digest_of(body),), turn, False)


def test_receipts_are_told_from_requests() -> None:
    assert is_receipt({"turn": 1, "request": "r", "lanes": []})
    assert not is_receipt({"request": CHAT, "lanes": []})
    assert not is_receipt({**CHAT, "lanes": []})
    found = receipt(turn=3, request="r", unit="bytes")
    assert (found.turn, found.request, found.unit, found.sizes()) == ("3", "r", Unit.BYTES, {"a": 1})


@pytest.mark.parametrize(
    "value",
    [
        {"lanes": [{"chars": 1}]},
        {"lanes": [{"name": "a"}]},
        {"lanes": [{"name": "a", "chars": 1, "start": -1}]},
        {"lanes": [{"name": "a", "chars": True}]},
        {"lanes": [{"name": "a", "chars": 1, "start": "0"}]},
        {"lanes": "a"},
        {"lanes": [], "unit": "words"},
    ],
)
def test_a_receipt_that_says_nothing_sound_is_refused(value: Any) -> None:
    with pytest.raises(NotAReceipt):
        read_receipt(value, PLACE)


def test_a_size_below_nothing_counts_as_nothing_and_is_kept() -> None:
    (entry,) = read_receipt({"lanes": [{"name": "a", "chars": -1}]}, PLACE).entries
    assert (entry.size, entry.below) == (0, -1)


def test_joined_by_request_then_turn_and_the_rest_is_told() -> None:
    requests = [known("r-1", turn="t"), known(body=CHAT), known(turn="t2"), known(turn="t2"), known()]
    receipts = [
        receipt(turn="t2"),
        receipt(request="r-1", turn="t2"),
        receipt(request=digest_of(CHAT)[:16]),
        receipt(turn="t2"),
        receipt(request="elsewhere"),
    ]
    joined = join(requests, receipts)
    assert [found and found[1] for found in joined.found] == [
        Join.REQUEST,
        Join.REQUEST,
        Join.TURN,
        Join.TURN,
        None,
    ]
    assert joined.found[0] is not None and joined.found[0][0] is receipts[1]
    assert list(joined.alone) == [receipts[4]]


def test_by_order_only_where_nothing_else_joins_and_counts_are_equal() -> None:
    two = [receipt(), receipt(turn="q")]
    joined = join([known(), known("x")], two)
    assert [found and found[1] for found in joined.found] == [Join.ORDER, Join.ORDER]
    joined = join([known(), known(), known()], two)
    assert list(joined.found) == [None, None, None]
    assert list(joined.alone) == two
    joined = join([known(turn="q"), known()], [*two])
    assert joined.found[1] is None, "where turns are known, one that fits none is no matter of order"


def test_a_request_that_was_sent_again_has_the_same_receipt() -> None:
    one = receipt(request="r")
    joined = join([known("r"), known("r")], [one])
    assert [found and found[0] for found in joined.found] == [one, one]
