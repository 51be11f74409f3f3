"""Scores and calls of two arms, row by row."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from workbench.compare.calls import CallRow, Change, ChangeKind, call_rows
from workbench.compare.scores import ScoreRow, score_rows
from workbench.core.decision import Outcome, Score, ToolCall
from workbench.core.text import SafeText, join, safe
from workbench.report.evidence import Seen
from workbench.report.facts import EMPTY, NOT_REPORTED
from workbench.report.measure import cut, middle, named, pad, width_of
from workbench.report.plain import spelled
from workbench.report.writer import Line, Piece, Style, own

__all__ = ["call_words", "calls", "number", "scores", "signed"]

_MOST_ROUTES = 12
_MOST_CALLS = 20
_ROUTE_CELLS = 80
_ARGUMENTS = 240


def number(value: float) -> SafeText:
    """A score as short as three decimals or four digits allow."""
    if not math.isfinite(value):
        return safe(str(value))
    return safe(f"{value:.3f}" if value == 0 or 0.001 <= abs(value) < 1000 else f"{value:.4g}")


def signed(value: float) -> SafeText:
    """`number` with its sign."""
    return SafeText(f"{'+' if value >= 0 else ''}{number(value)}")


def scores(sides: Sequence[Seen], style: Style) -> list[Line]:
    """Both arms' scores, a line per route: value, rank, margin to its threshold; then what changed.

    Nothing where no arm reports scores.
    """
    if all(side.scores is None for side in sides):
        return []
    baseline, variant = (sides[0], sides[-1]) if len(sides) > 1 else (None, sides[0])
    rows = score_rows(baseline.scores if baseline else None, variant.scores)
    shown = [row for index, row in enumerate(rows) if index < _MOST_ROUTES or row.crossed][: 2 * _MOST_ROUTES]
    head = [safe("route"), *(named(side.arm) for side in sides), safe("")]
    table = [head, *(_score_cells(row, sides, style) for row in shown)]
    lines = [*_table(table, style), *_states(sides)]
    if len(rows) > len(shown):
        lines.append((Piece(safe(f"and {len(rows) - len(shown):,} more routes"), "dim"),))
    return lines if shown else _states(sides)


def _states(sides: Sequence[Seen]) -> list[Line]:
    """A line for each arm whose scores are none: not reported, empty or failed."""
    lines: list[Line] = []
    for side in sides:
        if not side.scores:
            failed = safe("failed") if side.outcome is None else NOT_REPORTED
            state = EMPTY if side.scores is not None else failed
            lines.append((Piece(SafeText(f"{named(side.arm)}: {state}"), "dim"),))
    return lines


def _score_cells(row: ScoreRow, sides: Sequence[Seen], style: Style) -> list[SafeText]:
    cells = [cut(row.route, _ROUTE_CELLS, style)]
    if len(sides) > 1:
        cells.append(_score(row.baseline, row.baseline_rank))
    cells.append(_score(row.variant, row.variant_rank))
    cells.append(_score_change(row, style) if len(sides) > 1 else safe(""))
    return cells


def _score(score: Score | None, rank: int | None) -> SafeText:
    if score is None:
        return NOT_REPORTED
    used = safe("") if score.used is None else SafeText(f" (used {number(score.used)})")
    words = [SafeText(f"{number(score.value)}{used}"), safe(f"#{rank}" if rank else "")]
    if score.margin is not None and math.isfinite(score.margin):
        words.append(signed(score.margin))
    return join(words, "  ")


def _score_change(row: ScoreRow, style: Style) -> SafeText:
    words: list[SafeText] = []
    if row.delta is not None and math.isfinite(row.delta):
        words.append(SafeText(f"change {signed(row.delta)}" if row.delta else "unchanged"))
    if row.baseline_rank and row.variant_rank and row.baseline_rank != row.variant_rank:
        words.append(own(f"rank {row.baseline_rank} → {row.variant_rank}", style))
    threshold = (row.variant and row.variant.threshold) or (row.baseline and row.baseline.threshold)
    if row.crossed:
        words.append(SafeText(f"CROSSES its threshold {number(threshold)}" if threshold else "CROSSES 0"))
    return join(words, ", ")


def _table(table: Sequence[Sequence[SafeText]], style: Style) -> Iterator[Line]:
    widths = [max(width_of(row[column]) for row in table) for column in range(len(table[0]))]
    for index, row in enumerate(table):
        cells = [pad(cell, width) for cell, width in zip(row, widths, strict=True)]
        text = SafeText(join(cells, "  ").rstrip())
        yield (Piece(text, "dim" if index == 0 else ""),)


def calls(sides: Sequence[Seen], style: Style) -> list[Line]:
    """The calls of both arms: `-` only the first, `+` only the second, `~` other arguments, `=` the same."""
    baseline, variant = (sides[0], sides[-1]) if len(sides) > 1 else (None, sides[0])
    if not any(side.calls for side in sides):
        return []
    if baseline is None:
        return [(Piece(call_words(call, variant.outcome, style)),) for call in variant.calls[:_MOST_CALLS]]
    lines: list[Line] = []
    rows = call_rows(baseline.calls, variant.calls)
    for row in rows[:_MOST_CALLS]:
        lines += _call_row(row, baseline, variant, style)
    if len(rows) > _MOST_CALLS:
        lines.append((Piece(safe(f"and {len(rows) - _MOST_CALLS:,} more"), "dim"),))
    return lines


def _call_row(row: CallRow, baseline: Seen, variant: Seen, style: Style) -> Iterator[Line]:
    if row.variant is None:
        if row.baseline is not None:
            yield (Piece(safe("- "), "error"), Piece(call_words(row.baseline, baseline.outcome, style)))
    elif row.baseline is None:
        yield (Piece(safe("+ "), "good"), Piece(call_words(row.variant, variant.outcome, style)))
    elif not row.changes:
        yield (Piece(safe("= ")), Piece(call_words(row.variant, variant.outcome, style)))
    else:
        yield (Piece(safe("~ "), "warning"), Piece(named(row.name)))
        for change in row.changes[:_MOST_CALLS]:
            yield (Piece(safe("    ")), Piece(_change(change, style)))


def call_words(call: ToolCall, outcome: str | None, style: Style) -> SafeText:
    """One call with its arguments; of a hold it is a declined one."""
    if call.arguments is None:
        arguments = safe("(arguments not reported)")
    elif call.arguments == {}:
        arguments = safe("(no arguments)")
    else:
        arguments = middle(spelled(call.arguments), _ARGUMENTS, style)
    declined = safe("  declined") if outcome == Outcome.HOLD else safe("")
    return join((named(call.name), safe(" "), arguments, declined))


def _change(change: Change, style: Style) -> SafeText:
    path = named(change.path) if change.path else safe("all arguments")
    if change.kind is ChangeKind.ADDED:
        values = middle(spelled(change.after), _ARGUMENTS, style)
    elif change.kind is ChangeKind.REMOVED:
        values = middle(spelled(change.before), _ARGUMENTS, style)
    else:
        before, after = (middle(spelled(v), _ARGUMENTS, style) for v in (change.before, change.after))
        values = join((before, own(" → ", style), after))
    return SafeText(f"{path}: {values}  ({change.kind.value})")
