"""Sets of words, written as one text."""

from __future__ import annotations

__all__ = ["word_set"]


def word_set(text: str) -> frozenset[str]:
    """The words between the white space."""
    return frozenset(text.split())
