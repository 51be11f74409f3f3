"""What the command line hands the screen: what is loaded, and the three things the screen may ask for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, NamedTuple, Protocol, TypeVar

from workbench.core.cell import AdapterInfo, Delivery, Run
from workbench.core.errors import Problem
from workbench.core.finding import Finding
from workbench.core.scenario import Scenario
from workbench.replay.events import Event

__all__ = ["OnEvent", "Planned", "Session", "Target"]

OnEvent = Callable[[Event], None]


class Planned(Protocol):
    """A plan, as far as the screen reads it: one delivery per cell, in the order of the run."""

    @property
    def deliveries(self) -> tuple[Delivery, ...]: ...

    @property
    def adapters(self) -> Mapping[str, AdapterInfo]: ...


P = TypeVar("P", bound=Planned)


class Target(NamedTuple):
    """What to run: a whole scenario, or less of it where a part is named. None: all of them."""

    scenario: str
    prompt: str | None = None
    arm: str | None = None
    adapter: str | None = None


@dataclass(frozen=True, slots=True)
class Session(Generic[P]):
    """What is loaded, and what the screen may ask for.

    `problems` are those of files that do not load; the rest works. `run` is the newest stored run,
    `findings` are what it was read to hold. `adapters` are the workspace's, in the order of its file.

    `plan(scenario, prompt, arm, adapter)`: None means all; with an arm, the plan also holds the
    bare arm, so that both sides of a comparison are of one run. Raises WorkbenchError. It is
    called in a thread, as is `find`.
    `replay(plan, on_event, stop)` runs in the screen's event loop, calls `on_event` there, ends early
    and in order once `stop` is set, and stores what it did. Raises WorkbenchError.
    `needs_trust` names the adapters that an untrusted workspace may not run; None: all.
    """

    root: Path
    plan: Callable[[str, str | None, str | None, str | None], P]
    replay: Callable[[P, OnEvent, asyncio.Event], Awaitable[Run]]
    find: Callable[[Run], tuple[Finding, ...]]
    scenarios: tuple[Scenario, ...] = ()
    problems: tuple[Problem, ...] = ()
    adapters: tuple[str, ...] = ()
    run: Run | None = None
    findings: tuple[Finding, ...] = ()
    trusted: bool = True
    needs_trust: frozenset[str] | None = None
