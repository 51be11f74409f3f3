"""Runs the user's router or app under its own interpreter, and answers for it on a private pipe.

It is started by its path: standard library only, Python 3.8 and newer, no import of the package it
lies in. What it needs is imported before the workspace comes first on the path, where a file may
bear the name of a module of the standard library.
"""

# os.path, not pathlib: the user's process is spared modules that it did not ask for.
# ruff: noqa: PTH100, PTH109, PTH118, PTH119, PTH120

from __future__ import annotations

import collections.abc
import contextlib
import contextvars
import enum
import importlib
import importlib.util
import json
import os
import sys
import traceback
from typing import Any

HERE = os.path.abspath(__file__)
DEEP, MANY = 60, 1000000  # levels and items of a returned value
SPELLED = {"datetime", "decimal", "fractions", "pathlib", "uuid"}  # modules whose values are told as text
DECISIVE = ("outcome", "action", "tool")
KEYS = (*DECISIVE, "tools", "calls", "arguments", "scanned", "spans", "scores", "matches", "note")


class Pipe:
    """The protocol's own ends. For user code descriptor 1 leads to the log, and 0 is at its end."""

    def __init__(self) -> None:
        self.questions = os.fdopen(os.dup(0), "rb")
        self.answers = os.dup(1)
        self.owner = os.getpid()
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.close(null)
        os.dup2(2, 1)
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]

    def send(self, message: dict[str, Any]) -> None:
        """Write one line. Callers take turns: one answer to a question, from whichever thread."""
        if os.getpid() != self.owner:
            os._exit(1)  # a fork of the app that came back here has nothing to answer
        try:
            line = json.dumps(message)
        except (ValueError, TypeError, RecursionError) as problem:
            line = json.dumps({"id": message.get("id"), "error": f"the answer is no JSON: {problem}"})
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):
                stream.flush()
        rest = memoryview(line.encode("ascii") + b"\n")
        while rest:
            rest = rest[os.write(self.answers, rest) :]


class TooMuch(Exception):
    """A value has more items than anyone would answer with."""


class Plain:
    """Turns one value into JSON values. Cycles, depth and sheer size end in `unreadable`."""

    def __init__(self) -> None:
        self.left = MANY
        self.path: set[int] = set()

    def of(self, value: Any) -> Any:
        if value is None or value is True or value is False:
            return value
        self.left -= 1
        if self.left < 0:
            raise TooMuch
        if len(self.path) > DEEP or id(value) in self.path:
            # No repr: that of a deep value may have no end.
            return {"unreadable": f"a {type(value).__name__} nested in itself, or too deeply"}
        self.path.add(id(value))
        try:
            return self.convert(value)
        except TooMuch:
            raise
        except Exception:
            return unreadable(value)
        finally:
            self.path.discard(id(value))

    def convert(self, value: Any) -> Any:
        if isinstance(value, enum.Enum):
            return self.of(value.value)
        if isinstance(value, str):
            return str.__str__(value)
        if isinstance(value, (int, float)):
            return int(value) if isinstance(value, int) else float(value)
        if isinstance(value, (bytes, bytearray)):
            return bytes(value).decode("utf-8")
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return {name: self.of(getattr(value, name)) for name in value._fields}
        if isinstance(value, collections.abc.Mapping):
            return {self.key(key): self.of(value[key]) for key in value}
        if isinstance(value, collections.abc.Set):
            # Sorted: the order of a set changes from process to process.
            return sorted(map(self.of, value), key=lambda item: json.dumps(item, sort_keys=True))
        if isinstance(value, collections.abc.Sequence):
            return [self.of(item) for item in value]
        if type(value).__module__.partition(".")[0] in SPELLED:
            return str(value)
        return unreadable(value) if isinstance(value, type) else self.of_object(value)

    def of_object(self, value: Any) -> Any:
        if hasattr(type(value), "__dataclass_fields__"):
            return {name: self.of(getattr(value, name)) for name in type(value).__dataclass_fields__}
        for method in ("model_dump", "tolist", "item"):  # pydantic; arrays and scalars of numpy and torch
            if callable(getattr(value, method, None)):
                return self.of(getattr(value, method)())
        if any(hasattr(value, key) for key in DECISIVE):
            public = {key: item for key, item in getattr(value, "__dict__", {}).items() if key[:1] != "_"}
            public.update({key: getattr(value, key) for key in KEYS if hasattr(value, key)})
            return {key: self.of(item) for key, item in public.items() if not callable(item)}
        if not hasattr(value, "name"):
            return unreadable(value)
        for key in ("arguments", "args", "input"):
            if hasattr(value, key):
                return {"name": self.of(value.name), "arguments": self.of(getattr(value, key))}
        return {"name": self.of(value.name)}

    def key(self, key: Any) -> str:
        plain = self.of(key)
        return plain if isinstance(plain, str) else str(key)


