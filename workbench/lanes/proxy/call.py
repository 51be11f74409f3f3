"""One call while it passes: what it is, when what came, and its bodies until they are on the spool."""

from __future__ import annotations

import time
from typing import Any

from workbench.lanes.proxy.spool import Extents, Reel

__all__ = ["Call"]

_HELD = 64 * 1024
"""Bytes of a body that are kept in memory."""
_PIECES = 2000


class _Body:
    """The first part is on the reel, the rest is held."""

    def __init__(self) -> None:
        self.extents: Extents = []
        self.held: list[bytes] = []
        self.size = 0
        self._held_size = 0

    def add(self, data: bytes, reel: Reel) -> None:
        self.held.append(data)
        self.size += len(data)
        self._held_size += len(data)
        if self._held_size > _HELD:
            self.extents.append(reel.blob(self.held))
            self.held = []
            self._held_size = 0


class Call:
    """All times are milliseconds since it began; None: not yet, or never. It never raises for a full disk:
    `lost` says why it is not kept.
    """

    def __init__(self, name: str, method: bytes, target: bytes, head: bytes, reel: Reel) -> None:
        self.id = name
        self.method = method
        self.target = target
        self.head = head
        self.answer: bytes | None = None
        self.lost: str | None = None
        self.by: str | None = None
        self.started = time.time()
        self.connect_ms: float | None = None
        self.sent_ms: float | None = None
        self.first_ms: float | None = None
        self._began = time.perf_counter()
        self._reel = reel
        self._request = _Body()
        self._answer = _Body()
        self._pieces: list[tuple[float, int]] = []

    def elapsed(self) -> float:
        return (time.perf_counter() - self._began) * 1000

    def sent(self, data: bytes) -> None:
        """A piece of the request's payload has passed."""
        if self.lost is None:
            try:
                self._request.add(data, self._reel)
            except OSError as error:
                self.lost = error.strerror or str(error)

    def came(self, data: bytes) -> None:
        """A piece of the answer's payload has passed."""
        if len(self._pieces) < _PIECES:
            self._pieces.append((round(self.elapsed(), 2), len(data)))
        if self.lost is None:
            try:
                self._answer.add(data, self._reel)
            except OSError as error:
                self.lost = error.strerror or str(error)

    def end(self, error: str | None) -> None:
        """Puts it on the spool as it is: complete where there is no `error`."""
        self._reel.open_calls -= 1
        if self.lost is not None:
            return
        told: dict[str, Any] = {
            "id": self.id,
            "started": self.started,
            "ms": self.elapsed(),
            "connect_ms": self.connect_ms,
            "sent_ms": self.sent_ms,
            "first_ms": self.first_ms,
            "method": self.method.decode("latin-1"),
            "target": self.target.decode("latin-1"),
            "head": self.head.decode("latin-1"),
            "answer": self.answer.decode("latin-1") if self.answer is not None else None,
            "sent": self._request.extents,
            "came": self._answer.extents,
            "complete": error is None,
            "error": error,
            "by": self.by,
            "pieces": self._pieces,
        }
        try:
            self._reel.ended(told, self._request.held, self._answer.held)
        except OSError as fault:
            self.lost = fault.strerror or str(fault)
