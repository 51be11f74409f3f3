"""What a delivery path does to the words before it frames them, forwards and back."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import groupby, pairwise

from workbench.core.escaping import BACK, TABLES
from workbench.core.segment import Edit, Segment, covered, edit, text_of
from workbench.core.turn import Author

__all__ = [
    "LOSSES",
    "LOSSY",
    "WRAP_COLUMNS",
    "Steps",
    "Transform",
    "apply",
    "apply_to_text",
    "loses",
    "losses",
    "undo",
]

WRAP_COLUMNS = 78
"""The longest line that soft-wrap leaves alone, in code points."""


class Transform(StrEnum):
    """What a path does to the words before it frames them."""

    TRIM = "trim"
    COLLAPSE_SPACE = "collapse-space"
    HTML_ESCAPE = "html-escape"
    HTML_ESCAPE_39 = "html-escape-39"
    HTML_ESCAPE_34 = "html-escape-34"
    XML_ESCAPE = "xml-escape"
    ATTRIBUTE_ESCAPE = "attribute-escape"
    JSON_ESCAPE = "json-escape"
    JSON_ASCII = "json-ascii"
    SLACK_ESCAPE = "slack-escape"
    URL_ENCODE = "url-encode"
    PERCENT_ENCODE = "percent-encode"
    FORM_ENCODE = "form-encode"
    CSV_ESCAPE = "csv-escape"
    SQL_ESCAPE = "sql-escape"
    INDENT_2 = "indent-2"
    INDENT_4 = "indent-4"
    INDENT_ALL_2 = "indent-all-2"
    INDENT_ALL_4 = "indent-all-4"
    QUOTE_PREFIX = "quote-prefix"
    QUOTE_PREFIX_BARE = "quote-prefix-bare"
    BR = "br"
    BR_SLASH = "br-slash"
    BR_SPACE_SLASH = "br-space-slash"
    NL2BR = "nl2br"
    STRIP_MENTION = "strip-mention"
    DROP_TOKEN = "drop-token"
    CRLF = "crlf"
    LF = "lf"
    SOFT_WRAP = "soft-wrap"
    BASE64 = "base64"
    TRUNCATE = "truncate"


Steps = Sequence[tuple[Transform, int | None]]
"""Transforms in order, with their number: the length of a truncate."""

LOSSES: Mapping[Transform, str] = {
    Transform.TRIM: "white space before and after the words",
    Transform.COLLAPSE_SPACE: "which white space stood between words, and how much of it",
    Transform.STRIP_MENTION: "a mention before the words",
    Transform.DROP_TOKEN: "tokens such as @doc:notes, and white space round them",
    Transform.CRLF: "whether a line ended with LF, CR LF or CR; LF comes back",
    Transform.LF: "whether a line ended with LF, CR LF or CR; LF comes back",
    Transform.SOFT_WRAP: "which line feeds of a long paragraph were typed",
    Transform.TRUNCATE: "all after the first {number} characters",
}
"""What cannot be told any more after a transform; the others lose nothing."""

LOSSY = frozenset(LOSSES)
"""Transforms after which the words cannot be told for certain."""


def loses(steps: Steps) -> bool:
    """Whether one of the transforms may lose something."""
    return any(transform in LOSSY for transform, _ in steps)


def losses(steps: Steps) -> tuple[str, ...]:
    """What the transforms may lose, each once, in their order."""
    return tuple(dict.fromkeys(LOSSES[name].format(number=number) for name, number in steps if name in LOSSY))


def apply(steps: Steps, segments: Sequence[Segment]) -> tuple[Segment, ...]:
    """`segments` after all transforms; authors and typed characters are carried along."""
    made = tuple(segments)
    for transform, number in steps:
        if transform is Transform.BASE64:
            made = _encode(made)
        elif transform is Transform.TRUNCATE:
            length = sum(len(segment.text) for segment in made)
            if number is not None and number < length:
                made = edit(made, [Edit(max(number, 0), length)])
        else:
            for changes in _CHANGES[transform]:
                made = edit(made, changes(text_of(made)))
    return made


def apply_to_text(steps: Steps, text: str) -> str:
    """What `apply` makes of plain text, at a fraction of the cost."""
    for transform, number in steps:
        if transform is Transform.BASE64:
            text = base64.b64encode(text.encode("utf-8", "surrogatepass")).decode("ascii")
        elif transform is Transform.TRUNCATE:
            text = text if number is None else text[: max(number, 0)]
        else:
            for changes in _CHANGES[transform]:
                text = _edited(text, changes(text))
    return text


def _edited(text: str, edits: Iterable[Edit]) -> str:
    parts: list[str] = []
    at = 0
    for start, end, put, _ in edits:
        parts += (text[at:start], put)
        at = end
    return "".join((*parts, text[at:])) if parts else text


def undo(steps: Steps, text: str) -> str:
    """The words before all transforms, as far as they can be told; what does not decode stays."""
    for transform, _ in reversed(steps):
        if back := _BACK.get(transform):
            text = back(text)
    return text


def _trim(text: str) -> Iterator[Edit]:
    start = len(text) - len(text.lstrip())
    end = max(len(text.rstrip()), start)
    if start:
        yield Edit(0, start)
    if end < len(text):
        yield Edit(end, len(text))


_SPACES = re.compile(r"\s+")


def _collapse(text: str) -> Iterator[Edit]:
    """One space of each run stays: its first character, made a space."""
    for run in _SPACES.finditer(text):
        start, end = run.span()
        if text[start] != " ":
            yield Edit(start, start + 1, " ")
        if end > start + 1:
            yield Edit(start + 1, end)


def _escape(pattern: str, replace: Callable[[str], str]) -> Callable[[str], Iterator[Edit]]:
    """An escape of single characters."""
    special = re.compile(pattern)

    def changes(text: str) -> Iterator[Edit]:
        escapes: dict[str, str] = {}
        for found in special.finditer(text):
            char = found[0]
            if char not in escapes:
                escapes[char] = replace(char)
            yield Edit(found.start(), found.end(), escapes[char])

    return changes


def _quote(text: str) -> Iterator[Edit]:
    """The prefix is the path's own: nobody typed it."""
    yield Edit(0, 0, "> ", Author.TRANSPORT)
    for feed in re.finditer("\n", text):
        yield Edit(feed.end(), feed.end(), "> ", Author.TRANSPORT)


