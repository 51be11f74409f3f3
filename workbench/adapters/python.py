"""The user's own Python router or app, under the app's own interpreter."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import ClassVar

from workbench.adapters.process.answers import answer_of
from workbench.adapters.process.environment import Masker, guest_environment
from workbench.adapters.process.guest import Program
from workbench.adapters.process.host import Host
from workbench.adapters.process.hosted import Hosted
from workbench.adapters.process.interpreter import (
    FIELDS,
    SPEC,
    WORKER,
    Call,
    call_problems,
    function_mark,
    interpreter_of,
    not_for,
    spelled_call,
    version_of,
)
from workbench.adapters.process.options import SHARED, check_shared, folder_problems, working_folder
from workbench.adapters.protocol import Answer, Capabilities, Option, OptionType, Place, Request
from workbench.core.errors import Problem, WorkbenchError

__all__ = ["FIELDS", "PythonAdapter"]


class PythonAdapter(Hosted):
    """A function called once per turn (`target`), or an app called and watched at its router (`entry`)."""

    summary: ClassVar[str] = (
        "a Python function, or a whole app watched at its router, under its own interpreter"
    )
    options: ClassVar[tuple[Option, ...]] = (
        Option("target", OptionType.TEXT, "the router, as package.module:function"),
        Option("entry", OptionType.TEXT, "the app's entry point, as package.module:function; needs tap"),
        Option("tap", OptionType.TEXTS, "the functions to watch while entry runs, the deciding one last", ()),
        Option("call", OptionType.CALL, f"what the function is given: one of {', '.join(FIELDS)}", "text"),
        Option(
            "returns",
            OptionType.TEXT,
            "window: the returned string is the scan window",
            "decision",
            choices=("decision", "window"),
        ),
        Option(
            "after",
            OptionType.TEXT,
            "what becomes of the app when the last tap has returned",
            "stop",
            choices=("stop", "continue"),
        ),
        Option(
            "python",
            OptionType.TEXT,
            "the interpreter or its environment (else $VIRTUAL_ENV, else the workspace's .venv, else ours)",
        ),
        *SHARED,
    )

    def __init__(
        self,
        name: str,
        place: Place,
        *,
        target: str | None = None,
        entry: str | None = None,
        tap: Iterable[str] | str | None = (),
        call: Call = "text",
        returns: str = "decision",
        after: str = "stop",
        python: str | os.PathLike[str] | None = None,
        env: Mapping[str, object] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        concurrency: int = 1,
        timeout: float = 10.0,
        restart: str = "run",
        deterministic: bool = True,
    ) -> None:
        self.name = name
        self.place = place
        self.target, self.entry = target, entry
        self.tap = (tap,) if isinstance(tap, str) else tuple(dict.fromkeys(tap or ()))
        self.call: Call = call
        self.returns, self.after = returns, after
        self.concurrency, self.timeout, self.restart = concurrency, timeout, restart
        self.capabilities = Capabilities(
            deterministic=deterministic,
            reports_window=bool(self.tap) or returns == "window",
            side_effects=after == "continue",
            wraps=entry is not None,
            needs_trust=True,
            decides=returns != "window",
        )
        self._python, self._env = python, env
        self._folder = working_folder(place, cwd)
        self._masker = Masker()
        problems = [*self._problems(), *check_shared(concurrency, timeout, restart)]
        problems += folder_problems(self._folder)
        if problems:
            raise WorkbenchError([Problem(problem) for problem in problems])

    async def open(self) -> None:
        """Read the environment. Raises WorkbenchError for a variable that is not set, or no folder."""
        await self.close()
        if not self._folder.is_dir():
            raise WorkbenchError(f"adapter {self.name}: cwd {self._folder} is no folder")
        python, _ = self.interpreter()
        environment, self._masker = guest_environment(self.name, self._env, drop=not_for(python))
        settings = {
            "target": self.target,
            "entry": self.entry,
            "tap": self.tap,
            "call": spelled_call(self.call),
            "after": self.after,
        }
        program = Program(
            (str(python), str(WORKER)),
            self._folder,
            environment,
            hello=json.dumps(settings).encode("ascii") + b"\n",
            worker=True,
        )
        self._host = Host(
            program, slots=self.concurrency, timeout=self.timeout, fresh=self.restart == "trial"
        )

    async def decide(self, request: Request) -> Answer:
        """One call of the user's function."""
        reply = await self.ask(request)
        return answer_of(reply, self._masker, turn=request.turn.text, returns=self.returns, worker=True)

    def interpreter(self) -> tuple[Path, str]:
        """The interpreter that runs the user's code, and why that one."""
        return interpreter_of(self.place, self._python)

    def fingerprint(self) -> Mapping[str, str]:
        """The interpreter, the functions, and a hash of each of their files that lies in the workspace."""
        python, _ = self.interpreter()
        marks = {"python": version_of(python), "call": json.dumps(self.call, sort_keys=True)}
        named = [("target", self.target), ("entry", self.entry), *(("tap", tap) for tap in self.tap)]
        for role, spec in named:
            if spec is not None:
                marks[f"{role} {spec}"] = function_mark(self._folder, spec)
        return marks

    def _problems(self) -> list[str]:
        problems = []
        if (self.target is None) == (self.entry is None):
            problems.append("target: expected either target or entry, as package.module:function")
        if self.entry is not None and not self.tap:
            problems.append("entry: it needs tap, the functions to watch, e.g. [yourapp.routing:route]")
        if self.entry is None and self.tap:
            problems.append("tap: it goes with entry, not with target")
        if self.entry is None and self.after == "continue":
            problems.append("after: it goes with entry and tap, not with target")
        if self.entry is not None and self.returns == "window":
            problems.append("returns: window goes with target; with entry the window is what a tap was given")
        for key, spec in (
            ("target", self.target),
            ("entry", self.entry),
            *(("tap", tap) for tap in self.tap),
        ):
            if spec is not None and not SPEC.fullmatch(spec):
                problems.append(f"{key}: {spec!r} is not of the form package.module:function")
        for key, value, known in (
            ("returns", self.returns, ("decision", "window")),
            ("after", self.after, ("stop", "continue")),
        ):
            if value not in known:
                problems.append(f"{key}: {value!r} is none of {', '.join(known)}")
        return problems + call_problems(self.call)
