"""The rates tab: the event a scenario is about on both sides, what that proves, and all else counted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workbench.compare.blocks import ALPHA
from workbench.compare.events import seen_events
from workbench.compare.rate_change import RateFacts, changed_rates
from workbench.compare.rate_limits import Gate, Held, percent
from workbench.compare.rates import Compared, Reading, Verdict, rate_of
from workbench.core.cell import BARE, Cell
from workbench.core.text import SafeText, safe, visible
from workbench.stats.exact import boschloo
from workbench.stats.intervals import wilson
from workbench.stats.reuse import any_of
from workbench.tui.counting import Count, count_cell
from workbench.tui.judging import JudgedRate
from workbench.tui.view.answers import answers_section
from workbench.tui.view.cells import middle_cut, pad, width_of
from workbench.tui.view.ink import Line, Piece, Tone, ink
from workbench.tui.view.rows import Across, DocRow, Full, Heading, Pair, Words, note
from workbench.tui.view.share import bar, bound, share, share_tone

__all__ = ["Judgement", "is_sampled", "rates_section"]

BAR = 20
SMALL_BAR = 10
EVENT_MAX = 34
MOST_EVENTS = 40
MOST_ANSWERS = 40
USES = 10


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was made of the rates of both sides; None of one that does not sample, or is not judged yet.

    `pinned`: the baseline was chosen, so that the two were not drawn in blocks against each other.
    """

    baseline: JudgedRate | None = None
    variant: JudgedRate | None = None
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class _Side:
    """One side's counts, by the event that its own scenario is about."""

    cell: Cell
    count: Count
    judged: JudgedRate | None

    @property
    def facts(self) -> RateFacts:
        if self.judged is not None:
            return RateFacts(self.judged.rate.event, self.judged.rate.k, self.judged.rate.n)
        return RateFacts(self.count.event.name, self.count.k, self.count.n)

    def share(self) -> Line:
        """The bar, `k/n ≤bound`, and that a side does not sample."""
        facts = self.facts
        if not facts.n:
            return (ink("no trial has a decision", Tone.WARNING),)
        said = [*bar(facts.k, facts.n, BAR), ink("  "), ink(share(facts.k, facts.n), share_tone(facts.k))]
        if edge := bound(self.judged):
            said += [ink(" "), Piece(edge, Tone.STRONG)]
        return tuple(said) if is_sampled(self.cell) else (*said, ink("  does not sample", Tone.MUTED))

    def interval(self) -> Line:
        """Where the rate lies, as far as these trials tell; nothing of a side that does not sample."""
        facts = self.facts
        if not facts.n or not is_sampled(self.cell):
            return ()
        seen = wilson(facts.k, facts.n)
        words = f"between {percent(seen.low)} and {percent(seen.high)} (Wilson, 95 %)"
        anytime = self.judged.rate.anytime if self.judged is not None else None
        if anytime is not None:
            words += (
                f"; trials are missing: {percent(anytime.low)} to {percent(anytime.high)} whatever ended it"
            )
        return (ink(words, Tone.MUTED),)

    def failed(self) -> Line:
        """What failed is in no rate."""
        if not self.cell.failed:
            return ()
        kinds = ", ".join(f"{count} {name}" for name, count in self.cell.statuses.items() if name != "ok")
        more = " more" if self.facts.n else ""
        return (ink(f"{self.cell.failed}{more} failed: {kinds}", Tone.WARNING),)


def is_sampled(cell: Cell | None) -> bool:
    """Whether a cell has rates: its adapter does not always answer alike."""
    return cell is not None and cell.delivery.samples is not None


