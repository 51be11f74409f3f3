"""Watches the tapped functions of an app, and stops the app once the last of them has returned.

The worker loads this file by its path, under the app's own interpreter: standard library only,
Python 3.8 and newer, no import of the package it lies in.

What is guaranteed of a stopped app: the answer is sent before `Stop` is raised. From then on its
`finally` blocks, context managers, and `except` clauses that raise again may run, for `SPARE`
seconds. In the thread that called the tap, the first line of the app after a clause that swallowed
`Stop`, or within one, ends the process before it runs. A plain thread of the app's own, which would
keep `Stop` to itself, ends the process at once; an executor hands it on to who waits for the call.
Elsewhere (code inside an installed library) the process ends after `SPARE` seconds, or at the next tap.
"""

# os.path, not pathlib: the user's process is spared modules that it did not ask for.
# ruff: noqa: PTH100, PTH120

from __future__ import annotations

import ast
import collections.abc
import contextlib
import functools
import gc
import inspect
import linecache
import os
import sys
import threading
import types
from collections.abc import Callable, Iterator
from typing import Any

HERE = os.path.abspath(__file__)
LIBRARY = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
SPARE = 0.5  # seconds that a stopped app has to come back
DEEP = 8  # levels searched for a text inside an argument


class Stop(BaseException):
    """Raised in the caller of the last tap, so that nothing of the app runs after it."""


class Trial:
    """What the taps saw of one delivery. `calls` are in the order of their end."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.calls: list[Call] = []
        self.running: list[Call] = []
        self.stopped = False
        self.guarded = False
        self.watch: threading.Timer | None = None
        self.thread = threading.get_ident()

    def answer(self) -> dict[str, Any]:
        """What the call that ended last returned, and what each call was given."""
        seen = [*self.running, *self.calls]
        windows = [{"text": call.text, "tap": call.tap} for call in seen if call.text is not None]
        answer: dict[str, Any] = {"id": self.number, "windows": windows}
        if not self.calls:
            return {**answer, "error": f"{self.running[-1].tap} was called and did not return"}
        last = self.calls[-1]
        if last.error is not None:
            return {**answer, "error": f"{last.tap} raised {last.error}"}
        flags = [] if last.text is not None else [f"{last.tap} was given no text"]
        return {**answer, "decision": last.value, "flags": flags}


class Call:
    """One call of a tapped function."""

    def __init__(self, trial: Trial, tap: str, text: str | None) -> None:
        self.trial, self.tap, self.text = trial, tap, text
        self.value: Any = None
        self.error: str | None = None


def hands_on() -> bool:
    """Whether this thread is an executor's, whose caller gets what is raised here."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename.replace(os.sep, "/").endswith("concurrent/futures/thread.py"):
            return True
        frame = frame.f_back
    return False


