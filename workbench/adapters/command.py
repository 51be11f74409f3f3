"""A router in any language: a program that reads one JSON line and answers with one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import ClassVar

from workbench.adapters.process.answers import answer_of
from workbench.adapters.process.environment import Masker, guest_environment
from workbench.adapters.process.guest import Program
from workbench.adapters.process.host import Host
from workbench.adapters.process.hosted import Hosted
from workbench.adapters.process.options import (
    SHARED,
    check_shared,
    file_hash,
    folder_problems,
    working_folder,
)
from workbench.adapters.protocol import Answer, Capabilities, Option, OptionType, Place, Request
from workbench.core.errors import Problem, WorkbenchError

__all__ = ["CommandAdapter"]


class CommandAdapter(Hosted):
    """A program that speaks the worker protocol on its standard input and output."""

    summary: ClassVar[str] = "a program in any language: one JSON line in, one JSON line out"
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "argv",
            OptionType.TEXTS,
            "the program and its arguments; a program with a slash is relative to the workspace",
            required=True,
        ),
        *SHARED,
    )

    def __init__(
        self,
        name: str,
        place: Place,
        *,
        argv: Iterable[str] | str,
        env: Mapping[str, object] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        concurrency: int = 1,
        timeout: float = 10.0,
        restart: str = "run",
        deterministic: bool = True,
    ) -> None:
        self.name = name
        self.place = place
        self.argv = (argv,) if isinstance(argv, str) else tuple(argv)
        self.concurrency, self.timeout, self.restart = concurrency, timeout, restart
        self.capabilities = Capabilities(deterministic=deterministic, needs_trust=True)
        self._env = env
        self._folder = working_folder(place, cwd)
        self._masker = Masker()
        problems = [*check_shared(concurrency, timeout, restart), *folder_problems(self._folder)]
        if not self.argv or not self.argv[0]:
            problems.insert(0, "argv: it names no program; expected e.g. [./router, --jsonl]")
        if problems:
            raise WorkbenchError([Problem(problem) for problem in problems])

    async def open(self) -> None:
        """Read the environment. Raises WorkbenchError for a variable that is not set, or no folder."""
        await self.close()
        if not self._folder.is_dir():
            raise WorkbenchError(f"adapter {self.name}: cwd {self._folder} is no folder")
        environment, self._masker = guest_environment(self.name, self._env)
        program = Program((self._program(), *self.argv[1:]), self._folder, environment)
        self._host = Host(
            program, slots=self.concurrency, timeout=self.timeout, fresh=self.restart == "trial"
        )

    async def decide(self, request: Request) -> Answer:
        """One question to the program."""
        reply = await self.ask(request)
        return answer_of(reply, self._masker, turn=request.turn.text)

    def fingerprint(self) -> Mapping[str, str]:
        """The command line, and a hash of each file of the workspace that it names."""
        marks = {"argv": " ".join(self.argv)}
        root = self.place.root.absolute()
        places = [Path(self._program()), *(self._folder / argument for argument in self.argv[1:])]
        for argument, path in zip(self.argv, places, strict=True):
            if path.is_file() and path.absolute().is_relative_to(root):
                marks[argument] = file_hash(path)
        return marks

    def _program(self) -> str:
        """A program with a slash lies in the workspace; one without is looked up on the PATH."""
        name = self.argv[0]
        if "/" in name or os.sep in name:
            return os.path.abspath(self.place.root / Path(name).expanduser())  # noqa: PTH100 (keeps links)
        return name
