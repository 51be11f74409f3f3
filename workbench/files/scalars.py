"""Words as values: the rules by which YAML 1.2 (core schema) types plain text."""

from __future__ import annotations

import math
import re

__all__ = ["as_boolean", "as_integer", "as_number", "is_null"]

_INTEGER = re.compile(r"[-+]?[0-9]{1,300}")
_BASED = re.compile(r"0o[0-7]{1,300}|0x[0-9a-fA-F]{1,300}")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_BOOLEANS = {word: word[0] in "tT" for word in ("true", "True", "TRUE", "false", "False", "FALSE")}


def is_null(word: str) -> bool:
    """Whether plain text means null; an empty value does."""
    return word in ("", "~", "null", "Null", "NULL")


def as_boolean(word: str) -> bool | None:
    """True or false; None for anything else, so also for yes, no, on and off."""
    return _BOOLEANS.get(word)


def as_integer(word: str) -> int | None:
    """A whole number: decimal, 0o octal or 0x hexadecimal; None for anything else."""
    if _INTEGER.fullmatch(word):
        return int(word)
    return int(word, 0) if _BASED.fullmatch(word) else None


def as_number(word: str) -> int | float | None:
    """A finite number; None for anything else, so also for .inf and .nan, which JSON lacks."""
    whole = as_integer(word)
    if whole is not None or not _FLOAT.fullmatch(word):
        return whole
    number = float(word)
    return number if math.isfinite(number) else None