class Taps:
    """The tapped functions of one app.

    The last tap is the one named last. It has returned when no call of it runs any more, so that
    calls side by side, and a function that calls itself, are seen whole. `send` writes an answer,
    `plain` turns a value into JSON values, `told` an exception into words.
    """

    def __init__(
        self,
        stops: bool,
        send: Callable[[dict[str, Any]], None],
        plain: Callable[[Any], Any],
        told: Callable[[BaseException], str],
    ) -> None:
        self.stops, self.send, self.plain, self.told = stops, send, plain, told
        self.names: list[str] = []
        self.homes: list[str] = []
        self.trial: Trial | None = None
        self.lock = threading.RLock()

    def begin(self, number: int) -> Trial:
        self.trial = Trial(number)
        return self.trial

    def end(self, trial: Trial) -> bool:
        """The app has come back: from now on a call of a tap is nobody's. Whether it was stopped."""
        with self.lock:
            self.trial = None
            if trial.watch is not None:
                trial.watch.cancel()
            if trial.stopped:
                self.send({"worker": "ready"})
            return trial.stopped

    # What the wrapped functions call.

    def enter(self, tap: str, args: Any, kwargs: Any) -> Call | None:
        trial = self.trial
        if trial is None:
            return None
        if trial.stopped:
            self.leave(trial)
        call = Call(trial, tap, first_text(args, kwargs))
        with self.lock:
            trial.running.append(call)
        return call

    def returned(self, call: Call, value: Any) -> Any:
        call.value = self.plain(value)
        self.close(call)
        return value

    def raised(self, call: Call, problem: BaseException) -> None:
        call.error = self.told(problem)
        self.close(call)

    def close(self, call: Call) -> None:
        """Note the end of a call; raises `Stop` where it was the last."""
        trial, last = call.trial, self.names[-1]
        with self.lock:
            trial.running.remove(call)
            trial.calls.append(call)
            if not self.stops or trial.stopped or trial is not self.trial:
                return
            if call.tap != last or any(other.tap == last for other in trial.running):
                return
            trial.stopped = trial.guarded = True
            self.send({**trial.answer(), "stopping": True})
        if threading.get_ident() != trial.thread and not hands_on():
            self.leave(trial)
        trial.watch = threading.Timer(SPARE, self.leave, [trial])
        trial.watch.daemon = True
        trial.watch.start()
        self.guard(trial)
        raise Stop("the last tap has returned")

    # What keeps a stopped app from running on.

    def leave(self, trial: Trial) -> None:
        """End the process, unless the app has come back meanwhile."""
        with self.lock:
            if trial is self.trial:
                for stream in (sys.stdout, sys.stderr):
                    with contextlib.suppress(Exception):
                        stream.flush()
                os._exit(0)

    def guard(self, trial: Trial) -> None:
        """End the process at the next line of the app in this thread that runs although it was stopped."""
        before = sys.gettrace()
        reached: dict[types.FrameType, int] = {}

        def line(frame: types.FrameType, event: str, arg: Any) -> Any:
            if not trial.guarded:
                return None
            if event == "exception" and isinstance(arg[1], Stop):
                reached[frame] = frame.f_lineno
            elif event == "line" and not unwinding(frame, reached.pop(frame, None)):
                self.leave(trial)
            return line

        def enter(frame: types.FrameType, event: str, arg: Any) -> Any:
            if not trial.guarded:
                sys.settrace(before)
                return None
            return line if self.is_app(frame.f_code.co_filename) else None

        frame: types.FrameType | None = sys._getframe(1)
        while frame is not None:
            if self.is_app(frame.f_code.co_filename):
                frame.f_trace = line
            frame = frame.f_back
        sys.settrace(enter)

    def is_app(self, file: str) -> bool:
        """Whether a file is the app's own: not ours, not the standard library's, not another package's."""
        if os.path.dirname(file) == os.path.dirname(HERE) or file.startswith("<"):
            return False
        installed = "site-packages" in file or "dist-packages" in file or file.startswith(LIBRARY)
        return not installed or any(file.startswith(home) for home in self.homes)

    # Putting the wrappers in place.

    def wrap(self, tap: str, holder: Any, name: str, value: Any) -> None:
        """Wrap the function that `holder` has as `name`. Raises TypeError where it is none."""
        if isinstance(value, type) or not callable(value):
            what = "a class" if isinstance(value, type) else f"a {type(value).__name__}"
            raise TypeError(f"tap {tap} is {what}: name a function, or a method as module:Class.method")
        self.names.append(tap)
        if isinstance(holder, type):
            self.wrap_in_class(tap, holder, name)
        elif isinstance(holder, types.ModuleType) or name in getattr(holder, "__dict__", {}):
            method = inspect.getattr_static(type(value), "__call__", None)
            if isinstance(method, types.FunctionType):
                self.wrap_in_class(tap, type(value), "__call__", value)
            else:
                replace(value, functools.partial(self.tapped, tap))
        else:
            self.wrap_in_class(tap, type(holder), name, holder)

    def wrap_in_class(self, tap: str, holder: type, name: str, owner: Any = None) -> None:
        raw = inspect.getattr_static(holder, name)
        wrapped: Any
        if isinstance(raw, staticmethod):
            wrapped = staticmethod(self.tapped(tap, raw.__func__))
        elif isinstance(raw, classmethod):
            wrapped = classmethod(self.tapped(tap, raw.__func__, 1))
        elif callable(raw):
            wrapped = self.tapped(tap, raw, 1, owner)
        else:
            raise TypeError(f"tap {tap} is a {type(raw).__name__}: name a function or a method")
        setattr(holder, name, wrapped)

    def tapped(self, tap: str, function: Any, skip: int = 0, owner: Any = None) -> Any:
        """`function`, watched. `skip`: leading arguments that are the object or class itself.

        `owner`: only calls on that object are watched.
        """

        async def follow(call: Call, awaitable: Any) -> Any:
            try:
                value = await awaitable
            except Stop:
                raise
            except BaseException as problem:
                self.raised(call, problem)
                raise
            return self.returned(call, value)

        def plain(*args: Any, **kwargs: Any) -> Any:
            watched = owner is None or (args and args[0] is owner)
            call = self.enter(tap, args[skip:], kwargs) if watched else None
            if call is None:
                return function(*args, **kwargs)
            try:
                value = function(*args, **kwargs)
            except Stop:
                raise
            except BaseException as problem:
                self.raised(call, problem)
                raise
            return follow(call, value) if inspect.isawaitable(value) else self.returned(call, value)

        async def coroutine(*args: Any, **kwargs: Any) -> Any:
            return await plain(*args, **kwargs)

        wrapper = coroutine if inspect.iscoroutinefunction(function) else plain
        with contextlib.suppress(Exception):
            functools.update_wrapper(wrapper, function)
        return wrapper


