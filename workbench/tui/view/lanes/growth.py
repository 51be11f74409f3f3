"""How a request grows, message by message: what each adds, what stands there by then, what of it is dark."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.core.text import SafeText, safe, visible
from workbench.lanes.requested import Growth
from workbench.tui.view.cells import middle_cut
from workbench.tui.view.ink import Line, Piece, Tone, ink
from workbench.tui.view.lanes.columns import laid
from workbench.tui.view.rows import Across, DocRow, Heading, Words, note

__all__ = ["growth_section"]

PLACE_MAX = 22
BAR = 16
NONE = "–"

Step = tuple[Growth | None, Growth | None]
"""What stands at one place of both requests."""


def growth_section(before: Sequence[Growth] | None, after: Sequence[Growth] | None) -> list[DocRow]:
    """One row for what stands at each place of the body, in its order. None: that side is not known."""
    steps = _steps(before or (), after or ())
    if not steps:
        return []
    single = before is None or after is None
    known = after if after is not None else before or ()
    total = max((one.total for step in steps for one in step if one is not None), default=0)
    heads = ("where", "whose", *(("chars",) if single else ("before", "after")), "so far", "dark")
    table: list[tuple[Line, ...]] = [tuple((ink(word, Tone.MUTED),) for word in heads)]
    table += [_cells(step, single) for step in steps]
    section: list[DocRow] = [Heading(safe("growth"), (ink(_said(known), Tone.MUTED),))]
    bars: list[Line] = [(), *(_bar(step[1] or step[0], total) for step in steps)]
    for line, bar in zip(laid(table, range(2, len(heads))), bars, strict=True):
        section.append(Across(" ", Words.of(*line), Words.of(ink("  "), *bar)))
    section.append(note("the bar, where there is room: ▒ what stood there before, █ what this adds"))
    return section


def _said(growth: Sequence[Growth]) -> str:
    count = len(growth)
    return f"{count:,} part{'' if count == 1 else 's'}, in the order of the body"


def _steps(before: Sequence[Growth], after: Sequence[Growth]) -> list[Step]:
    """What both have at one place in one step; what the first alone has stands where it would be."""
    theirs = {one.label: one for one in after}
    ours = {one.label: one for one in before}
    steps: list[Step] = []
    waiting = iter([one for one in before if one.label not in theirs])
    alone = next(waiting, None)
    order = {one.label: number for number, one in enumerate(before)}
    for one in after:
        here = order.get(one.label)
        while alone is not None and here is not None and order[alone.label] < here:
            steps.append((alone, None))
            alone = next(waiting, None)
        steps.append((ours.get(one.label), one))
    while alone is not None:
        steps.append((alone, None))
        alone = next(waiting, None)
    return steps


def _cells(step: Step, single: bool) -> tuple[Line, ...]:
    shown = step[1] or step[0]
    assert shown is not None
    name: SafeText = middle_cut(visible(shown.label), PLACE_MAX)
    sizes = (shown,) if single else step
    return (
        (Piece(name, Tone.STRONG),),
        (Piece(visible(shown.role)),),
        *((_number(one.sent if one is not None else None),) for one in sizes),
        (_number(shown.total),),
        (ink(f"{shown.dark:,}", Tone.WARNING if shown.dark else Tone.MUTED),),
    )


def _number(count: int | None) -> Piece:
    return ink(NONE, Tone.MUTED) if count is None else ink(f"{count:,}")


def _bar(one: Growth | None, total: int) -> Line:
    """What adds anything at all is never drawn as nothing."""
    if one is None or not total:
        return ()
    start = (one.total - one.sent) * BAR // total
    end = round(one.total * BAR / total)
    if one.sent and end <= start:
        end = start + 1
        if end > BAR:
            start, end = BAR - 1, BAR
    pieces = (
        ink("▒" * start, Tone.PASS),
        ink("█" * (end - start), Tone.WARNING if one.dark else Tone.KEY),
        ink("░" * (BAR - end), Tone.HATCH),
    )
    return tuple(piece for piece in pieces if piece.text)
