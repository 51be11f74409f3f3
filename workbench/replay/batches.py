"""What comes in during one turn of the event loop, handled together: one commit for many trials."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

__all__ = ["Batches"]

T = TypeVar("T")


class Batches(Generic[T]):
    """Hands what was put since the last turn to `handle`, in the order in which it came."""

    def __init__(self, handle: Callable[[Sequence[T]], None]) -> None:
        self._handle = handle
        self._waiting: list[T] = []
        self._handled: asyncio.Future[None] | None = None

    async def put(self, item: T) -> None:
        """Returns when the item was handled. Raises what handling its batch raised."""
        if self._handled is None:
            loop = asyncio.get_running_loop()
            self._handled = loop.create_future()
            loop.call_soon(self._turn)
        self._waiting.append(item)
        await asyncio.shield(self._handled)  # one who leaves takes nobody with them

    def flush(self) -> None:
        """Handle what is there now. Raises what handling it raises."""
        items, self._waiting = self._waiting, []
        if items:
            self._handle(items)

    def _turn(self) -> None:
        handled, self._handled = self._handled, None
        assert handled is not None
        try:
            self.flush()
        except Exception as error:
            handled.set_exception(error)
        else:
            handled.set_result(None)
