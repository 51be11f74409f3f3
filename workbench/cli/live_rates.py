"""How often the arms of a sampled run have called so far, over all prompts."""

from __future__ import annotations

from collections.abc import Iterable

from workbench.compare.events import Event, any_tool, declared_event
from workbench.core.cell import Delivery
from workbench.core.relation import Relation
from workbench.core.text import SafeText, join, safe, visible
from workbench.replay.events import TrialFinished

__all__ = ["LiveRates", "live_rates"]


class LiveRates:
    """k of n by arm, and by adapter where several sample. Failed trials are in neither."""

    def __init__(self, event: Event, deliveries: Iterable[Delivery]) -> None:
        keys = [delivery.key for delivery in deliveries if delivery.samples is not None]
        self._event = event
        self._several = len({key.adapter for key in keys}) > 1
        self._counts: dict[tuple[str, str], list[int]] = {(key.adapter, key.arm): [0, 0] for key in keys}

    def count(self, event: TrialFinished) -> None:
        """One more trial of this session."""
        counts = self._counts.get((event.key.adapter, event.key.arm))
        if counts is not None and event.trial.decision is not None:
            counts[0] += self._event.happened(event.trial.decision)
            counts[1] += 1

    def words(self, most: int) -> SafeText:
        """`calls any tool: bare 0/12, attachment 3/12`; of more than `most` arms the first ones."""
        parts = [
            safe(f"{f'{visible(adapter)} ' if self._several else ''}{visible(arm)} {k}/{n}")
            for (adapter, arm), (k, n) in list(self._counts.items())[:most]
        ]
        if len(self._counts) > most:
            parts.append(safe("..."))
        return safe(f"{visible(self._event.name)}: {join(parts, ', ')}")


def live_rates(deliveries: Iterable[Delivery]) -> LiveRates | None:
    """Counts of the one event that all arms are about, else of any call; None where nothing samples."""
    sampled = [delivery for delivery in deliveries if delivery.samples is not None]
    if not sampled:
        return None
    events = {declared_event(delivery).name: declared_event(delivery) for delivery in sampled}
    # What bare never calls is not known before its last trial.
    told = len(events) == 1 and all(delivery.relation is not Relation.NO_NEW_TOOLS for delivery in sampled)
    return LiveRates(next(iter(events.values())) if told else any_tool(), sampled)
