"""`workbench lanes plan`: the arbiter on paper."""

from __future__ import annotations

import argparse
from argparse import Namespace
from typing import TYPE_CHECKING

from workbench.cli.options import add_report

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.core.decision import Json
    from workbench.core.text import SafeText
    from workbench.lanes.fault import LaneFault
    from workbench.lanes.planning import LanePlan, Plan, Turn

__all__ = ["EXAMPLE", "act", "configure"]

EXAMPLE = """\
  workbench lanes plan --budget 24000 receipts.jsonl
  workbench lanes plan --budget 24000 receipts.jsonl --registry lanes.toml --format json

Lanes of priority 5 give first, those of 0 never. A lane whose `evicts` begins with "never", or says
"whole", is not cut: it is dropped whole, or left alone. A lane that is not in the registry has priority 5.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("receipts", nargs="+", metavar="RECEIPTS", help="a file of receipts, or a folder")
    parser.add_argument(
        "--budget", type=_budget, required=True, metavar="N", help="of each request, in the receipts' unit"
    )
    parser.add_argument("--registry", metavar="FILE", help="lanes.toml; else the nearest one upwards")
    add_report(parser)


def act(arguments: Namespace) -> int:
    from pathlib import Path

    from workbench.cli.lanes_registry import registry_for
    from workbench.cli.lanes_report import exit_of, write_report
    from workbench.lanes.ledger.reading import files_of
    from workbench.lanes.planning import plan_receipts

    files = files_of([Path(name) for name in arguments.receipts])
    plan = plan_receipts(files, arguments.budget, registry_for(arguments, files))
    write_report(arguments, plan.faults, _rows(plan), _lines(plan))
    return exit_of(plan.faults)


def _budget(text: str) -> int:
    plain = text.replace("_", "").replace(",", "")
    if not plain.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r}: expected a whole number of at least 0")
    return int(plain)


def _lines(plan: Plan) -> Iterator[SafeText]:
    from workbench.cli.lanes_report import fault_lines
    from workbench.core.text import safe, visible

    over = [turn for turn in plan.turns if turn.cut.before > plan.budget]
    for turn in over:
        yield _turn_line(turn)
    faults: Sequence[LaneFault] = plan.faults
    yield from fault_lines(faults)
    losers = [lane for lane in plan.lanes if lane.cut]
    if losers:
        width = max(len(visible(lane.name)) for lane in losers)
        for lane in losers:
            yield _lane_line(lane, width)
    unit = plan.unit.value
    yield safe(
        f"{len(over):,} of {len(plan.turns):,} requests are over {plan.budget:,} {unit};"
        f" they would lose {sum(turn.cut.before - turn.cut.after for turn in over):,}"
    )


def _turn_line(turn: Turn) -> SafeText:
    from workbench.core.text import join, safe, visible

    cut = turn.cut
    head = safe(f"{cut.before} -> {cut.after}" + ("" if cut.feasible else f" over {cut.budget}: infeasible"))
    lost = [
        join((visible(name), safe(" dropped" if name in cut.dropped else f" -{size}")))
        for name, size in cut.lost.items()
    ]
    parts = [head, visible(turn.name)]
    if lost:
        parts.append(join(lost, safe(", ")))
    return join(parts, safe("  "))


def _lane_line(lane: LanePlan, width: int) -> SafeText:
    from workbench.core.text import join, safe, visible

    dropped = f", dropped whole in {lane.dropped:,}" if lane.dropped else ""
    where = f"in {lane.cut:,} of {lane.requests:,} requests"
    told = f"priority {lane.priority}: lost {lane.lost:,} of {lane.size:,} {where}{dropped}"
    name = visible(lane.name)
    return join((name, safe(" " * (width - len(name) + 2)), safe(told)))


def _rows(plan: Plan) -> dict[str, Json]:
    return {
        "budget": plan.budget,
        "unit": plan.unit.value,
        "turns": [
            {
                "turn": turn.receipt.turn,
                "request": turn.receipt.request,
                "file": turn.receipt.place.file,
                "line": turn.receipt.place.number,
                "before": turn.cut.before,
                "after": turn.cut.after,
                "kept": turn.cut.kept,
                "feasible": turn.cut.feasible,
                "spare": turn.cut.spare,
                "lost": dict(turn.cut.lost),
                "dropped": sorted(turn.cut.dropped),
            }
            for turn in plan.turns
        ],
        "lanes": [
            {
                "name": lane.name,
                "priority": lane.priority,
                "registered": lane.registered,
                "giving": lane.giving.value,
                "size": lane.size,
                "requests": lane.requests,
                "cut": lane.cut,
                "dropped": lane.dropped,
                "lost": lane.lost,
            }
            for lane in plan.lanes
        ],
    }
