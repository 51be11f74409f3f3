"""What the calls of an adapter that samples are expected to take: how many, how long, how much."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.adapters.budget import Capped, Caps, Estimate, Estimating, Paced
from workbench.adapters.protocol import Adapter
from workbench.replay.plan import Plan

__all__ = ["Forecast", "forecast"]


@dataclass(frozen=True, slots=True)
class Forecast:
    """`calls` at most, of the `wanted` ones as far as a cap allows. `seconds` for all of them, at `pace`
    seconds a call or, without one, at the time limit. `tokens` and `cost`, in US dollars, of all of them;
    None: it cannot be told of each. `max_cost` is the cap, if there is one.
    """

    adapter: str
    wanted: int
    calls: int
    concurrency: int
    timeout: float
    per_minute: float | None
    pace: float | None
    seconds: float
    tokens: int | None
    cost: float | None
    max_cost: float | None = None


def forecast(plan: Plan, adapter: Adapter, pace: float | None) -> Forecast:
    """Of one adapter of a plan. `pace`: the seconds that a call of it took before. No call is made."""
    own = [delivery for delivery in plan.deliveries if delivery.key.adapter == adapter.name]
    wanted = sum(plan.repeats[delivery.key] for delivery in own)
    caps = adapter.caps if isinstance(adapter, Capped) else Caps()
    calls = wanted if caps.max_calls is None else min(wanted, caps.max_calls)
    per_minute = adapter.per_minute if isinstance(adapter, Paced) else None
    concurrency = max(1, adapter.concurrency)
    rounds = -(-calls // concurrency)
    seconds = max(
        rounds * (adapter.timeout if pace is None else pace),
        calls / per_minute * 60 if per_minute else 0.0,
    )
    tokens: float | None = 0.0
    cost: float | None = 0.0
    share = calls / wanted if wanted else 0.0
    for delivery in own:
        one = adapter.estimate(delivery.turn) if isinstance(adapter, Estimating) else Estimate()
        number = plan.repeats[delivery.key] * share
        tokens = None if tokens is None or one.tokens is None else tokens + one.tokens * number
        cost = None if cost is None or one.cost is None else cost + one.cost * number
    return Forecast(
        adapter.name,
        wanted,
        calls,
        concurrency,
        adapter.timeout,
        per_minute,
        pace,
        seconds,
        None if tokens is None else round(tokens),
        cost,
        caps.max_cost,
    )
