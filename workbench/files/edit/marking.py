"""A wrapped turn and the words in it, made into the template of an envelope."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from workbench.core.decision import Span
from workbench.core.errors import Problem, WorkbenchError
from workbench.core.template import DOCUMENT, TEXT
from workbench.core.transform import Transform, apply_to_text
from workbench.files.problems import shown

__all__ = ["Marked", "mark_typed"]

_LIKE_A_SLOT = re.compile(r"\{([a-z][a-z0-9_]*)\}")

# What a path may have done to the words that stand in the turn, the likeliest first.
_TRIED = (
    Transform.TRIM,
    Transform.CRLF,
    Transform.LF,
    Transform.HTML_ESCAPE,
    Transform.SLACK_ESCAPE,
    Transform.ATTRIBUTE_ESCAPE,
    Transform.HTML_ESCAPE_39,
    Transform.XML_ESCAPE,
    Transform.HTML_ESCAPE_34,
    Transform.JSON_ESCAPE,
    Transform.JSON_ASCII,
    Transform.URL_ENCODE,
    Transform.PERCENT_ENCODE,
    Transform.FORM_ENCODE,
    Transform.CSV_ESCAPE,
    Transform.SQL_ESCAPE,
    Transform.QUOTE_PREFIX,
    Transform.INDENT_2,
    Transform.INDENT_4,
    Transform.QUOTE_PREFIX_BARE,
    Transform.INDENT_ALL_2,
    Transform.INDENT_ALL_4,
    Transform.BR,
    Transform.BR_SLASH,
    Transform.BR_SPACE_SLASH,
    Transform.NL2BR,
    Transform.SOFT_WRAP,
    Transform.COLLAPSE_SPACE,
    Transform.STRIP_MENTION,
    Transform.DROP_TOKEN,
)


@dataclass(frozen=True, slots=True)
class Marked:
    """`spans` are the places of the words in the turn; `transform` is what was done to them, if anything.

    `slots` stand for what only looks like a slot: each with the text that it has in the turn.
    """

    template: str
    spans: tuple[Span, ...]
    slots: Mapping[str, str]
    transform: Transform | None = None


def mark_typed(wrapped: str, typed: str) -> Marked:
    """The template of which `wrapped` is what `typed` gives: all places of the words become `{text}`.

    Raises WorkbenchError where the words stand nowhere in it, neither as they are nor as a path writes them.
    """
    if not typed.strip():
        raise WorkbenchError(Problem("no words to look for", hint="--typed says what the user typed"))
    for transform in (None, *_TRIED):
        words = typed if transform is None else apply_to_text([(transform, None)], typed)
        spans = _places(wrapped, words) if transform is None or words != typed else ()
        if spans:
            template, slots = _template(wrapped, spans)
            return Marked(template, spans, slots, transform)
    message = f"the words {shown(typed)} stand nowhere in this turn of {len(wrapped):,} characters"
    raise WorkbenchError(Problem(message, hint="give them exactly as they stand there, line feeds too"))


def _places(text: str, words: str) -> tuple[Span, ...]:
    """All of them; those within longer words only where there is no other."""
    if not words:
        return ()
    found = [(at.start(), at.end()) for at in re.finditer(re.escape(words), text)]
    whole = [span for span in found if _is_whole(text, *span)]
    return tuple(whole or found)


def _is_whole(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (before.isalnum() and text[start].isalnum()) and not (
        after.isalnum() and text[end - 1].isalnum()
    )


def _template(wrapped: str, spans: tuple[Span, ...]) -> tuple[str, Mapping[str, str]]:
    """Braces that would read as a slot become one, with themselves as the example."""
    slots: dict[str, str] = {}

    def stand_in(found: re.Match[str]) -> str:
        name = found[1]
        while name in (TEXT, DOCUMENT) or slots.get(name, found[0]) != found[0]:
            name = f"literal_{name}"
        slots[name] = found[0]
        return f"{{{name}}}"

    literals = [_LIKE_A_SLOT.sub(stand_in, literal) for literal in _between(wrapped, spans)]
    return f"{{{TEXT}}}".join(literals), slots


def _between(text: str, spans: tuple[Span, ...]) -> Iterator[str]:
    at = 0
    for start, end in spans:
        yield text[at:start]
        at = end
    yield text[at:]
