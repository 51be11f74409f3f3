"""Whether the text of a statement stands between marks that a model can see."""

from __future__ import annotations

import re

__all__ = ["fence_of"]

_TAG = re.compile(r"<([A-Za-z][\w.:-]*)(?:\s[^<>\n]*)?>")
_BACKTICKS = re.compile(r"(?<!`)`{3,}(?!`)|~{3,}|(?:\\`){3}")
_RULE = re.compile(
    r"(?:\\n|\n|['\"`])\s*(-{3,}|={3,}|#{3,}(?=\s*(?:\\n|\n|['\"`]))|\*{3,})\s*(?=\\n|\n|['\"`]|\Z)"
)
_BRACKETS = re.compile(r"\[(?:BEGIN|START)[ _]([A-Z][\w ]*)\]|(?:BEGIN|START)[ _](?:OF[ _])?([A-Z][A-Z_ ]+)")


def fence_of(source: str) -> str | None:
    """The tag, the backticks or the rule that opens and closes the text of this code; None: there is none."""
    for tag in _TAG.finditer(source):
        if re.search(rf"</{re.escape(tag[1])}\s*>", source[tag.end() :]):
            return f"<{tag[1]}>"
    ticks = _BACKTICKS.findall(source)
    if len(ticks) > 1:
        return "```"
    named = _BRACKETS.search(source)
    if named is not None:
        end = rf"END[ _](?:OF[ _])?{re.escape((named[1] or named[2]).strip())}"
        if re.search(end, source[named.end() :]):
            return named[0]
    rules = _RULE.findall(source)
    return rules[0] if len(rules) > 1 else None