def replace(value: Any, make: Callable[[Any], Any]) -> None:
    """Put what `make` makes of `value` wherever that is held: modules, tables, lists, objects, closures."""
    # No closure of this file may hold `value` itself, or it would be exchanged there, too. What
    # `make` makes holds it: hence the order.
    holders = gc.get_referrers(value)
    new = make(value)
    for holder in holders:
        if isinstance(holder, dict):
            put(holder, value, new)
        elif isinstance(holder, list):
            for place, held in enumerate(holder):
                if held is value:
                    holder[place] = new
        elif isinstance(holder, types.CellType):
            holder.cell_contents = new
        elif isinstance(holder, staticmethod):
            replace(holder, lambda _: staticmethod(new))
        elif not isinstance(holder, (type, types.FrameType, types.FunctionType)):
            put(getattr(holder, "__dict__", {}), value, new)


def put(table: dict[Any, Any], value: Any, new: Any) -> None:
    """Exchange one value of a table; that of a class through the class, which caches its methods."""
    owner: Any = None
    for holder in gc.get_referrers(table):
        if isinstance(holder, type) and gc.get_referents(vars(holder))[0] is table:
            owner = holder
    for key, held in list(table.items()):
        if held is value and owner is not None:
            setattr(owner, key, new)
        elif held is value:
            table[key] = new


def first_text(args: tuple[Any, ...], kwargs: dict[str, Any]) -> str | None:
    """The first argument that is text, else the first text inside the arguments, depth first."""
    values = [*args, *kwargs.values()]
    for value in values:
        if isinstance(value, str):
            return str.__str__(value)
    return next(texts(values, DEEP), None)


def texts(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield str.__str__(value)
    elif depth and not isinstance(value, (type, types.ModuleType)):
        with contextlib.suppress(Exception):
            for inner in parts(value):
                yield from texts(inner, depth - 1)


def parts(value: Any) -> list[Any]:
    """What is inside a value, in order. Labels are left out: a message's role, the type of a piece of one."""
    if isinstance(value, collections.abc.Mapping):
        labels = {"role"} if "content" in value else {"type"} if "text" in value else set()
        return [value[key] for key in value if key not in labels]
    if isinstance(value, (list, tuple, set, frozenset)):
        return list(value)
    slots = [getattr(value, name) for name in getattr(type(value), "__slots__", ()) if hasattr(value, name)]
    return [*getattr(value, "__dict__", {}).values(), *slots]


def unwinding(frame: types.FrameType, reached: int | None) -> bool:
    """Whether `Stop` is still on its way through the app: no clause has swallowed it, or is about to.

    `reached`: the line at which it has just come to this frame. There, and at the line of a `with`
    that it leaves, it may not yet be the exception that is being handled.
    """
    problem = sys.exc_info()[1]
    swallowing, leaving = clauses(frame.f_code.co_filename)
    if isinstance(problem, Stop):
        return frame.f_lineno not in swallowing
    for _ in range(100):
        if problem is None or isinstance(problem, Stop):
            break
        problem = problem.__context__
    if isinstance(problem, Stop):
        return True
    return reached is not None and (frame.f_lineno == reached or frame.f_lineno in leaving)


@functools.lru_cache(maxsize=None)  # noqa: UP033 (3.8)
def clauses(file: str) -> tuple[set[int], set[int]]:
    """The lines of a file within `except` clauses that do not end by raising, and those of `with`."""
    swallowing: set[int] = set()
    leaving: set[int] = set()
    with contextlib.suppress(Exception):
        for node in ast.walk(ast.parse("".join(linecache.getlines(file)))):
            if isinstance(node, ast.ExceptHandler) and not isinstance(node.body[-1], ast.Raise):
                first = node.body[0].lineno
                if first == node.lineno and not catches_all(node):
                    first += 1  # that line also runs where the clause does not apply
                swallowing.update(range(first, (node.body[-1].end_lineno or first) + 1))
            elif isinstance(node, (ast.With, ast.AsyncWith)):
                leaving.update(range(node.lineno, node.body[0].lineno))
    return swallowing, leaving


def catches_all(clause: ast.ExceptHandler) -> bool:
    return clause.type is None or (isinstance(clause.type, ast.Name) and clause.type.id == "BaseException")