def _quote_bare(text: str) -> Iterator[Edit]:
    """As `_quote`, without a space where the line is empty."""
    for at in (0, *(feed.end() for feed in re.finditer("\n", text))):
        yield Edit(at, at, "> " if text[at : at + 1] not in ("", "\n") else ">", Author.TRANSPORT)


def _indent(width: int, lines: str = r"\n(?!\n|\Z)") -> Callable[[str], Iterator[Edit]]:
    """Spaces before each further line, as a rule but for empty ones: the path's own."""

    def changes(text: str) -> Iterator[Edit]:
        for feed in re.finditer(lines, text):
            yield Edit(feed.end(), feed.end(), " " * width, Author.TRANSPORT)

    return changes


# A name is a mention only as a word of its own: `@doc:slug` is a token.
_MENTION = re.compile(r"\s*+(?:<@[!&]?[^<>\n]++>|@\w[\w.-]*+[:,]?(?=\s|\Z))\s*+")


def _strip_mention(text: str) -> Iterator[Edit]:
    if found := _MENTION.match(text):
        yield Edit(0, found.end())


_TOKENS = re.compile(r"(?<!\w)@\w++:\w++(?:[-./]\w++)*+(?:[ \t]*+@\w++:\w++(?:[-./]\w++)*+)*+")


def _drop_tokens(text: str) -> Iterator[Edit]:
    """Takes tokens out with the blanks round them, but for one blank between words."""
    for run in _TOKENS.finditer(text):
        start, end = run.span()
        left, right = start, end
        while left and text[left - 1] in " \t":
            left -= 1
        while right < len(text) and text[right] in " \t":
            right += 1
        if not text[:start].strip():
            yield Edit(0, max(right, end + len(text[end:]) - len(text[end:].lstrip())))
        elif not text[end:].strip():
            yield Edit(len(text[:start].rstrip()), len(text))
        elif left < start:
            yield Edit(left + 1, right)
        else:
            yield Edit(start, max(right - 1, end))


def _soft_wrap(text: str) -> Iterator[Edit]:
    return (Edit(at, at + 1, "\n") for at in _breaks(text))


