"""Bytes from a guest's pipes: whole lines, however long, and the last part of what it printed."""

from __future__ import annotations

from collections import deque

__all__ = ["LINE_CAP", "LOG_KEPT", "RAW_KEPT", "Lines", "Tail", "cut"]

LINE_CAP = 256 * 1024 * 1024
"""Bytes that a line may have before its end is no longer waited for."""

LOG_KEPT = 64 * 1024
"""Characters of log kept per trial: the last ones."""

RAW_KEPT = 64 * 1024
"""Characters kept of an answer that could not be read: the first ones."""

# Kept beyond LOG_KEPT, so that a secret at the cut is still whole when it is masked.
_MARGIN = 8 * 1024


class Lines:
    """Cuts chunks into lines. An unfinished line is joined once, when its end has come."""

    def __init__(self, cap: int = LINE_CAP) -> None:
        self._cap = cap
        self._parts: list[bytes] = []
        self._size = 0
        self.overlong: bytes | None = None
        """The start of a line that went past the cap; nothing after it is read."""

    def feed(self, chunk: bytes) -> list[bytes]:
        """The lines that `chunk` ends, without their line feeds."""
        if self.overlong is not None:
            return []
        first, *rest = chunk.split(b"\n")
        self._keep(first)
        if not rest:
            return []
        lines = [b"".join(self._parts), *rest[:-1]]
        self._parts, self._size = [], 0
        self._keep(rest[-1])
        return lines

    def take_unfinished(self) -> bytes:
        """The line that has no end yet; afterwards there is none."""
        unfinished = b"".join(self._parts)
        self._parts, self._size = [], 0
        return unfinished

    def _keep(self, part: bytes) -> None:
        if part:
            self._parts.append(part)
            self._size += len(part)
        if self._size > self._cap:
            self.overlong = b"".join(self._parts)[: RAW_KEPT * 4]
            self._parts, self._size = [], 0


class Tail:
    """The last bytes of a log."""

    def __init__(self) -> None:
        self._chunks: deque[bytes] = deque()
        self._size = 0
        self._cut = False

    def add(self, chunk: bytes) -> None:
        limit = LOG_KEPT + _MARGIN
        if len(chunk) > limit:
            chunk, self._cut = chunk[-limit:], True
        self._chunks.append(chunk)
        self._size += len(chunk)
        while self._size - len(self._chunks[0]) >= limit:
            self._size -= len(self._chunks.popleft())
            self._cut = True

    def take(self) -> str:
        """What was kept since the last time; bytes that are not UTF-8 as backslash escapes."""
        text = b"".join(self._chunks).decode("utf-8", "backslashreplace")
        if self._cut:
            text = "[the beginning is left out]\n" + text
        self._chunks.clear()
        self._size, self._cut = 0, False
        return text


def cut(text: str) -> str:
    """The first characters of an answer that could not be read, and how many there were in all."""
    if len(text) <= RAW_KEPT:
        return text
    return f"{text[:RAW_KEPT]}[cut: {len(text)} characters in all]"
