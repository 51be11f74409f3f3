"""semantic-router, as the app has it installed: its own decision, and every route's score beside it."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import ClassVar

from workbench.adapters.process.answers import answer_of
from workbench.adapters.process.environment import Masker, guest_environment
from workbench.adapters.process.guest import Program
from workbench.adapters.process.host import Host
from workbench.adapters.process.hosted import Hosted
from workbench.adapters.process.interpreter import SPEC, function_mark, interpreter_of, not_for, version_of
from workbench.adapters.process.options import (
    SHARED,
    check_shared,
    file_hash,
    folder_problems,
    working_folder,
)
from workbench.adapters.protocol import Answer, Capabilities, Option, OptionType, Place, Request
from workbench.core.decision import Decision, Json, Outcome, ToolCall, WindowSource
from workbench.core.errors import Problem, WorkbenchError
from workbench.files.routes import RouteTable, load_routes

__all__ = ["ENCODERS", "SemanticAdapter"]

ENCODERS = ("fastembed", "huggingface", "openai")
"""The encoders that have a short name; any other is named as package.module:Class."""

_ENGINE = Path(__file__).parent / "process" / "semantic_engine.py"
_QUIET = {"LITELLM_LOCAL_MODEL_COST_MAP": "True"}
"""LiteLLM, which semantic-router may bring, fetches a list of prices at import unless it is told not to."""
_AGGREGATIONS = ("mean", "max", "sum")
_SECRET = re.compile(r"(?i)(key|secret|password|_token)$")
_LOADING = 60.0  # seconds: the library and a model are loaded within the first answer


class SemanticAdapter(Hosted):
    """A SemanticRouter (0.1) or IndexedRouter (1.1), whichever the interpreter has, made or the app's own."""

    summary: ClassVar[str] = (
        "semantic-router, 0.1 or 1.1, with every route's score, under the app's interpreter"
    )
    options: ClassVar[tuple[Option, ...]] = (
        Option("routes", OptionType.PATH, "the routes and their utterances, a YAML file; with encoder"),
        Option(
            "encoder",
            OptionType.TEXT,
            f"{', '.join(ENCODERS)}, or a class or an encoder of yours as package.module:Name",
        ),
        Option("router", OptionType.TEXT, "in place of both: a router of your app's, as package.module:name"),
        Option("model", OptionType.TEXT, "the model of the encoder (its own default)"),
        Option("encoder_options", OptionType.VALUE, "a mapping of further arguments for the encoder"),
        Option("threshold", OptionType.NUMBER, "for routes without one of their own (the library's default)"),
        Option("top_k", OptionType.INTEGER, "how many of the nearest utterances count (the library's: 5)"),
        Option(
            "aggregation",
            OptionType.TEXT,
            "how a route's utterances become its score (the library's: mean)",
            choices=_AGGREGATIONS,
        ),
        Option("min_margin", OptionType.NUMBER, "hold a choice that is less than this above its threshold"),
        Option("min_gap", OptionType.NUMBER, "hold a choice that is less than this above the next route"),
        Option(
            "python",
            OptionType.TEXT,
            "the interpreter or its environment (else $VIRTUAL_ENV, else the workspace's .venv, else ours)",
        ),
        *(replace(option, default=60) if option.name == "timeout" else option for option in SHARED),
    )

    def __init__(
        self,
        name: str,
        place: Place,
        *,
        routes: str | os.PathLike[str] | None = None,
        encoder: str | None = None,
        router: str | None = None,
        model: str | None = None,
        encoder_options: Json = None,
        threshold: float | None = None,
        top_k: int | None = None,
        aggregation: str | None = None,
        min_margin: float | None = None,
        min_gap: float | None = None,
        python: str | os.PathLike[str] | None = None,
        env: Mapping[str, object] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        concurrency: int = 1,
        timeout: float = _LOADING,
        restart: str = "run",
        deterministic: bool = True,
    ) -> None:
        self.name, self.place = name, place
        self.encoder, self.router = encoder, router
        self.concurrency, self.timeout, self.restart = concurrency, timeout, restart
        self.min_margin, self.min_gap = min_margin, min_gap
        self.capabilities = Capabilities(
            deterministic=deterministic, reports_window=True, reports_scores=True, needs_trust=True
        )
        self._made: dict[str, Json] = {
            "model": model,
            "encoder_options": encoder_options,
            "threshold": threshold,
            "top_k": top_k,
            "aggregation": aggregation,
        }
        self._python, self._env = python, env
        self._folder = working_folder(place, cwd)
        self._masker = Masker()
        problems = [*self._problems(routes), *check_shared(concurrency, timeout, restart)]
        problems += folder_problems(self._folder)
        if problems:
            raise WorkbenchError([Problem(problem) for problem in problems])
        self._file = None if routes is None else Path(routes)
        self._table = RouteTable(()) if self._file is None else load_routes(self._file)

    async def open(self) -> None:
        """Make ready. Raises WorkbenchError where our own interpreter lacks the library, or no folder."""
        await self.close()
        if not self._folder.is_dir():
            raise WorkbenchError(f"adapter {self.name}: cwd {self._folder} is no folder")
        python, why = self.interpreter()
        if _installed(python) is None and python == Path(sys.executable):
            hint = "pip install 'route-workbench[semantic]', or name your app's interpreter with `python`"
            message = f"semantic-router is not installed under {python} ({why})"
            raise WorkbenchError(Problem(f"adapter {self.name}: {message}", hint=hint))
        environment, self._masker = guest_environment(
            self.name, {**_QUIET, **(self._env or {})}, drop=not_for(python)
        )
        program = Program(
            (str(python), str(_ENGINE)),
            self._folder,
            environment,
            hello=json.dumps(self._settings()).encode("ascii") + b"\n",
            worker=True,
            loads="semantic-router",
        )
        fresh = self.restart == "trial"
        self._host = Host(program, slots=self.concurrency, timeout=self.timeout, fresh=fresh)

    async def decide(self, request: Request) -> Answer:
        """One turn, routed."""
        reply = await self.ask(request)
        answer = answer_of(reply, self._masker, turn=request.turn.text, worker=True)
        if reply.body.get("fatal") is True:
            return replace(answer, fatal=True)
        if answer.decision is None:
            return answer
        flags = self._masker.value(reply.body.get("flags"))
        decision = _with_flags(answer.decision, flags if isinstance(flags, list) else [])
        if reply.body.get("unsure") is True:
            decision = _inferred(decision)
        return replace(answer, decision=self._held(decision))

    def interpreter(self) -> tuple[Path, str]:
        """The interpreter that runs the library, and why that one."""
        return interpreter_of(self.place, self._python)

    def fingerprint(self) -> Mapping[str, str]:
        """The library's version and all that the router is made of; hashes of what lies in the workspace."""
        python, _ = self.interpreter()
        marks = {"python": version_of(python), "semantic-router": _installed(python) or "not found"}
        marks |= {
            key: json.dumps(value, sort_keys=True) for key, value in self._made.items() if value is not None
        }
        if self._file is not None:
            marks["routes"] = file_hash(self._file)
        for role, spec in (("encoder", self.encoder), ("router", self.router)):
            if spec is not None:
                marks[role] = spec if spec in ENCODERS else f"{spec} {function_mark(self._folder, spec)}"
        for key, least in (("min_margin", self.min_margin), ("min_gap", self.min_gap)):
            if least is not None:
                marks[key] = f"{least:g}"
        return marks

    def _settings(self) -> dict[str, Json]:
        routes: list[Json] = [
            {
                "name": route.name,
                "utterances": list(route.utterances),
                "threshold": route.threshold,
                "description": route.description,
            }
            for route in self._table.routes
        ]
        return {**self._made, "routes": routes, "encoder": self.encoder, "router": self.router}

    def _held(self, decision: Decision) -> Decision:
        """The decision, or a hold where it is nearer to another one than the workspace allows."""
        doubt = _doubt(decision, self.min_margin, self.min_gap)
        if doubt is None:
            return decision
        calls, why = doubt
        note = why if decision.note is None else f"{why}; {decision.note}"
        return replace(decision, outcome=Outcome.HOLD, calls=calls, note=note)

    def _problems(self, routes: object) -> list[str]:
        problems = []
        if self.router is not None:
            made = [key for key, value in self._made.items() if value is not None]
            made += [
                key for key, value in (("routes", routes), ("encoder", self.encoder)) if value is not None
            ]
            problems += [f"{key}: it goes with routes and encoder, and router has its own" for key in made]
            if not SPEC.fullmatch(self.router):
                problems.append(f"router: {self.router!r} is not of the form package.module:name")
            return problems
        if routes is None:
            problems.append("routes: expected a file of routes, or router: package.module:name")
        if self.encoder is None:
            problems.append(f"encoder: expected {', '.join(ENCODERS)} or package.module:Class")
        elif self.encoder not in ENCODERS and not SPEC.fullmatch(self.encoder):
            known = f"none of {', '.join(ENCODERS)}, and not of the form package.module:Class"
            problems.append(f"encoder: {self.encoder!r} is {known}")
        given = self._made["encoder_options"]
        if not isinstance(given, Mapping | None):
            problems.append("encoder_options: expected a mapping of the encoder's arguments")
        problems += [
            f"encoder_options.{key}: a key does not belong in a file; give it under `env`, as {{env: NAME}}"
            for key in (given if isinstance(given, Mapping) else ())
            if _SECRET.search(str(key))
        ]
        return problems


