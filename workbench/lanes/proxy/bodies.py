"""A body as a recording shows it: unpacked, without its secrets, and as text where it is text."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from workbench.core.mask import Masker
from workbench.lanes.proxy.head import Head

__all__ = ["Shown", "Unmasked", "masked_text", "shown", "unpacked"]

_MOST_UNPACKED = 256 * 1024 * 1024
"""Bytes; a body that would unpack to more is kept packed."""
_REMEMBERED_TEXT = 256 * 1024
"""Characters; a masker remembers the texts it has seen, which longer ones are not worth."""
_PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class Unmasked:
    """A body after its Content-Encoding. `packed`: how it came over the wire, None as it is.
    `unpacked` is False where it could not be undone, so that `data` is what came.
    """

    data: bytes
    packed: str | None = None
    unpacked: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """`encoding` is "base64" where the body is no UTF-8, else None. `masked`: a secret stood in it."""

    text: str
    encoding: str | None
    masked: bool


def unpacked(data: bytes, head: Head | None) -> Unmasked:
    """Undoes Content-Encoding, and the codings below chunked. What broke off is undone as far as it goes."""
    if head is None:
        return Unmasked(data)
    chain = [coding for coding in head.tokens(b"content-encoding") if coding != b"identity"]
    chain += [c for c in head.tokens(b"transfer-encoding") if c not in (b"chunked", b"identity")]
    if not chain or not data:
        return Unmasked(data)
    packed = ", ".join(coding.decode("latin-1") for coding in chain)
    found = data
    for coding in reversed(chain):
        undo = _CODINGS.get(coding)
        undone = undo(found) if undo is not None else None
        if undone is None:
            return Unmasked(data, packed)
        found = undone
    return Unmasked(found, packed, unpacked=True)


def masked_text(text: str, masker: Masker, secrets: tuple[str, ...]) -> str:
    """A text of any length without its secrets."""
    return (masker if len(text) <= _REMEMBERED_TEXT else Masker(secrets)).text(text)


def shown(body: bytes, masker: Masker, secrets: tuple[str, ...]) -> Shown:
    """A body without its secrets. Those in bytes that are no text are masked too: keys are ASCII."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        raw = body.decode("latin-1")
        hidden = masked_text(raw, masker, secrets)
        return Shown(base64.b64encode(hidden.encode("latin-1")).decode("ascii"), "base64", hidden != raw)
    hidden = masked_text(text, masker, secrets)
    return Shown(hidden, None, hidden != text)


def _gzip(data: bytes) -> bytes | None:
    return _inflated(data, 16 + zlib.MAX_WBITS)


def _deflate(data: bytes) -> bytes | None:
    """With its header, as it should be, or without, as some send it."""
    found = _inflated(data, zlib.MAX_WBITS)
    return found if found is not None else _inflated(data, -zlib.MAX_WBITS)


def _inflated(data: bytes, window: int) -> bytes | None:
    pieces: list[bytes] = []
    size = 0
    rest = data
    while rest:  # gzip may be several members, one after the other
        machine = zlib.decompressobj(window)
        try:
            while rest and not machine.eof:
                piece = machine.decompress(rest, _PIECE)
                rest = machine.unconsumed_tail
                pieces.append(piece)
                size += len(piece)
                if size > _MOST_UNPACKED:
                    return None
        except zlib.error:
            return b"".join(pieces) or None
        if not machine.eof:
            pieces.append(machine.flush())
            break
        rest = machine.unused_data.lstrip(b"\0")
    return b"".join(pieces)


def _brotli(data: bytes) -> bytes | None:
    try:
        brotli = import_module("brotli")
    except ImportError:
        return None
    try:
        found: bytes = brotli.Decompressor().process(data)
    except brotli.error:
        return None
    return found


def _zstd(data: bytes) -> bytes | None:
    try:
        zstandard = import_module("zstandard")
    except ImportError:
        return None
    try:
        found: bytes = zstandard.ZstdDecompressor().decompressobj().decompress(data)
    except zstandard.ZstdError:
        return None
    return found


_CODINGS: dict[bytes, Callable[[bytes], bytes | None]] = {
    b"gzip": _gzip,
    b"x-gzip": _gzip,
    b"deflate": _deflate,
    b"br": _brotli,
    b"zstd": _zstd,
}
