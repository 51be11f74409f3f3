"""What differs between two cells, as text, JSON or Markdown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from workbench.compare.run_diff import CellChange, CellFacts, Difference
from workbench.core.decision import Json
from workbench.core.text import SafeText, join, safe, visible
from workbench.report.as_diff import cell_view, differences_view
from workbench.report.as_markdown import code_span
from workbench.report.measure import middle, named, pad, width_of
from workbench.report.plain import dumped
from workbench.report.view import VERSION
from workbench.report.writer import Output, Piece, Style, Writer, own

__all__ = ["FORMATS", "CellDiff", "write_cell_diff"]

_SIDE = 160
_TYPED = 60


class CellDiff(NamedTuple):
    """Two cells, what of them is not the same, and the ids of the runs that they were stored by."""

    change: CellChange
    runs: tuple[str, str]

    @property
    def sides(self) -> tuple[tuple[CellFacts, str], tuple[CellFacts, str]]:
        """Each cell with its run."""
        return (self.change.before, self.runs[0]), (self.change.after, self.runs[1])


def write_cell_diff(name: str, diff: CellDiff, out: Output, style: Style) -> None:
    """Write the difference in the format `name`. Raises KeyError on an unknown one."""
    FORMATS[name](diff, out, style)


def _text(diff: CellDiff, out: Output, style: Style) -> None:
    writer = Writer(out, colour=style.colour)
    places = [_where(cell) for cell, _ in diff.sides]
    column = max(map(width_of, places))
    for sign, place, (cell, run) in zip("-+", places, diff.sides, strict=True):
        said = SafeText(f"{pad(place, column)}  {named(run)}  {_typed(cell, style)}")
        writer.line(Piece(safe(f"{sign} "), "dim"), said)
    writer.line()
    labels = [safe(difference.what) for difference in diff.change.differences]
    column = max(map(width_of, labels), default=0)
    for label, difference in zip(labels, diff.change.differences, strict=True):
        one, other = _both(difference, style)
        writer.line(Piece(SafeText(f"  {pad(label, column)}  "), "dim"), one, own(" → ", style), other)
    if not labels:
        writer.line(_nothing(diff))


def _json(diff: CellDiff, out: Output, style: Style) -> None:
    """One object; version 1: fields are added, never changed."""
    writer = Writer(out)
    writer.line(safe(f'{{"workbench": {VERSION},'))
    for name, (cell, run) in zip(("before", "after"), diff.sides, strict=True):
        writer.line(safe(f' "{name}": '), dumped({**cell_view(cell), "run": run}), safe(","))
    lines = [dumped(difference) for difference in differences_view(diff.change)]
    writer.line(safe(' "differences": ['))
    for number, line in enumerate(lines, 1):
        writer.line(safe("  "), line, safe("," if number < len(lines) else ""))
    writer.line(safe(" ],"))
    summary: dict[str, Json] = {"differences": len(lines), "differs": bool(lines)}
    writer.line(safe(' "summary": '), dumped(summary), safe("}"))


def _markdown(diff: CellDiff, out: Output, style: Style) -> None:
    writer, style = Writer(out), Style(ascii=style.ascii)
    for words, (cell, run) in zip(("before", "after"), diff.sides, strict=True):
        writer.line(
            safe(f"> {words}: "), code_span(_where(cell)), safe(" of "), code_span(named(run)), safe("  ")
        )
    writer.line()
    for difference in diff.change.differences:
        one, other = (code_span(side) for side in _both(difference, style))
        writer.line(safe(f"- {difference.what}: "), one, own(" → ", style), other)
    if not diff.change.differences:
        writer.line(_nothing(diff))


FORMATS: Mapping[str, Callable[[CellDiff, Output, Style], None]] = {
    "text": _text,
    "json": _json,
    "markdown": _markdown,
}


def _where(cell: CellFacts) -> SafeText:
    key = cell.key
    return join(
        (
            named(key.scenario),
            safe("#"),
            named(key.prompt),
            safe("@"),
            named(key.arm),
            safe(":"),
            named(key.adapter),
        )
    )


def _typed(cell: CellFacts, style: Style) -> SafeText:
    return middle(cell.typed, _TYPED, style) if cell.typed else safe("(nothing typed)")


def _nothing(diff: CellDiff) -> SafeText:
    """What two equal cells have in common."""
    cell = diff.change.after
    return SafeText(f"nothing differs: {visible(', '.join(cell.endings) or 'not run')} on both sides")


def _both(difference: Difference, style: Style) -> tuple[SafeText, SafeText]:
    return middle(difference.before, _SIDE, style), middle(difference.after, _SIDE, style)
