"""What is wrong with a sampled cell: its rate, its rate against bare's, and answers that are all one."""

from __future__ import annotations

import json
from collections.abc import Iterator

from workbench.compare.checks import bare_fires_unwanted
from workbench.compare.foreign_argument import sampled_foreign_arguments
from workbench.compare.making import finding, quoted, tools_fired
from workbench.compare.rate_limits import Gate, Held, gate_of
from workbench.compare.rates import Compared, Rate, Verdict, beside
from workbench.core.cell import BARE, AdapterInfo, Cell
from workbench.core.decision import Decision, Json, Outcome
from workbench.core.finding import Finding, Kind, Severity
from workbench.stats.intervals import Interval
from workbench.stats.reuse import any_of

__all__ = ["rate_view", "sampled_alone"]

_USES = 10  # in a row, of which at least one would show it
_ENOUGH = 5  # answers that are all the same before that is worth a word


def sampled_alone(
    cell: Cell, bare: Cell | None, reading: Compared | None, adapter: AdapterInfo
) -> Iterator[Finding]:
    """All that a sampled cell by itself, and against bare, is found for. `reading` None: no bare turn."""
    gate = gate_of(cell)
    if gate is not None and gate.held is Held.NO:
        yield _expectation(cell, bare, gate)
    if reading is not None and bare is not None and reading.verdict is Verdict.DRIFT:
        yield finding(
            Kind.RATE_DRIFT,
            Severity.ERROR,
            cell,
            f"RATE DRIFT [{cell.key.arm}] {quoted(cell)}: {_headline(reading)}",
            bare,
            **_comparison(reading),
            beside=_beside(bare, cell),
        )
    yield from _undecided(cell, bare, gate, reading)
    if bare is not None and bare is not cell:
        yield from sampled_foreign_arguments(cell, bare)
    yield from _vacuous(cell, bare, adapter)


def _expectation(cell: Cell, bare: Cell | None, gate: Gate) -> Finding:
    expect = cell.delivery.expect
    assert expect is not None
    fired = expect.outcome is Outcome.HOLD and cell.outcomes.get(Outcome.FIRE.value)
    head = "FIRED ON WORKFLOW" if fired and gate.none else f"EXPECTED {expect.spelled}"
    return finding(
        Kind.EXPECTATION,
        Severity.ERROR,
        cell,
        f"{head} [{cell.key.arm}] {quoted(cell)}: {gate.words}",
        bare,
        expect=expect.spelled,
        why=gate.words,
        wrong=gate.k if gate.min_rate is None else gate.n - gate.k,
        of=gate.n,
        **_gate(gate),
    )


def _undecided(
    cell: Cell, bare: Cell | None, gate: Gate | None, reading: Compared | None
) -> Iterator[Finding]:
    """One finding for all that is open in a cell."""
    open_gate = gate if gate is not None and gate.held is Held.UNDECIDED else None
    open_reading = reading if reading is not None and reading.verdict is Verdict.UNDECIDED else None
    words: list[str] = []
    missing: list[int | None] = []
    if open_gate is not None:
        words.append(f"{open_gate.words}; {_further(open_gate.more)}")
        missing.append(open_gate.more)
    if open_reading is not None:
        words.append(f"{_headline(open_reading)}; {_further(open_reading.more)}")
        missing.append(open_reading.more)
    if not words:
        return
    known = [more for more in missing if more is not None]
    yield finding(
        Kind.UNDECIDED,
        Severity.WARNING,
        cell,
        f"UNDECIDED [{cell.key.arm}] {quoted(cell)}: {'. Also '.join(words)}",
        bare,
        more=max(known) if len(known) == len(missing) else None,
        expectation=_gate(open_gate) if open_gate is not None else None,
        drift=_comparison(open_reading) if open_reading is not None else None,
        beside=_beside(bare, cell) if open_reading is not None and bare is not None else [],
    )


def _further(more: int | None) -> str:
    if more is None:
        return "no number of trials in sight would settle it at that rate"
    return f"about {more:,} more would settle it"


def _headline(reading: Compared) -> str:
    counts, _, _ = reading.words.rpartition(": ")
    return f"{reading.event} in {counts}"


