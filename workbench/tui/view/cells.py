"""Terminal cells: how wide safe text is drawn, and where a line breaks. Measured in cells, not characters."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from workbench.core.text import SafeText, safe
from workbench.tui.view.ink import Line, Piece, gap, ink

__all__ = ["breaks", "clip", "cut", "fill", "fit_width", "middle_cut", "pad", "slices", "spread", "width_of"]

LONG = 4096
"""Above this many characters a line is cut at the edge rather than between words."""

ELLIPSIS = safe("…")


def width_of(line: Sequence[Piece]) -> int:
    """Cells that a line takes."""
    return sum(cell_len(piece.text) for piece in line)


def fit_width(text: str, start: int, width: int) -> int:
    """The end of the longest piece of `text` from `start` that takes at most `width` cells."""
    end = min(len(text), start + max(0, width))
    chunk = text[start:end]
    if chunk.isascii():
        return end
    over = cell_len(chunk) - width
    while over > 0 and end > start:
        # A character takes at most two cells, so half the excess can go at once.
        end -= max(1, over // 2)
        over = cell_len(text[start:end]) - width
    while end < len(text) and cell_len(text[start : end + 1]) <= width:
        end += 1
    return end


def breaks(text: str, width: int) -> tuple[int, ...]:
    """Where the screen rows of `text` begin, 0 first. Words stay whole, but in a huge line."""
    total = len(text)
    if (total <= width and text.isascii()) or total == 0:
        return (0,)
    starts = [0]
    position = 0
    by_word = total <= LONG
    # One character at least, however wide, so that it comes to an end.
    while (end := max(position + 1, fit_width(text, position, width))) < total:
        if by_word:
            space = text.rfind(" ", position + 1, end + 1)
            end = space + 1 if space > position else end
            if end >= total:
                break
        starts.append(end)
        position = end
    return tuple(starts)


def slices(line: Line, start: int, end: int) -> Line:
    """The characters [start, end) of a line, with their meaning."""
    taken: list[Piece] = []
    offset = 0
    for piece in line:
        stop = offset + len(piece.text)
        if stop > start and offset < end:
            text = piece.text[max(0, start - offset) : end - offset]
            taken.append(Piece(text, piece.tone, piece.ground))
        offset = stop
        if offset >= end:
            break
    return tuple(taken)


def cut(text: SafeText, width: int) -> SafeText:
    """`text` in at most `width` cells; an ellipsis says that it goes on."""
    if len(text) <= width and (text.isascii() or cell_len(text) <= width):
        return text
    if width < 1:
        return SafeText("")
    return text[: fit_width(text, 0, width - 1)] + ELLIPSIS


def middle_cut(text: SafeText, width: int) -> SafeText:
    """`text` in at most `width` cells, its end kept: names differ at their ends."""
    if len(text) <= width and (text.isascii() or cell_len(text) <= width):
        return text
    if width < 5:
        return cut(text, width)
    tail = max(2, (width - 1) * 2 // 3)
    while tail > 1 and cell_len(text[-tail:]) > (width - 1) * 2 // 3:
        tail -= 1
    head = fit_width(text, 0, width - 1 - cell_len(text[-tail:]))
    return text[:head] + ELLIPSIS + text[-tail:]


def clip(line: Line, width: int) -> Line:
    """A line in at most `width` cells; an ellipsis says that it goes on."""
    if width_of(line) <= width:
        return line
    kept: list[Piece] = []
    left = width
    for piece in line:
        size = cell_len(piece.text)
        if size > left - 1:
            kept.append(Piece(cut(SafeText(str(piece.text) + "  "), left), piece.tone, piece.ground))
            break
        kept.append(piece)
        left -= size
    return tuple(kept)


def pad(line: Line, width: int) -> Line:
    """A line in exactly `width` cells: clipped, or filled up with blanks."""
    clipped = clip(line, width)
    missing = width - width_of(clipped)
    return (*clipped, gap(missing)) if missing > 0 else clipped


def fill(line: Line, width: int) -> Line:
    """One screen row of a broken line in exactly `width` cells. A blank that hangs over the edge goes."""
    over = width_of(line) - width
    if over > 0:
        line = slices(line, 0, sum(len(piece.text) for piece in line) - over)
    return pad(line, width)


def spread(left: Line, right: Line, width: int) -> Line:
    """`left` from the left edge, `right` at the right one, in `width` cells. `left` gives way."""
    size = width_of(right)
    if size + 2 > width:
        return pad(left, width)
    return (*pad(left, width - size - 1), ink(" "), *right)