def rates_section(
    baseline: Cell | None,
    variant: Cell,
    names: tuple[SafeText | None, SafeText],
    judgement: Judgement,
) -> list[DocRow]:
    """Both arms by the declared event, the verdict in words, then other events and answers without one."""
    if not is_sampled(baseline) and not is_sampled(variant):
        return [Heading(safe("rates")), note("This adapter does not sample: each turn has one answer.")]
    after = _Side(variant, count_cell(variant), judgement.variant)
    before = _Side(baseline, count_cell(baseline), judgement.baseline) if baseline is not None else None
    verdict = _Verdict(before, after, names, judgement.pinned)
    section: list[DocRow] = [Heading(safe("rates"), (Piece(visible(after.facts.event), Tone.STRONG),))]
    sign = "~" if verdict.differs else " "
    section.append(Pair(sign, Words.of(*before.share()) if before else None, Words.of(*after.share())))
    for left, right in (
        (before.interval() if before else (), after.interval()),
        (before.failed() if before else (), after.failed()),
    ):
        if left or right:
            section.append(Pair(" ", Words.of(*left) if before else None, Words.of(*right)))
    section += [Full(Words.of(*line)) for line in verdict.lines()]
    if judgement.variant is not None and judgement.variant.gate is not None:
        section.append(Full(Words.of(*_gate(judgement.variant.gate, variant))))
    section += _others(baseline, variant, names, after.facts.event)
    return section + answers_section(baseline, variant, MOST_ANSWERS)


