"""A run of 2,000 trials that notes each call in a file: for the test that kills it, as its own process."""

from __future__ import annotations

import asyncio
import os
import sys
from itertools import count
from pathlib import Path

from replay_parts import Scripted, passing, plan_for

from workbench.adapters.protocol import Answer, Request
from workbench.replay.engine import as_new_run, replay
from workbench.replay.executor import LocalExecutor
from workbench.replay.plan import Plan
from workbench.store.store import Store

TRIALS = 2000
LINE = 11
"""Bytes of a noted call: its seed, which no two trials of the plan share, and a line feed."""


def whole_plan() -> Plan:
    """500 prompts on two arms, twice."""
    return plan_for(Scripted(), prompts=TRIALS // 4, repeat=2)


async def run(root: Path, calls: Path, hold: int) -> None:
    """Runs the plan, or what is missing of it; after `hold` calls it waits for its end."""
    made = count()
    noted = os.open(calls, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    async def note(request: Request) -> Answer:
        os.write(noted, b"%010d\n" % request.seed)
        await asyncio.sleep(0 if next(made) < hold else 60)
        return passing(request.turn.text)

    plan = whole_plan()
    with Store.open(root) as store:
        recording = store.resume(as_new_run(plan))
        async with LocalExecutor({"router": Scripted(note, concurrency=4)}) as executor:
            await replay(plan, executor, store, recording=recording)


if __name__ == "__main__":
    asyncio.run(run(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])))
