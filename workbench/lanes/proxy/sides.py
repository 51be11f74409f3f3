"""Where bytes come in: the two ends of a passage, as the event loop calls them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.lanes.proxy.passage import Passage

__all__ = ["AppSide", "UpstreamSide"]


class AppSide(asyncio.Protocol):
    """Where the app's bytes come in."""

    def __init__(self, passage: Passage) -> None:
        self._passage = passage

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._passage.opened(transport)

    def data_received(self, data: bytes) -> None:
        self._passage.asked(data)

    def eof_received(self) -> None:
        self._passage.app_left()

    def connection_lost(self, exc: Exception | None) -> None:
        self._passage.app_left()
        self._passage.gone()

    def pause_writing(self) -> None:
        self._passage.upstream_gate.hold("a slow app")

    def resume_writing(self) -> None:
        self._passage.upstream_gate.release("a slow app")


class UpstreamSide(asyncio.Protocol):
    """Where the upstream's bytes come in."""

    def __init__(self, passage: Passage) -> None:
        self._passage = passage

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._passage.connected(transport)

    def data_received(self, data: bytes) -> None:
        self._passage.answered(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._passage.upstream_left(exc)

    def pause_writing(self) -> None:
        self._passage.app_gate.hold("a slow upstream")

    def resume_writing(self) -> None:
        self._passage.app_gate.release("a slow upstream")