_LOOKS = {
    Verdict.DRIFT: ("✗ ", Tone.ERROR),
    Verdict.UNDECIDED: ("! ", Tone.WARNING),
    Verdict.NO_VERDICT: ("! ", Tone.WARNING),
    Verdict.SAME: ("✓ ", Tone.OK),
}


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What two sides prove of each other."""

    before: _Side | None
    after: _Side
    names: tuple[SafeText | None, SafeText]
    pinned: bool

    @property
    def differs(self) -> bool:
        """Whether the two rates are known to differ."""
        if self.pinned:
            pair = self._pair()
            return pair is not None and pair[0].event == pair[1].event and changed_rates((pair,))[0]
        reading = self.after.judged.reading if self.after.judged is not None else None
        return reading is not None and reading.verdict is Verdict.DRIFT

    def _pair(self) -> tuple[RateFacts, RateFacts] | None:
        sides = [side for side in (self.before, self.after) if side is not None and is_sampled(side.cell)]
        return (sides[0].facts, sides[1].facts) if len(sides) == 2 else None

    def lines(self) -> Iterator[Line]:
        """The verdict first, then what it rests on."""
        if self.pinned and self.before is not None:
            yield from self._against_pinned()
            return
        judged = self.after.judged
        if judged is None:
            if is_sampled(self.after.cell):
                yield (ink("Nothing is concluded yet: rates are judged once the run is over.", Tone.RUNNING),)
        elif judged.reading is not None:
            yield from _reading(judged.reading)
        elif self.after.cell.key.arm != BARE:
            yield (ink("There is no bare turn to hold this rate against.", Tone.MUTED),)

    def _against_pinned(self) -> Iterator[Line]:
        pair = self._pair()
        if pair is None:
            yield (ink("One of the two does not sample, so their rates are not held against each other."),)
            return
        before, after = pair
        if before.event != after.event:
            events = (
                Piece(visible(before.event), Tone.STRONG),
                ink(" and "),
                Piece(visible(after.event), Tone.STRONG),
            )
            yield (ink("! the two are about different events: ", Tone.WARNING), *events)
            return
        if not (before.n and after.n):
            yield (ink("! nothing to compare: one of the two has no trial with a decision", Tone.WARNING),)
            return
        told = (
            Piece(self.names[1], Tone.STRONG), ink(f" in {after.k} of {after.n}, "),
            Piece(self.names[0] or safe("before"), Tone.STRONG), ink(f" in {before.k} of {before.n}: "),
        )  # fmt: skip
        p = f"p = {boschloo(before.k, before.n, after.k, after.n):.3g} (Boschloo, n taken as fixed before)"
        if self.differs:
            yield (
                ink("✗ ", Tone.ERROR),
                *told,
                ink("the rates differ", Tone.ERROR),
                ink(f"; {p}", Tone.MUTED),
            )
        else:
            words = "no difference is shown, which is not that there is none"
            yield (ink("· ", Tone.MUTED), *told, ink(words), ink(f"; {p}", Tone.MUTED))


def _reading(one: Compared) -> Iterator[Line]:
    """A verdict against bare, the difference, the evidence, and what several uses make of it."""
    mark, tone = _LOOKS[one.verdict]
    yield (ink(mark, tone), Piece(visible(one.words), tone))
    if one.verdict is Verdict.NO_VERDICT:
        return
    delta = percent(one.delta)
    none = f"below {delta}" if one.rise else f"up to {delta} either way"
    low, high = _points(one.difference.low), _points(one.difference.high)
    yield (ink(f"difference {low} to {high} (90 % Newcombe); {none} counts as none", Tone.MUTED),)
    yield (ink(_evidence(one), Tone.MUTED),)
    if one.variant.k:
        here, bare = (any_of(rate.k, rate.n, USES) for rate in (one.variant, one.bare))
        words = f"in {USES} uses at least once: {percent(here)} here" if here else ""
        words += f", {percent(bare)} bare" if here and bare else ""
        if words:
            yield (ink(words, Tone.MUTED),)


def _evidence(one: Compared) -> str:
    """The evidence as odds, and the odds that are asked for."""
    arms = "1 arm" if one.m == 1 else f"{one.m} arms"
    alarms = f"{percent(ALPHA)} false alarms over {arms}"
    if one.reading is Reading.FIXED and one.p is not None:
        return (
            f"so far apart by chance: p = {one.p:.3g} (Boschloo, Holm); drift at {ALPHA:g} or below, {alarms}"
        )
    odds = (
        f"evidence of a difference {one.e:,.3g} to 1"
        if one.e > 1
        else f"no evidence of a difference, {one.e:.3g} to 1"
    )
    words = f"{odds}; drift from {one.threshold:g} to 1 on, {alarms}"
    if one.crossed is not None:
        return f"{words}; reached after {one.crossed} of {one.planned} blocks"
    if one.verdict is Verdict.DRIFT:
        return f"{words}; reached by the arms together (e-BH)"
    return f"{words}; not reached in {one.blocks} of {one.planned} blocks"


def _points(value: float) -> str:
    """A difference of rates in points of a hundred."""
    return f"{'+' if value >= 0 else '-'}{percent(abs(value))}"


_HELD = {
    Held.YES: ("✓ ", "holds", Tone.OK),
    Held.NO: ("✗ ", "does not hold", Tone.ERROR),
    Held.UNDECIDED: ("! ", "undecided", Tone.WARNING),
}


def _gate(gate: Gate, cell: Cell) -> Line:
    """The expectation held against the rate."""
    mark, word, tone = _HELD[gate.held]
    expect = cell.delivery.expect
    spelled = visible(expect.spelled or "something else") if expect is not None else safe("")
    said = (ink(mark, tone), ink("expected "), Piece(spelled, Tone.STRONG), ink(f" {word}: ", tone))
    more = f"; about {gate.more:,} more would settle it" if gate.more is not None else ""
    return (*said, Piece(visible(gate.words)), ink(more))


def _others(
    baseline: Cell | None, variant: Cell, names: tuple[SafeText | None, SafeText], declared: str
) -> list[DocRow]:
    """The other events of both sides: chosen after looking, so counted and never judged."""
    cells = [cell for cell in (baseline, variant) if cell is not None]
    events = [event for event in seen_events(cells) if event.name != declared]
    if not events:
        return []
    shown = events[:MOST_EVENTS]
    heads = [name for name in names if name is not None][-len(cells) :]
    table: list[list[Line]] = [
        [(ink("event", Tone.MUTED),), *((Piece(middle_cut(n, 16), Tone.MUTED),) for n in heads)]
    ]
    bars: list[Words | None] = [None]
    for event in shown:
        rates = [rate_of(cell, event) for cell in cells]
        name = middle_cut(visible(event.name), EVENT_MAX)
        table.append([(Piece(name),), *((ink(share(rate.k, rate.n), share_tone(rate.k)),) for rate in rates)])
        drawn = [piece for rate in rates for piece in (*bar(rate.k, rate.n, SMALL_BAR), ink("  "))]
        bars.append(Words.of(*drawn))
    widths = [max(map(width_of, column)) + 2 for column in zip(*table, strict=True)]
    section: list[DocRow] = [Heading(safe("beside"), (ink("counted, and nothing concluded", Tone.MUTED),))]
    for cells_of_row, drawn_bar in zip(table, bars, strict=True):
        padded = [pad(cell, width) for cell, width in zip(cells_of_row, widths, strict=True)]
        section.append(Across(" ", Words.of(*(piece for cell in padded for piece in cell)), drawn_bar))
    if len(events) > MOST_EVENTS:
        section.append(note(f"and {len(events) - MOST_EVENTS:,} more events"))
    return section
