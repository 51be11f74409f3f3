"""Why a decision moved: asks the adapter about ever smaller parts of a delivery, within a budget of calls."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from workbench.core.cell import BARE, AdapterInfo, Delivery
from workbench.core.errors import UsageError
from workbench.explain.asking import Asker, NoAnswer, Stopped
from workbench.explain.draft import Draft, Tell
from workbench.explain.explanation import Ending, Explanation
from workbench.explain.material import material_of
from workbench.explain.papers import Papers
from workbench.explain.parts import Grain
from workbench.explain.question import Asked, Way
from workbench.explain.sampling import explain_sampling
from workbench.explain.smallest import OutOfCalls
from workbench.explain.steady import explain_steady
from workbench.replay.executor import Executor
from workbench.replay.policies import Policy

__all__ = ["CALLS", "CALLS_SAMPLED", "Options", "Subject", "explain"]

CALLS = 200
"""Calls of an adapter that answers the same each time, unless more are allowed."""

CALLS_SAMPLED = 1000
"""Calls of an adapter that samples: each question takes it some twenty."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What is to be explained: a delivery, and the bare one that it is held against; None: there is none.

    `policy` stands before the adapter.
    """

    variant: Delivery
    bare: Delivery | None
    info: AdapterInfo
    policy: Policy | None = None


@dataclass(frozen=True, slots=True)
class Options:
    """`calls` at most; None: as many as fit the adapter. `grain`: how small the parts get; None: words, and
    sentences where the adapter samples. `way`: in what a difference is looked for first.
    """

    calls: int | None = None
    grain: Grain | None = None
    way: Way | None = None


async def explain(
    subject: Subject,
    executor: Executor,
    options: Options | None = None,
    stop: asyncio.Event | None = None,
    tell: Tell = lambda progress: None,
) -> Explanation:
    """The words that moved a decision, as far as the calls allow. `stop`, set, ends it with the best so far.

    Raises UsageError where there is no bare delivery to hold it against, WorkbenchError where the adapter's
    settings cannot work.
    """
    options = options or Options()
    key = subject.variant.key
    bare = subject.bare
    if bare is None:
        raise UsageError(f"{key}: its prompt is not delivered bare, and so nothing can be held against that")
    steady = subject.info.deterministic
    most = options.calls if options.calls is not None else CALLS if steady else CALLS_SAMPLED
    if most < 1:
        raise UsageError(f"--calls {most}: at least 1 is needed")
    material = material_of(subject.variant.turn)
    broken = await executor.prepare((key.adapter,))
    with Papers(subject.variant.turn) as papers:
        draft = Draft(subject.variant, material, None, tell)
        asker = draft.asker = Asker(
            executor, key, papers, most, stop, draft.report, subject.policy, not steady
        )
        try:
            if key.adapter in broken:
                raise NoAnswer(broken[key.adapter])
            if key.arm == BARE:
                await _alone(draft, asker)
            elif steady:
                last = options.grain or Grain.WORD
                await explain_steady(draft, Asked(asker, material, key.arm), bare, last, options.way)
            else:
                await explain_sampling(draft, asker, bare, options.grain or Grain.SENTENCE)
        except OutOfCalls:
            draft.cut_short(Ending.OUT_OF_CALLS, asker.why_out)
        except Stopped:
            draft.cut_short(Ending.STOPPED, "it was stopped")
        except NoAnswer as error:
            draft.cut_short(Ending.NO_ANSWER, str(error))
    return draft.finished()


async def _alone(draft: Draft, asker: Asker) -> None:
    """The bare arm: nothing has moved it, and what it comes to is all that there is to say."""
    given = await asker.ask(draft.delivery.turn, BARE)
    if given.decision is None:
        raise NoAnswer(given.error or "it is not answered")
    draft.say(
        ending=Ending.NOTHING,
        why="this is the bare arm: the words typed, to which nothing was added",
        bare=given.decision,
        variant=given.decision,
        matches=given.decision.matches or (),
    )
