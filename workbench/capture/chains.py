"""Which transforms a path may have put the words through, and where the words stand after them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import chain as joined

from workbench.capture.pairing import Pair
from workbench.core.decision import Span
from workbench.core.transform import Steps, Transform, apply_to_text

__all__ = ["Chain", "chain_of", "chains_of", "cut_at", "places", "said"]

Chain = tuple[tuple[Transform, int | None], ...]

_T = Transform
_ESCAPES = (
    _T.SLACK_ESCAPE,
    _T.HTML_ESCAPE,
    _T.ATTRIBUTE_ESCAPE,
    _T.HTML_ESCAPE_39,
    _T.XML_ESCAPE,
    _T.HTML_ESCAPE_34,
    _T.CSV_ESCAPE,
    _T.SQL_ESCAPE,
    _T.JSON_ASCII,
    _T.FORM_ENCODE,
    _T.URL_ENCODE,
    _T.PERCENT_ENCODE,
)
_PER_LINE = (
    _T.QUOTE_PREFIX,
    _T.QUOTE_PREFIX_BARE,
    _T.INDENT_2,
    _T.INDENT_4,
    _T.INDENT_ALL_2,
    _T.INDENT_ALL_4,
)
_BREAKS = (_T.BR, _T.BR_SLASH, _T.BR_SPACE_SLASH, _T.NL2BR)

_NAMES: tuple[tuple[Transform, ...], ...] = (
    (),
    (_T.TRIM,),
    (_T.CRLF,),
    (_T.JSON_ESCAPE,),
    *((escape,) for escape in _ESCAPES),
    *((change,) for change in (*_PER_LINE, *_BREAKS)),
    (_T.STRIP_MENTION,),
    (_T.DROP_TOKEN,),
    (_T.COLLAPSE_SPACE,),
    (_T.COLLAPSE_SPACE, _T.TRIM),
    (_T.DROP_TOKEN, _T.COLLAPSE_SPACE),
    (_T.DROP_TOKEN, _T.COLLAPSE_SPACE, _T.TRIM),
    (_T.DROP_TOKEN, _T.TRIM),
    (_T.STRIP_MENTION, _T.TRIM),
    (_T.STRIP_MENTION, _T.COLLAPSE_SPACE, _T.TRIM),
    (_T.SOFT_WRAP,),
    (_T.TRIM, _T.SOFT_WRAP),
    (_T.LF,),
    (_T.TRIM, _T.LF),
    *((_T.LF, escape) for escape in (_T.JSON_ESCAPE, *_ESCAPES[:6])),
    *((_T.TRIM, _T.LF, escape) for escape in (_T.JSON_ESCAPE, *_ESCAPES[:6])),
    (_T.TRIM, _T.CRLF),
    (_T.TRIM, _T.SOFT_WRAP, _T.CRLF),
    *((shape, _T.CRLF) for shape in (_T.SOFT_WRAP, *_PER_LINE)),
    (_T.TRIM, _T.JSON_ESCAPE),
    *((_T.TRIM, escape) for escape in _ESCAPES),
    *((_T.TRIM, change) for change in (*_PER_LINE, *_BREAKS)),
    (_T.COLLAPSE_SPACE, _T.TRIM, _T.JSON_ESCAPE),
    *((_T.COLLAPSE_SPACE, _T.TRIM, escape) for escape in _ESCAPES),
    *((_T.CRLF, escape) for escape in (_T.JSON_ESCAPE, *_ESCAPES)),
    *((escape, outer) for escape in _ESCAPES[:6] for outer in (_T.JSON_ESCAPE, _T.JSON_ASCII)),
    *((escape, change) for change in _BREAKS for escape in _ESCAPES[:6]),
    *((escape, escape) for escape in _ESCAPES[:6]),
    (_T.JSON_ESCAPE, _T.JSON_ESCAPE),
    (_T.JSON_ASCII, _T.JSON_ESCAPE),
    *((_T.JSON_ESCAPE, escape) for escape in _ESCAPES[:6]),
    (_T.BASE64,),
    (_T.TRIM, _T.BASE64),
)
_CHAINS: tuple[Chain, ...] = tuple(tuple((name, None) for name in names) for names in _NAMES)

_SHORTEST_CUT = 12
_MOST_PLACES = 40


def chains_of(pairs: Sequence[Pair]) -> list[tuple[Chain, tuple[Pair, ...]]]:
    """Transforms of one path, the likeliest first, and the pairs whose words stand there after them.

    Those that fit the most pairs; what the frame shows counts before what the words show: in a JSON
    string they are escaped, also where no character needs it.
    """
    fitting: list[tuple[Chain, tuple[Pair, ...]]] = []
    seen: set[tuple[str, ...]] = set()
    shown = tuple(_shown_by_frame(pairs))
    for steps in joined(shown, _CHAINS, _cuts(pairs)):
        words = tuple(apply_to_text(steps, pair.typed) for pair in pairs)
        if words in seen:
            continue
        seen.add(words)
        fitting.append((steps, tuple(pair for pair in pairs if places(steps, pair))))
    most = max((len(fit) for _, fit in fitting), default=0)
    return [(steps, fit) for steps, fit in fitting if fit and len(fit) == most]


def chain_of(pair: Pair) -> tuple[Chain, tuple[Span, ...]] | None:
    """The first of `chains_of` for one pair, and where the words stand after it; None where there is none."""
    for steps in joined(_shown_by_frame([pair]), _CHAINS, _cuts([pair])):
        if spans := places(steps, pair):
            return steps, spans
    return None


def places(steps: Steps, pair: Pair) -> tuple[Span, ...]:
    """Where the words stand; those within longer words only if there are no others."""
    words = apply_to_text(steps, pair.typed)
    if not words.strip():
        return ()
    found: list[Span] = []
    at = pair.wrapped.find(words)
    while at >= 0:
        found.append((at, at + len(words)))
        at = pair.wrapped.find(words, at + 1)
    whole = [span for span in found if _is_whole(pair.wrapped, *span)]
    found = whole or found
    return tuple(
        found if len(found) <= _MOST_PLACES else found[: _MOST_PLACES // 2] + found[-_MOST_PLACES // 2 :]
    )


def said(steps: Steps) -> str:
    """The transforms as a person reads them."""
    return ", ".join(f"{name.value} {number}" if number else name.value for name, number in steps)


def _is_whole(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (before.isalnum() and text[start].isalnum()) and not (
        after.isalnum() and text[end - 1].isalnum()
    )


def _shown_by_frame(pairs: Sequence[Pair]) -> Iterator[Chain]:
    if any(_MARKUP.search(pair.wrapped.replace(pair.typed, "")) for pair in pairs):
        # Which marks besides & < > are escaped only words can show; they are read back all the same.
        for change, spelled in _SPELLED.items():
            if all(spelled in pair.wrapped for pair in pairs):
                yield (_T.SLACK_ESCAPE, None), (change, None)
        yield ((_T.SLACK_ESCAPE, None),)
        for change in _BREAKS:
            yield (_T.SLACK_ESCAPE, None), (change, None)
    if all(_in_row(pair) for pair in pairs):
        yield ((_T.BR, None),)
    if all(_in_cell(pair) for pair in pairs):
        yield ((_T.CSV_ESCAPE, None),)
    for width, change in ((2, _T.INDENT_2), (4, _T.INDENT_4)):
        if all(_in_block(pair, change, width) for pair in pairs):
            yield ((change, None),)
    if all(_is_quoted(pair) for pair in pairs):
        yield ((_T.QUOTE_PREFIX, None),)
    if all("\r\n" in pair.wrapped and not _BARE_FEED.search(pair.wrapped) for pair in pairs):
        yield ((_T.CRLF, None),)
        yield (_T.TRIM, None), (_T.CRLF, None)
        yield (_T.SOFT_WRAP, None), (_T.CRLF, None)
    if all(_in_json(pair) for pair in pairs):
        for chain in _IN_JSON:
            yield chain
            yield (_T.TRIM, None), *chain
    elif all(_in_json(pair, 2) for pair in pairs):
        for chain in _IN_JSON:
            yield *chain, (_T.JSON_ESCAPE, None)


_IN_JSON: tuple[Chain, ...] = (((_T.JSON_ESCAPE, None),), ((_T.JSON_ASCII, None),))


_MARKUP = re.compile(
    r"<\?xml\b|<!doctype\b|</?(?:html|body|div|span|p|br|blockquote|table|tr|td|ul|li)\b[^<>]*>"
    r"|&(?:amp|lt|gt|quot|apos|nbsp|#\d{1,7}|#x[0-9a-f]{1,6});",
    re.IGNORECASE,
)
"""Markup that programs read, where words that are not escaped would be a fault; tags for a model are none."""


_CELL = re.compile(r'(?:\A|[,;\t|\n])"\Z')
_CELL_END = re.compile(r'"(?:[,;\t|\r\n]|\Z)')


def _in_cell(pair: Pair) -> bool:
    """Whether the words are a quoted cell of a table whose text is no JSON."""
    cell = apply_to_text(((_T.CSV_ESCAPE, None),), pair.typed)
    return any(
        _CELL.search(pair.wrapped[max(0, at - 2) : at])
        and _CELL_END.match(pair.wrapped, at + len(cell))
        and not _OPENED.search(pair.wrapped[:at])
        for at in _all_of(cell, pair.wrapped)
    )


_BLOCK = re.compile(r":[ \t]*[|>][-+]?[ \t]*\n\Z")


def _in_block(pair: Pair, change: Transform, width: int) -> bool:
    """Whether the words are a block of YAML, or their first line is, from a margin on."""
    block = " " * width + apply_to_text(((change, None),), pair.typed)
    return any(_BLOCK.search(pair.wrapped[max(0, at - 9) : at]) for at in _all_of(block, pair.wrapped))


_SPELLED = {_T.BR: "<br>", _T.BR_SLASH: "<br/>", _T.BR_SPACE_SLASH: "<br />"}
_ROW_END = re.compile(r"[ \t]*\|[^\n]*(?:\n|\Z)")


def _in_row(pair: Pair) -> bool:
    """Whether the words are a cell of a row in Markdown, which holds no line feed."""
    cell = apply_to_text(((_T.BR, None),), pair.typed)
    return any(
        _ROW_END.match(pair.wrapped, at + len(cell)) and "|" in pair.wrapped[:at].rpartition("\n")[2][:1]
        for at in _all_of(cell, pair.wrapped)
    )


def _is_quoted(pair: Pair) -> bool:
    """Whether the line, or each line, of the words stands behind the mark of a quotation."""
    quoted = apply_to_text(((_T.QUOTE_PREFIX, None),), pair.typed)
    return any(at == 0 or pair.wrapped[at - 1] == "\n" for at in _all_of(quoted, pair.wrapped))


def _all_of(words: str, text: str) -> Iterator[int]:
    at = text.find(words)
    while at >= 0:
        yield at
        at = text.find(words, at + 1)


_OPENED = re.compile(r"[\[{]")
_BARE_FEED = re.compile(r"(?<!\r)\n")
_BEFORE_VALUE = re.compile(r"(?:[:,\[{]\s*)\Z")
_AFTER_VALUE = re.compile(r"\s*[,}\]:]")


def _in_json(pair: Pair, depth: int = 1) -> bool:
    """Whether the words are the whole of a JSON string, by what stands beside it or by reading it all.

    `depth` 2: of one within a JSON string.
    """
    mark = '"' if depth == 1 else '\\"'
    for chain in _IN_JSON:
        quoted = apply_to_text((*chain, *_IN_JSON[0] * (depth - 1)), pair.typed.strip())
        at = pair.wrapped.find(quoted) if quoted else -1
        if at >= 0 and depth == 1 and _is_json(pair.wrapped) and not _in_json(pair, 2):
            return True
        while at >= 0:
            end = at + len(quoted)
            if (
                pair.wrapped.endswith(mark, 0, at)
                and _OPENED.search(pair.wrapped[:at]) is not None
                and pair.wrapped.startswith(mark, end)
                and _BEFORE_VALUE.search(pair.wrapped, max(0, at - 40), at - len(mark))
                and _AFTER_VALUE.match(pair.wrapped, end + len(mark))
            ):
                return True
            at = pair.wrapped.find(quoted, at + 1)
    return False


def _is_json(text: str) -> bool:
    if text.lstrip()[:1] not in ("{", "["):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _cuts(pairs: Sequence[Pair]) -> Iterator[Chain]:
    """The one length at which all longer words were cut; one turn alone shows none."""
    lengths = [cut_at(pair) for pair in pairs if pair.typed not in pair.wrapped]
    if len(lengths) > 1 and len(set(lengths)) == 1 and lengths[0] is not None:
        yield ((_T.TRUNCATE, lengths[0]),)


def cut_at(pair: Pair) -> int | None:
    """How much of the words stands there, from their beginning; None where that is next to nothing."""
    length = _longest_beginning(pair.typed, pair.wrapped)
    return length if _SHORTEST_CUT <= length < len(pair.typed) else None


def _longest_beginning(words: str, text: str) -> int:
    low, high = 0, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        if words[:middle] in text:
            low = middle
        else:
            high = middle - 1
    return low