def _doubt(
    decision: Decision, min_margin: float | None, min_gap: float | None
) -> tuple[tuple[ToolCall, ...], str] | None:
    """The calls that are in doubt, and why; None where the choice is far enough from every other one."""
    chosen = next(
        (s for s in decision.scores or () if decision.called and s.route == decision.called[0]), None
    )
    if chosen is None:
        return None
    if min_margin is not None and chosen.margin is not None and chosen.margin < min_margin:
        why = f"thin: {chosen.route} is {chosen.margin:.3g} above its threshold {chosen.threshold:g}"
        return decision.calls, f"{why}, less than {min_margin:g}"
    rivals = [score for score in decision.scores or () if score is not chosen]
    rival = max(rivals, key=lambda score: score.deciding, default=None)
    gap = None if rival is None else chosen.deciding - rival.deciding
    if min_gap is not None and rival is not None and gap is not None and gap < min_gap:
        why = f"ambiguous: {chosen.route} is {gap:.3g} above {rival.route}, less than {min_gap:g}"
        return (*decision.calls, ToolCall(rival.route)), why
    return None


def _with_flags(decision: Decision, flags: list[object]) -> Decision:
    return replace(decision, flags=(*decision.flags, *map(str, flags))) if flags else decision


def _inferred(decision: Decision) -> Decision:
    """Its window is no more than what the library was given."""
    windows = tuple(replace(w, source=WindowSource.INFERRED) for w in decision.windows or ())
    return replace(decision, windows=windows or None)


def _installed(python: Path) -> str | None:
    """The version of the library under an interpreter, told without running that; None where not found."""
    if python == Path(sys.executable):
        try:
            return version("semantic-router")
        except PackageNotFoundError:
            return None
    home = python.parent.parent
    folders = (*home.glob("lib/python*/site-packages"), home / "Lib" / "site-packages")
    for folder in folders:
        for found in folder.glob("semantic_router-*.dist-info"):
            named = re.fullmatch(r"semantic_router-(.+)\.dist-info", found.name)
            if named:
                return named[1]
    return None
