"""The calls tab: calls matched by name, their arguments by path, their order as a move."""

from __future__ import annotations

import json

from workbench.compare.calls import CallRow, Change, ChangeKind
from workbench.core.cell import Cell
from workbench.core.decision import Decision, Json, Outcome, ToolCall
from workbench.core.text import SafeText, safe, visible
from workbench.tui.view.ink import Line, Piece, Tone, ink
from workbench.tui.view.rows import DocRow, Heading, Pair, Words

__all__ = ["call_words", "calls_section"]

VALUE_MAX = 100_000


def _decision(cell: Cell | None) -> Decision | None:
    return cell.decision if cell is not None else None


def calls_section(baseline: Cell | None, variant: Cell, rows: tuple[CallRow, ...]) -> list[DocRow]:
    """Calls matched by name and arguments. A hold's calls are the declined ones."""
    section: list[DocRow] = [Heading(safe("calls"), _of_many(baseline, variant))]
    before, after = _decision(baseline), _decision(variant)
    if not rows:
        nothing = [_nothing_called(decision) for decision in (before, after)]
        section.append(Pair(" ", nothing[0] if baseline is not None else None, nothing[1]))
        return section
    declined = tuple(d is not None and d.outcome is Outcome.HOLD for d in (before, after))
    for row in rows:
        left = _call(row.baseline, declined[0]) if row.baseline is not None else None
        right = _call(row.variant, declined[1], _move(row)) if row.variant is not None else None
        section.append(Pair(" " if baseline is None else _call_sign(row, declined), left, right))
        section += [_change(change) for change in row.changes]
    for cell, decision, left_side in ((baseline, before, True), (variant, after, False)):
        if cell is not None and decision is None:
            words = _nothing_called(decision)
            section.append(Pair(" ", words, Words.of()) if left_side else Pair(" ", Words.of(), words))
    return section


def _of_many(baseline: Cell | None, variant: Cell) -> Line:
    """What is shown of answers that are not all alike is the most frequent one."""
    if max(len(cell.answers) for cell in (baseline, variant) if cell is not None) < 2:
        return ()
    return (ink("of the most frequent answer", Tone.MUTED),)


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


def _move(row: CallRow) -> str:
    """Where a call went in the order of its list; empty where it stays, or has no other side."""
    before, after = row.baseline_position, row.variant_position
    if before is None or after is None or before == after:
        return ""
    return f" moved from place {before + 1} to {after + 1}"


def _call(call: ToolCall, declined: bool, move: str = "") -> Words:
    said = [*call_words(call)]
    said += [ink(" declined", Tone.HOLD)] if declined else []
    return Words.of(*said, *((ink(move, Tone.WARNING),) if move else ()))


def call_words(call: ToolCall) -> Line:
    """A call's name and arguments."""
    name = Piece(visible(call.name), Tone.STRONG)
    if call.arguments is None:
        return (name, ink(" arguments not reported", Tone.MUTED))
    return (name, ink(" "), Piece(_json(call.arguments)))


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
