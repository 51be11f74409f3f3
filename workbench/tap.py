"""Log what a router is given, beside what the user typed: `route = tap(route)`.

One file, standard library only, Python 3.8 and newer: import it, or copy it into your app. Each call of the
function becomes one line of JSON, `{"time", "turn_id", "typed_length", "routed_length", "head", "outcome",
"tools", "seconds"}`, which `workbench audit`, `capture` and `watch` read. Lengths are in characters (code
points), `head` is the first 80 of them. With OpenTelemetry in use they are also attributes `route.*` of the
span that is current.

It never raises into your app, and never waits: lines are written by a thread of their own, and dropped and
counted where they come faster than the disk takes them. What is not known is null, not 0.

Say once per turn what was typed, where the app still has it::

    with turn("t-17", typed=message.text):
        answer = handle(message)

or name the argument that holds it: `tap(route, typed="user_text")`.
"""

from __future__ import annotations

import asyncio
import atexit
import collections.abc
import contextlib
import contextvars
import functools
import inspect
import json
import os
import queue
import sys
import threading
import time
import typing

__all__ = ["HEAD", "flush", "tap", "turn"]

HEAD = 80
_WAITING = 10_000
_PATH = "ROUTE_LOG"
_FILE = "routes.jsonl"

_Function = typing.TypeVar("_Function", bound=typing.Callable[..., typing.Any])
_Record = typing.Dict[str, typing.Any]  # noqa: UP006 (3.8)

_turn: contextvars.ContextVar[tuple[object, str | None]] = contextvars.ContextVar(
    "route_turn", default=(None, None)
)


@contextlib.contextmanager
def turn(turn_id: object = None, typed: str | None = None) -> collections.abc.Iterator[None]:
    """Within it, every tapped call belongs to this turn, whose user typed these words."""
    token = _turn.set((turn_id, typed))
    try:
        yield
    finally:
        try:
            _turn.reset(token)
        except ValueError:  # ended in another task than it began in
            _turn.set((None, None))


@typing.overload
def tap(function: _Function) -> _Function: ...


@typing.overload
def tap(
    function: _Function,
    *,
    to: object = None,
    text: str | None = None,
    typed: str | None = None,
    turn_id: str | None = None,
    keep_text: bool = False,
) -> _Function: ...


@typing.overload
def tap(
    *,
    to: object = None,
    text: str | None = None,
    typed: str | None = None,
    turn_id: str | None = None,
    keep_text: bool = False,
) -> collections.abc.Callable[[_Function], _Function]: ...


def tap(
    function: typing.Any = None,
    *,
    to: object = None,
    text: str | None = None,
    typed: str | None = None,
    turn_id: str | None = None,
    keep_text: bool = False,
) -> typing.Any:
    """The function, logged. Also a decorator: `@tap`, `@tap(to="routes.jsonl")`.

    `to` is a path, or a callable that takes a dict; else the variable ROUTE_LOG, else `routes.jsonl` in the
    working folder. `text`, `typed` and `turn_id` name arguments of the function; without `text` it is the
    first string that it is given, or the first inside it. `keep_text` keeps the typed words and the whole
    of what was routed, so that `workbench capture` can learn the envelope: it is a log of what people wrote.
    """
    if function is None:
        return functools.partial(tap, to=to, text=text, typed=typed, turn_id=turn_id, keep_text=keep_text)
    names = {"text": text, "typed": typed, "turn_id": turn_id}

    def told(
        arguments: tuple[typing.Any, ...],
        keywords: dict[str, typing.Any],
        answer: object,
        began: float,
        error: BaseException | None = None,
    ) -> None:
        try:
            record = _record(function, arguments, keywords, names, answer, keep_text)
            record["seconds"] = round(time.perf_counter() - began, 6)
            if error is not None:
                record["error"] = type(error).__name__
            _on_span(record)
            _send(record, to)
        except Exception:  # whatever it is, the app comes first
            _Writer.lost += 1

    if asyncio.iscoroutinefunction(function) or inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def waited(*arguments: typing.Any, **keywords: typing.Any) -> typing.Any:
            began = time.perf_counter()
            try:
                answer = await function(*arguments, **keywords)
            except BaseException as error:
                told(arguments, keywords, None, began, error)
                raise
            told(arguments, keywords, answer, began)
            return answer

        return waited

    @functools.wraps(function)
    def called(*arguments: typing.Any, **keywords: typing.Any) -> typing.Any:
        began = time.perf_counter()
        try:
            answer = function(*arguments, **keywords)
        except BaseException as error:
            told(arguments, keywords, None, began, error)
            raise
        told(arguments, keywords, answer, began)
        return answer

    return called


def flush(seconds: float = 2.0) -> bool:
    """Waits until every line so far is written, at most so long. True if they are."""
    end = time.monotonic() + seconds
    while _Writer.lines.unfinished_tasks and time.monotonic() < end:
        time.sleep(0.002)
    return not _Writer.lines.unfinished_tasks


