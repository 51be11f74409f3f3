"""A row for each lane: its letter, what it has on both sides, a bar against its budget, and its trust."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.core.text import safe, visible
from workbench.lanes.lane import Bound, Trust, Unit
from workbench.lanes.requested import Bar, Requested
from workbench.tui.view.cells import middle_cut
from workbench.tui.view.ink import Line, Piece, Tone, ink
from workbench.tui.view.lanes.columns import laid
from workbench.tui.view.lanes.marks import Marks
from workbench.tui.view.rows import Across, DocRow, Heading, Words, note

__all__ = ["are_own", "table_section"]

NAME_MAX = 18
BAR = 10
NONE = "–"

FOREIGN = {Trust.TOOL: "untrusted: tool", Trust.CHILD: "untrusted: child", Trust.MODEL: "untrusted: model"}
"""The lanes whose words are neither the owner's nor the app's."""

Pair = tuple[Bar | None, Bar | None]
Sides = tuple[Requested | None, Requested | None]


def table_section(sides: Sides, marks: Marks, registered: Sequence[str] | None) -> list[DocRow]:
    """The lanes of both sides, those over their budget first. `registered` None: there is no registry."""
    rows = _rows(sides)
    single = None in sides
    heads = ("lane", *(("chars",) if single else ("before", "after")), "", "budget")
    table: list[tuple[Line, ...]] = [tuple((ink(word, Tone.MUTED),) for word in heads)]
    table += [_cells(pair, marks, single, registered is not None) for pair in rows]
    numbers = {1} if single else {1, 2}
    section: list[DocRow] = [Heading(safe("lanes"), (ink(_said(rows), Tone.MUTED),))]
    lines = laid(table, numbers)
    section.append(Across(" ", Words.of(*lines[0])))
    for pair, line in zip(rows, lines[1:], strict=True):
        section.append(Across(_sign(pair, single), Words.of(*line)))
    if not rows:
        section.append(note("no lane has anything in this request"))
    if are_own(sides):
        return section
    silent = [name for name in registered or () if name not in {_of(pair).lane for pair in rows}]
    if silent:
        section.append(note(visible(f"not in this request: {', '.join(silent)}")))
    if registered is None:
        section.append(note("no lanes.toml from here upwards, so no budget is known"))
    return section


def are_own(sides: Sides) -> bool:
    """Whether all lanes are the workbench's own, so that the registry of an app has no part in them."""
    bars = [bar for side in sides if side is not None for bar in side.bars]
    return bool(bars) and all(bar.ours for bar in bars)


def _of(pair: Pair) -> Bar:
    bar = pair[1] or pair[0]
    assert bar is not None
    return bar


def _rows(sides: Sides) -> list[Pair]:
    """The lanes of either side, the second side's order first; what is over its budget on one is first."""
    before, after = ({bar.lane: bar for bar in side.bars} if side is not None else {} for side in sides)
    pairs: list[Pair] = [(before.get(name), after.get(name)) for name in dict.fromkeys((*after, *before))]
    return sorted(pairs, key=lambda pair: not any(bar is not None and bar.over for bar in pair))


def _said(rows: Sequence[Pair]) -> str:
    over = sum(any(bar is not None and bar.over for bar in pair) for pair in rows)
    said = f"{len(rows)} with text or claims"
    return f"{said}, {over} over budget" if over else said


def _sign(pair: Pair, single: bool) -> str:
    """A lane that is over its budget on one side alone is a difference; that it is longer is none."""
    over = [bool(bar is not None and bar.over) for bar in pair]
    return "~" if not single and over[0] != over[1] else " "


def _cells(pair: Pair, marks: Marks, single: bool, budgeted: bool) -> tuple[Line, ...]:
    bar = _of(pair)
    name = middle_cut(visible(bar.lane), NAME_MAX)
    tone = marks.tone(bar.lane)
    sizes = (bar,) if single else pair
    return (
        (Piece(marks.letter(bar.lane), Tone.STRONG), ink(" "), Piece(name, tone)),
        *(_size(one) for one in sizes),
        _bar(bar, tone),
        tuple(piece for one in (*_budget(bar, budgeted), *_more(pair)) for piece in (one, ink("  ")))[:-1],
    )


def _size(bar: Bar | None) -> Line:
    return (ink(NONE, Tone.MUTED),) if bar is None else (ink(f"{bar.chars:,}"),)


def _bar(bar: Bar, tone: Tone) -> Line:
    """Full at the budget; what is over it ends in `▶`. Nothing where no number is its budget."""
    if not isinstance(bar.budget, int) or bar.size is None:
        return ()
    if bar.over:
        return (ink("█" * (BAR - 1) + "▶", Tone.ERROR),)
    full = min(BAR, round(BAR * bar.size / bar.budget)) if bar.budget else 0
    if 0 < bar.size < bar.budget:
        full = min(max(full, 1), BAR - 1)
    pieces = (ink("█" * full, tone), ink("░" * (BAR - full), Tone.HATCH))
    return tuple(piece for piece in pieces if piece.text)


def _budget(bar: Bar, budgeted: bool) -> Line:
    """The budget, or in words why there is none; then whether it is kept. Each piece a word."""
    if bar.ours:
        return (ink("the workbench's own", Tone.MUTED),)
    if not budgeted:
        return (ink(NONE, Tone.MUTED),)
    if not bar.registered:
        return (ink("not registered", Tone.WARNING),)
    if isinstance(bar.budget, Bound):
        return (ink(bar.budget.value, Tone.MUTED),)
    if bar.budget is None:
        return (ink("has no budget", Tone.WARNING),)
    unit = "" if bar.unit is Unit.CHARS else f" {bar.unit.value}"
    number = ink(f"{bar.budget:,}{unit}")
    if bar.over is None:
        return (number, ink("not counted", Tone.MUTED))
    return (number, ink(f"OVER by {bar.over:,}{unit}", Tone.ERROR)) if bar.over else (number,)


def _more(pair: Pair) -> Line:
    """What else must be said of a lane, on either side."""
    bar = _of(pair)
    said: list[Piece] = []
    before = pair[0]
    if before is not None and before is not bar and before.over and not bar.over:
        said.append(ink(f"before OVER by {before.over:,}", Tone.ERROR))
    if bar.unit is Unit.CHARS and bar.size is not None and bar.size > bar.chars:
        said.append(ink(f"+{bar.size - bar.chars:,} double", Tone.WARNING))
    if bar.missing:
        said.append(ink(f"{bar.missing:,} missing", Tone.WARNING))
    if bar.trust in FOREIGN:
        said.append(ink(FOREIGN[bar.trust], Tone.WARNING))
    return tuple(said)
