"""What may be the name of a lane: what the guard can see of one in code."""

from __future__ import annotations

import re

__all__ = ["LONGEST", "NAME_RULE", "is_name", "is_plain_name"]

LONGEST = 100
NAME_RULE = "a letter, then letters, digits, _ - . : or /, at most 100"

_NAME = re.compile(r"[^\W\d_][\w.:/-]*\Z")
_PLAIN = re.compile(r"[a-z][a-z0-9_]*(?:[.:/-][a-z0-9_]+)*\Z")


def is_name(text: str) -> bool:
    """Whether code that says this of a lane can only mean its name."""
    return len(text) <= LONGEST and _NAME.match(text) is not None


def is_plain_name(text: str) -> bool:
    """Whether it looks like a name where it could be some other text as well."""
    return len(text) <= LONGEST and _PLAIN.match(text) is not None
