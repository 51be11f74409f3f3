"""One request of a model as a capture shows it, with its answer and all that it may be known by."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from workbench.capture.turns import Place, Unit
from workbench.lanes.ledger.answer import Answer
from workbench.lanes.ledger.receipt import Receipt

__all__ = ["Call", "Passed", "digest_of", "line_of"]


@dataclass(frozen=True, slots=True)
class Passed:
    """A record that holds no request of a model, and is none of the ledger's business."""

    place: Place


@dataclass(frozen=True, slots=True)
class Call:
    """All strings are foreign. `ids` are what a receipt may call the request, the surest first.

    `digests` are those of the body before secrets in it were masked, of its bytes and of its JSON, where
    the capture has them. `provider` names the format where the capture tells it, else it is empty until the
    body is read; `path` is that of the URL. `rebuilt`: the capture holds the messages
    and not the body, so that what stands between them is not known. `receipt`: it stood beside it.
    """

    place: Place
    body: Mapping[str, Any]
    provider: str
    ids: tuple[str, ...] = ()
    turn: str | None = None
    conversation: str | None = None
    host: str | None = None
    path: str | None = None
    model: str | None = None
    digests: tuple[str, ...] = ()
    answer: Answer | None = None
    receipt: Receipt | None = None
    rebuilt: bool = False

    @property
    def route(self) -> str:
        """What requests are grouped by: the path, or the format where no path is known."""
        return self.path or self.provider


def line_of(place: Place) -> int | None:
    """The line of a place in a text file; None of a row or a record."""
    return place.number if place.unit is Unit.LINE else None


def digest_of(body: Any) -> str:
    """The same hex digits for the same JSON, however it is spelled."""
    spelled = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return sha256(spelled.encode("ascii")).hexdigest()
