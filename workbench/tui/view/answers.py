"""The different answers of sampled cells, each with how often it came and the calls that it makes."""

from __future__ import annotations

from workbench.core.cell import Cell
from workbench.core.decision import Decision, Outcome
from workbench.core.text import safe
from workbench.tui.view.calls import call_words
from workbench.tui.view.ink import Piece, Tone, ink, outcome_tone, outcome_word
from workbench.tui.view.rows import DocRow, Heading, Pair, Words, note

__all__ = ["answers_section"]

CALLS_MAX = 8

_Counts = dict[object, tuple[Decision, int]]


def answers_section(baseline: Cell | None, variant: Cell, most: int) -> list[DocRow]:
    """The answers of both sides side by side, the most frequent first; at most `most` of them.

    Two sides never sample just the same, so no row counts as a difference.
    """
    before, after = _counts(baseline), _counts(variant)
    keys = list(dict.fromkeys((*before, *after)))
    keys.sort(key=lambda key: -max(counts.get(key, _NEVER)[1] for counts in (before, after)))
    sizes = [str(len(counts)) for cell, counts in ((baseline, before), (variant, after)) if cell is not None]
    said = f"{' and '.join(sizes)} different"
    section: list[DocRow] = [Heading(safe("answers"), (ink(said, Tone.MUTED),))]
    for key in keys[:most]:
        sides = [_words(cell, counts.get(key)) for cell, counts in ((baseline, before), (variant, after))]
        sign = " " if baseline is None or all(sides) else "-" if sides[0] else "+"
        section.append(Pair(sign, sides[0], sides[1], quiet=True))
    if not keys:
        section.append(note("none: no trial has a decision", Tone.WARNING))
    if len(keys) > most:
        section.append(note(f"and {len(keys) - most:,} more"))
    return section


_NEVER: tuple[Decision, int] = (Decision(Outcome.PASS), 0)


def _counts(cell: Cell | None) -> _Counts:
    if cell is None:
        return {}
    return {decision.identity(): (decision, count) for decision, count in cell.answers}


def _words(cell: Cell | None, answer: tuple[Decision, int] | None) -> Words | None:
    if cell is None or answer is None:
        return None
    decision, count = answer
    said: list[Piece] = [ink(f"{count:,} of {len(cell.ok):,}  ", Tone.MUTED)]
    said.append(ink(outcome_word(decision.outcome), outcome_tone(decision.outcome)))
    declined = decision.outcome is Outcome.HOLD
    said += [ink(" declined", Tone.HOLD)] if declined and decision.calls else []
    for number, call in enumerate(decision.calls[:CALLS_MAX]):
        said += [ink("; " if number else " "), *call_words(call)]
    if len(decision.calls) > CALLS_MAX:
        said.append(ink(f"; and {len(decision.calls) - CALLS_MAX:,} more", Tone.MUTED))
    return Words.of(*said)
