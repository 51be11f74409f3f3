"""Reads a model's answers in its wire format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from workbench.adapters.calls.session import Received
from workbench.wire.codec import Codec, Reply, StreamReader

__all__ = ["Modelled"]


@dataclass(frozen=True, slots=True)
class Modelled:
    """`streams`: what was asked for is a stream. `routes` are those of a classifier."""

    codec: Codec
    streams: bool
    routes: tuple[str, ...] = ()

    def reader(self, http: int, headers: Mapping[str, str]) -> StreamReader | None:
        """A stream's reader, where one was asked for."""
        return self.codec.stream(http, headers, self.routes) if self.streams else None

    def whole(self, received: Received) -> Reply:
        """A body that came at once."""
        return self.codec.read(received.http, received.headers, received.body, self.routes)
