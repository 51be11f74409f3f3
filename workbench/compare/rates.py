"""Rates of a sampled cell, and two arms held against each other by one declared event."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import inf, log

from workbench.compare.blocks import ALPHA, Family, Members, Progress, families, most_of
from workbench.compare.events import Event, declared_event, seen_events
from workbench.core.cell import BARE, Cell, CellKey, Delivery, Run
from workbench.core.relation import Relation
from workbench.core.scenario import Samples
from workbench.stats.exact import boschloo, boschloo_rise
from workbench.stats.intervals import (
    Interval,
    confidence_sequence,
    lower_bound,
    newcombe,
    upper_bound,
    wilson,
)
from workbench.stats.multiplicity import e_bh, holm
from workbench.stats.planning import more_for_drift, more_for_same

__all__ = [
    "Compared",
    "Rate",
    "Reading",
    "Verdict",
    "beside",
    "called_by",
    "compared",
    "counted",
    "drawn_to_the_end",
    "rate_of",
    "rates_of",
    "readings",
    "too_many_failed",
]

MOST_FAILED = 0.2
"""The share of a cell's trials that may fail before it says nothing."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How often an event happened: k of n ok trials; `failed` ones are in neither.

    `interval` is to be shown; `bound` and `floor` are one-sided: with 95 % the rate is at most, and at
    least, that. They hold for an n fixed before; where trials that were planned are missing, `anytime`
    holds, whatever it was that ended the sampling; else it is None.
    `declared`: the event that the scenario is about, not one chosen after looking.
    """

    event: str
    k: int
    n: int
    failed: int
    interval: Interval
    bound: float
    floor: float
    declared: bool = False
    anytime: Interval | None = None
    bound_method: str = "clopper-pearson"


class Verdict(StrEnum):
    """`drift`: the rates differ. `same`: they do not, by more than delta. `no-verdict`: too much failed."""

    DRIFT = "drift"
    SAME = "same"
    UNDECIDED = "undecided"
    NO_VERDICT = "no-verdict"


class Reading(StrEnum):
    """How a verdict is reached: with evidence that may be looked at all along, or once at a fixed n."""

    SEQUENTIAL = "e-process, e-BH"
    FIXED = "Boschloo, Holm"


@dataclass(frozen=True, slots=True)
class Compared:
    """An arm held against bare, by the event declared for it.

    `difference` is the 90 % interval of the arm's rate minus bare's, `delta` what counts as none; with
    `rise` only a higher rate would be drift. `e` is the evidence, enough at `threshold` (m / alpha, for m
    arms), and `crossed` after how many blocks it was; `blocks` of `planned` were read. Of a fixed n, `p`
    is the p-value adjusted for the m arms; else None. `more`: about how many more trials an arm would
    settle it at the rates seen; None where it is settled, or no number in sight would. `where` and
    `elsewhere` tell the arm and bare apart in words.
    """

    bare: Rate
    variant: Rate
    verdict: Verdict
    reading: Reading
    difference: Interval
    delta: float
    rise: bool
    m: int
    e: float
    threshold: float
    crossed: int | None
    blocks: int
    planned: int
    words: str
    where: str
    elsewhere: str
    p: float | None = None
    more: int | None = None

    @property
    def event(self) -> str:
        return self.variant.event


def rate_of(cell: Cell, event: Event, known: Collection[str] = (), *, declared: bool = False) -> Rate:
    """The rate of one event in one cell. `known` are the tools that bare calls."""
    k = sum(count for decision, count in cell.answers if event.happened(decision, known))
    return _rate(cell, event, k, declared)


def rates_of(cell: Cell, group: Sequence[Cell] = ()) -> tuple[Rate, ...]:
    """Every rate of a sampled cell: the declared event first, then those worth a line beside it.

    `group` are all cells of its prompt and adapter, bare first, so that all of them show the same events.
    """
    cells = group or (cell,)
    declared = declared_event(cell.delivery)
    bare = next((other for other in cells if other.key.arm == BARE), None)
    known = called_by(bare) if bare else frozenset()
    others = [event for event in seen_events(cells) if event != declared]
    return (
        rate_of(cell, declared, known, declared=True),
        *(rate_of(cell, event) for event in others),
    )


def _rate(cell: Cell, event: Event, k: int, declared: bool) -> Rate:
    n = len(cell.ok)
    return Rate(
        event=event.name,
        k=k,
        n=n,
        failed=cell.failed,
        interval=wilson(k, n),
        bound=upper_bound(k, n),
        floor=lower_bound(k, n),
        declared=declared,
        anytime=None if drawn_to_the_end(cell) else confidence_sequence(k, n),
    )


def drawn_to_the_end(cell: Cell) -> bool:
    """Whether no planned trial of the cell is missing, so that nothing seen in it ended it."""
    samples = cell.delivery.samples
    if samples is None or len(cell.trials) < samples.max:
        return samples is None
    return not cell.failed or Members.of(cell).whole


def called_by(cell: Cell) -> frozenset[str]:
    """Every tool that the cell ever called."""
    return frozenset(tool for decision, _ in cell.answers for tool in decision.called)


def beside(bare: Cell, variant: Cell) -> tuple[tuple[Rate, Rate], ...]:
    """The rates of the other events, bare's and the arm's: chosen after looking, so without a verdict."""
    declared = declared_event(variant.delivery)
    events = [event for event in seen_events((bare, variant)) if event != declared]
    return tuple((rate_of(bare, event), rate_of(variant, event)) for event in events)


def too_many_failed(cell: Cell) -> bool:
    """Whether so many trials are not ok that the others say nothing."""
    return not cell.ok or cell.failed > MOST_FAILED * len(cell.trials)


def readings(run: Run) -> Mapping[CellKey, Compared]:
    """Every arm of a run that samples, and has a bare turn, held against that. Each family is settled whole:
    by e-BH over the evidence of its arms or, where n was fixed, by Holm over their p-values.
    """
    sampled = [cell for cell in run.cells if not run.adapters[cell.key.adapter].deterministic]
    cells = {cell.key: cell for cell in sampled}
    members = {cell.key: Members.of(cell) for cell in sampled}
    groups: dict[Family, dict[CellKey, Compared]] = {}
    for key, family in families(cell.delivery for cell in sampled).items():
        first, variant = replace(key, arm=BARE), cells[key]
        progress = Progress(variant.delivery, members[first], members[key], family.m)
        groups.setdefault(family, {})[key] = _measured(cells[first], variant, progress)
    found: dict[CellKey, Compared] = {}
    for family, measured in groups.items():
        found |= _settled(measured, family.m)
    return found


def compared(bare: Cell, variant: Cell, m: int = 1) -> Compared:
    """One arm held against bare by itself, as one of m arms: with all of them, `readings` may find more."""
    progress = Progress(variant.delivery, Members.of(bare), Members.of(variant), m)
    measured = _measured(bare, variant, progress)
    if measured.p is not None:
        measured = replace(measured, p=min(1.0, measured.p * m))
    return _judged(measured, measured.crossed is not None)


def _measured(bare: Cell, variant: Cell, progress: Progress) -> Compared:
    """All that is counted, judged by nobody: `p` is that of the arm alone."""
    delivery, event = variant.delivery, declared_event(variant.delivery)
    where, elsewhere = _places(delivery)
    known = called_by(bare)
    ours = rate_of(bare, event, known, declared=True)
    theirs = rate_of(variant, event, known, declared=True)
    rise = delivery.relation is not Relation.EQUAL
    fixed = delivery.samples is None and delivery.relation is not Relation.NO_NEW_TOOLS
    failed = too_many_failed(bare) or too_many_failed(variant)
    return Compared(
        bare=ours,
        variant=theirs,
        verdict=Verdict.NO_VERDICT if failed else Verdict.UNDECIDED,
        reading=Reading.FIXED if fixed else Reading.SEQUENTIAL,
        difference=newcombe(ours.k, ours.n, theirs.k, theirs.n),
        delta=(delivery.samples or Samples()).delta,
        rise=rise,
        m=progress.m,
        e=progress.e,
        threshold=progress.threshold,
        crossed=progress.crossed,
        blocks=progress.blocks,
        planned=most_of(variant),
        words="",
        where=where,
        elsewhere=elsewhere,
        p=_p_value(ours, theirs, rise) if fixed else None,
    )


def _p_value(bare: Rate, variant: Rate, rise: bool) -> float:
    return (boschloo_rise if rise else boschloo)(bare.k, bare.n, variant.k, variant.n)


def _settled(members: Mapping[CellKey, Compared], m: int) -> dict[CellKey, Compared]:
    """The members of a family, measured, judged together. One that failed speaks for nothing."""
    evidence = {
        key: one.e
        for key, one in members.items()
        if one.reading is Reading.SEQUENTIAL and one.verdict is not Verdict.NO_VERDICT
    }
    alone = {
        key: one.p
        for key, one in members.items()
        if one.p is not None and one.verdict is not Verdict.NO_VERDICT
    }
    drifted = dict(zip(evidence, e_bh(tuple(evidence.values()), ALPHA, m), strict=True))
    silent = [1.0] * (m - len(alone))
    adjusted = dict(zip(alone, holm([*alone.values(), *silent]), strict=False))
    return {
        key: _judged(replace(one, p=adjusted.get(key, one.p)), drifted.get(key, False))
        for key, one in members.items()
    }


def _judged(one: Compared, drifted: bool) -> Compared:
    """The verdict, and the words for it. Of a fixed n the p-value judges."""
    if one.verdict is Verdict.NO_VERDICT:
        tried = one.bare.n + one.bare.failed and one.variant.n + one.variant.failed
        why = "too many failed" if tried else "one of them was not tried"
        return replace(one, words=f"{_counts(one)}: no verdict, {why}")
    if drifted if one.reading is Reading.SEQUENTIAL else one.p is not None and one.p <= ALPHA:
        return replace(one, verdict=Verdict.DRIFT, words=f"{_counts(one)}: drift")
    missing = one.planned - one.blocks if one.reading is Reading.SEQUENTIAL else 0
    if not missing and one.difference.high < one.delta and (one.rise or one.difference.low > -one.delta):
        words = f"{_counts(one)}: {'no rise' if one.rise else 'the same'} within {one.delta:g}"
        return replace(one, verdict=Verdict.SAME, words=words)
    more = _more(one)
    more = max(more, missing) if more is not None else None
    about = f"about {more:,} more" if more is not None else "and no number of trials in sight would decide it"
    return replace(one, more=more, words=f"{_counts(one)}: undecided, {about}")


def _more(one: Compared) -> int | None:
    """Until it is the same, or until it is drift, whichever comes first at the rates seen."""
    n = min(one.bare.n, one.variant.n)
    k, other = round(one.bare.k * n / one.bare.n), round(one.variant.k * n / one.variant.n)
    ways = (
        more_for_same(k, other, n, one.delta, rise=one.rise),
        more_for_drift(k, other, n, log(one.e) if one.e > 0 else -inf, one.threshold, rise=one.rise),
    )
    return min((way for way in ways if way is not None), default=None)


def _counts(one: Compared) -> str:
    """Both arms in words; an arm's name is foreign text."""
    return f"{counted(one.variant)} {one.where}, {counted(one.bare)} {one.elsewhere}"


def counted(rate: Rate) -> str:
    """`12 of 60`, with what failed beside it."""
    return f"{rate.k} of {rate.n}" + (f" ({rate.failed} failed)" if rate.failed else "")


def _places(delivery: Delivery) -> tuple[str, str]:
    """How the arm and bare are told apart."""
    arm = delivery.key.arm
    if arm == "paste":
        return "with the file pasted", "without"
    if arm == "substitute":
        return "with the app's own sentence", "as typed"
    return ("with the file", "without") if delivery.document else (f"in {arm}", "bare")
