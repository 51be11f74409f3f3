"""The comparison of a cell with its baseline as one document, and its differences in reading order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.compare.calls import CallRow, call_rows
from workbench.compare.pair import Comparison, compare
from workbench.compare.scores import score_rows
from workbench.core.cell import BARE, Cell
from workbench.core.decision import Decision, Score
from workbench.core.finding import Finding
from workbench.core.relation import Relation, broken
from workbench.core.text import SafeText, visible
from workbench.tui.view.decision import decision_section, matches_section
from workbench.tui.view.figures import calls_section, scores_section
from workbench.tui.view.headline import headline, sign
from workbench.tui.view.ink import Tone, ink
from workbench.tui.view.rows import DocRow, Full, Pair, Words, note
from workbench.tui.view.window import window_section

__all__ = ["Document", "compare_cells", "differences_of"]


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """Rows to draw. `names` of both sides; the first is None where a cell stands by itself.

    `differences` are ranges [first, last] of rows. `cell` is the answer that it was made from.
    """

    names: tuple[SafeText | None, SafeText]
    rows: tuple[DocRow, ...]
    differences: tuple[tuple[int, int], ...] = ()
    cell: Cell | None = None


def compare_cells(
    baseline: Cell | None,
    variant: Cell,
    findings: Sequence[Finding] = (),
    stale: bool = False,
    mixed: bool = False,
) -> Document:
    """Findings, decision, window, matched rules, scores and calls of both sides. Slow on huge windows."""
    comparison = compare(baseline, variant)
    rows: list[DocRow] = [Full(Words.of(sign(finding), ink(" "), *headline(finding))) for finding in findings]
    if stale:
        rows.append(note("! what would be sent has changed since this answer: r runs it again", Tone.WARNING))
    if mixed:
        rows.append(note("! the two sides are of different runs: r runs both again", Tone.WARNING))
    if baseline is None and variant.key.arm != BARE:
        rows.append(note("! bare has not been run, so there is nothing to hold this against", Tone.WARNING))
    before, after = _decision(baseline), variant.decision
    same = before is not None and after is not None and not broken(Relation.EQUAL, before, after)
    rows += decision_section(baseline, variant, same)
    windows = (comparison.baseline_window, comparison.variant_window)
    rows += window_section(baseline, variant, windows, comparison.window_rows)
    rows += matches_section(baseline, variant)
    rows += scores_section(baseline, variant, score_rows(_scores(before), _scores(after)))
    rows += calls_section(baseline, variant, _calls(comparison, before, after))
    names = (visible(baseline.key.arm) if baseline else None, visible(variant.key.arm))
    return Document(names, tuple(rows), differences_of(rows), variant)


def _decision(cell: Cell | None) -> Decision | None:
    return cell.decision if cell is not None else None


def _scores(decision: Decision | None) -> tuple[Score, ...] | None:
    return decision.scores if decision is not None else None


def _calls(comparison: Comparison, before: Decision | None, after: Decision | None) -> tuple[CallRow, ...]:
    """Matched calls; where one side failed, or there is none, the calls of the other by themselves."""
    if comparison.calls is not None:
        return comparison.calls
    return call_rows(before.calls if before else (), after.calls if after else ())


def differences_of(rows: Sequence[DocRow]) -> tuple[tuple[int, int], ...]:
    """Runs of rows that differ, each one difference."""
    found: list[tuple[int, int]] = []
    for number, row in enumerate(rows):
        if not isinstance(row, Pair) or not row.differs:
            continue
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return tuple(found)
