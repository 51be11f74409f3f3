"""The window section: what each side read, whose words those are, and which of the user's are missing."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from functools import partial

from workbench.compare.fold import fold
from workbench.compare.rows import Row, RowKind, Side
from workbench.compare.window import Found, Part, PlacedWindow
from workbench.core.cell import Cell
from workbench.core.decision import Span
from workbench.core.text import SafeText, join, safe, visible
from workbench.core.turn import Author, Region
from workbench.tui.view.cells import cut
from workbench.tui.view.ink import Ground, Line, Piece, Tone, author_tone, ink, letter
from workbench.tui.view.rows import DocRow, Fold, Full, Heading, Pair, Stretch, Words

__all__ = ["legend", "lines_of", "side_words", "window_section", "window_texts"]

AUTHOR_WORDS = {
    Author.USER: "user's words",
    Author.TRANSPORT: "transport",
    Author.ATTACHMENT: "attachment",
    Author.QUOTED: "quoted",
    Author.HISTORY: "history",
    Author.TOOL: "tool",
    Author.SYNTHETIC: "synthetic",
    Author.APP: "app",
}
_SIGNS = {RowKind.EQUAL: " ", RowKind.CHANGED: "~", RowKind.REMOVED: "-", RowKind.ADDED: "+"}
_ALMOST = (Found.SPACING, Found.FORM, Found.CASE, Found.WORDS)
LACKING_SHOWN = 120


def window_section(
    baseline: Cell | None,
    variant: Cell,
    windows: tuple[PlacedWindow | None, PlacedWindow | None],
    authors: Collection[Author],
    texts: Sequence[DocRow],
) -> list[DocRow]:
    """Facts of both windows, the legend of the `authors` that the `texts` have, and these."""
    before, after = windows
    # The texts below carry the difference, unless one side has none that could be shown.
    told = any(isinstance(row, Pair) and row.differs for row in texts)
    sign = "~" if baseline is not None and not told and _differ(before, after) else " "
    left = Words.of(*_facts(baseline, before)) if baseline is not None else None
    facts = Pair(sign, left, Words.of(*_facts(variant, after)))
    section: list[DocRow] = [Heading(safe("window"), _note(before, after)), facts]
    section += _lacking(baseline, before, variant, after)
    if authors:
        section.append(Full(Words.of(*legend(authors))))
    return [*section, *texts]


def _differ(before: PlacedWindow | None, after: PlacedWindow | None) -> bool:
    return (before and before.text) != (after and after.text)


def _note(before: PlacedWindow | None, after: PlacedWindow | None) -> Line:
    if before is not None and after is not None and before.text == after.text:
        return (ink(f"identical, {len(after.text):,} characters", Tone.OK),)
    return ()


def _facts(cell: Cell | None, window: PlacedWindow | None) -> Line:
    # Three kinds of nothing, each with its own words.
    if cell is None or cell.decision is None:
        return (ink("failed: nothing was read that is known of", Tone.WARNING),)
    if window is None:
        return (ink("not reported: the adapter does not say what it read", Tone.MUTED),)
    if not window.text:
        return (ink("empty: ", Tone.WARNING), ink(f"{window.source.value}, and it held no text"))
    said = [ink(f"{window.source.value}, {len(window.text):,} characters")]
    windows = cell.decision.windows or ()
    if len(windows) > 1:
        last = (windows[-1].tap, windows[-1].text) == (window.tap, window.text)
        said.append(ink(f", {'the last' if last else 'one'} of {len(windows)} windows", Tone.MUTED))
    if window.tap is not None:
        said += [ink(" by ", Tone.MUTED), Piece(visible(window.tap))]
    if window.user_coverage is not None:
        said += [ink(", "), ink(f"user {_percent(window.user_coverage)}", _tone(window.user_coverage < 1))]
    if window.foreign_share is not None:
        said += [ink(", "), ink(f"foreign {_percent(window.foreign_share)}", _tone(window.foreign_share > 0))]
    if window.ambiguous:
        said.append(ink(", could stand in several places", Tone.WARNING))
    if window.found is Found.NOWHERE:
        said.append(ink(", not found in the turn", Tone.WARNING))
    elif window.found in _ALMOST:
        said.append(ink(f", as in the turn but for its {window.found.value}", Tone.MUTED))
    return tuple(said)


def _percent(share: float) -> str:
    """A share that is not whole is never rounded to 0 or 100."""
    if 0 < share < 0.01:
        return "<1%"
    if 0.99 < share < 1:
        return ">99%"
    return f"{share * 100:.0f}%"


def _tone(bad: bool) -> Tone:
    return Tone.WARNING if bad else Tone.OK


def _lacking(
    baseline: Cell | None, before: PlacedWindow | None, variant: Cell, after: PlacedWindow | None
) -> list[DocRow]:
    left = _lacking_words(baseline, before) if baseline is not None else None
    right = _lacking_words(variant, after)
    if left is None and right is None:
        return []
    sign = " " if left and right else "+" if right else "-"
    return [Pair(sign, left, right)]


def _lacking_words(cell: Cell, window: PlacedWindow | None) -> Words | None:
    if window is None or not window.lacking:
        return None
    start, end = window.lacking[0]
    first = visible(cell.delivery.typed[start : min(end, start + LACKING_SHOWN + 1)])
    more = len(window.lacking) - 1
    said = [ink("lacks ", Tone.WARNING), Piece(cut(first, LACKING_SHOWN), Tone.USER)]
    if more:
        said.append(ink(f" and {more} more", Tone.MUTED))
    return Words.of(*said)


def legend(authors: Collection[Author]) -> Line:
    """Which letter and tone stands for which author."""
    said: list[Piece] = []
    for author in (author for author in Author if author in authors):
        if said:
            said.append(ink("  "))
        said += [ink(letter(author), Tone.STRONG), ink(" "), ink(AUTHOR_WORDS[author], author_tone(author))]
    return tuple(said)


def window_texts(
    before: PlacedWindow | None, after: PlacedWindow | None, rows: tuple[Row, ...] | None
) -> list[DocRow]:
    """The windows themselves in aligned rows; `rows` None: one of them is not known."""
    if rows is None:
        left = [Row(RowKind.REMOVED, baseline=side) for side in lines_of(before.text if before else "")]
        right = [Row(RowKind.ADDED, variant=side) for side in lines_of(after.text if after else "")]
        rows = (*left, *right)
    elif not any(row.kind is RowKind.FOLD for row in rows):
        rows = fold(rows)
    alone = before is None
    return [_row(row, before, after, alone) for row in rows]


def lines_of(text: str) -> Iterator[Side]:
    """Each line of a text with its offset; none where the text is empty."""
    if not text:
        return
    start = 0
    for line in text.split("\n"):
        yield Side(line, start)
        start += len(line) + 1


def _row(row: Row, before: PlacedWindow | None, after: PlacedWindow | None, alone: bool) -> DocRow:
    if row.kind is RowKind.FOLD:
        texts = [hidden.variant.text for hidden in row.hidden if hidden.variant is not None]
        return Fold(texts, lambda number: _pair(row.hidden[number], before, after, alone))
    return _pair(row, before, after, alone)


def _pair(row: Row, before: PlacedWindow | None, after: PlacedWindow | None, alone: bool) -> Pair:
    changed = row.kind is RowKind.CHANGED
    quiet = row.kind is RowKind.EQUAL or alone
    left = right = None
    if row.baseline is not None and before is not None:
        line, word = (Ground.NONE, Ground.NONE) if quiet else (Ground.REMOVED, Ground.REMOVED_WORD)
        left = side_words(row.baseline, before.parts, line, word if changed else line)
    if row.variant is not None and after is not None:
        line, word = (Ground.NONE, Ground.NONE) if quiet else (Ground.ADDED, Ground.ADDED_WORD)
        right = side_words(row.variant, after.parts, line, word if changed else line)
    return Pair(" " if alone else _SIGNS[row.kind], left, right, twin=row.kind is RowKind.EQUAL)


def side_words(
    side: Side,
    parts: Sequence[Part | Region],
    line: Ground = Ground.NONE,
    word: Ground = Ground.NONE,
    read: Sequence[Span] | None = None,
) -> Words:
    """One line in its authors' tones: `line` stands behind all of it, `word` behind what changed.

    `read` are the spans of the line that were read; the rest is dimmed. None: that is not known.
    """
    return Words(side.text, partial(_meaning, side, parts, line, word, read), lit=bool(read))


def _meaning(
    side: Side, parts: Sequence[Part | Region], line: Ground, word: Ground, read: Sequence[Span] | None
) -> tuple[Sequence[Stretch], SafeText]:
    stretches, letters = _authored(side, parts, line, word)
    return (stretches if read is None else list(_lit(stretches, read))), letters


def _lit(stretches: Sequence[Stretch], read: Sequence[Span]) -> Iterator[Stretch]:
    """The stretches, cut where what was read begins and ends."""
    for start, end, tone, ground in stretches:
        behind = Ground.READ if ground is Ground.NONE else ground
        for first, last, lit in _grounds(start, end, read, Ground.UNREAD, behind):
            yield first, last, tone, lit


def _authored(
    side: Side, parts: Sequence[Part | Region], line: Ground, word: Ground
) -> tuple[Sequence[Stretch], SafeText]:
    end = side.start + len(side.text)
    number = max(0, bisect_right(parts, side.start, key=lambda part: part.start) - 1)
    # A line that changed as a whole has no words that stand out in it.
    changed = () if side.changed == ((0, len(side.text)),) else side.changed
    stretches: list[Stretch] = []
    authors: list[Author] = []
    offset = 0
    while number < len(parts) and (parts[number].start < end or not authors):
        part = parts[number]
        authors += [part.author] if authors[-1:] != [part.author] else []
        stop = max(offset, min(part.end, end) - side.start)
        grounds = _grounds(offset, stop, changed, line, word)
        stretches += [(a, b, author_tone(part.author), ground) for a, b, ground in grounds]
        offset = stop
        number += 1
    stretches += [(a, b, Tone.PLAIN, g) for a, b, g in _grounds(offset, len(side.text), changed, line, word)]
    return stretches, _initials(authors)


def _grounds(
    start: int, end: int, changed: Sequence[Span], line: Ground, word: Ground
) -> Iterator[tuple[int, int, Ground]]:
    position = start
    for first, last in changed:
        if last <= position or first >= end:
            continue
        if first > position:
            yield position, first, line
        yield max(first, position), min(last, end), word
        position = min(last, end)
    if position < end:
        yield position, end, line


def _initials(authors: Sequence[Author]) -> SafeText:
    letters = [letter(author) for author in authors]
    return join(letters) if len(letters) <= 3 else join((*letters[:2], safe("+")))
