"""Rates of a model behind a server that calls a tool with known probabilities, from wire to verdict."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from model_server import ModelServer

from workbench.adapters.model import ModelAdapter
from workbench.adapters.protocol import Place
from workbench.compare.findings import find
from workbench.compare.rates import Verdict, rates_of, readings
from workbench.core.cell import BARE, Run
from workbench.core.envelope import Envelope, Ingress
from workbench.core.errors import Mark
from workbench.core.finding import Kind
from workbench.core.scenario import Attach, Expectation, Prompt, Samples, Scenario
from workbench.core.turn import Attachment
from workbench.replay.choice import Choice
from workbench.replay.engine import replay
from workbench.replay.executor import LocalExecutor
from workbench.replay.plan import describe, make_plan
from workbench.store.store import Store

MOST = 60
RATES = {"none": (0.0, 0.0), "strong": (0.0, 0.6), "weak": (0.05, 0.5), "equal": (0.3, 0.3)}
TOOL = {"type": "function", "function": {"name": "create_event", "parameters": {"type": "object"}}}
FILE = Envelope("file", Ingress.ATTACHMENT, "{text}\n\n[file]\n{document}\n[/file]")


class Dice:
    """Calls with one probability, seeded, and counts what it said."""

    def __init__(self, seed: str, rate: float) -> None:
        self._random, self._rate = random.Random(seed), rate
        self.calls = self.answers = 0

    def __call__(self, _: int) -> bool:
        called = self._random.random() < self._rate
        self.answers += 1
        self.calls += called
        return called


async def sampled(folder: Path) -> tuple[Run, dict[tuple[str, bool], Dice]]:
    dice = {
        (name, filed): Dice(f"{name} {filed}", pair[filed])
        for name, pair in RATES.items()
        for filed in (True, False)
    }
    markers: dict[str, Callable[[int], bool]] = {
        f"{'file of' if filed else 'prompt'} {name}": one for (name, filed), one in dice.items()
    }
    ordered = dict(sorted(markers.items()))  # that of the file first: the prompt stands in both
    async with ModelServer(ordered) as server:
        adapter = ModelAdapter(
            "m", Place(folder), api="openai-chat", model="mock-1", url=server.url, body={"tools": [TOOL]}
        )
        plan = make_plan([scenario()], {"file": FILE}, {"m": describe(adapter, "model")}, read, Choice())
        with Store.open(folder) as store:
            async with LocalExecutor({"m": adapter}) as executor:
                run = await replay(plan, executor, store)
    return run, dice


def scenario() -> Scenario:
    prompts = tuple(
        Prompt(
            name,
            f"This is prompt {name}.",
            Mark("s.yaml", at, 1),
            attach=(Attach(name, f"/w/{name}", Mark("s.yaml", at, 9)),),
            expect=Expectation(no_calls=True, spelled="no calls") if name == "none" else None,
        )
        for at, name in enumerate(RATES, 1)
    )
    return Scenario("s", prompts, "s.yaml", samples=Samples(MOST, 0.1))


def read(file: Attach) -> Attachment:
    return Attachment(file.name, file.path, f"It is the file of {file.name}.")


async def test_from_wire_to_verdict(tmp_path: Path) -> None:
    run, dice = await sampled(tmp_path)
    cells = {(cell.key.prompt, cell.key.arm != BARE): cell for cell in run.cells}
    for place, cell in cells.items():
        (rate, *_) = rates_of(cell)
        assert (rate.k, rate.n, rate.failed) == (dice[place].calls, dice[place].answers, 0)
        assert rate.interval.low - 0.05 <= RATES[place[0]][place[1]] <= rate.interval.high + 0.05
    found = {key.prompt: one for key, one in readings(run).items()}
    assert {name: one.verdict for name, one in found.items()} == {
        "none": Verdict.SAME,
        "strong": Verdict.DRIFT,
        "weak": Verdict.DRIFT,
        "equal": Verdict.UNDECIDED,
    }
    assert all(one.m == len(RATES) and one.threshold == 80 for one in found.values())
    strong, equal = cells["strong", True], cells["equal", True]
    assert len(strong.trials) < MOST == len(equal.trials)  # stopped as soon as it was settled

    kinds: dict[str, list[Any]] = {}
    for finding in find(run):
        kinds.setdefault(finding.prompt or "", []).append(finding.kind)
    assert kinds == {
        "strong": [Kind.RATE_DRIFT],
        "weak": [Kind.RATE_DRIFT],
        "equal": [Kind.UNDECIDED],
    }
