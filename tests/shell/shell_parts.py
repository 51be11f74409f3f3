"""A stage without streams: what would be written is kept."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from command import REPOSITORY

from workbench.adapters.protocol import Adapter
from workbench.cli.bench import Bench, open_bench
from workbench.cli.running import stoppable
from workbench.core.envelope import Envelope
from workbench.core.errors import WorkbenchError
from workbench.core.scenario import Scenario
from workbench.core.text import SafeText
from workbench.report.writer import Line, Style, plain
from workbench.shell.delivery import Settings
from workbench.shell.guests import Guests
from workbench.shell.paste import Draft
from workbench.shell.session import Session
from workbench.shell.stage import Stage
from workbench.shell.talk import Talk, Went
from workbench.store.store import Store

__all__ = ["Heard", "Seat", "shipped_copy", "stage_of"]


@dataclass
class Heard:
    """What came out: answers, talk, problems."""

    answers: list[SafeText] = field(default_factory=list)
    talk: list[SafeText] = field(default_factory=list)
    problems: list[WorkbenchError] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.answers)

    def take(self) -> str:
        """The answers since the last time."""
        text = self.text
        self.answers.clear()
        return text


def shipped_copy(folder: Path) -> Path:
    """A copy of what ships, as a workspace of one's own."""
    for name in ("scenarios", "envelopes"):
        shutil.copytree(REPOSITORY / name, folder / name)
    shutil.copy(REPOSITORY / ".workbench.yaml", folder)
    return folder


def stage_of(bench: Bench, heard: Heard, *, trust: bool = True, style: Style | None = None) -> Stage:
    def write(lines: Iterable[Line]) -> None:
        heard.answers.extend(plain(line) for line in lines)

    def admit(adapters: Iterable[Adapter]) -> None:
        bench.admit(adapters, trust=trust)

    def envelopes(scenario: Scenario, asked: Sequence[str] | None) -> Mapping[str, Envelope]:
        return Bench(bench.workspace, bench.cwd).envelopes((scenario,), asked)

    return Stage(
        workspace=bench.workspace,
        cwd=bench.cwd,
        build=lambda name: bench.build((name,))[name],
        admit=admit,
        envelopes=envelopes,
        stoppable=stoppable,
        progress=lambda: lambda event: None,
        style=lambda: style or Style(),
        write=write,
        say=heard.talk.append,
        tell=heard.problems.append,
        history=bench.cwd / "history.jsonl",
    )


class Seat:
    """A session at a workspace, with everything real but the streams."""

    def __init__(self, folder: Path, *adapters: str, trust: bool = True, style: Style | None = None) -> None:
        self.heard = Heard()
        self.bench = open_bench(folder)
        self.stage = stage_of(self.bench, self.heard, trust=trust, style=style)
        self.session = Session(self.bench.workspace, self.bench.cwd, Settings(()))
        self.session.choose_adapters(adapters)
        self.guests = Guests(self.stage)

    async def __aenter__(self) -> Seat:
        self._store = Store.temporary()
        self.talk = Talk(self.stage, self.session, self.guests, self._store)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.guests.__aexit__(None, None, None)
        self._store.close()

    async def say(self, text: str, *pastes: tuple[int, int]) -> str:
        """One line; the answers to it."""
        went = await self.talk.take(Draft(text, pastes))
        assert went is Went.ON
        return self.heard.take()
