"""How many tokens a prompt must come to at least, whatever the tokenizer."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["fewest_tokens", "likely_tokens"]

_WORD = re.compile(r"\S+")
_RUN = re.compile(r"(\s)\1{3,}")
_LONGEST = 16
"""Characters of the longest tokens that ordinary text has; runs of blanks apart."""

_USUAL = 4


@lru_cache(maxsize=2)  # one request is asked about more than once
def fewest_tokens(text: str) -> int:
    """No tokenizer in use joins two words, or puts more than a few characters into one token."""
    words = sum(1 for _ in _WORD.finditer(text))
    shorter = _RUN.sub(r"\1", text) if "   " in text or "\n\n\n" in text else text
    return max(words, len(shorter) // _LONGEST)


def likely_tokens(chars: int) -> int:
    """About what English prose comes to."""
    return chars // _USUAL
