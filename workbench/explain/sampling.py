"""The search in an adapter that samples: every part is accepted by the test of the rates alone."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from math import ceil, log2

from workbench.compare.blocks import ALPHA
from workbench.compare.events import declared_event
from workbench.core.cell import BARE, Delivery
from workbench.core.decision import Span
from workbench.explain.asking import Asker, NoAnswer
from workbench.explain.draft import Draft
from workbench.explain.explanation import Counted, Ending, Rates
from workbench.explain.parts import Grain, cut, joined, left_out
from workbench.explain.sampled import BLOCKS, Contest, Draws, Sampler
from workbench.explain.smallest import smallest
from workbench.replay.identity import seed_of
from workbench.stats.sequential import EProcess

__all__ = ["explain_sampling"]

_LEAST = 24
"""Blocks of bare and the delivery that are drawn in any case: by their rates all parts are judged."""


async def explain_sampling(draft: Draft, asker: Asker, bare: Delivery, last: Grain) -> None:
    """Grows `draft` until all is said. Raises OutOfCalls, Stopped or NoAnswer in the middle."""
    search = _Search(draft, asker, bare, last)
    if await search.differs():
        await search.words()
        await search.restoring()


class _Search:
    def __init__(self, draft: Draft, asker: Asker, bare: Delivery, last: Grain) -> None:
        self._draft = draft
        self._last = last
        self._material = draft.material
        self._arm = draft.delivery.key.arm
        event = declared_event(draft.delivery)
        self._sampler = Sampler(asker, event)
        self._bare = self._sampler.of(bare.turn, BARE)
        self._variant = self._sampler.of(self._material.deliver(()), self._arm)
        self._rates = Rates(event.name, Counted(0, 0), Counted(0, 0))
        self._order = random.Random(seed_of(draft.delivery.key, 0))
        self._cause: tuple[Span, ...] = ()
        self._seen: dict[tuple[Span, ...], Counted] = {}

    async def differs(self) -> bool:
        """Whether the two rates do, by the test that a run uses."""
        draft = self._draft
        evidence = EProcess()
        for block in range(BLOCKS):
            sides = [self._bare, self._variant]
            self._order.shuffle(sides)
            for side in sides:
                await self._sampler.fill(side, block + 1)
            ours, theirs = self._bare.results[block], self._variant.results[block]
            if ours is not None and theirs is not None and evidence.value < 1 / ALPHA:
                evidence.add(ours, theirs)
            self._tell(variant=replace(self._variant.counted, e=evidence.value))
            if evidence.value >= 1 / ALPHA and block + 1 >= _LEAST:
                return True
        if not self._variant.counted.n or not self._bare.counted.n:
            raise NoAnswer("not one draw of an arm was answered")
        if evidence.value >= 1 / ALPHA:
            return True
        draft.say(
            ending=Ending.NOTHING,
            why=f"{self._variant.counted.n} draws do not show that the rates differ",
        )
        return False

    async def words(self) -> None:
        """The smallest part whose rate is like the delivery's rather than like bare's."""
        draft, material = self._draft, self._material
        parts = cut(material.text, material.foreign, self._last)
        contest = self._contest(self._bare, self._variant, len(parts))

        async def holds(kept: Sequence[Span]) -> bool:
            draws = self._without(left_out(material.foreign, kept))
            held, counted = await contest.holds(draws)
            self._seen[joined(kept)] = counted
            return held

        if not parts or await holds(()):
            draft.say(
                ending=Ending.DELIVERY,
                why="it is not what was added: with all of that taken away the rate is the same",
                no_removal="nothing that can be taken out of this delivery brings back the rate of bare",
            )
            return
        draft.better(material.foreign)
        draft.level(self._last)
        self._cause = joined(await smallest(parts, holds, draft.better))
        self._tell(cause=self._seen.get(self._cause, self._variant.counted))
        draft.say(ending=Ending.WORDS, cause=self._cause, minimal=True, grain=self._last)

    async def restoring(self) -> None:
        """The cause taken away: is the rate bare's again, and is all of it needed for that?"""
        if not self._cause:
            return
        draft, material = self._draft, self._material
        draft.begin("looking for what restores it")
        parts = cut(material.text, self._cause, self._last)
        contest = self._contest(self._variant, self._bare, len(parts))
        found: dict[tuple[Span, ...], Counted] = {}

        async def restores(removed: Sequence[Span]) -> bool:
            held, found[joined(removed)] = await contest.holds(self._without(removed))
            return held

        if not await restores(parts):
            self._tell(restored=found[self._cause])
            draft.say(no_removal="without these words the rate is not shown to be like bare's: more moves it")
            return
        self._tell(restored=found[self._cause])
        draft.say(removal=self._cause, removal_minimal=len(parts) == 1)
        if len(parts) > 1:
            removed = joined(await smallest(parts, restores))
            self._tell(restored=found[removed])
            draft.say(removal=removed, removal_minimal=True)

    def _without(self, removed: Sequence[Span]) -> Draws:
        return self._sampler.of(self._material.deliver(removed), self._arm)

    def _contest(self, near: Draws, far: Draws, parts: int) -> Contest:
        return Contest(self._sampler, near, far, 2 * ceil(log2(max(parts, 1))) + 2)

    def _tell(self, **counted: Counted) -> None:
        bare = self._bare.counted
        variant = replace(self._variant.counted, e=self._rates.variant.e)
        known: dict[str, Counted | None] = {
            "cause": self._rates.cause,
            "restored": self._rates.restored,
            "variant": variant,
            **counted,
        }
        self._rates = Rates(
            self._rates.event, bare, known["variant"] or variant, known["cause"], known["restored"]
        )
        self._draft.say(rates=self._rates)
        self._draft.report()
