"""A budget over many receipts: what each request would have lost, and each lane over all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from workbench.capture.turns import Skipped
from workbench.core.errors import Mark, Problem, WorkbenchError
from workbench.core.finding import Severity
from workbench.lanes.fault import LaneFault, LaneKind
from workbench.lanes.lane import Lane, Registry, Unit
from workbench.lanes.ledger.call import Call
from workbench.lanes.ledger.reading import read_capture
from workbench.lanes.ledger.receipt import Receipt
from workbench.lanes.plan import LAST, Cut, Giving, Share, giving_of, plan_cut

__all__ = ["LanePlan", "Plan", "Turn", "plan_receipts"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One receipt and what the budget comes to for it."""

    receipt: Receipt
    cut: Cut

    @property
    def name(self) -> str:
        """What a person finds it by."""
        named = self.receipt.turn or self.receipt.request
        return f"{named} ({self.receipt.place})" if named else str(self.receipt.place)


@dataclass(slots=True)
class LanePlan:
    """One lane over all requests. `size` is what it wrote, `cut` in how many it gave something."""

    name: str
    priority: int
    giving: Giving
    registered: bool
    size: int = 0
    requests: int = 0
    cut: int = 0
    dropped: int = 0
    lost: int = 0


@dataclass(slots=True)
class Plan:
    """`lanes` in the order in which they give."""

    budget: int
    unit: Unit
    turns: list[Turn] = field(default_factory=list)
    lanes: list[LanePlan] = field(default_factory=list)
    faults: list[LaneFault] = field(default_factory=list)


def plan_receipts(files: Iterable[Path], budget: int, registry: Registry | None) -> Plan:
    """Raises WorkbenchError where there is no receipt, or they count in different units."""
    files = list(files)
    faults: list[LaneFault] = []
    receipts = list(_receipts(files, faults))
    if not receipts:
        why = faults[0].message if faults else "the file holds none"
        hint = "expected lines of {turn, request, unit, lanes: [{name, chars}]}"
        raise WorkbenchError(Problem(f"no receipt was found: {why}", Mark(str(files[0])), hint))
    plan = Plan(budget, receipts[0].unit, faults=faults)
    lanes: dict[str, LanePlan] = {}
    for receipt in receipts:
        if receipt.unit is not plan.unit:
            message = f"this receipt counts {receipt.unit}, those before it {plan.unit}"
            hint = "one budget counts one thing: give files of one unit"
            raise WorkbenchError(Problem(message, Mark(receipt.place.file, receipt.place.number), hint))
        shares = [_share(name, size, receipt, registry, lanes) for name, size in _sent(receipt).items()]
        turn = Turn(receipt, plan_cut(shares, budget))
        plan.turns.append(turn)
        _add(turn, shares, lanes)
        if not turn.cut.feasible:
            plan.faults.append(_infeasible(turn))
    plan.lanes = sorted(lanes.values(), key=lambda lane: (-lane.priority, lane.name))
    plan.faults += _of_lanes(plan.lanes, registry)
    return plan


def _receipts(files: Sequence[Path], faults: list[LaneFault]) -> Iterator[Receipt]:
    for file in files:
        for found in read_capture(file):
            if isinstance(found, Receipt):
                yield found
            elif isinstance(found, Call) and found.receipt is not None:
                yield found.receipt
            elif isinstance(found, Skipped):
                place = found.place
                faults.append(
                    LaneFault(
                        LaneKind.SKIPPED, Severity.WARNING, found.reason, file=place.file, line=place.number
                    )
                )


def _sent(receipt: Receipt) -> dict[str, int]:
    """What each lane has in the request: what it says, without what the app saw to be missing."""
    sizes = receipt.sizes()
    for entry in receipt.entries:
        sizes[entry.name] = max(0, sizes[entry.name] - entry.missing)
    return sizes


def _share(
    name: str, size: int, receipt: Receipt, registry: Registry | None, lanes: dict[str, LanePlan]
) -> Share:
    lane: Lane | None = registry.lane(name) if registry is not None else None
    own = next((entry.priority for entry in receipt.entries if entry.name == name), None)
    priority = lane.priority if lane is not None and lane.priority is not None else own
    priority = LAST if priority is None else min(priority, LAST)
    giving = giving_of(lane, priority)
    lanes.setdefault(name, LanePlan(name, priority, giving, lane is not None))
    return Share(name, size, priority, giving)


def _add(turn: Turn, shares: Iterable[Share], lanes: dict[str, LanePlan]) -> None:
    for share in shares:
        lane = lanes[share.name]
        lane.size += share.size
        lane.requests += 1
        lane.lost += turn.cut.lost.get(share.name, 0)
        lane.cut += share.name in turn.cut.lost
        lane.dropped += share.name in turn.cut.dropped


def _infeasible(turn: Turn) -> LaneFault:
    cut, place = turn.cut, turn.receipt.place
    said = f"the lanes of priority 0 alone take {cut.kept:,}, {cut.kept - cut.budget:,} above the budget"
    named = turn.receipt.turn or turn.receipt.request
    message = f"{f'turn {named}: ' if named else ''}{said} of {cut.budget:,}"
    return LaneFault(LaneKind.INFEASIBLE, Severity.ERROR, message, file=place.file, line=place.number)


def _of_lanes(lanes: Iterable[LanePlan], registry: Registry | None) -> Iterator[LaneFault]:
    """What nobody declared: a lane without a stanza is taken as the first to give."""
    for lane in lanes:
        if registry is not None and not lane.registered:
            message = f"not in the registry: taken as priority {lane.priority}"
            yield LaneFault(LaneKind.UNREGISTERED, Severity.WARNING, message, lane.name, registry.file)
    if registry is None and any(lane.priority == LAST for lane in lanes):
        message = (
            f"no registry was found: a lane without a priority is taken as {LAST}; name one: --registry FILE"
        )
        yield LaneFault(LaneKind.UNREGISTERED, Severity.WARNING, message)
