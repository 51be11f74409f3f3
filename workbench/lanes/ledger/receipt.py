"""Receipts: what an app says that it wrote into one request, lane by lane."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.capture.readers.fields import number, plain, text
from workbench.capture.turns import Place
from workbench.lanes.lane import Unit

__all__ = ["Entry", "NotAReceipt", "Receipt", "is_receipt", "read_receipt"]

_IDS = ("request", "request_id")
_TURNS = ("turn", "turn_id")
_COUNTS = ("chars", "bytes", "tokens", "count")


class NotAReceipt(ValueError):
    """What is wrong with a receipt, in our own words."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One lane of a receipt. `size` and `start` count the receipt's unit; None: not said.

    `estimate` is what the writer itself thought its text would come to, in the same unit; `missing` is how
    much of `size` the app itself saw to be not in the body. `below` is a size below 0 as it was told, which
    counts as none: an app that subtracts what it cut may come to one.
    """

    name: str
    size: int | None = None
    start: int | None = None
    text: str | None = None
    estimate: int | None = None
    priority: int | None = None
    missing: int = 0
    below: int = 0


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was written into one request. A lane may stand in it more than once. All text is foreign.

    `sent` is how much text the app saw in the body, in the same unit; None: not said. `unmeasured` says why
    the app could not hold its claims against the body, where it could not.
    """

    place: Place
    entries: tuple[Entry, ...]
    unit: Unit = Unit.CHARS
    request: str | None = None
    turn: str | None = None
    sent: int | None = None
    unmeasured: str | None = None

    def sizes(self) -> dict[str, int]:
        """What each lane says that it wrote, in the receipt's unit, in the order of the receipt."""
        found: dict[str, int] = {}
        for entry in self.entries:
            size = entry.size
            if entry.text is not None and size is None:
                size = len(
                    entry.text.encode("utf-8", "surrogatepass") if self.unit is Unit.BYTES else entry.text
                )
            found[entry.name] = found.get(entry.name, 0) + (size or 0)
        return found


def is_receipt(value: Any) -> bool:
    """Whether a record is one: it has lanes and, beside them, at most the id of a request."""
    if not isinstance(value, dict) or not isinstance(value.get("lanes"), list | dict):
        return False
    return not any(isinstance(value.get(key), dict | list) for key in (*_IDS, "body", "messages", "log"))


def read_receipt(value: Mapping[str, Any], place: Place) -> Receipt:
    """The receipt in a record. Raises NotAReceipt with what is wrong."""
    unit = _unit(value.get("unit"))
    lanes = value.get("lanes")
    if isinstance(lanes, dict):
        lanes = [{"name": name, "chars": size} for name, size in lanes.items()]
    if not isinstance(lanes, list):
        raise NotAReceipt("lanes is no list")
    entries = tuple(_entry(lane, at) for at, lane in enumerate(lanes, 1))
    sent = number(value.get("sent"))
    why = text(value.get("unmeasured"))
    return Receipt(place, entries, unit, _first(value, _IDS), _first(value, _TURNS), sent, why)


def _first(value: Mapping[str, Any], keys: Iterable[str]) -> str | None:
    return next((found for key in keys if (found := plain(value.get(key)))), None)


def _unit(value: Any) -> Unit:
    if value is None:
        return Unit.CHARS
    try:
        return Unit(value)
    except ValueError:
        raise NotAReceipt(f"unit is {value!r}; expected chars, bytes or tokens") from None


def _entry(lane: Any, at: int) -> Entry:
    name = lane.get("name", lane.get("lane")) if isinstance(lane, dict) else None
    if not isinstance(name, str) or not name:
        raise NotAReceipt(f"lane {at} has no name")
    words = lane.get("text")
    if words is not None and not isinstance(words, str):
        raise NotAReceipt(f"lane {name!r}: text is no text")
    size = next((lane[key] for key in _COUNTS if lane.get(key) is not None), None)
    below = size if isinstance(size, int) and size < 0 else 0
    counted = _whole(0 if below else size, f"lane {name!r}: its size")
    if counted is None and words is None:
        raise NotAReceipt(f"lane {name!r} has neither chars nor text")
    return Entry(
        name,
        counted,
        _whole(lane.get("start"), f"lane {name!r}: start"),
        words,
        _whole(lane.get("estimate", lane.get("estimated")), f"lane {name!r}: estimate"),
        _whole(lane.get("priority"), f"lane {name!r}: priority"),
        _whole(lane.get("missing"), f"lane {name!r}: missing") or 0,
        below,
    )


def _whole(value: Any, what: str) -> int | None:
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise NotAReceipt(f"{what} is {value!r}; expected a whole number of at least 0")
    return value