def plain(value: Any) -> Any:
    """A value of the user's as JSON values."""
    try:
        return Plain().of(value)
    except TooMuch:
        return {"unreadable": f"a {type(value).__name__} of more than {MANY} items"}


def unreadable(value: Any) -> dict[str, str]:
    try:
        return {"unreadable": repr(value)[:200]}
    except BaseException:
        return {"unreadable": f"a {type(value).__name__}"}


def told(problem: BaseException) -> str:
    """Type, message and the user's line of an exception. Its traceback, cut to user code, goes to the log."""
    try:
        words = f"{type(problem).__name__}: {problem}".rstrip(": ")
    except Exception:
        words = type(problem).__name__
    with contextlib.suppress(Exception):
        report = traceback.TracebackException.from_exception(problem)
        chain: list[Any] = [report]
        for each in chain:
            users = [frame for frame in each.stack if not is_ours(frame.filename)]
            each.stack = traceback.StackSummary.from_list(users)
            more = (each.__cause__, each.__context__)
            chain += [link for link in more if link is not None and link not in chain]
        sys.stderr.write("".join(report.format()))
        if report.stack:
            last = report.stack[-1]
            words += f" ({os.path.basename(last.filename)}:{last.lineno} in {last.name})"
    return words


def is_ours(file: str) -> bool:
    own = os.path.dirname(file) == os.path.dirname(HERE)
    return own or file == importlib.__file__ or file.startswith("<frozen importlib")


def find(spec: str) -> tuple[Any, str, Any]:
    """The holder, the name and the object of "pkg.mod:attr.attr". Raises what its import raises."""
    module, _, path = spec.partition(":")
    holder: Any = None
    name, value = "", importlib.import_module(module)
    for name in path.split("."):
        holder, value = value, getattr(value, name)
    return holder, name, value


