"""The worker: what a value becomes as JSON, and what user code cannot break."""

from __future__ import annotations

import ast
import collections
import dataclasses
import datetime
import enum
import importlib.util
import json
import sys
import types
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import MagicMock

import pytest
from process_kit import APP_PYTHON, ask, ask_all, left, module, python

import workbench
from workbench.adapters.process import taps, worker
from workbench.core.decision import Outcome
from workbench.core.trial import Status

FILES = [Path(worker.__file__), Path(taps.__file__)]


def plain(value: object) -> Any:
    """A value as the worker tells it, through JSON."""
    return json.loads(json.dumps(worker.plain(value)))


class Action(enum.Enum):
    FIRE = "fire"


class Route(NamedTuple):
    tool: str
    score: float


@dataclasses.dataclass
class Choice:
    action: Action
    calls: list[object]


class Tool:
    name = "send_email"


class ToolWithArguments:
    def __init__(self) -> None:
        self.name, self.args = "send_email", {"to": "a"}


class Slotted:
    __slots__ = ("action", "secret", "tool")

    def __init__(self) -> None:
        self.action, self.tool = "fire", "x"


class WithProperties:
    def __init__(self) -> None:
        self._hidden, self.shown = 1, 2

    @property
    def outcome(self) -> str:
        return "hold"

    def method(self) -> None:
        """No part of the answer."""


class Model:
    def model_dump(self) -> dict[str, object]:
        return {"name": "x", "action": Action.FIRE}


class Scalar:
    def item(self) -> float:
        return 0.5


class Broken:
    @property
    def name(self) -> str:
        raise RuntimeError("not now")

    def __repr__(self) -> str:
        raise RuntimeError("nor now")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        ("fire", "fire"),
        (True, True),
        (3, 3),
        (0.5, 0.5),
        (Action.FIRE, "fire"),
        (Route("x", 0.5), {"tool": "x", "score": 0.5}),
        (Choice(Action.FIRE, [Tool()]), {"action": "fire", "calls": [{"name": "send_email"}]}),
        (("a", ["b"]), ["a", ["b"]]),
        ({"b", "a", "c"}, ["a", "b", "c"]),
        (collections.deque(["a"]), ["a"]),
        ({Action.FIRE: 1, 2: "two", None: 0}, {"fire": 1, "2": "two", "None": 0}),
        (types.MappingProxyType({"a": 1}), {"a": 1}),
        (Tool(), {"name": "send_email"}),
        (ToolWithArguments(), {"name": "send_email", "arguments": {"to": "a"}}),
        (Slotted(), {"action": "fire", "tool": "x"}),
        (WithProperties(), {"shown": 2, "outcome": "hold"}),
        (
            types.SimpleNamespace(action="fire", tool="x", extra=[1]),
            {"action": "fire", "tool": "x", "extra": [1]},
        ),
        (Model(), {"name": "x", "action": "fire"}),
        ([Scalar()], [0.5]),
        (b"caf\xc3\xa9", "café"),
        (Path("/a/b"), "/a/b"),
        (Decimal("1.5"), "1.5"),
        (datetime.date(2026, 1, 2), "2026-01-02"),
        ("\ud800", "\ud800"),
    ],
)
def test_what_a_function_returns_is_told_as_json(value: object, expected: object) -> None:
    assert plain(value) == expected


@pytest.mark.parametrize("value", [object(), b"\xff", Tool, len, Broken(), MagicMock(), 1j])
def test_what_json_cannot_tell_is_said_to_be_unreadable(value: object) -> None:
    assert "unreadable" in str(plain(value))


def test_cycles_depth_and_size_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "MANY", 10_000)
    cycle: list[object] = []
    cycle.append({"again": cycle})
    assert "unreadable" in str(plain(cycle))
    deep: list[object] = []
    for _ in range(10_000):
        deep = [deep]
    assert "unreadable" in json.dumps(worker.plain(deep))
    shared: list[object] = ["x"]
    for _ in range(50):
        shared = [shared, shared]
    # Two to the fifty leaves, if nothing bounded it.
    assert worker.plain(shared) == {"unreadable": "a list of more than 10000 items"}


