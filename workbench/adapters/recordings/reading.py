"""Reads a recording, from its file or from a stored run, into answers that are found again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from workbench.adapters.recordings.keys import key_of, read_body, turn_sent
from workbench.adapters.recordings.recipe import Recipe
from workbench.adapters.recordings.shape import (
    VERSION,
    AdapterHead,
    Head,
    Kept,
    Line,
    SentLine,
    from_json,
)
from workbench.core.claims import Claims
from workbench.core.decision import Json
from workbench.core.errors import Mark, Problem, WorkbenchError
from workbench.core.mask import Masker
from workbench.core.trial import Status
from workbench.files.problems import suggestion
from workbench.store.store import Store

__all__ = ["Recording", "Where", "of_run", "read_file", "read_head"]

_AGAIN = "record it anew: `workbench run … --record FILE`"
_MOST = 20  # problems of one file that are told

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Where:
    """What one trial is found by."""

    key: str
    arm: str
    attempt: int


@dataclass(frozen=True, slots=True)
class Recording:
    """One adapter's trials. `sent`: the bodies, or turns, by their key; `bodies` and `claims`: what was sent
    in a trial that is found by its turn, and who says to have written it. `source` names it for messages.
    """

    source: str
    adapter: str
    head: AdapterHead
    digest: str = ""
    sent: Mapping[str, Json] = field(default_factory=dict)
    trials: Mapping[Where, Kept] = field(default_factory=dict)
    bodies: Mapping[Where, Json] = field(default_factory=dict)
    claims: Mapping[Where, Claims] = field(default_factory=dict)

    @property
    def recipe(self) -> Recipe | None:
        return self.head.recipe


def read_head(path: Path, adapter: str | None) -> tuple[str, AdapterHead]:
    """Whose trials a file holds, and what that adapter was; nothing else of it is read.

    `adapter` may be left out where there is one. Raises WorkbenchError.
    """
    try:
        with path.open("rb") as stream:
            line = stream.readline()
    except OSError as error:
        raise _unreadable(path, error) from None
    return _chosen(path, _head(path, line), adapter)


def read_file(path: Path, adapter: str | None) -> Recording:
    """Raises WorkbenchError with what is wrong, line by line."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise _unreadable(path, error) from None
    lines = content.split(b"\n")
    name, head = _chosen(path, _head(path, lines[0]), adapter)
    sent: dict[str, Json] = {}
    lines_of: dict[Where, Line] = {}
    claims: dict[str, Claims] = {}
    asked: set[str] = set()
    problems: list[Problem] = []
    for number, line in enumerate(lines[1:], 2):
        if not line.strip():
            continue
        try:
            value = _object(line)
            if "answer" in value:
                trial = _read(Line, value)
                where = _told(sent, trial)
                asked.add(trial.key)
                if trial.claims is not None and trial.claims not in claims:
                    claims[trial.claims] = _read(Claims, sent[trial.claims])
                if trial.adapter == name:  # a scenario may hold a prompt twice: the first stands
                    lines_of.setdefault(where, trial)
            else:
                told = _read(SentLine, value)
                sent[told.key] = told.sent
        except ValueError as error:
            problems.append(Problem(str(error), Mark(str(path), number), _AGAIN))
    if problems:
        more = len(problems) - _MOST
        rest = (Problem(f"and {more:,} more lines that cannot be read", Mark(str(path))),) if more > 0 else ()
        raise WorkbenchError((*problems[:_MOST], *rest))
    return Recording(
        path.name,
        name,
        head,
        sha256(content).hexdigest()[:16],
        {key: thing for key, thing in sent.items() if key in asked},
        {where: line.answer for where, line in lines_of.items()},
        {where: sent[line.body] for where, line in lines_of.items() if line.body is not None},
        {where: claims[line.claims] for where, line in lines_of.items() if line.claims is not None},
    )


