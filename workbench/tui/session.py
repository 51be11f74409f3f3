"""What the command line hands the screen: what is loaded, and the three things the screen may ask for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from workbench.core.cell import AdapterInfo, CellKey, Delivery, Run
from workbench.core.errors import Problem
from workbench.core.finding import Finding
from workbench.core.scenario import Scenario
from workbench.core.text import SafeText
from workbench.files.settings import NO_SETTINGS, Settings
from workbench.store.newest import Stored, Tallied
from workbench.tui.offers import Outbox, Runs

if TYPE_CHECKING:
    from workbench.explain.explanation import Explanation, Progress
    from workbench.lanes.lane import Registry
    from workbench.replay.events import Event
    from workbench.tui.following_log import Follow
    from workbench.tui.guide import Walk

__all__ = ["Archive", "Loaded", "OnEvent", "Planned", "Session", "Target"]

OnEvent: TypeAlias = "Callable[[Event], None]"


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


class Loaded(NamedTuple):
    """The files of a workspace as they stand now: what loads, and what is wrong with the rest.

    `needs_trust` names the adapters that an untrusted workspace may not run; None: all. `adapters` are
    the workspace's, in the order of its file; None where that does not load.
    """

    scenarios: tuple[Scenario, ...]
    problems: tuple[Problem, ...] = ()
    trusted: bool = True
    needs_trust: frozenset[str] | None = None
    adapters: tuple[str, ...] | None = None

    @property
    def facts(self) -> dict[str, Any]:
        """What a session has of it, by the names that it has there."""
        facts = self._asdict()
        if self.adapters is None:
            del facts["adapters"]
        return facts


class Archive(Protocol):
    """The newest stored answer of every cell. May be asked in any thread; raises WorkbenchError."""

    def first_scenario(self) -> str | None:
        """The first scenario of the newest run; None where nothing was stored."""

    def prompts(self, scenario: str) -> tuple[tuple[str, str], ...]:
        """The prompts of a scenario as it was run last, by label, with what was typed."""

    def tally(self, scenario: str, prompt: str | None = None) -> Tallied:
        """The answers of a scenario, or of one prompt of it, only counted."""

    def read(self, scenario: str, prompt: str) -> Stored:
        """The answers of one prompt."""


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
    `archive` has the stored answers, where `run` is not given; they are read when they are looked at.
    `settings` are this user's; `memory` is the file that keeps where one was, None: it is not kept.
    `only(plan, keys)` is the part of a plan with those cells. `watched` gives the files whose change
    means that answers may be old. `adapter_lines` says what `trust` would let be run.
    `open` reads the files for the first time, in a thread: until then `scenarios` have names and files,
    and no more is known of them; None: they are read. `reload` reads the files anew, in a thread; None:
    they cannot be. `draft` plans one prompt of a scenario that may not be saved, in a thread; raises
    WorkbenchError. `packaged`: the workspace came with this program, and is not the user's to change.
    `walk`: the screen is a guided one. `here` is the folder the program was started in. `found` makes a
    new workspace in a folder, in a thread; raises WorkbenchError; None: there is one. `runs` are the
    earlier runs to compare with, `outbox` makes what is taken along; None: neither can be.
    `explain(key, told, stop)` finds out why a cell's decision moved, in the screen's event loop, and ends
    with the best so far once `stop` is set; raises WorkbenchError. None: it cannot be asked.
    `follow(path)` gives a watch on a log and its news, both for a thread; None: none can be followed.
    `lanes` gives the registry of the workspace's lanes as it stands now, None where it has none; raises
    WorkbenchError; may be called in any thread. None: there are no budgets here.
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
    archive: Archive | None = None
    settings: Settings = NO_SETTINGS
    memory: Path | None = None
    only: Callable[[P, Collection[CellKey]], P] | None = None
    watched: Callable[[], tuple[Path, ...]] | None = None
    adapter_lines: Callable[[], tuple[SafeText, ...]] | None = None
    trust: Callable[[], None] | None = None
    open: Callable[[], Loaded] | None = None
    reload: Callable[[], Loaded] | None = None
    draft: Callable[[Scenario, str], P] | None = None
    packaged: bool = False
    here: Path | None = None
    found: Callable[[Path], None] | None = None
    walk: Walk | None = None
    runs: Runs | None = None
    outbox: Outbox | None = None
    explain: Callable[[CellKey, Callable[[Progress], None], asyncio.Event], Awaitable[Explanation]] | None = (
        None
    )
    follow: Follow | None = None
    lanes: Callable[[], Registry | None] | None = None

    @property
    def lacks_trust(self) -> bool:
        """Whether there is an adapter that may not be run yet."""
        return not self.trusted and self.needs_trust != frozenset()
