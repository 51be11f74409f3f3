"""The evidence of sampled findings: both arms' rates with bars, what is claimed of them, events beside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from workbench.compare.rate_limits import percent
from workbench.core.decision import Json, Outcome
from workbench.core.finding import Finding
from workbench.core.text import SafeText, join, safe
from workbench.report.evidence import Seen
from workbench.report.facts import by_arm
from workbench.report.measure import named, pad, width_of
from workbench.report.rates import bar, counted_share
from workbench.report.tables import call_words, number
from workbench.report.writer import Line, Piece, Style, own

__all__ = ["rate_evidence", "sampled_calls"]

_MOST_EVENTS = 12
_MOST_KINDS = 3
_MOST_CALLS = 6


def rate_evidence(findings: Sequence[Finding], style: Style) -> Iterator[tuple[SafeText, list[Line]]]:
    """What the findings of one cell say of its rates, each thing once, with its label."""
    gate = _first(findings, "expectation", "max_rate")
    drift = _first(findings, "drift", "difference")
    if drift is not None:
        arm = next(finding.arm or "" for finding in findings)
        yield safe("rates"), _rates(drift, arm, style)
        judged = (*_judged(drift, style), *_in_uses(drift))
        yield safe("evidence"), [(Piece(words),) for words in judged]
    if gate is not None:
        yield safe("bound"), [(Piece(_bound(gate, style)),)]
    beside = next((f.evidence["beside"] for f in findings if f.evidence.get("beside")), None)
    if isinstance(beside, Sequence) and not isinstance(beside, str):
        yield safe("beside"), _beside([item for item in beside if isinstance(item, Mapping)])


def _first(findings: Sequence[Finding], key: str, mark: str) -> Mapping[str, Json] | None:
    """Evidence that stands under `key`, or in the open, where `mark` is among it."""
    for finding in findings:
        inner = finding.evidence.get(key)
        if isinstance(inner, Mapping):
            return inner
        if mark in finding.evidence and "event" in finding.evidence:
            return finding.evidence
    return None


def _rates(drift: Mapping[str, Json], arm: str, style: Style) -> list[Line]:
    rates = drift.get("rates")
    rows: list[tuple[SafeText, Line]] = []
    for key, name in (("bare", "bare"), ("variant", arm)):
        view = rates.get(key) if isinstance(rates, Mapping) else None
        if not isinstance(view, Mapping):
            continue
        k, n, failed, bound = (_number(view.get(part)) for part in ("k", "n", "failed", "bound"))
        words = f"{int(k)}/{int(n)}" + (f" ≤{percent(bound)}" if n else "")
        words += f" ({int(failed)} failed)" if failed else ""
        told = SafeText(f"{bar(int(k), int(n), style)}  {own(words, style)}  {named(str(view.get('event')))}")
        rows.append((named(name), (Piece(told),)))
    return by_arm(rows)


def _judged(drift: Mapping[str, Json], style: Style) -> Iterator[SafeText]:
    """The interval of the difference, and what the test says, in numbers."""
    difference = drift.get("difference")
    if isinstance(difference, Mapping):
        low, high = _number(difference.get("low")), _number(difference.get("high"))
        delta = percent(_number(drift.get("delta")))
        same = (
            f"counts as none below {delta}"
            if drift.get("only_a_rise")
            else f"counts as none up to {delta} either way"
        )
        yield own(f"difference {_points(low)} to {_points(high)} (90 % Newcombe); {same}", style)
    p, blocks, planned = drift.get("p"), drift.get("blocks"), drift.get("planned")
    if isinstance(p, float):
        yield SafeText(f"p = {number(p)} (Boschloo, Holm over {drift.get('arms')})")
        return
    e, threshold = (f"{_number(drift.get(key)):.3g}" for key in ("e", "threshold"))
    crossed = drift.get("crossed")
    reached = f"reached after {crossed}" if crossed is not None else f"not reached in {blocks}"
    yield safe(f"e = {e}; drift from {threshold} on, {reached} of {planned} blocks")


def _in_uses(drift: Mapping[str, Json]) -> Iterator[SafeText]:
    """How often several uses in a row would show it, by arm; of an arm that never did nothing is said."""
    chances = drift.get("at_least_once")
    if isinstance(chances, Mapping):
        told = [(name, _number(chances.get(key))) for key, name in (("variant", "here"), ("bare", "bare"))]
        words = ", ".join(f"{percent(chance)} {name}" for name, chance in told if chance)
        if words:
            yield safe(f"at least once in {chances.get('uses')} uses: {words}")


def _points(value: float) -> str:
    """A difference of rates in points of a hundred."""
    return f"{'+' if value >= 0 else '-'}{percent(abs(value))}"


def _bound(gate: Mapping[str, Json], style: Style) -> SafeText:
    low, high = percent(_number(gate.get("low"))), percent(_number(gate.get("high")))
    k, n = int(_number(gate.get("k"))), int(_number(gate.get("n")))
    limits = [
        f"{word} {percent(_number(gate[key]))}"
        for key, word in (("max_rate", "at most"), ("min_rate", "at least"))
        if gate.get(key) is not None
    ]
    words = f"{k}/{n}: between {low} and {high}, each with 95 % ({gate.get('bound_method')})"
    return own(words + (f"; wanted {' and '.join(limits)}" if limits else ""), style)


def _beside(items: Sequence[Mapping[str, Json]]) -> list[Line]:
    """Events that were chosen after looking: counted, and nothing concluded."""
    shown = items[:_MOST_EVENTS]
    names = [named(str(item.get("event"))) for item in shown]
    column = max(map(width_of, names))
    lines: list[Line] = []
    for item, name in zip(shown, names, strict=True):
        counts = [counted_share(*map(int, map(_number, _pair(item.get(key))))) for key in ("bare", "variant")]
        lines.append((Piece(SafeText(f"{pad(name, column)}  bare {counts[0]}, here {counts[1]}")),))
    if len(items) > len(shown):
        lines.append((Piece(safe(f"and {len(items) - len(shown):,} more"), "dim"),))
    return lines


def sampled_calls(sides: Sequence[Seen], style: Style) -> list[Line]:
    """The calls of one answer of each kind that has any."""
    rows: list[tuple[SafeText, Line]] = []
    for side in sides:
        for answer in [answer for answer in side.answers if answer.calls][:_MOST_KINDS]:
            calls = [call_words(call, answer.outcome, style) for call in answer.calls[:_MOST_CALLS]]
            if len(answer.calls) > _MOST_CALLS:
                calls.append(safe(f"and {len(answer.calls) - _MOST_CALLS:,} more"))
            kind = "declined" if answer.outcome == Outcome.HOLD else "one"
            head = Piece(safe(f"{kind} of {answer.count}: "), "dim")
            rows.append((named(side.arm), (head, Piece(join(calls, "; ")))))
    return by_arm(rows)


def _pair(value: Json) -> tuple[Json, Json]:
    if isinstance(value, Sequence) and not isinstance(value, str) and len(value) == 2:
        return value[0], value[1]
    return None, None


def _number(value: Json) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