def _breaks(text: str) -> Iterator[int]:
    """Spaces to break at: the last one that keeps a line short enough, else the first one after."""
    start = 0
    while start <= len(text):
        feed = text.find("\n", start)
        end = len(text) if feed < 0 else feed
        while end - start > WRAP_COLUMNS:
            at = text.rfind(" ", start + 1, start + WRAP_COLUMNS + 1)
            if at < 0:
                at = text.find(" ", start + WRAP_COLUMNS, end)
            if at < 0:
                break
            yield at
            start = at + 1
        start = end + 1


def _unwrap(text: str) -> str:
    """Line feeds that soft-wrap would have put there, as spaces again."""
    lines = text.split("\n")
    parts: list[str] = []
    for line, after in pairwise(lines):
        parts.append(line)
        word = after.find(" ")
        length = len(after) if word < 0 else word
        parts.append(" " if len(line) + 1 + length > WRAP_COLUMNS else "\n")
    return "".join((*parts, lines[-1]))


def _encode(segments: Sequence[Segment]) -> tuple[Segment, ...]:
    """Base64 of the whole text, shared out over its authors by their bytes."""
    runs = [list(run) for _, run in groupby(segments, key=lambda segment: segment.author)]
    raw = [text_of(run).encode("utf-8", "surrogatepass") for run in runs]
    encoded = base64.b64encode(b"".join(raw)).decode("ascii")
    made: list[Segment] = []
    at = size = 0
    for number, (run, part) in enumerate(zip(runs, raw, strict=True), 1):
        size += len(part)
        end = len(encoded) if number == len(runs) else size * 4 // 3
        typed = covered(segment.typed for segment in run)
        made.append(Segment(encoded[at:end], run[0].author, typed))
        at = end
    return tuple(made)


def _decode(text: str) -> str:
    try:
        return base64.b64decode("".join(text.split()), validate=True).decode("utf-8", "surrogatepass")
    except (binascii.Error, ValueError):
        return text


def _unquote(text: str) -> str:
    return re.sub("(?m)^> ?", "", text)


_CHANGES: Mapping[Transform, Sequence[Callable[[str], Iterable[Edit]]]] = {
    Transform.TRIM: (_trim,),
    Transform.COLLAPSE_SPACE: (_collapse,),
    **{Transform(name): (_escape(*table),) for name, table in TABLES.items()},
    Transform.QUOTE_PREFIX: (_quote,),
    Transform.QUOTE_PREFIX_BARE: (_quote_bare,),
    Transform.INDENT_2: (_indent(2),),
    Transform.INDENT_4: (_indent(4),),
    Transform.INDENT_ALL_2: (_indent(2, "\n"),),
    Transform.INDENT_ALL_4: (_indent(4, "\n"),),
    Transform.BR: (_escape("\n", lambda _: "<br>"),),
    Transform.BR_SLASH: (_escape("\n", lambda _: "<br/>"),),
    Transform.BR_SPACE_SLASH: (_escape("\n", lambda _: "<br />"),),
    Transform.NL2BR: (_escape("\n", lambda _: "<br />\n"),),
    Transform.STRIP_MENTION: (_strip_mention,),
    Transform.DROP_TOKEN: (_drop_tokens,),
    # Mail knows one line end only, so that a CR LF that was typed stays what it is.
    Transform.CRLF: (_escape(r"\r(?!\n)|(?<!\r)\n", lambda _: "\r\n"),),
    Transform.LF: (_escape(r"\r\n?", lambda _: "\n"),),
    Transform.SOFT_WRAP: (_soft_wrap,),
}

_BACK: Mapping[Transform, Callable[[str], str]] = {
    **{Transform(name): back for name, back in BACK.items()},
    **dict.fromkeys((Transform.QUOTE_PREFIX, Transform.QUOTE_PREFIX_BARE), _unquote),
    **dict.fromkeys(
        (Transform.INDENT_2, Transform.INDENT_ALL_2), lambda text: re.sub("\n {1,2}", "\n", text)
    ),
    **dict.fromkeys(
        (Transform.INDENT_4, Transform.INDENT_ALL_4), lambda text: re.sub("\n {1,4}", "\n", text)
    ),
    **dict.fromkeys(
        (Transform.BR, Transform.BR_SLASH, Transform.BR_SPACE_SLASH, Transform.NL2BR),
        lambda text: re.sub("<br ?/?>\n?", "\n", text),
    ),
    Transform.CRLF: lambda text: text.replace("\r\n", "\n"),
    Transform.SOFT_WRAP: _unwrap,
    Transform.BASE64: _decode,
}