@pytest.mark.parametrize(
    ("args", "kwargs", "expected"),
    [
        (("a", "b"), {}, "a"),
        ((1, "b"), {}, "b"),
        ((), {"limit": 3, "query": "q"}, "q"),
        (({"channel": 1, "text": "t"},), {}, "t"),
        (({"meta": {"x": "inner"}, "text": "t"}, "direct"), {}, "direct"),
        (({"meta": {"x": "inner"}, "text": "t"},), {}, "inner"),
        (([{"role": "user", "content": "hi"}],), {}, "hi"),
        (([{"role": "user", "content": [{"type": "text", "text": "part"}]}],), {}, "part"),
        ((types.SimpleNamespace(size=1, text="in an object"),), {}, "in an object"),
        ((Slotted(),), {}, "fire"),
        (("",), {}, ""),
        ((1, [None, {}], b"bytes"), {}, None),
        ((), {}, None),
    ],
)
def test_the_window_is_the_first_text_that_was_given(
    args: tuple[Any, ...], kwargs: dict[str, Any], expected: str | None
) -> None:
    assert taps.first_text(args, kwargs) == expected


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_the_workers_files_stand_alone_and_run_on_python_3_8(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"), feature_version=(3, 8))
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add((node.module or "").partition(".")[0])
    assert imported <= set(sys.stdlib_module_names)


def test_the_worker_is_not_imported_by_what_starts_it() -> None:
    found = importlib.util.find_spec("workbench.adapters.python")
    assert found is not None
    assert found.origin is not None
    assert "process.worker" not in Path(found.origin).read_text(encoding="utf-8")


async def test_prints_of_any_kind_are_log_and_input_is_at_its_end(tmp_path: Path) -> None:
    module(
        tmp_path,
        """
        import os, subprocess, sys
        print("while importing")
        os.write(1, b"raw while importing\\n")

        def route(text):
            print("print", "\\ud800")
            os.write(1, b"write\\n")
            os.system("echo from a shell")
            subprocess.run([sys.executable, "-S", "-c", "print('from a child')"])
            print('{"id": 1, "decision": "fire"}')
            try:
                input()
            except EOFError:
                print("no input")
            sys.stdout.close()
            return "hold"
        """,
    )
    first, second = await ask_all(python(tmp_path, target="app:route"), "a", "b")
    assert first.decision is not None
    assert first.decision.outcome is Outcome.HOLD
    for words in (
        "while importing",
        "raw while importing",
        "print \\ud800",
        "write",
        "from a shell",
        "from a child",
        '{"id": 1, "decision": "fire"}',
        "no input",
    ):
        assert f"{words}\n" in first.log
    # Its standard output is closed now: its own mistake, and an answer all the same.
    assert second.status is Status.ERROR
    assert "I/O operation on closed file" in (second.error or "")


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("raise ValueError('bad [/bold] \\x1b')", "ValueError: bad [/bold] \x1b (app.py:6 in route)"),
        ("sys.exit(3)", "SystemExit: 3 (app.py:6 in route)"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt (app.py:6 in route)"),
        ("raise type('Odd', (BaseException,), {'__str__': lambda self: 1 / 0})", "Odd (app.py:6 in route)"),
        ("return route(text)", "RecursionError: maximum recursion depth exceeded"),
        ("os._exit(5)", "exited with status 5 before its answer"),
        ("os.kill(os.getpid(), 11)", "was killed by signal 11 (SIGSEGV) before its answer"),
    ],
)
async def test_what_user_code_raises_is_an_error_of_its_trial(tmp_path: Path, body: str, error: str) -> None:
    module(
        tmp_path,
        f"""
        import os, sys
        def route(text):
            if text == "fine":
                return "fire"
            {body}
        """,
    )
    bad, fine = await ask_all(python(tmp_path, target="app:route"), "bad", "fine")
    assert bad.status is Status.ERROR
    assert bad.error is not None
    assert bad.error.startswith(error)
    assert fine.status is Status.OK
    if "raise ValueError" in body:
        assert "Traceback (most recent call last):" in bad.log
        assert 'app.py", line 6, in route' in bad.log
        assert "worker.py" not in bad.log
    assert left(tmp_path) == []


