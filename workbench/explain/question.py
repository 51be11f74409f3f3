"""What counts as the same difference from bare, and the questions that ask for it, each asked once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from enum import StrEnum
from hashlib import sha256

from workbench.core.decision import Decision, Score, Span
from workbench.core.turn import Turn
from workbench.explain.asking import Asker, Given
from workbench.explain.material import Material
from workbench.explain.parts import left_out

__all__ = ["Asked", "Way", "way_between"]


class Way(StrEnum):
    """In what two decisions differ: outcome and tools, the arguments of their calls, or their scores."""

    DECISION = "decision"
    ARGUMENTS = "arguments"
    SCORES = "scores"

    def of(self, decision: Decision) -> Hashable:
        """What two decisions have in common that are the same in this way."""
        same = (decision.outcome, tuple(sorted(decision.tools)))
        if self is Way.DECISION:
            return same
        if self is Way.ARGUMENTS:
            return decision.identity()
        return (same, _standing(decision.scores or ()))


def way_between(bare: Decision, variant: Decision, wanted: Way | None = None) -> Way | None:
    """The coarsest way in which they differ, `wanted` if they do in that; None: in none."""
    ways = [Way.DECISION, Way.ARGUMENTS]
    if bare.scores and variant.scores:
        ways.append(Way.SCORES)
    differ = [way for way in ways if way.of(bare) != way.of(variant)]
    return wanted if wanted in differ else next(iter(differ), None)


def _standing(scores: Sequence[Score]) -> Hashable:
    """Which routes are over their threshold, and which two lead."""
    order = sorted(scores, key=lambda score: (-score.value, score.route))
    over = frozenset(s.route for s in scores if s.margin is not None and s.margin >= 0)
    return (over, tuple(score.route for score in order[:2]))


class Asked:
    """Questions about one delivery to an adapter that answers the same each time.

    Two deliveries that are the same turn are asked about once. A call that took too long is made once more.
    """

    def __init__(self, asker: Asker, material: Material, arm: str) -> None:
        self.asker = asker
        self.material = material
        self._arm = arm
        self._known: dict[bytes, Given] = {}
        self.unanswered = 0

    def about(self, material: Material) -> Asked:
        """The same, what is known too, about other material."""
        other = Asked(self.asker, material, self._arm)
        other._known = self._known
        return other

    async def given(self, turn: Turn, arm: str | None = None) -> Given:
        """The answer to a turn. Raises what Asker raises."""
        mark = _mark(turn)
        known = self._known.get(mark)
        if known is None:
            known = await self.asker.ask(turn, arm or self._arm)
            if known.late:
                known = await self.asker.ask(turn, arm or self._arm)
            self.unanswered += known.decision is None
            self._known[mark] = known
        return known

    async def again(self, removed: Sequence[Span]) -> Decision | None:
        """The answer to the delivery without these parts, asked anew."""
        return (await self.asker.ask(self.material.deliver(removed), self._arm)).decision

    async def decision(self, removed: Sequence[Span]) -> Decision | None:
        """The decision on the delivery without these parts; None: there is none."""
        return (await self.given(self.material.deliver(removed))).decision

    async def without(self, removed: Sequence[Span], way: Way, wanted: Hashable) -> bool:
        """Whether the delivery without these parts is decided on like that."""
        decision = await self.decision(removed)
        return decision is not None and way.of(decision) == wanted

    async def with_only(self, kept: Sequence[Span], way: Way, wanted: Hashable) -> bool:
        """Whether it still is with no more than these parts of what the user did not write."""
        return await self.without(left_out(self.material.foreign, kept), way, wanted)


def _mark(turn: Turn) -> bytes:
    """The same for the same turn: the turns themselves may be megabytes."""
    spelled = repr((turn.text, turn.typed, turn.regions, turn.pieces, turn.attachments, turn.messages))
    return sha256(spelled.encode("utf-8", "surrogatepass")).digest()