def _record(
    function: collections.abc.Callable[..., object],
    arguments: tuple[typing.Any, ...],
    keywords: dict[str, typing.Any],
    names: dict[str, str | None],
    answer: object,
    keep_text: bool,
) -> _Record:
    given = _named(function, arguments, keywords)
    routed = _of(given, names["text"])
    if not isinstance(routed, str):
        routed = _first_text((arguments, keywords) if names["text"] is None else routed)
    here, said = _turn.get()
    typed = _of(given, names["typed"]) if names["typed"] else said
    turn_id = _of(given, names["turn_id"]) if names["turn_id"] else here
    outcome, tools = _read(answer)
    record = {
        "time": time.time(),
        "turn_id": None if turn_id is None else str(turn_id),
        "typed_length": len(typed) if isinstance(typed, str) else None,
        "routed_length": len(routed) if isinstance(routed, str) else None,
        "head": routed[:HEAD] if isinstance(routed, str) else None,
        "outcome": outcome,
        "tools": tools,
    }
    if keep_text:
        record["typed"] = typed if isinstance(typed, str) else None
        record["routed"] = routed
    return record


def _of(given: collections.abc.Mapping[str, typing.Any], name: str | None) -> typing.Any:
    return None if name is None else given.get(name)


def _named(
    function: collections.abc.Callable[..., object],
    arguments: tuple[typing.Any, ...],
    keywords: dict[str, typing.Any],
) -> collections.abc.Mapping[str, typing.Any]:
    try:
        return inspect.signature(function).bind_partial(*arguments, **keywords).arguments
    except (TypeError, ValueError):
        return dict(keywords)


def _first_text(value: typing.Any, depth: int = 4) -> str | None:
    """The first string in it, in the order of a person's reading; None without one."""
    if isinstance(value, str):
        return value
    if depth == 0:
        return None
    if isinstance(value, dict):
        inside = [value[key] for key in ("text", "content", "message", "prompt") if key in value]
        inside += list(value.values())
    elif isinstance(value, (list, tuple)):
        inside = list(value)
    else:
        inside = [getattr(value, name, None) for name in ("text", "content") if hasattr(value, name)]
    for item in inside[:50]:
        found = _first_text(item, depth - 1)
        if found is not None:
            return found
    return None


def _read(answer: typing.Any) -> tuple[str | None, list[str | None] | None]:
    """Outcome and names of tools, as far as an answer says so. ([] is: no tool; None: it does not say.)"""
    if answer is None or answer == "" or answer == []:
        return "pass", []
    if isinstance(answer, str):
        return (answer, []) if answer in ("hold", "pass") else ("fire", [] if answer == "fire" else [answer])
    if isinstance(answer, (list, tuple)):
        names = [_name(item) for item in answer]
        return ("fire", names) if all(name is not None for name in names) else (None, None)
    outcome = _field(answer, "outcome", "action", "decision")
    tools = _field(answer, "tools", "tool", "calls", "tool_calls", "name")
    if isinstance(tools, str):
        tools = [tools]
    if isinstance(tools, (list, tuple)):
        tools = [_name(item) for item in tools]
        tools = None if any(name is None for name in tools) else tools
    elif tools is not None:
        tools = None
    if not isinstance(outcome, str):
        outcome = "fire" if tools else None
    return outcome, tools


def _name(item: typing.Any) -> str | None:
    name = item if isinstance(item, str) else _field(item, "name", "tool")
    if name is None:
        name = _field(_field(item, "function"), "name")
    return name if isinstance(name, str) else None


def _field(value: typing.Any, *names: str) -> typing.Any:
    for name in names:
        found = value.get(name) if isinstance(value, dict) else getattr(value, name, None)
        if found is not None and not callable(found):
            return found
    return None


def _on_span(record: _Record) -> None:
    """Attributes of the current span, if the app itself uses OpenTelemetry; nothing is imported for it."""
    trace = sys.modules.get("opentelemetry.trace")
    if trace is None:
        return
    span = trace.get_current_span()
    for key, value in record.items():
        if value is not None and key not in ("time", "typed", "routed"):
            span.set_attribute("route." + key, value)


def _send(record: _Record, to: typing.Any) -> None:
    if callable(to):
        to(record)
        return
    path = os.fspath(to) if to is not None else os.environ.get(_PATH) or _FILE
    line = json.dumps(record, separators=(",", ":"), default=str)  # ASCII, so that any text can be written
    _Writer.put(path, line + "\n")


class _Writer:
    """One thread for all files; each line is one write to a file opened for appending."""

    lines: queue.Queue[tuple[str, str]] = queue.Queue(_WAITING)
    lost = 0
    _lock = threading.Lock()
    _thread: threading.Thread | None = None

    @classmethod
    def put(cls, path: str, line: str) -> None:
        if cls._thread is None or not cls._thread.is_alive():
            cls._start()
        try:
            cls.lines.put_nowait((path, line))
        except queue.Full:
            cls.lost += 1

    @classmethod
    def _start(cls) -> None:
        with cls._lock:
            if cls._thread is None or not cls._thread.is_alive():
                cls._thread = threading.Thread(target=cls._run, name="route-tap", daemon=True)
                cls._thread.start()

    @classmethod
    def _run(cls) -> None:
        opened: dict[str, int] = {}
        while True:
            path, line = cls.lines.get()
            try:
                if path not in opened:
                    opened[path] = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
                os.write(opened[path], line.encode("ascii"))
            except OSError:
                cls.lost += 1
            finally:
                cls.lines.task_done()

    @classmethod
    def forget(cls) -> None:
        """In a child of a fork the thread is gone, and what waited is the parent's to write."""
        cls.lines = queue.Queue(_WAITING)
        cls._lock = threading.Lock()
        cls._thread = None


atexit.register(flush)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_Writer.forget)
