"""The user's own pipeline, called for what it would send to the model: messages, or a whole body."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from workbench.adapters.process.environment import Masker, guest_environment, kept_back, vendor_keys
from workbench.adapters.process.guest import Program
from workbench.adapters.process.host import Host, Reply
from workbench.adapters.process.hosted import Hosted
from workbench.adapters.process.interpreter import (
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
from workbench.adapters.process.lines import LOG_KEPT
from workbench.adapters.process.options import check_shared, folder_problems, working_folder
from workbench.adapters.protocol import Place, Request
from workbench.core.claims import Claimed, Claims
from workbench.core.decision import Json
from workbench.core.errors import Problem, WorkbenchError
from workbench.core.trial import Status

__all__ = ["Builder", "Built"]


@dataclass(frozen=True, slots=True)
class Built:
    """What the pipeline returned, as the JSON that it is: a list as `messages`, a mapping as `body`.

    With status ok one of the two is there. Else `error` says why there is none, and `raw` keeps what
    came; it is never `malformed`, which is said of a model's answer. `claims` are the app's own; None where
    it has no ledger loaded.
    """

    status: Status
    messages: tuple[Mapping[str, Json], ...] | None = None
    body: Mapping[str, Json] | None = None
    error: str | None = None
    raw: str | None = None
    log: str = ""
    claims: Claims | None = None


class Builder(Hosted):
    """`build: "package.module:function"`, called once per turn under the app's own interpreter.

    `slots` is how many processes there may be at once, `timeout` the seconds for one call, the start
    included. `drop` names variables of our environment that it does not get; it gets no vendor's key
    either, unless `env` gives it. Raises WorkbenchError for settings that cannot work.
    """

    def __init__(
        self,
        name: str,
        place: Place,
        *,
        build: str,
        call: Call = "text",
        python: str | os.PathLike[str] | None = None,
        env: Mapping[str, object] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        timeout: float = 60.0,
        slots: int = 1,
        restart: str = "run",
        drop: Iterable[str] = (),
    ) -> None:
        self.name, self.place = name, place
        self.spec, self.call = build, call
        self.masker = Masker()
        self._python, self._env, self._drop = python, env, frozenset(drop)
        self._folder = working_folder(place, cwd)
        self._timeout, self._slots, self._fresh = timeout, slots, restart == "trial"
        self._unsaid: frozenset[str] = frozenset()
        problems = [] if SPEC.fullmatch(build) else [f"build: {build!r} is not of the form {_FORM}"]
        problems += [*call_problems(call), *check_shared(slots, timeout, restart)]
        problems += folder_problems(self._folder)
        if problems:
            raise WorkbenchError([Problem(problem) for problem in problems])

    async def open(self) -> None:
        """Read the environment. Raises WorkbenchError for a variable that is not set, or no folder."""
        await self.close()
        if not self._folder.is_dir():
            raise WorkbenchError(f"adapter {self.name}: cwd {self._folder} is no folder")
        program, self.masker, self._unsaid = worker_program(
            self.name,
            self.place,
            {"target": self.spec, "call": spelled_call(self.call), "makes": "body"},
            python=self._python,
            env=self._env,
            folder=self._folder,
            drop=self._drop,
        )
        self._host = Host(program, slots=self._slots, timeout=self._timeout, fresh=self._fresh)

    async def build(self, request: Request) -> Built:
        """What the pipeline makes of one turn. Never raises for what it does."""
        reply = await self.ask(request)
        return self._built(reply)

    def marks(self) -> Mapping[str, str]:
        """For a fingerprint: the interpreter, what is called with what, and the hash of its file."""
        python, _ = interpreter_of(self.place, self._python)
        return {
            "python": version_of(python),
            "call": json.dumps(self.call, sort_keys=True),
            f"build {self.spec}": function_mark(self._folder, self.spec),
        }

    def _built(self, reply: Reply) -> Built:
        log = self.masker.said(reply.log)[-LOG_KEPT:]
        value, error = returned(reply, self.spec)
        if error is None:
            claims = claims_of(reply.body.get("claims"))
            if isinstance(value, dict):
                return Built(Status.OK, body=cast("Mapping[str, Json]", value), log=log, claims=claims)
            if isinstance(value, list) and all(isinstance(item, dict) for item in value):
                return Built(Status.OK, messages=tuple(value), log=log, claims=claims)
            error = f"{self.spec} returned {_kind(value)}; expected a list of messages, or a whole body"
        error = self.masker.said(error + kept_back(error, self._unsaid))
        status = Status.TIMEOUT if reply.status is Status.TIMEOUT else Status.ERROR
        return Built(status, error=error, raw=self.masker.maybe(reply.raw), log=log)


_FORM = "package.module:function"


def worker_program(
    adapter: str,
    place: Place,
    settings: Mapping[str, object],
    *,
    python: str | os.PathLike[str] | None,
    env: Mapping[str, object] | None,
    folder: Path,
    drop: frozenset[str],
) -> tuple[Program, Masker, frozenset[str]]:
    """Our worker under the app's interpreter, without any vendor's key that `env` does not give.

    Beside it the masker of what `env` gives, and the names of the variables that were kept back.
    """
    interpreter, _ = interpreter_of(place, python)
    private = (vendor_keys() | drop) - set(env or {})
    environment, masker = guest_environment(adapter, env, drop=private | not_for(interpreter))
    hello = json.dumps({"entry": None, "after": "stop", **settings}).encode("ascii") + b"\n"
    argv = (str(interpreter), str(WORKER))
    return Program(argv, folder, environment, hello=hello, worker=True), masker, private


def returned(reply: Reply, spec: str) -> tuple[object, str | None]:
    """The JSON that a function of the user's returned; or None and why there is none."""
    if reply.status is not Status.OK:
        return None, reply.error or f"{spec} gave no answer"
    if reply.body.get("error") is not None:
        return None, str(reply.body["error"])
    said = reply.body.get("decision")
    if not isinstance(said, dict) or not said.keys() & {"value", "unreadable"}:
        return None, f"the worker's answer for {spec} cannot be read"
    if "unreadable" in said:
        return None, f"what {spec} returned cannot be sent: {said['unreadable']}"
    return said["value"], None


def claims_of(said: object) -> Claims | None:
    """The claims in a worker's answer; None where it reports none."""
    if said is None:
        return None
    if isinstance(said, list):
        entries = tuple(entry for item in said if (entry := _claimed(item)) is not None)
        if len(entries) == len(said):
            return Claims(entries)
    elif isinstance(said, dict) and isinstance(said.get("failed"), str):
        return Claims(error=said["failed"])
    return Claims(error="the worker's answer holds claims that cannot be read")


def _claimed(item: object) -> Claimed | None:
    lane, text, chars, guess = (
        (item.get(key) for key in ("lane", "text", "chars", "estimate"))
        if isinstance(item, dict)
        else (None,) * 4
    )
    if not isinstance(lane, str) or not (isinstance(text, str) or isinstance(chars, int)):
        return None
    return Claimed(
        lane,
        text if isinstance(text, str) else None,
        chars if isinstance(chars, int) else None,
        guess if isinstance(guess, int) else None,
    )


def _kind(value: object) -> str:
    if isinstance(value, list):
        return "a list that does not hold messages alone"
    names = {str: "text", bool: "true or false", int: "a number", float: "a number"}
    return "nothing" if value is None else names.get(type(value), f"a {type(value).__name__}")
