"""Whether a note calls its lane dead or unreachable."""

from __future__ import annotations

import re

from workbench.lanes.check.prose import Said

__all__ = ["called_unreachable"]

_WORD = re.compile(
    r"\b(?P<word>unreachable|unreached|dead(?!-?\s?(?:letter|line|lock|link|weight|end))(?: code)?"
    r"|never (?:called|reached|runs?|written)|no callers?|nothing calls (?:it|this)|has no producer)\b",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:not|never|no longer|neither|nor|was|were|isn't|wasn't|formerly|once|half|instead of|than)"
    r"\s+(?:\w+\s+)?\Z",
    re.IGNORECASE,
)
# The word is about another thing, or about what might come.
_OTHER = re.compile(
    r"\b(?:if|when|while|where|unless|whenever|in case|drops?|skips?|removes?|until|lest)\b", re.IGNORECASE
)
# What else may be dead in lower case: a quiet word has to say it of the lane.
_OF_THIS = re.compile(
    r"\b(?:lane|it|this|emitter|writer|producer|injector|caller|code|path|branch)\b[\w' ]*\Z", re.IGNORECASE
)


def called_unreachable(said: Said) -> tuple[str, int] | None:
    """The word by which a comment, or an injector, calls the lane so, with its line; None where none does."""
    if said.key == "evicts" and not said.comment:
        return None
    for clause in said.clauses():
        for match in _WORD.finditer(clause.text):
            front = clause.text[: match.start()]
            if _DENIED.search(front) or _OTHER.search(front):
                continue
            word = match["word"]
            loud = word.isupper() or not front.strip()
            if (
                loud
                or _OF_THIS.search(front)
                or not word.lower().startswith("dead")
                or word.lower() == "dead code"
            ):
                return word, clause.line
    return None
