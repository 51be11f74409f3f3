"""Terminal cells: how wide safe text is drawn, and where to cut it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from workbench.core.text import SafeText, visible
from workbench.report.writer import Line, Piece, Style, glyph, own

__all__ = ["cut", "middle", "named", "pad", "quoted", "width_of", "wrapped"]


_NAME = 200
"""Code points of a name that is shown whole."""


def width_of(text: SafeText) -> int:
    """Terminal cells that `text` takes: wide characters two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(_cells(char) for char in text)


def cut(text: str, cells: int, style: Style) -> SafeText:
    """Foreign text on one line of at most `cells`, with an ellipsis where something is left out."""
    # Each code point draws at most ten cells and, but for combining marks, at least one: what
    # stands behind this prefix cannot show, and a line of a megabyte costs nothing.
    head = visible(text[: cells * 4 + 16])
    if len(text) <= cells * 4 + 16 and width_of(head) <= cells:
        return head
    ellipsis = glyph("…", style)
    room, kept = cells - len(ellipsis), 0
    for index, char in enumerate(head):
        kept += _cells(char)
        if kept > room:
            return SafeText(str(head[:index]) + ellipsis)
    return SafeText(head + ellipsis)


def pad(text: SafeText, cells: int) -> SafeText:
    """`text` with spaces behind it up to `cells`."""
    return SafeText(f"{text}{' ' * max(0, cells - width_of(text))}")


def middle(text: str, limit: int, style: Style) -> SafeText:
    """Foreign text on one line; of more than `limit` code points head and tail, and the count between."""
    if len(text) <= limit:
        return visible(text)
    head, tail = limit * 2 // 3, limit // 4
    left_out = own(f" … {len(text) - head - tail:,} characters … ", style)
    return SafeText(visible(text[:head]) + left_out + visible(text[len(text) - tail :]))


def named(text: str) -> SafeText:
    """A foreign name, of a tool or an arm, on one line; of one beyond reason only head and tail."""
    if len(text) <= _NAME:
        return visible(text)
    kept = _NAME // 2
    left_out = len(text) - 2 * kept
    return SafeText(f"{visible(text[:kept])} ...{left_out:,} characters... {visible(text[-kept:])}")


def quoted(text: str, limit: int, style: Style) -> SafeText:
    """`middle` between double quotes."""
    return SafeText(f'"{middle(text, limit, style)}"')


def wrapped(line: Line, cells: int | None) -> Iterator[Line]:
    """`line` in rows of at most `cells`, broken behind a space where one is near; whole where None.

    There is always one row, and what follows a break is never dropped.
    """
    flat = [(char, piece) for piece in line for char in piece.text]
    if cells is None or not flat:
        yield line
        return
    start = used = 0
    for index, (char, _) in enumerate(flat):
        wide = _cells(char)
        while used + wide > cells and index > start:
            near = range(index, max(start, index - cells // 2), -1)
            stop = next((at for at in near if flat[at - 1][0] == " "), index)
            yield _row(flat[start:stop])
            start, used = stop, sum(_cells(char) for char, _ in flat[stop:index])
        used += wide
    yield _row(flat[start:])


def _row(flat: list[tuple[str, Piece]]) -> Line:
    """Characters with their pieces, as pieces again."""
    runs = ((piece, list(run)) for piece, run in groupby(flat, key=lambda pair: pair[1]))
    return tuple(replace(piece, text=SafeText("".join(char for char, _ in run))) for piece, run in runs)


def _cells(char: str) -> int:
    if char.isascii():
        return 1
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
