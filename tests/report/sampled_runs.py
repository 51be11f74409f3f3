"""A run of a model, sampled by a seeded coin: the same trials on every machine."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from report_runs import DOCUMENT, QUESTION, run_of, turn_of

from workbench.compare.findings import find
from workbench.core.cell import AdapterInfo, Cell, CellKey, Delivery, Run
from workbench.core.decision import Decision, Outcome, ToolCall
from workbench.core.exchange import Exchange, Usage
from workbench.core.finding import Finding
from workbench.core.scenario import Expectation, Samples
from workbench.core.trial import Status, Trial
from workbench.core.turn import Author, Turn

BARE = turn_of(QUESTION, (QUESTION, Author.USER))
ATTACHED = turn_of(
    QUESTION,
    ("<doc>\n", Author.TRANSPORT),
    (DOCUMENT, Author.ATTACHMENT),
    ("\n</doc>\n", Author.TRANSPORT),
    (QUESTION, Author.USER),
)
NONE = Expectation(no_calls=True, spelled="no calls")
WANTED = Expectation(outcome=Outcome.FIRE, tool="create_event", spelled="fire create_event")
TOOL = "create_event"


def sampled_cell(
    prompt: str,
    arm: str,
    turn: Turn,
    fires: Callable[[int], bool],
    *,
    n: int = 60,
    failed: int = 0,
    expect: Expectation | None = NONE,
) -> Cell:
    """`fires` says of each block whether the model calls the tool; the last `failed` trials time out."""
    key = CellKey("canary", prompt, arm, "model")
    delivery = Delivery(
        key, turn.typed, turn, expect=expect, document=arm != "bare", file="scenarios/canary.yaml", line=4,
        samples=Samples(60, 0.1),
    )  # fmt: skip
    trials = []
    for block in range(n):
        calls = (ToolCall(TOOL, {"day": "Friday", "hour": block % 3}),) if fires(block) else ()
        decision = Decision(Outcome.FIRE if calls else Outcome.PASS, calls, note=f"answer {block % 7}")
        exchange = Exchange("http://127.0.0.1/v1", "{}", "{}", 200, usage=Usage(700, 20), cost=0.0005)
        if block >= n - failed:
            trials.append(Trial(block, Status.TIMEOUT, error="no answer within 60 s", seconds=60.0))
        else:
            trials.append(Trial(block, Status.OK, decision, seconds=0.5, exchange=exchange))
    return Cell(delivery, tuple(trials))


def coin(rate: float, seed: int) -> Callable[[int], bool]:
    """Whether block n calls the tool: at that rate, and the same each time."""
    flips = random.Random(seed)
    drawn = [flips.random() < rate for _ in range(60)]
    return drawn.__getitem__


def sampled_run() -> tuple[Run, tuple[Finding, ...]]:
    """One prompt that drifts, one that is undecided, one whose tool is wanted, one that was cut short."""
    cells = [
        sampled_cell("drifts", "bare", BARE, coin(0, 1)),
        sampled_cell("drifts", "attached", ATTACHED, coin(0.25, 2)),
        sampled_cell("open", "bare", BARE, coin(0.3, 3)),
        sampled_cell("open", "attached", ATTACHED, coin(0.35, 4), failed=2),
        sampled_cell("wanted", "bare", BARE, coin(0.99, 5), expect=WANTED),
        sampled_cell("wanted", "attached", ATTACHED, coin(0.99, 6), expect=WANTED),
        sampled_cell("short", "bare", BARE, coin(0, 7), n=20),
        sampled_cell("short", "attached", ATTACHED, coin(0, 8), n=20),
    ]
    info = AdapterInfo("model", "model", '{"temperature": 1}', deterministic=False, router=False)
    run = replace(run_of(cells), adapters={"model": info})
    return run, find(run)