def of_run(root: Path, run: str, adapter: str, masker: Masker) -> Recording:
    """The trials of an adapter in a stored run; `last` is the newest run that has any.

    Raises WorkbenchError where there are none.
    """
    store = Store.existing(root)
    if store is None:
        raise WorkbenchError(Problem("run: no run is stored here", hint="`workbench run` first"))
    with store:
        stored = store.load(_id(store, run, adapter))
    info = stored.adapters.get(adapter)
    if info is None:
        hint = suggestion(adapter, stored.adapters)
        raise WorkbenchError(Problem(f"adapter: run {stored.id} has no adapter {adapter!r}", hint=hint))
    sent: dict[str, Json] = {}
    trials: dict[Where, Kept] = {}
    bodies: dict[Where, Json] = {}
    claims: dict[Where, Claims] = {}
    for cell in stored.cells:
        # What answered through a policy was handed something else than the turn.
        if cell.key.adapter == adapter and cell.delivery.policy is None:
            turn = turn_sent(cell.delivery.turn, masker)
            key = key_of(turn)
            sent[key] = turn
            for trial in cell.trials:
                where = Where(key, cell.key.arm, trial.index + 1)
                if where not in trials:
                    trials[where] = masker.deep(Kept.of(trial))
                    if trial.exchange is not None:
                        bodies[where] = read_body(masker.text(trial.exchange.sent))
                        if trial.exchange.claims is not None:
                            claims[where] = masker.deep(trial.exchange.claims)
    head = AdapterHead(info.use, info.fingerprint, info.deterministic, info.router, info.wraps, info.decides)
    return Recording(f"run {stored.id}", adapter, head, stored.id, sent, trials, bodies, claims)


def _id(store: Store, run: str, adapter: str) -> str:
    if run != "last":
        return run
    found = next((each.id for each in store.runs() if adapter in each.adapters and each.done), None)
    if found is None:
        message = f"run: no stored run has trials of an adapter {adapter!r}"
        raise WorkbenchError(Problem(message, hint=f"`workbench run … --adapter {adapter}` first"))
    return found


def _told(sent: Mapping[str, Json], line: Line) -> Where:
    """Where a trial belongs. Raises ValueError where what was sent stands not above it."""
    for key in (line.key, line.body, line.claims):
        if key is not None and key not in sent:
            raise ValueError(f"what was sent is not told above this line: key {key!r}")
    return Where(line.key, line.arm, line.attempt)


def _head(path: Path, line: bytes) -> Head:
    try:
        value = _object(line)
        if "workbench_recording" not in value:
            raise ValueError("it does not begin as recordings do")
        if value["workbench_recording"] != VERSION:
            found = value["workbench_recording"]
            raise ValueError(f"a recording of version {found!r}; this workbench reads version {VERSION}")
        return _read(Head, value)
    except ValueError as error:
        raise WorkbenchError(Problem(f"no recording: {error}", Mark(str(path)), _AGAIN)) from None


def _chosen(path: Path, head: Head, adapter: str | None) -> tuple[str, AdapterHead]:
    names = tuple(head.adapters)
    if adapter is None and len(names) != 1:
        listed = ", ".join(names) or "none"
        raise WorkbenchError(
            Problem(f"adapter: {path} holds several adapters", hint=f"name one of: {listed}")
        )
    name = names[0] if adapter is None else adapter
    if name not in head.adapters:
        hint = suggestion(name, names)
        raise WorkbenchError(Problem(f"adapter: {path} holds no adapter {name!r}", hint=hint))
    try:
        return name, _read(AdapterHead, head.adapters[name])
    except ValueError as error:
        raise WorkbenchError(Problem(f"adapter {name!r}: {error}", Mark(str(path)), _AGAIN)) from None


def _object(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ValueError(f"no UTF-8 at byte {error.start} of the line") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"no JSON: {error.msg} at column {error.colno}") from None
    if not isinstance(value, dict):
        raise ValueError("no JSON object")
    return value


def _read(kind: type[T], value: Json) -> T:
    """A value of the file as what it has to be. Raises ValueError."""
    try:
        made = from_json(kind, value)
    except (TypeError, ValueError, AttributeError, KeyError, RecursionError) as error:
        raise ValueError(f"no {_WORDS.get(kind, 'part')} of a recording: {error}") from None
    if isinstance(made, Line):
        _check(made)
    return made


_WORDS = {Head: "first line", AdapterHead: "adapter", SentLine: "line", Line: "trial", Claims: "claim"}


def _check(line: Line) -> None:
    """What the types do not tell."""
    kept = line.answer
    if type(line.attempt) is not int or line.attempt < 1:
        raise ValueError(f"no trial of a recording: attempt {line.attempt!r}; expected a number from 1")
    if (kept.status is Status.OK) != (kept.decision is not None):
        raise ValueError(
            f"no trial of a recording: {kept.status} with{'' if kept.decision else 'out'} a decision"
        )
    numbers = [kept.seconds, *(score.value for score in (kept.decision and kept.decision.scores) or ())]
    if not all(type(number) in (int, float) for number in numbers):
        raise ValueError("no trial of a recording: text where a number is wanted")


def _unreadable(path: Path, error: OSError) -> WorkbenchError:
    return WorkbenchError(Problem(f"file: {path} cannot be read: {error.strerror or error}"))
