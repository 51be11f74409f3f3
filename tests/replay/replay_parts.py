"""Scenarios, envelopes and adapters for the tests of this folder: real types, scripted answers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, ClassVar

from workbench.adapters.budget import Caps
from workbench.adapters.protocol import Answer, Capabilities, Option, Request
from workbench.core.cell import AdapterInfo, Run
from workbench.core.decision import Decision, Outcome, Window, WindowSource
from workbench.core.envelope import Envelope, Ingress, Slot
from workbench.core.errors import Mark, Problem, WorkbenchError
from workbench.core.scenario import Attach, Prompt, Scenario
from workbench.core.trial import Status
from workbench.core.turn import Attachment
from workbench.replay.choice import Choice
from workbench.replay.engine import replay
from workbench.replay.events import Event
from workbench.replay.executor import LocalExecutor
from workbench.replay.plan import Plan, describe, make_plan
from workbench.store.store import Store

ENVELOPES = {
    "channel": Envelope(
        "channel",
        Ingress.CHANNEL,
        '<message from="{sender}">\n{text}\n</message>',
        {"sender": Slot("sender", "u1")},
    ),
    "reply": Envelope("reply", Ingress.REPLY, "> earlier\n\n{text}"),
    "attached": Envelope("attached", Ingress.ATTACHMENT, "[file]\n{document}\n[/file]\n{text}"),
}
FILES = {"/w/a.txt": "text of a", "/w/b.txt": "text of b"}


def attach(name: str = "a.txt", line: int = 9) -> Attach:
    return Attach(name, f"/w/{name}", Mark("s.yaml", line, 13))


def read(file: Attach) -> Attachment:
    if file.path not in FILES:
        raise WorkbenchError(Problem(f"there is no {file.name}", file.mark))
    return Attachment(file.name, file.path, FILES[file.path])


def prompt(text: str = "send it", label: str = "1", line: int = 5, **more: Any) -> Prompt:
    return Prompt(label, text, Mark("s.yaml", line, 5), **more)


def scenario(*prompts: Prompt, name: str = "s", file: str = "s.yaml", **more: Any) -> Scenario:
    return Scenario(name, prompts or (prompt(),), file, **more)


def info(name: str, wraps: bool = False, fingerprint: str = "v1") -> AdapterInfo:
    return AdapterInfo(name, "python", fingerprint, wraps=wraps)


def plan_of(
    *scenarios: Scenario,
    adapters: Mapping[str, AdapterInfo] | None = None,
    known: Mapping[str, Envelope] | None = None,
    settings: Mapping[str, Any] | None = None,
    **choice: Any,
) -> Plan:
    """A plan for scenarios, with what the command line asks for as keywords."""
    return make_plan(
        scenarios or (scenario(),),
        ENVELOPES if known is None else known,
        {"router": info("router")} if adapters is None else adapters,
        read,
        Choice(**choice),
        settings,
    )


Decide = Callable[[Request], Awaitable[Answer]]


def passing(text: str = "") -> Answer:
    return Answer(Status.OK, Decision(Outcome.PASS, windows=(Window(text, WindowSource.REPORTED),)))


async def at_once(request: Request) -> Answer:
    return passing(request.turn.text)


class Scripted:
    """An adapter that does what a test says, and counts what is done with it."""

    summary: ClassVar[str] = "a script"
    options: ClassVar[tuple[Option, ...]] = ()

    def __init__(
        self,
        decide: Decide = at_once,
        name: str = "router",
        concurrency: int = 1,
        timeout: float = 10.0,
        wraps: bool = False,
        samples: bool = False,
        bounds_itself: bool = False,
        caps: Caps | None = None,
    ) -> None:
        self.name = name
        self.capabilities = Capabilities(deterministic=not samples, wraps=wraps, bounds_itself=bounds_itself)
        self.caps = caps or Caps()
        self.concurrency = concurrency
        self.timeout = timeout
        self.requests: list[Request] = []
        self.opened = self.closed = self.running = self.most = 0
        self.fail_open: Exception | None = None
        self.fail_close: Exception | None = None
        self._decide = decide

    async def open(self) -> None:
        self.opened += 1
        await asyncio.sleep(0)
        if self.fail_open:
            raise self.fail_open

    async def decide(self, request: Request) -> Answer:
        assert self.opened, "it was called before it was opened"
        self.requests.append(request)
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            return await self._decide(request)
        finally:
            self.running -= 1

    async def close(self) -> None:
        self.closed += 1
        await asyncio.sleep(0)
        if self.fail_close:
            raise self.fail_close

    def fingerprint(self) -> Mapping[str, str]:
        return {"version": "1"}


def plan_for(*adapters: Scripted, prompts: int = 2, repeat: int = 2, samples: int = 5) -> Plan:
    """A plan of plain prompts, bare and on one envelope, for those adapters."""
    made = scenario(*(prompt(f"prompt {number}", str(number)) for number in range(1, prompts + 1)))
    described = {adapter.name: describe(adapter, "python") for adapter in adapters}
    return plan_of(made, adapters=described, repeat=repeat, samples=samples, envelopes=["channel"])


async def run_plan(plan: Plan, store: Store, *adapters: Scripted, **more: Any) -> tuple[Run, list[Event]]:
    """The run, and the events that told of it."""
    events: list[Event] = []
    async with LocalExecutor({adapter.name: adapter for adapter in adapters}) as executor:
        run = await replay(plan, executor, store, events.append, **more)
    return run, events
