"""The scores tab: one row a route with both values, how far it moved, its threshold, rank and a bar."""

from __future__ import annotations

import math
from collections.abc import Sequence

from workbench.compare.scores import ScoreRow
from workbench.core.cell import Cell
from workbench.core.decision import Decision, Score
from workbench.core.text import SafeText, safe, visible
from workbench.tui.view.cells import middle_cut, pad, width_of
from workbench.tui.view.ink import Line, Piece, Tone, ink
from workbench.tui.view.rows import Across, DocRow, Full, Heading, Pair, Words, note

__all__ = ["scores_section"]

ROUTE_MAX = 26
BAR = 16
NONE = "–"


def scores_section(
    baseline: Cell | None, variant: Cell, rows: tuple[ScoreRow, ...], names: tuple[SafeText | None, SafeText]
) -> list[DocRow]:
    """The table, the best of the baseline first; in words where a side has no scores."""
    before, after = baseline.decision if baseline else None, variant.decision
    heading = Heading(safe("scores"))
    if not rows:
        nothing = [_nothing(decision) for decision in (before, after)]
        return [heading, Pair(" ", nothing[0] if baseline is not None else None, nothing[1])]
    single = baseline is None
    scale = _scale(rows)
    table = [_head(single), *(_cells(row, single) for row in rows)]
    bars = [None, *(Words.of(*_bar(row, scale)) if scale is not None else None for row in rows)]
    widths = [max(map(width_of, column)) for column in zip(*table, strict=True)]
    signs = (" ", *(_sign(row, single) for row in rows))
    section: list[DocRow] = [heading]
    for mark, cells, bar in zip(signs, table, bars, strict=True):
        padded = (pad(cell, width + 2) for cell, width in zip(cells, widths, strict=True))
        section.append(Across(mark, Words.of(*(piece for cell in padded for piece in cell)), bar))
    for name, cell, decision in ((names[0], baseline, before), (names[1], variant, after)):
        if cell is not None and name is not None and (decision is None or decision.scores is None):
            section.append(Full(Words.of(Piece(name, Tone.STRONG), ink(": "), *_nothing(decision).line)))
    if scale is not None:
        low, high = scale
        keys = "" if single else ", ▒ what it moved"
        ends = f"the bar, where there is room, goes from {low:.4g} to {high:.4g}"
        section.append(note(f"{ends}: █ the score{keys}, ┃ the threshold"))
    return section


def _nothing(decision: Decision | None) -> Words:
    if decision is None:
        return Words.of(ink("failed: no decision", Tone.WARNING))
    if decision.scores is None:
        return Words.of(ink("scores not reported", Tone.MUTED))
    return Words.of(ink("no scores: reported empty", Tone.MUTED))


def _sign(row: ScoreRow, single: bool) -> str:
    if single:
        return " "
    if row.baseline is None or row.variant is None:
        return "+" if row.baseline is None else "-"
    moved = row.baseline != row.variant or row.baseline_rank != row.variant_rank
    return "~" if moved else " "


def _head(single: bool) -> tuple[Line, ...]:
    values = ("score",) if single else ("before", "after", "moved")
    return tuple((ink(word, Tone.MUTED),) for word in ("route", *values, "rank", "threshold"))


def _cells(row: ScoreRow, single: bool) -> tuple[Line, ...]:
    name = (Piece(middle_cut(visible(row.route), ROUTE_MAX), Tone.STRONG),)
    more = (_rank(row, single), _threshold(row, single))
    if single:
        return (name, (_value(row.variant),), *more)
    return (name, (_value(row.baseline),), (_value(row.variant),), (_moved(row),), *more)


def _moved(row: ScoreRow) -> Piece:
    if row.delta is None:
        return ink(NONE, Tone.MUTED)
    return ink(f"{row.delta:+.4g}", Tone.WARNING) if row.delta else ink("0", Tone.MUTED)


def _value(score: Score | None) -> Piece:
    """What the router went by stands beside the score where it is another number."""
    if score is None:
        return ink(NONE, Tone.MUTED)
    return ink(f"{score.value:.4g}" if score.used is None else f"{score.value:.4g} used {score.used:.4g}")


def _rank(row: ScoreRow, single: bool) -> Line:
    after = f"#{row.variant_rank}" if row.variant_rank is not None else NONE
    if single or row.baseline_rank == row.variant_rank:
        return (ink(after, Tone.MUTED),)
    before = f"#{row.baseline_rank}" if row.baseline_rank is not None else NONE
    return (ink(f"{before}→{after}", Tone.WARNING),)


def _over(score: Score | None) -> str:
    if score is None or score.threshold is None:
        return NONE
    return "≥" if score.deciding >= score.threshold else "<"


def _threshold(row: ScoreRow, single: bool) -> Line:
    limits = [score.threshold for score in (row.baseline, row.variant) if score is not None]
    known = list(dict.fromkeys(limit for limit in limits if limit is not None))
    if not known:
        return (ink("none reported", Tone.MUTED),)
    said = "→".join(f"{limit:.4g}" for limit in known)
    before, after = _over(row.baseline), _over(row.variant)
    sides = after if single or before == after else f"{before}→{after}"
    tone = Tone.OK if after == "≥" else Tone.MUTED
    line: Line = (ink(f"{sides} {said}", tone),)
    return (*line, ink(" crossed", Tone.ERROR)) if row.crossed else line


def _scale(rows: Sequence[ScoreRow]) -> tuple[float, float] | None:
    """The ends of every bar: 0 and 1 unless a value lies outside; None without a finite value."""
    scores = [score for row in rows for score in (row.baseline, row.variant) if score is not None]
    values = [score.value for score in scores]
    values += [score.threshold for score in scores if score.threshold is not None]
    finite = [value for value in values if math.isfinite(value)]
    if not finite:
        return None
    low, high = min(0.0, *finite), max(1.0, *finite)
    return (low, high) if math.isfinite(high - low) else None


def _bar(row: ScoreRow, scale: tuple[float, float]) -> Line:
    """`█` up to the lower of both values, `▒` between them, `┃` where the threshold stands."""

    def at(value: float | None) -> int | None:
        if value is None or not math.isfinite(value):
            return None
        return round((value - scale[0]) / (scale[1] - scale[0]) * BAR)

    ends = [at(score.value) for score in (row.baseline, row.variant) if score is not None]
    known = [end for end in ends if end is not None]
    low, high = (min(known), max(known)) if known else (0, 0)
    score = row.variant or row.baseline
    limit = at(score.threshold) if score is not None else None
    mark = min(limit, BAR - 1) if limit is not None else None
    line = []
    for number in range(BAR):
        if number == mark:
            line.append(ink("┃", Tone.STRONG))
        elif number < low:
            line.append(ink("█", Tone.PASS))
        elif number < high:
            line.append(ink("▒", Tone.WARNING))
        else:
            line.append(ink("░", Tone.HATCH))
    return tuple(line)