def _vacuous(cell: Cell, bare: Cell | None, adapter: AdapterInfo) -> Iterator[Finding]:
    """One finding for all that keeps a cell from showing anything."""
    words: list[str] = []
    evidence: dict[str, Json] = {}
    severity = Severity.WARNING
    if bare_fires_unwanted(cell):
        words.append(f"bare already fires {tools_fired(cell)} where none is wanted")
    temperature = _temperature(adapter)
    if temperature is not None and temperature > 0 and (answers := _all_the_same(cell)):
        words.append(
            f"all {answers} answers are the same at temperature {temperature:g}; with a cache or a fixed"
            " seed behind it they count as 1"
        )
        evidence = {"distinct": 1, "answers": answers, "temperature": temperature}
    if cell.key.arm != BARE and not cell.delivery.typed.strip() and (bare is None or not bare.trials):
        severity = Severity.WARNING if words else Severity.NOTE
        words.append("nothing was typed, so no bare turn is there to hold it against: no drift is looked for")
    if words:
        headline = f"VACUOUS [{cell.key.arm}] {quoted(cell)}: {'. Also '.join(words)}"
        yield finding(Kind.VACUOUS, severity, cell, headline, bare, **evidence)


def _all_the_same(cell: Cell) -> int:
    """How many answers there are, if they are one and the same; else 0, as with too few to tell."""
    decisions = [trial.decision for trial in cell.ok if trial.decision]
    if len(decisions) < _ENOUGH or len(cell.answers) > 1 or not _said(decisions[0]):
        return 0
    return len(decisions) if all(decision.note == decisions[0].note for decision in decisions) else 0


def _said(decision: Decision) -> bool:
    """Whether there is anything in which two answers could differ."""
    return bool(decision.calls or decision.note)


def _temperature(adapter: AdapterInfo) -> float | None:
    """As the adapter's fingerprint has it; None where it does not say."""
    try:
        known = json.loads(adapter.fingerprint or "null")
        return float(known["temperature"]) if isinstance(known, dict) else None
    except (ValueError, TypeError, KeyError):
        return None


def rate_view(rate: Rate) -> dict[str, Json]:
    """A rate as plain data."""
    return {
        "event": rate.event,
        "k": rate.k,
        "n": rate.n,
        "failed": rate.failed,
        "interval": _interval(rate.interval),
        "bound": rate.bound,
        "bound_method": rate.bound_method,
        "floor": rate.floor,
        **({"anytime": _interval(rate.anytime)} if rate.anytime is not None else {}),
    }


def _interval(interval: Interval) -> dict[str, Json]:
    return {"low": interval.low, "high": interval.high, "method": interval.method}


def _comparison(reading: Compared) -> dict[str, Json]:
    return {
        "event": reading.event,
        "verdict": reading.words,
        "method": reading.reading.value,
        "rates": {"bare": rate_view(reading.bare), "variant": rate_view(reading.variant)},
        "difference": {**_interval(reading.difference), "level": 0.9},
        "delta": reading.delta,
        "only_a_rise": reading.rise,
        "arms": reading.m,
        "e": reading.e,
        "threshold": reading.threshold,
        "crossed": reading.crossed,
        "blocks": reading.blocks,
        "planned": reading.planned,
        "p": reading.p,
        "at_least_once": {
            "uses": _USES,
            "bare": any_of(reading.bare.k, reading.bare.n, _USES),
            "variant": any_of(reading.variant.k, reading.variant.n, _USES),
        },
    }


def _beside(bare: Cell, cell: Cell) -> list[Json]:
    """The other events of both arms. Nothing is concluded from them."""
    return [
        {"event": ours.event, "bare": [ours.k, ours.n], "variant": [theirs.k, theirs.n]}
        for ours, theirs in beside(bare, cell)
    ]


def _gate(gate: Gate) -> dict[str, Json]:
    return {
        "event": gate.event,
        "k": gate.k,
        "n": gate.n,
        "counted_as_calls": dict(gate.counted_as_calls),
        "low": gate.low,
        "high": gate.high,
        "bound_method": gate.method,
        "max_rate": gate.max_rate,
        "min_rate": gate.min_rate,
        "more": gate.more,
    }
