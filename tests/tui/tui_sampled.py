"""A workspace whose model samples, by a seeded coin: the same trials on every machine, judged for real."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from tui_made import ARMS, MadePlan, Workspace, fixed, prompt

from workbench.compare.findings import find
from workbench.core.cell import BARE, AdapterInfo, Cell, CellKey, Delivery, Run
from workbench.core.decision import Decision, Outcome, ToolCall
from workbench.core.exchange import Exchange, Usage
from workbench.core.finding import Finding
from workbench.core.scenario import Expectation, Samples, Scenario
from workbench.core.trial import Status, Trial
from workbench.tui.judging import rule_on
from workbench.tui.session import Session
from workbench.tui.state import SessionState

TOOL = "create_event"
NONE = Expectation(no_calls=True, spelled="no calls")
INFOS = {
    "model": AdapterInfo("model", "model", '{"temperature": 1}', deterministic=False, router=False),
    "fixed": AdapterInfo("fixed", "python"),
}

SAMPLES = Samples(60, 0.1)


def key(label: str, arm: str = "attached", adapter: str = "model") -> CellKey:
    return CellKey("canary", label, arm, adapter)


def exchange(cell: CellKey, calls: tuple[ToolCall, ...], words: str) -> Exchange:
    """What a chat service would have been sent, and would have said."""
    sent = {
        "model": "smollm",
        "temperature": 1,
        "messages": [
            {"role": "system", "content": "You are helpful."},
            {"role": "user", "content": f"{cell.arm}: how many?"},
        ],
    }
    said = [{"name": call.name, "arguments": call.arguments} for call in calls]
    message = {"content": words, "tool_calls": said}
    received = {"choices": [{"finish_reason": "tool_calls" if said else "stop", "message": message}]}
    return Exchange(
        "http://127.0.0.1:8080/v1/chat/completions",
        json.dumps(sent),
        json.dumps(received),
        200,
        finish="tool_calls" if said else "stop",
        model="smollm-135m",
        usage=Usage(700, 20, None),
        cost=0.0005,
        tries=1,
        reached=1.0 if cell.arm != BARE else None,
    )


@dataclass
class Sampling(Workspace):
    """`chances`: how often the model calls a tool, by prompt and arm. `failing`: of which the last fail."""

    chances: Mapping[tuple[str, str], float] = field(default_factory=dict)
    failing: Mapping[tuple[str, str], int] = field(default_factory=dict)
    tool: str = TOOL
    samples: Samples = SAMPLES

    def plan(self, scenario: str, prompt: str | None, arm: str | None, adapter: str | None) -> MadePlan:
        made = super().plan(scenario, prompt, arm, adapter)
        deliveries = tuple(
            replace(d, document=d.key.arm != BARE, samples=self.samples if d.key.adapter == "model" else None)
            for d in made.deliveries
        )
        return MadePlan(deliveries, INFOS)

    def answer(self, delivery: Delivery, index: int) -> Trial:
        if delivery.samples is None:
            return super().answer(delivery, index)
        place = (delivery.key.prompt, delivery.key.arm)
        if index >= self.repeat - self.failing.get(place, 0):
            return Trial(index, Status.TIMEOUT, error="no answer within 60 s", seconds=60.0)
        coin = random.Random(f"{place}{index}")
        calls: tuple[ToolCall, ...] = ()
        if coin.random() < self.chances.get(place, 0.0):
            calls = (ToolCall(self.tool, {"day": "Friday", "hour": coin.randrange(3)}),)
        note = f"answer {coin.randrange(9)}"
        decision = Decision(Outcome.FIRE if calls else Outcome.PASS, calls, note=note)
        return Trial(index, Status.OK, decision, seconds=0.5, exchange=exchange(delivery.key, calls, note))

    def run(self, *scenarios: str) -> Run:
        made = super().run(*scenarios)
        cells = tuple(
            cell if cell.delivery.samples else Cell(cell.delivery, cell.trials[:2]) for cell in made.cells
        )
        return replace(made, cells=cells)

    def find(self, run: Run) -> tuple[Finding, ...]:
        return find(run)


def sampling(**changed: Any) -> Sampling:
    """One prompt that drifts, one that is undecided, one that does not drift and one that fails."""
    labels = ("drifts", "open", "quiet", "down")
    prompts = tuple(
        prompt(number, "How many sentences are in this file?", NONE, label)
        for number, label in enumerate(labels, start=1)
    )
    scenario = Scenario("canary", prompts, "scenarios/canary.yaml", "A question about a file.")
    chances = {
        ("drifts", "attached"): 0.4,
        ("open", BARE): 0.3,
        ("open", "attached"): 0.4,
    }
    settings: dict[str, Any] = {
        "repeat": 60,
        "chances": chances,
        "failing": {("open", "attached"): 3, ("down", BARE): 60, ("down", "attached"): 60},
        **changed,
    }
    routers = {"model": fixed, "fixed": fixed}
    return Sampling(
        (scenario,), routers, {"canary": tuple(arm for arm in ARMS if arm in (BARE, "attached"))}, **settings
    )


@cache
def sampled_run() -> Run:
    """The whole of it, answered."""
    return sampling().run("canary")


def sampled_session() -> Session[Any]:
    """It as the screen is handed it."""
    return sampling().session(sampled_run())


def judged_state(made: Sampling | None = None) -> SessionState:
    """What the screen knows once it has looked through all of it."""
    run = sampled_run() if made is None else made.run("canary")
    state = SessionState((made or sampling()).session(run))
    state.rates.take(rule_on(find, run).rates)
    return state