async def test_code_that_cannot_be_loaded_is_an_error_of_each_trial(tmp_path: Path) -> None:
    module(tmp_path, "import nothing_of_that_name", "pkg.broken")
    module(tmp_path, "import sys; sys.exit('no config')", "pkg.leaves")
    module(tmp_path, "def route(text: return", "pkg.syntax")
    module(tmp_path, "value = 1", "pkg.plain")
    cases = {
        "pkg.broken:route": "ModuleNotFoundError: No module named 'nothing_of_that_name' (broken.py:1 in",
        "pkg.leaves:route": "SystemExit: no config (leaves.py:1 in <module>)",
        "pkg.syntax:route": "SyntaxError: ",
        "pkg.plain:route": "AttributeError: module 'pkg.plain' has no attribute 'route'",
        "pkg.missing:route": "ModuleNotFoundError: No module named 'pkg.missing'",
    }
    for target, words in cases.items():
        first, second = await ask_all(python(tmp_path, target=target), "a", "b")
        for answer in (first, second):
            assert answer.status is Status.ERROR
            assert answer.error is not None
            assert answer.error.startswith(f"cannot load {target}: {words}")
            assert f" at {APP_PYTHON}, first on its path {tmp_path}" in answer.error
            assert "worker.py" not in answer.log
            assert "importlib" not in answer.log
        if target == "pkg.broken:route":
            assert 'broken.py", line 1, in <module>' in first.log


async def test_slow_imports_are_waited_for_over_several_trials(tmp_path: Path) -> None:
    module(tmp_path, "import time; time.sleep(2.5)\ndef route(text): return 'fire'")
    adapter = python(tmp_path, target="app:route", timeout=1.0)
    answers = await ask_all(adapter, "a", "b", "c", "d")
    assert [answer.status for answer in answers][:2] == [Status.TIMEOUT, Status.TIMEOUT]
    assert answers[0].error == "the app was not loaded within 1 s; if it needs longer, raise `timeout`"
    assert answers[3].status is Status.OK


async def test_a_crash_while_loading_does_not_hold_up_the_run(tmp_path: Path) -> None:
    module(tmp_path, "import os; open('starts', 'a').write('x'); os._exit(7)")
    adapter = python(tmp_path, target="app:route")
    answers = await ask_all(adapter, *["a"] * 500)
    assert {answer.status for answer in answers} == {Status.ERROR}
    assert answers[0].error == "exited with status 7 while it loaded the app"
    assert len((tmp_path / "starts").read_text()) < 20


async def test_forks_and_threads_of_user_code_do_not_answer_for_it(tmp_path: Path) -> None:
    module(
        tmp_path,
        """
        import os, threading, time
        def route(text):
            threading.Thread(target=time.sleep, args=(600,)).start()
            if os.fork() == 0:
                return "fire"
            time.sleep(0.3)
            return "hold"
        """,
    )
    first, second = await ask_all(python(tmp_path, target="app:route"), "a", "b")
    for answer in (first, second):
        assert answer.decision is not None
        assert answer.decision.outcome is Outcome.HOLD
        assert answer.decision.flags == ()


async def test_the_workspace_is_first_on_the_path_and_our_folders_are_not_on_it(tmp_path: Path) -> None:
    # Files with the names of ours and of the standard library's, as apps have them.
    for name in ("worker", "taps", "lines", "json", "types2", "traceback", "queue"):
        module(tmp_path, f"WHO = 'the app: {name}'", name)
    module(
        tmp_path,
        """
        import sys, worker, taps, lines, queue
        def route(text):
            return {"outcome": "pass", "note": f"{worker.WHO}, {taps.WHO}, {lines.WHO}, {queue.WHO}",
                    "scanned": "\\n".join(sys.path)}
        """,
    )
    adapter = python(tmp_path, target="app:route")
    answer = await ask(adapter)
    await adapter.close()
    assert answer.decision is not None
    assert answer.decision.note == "the app: worker, the app: taps, the app: lines, the app: queue"
    assert answer.decision.window is not None
    path = answer.decision.window.text.split("\n")
    assert Path(path[0]) == tmp_path
    package = Path(workbench.__file__).parent
    assert not [entry for entry in path if entry and Path(entry).is_relative_to(package)]


async def test_nothing_is_written_beside_the_users_files(tmp_path: Path) -> None:
    module(tmp_path, "def route(text): return 'fire'", "pkg.routing")
    await ask_all(python(tmp_path, target="pkg.routing:route"))
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["pkg", "routing.py"]
