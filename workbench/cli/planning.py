"""`run --plan`: what would be run, what it would take, and what it could not decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from workbench.adapters.protocol import Adapter
from workbench.cli.bench import store_root
from workbench.cli.forecast import Forecast, forecast
from workbench.cli.progress import clock_words
from workbench.cli.streams import drawn
from workbench.compare.blocks import families
from workbench.compare.events import must_be_none
from workbench.compare.rate_limits import MAX_RATE, percent
from workbench.core.cell import Delivery
from workbench.core.scenario import Samples
from workbench.core.text import SafeText, join, safe, visible
from workbench.files.workspace import Workspace
from workbench.replay.plan import Plan
from workbench.stats.planning import Reach, reach
from workbench.store.store import Store

__all__ = ["forecasts", "show_plan", "takes"]


def show_plan(plan: Plan, adapters: Mapping[str, Adapter], workspace: Workspace) -> int:
    """Write the plan to stdout: cells and trials by scenario and adapter, and their arms.

    Of what samples, also what that takes, and what it cannot decide. Raises WorkbenchError.
    """
    groups: dict[tuple[str, str], list[Delivery]] = {}
    for delivery in plan.deliveries:
        groups.setdefault((delivery.key.scenario, delivery.key.adapter), []).append(delivery)
    for (scenario, adapter), cells in groups.items():
        arms = Counter(delivery.key.arm for delivery in cells)
        listed = ", ".join(f"{visible(arm)} x{count}" for arm, count in arms.items())
        trials = sum(plan.repeats[delivery.key] for delivery in cells)
        most = "at most " if cells[0].samples is not None else ""
        print(safe(f"{visible(scenario)}: {visible(adapter)}: {most}{trials:,} trials: {listed}"))
        for line in _limits(cells):
            print(safe(f"  {line}"))
    sampled = any(delivery.samples is not None for delivery in plan.deliveries)
    print(safe(f"{len(plan.deliveries):,} cells, {'at most ' if sampled else ''}{plan.total:,} trials"))
    for made in forecasts(plan, adapters, workspace):
        print(takes(made))
    for note in plan.notes:
        print(drawn(note))
    return 0


def forecasts(plan: Plan, adapters: Mapping[str, Adapter], workspace: Workspace) -> Iterator[Forecast]:
    """What each adapter that samples is to take, recordings left out. Raises WorkbenchError."""
    names = {d.key.adapter for d in plan.deliveries if d.samples is not None} & set(workspace.askable)
    if not names:
        return
    store = Store.existing(store_root(workspace))
    try:
        for name, adapter in adapters.items():
            if name in names:
                yield forecast(plan, adapter, store.pace(name) if store is not None else None)
    finally:
        if store is not None:
            store.close()


def takes(made: Forecast) -> SafeText:
    """One adapter's calls, time and cost in words."""
    parts = [f"at most {made.calls:,} calls"]
    if made.wanted > made.calls:
        parts[0] += f" (max_calls; the plan may want {made.wanted:,})"
    at_once = f"{made.concurrency} at a time"
    if made.per_minute is not None:
        at_once += f" and {made.per_minute:g} a minute"
    if made.pace is not None:
        seconds = f"{made.pace:.2g} s" if made.pace < 10 else f"{made.pace:.0f} s"
        parts.append(
            f"about {clock_words(made.seconds)} at {at_once} and {seconds} a call, as in its newest run"
        )
    else:
        parts.append(
            f"at most {clock_words(made.seconds)} at {at_once}, for no call of it is timed yet and"
            f" {made.timeout:g} s is its limit"
        )
    parts.append(_cost(made))
    if made.calls > 1:
        parts.append("a failed draw is made again up to 3 times")
    return safe(f"{visible(made.adapter)}: {'; '.join(parts)}")


def _cost(made: Forecast) -> str:
    tokens = f" for {made.tokens:,} tokens" if made.tokens is not None else ""
    cap = f", and no more than ${made.max_cost:g} (max_cost)" if made.max_cost is not None else ""
    if made.cost is None:
        return f"cost unknown{tokens}{cap}"
    return f"about ${made.cost:,.2f}{tokens}{cap}" if made.cost >= 0.005 else f"under $0.01{tokens}{cap}"


def _limits(cells: list[Delivery]) -> Iterator[SafeText]:
    """What so many samples show at best of one scenario and adapter, and what they cannot."""
    samples = cells[0].samples
    if samples is None:
        return
    m = max((family.m for family in families(cells).values()), default=0)
    wanted = [d.expect.max_rate for d in cells if d.expect is not None and must_be_none(d.expect)]
    most = min((MAX_RATE if rate is None else rate for rate in wanted), default=MAX_RATE)
    able = reach(samples.max, samples.delta, max(m, 1), most)
    if wanted:
        yield _of_none(able, most)
    if m:
        yield _of_drift(able, m)
        yield from _of_sameness(able, samples)


def _of_none(able: Reach, most: float) -> SafeText:
    shown = f"0 calls in {able.n} leave a rate of up to {percent(able.zero_bound)}"
    if able.zero_needed is None:
        return safe(f"none wanted: {shown}; no number of trials shows that it is 0")
    if able.n >= able.zero_needed:
        return safe(f"none wanted: {shown}, which will do")
    return safe(f"none wanted: {shown}: at most {percent(most)} needs {able.zero_needed} clean trials")


def _of_drift(able: Reach, m: int) -> SafeText:
    arms = "1 arm" if m == 1 else f"{m} arms"
    if able.blocks_needed is None or able.blocks_needed > able.n:
        least = f"at least {able.blocks_needed:,}" if able.blocks_needed is not None else "more"
        return safe(f"drift: none can be found: over {arms} that takes {least} trials an arm")
    found = f"over {arms}, no fewer than {able.blocks_needed} trials an arm find any"
    if able.detectable is not None:
        found += f"; {able.n} find {percent(able.detectable)} against 0 in half of all cases"
    return safe(f"drift: {found}")


def _of_sameness(able: Reach, samples: Samples) -> Iterator[SafeText]:
    within = f"within {samples.delta:g}"
    needed = f"{able.same_needed:,} an arm" if able.same_needed is not None else "more than there can be"
    if able.same_rate is None:
        yield safe(f"the same {within}: cannot be said of any two rates; at 30% it needs {needed}")
    elif able.same_rate < 0.3:
        yield join(
            (
                safe(f"the same {within}: cannot be said of rates above {percent(able.same_rate)};"),
                safe(f" at 30% it needs {needed}"),
            )
        )