class App:
    """The user's function, loaded once, called for each question."""

    def __init__(self, pipe: Pipe, settings: dict[str, Any], taps: Any) -> None:
        self.pipe, self.taps = pipe, taps
        self.call = settings["call"]
        self.convert = converter(settings.get("makes"))
        # It has to be there before the app is imported.
        self.claims = beside("claims").Hearing() if settings.get("makes") == "body" else None
        self.spec: str = settings["entry"] or settings["target"]
        self.loop: Any = None
        self.function: Any = None
        self.failure: BaseException | None = None
        try:
            find(self.spec)  # imports all that may hold a tapped function
            if taps is not None:
                self.wrap(settings["tap"])
            self.function = find(self.spec)[2]
        except BaseException as problem:
            self.failure = problem

    def wrap(self, names: list[str]) -> None:
        for name in names:
            self.taps.wrap(name, *find(name))
        for spec in (self.spec, *names):
            file = getattr(sys.modules[spec.partition(":")[0].partition(".")[0]], "__file__", None) or ""
            package = os.path.basename(file) == "__init__.py"
            self.taps.homes += [os.path.dirname(file) + os.sep] if package else [file] if file else []

    def answer(self, number: int, turn: dict[str, Any]) -> None:
        if self.failure is not None:
            where = f"Python {sys.version.split()[0]} at {sys.executable}, first on its path {sys.path[0]}"
            error = f"cannot load {self.spec}: {told(self.failure)}; it ran under {where}"
            error += " (the key `python` names another)"
            self.pipe.send({"id": number, "error": error})
        elif self.taps is None:
            if self.claims is not None:
                self.claims.begin()
            try:
                value = self.run(turn)
            except BaseException as problem:
                self.pipe.send({"id": number, "error": told(problem)})
            else:
                self.pipe.send({"id": number, "decision": self.convert(value), **self.claimed()})
        else:
            self.answer_tapped(number, turn)

    def claimed(self) -> dict[str, Any]:
        """What the app says it wrote into what it has built; nothing where it has no ledger."""
        found = self.claims.end() if self.claims is not None else None
        return {} if found is None else {"claims": found}

    def answer_tapped(self, number: int, turn: dict[str, Any]) -> None:
        trial = self.taps.begin(number)
        raised: BaseException | None = None
        value = None
        try:
            value = self.run(turn)
        except BaseException as problem:
            raised = problem
        trial.guarded = False
        if trial.stopped:
            if raised is None:
                self.taps.leave(trial)  # it swallowed the stop
            self.cancel_tasks()
        if not self.taps.end(trial):
            self.pipe.send(self.verdict(trial, value, raised))

    def verdict(self, trial: Any, value: Any, raised: BaseException | None) -> dict[str, Any]:
        """The answer of a delivery after which the app was not stopped."""
        names = self.taps.names
        if raised is not None and not trial.calls and not trial.running:
            return {
                "id": trial.number,
                "error": f"{self.spec} raised {told(raised)} before any tap was called",
            }
        if not trial.calls and not trial.running:
            sys.stderr.write(f"{self.spec} returned {repr(value)[:2000]}\n")
            error = f"{self.spec} returned and called none of its taps: {', '.join(names)}"
            return {"id": trial.number, "status": "not-reached", "error": error}
        answer: dict[str, Any] = trial.answer()
        flags = answer.setdefault("flags", [])
        if raised is not None:
            flags.append(f"after the tap, {self.spec} raised {told(raised)}")
        if self.taps.stops:
            flags.append(f"{names[-1]} was not called")
        return answer

    def run(self, turn: dict[str, Any]) -> Any:
        """Call the function once, and see what it started through to its end."""
        if self.call is None and not callable(self.function):
            return self.function
        args, kwargs = arguments(self.call, turn)
        value = contextvars.copy_context().run(self.function, *args, **kwargs)
        if isinstance(value, collections.abc.Awaitable):
            value = self.wait(value)
        if isinstance(value, collections.abc.AsyncIterator):
            return self.wait(everything(value))
        return list(value) if isinstance(value, collections.abc.Iterator) else value

    def wait(self, awaitable: Any) -> Any:
        import asyncio

        async def whole() -> Any:
            return await awaitable

        if self.loop is None or self.loop.is_closed():
            self.loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self.loop)
        return self.loop.run_until_complete(whole())

    def cancel_tasks(self) -> None:
        """What a stopped app had begun beside its router is not to go on in the next trial."""
        if self.loop is not None and not self.loop.is_closed():
            import asyncio

            tasks = asyncio.all_tasks(self.loop)
            for task in tasks:
                task.cancel()
            if tasks:
                self.loop.run_until_complete(asyncio.wait(tasks))


async def everything(items: Any) -> list[Any]:
    return [item async for item in items]


def arguments(call: Any, turn: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """What the function is given: one field of the turn, parameters by name, or nothing."""
    if call is None:
        return [], {}
    fields = {
        **{name: turn[name] for name in ("text", "typed", "messages")},
        "paths": [item["path"] for item in turn["attachments"]],
        "documents": [item["text"] for item in turn["attachments"]],
        "turn": turn,
    }
    if isinstance(call, str):
        return [fields[call]], {}
    named = {name: fields[said] if kind == "field" else said for name, (kind, said) in call.items()}
    return [], named


def beside(name: str) -> Any:
    """A module from the file beside this one."""
    path = os.path.join(os.path.dirname(HERE), name + ".py")
    place = importlib.util.spec_from_file_location("_" + name, path)
    assert place is not None and place.loader is not None
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    return module


def converter(makes: Any) -> Any:
    """What becomes of a returned value: a decision is read with lenience, a body for a model is not."""
    if makes is None:
        return plain
    exact = beside("exact").exact
    if makes == "body":
        return exact
    offered, described = beside("offering").offered, beside("signature").described
    return lambda value: offered(value, exact, described)


def main() -> None:
    pipe = Pipe()
    settings = json.loads(pipe.questions.readline() or b"null")
    if settings is None:
        return
    taps = None
    if settings["entry"]:
        taps = beside("taps").Taps(settings["after"] == "stop", pipe.send, plain, told)
    if sys.path and os.path.abspath(sys.path[0]) == os.path.dirname(HERE):
        del sys.path[0]
    sys.path.insert(0, os.getcwd())
    sys.argv = [settings["entry"] or settings["target"]]
    app = App(pipe, settings, taps)
    pipe.send({"worker": "ready"})
    for line in pipe.questions:
        question = json.loads(line)
        app.answer(question["id"], question["turn"])


if __name__ == "__main__":
    main()
