"""The search in an adapter that answers the same each time: facts, words, what restores, evidence."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence

from workbench.core.cell import BARE, Delivery
from workbench.core.decision import Decision, Span
from workbench.core.turn import Author
from workbench.explain.asking import Given, NoAnswer
from workbench.explain.draft import Draft
from workbench.explain.evidence import lost_matches, margins, matches_in, sentences_of
from workbench.explain.explanation import Ending, Margin
from workbench.explain.parts import Grain, joined, left_out
from workbench.explain.question import Asked, Way, way_between
from workbench.explain.restore import Restoring, restore, restore_place
from workbench.explain.shrink import shrink, shrink_to_run

__all__ = ["explain_steady"]


async def explain_steady(
    draft: Draft, asked: Asked, bare: Delivery, last: Grain, wanted: Way | None = None
) -> None:
    """Grows `draft` until all is said. Raises OutOfCalls, Stopped or NoAnswer in the middle."""
    search = _Search(draft, asked, last)
    if not await search.facts(bare, wanted):
        return
    if await search.is_delivery():
        return
    await search.words()
    await search.confirm()
    await search.restoring()
    await search.evidence()


class _Search:
    """`facts` comes first: it says what bare and the delivery come to, and in what they differ."""

    def __init__(self, draft: Draft, asked: Asked, last: Grain) -> None:
        self._draft = draft
        self._asked = asked
        self._last = last
        self._material = asked.material
        self._way = Way.DECISION
        self._bare: Decision
        self._variant: Decision
        self._cause: tuple[Span, ...] = ()

    async def facts(self, bare: Delivery, wanted: Way | None) -> bool:
        """Whether the delivery moves anything."""
        draft = self._draft
        self._bare = await self._answer(self._asked.given(bare.turn, BARE), "bare")
        self._variant = await self._answer(self._asked.given(self._material.deliver(())), "the delivery")
        draft.say(bare=self._bare, variant=self._variant)
        way = way_between(self._bare, self._variant, wanted)
        if way is None:
            draft.say(ending=Ending.NOTHING, why="this delivery is decided on as bare is")
            return False
        self._way = way
        draft.say(way=way, lost_matches=lost_matches(self._bare, self._variant))
        return True

    async def is_delivery(self) -> bool:
        """Whether it is moved with all taken away that can be."""
        draft, material = self._draft, self._material
        if not material.foreign:
            self._say_delivery()
            return True
        if not await self._holds(()):
            draft.better(material.foreign)
            return False
        self._say_delivery()
        return True

    async def words(self) -> None:
        """The smallest part that moves it in the same way; by words, or by length or place."""
        draft, material = self._draft, self._material
        draft.begin("asking whether the words matter")
        disguised = self._asked.about(material.disguised())
        wanted = self._way.of(self._variant)
        if disguised.material.text != material.text and await disguised.without((), self._way, wanted):

            async def holds(kept: Sequence[Span]) -> bool:
                return await disguised.with_only(kept, self._way, wanted)

            self._cause, minimal = await shrink_to_run(
                material.text, material.foreign, self._last, holds, draft.better, draft.level
            )
            ending = Ending.PLACE
        else:
            self._cause = await shrink(
                material.text, material.foreign, self._last, self._holds, draft.better, draft.level
            )
            ending, minimal = Ending.WORDS, True
        self._cause = joined(self._cause)
        draft.say(
            ending=ending,
            cause=self._cause,
            minimal=minimal and not self._asked.unanswered,
            grain=self._last,
            matches=matches_in(self._variant, self._cause),
            unanswered=self._asked.unanswered,
        )

    async def confirm(self) -> None:
        """Asks for the cause once more, for an adapter that only says that it answers the same."""
        self._draft.begin("asking once more")
        decision = await self._asked.again(left_out(self._material.foreign, self._cause))
        same = decision is not None and self._way.of(decision) == self._way.of(self._variant)
        if self._draft.said["ending"] is Ending.PLACE and not same:
            # The words that stand there now may do something else than any words would.
            return
        self._draft.say(steady=same)

    async def restoring(self) -> None:
        draft, found = self._draft, Restoring()
        wanted = self._way.of(self._bare)
        try:
            if draft.said["ending"] is Ending.PLACE:
                await restore_place(self._asked, self._way, wanted, self._last, found, draft.begin)
            else:
                await restore(self._asked, self._cause, self._way, wanted, self._last, found, draft.begin)
        finally:
            draft.say(
                others=tuple(found.others),
                removal=found.removed,
                removal_minimal=found.minimal,
                no_removal=found.why_none,
                unanswered=self._asked.unanswered,
            )

    async def evidence(self) -> None:
        """Scores, where there are some."""
        if not self._variant.scores or not self._bare.scores:
            return
        self._draft.begin("leaving out each sentence")
        found: list[Margin] = []
        try:
            await margins(self._asked, self._bare, self._variant, self._cause, found)
        finally:
            ranked = sorted(found, key=lambda margin: -abs(margin.change))
            self._draft.say(margins=tuple(ranked), sentences=len(sentences_of(self._material, self._cause)))

    async def _holds(self, kept: Sequence[Span]) -> bool:
        return await self._asked.with_only(kept, self._way, self._way.of(self._variant))

    async def _answer(self, asking: Awaitable[Given], what: str) -> Decision:
        given = await asking
        if given.decision is None:
            raise NoAnswer(f"{what} is not answered: {given.error}")
        return given.decision

    def _say_delivery(self) -> None:
        """Nothing that was added moves it: then it is what became of the words, or that there is a file."""
        material, draft = self._material, self._draft
        own = tuple((r.start, r.end) for r in material.regions if r.author is Author.USER)
        delivered = "".join(material.text[start:end] for start, end in own)
        if delivered == draft.delivery.typed and material.turn.attachments:
            why = "it is that a file comes with the words, whatever the file says"
        elif not delivered.strip() and draft.delivery.typed.strip():
            why = "the words typed are not in this delivery, and without them it is decided on like this"
        elif delivered != draft.delivery.typed:
            why = "it is what became of the words typed on the way: alone, as delivered, they move it"
        else:
            why = "it is not the text: the same words alone are decided on differently in this delivery"
        draft.say(
            ending=Ending.DELIVERY,
            why=why,
            cause=own if delivered != draft.delivery.typed else (),
            no_removal="nothing that can be taken out of this delivery brings back what bare decides",
        )
