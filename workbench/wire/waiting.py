"""How long a server asks to wait before the same call is made again."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Any

__all__ = ["header", "wait_of"]

_SECONDS = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*")
_DELAY = re.compile(r"([0-9]+(?:\.[0-9]+)?)s")


def header(headers: Mapping[str, str], name: str) -> str | None:
    """A header's value; names are the same in any case."""
    return next((value for key, value in headers.items() if key.lower() == name), None)


def wait_of(headers: Mapping[str, str], error: Any = None) -> float | None:
    """Seconds to wait, from the headers, else from what the body's error says; None: not said."""
    milliseconds = _SECONDS.fullmatch(header(headers, "retry-after-ms") or "")
    if milliseconds:
        return _usable(float(milliseconds[1]) / 1000)
    after = header(headers, "retry-after")
    if after is None:
        return _told_in(error)
    seconds = _SECONDS.fullmatch(after)
    return _usable(float(seconds[1])) if seconds else _until(after, header(headers, "date"))


def _until(when: str, now: str | None) -> float | None:
    """Seconds from `now`, by the server's clock where it tells it, to an HTTP date; 0 if it has passed."""
    then = _moment(when)
    if then is None:
        return None
    start = _moment(now) if now else None
    return max(0.0, then - (time.time() if start is None else start))


def _moment(date: str) -> float | None:
    try:
        moment = parsedate_to_datetime(date)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    try:
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (OverflowError, ValueError, OSError):
        return None


def _told_in(error: Any) -> float | None:
    """Google's APIs say it in the error's details, as `retryDelay: 34s`."""
    details = error.get("details") if isinstance(error, dict) else None
    for detail in details if isinstance(details, list) else []:
        delay = detail.get("retryDelay") if isinstance(detail, dict) else None
        found = _DELAY.fullmatch(delay) if isinstance(delay, str) else None
        if found:
            return _usable(float(found[1]))
    return None


def _usable(seconds: float) -> float | None:
    return seconds if math.isfinite(seconds) else None
