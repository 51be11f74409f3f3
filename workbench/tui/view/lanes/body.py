"""The whole text of a request, part by part, each line with the letters of its lanes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from workbench.compare.align import align
from workbench.compare.fold import fold
from workbench.compare.rows import Row, RowKind, Side
from workbench.core.text import safe, visible
from workbench.lanes.ledger.measured import Part
from workbench.tui.view.ink import Tone, ink
from workbench.tui.view.lanes.owners import Owners
from workbench.tui.view.paper import Stop
from workbench.tui.view.rows import DocRow, Fold, Heading, Pair, Words
from workbench.tui.view.window import lines_of

__all__ = ["body_section", "paired_parts"]

_SIGNS = {RowKind.EQUAL: " ", RowKind.CHANGED: "~", RowKind.REMOVED: "-", RowKind.ADDED: "+"}

PartPair = tuple[Part | None, Part | None]


def paired_parts(before: Sequence[Part], after: Sequence[Part]) -> list[PartPair]:
    """The parts of both requests in order, those at the same path in one pair."""
    pairs: list[PartPair] = []
    matcher = SequenceMatcher(None, [p.path for p in before], [p.path for p in after], autojunk=False)
    for kind, first, last, begin, end in matcher.get_opcodes():
        if kind == "equal":
            pairs += zip(before[first:last], after[begin:end], strict=True)
        else:
            pairs += [(part, None) for part in before[first:last]]
            pairs += [(None, part) for part in after[begin:end]]
    return pairs


def body_section(
    before: Owners | None, after: Owners | None, parts: Sequence[PartPair], rows: int, compared: bool
) -> tuple[list[DocRow], list[Stop]]:
    """The rows, and where in them something is dark. `rows` stand above them.

    `compared`: both sides are known. Differences of their texts are meant, so they are drawn and count as
    none; what is dark on one side alone counts.
    """
    section: list[DocRow] = []
    stops: list[Stop] = []
    for pair in parts:
        section.append(_heading(pair))
        for row in _rows(before, after, pair):
            if row.kind is RowKind.FOLD:
                section.append(_folded(row, before, after, pair))
                continue
            number = rows + len(section)
            stops += _stops(row, before, after, pair, number)
            section.append(_pair(row, before, after, pair, compared))
    return section, stops


def _heading(pair: PartPair) -> Heading:
    part = pair[1] or pair[0]
    assert part is not None
    sizes = dict.fromkeys(f"{one.end - one.start:,}" for one in pair if one is not None)
    said = f"{part.role}, {' and '.join(sizes)} characters"
    return Heading(visible(part.path), (ink(said, Tone.MUTED),))


def _text(owners: Owners | None, part: Part | None) -> str:
    return owners.text[part.start : part.end] if owners is not None and part is not None else ""


def _rows(before: Owners | None, after: Owners | None, pair: PartPair) -> Iterator[Row]:
    """The lines of a part; what is equal is folded, but near a difference, or dark, or double."""
    ours, theirs = _text(before, pair[0]), _text(after, pair[1])
    if pair[0] is None:
        yield from (Row(RowKind.ADDED, variant=side) for side in lines_of(theirs))
        return
    if pair[1] is None:
        yield from (Row(RowKind.REMOVED, baseline=side) for side in lines_of(ours))
        return
    aligned = align(ours, theirs)
    yield from fold(
        row
        if row.kind is not RowKind.EQUAL or _is_plain(row, before, after, pair)
        else replace(row, kind=RowKind.CHANGED)
        for row in aligned
    )


def _line(part: Part, side: Side) -> tuple[int, int]:
    """A line in the whole text, its line feed with it."""
    start = part.start + side.start
    return start, min(start + len(side.text) + 1, part.end)


def _sides(
    row: Row, before: Owners | None, after: Owners | None, pair: PartPair
) -> Iterator[tuple[bool, Owners, Part, Side]]:
    for variant, owners, part, side in (
        (False, before, pair[0], row.baseline),
        (True, after, pair[1], row.variant),
    ):
        if owners is not None and part is not None and side is not None:
            yield variant, owners, part, side


def _is_plain(row: Row, before: Owners | None, after: Owners | None, pair: PartPair) -> bool:
    sides = _sides(row, before, after, pair)
    return all(owners.is_plain(*_line(part, side)) for _, owners, part, side in sides)


def _dark_of(row: Row, before: Owners | None, after: Owners | None, pair: PartPair) -> list[list[str]]:
    """The dark texts of each side of a row."""
    return [
        [owners.text[max(span.start, start) : min(span.end, end)] for span in owners.dark(start, end)]
        for _, owners, part, side in _sides(row, before, after, pair)
        for start, end in (_line(part, side),)
    ]


def _stops(
    row: Row, before: Owners | None, after: Owners | None, pair: PartPair, number: int
) -> Iterator[Stop]:
    """Where dark text begins in a row; one that goes on from the line before begins there.

    What is dark on both sides alike is one.
    """
    dark = _dark_of(row, before, after, pair)
    alike = len(dark) == 2 and dark[0] == dark[1]
    for variant, owners, part, side in _sides(row, before, after, pair):
        start, whole = _line(part, side)
        for span in owners.dark(start, whole) if variant or not alike else ():
            if span.start >= start or start == part.start:
                yield Stop(number, variant, max(span.start - start, 0))


def _pair(row: Row, before: Owners | None, after: Owners | None, pair: PartPair, compared: bool) -> Pair:
    words: dict[bool, Words] = {}
    for variant, owners, part, side in _sides(row, before, after, pair):
        start, whole = _line(part, side)
        words[variant] = owners.words(start, start + len(side.text), whole)
    if not compared:
        return Pair(" ", words.get(False), words.get(True))
    dark = _dark_of(row, before, after, pair)
    differs = dark[0] != dark[-1] if len(dark) == 2 else any(dark)
    same = row.baseline is not None and row.variant is not None and row.baseline.text == row.variant.text
    sign = "~" if differs and same else " " if same else _SIGNS[row.kind]
    return Pair(sign, words.get(False), words.get(True), quiet=not differs)


def _folded(row: Row, before: Owners | None, after: Owners | None, pair: PartPair) -> Fold:
    texts = [hidden.variant.text for hidden in row.hidden if hidden.variant is not None]
    return Fold(texts, lambda number: _pair(row.hidden[number], before, after, pair, True), safe("unchanged"))
