"""A contest of policies before one router: which findings go and come, and which commands are lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from workbench.compare.expect import why_not
from workbench.core.cell import BARE, Cell, CellKey, Run
from workbench.core.decision import Outcome
from workbench.core.finding import Finding, Severity
from workbench.core.scenario import Expectation

__all__ = ["Entry", "Lost", "Place", "Tried", "contest", "wants_a_call"]


class Place(StrEnum):
    """By which kind of delivery a finding came. `whole`: it is about no delivery of its own."""

    BARE = "bare"
    WRAPPERS = "wrappers"
    FILES = "files"
    PASTE = "paste"
    SUBSTITUTE = "substitute"
    WHOLE = "whole"


@dataclass(frozen=True, slots=True)
class Tried:
    """One run of the contest, and what was found in it. `about` says what the policy hands on."""

    policy: str
    about: str
    run: Run
    findings: Sequence[Finding]


@dataclass(frozen=True, slots=True)
class Lost:
    """A command that the router carried out as it is, and does not with the policy before it."""

    key: CellKey
    expected: str
    got: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One policy against the router as it is: errors and warnings that went, came, and are left.

    `lost` counts as much as a finding: a filter that hides a real command is as wrong as one that lets
    a false one through. `failed` counts trials without an answer: they prove nothing.
    """

    policy: str
    about: str
    gone: tuple[Finding, ...] = ()
    new: tuple[Finding, ...] = ()
    left: tuple[Finding, ...] = ()
    lost: tuple[Lost, ...] = ()
    failed: int = 0
    places: Mapping[Place, int] = field(default_factory=dict)

    @property
    def cost(self) -> int:
        """What is wrong with this policy before the router, all told."""
        return len(self.left) + len(self.new) + len(self.lost)


def contest(before: Tried, tried: Sequence[Tried], adapter: str) -> tuple[Entry, ...]:
    """The router as it is, then each policy, in their order."""
    was = _by_id(before, adapter)
    entries = [_entry(before, adapter, left=was.values())]
    for one in tried:
        now = _by_id(one, adapter)
        entries.append(
            _entry(
                one,
                adapter,
                gone=[finding for name, finding in was.items() if name not in now],
                new=[finding for name, finding in now.items() if name not in was],
                left=[finding for name, finding in now.items() if name in was],
                lost=_lost(before.run, one.run, adapter),
            )
        )
    return tuple(entries)


def wants_a_call(expect: Expectation) -> bool:
    """Whether a prompt is a command: something must be called."""
    named = expect.tool or expect.any_of or expect.arguments is not None
    return expect.outcome is Outcome.FIRE or (expect.outcome is None and bool(named))


def _entry(
    tried: Tried,
    adapter: str,
    *,
    gone: Sequence[Finding] = (),
    new: Sequence[Finding] = (),
    left: Iterable[Finding] = (),
    lost: Iterable[Lost] = (),
) -> Entry:
    cells = {cell.key: cell for cell in tried.run.cells if cell.key.adapter == adapter}
    remaining = tuple(left)
    return Entry(
        tried.policy,
        tried.about,
        tuple(gone),
        tuple(new),
        remaining,
        tuple(lost),
        sum(cell.failed for cell in cells.values()),
        Counter(_place(finding, cells) for finding in (*remaining, *new)),
    )


def _by_id(tried: Tried, adapter: str) -> dict[str, Finding]:
    """Errors and warnings of an adapter; notes ask nobody to do anything."""
    return {
        finding.id: finding
        for finding in tried.findings
        if finding.adapter == adapter and finding.severity is not Severity.NOTE
    }


def _place(finding: Finding, cells: Mapping[CellKey, Cell]) -> Place:
    if finding.prompt is None or finding.arm is None:
        return Place.WHOLE
    if finding.arm == BARE:
        return Place.BARE
    if finding.arm in (Place.PASTE.value, Place.SUBSTITUTE.value):
        return Place(finding.arm)
    key = CellKey(finding.scenario, finding.prompt, finding.arm, finding.adapter)
    cell = cells.get(key)
    return Place.FILES if cell is not None and cell.delivery.document else Place.WRAPPERS


def _lost(before: Run, after: Run, adapter: str) -> Iterator[Lost]:
    """Commands that were carried out before and are not now, on any arm."""
    now = {cell.key: cell for cell in after.cells}
    for cell in before.cells:
        expect = cell.delivery.expect
        if cell.key.adapter != adapter or expect is None or not wants_a_call(expect):
            continue
        there = now.get(cell.key)
        if cell.decision is None or there is None or there.decision is None:
            continue  # a failure proves nothing, on either side
        if why_not(expect, cell.decision) is None and why_not(expect, there.decision) is not None:
            got = f"{there.decision.outcome.value} {', '.join(there.decision.tools)}".rstrip()
            yield Lost(cell.key, expect.spelled, got)
