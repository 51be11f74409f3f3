"""A run of 2,000 trials that notes each call in a file: for the test that kills it, as its own process.

Once in passes, and once sampled: there some draws fail and are made again, and some arms end early.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
from itertools import count
from pathlib import Path

from replay_parts import Scripted, passing, plan_for

from workbench.adapters.protocol import Answer, Request
from workbench.core.cell import BARE
from workbench.core.decision import Decision, Outcome, ToolCall
from workbench.core.trial import Status
from workbench.replay.engine import as_new_run, replay
from workbench.replay.executor import LocalExecutor
from workbench.replay.plan import Plan
from workbench.store.store import Store

TRIALS = 2000
LINE = 11
"""Bytes of a noted call: its seed, which no two trials of the plan share, and a line feed."""


def whole_plan(samples: bool) -> Plan:
    """500 prompts on two arms, twice; or 50 prompts on two arms, at most 20 times."""
    if samples:
        return plan_for(Scripted(samples=True), prompts=TRIALS // 40, samples=20)
    return plan_for(Scripted(), prompts=TRIALS // 4, repeat=2)


def sampled_answer(key_arm: str, seed: int) -> Answer:
    """What the router of the sampled run says, by the draw's seed: the same in every session."""
    chance = random.Random(seed)
    if chance.random() < 0.1:
        return Answer(Status.ERROR, error="reset")
    if chance.random() < (0.6 if key_arm != BARE else 0.05):
        return Answer(Status.OK, Decision(Outcome.FIRE, (ToolCall("send"),)))
    return passing()


async def run(root: Path, calls: Path, hold: int, samples: bool) -> None:
    """Runs the plan, or what is missing of it; after `hold` calls it waits for its end."""
    made = count()
    noted = os.open(calls, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    async def note(request: Request) -> Answer:
        os.write(noted, b"%010d\n" % request.seed)
        await asyncio.sleep(0 if next(made) < hold else 60)
        return sampled_answer(request.arm, request.seed) if samples else passing(request.turn.text)

    plan = whole_plan(samples)
    with Store.open(root) as store:
        recording = store.resume(as_new_run(plan))
        async with LocalExecutor({"router": Scripted(note, concurrency=4, samples=samples)}) as executor:
            await replay(plan, executor, store, recording=recording)


if __name__ == "__main__":
    asyncio.run(run(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4] == "sampled"))
