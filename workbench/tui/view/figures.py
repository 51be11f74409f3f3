"""The score and call sections: routes with both values, calls matched by name, arguments by path."""

from __future__ import annotations

import json

from workbench.compare.calls import CallRow, Change, ChangeKind
from workbench.compare.scores import ScoreRow
from workbench.core.cell import Cell
from workbench.core.decision import Decision, Json, Outcome, Score, ToolCall
from workbench.core.text import SafeText, safe, visible
from workbench.tui.view.cells import middle_cut, pad
from workbench.tui.view.ink import Line, Piece, Tone, ink
from workbench.tui.view.rows import DocRow, Heading, Pair, Words

__all__ = ["calls_section", "scores_section"]

ROUTE_MAX = 32
VALUE_MAX = 100_000


def scores_section(baseline: Cell | None, variant: Cell, rows: tuple[ScoreRow, ...]) -> list[DocRow]:
    """One row a route: value, threshold, rank, and how far it moved."""
    heading = Heading(safe("scores"))
    before, after = _decision(baseline), _decision(variant)
    if not rows:
        nothing = [_nothing(d, d.scores if d else None, "scores") for d in (before, after)]
        return [heading, Pair(" ", nothing[0] if baseline is not None else None, nothing[1])]
    width = min(ROUTE_MAX, max(len(visible(row.route)) for row in rows))
    section: list[DocRow] = [heading]
    for row in rows:
        left = _score(row.route, row.baseline, row.baseline_rank, width)
        right = _score(row.route, row.variant, row.variant_rank, width, row)
        if baseline is None:
            section.append(Pair(" ", None, right))
            continue
        section.append(Pair(_score_sign(row), left, right))
    for side, cell, decision in (("baseline", baseline, before), ("variant", variant, after)):
        if cell is not None and (decision is None or decision.scores is None):
            words = _nothing(decision, None, "scores")
            section.append(
                Pair(" ", words, Words.of()) if side == "baseline" else Pair(" ", Words.of(), words)
            )
    return section


def _decision(cell: Cell | None) -> Decision | None:
    return cell.decision if cell is not None else None


def _nothing(decision: Decision | None, reported: tuple[object, ...] | None, what: str) -> Words:
    if decision is None:
        return Words.of(ink("failed: no decision", Tone.WARNING))
    if reported is None:
        return Words.of(ink(f"{what} not reported", Tone.MUTED))
    return Words.of(ink(f"no {what}: reported empty", Tone.MUTED))


def _score_sign(row: ScoreRow) -> str:
    if row.baseline is None:
        return "+"
    if row.variant is None:
        return "-"
    moved = row.baseline != row.variant or row.baseline_rank != row.variant_rank
    return "~" if moved else " "


def _score(
    route: str, score: Score | None, rank: int | None, width: int, row: ScoreRow | None = None
) -> Words | None:
    if score is None:
        return None
    name = pad((Piece(middle_cut(visible(route), width), Tone.STRONG),), width)
    said = [*name, ink(f"  {score.value:.4g}")]
    if score.threshold is not None:
        over = score.value >= score.threshold
        sign = "≥" if over else "<"
        said.append(ink(f" {sign} {score.threshold:.4g}", Tone.OK if over else Tone.MUTED))
    if rank is not None:
        said.append(ink(f"  #{rank}", Tone.MUTED))
    if row is not None and row.delta:
        said.append(ink(f"  {row.delta:+.4g}", Tone.WARNING))
    if row is not None and row.crossed:
        said.append(ink("  crossed its threshold", Tone.ERROR))
    return Words.of(*said)


def calls_section(baseline: Cell | None, variant: Cell, rows: tuple[CallRow, ...]) -> list[DocRow]:
    """Calls matched by name and arguments. A hold's calls are the declined ones."""
    section: list[DocRow] = [Heading(safe("calls"))]
    before, after = _decision(baseline), _decision(variant)
    if not rows:
        nothing = [_nothing_called(decision) for decision in (before, after)]
        section.append(Pair(" ", nothing[0] if baseline is not None else None, nothing[1]))
        return section
    declined = tuple(d is not None and d.outcome is Outcome.HOLD for d in (before, after))
    for row in rows:
        left = _call(row.baseline, declined[0]) if row.baseline is not None else None
        right = _call(row.variant, declined[1]) if row.variant is not None else None
        section.append(Pair(" " if baseline is None else _call_sign(row, declined), left, right))
        section += [_change(change) for change in row.changes]
    for cell, decision, left_side in ((baseline, before, True), (variant, after, False)):
        if cell is not None and decision is None:
            words = _nothing_called(decision)
            section.append(Pair(" ", words, Words.of()) if left_side else Pair(" ", Words.of(), words))
    return section


def _nothing_called(decision: Decision | None) -> Words:
    if decision is None:
        return Words.of(ink("failed: no decision", Tone.WARNING))
    return Words.of(ink("no calls", Tone.MUTED))


def _call_sign(row: CallRow, declined: tuple[bool, ...]) -> str:
    if row.baseline is None:
        return "+"
    if row.variant is None:
        return "-"
    return "~" if row.changes or declined[0] != declined[1] else " "


def _call(call: ToolCall, declined: bool) -> Words:
    said: list[Piece] = [Piece(visible(call.name), Tone.STRONG)]
    if call.arguments is None:
        said.append(ink(" arguments not reported", Tone.MUTED))
    else:
        said += [ink(" "), Piece(_json(call.arguments))]
    return Words.of(*said, *((ink(" declined", Tone.HOLD),) if declined else ()))


def _change(change: Change) -> Pair:
    path = visible(change.path) if change.path else safe("all arguments")
    before = None if change.kind is ChangeKind.ADDED else Words.of(*_argument(path, change.before))
    after = None if change.kind is ChangeKind.REMOVED else Words.of(*_argument(path, change.after))
    sign = {ChangeKind.ADDED: "+", ChangeKind.REMOVED: "-"}.get(change.kind, "~")
    return Pair(sign, before, after)


def _argument(path: SafeText, value: Json) -> Line:
    return (ink("  "), Piece(path, Tone.MUTED), ink(" "), Piece(_json(value)))


def _json(value: Json) -> SafeText:
    # Text stays text, so that a person can read it; visible() marks what JSON would have escaped.
    return visible(json.dumps(value, ensure_ascii=False, default=str)[:VALUE_MAX])
