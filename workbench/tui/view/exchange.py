"""The request tab of a model or service: the very bodies that went over the wire in one trial."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from workbench.compare.align import align
from workbench.compare.rows import Row, RowKind
from workbench.core.cell import Cell
from workbench.core.decision import Outcome
from workbench.core.exchange import Exchange, Usage
from workbench.core.text import safe, visible
from workbench.core.trial import Trial
from workbench.core.turn import Turn
from workbench.tui.view.ink import Line, Piece, Tone, ink
from workbench.tui.view.rows import DocRow, Heading, Pair, Words
from workbench.tui.view.scan import Scan, scan_rows
from workbench.tui.view.window import lines_of

__all__ = ["exchange_section", "laid_out", "shown_trial", "which_trial"]

PRETTY_MAX = 4_000_000
"""Characters of a body up to which its JSON is laid out; a longer one is shown as it came."""

DEEPEST = 24
"""Levels by which JSON is indented at most."""


def shown_trial(cell: Cell) -> Trial | None:
    """The first trial that called a tool, else the first that sent anything; None where none did."""
    sent = [trial for trial in cell.trials if trial.exchange is not None]
    fired = (t for t in sent if t.decision is not None and t.decision.outcome is Outcome.FIRE)
    return next(fired, sent[0] if sent else None)


def exchange_section(baseline: Cell | None, variant: Cell, strict: bool) -> list[DocRow]:
    """One exchange of each side; empty where neither side has one.

    `strict`: both sides should send the same, so that what is not counts as a difference.
    """
    trials = (shown_trial(baseline) if baseline is not None else None, shown_trial(variant))
    if not any(trials):
        return []
    before, after = (trial.exchange if trial is not None else None for trial in trials)
    section: list[DocRow] = [Heading(safe("request"))]
    heads = [
        which_trial(cell, trial) if cell is not None else None
        for cell, trial in zip((baseline, variant), trials, strict=True)
    ]
    section.append(_pair(heads[0], heads[1]))
    facts = [_facts(one) if one is not None else {} for one in (before, after)]
    for label in dict.fromkeys((*facts[0], *facts[1])):
        sides = [(ink(f"{label} ", Tone.MUTED), *one[label]) if label in one else () for one in facts]
        section.append(_pair(sides[0] if baseline is not None else None, sides[1]))
    sent = [one.sent if one is not None else None for one in (before, after)]
    received = [one.received if one is not None else None for one in (before, after)]
    section += _body("sent", sent[0], sent[1], baseline, strict)
    return section + _body("received", received[0], received[1], baseline, False)


def _pair(left: Line | None, right: Line | None) -> Pair:
    return Pair(" ", Words.of(*left) if left is not None else None, Words.of(*(right or ())))


def which_trial(cell: Cell, trial: Trial | None) -> Line:
    """Which of a cell's trials it is, and why that one."""
    if trial is None:
        return (ink("no request is known of this side", Tone.MUTED),)
    number = cell.trials.index(trial) + 1
    fired = trial.decision is not None and trial.decision.outcome is Outcome.FIRE
    why = "the first that called a tool" if fired else "the first; none called a tool"
    said = ink(f"trial {number} of {len(cell.trials)}: {why}", Tone.STRONG)
    return (said,) if trial.ok else (said, ink(f", {trial.status.value}", Tone.WARNING))


def _facts(exchange: Exchange) -> dict[str, Line]:
    """All that is known of an exchange beside its bodies; foreign words are made visible."""
    # What was played back went nowhere.
    told: dict[str, Line] = {"to": (Piece(visible(exchange.url)),)} if exchange.url else {}
    if exchange.http is not None:
        told["status"] = (ink(f"HTTP {exchange.http}", Tone.PLAIN if exchange.http < 400 else Tone.WARNING),)
    if exchange.tries != 1:
        told["tries"] = (ink(f"{exchange.tries}, the last is shown", Tone.WARNING),)
    for label, words in (
        ("model", exchange.model),
        ("fingerprint", exchange.fingerprint),
        ("finish reason", exchange.finish),
    ):
        if words is not None:
            told[label] = (Piece(visible(words)),)
    if exchange.usage is not None:
        told["tokens"] = (ink(_usage(exchange.usage)),)
    if exchange.cost is not None:
        told["cost"] = (ink(f"${exchange.cost:.6f}"),)
    if exchange.reached is not None:
        tone = Tone.PLAIN if exchange.reached >= 1 else Tone.WARNING
        told["document"] = (ink(f"{_share(exchange.reached)} of it is in the body", tone),)
    return told


def _share(reached: float) -> str:
    """A part is never written as none, and never as all."""
    if reached <= 0:
        return "none"
    return "all" if reached >= 1 else f"{min(max(round(100 * reached), 1), 99)} %"


def _usage(usage: Usage) -> str:
    parts = [
        f"{count:,} {word}"
        for count, word in ((usage.input, "in"), (usage.output, "out"), (usage.cached, "of it cached"))
        if count is not None
    ]
    return ", ".join(parts) or "not reported"


def _body(
    name: str, left: str | None, right: str | None, baseline: Cell | None, strict: bool
) -> list[DocRow]:
    """One body of both sides, aligned line by line; JSON is laid out, all else stands as it came."""
    sizes = [f"{len(text):,}" for text in (left, right) if text is not None]
    size = f"{' and '.join(sizes)} characters" if sizes else "nothing"
    section: list[DocRow] = [Heading(safe(name), (ink(size, Tone.MUTED),))]
    if not (left and right):
        before = _lacking(left) if baseline is not None else None
        if before or _lacking(right):
            section.append(_pair(before, _lacking(right)))
    ours, theirs = laid_out(left), laid_out(right)
    drawn = scan_rows(_scan(ours) if baseline is not None else None, _scan(theirs), _rows(ours, theirs))
    return section + [_loud(row) if strict else row for row in drawn]


def _lacking(text: str | None) -> Line:
    if text is None:
        return (ink("nothing", Tone.WARNING),)
    return () if text else (ink("an empty body", Tone.WARNING),)


def _rows(ours: str, theirs: str) -> Sequence[Row]:
    if ours and theirs:
        return align(ours, theirs)
    return (
        *(Row(RowKind.REMOVED, baseline=side) for side in lines_of(ours)),
        *(Row(RowKind.ADDED, variant=side) for side in lines_of(theirs)),
    )


def _scan(text: str) -> Scan:
    return Scan(Turn(text, "", ()), None)


def _loud(row: DocRow) -> DocRow:
    return row._replace(quiet=False) if isinstance(row, Pair) else row


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)


def laid_out(text: str | None) -> str:
    """JSON over several lines: its blanks alone are others, every value is spelled as it was."""
    if not text or len(text) > PRETTY_MAX or text.lstrip()[:1] not in ("{", "["):
        return text or ""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return text
    return "".join(_spaced(_TOKEN.findall(text)))


def _spaced(tokens: Sequence[str]) -> Iterator[str]:
    depth = 0
    for number, token in enumerate(tokens):
        if token in ("{", "["):
            empty = tokens[number + 1] in ("}", "]")
            depth += not empty
            yield token if empty else f"{token}{_line(depth)}"
        elif token in ("}", "]"):
            empty = tokens[number - 1] in ("{", "[")
            depth -= not empty
            yield token if empty else f"{_line(depth)}{token}"
        elif token == ",":
            yield f",{_line(depth)}"
        else:
            yield ": " if token == ":" else token


def _line(depth: int) -> str:
    return "\n" + "  " * min(depth, DEEPEST)
