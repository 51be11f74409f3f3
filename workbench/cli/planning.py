"""`run --plan`: what would be run, before anything is."""

from __future__ import annotations

from collections import Counter

from workbench.cli.streams import drawn
from workbench.core.text import safe, visible
from workbench.replay.plan import Plan

__all__ = ["show_plan"]


def show_plan(plan: Plan) -> int:
    """Write the plan to stdout: cells and trials by scenario and adapter, and their arms."""
    groups: dict[tuple[str, str], Counter[str]] = {}
    trials: Counter[tuple[str, str]] = Counter()
    for delivery in plan.deliveries:
        key = delivery.key
        groups.setdefault((key.scenario, key.adapter), Counter())[key.arm] += 1
        trials[key.scenario, key.adapter] += plan.repeats[key]
    for (scenario, adapter), arms in groups.items():
        listed = ", ".join(f"{visible(arm)} x{count}" for arm, count in arms.items())
        print(
            safe(f"{visible(scenario)}: {visible(adapter)}: {trials[scenario, adapter]:,} trials: {listed}")
        )
    print(safe(f"{len(plan.deliveries):,} cells, {plan.total:,} trials"))
    for note in plan.notes:
        print(drawn(note))
    return 0
