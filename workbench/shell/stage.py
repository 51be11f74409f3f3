"""What the command hands to the line loop, which knows neither flags nor the streams of the process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from workbench.adapters.protocol import Adapter
from workbench.core.envelope import Envelope
from workbench.core.errors import WorkbenchError
from workbench.core.scenario import Scenario
from workbench.core.text import SafeText
from workbench.files.workspace import Workspace
from workbench.replay.session import OnEvent
from workbench.report.writer import Line, Style

__all__ = ["Stage"]


@dataclass(frozen=True, slots=True)
class Stage:
    """The workspace with what builds and admits its adapters, and the ways out.

    `envelopes` loads those that a scenario may need; `admit` raises WorkbenchError where adapters are
    not trusted; `stoppable` gives the event that Ctrl-C sets. `write` is for answers, `say` and `tell`
    for talk. `colour`: whether the prompt may have any.
    """

    workspace: Workspace
    cwd: Path
    build: Callable[[str], Adapter]
    admit: Callable[[Iterable[Adapter]], None]
    envelopes: Callable[[Scenario, Sequence[str] | None], Mapping[str, Envelope]]
    stoppable: Callable[[], AbstractContextManager[asyncio.Event]]
    progress: Callable[[], OnEvent]
    style: Callable[[], Style]
    write: Callable[[Iterable[Line]], None]
    say: Callable[[SafeText], None]
    tell: Callable[[WorkbenchError], None]
    history: Path
    colour: bool = True
    verbose: bool = False
