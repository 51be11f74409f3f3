"""The decision section: outcome and calls of both sides, what was expected, and every failure in words."""

from __future__ import annotations

from workbench.core.cell import Cell
from workbench.core.decision import Match, Outcome
from workbench.core.text import safe, visible
from workbench.core.turn import Turn
from workbench.tui.view.ink import Line, Piece, Tone, author_tone, ink, outcome_tone, outcome_word
from workbench.tui.view.rows import DocRow, Heading, Pair, Words, note

__all__ = ["decision_section", "matches_section"]


def decision_section(baseline: Cell | None, variant: Cell, same: bool) -> list[DocRow]:
    """What was decided on both sides. `same` says that outcome and tools are equal."""
    left = Words.of(*_decision(baseline)) if baseline is not None else None
    section: list[DocRow] = [
        Heading(safe("decision"), _expected(variant)),
        Pair(" " if same or baseline is None else "~", left, Words.of(*_decision(variant))),
    ]
    befores, afters = _asides(baseline), _asides(variant)
    for number in range(max(len(befores), len(afters))):
        before = befores[number] if number < len(befores) else None
        after = afters[number] if number < len(afters) else None
        section.append(Pair(" ", Words.of(*before) if before else _blank(baseline), _words(after)))
    return section


def _blank(baseline: Cell | None) -> Words | None:
    return Words.of() if baseline is not None else None


def _words(line: Line | None) -> Words:
    return Words.of(*(line or ()))


def _expected(cell: Cell) -> Line:
    expect = cell.delivery.expect
    if expect is None:
        return ()
    return (ink("expected ", Tone.MUTED), Piece(visible(expect.spelled or "something else"), Tone.STRONG))


def _decision(cell: Cell) -> Line:
    decision = cell.decision
    if decision is None:
        return (ink("no decision: ", Tone.WARNING), ink(_statuses(cell), Tone.WARNING))
    said = [ink(outcome_word(decision.outcome), outcome_tone(decision.outcome))]
    if decision.calls:
        said.append(ink(" declined " if decision.outcome is Outcome.HOLD else " ", Tone.MUTED))
        for number, tool in enumerate(decision.tools):
            said += [ink(", ")] if number else []
            said.append(Piece(visible(tool), Tone.STRONG))
    agreeing = sum(
        1 for trial in cell.ok if trial.decision and trial.decision.identity() == decision.identity()
    )
    tone = Tone.MUTED if agreeing == len(cell.ok) else Tone.WARNING
    said.append(ink(f"  {agreeing}/{len(cell.ok)} trials", tone))
    if cell.failed:
        said.append(ink(f", {cell.failed} more failed: {_statuses(cell)}", Tone.WARNING))
    return tuple(said)


def _statuses(cell: Cell) -> str:
    bad = [f"{count} {name}" for name, count in cell.statuses.items() if name != "ok"]
    return ", ".join(bad)


def _asides(cell: Cell | None) -> list[Line]:
    """Errors, notes and flags, each on a line of its own."""
    if cell is None:
        return []
    lines: list[Line] = []
    errors = dict.fromkeys(trial.error for trial in cell.trials if trial.error)
    lines += [(ink("error: ", Tone.WARNING), Piece(visible(error))) for error in errors]
    raws = dict.fromkeys(trial.raw for trial in cell.trials if trial.raw and not trial.ok)
    lines += [(ink("answered: ", Tone.WARNING), Piece(visible(raw[:2000]))) for raw in raws]
    decision = cell.decision
    if decision is not None:
        if decision.note:
            lines.append((ink("note: ", Tone.MUTED), Piece(visible(decision.note))))
        lines += [(ink("unusual: ", Tone.WARNING), Piece(visible(flag))) for flag in decision.flags]
    return lines


def matches_section(baseline: Cell | None, variant: Cell) -> list[DocRow]:
    """The rules that matched, where, and in whose words; empty where neither side reports any."""
    before, after = _matches(baseline), _matches(variant)
    if before is None and after is None:
        return []
    section: list[DocRow] = [Heading(safe("matched"))]
    if baseline is None:
        return section + [Pair(" ", None, Words.of(*line)) for line in _match_lines(variant, after)]
    shared = {(m.rule, m.text) for m in before or ()} & {(m.rule, m.text) for m in after or ()}
    for match in before or ():
        twin = next((m for m in after or () if (m.rule, m.text) == (match.rule, match.text)), None)
        right = Words.of(*_match(twin, variant.delivery.turn)) if twin else None
        section.append(Pair(" " if twin else "-", Words.of(*_match(match, baseline.delivery.turn)), right))
    for match in after or ():
        if (match.rule, match.text) not in shared:
            section.append(Pair("+", None, Words.of(*_match(match, variant.delivery.turn))))
    if not before and not after:
        empty = [Words.of(*_match_lines(*side)[0]) for side in ((baseline, before), (variant, after))]
        section.append(Pair(" ", empty[0], empty[1]))
    elif before is None or after is None:
        side = "baseline" if before is None else "variant"
        section.append(note(f"the {side} does not report what matched"))
    return section


def _matches(cell: Cell | None) -> tuple[Match, ...] | None:
    return cell.decision.matches if cell is not None and cell.decision is not None else None


def _match_lines(cell: Cell, matches: tuple[Match, ...] | None) -> list[Line]:
    if matches is None:
        return [(ink("not reported", Tone.MUTED),)]
    if not matches:
        return [(ink("none", Tone.MUTED),)]
    return [_match(match, cell.delivery.turn) for match in matches]


def _match(match: Match, turn: Turn) -> Line:
    said: list[Piece] = []
    if match.text is not None:
        said += [ink("“", Tone.MUTED), Piece(visible(match.text), Tone.STRONG), ink("” ", Tone.MUTED)]
    said.append(Piece(visible(match.rule)))
    if match.start is not None and match.end is not None:
        said.append(ink(f" at {match.start}-{match.end}", Tone.MUTED))
        author = next((r.author for r in turn.regions if r.start <= match.start < r.end), None)
        if author is not None:
            said += [ink(" in "), ink(author.value, author_tone(author))]
    return tuple(said)
