"""What is wrong with one cell by itself: its delivery, its decision, its use as a baseline."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.compare.expect import why_not
from workbench.compare.making import finding, quoted, tools_fired
from workbench.compare.rate_limits import percent
from workbench.compare.rates import too_many_failed
from workbench.core.cell import BARE, Cell
from workbench.core.decision import Decision, Outcome
from workbench.core.finding import Finding, Kind, Severity
from workbench.core.trial import Status

__all__ = ["bare_fires_unwanted", "decision_alone", "delivery_failed", "vacuous_bare"]


def delivery_failed(cell: Cell, bare: Cell | None) -> Iterator[Finding]:
    """`not-reached`, and `no-verdict` where too many trials, or all, are not ok."""
    prompt = quoted(cell)
    lost = [trial for trial in cell.trials if trial.status is Status.NOT_REACHED]
    if lost:
        why = lost[0].error or "the delivery did not arrive"
        yield finding(
            Kind.NOT_REACHED,
            Severity.ERROR,
            cell,
            f"NOT REACHED [{cell.key.arm}] {prompt}: {why}",
            bare,
            not_reached=len(lost),
        )
    else:
        yield from _cut(cell, bare)
    if too_many_failed(cell):
        failed = next(trial for trial in cell.trials if not trial.ok)
        counts = ", ".join(f"{n} {status}" for status, n in cell.statuses.items() if status != "ok")
        yield finding(
            Kind.NO_VERDICT,
            Severity.WARNING,
            cell,
            f"NO VERDICT [{cell.key.arm}] {prompt}: {counts} of {len(cell.trials)} trials"
            + (f": {failed.error}" if failed.error else ""),
            bare,
            failed=cell.failed,
            raw=failed.raw,
            log=failed.log,
        )


def _cut(cell: Cell, bare: Cell | None) -> Iterator[Finding]:
    """A note where a part of the document is missing from what was sent: apps cut on purpose."""
    shares = [trial.exchange.reached for trial in cell.trials if trial.exchange is not None]
    least = min((share for share in shares if share is not None), default=1.0)
    if least < 1:
        yield finding(
            Kind.NOT_REACHED,
            Severity.NOTE,
            cell,
            f"PARTLY REACHED [{cell.key.arm}] {quoted(cell)}: {percent(least)} of the document's characters"
            " stand in the body that was sent",
            bare,
            reached=least,
        )


def decision_alone(cell: Cell, bare: Cell | None) -> Iterator[Finding]:
    """`expectation`, on any arm, and `unstable`, of an adapter that answers one turn in one way."""
    expect = cell.delivery.expect
    if expect is not None and cell.ok:
        reasons = [why_not(expect, trial.decision) for trial in cell.ok if trial.decision]
        wrong = [reason for reason in reasons if reason]
        if wrong:
            many = f" ({len(wrong)} of {len(reasons)} trials)" if len(wrong) < len(reasons) else ""
            fired = expect.outcome is Outcome.HOLD and any(
                t.decision and t.decision.outcome is Outcome.FIRE for t in cell.ok
            )
            headline = (
                f"FIRED ON WORKFLOW [{cell.key.arm}] {quoted(cell)} -> {tools_fired(cell)}{many}"
                if fired
                else f"EXPECTED {expect.spelled} [{cell.key.arm}] {quoted(cell)}: {wrong[0]}{many}"
            )
            yield finding(
                Kind.EXPECTATION,
                Severity.ERROR,
                cell,
                headline,
                bare,
                expect=expect.spelled,
                why=wrong[0],
                wrong=len(wrong),
                of=len(reasons),
            )
    if len(cell.ok) > 1:
        yield from _unstable(cell, bare)


def _unstable(cell: Cell, bare: Cell | None) -> Iterator[Finding]:
    answers: dict[object, list[int]] = {}
    for trial in cell.ok:
        if trial.decision:
            answers.setdefault(_answer(trial.decision), []).append(trial.index)
    if len(answers) < 2:
        return
    seen = [t.decision for t in cell.ok if t.decision and t.index in {i[0] for i in answers.values()}]
    words = " / ".join(dict.fromkeys(f"{d.outcome.value} {', '.join(d.tools)}".rstrip() for d in seen))
    what = words if len({d.identity() for d in seen}) > 1 else f"{words}, other window or scores"
    yield finding(
        Kind.UNSTABLE,
        Severity.ERROR,
        cell,
        f"UNSTABLE [{cell.key.arm}] {quoted(cell)}: {len(answers)} answers to one turn: {what}",
        bare,
        answers=[
            {
                "trials": trials,
                "outcome": decision.outcome.value,
                "calls": [{"name": c.name, "arguments": c.arguments} for c in decision.calls],
                "window": decision.window.text if decision.window else None,
                "scores": [[s.route, s.value] for s in decision.scores or ()],
            }
            for decision, trials in zip(seen, answers.values(), strict=True)
        ],
    )


def _answer(decision: Decision) -> object:
    """What must come out the same: outcome, calls, windows, and scores to six digits."""
    return (
        decision.identity(),
        tuple(window.text for window in decision.windows or ()),
        tuple((score.route, round(score.value, 6)) for score in decision.scores or ()),
    )


def vacuous_bare(cell: Cell) -> Iterator[Finding]:
    """`vacuous`: bare already fires where none is wanted, so the arms can show nothing new."""
    if bare_fires_unwanted(cell):
        yield finding(
            Kind.VACUOUS,
            Severity.WARNING,
            cell,
            f"VACUOUS {quoted(cell)}: bare already fires {tools_fired(cell)} where none is wanted",
            None,
        )


def bare_fires_unwanted(cell: Cell) -> bool:
    """Whether this is a bare cell whose most frequent answer is a call where none is wanted."""
    expect = cell.delivery.expect
    unwanted = expect and (expect.no_calls or expect.outcome in (Outcome.HOLD, Outcome.PASS))
    fires = cell.decision is not None and cell.decision.outcome is Outcome.FIRE
    return cell.key.arm == BARE and bool(unwanted) and fires
