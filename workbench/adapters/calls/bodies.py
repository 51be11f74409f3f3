"""A body as the bytes that are sent."""

from __future__ import annotations

import json

from workbench.core.decision import Json

__all__ = ["as_bytes"]

_PLAIN = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_ESCAPED = json.JSONEncoder(separators=(",", ":"))


def as_bytes(body: Json) -> bytes:
    """JSON in UTF-8; lone surrogates, which UTF-8 cannot hold, are escaped, and so reach the other side."""
    try:
        return _PLAIN.encode(body).encode("utf-8")
    except UnicodeEncodeError:
        return _ESCAPED.encode(body).encode("ascii")
