"""Guests for the tests: small real programs, and a look at which processes are still there."""

from __future__ import annotations

import asyncio
import os
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

from workbench.adapters.command import CommandAdapter
from workbench.adapters.protocol import Adapter, Answer, Place, Request
from workbench.adapters.python import PythonAdapter
from workbench.core.decision import Decision, Window, WindowSource
from workbench.core.trial import Status
from workbench.core.turn import Attachment, Turn, bare

# The tests of the worker may be run against another interpreter: WORKBENCH_TEST_PYTHON=/usr/bin/python3.9
APP_PYTHON = os.environ.get("WORKBENCH_TEST_PYTHON", sys.executable)

PYTHON = (sys.executable, "-S", "-E")

PRELUDE = """
import json, os, signal, subprocess, sys, time

def note(pid):
    with open("pids", "a") as pids:
        pids.write(f"{pid}\\n")

note(os.getpid())

def asked():
    for line in sys.stdin.buffer:
        question = json.loads(line)
        yield question["id"], question["turn"]["text"]

def say(text, end="\\n"):
    sys.stdout.write(text + end)
    sys.stdout.flush()

def answer(number, decision):
    say(json.dumps({"id": number, "decision": decision}))
"""


def script(folder: Path, body: str, name: str = "guest.py") -> list[str]:
    """A Python guest with the prelude before its body; the argv that starts it."""
    (folder / name).write_text(PRELUDE + textwrap.dedent(body), encoding="utf-8")
    return [*PYTHON, name]


def command(folder: Path, body: str, **options: Any) -> CommandAdapter:
    """A command adapter over a Python guest in `folder`."""
    return CommandAdapter("guest", Place(folder), argv=script(folder, body), **{"timeout": 20, **options})


def module(folder: Path, source: str, name: str = "app") -> None:
    """A module of the user's, in the workspace."""
    path = folder.joinpath(*name.split(".")).with_suffix(".py")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(source), encoding="utf-8")


def python(folder: Path, **options: Any) -> PythonAdapter:
    """A python adapter in `folder`, under the interpreter that runs the tests unless told otherwise."""
    return PythonAdapter("app", Place(folder), **{"python": APP_PYTHON, "timeout": 20, **options})


async def ask(adapter: Adapter, text: str = "hello", *, turn: Turn | None = None) -> Answer:
    """One call."""
    return await adapter.decide(Request(turn if turn is not None else bare(text), attempt=1, seed=7))


async def ask_all(adapter: Adapter, *texts: str) -> list[Answer]:
    """Calls one after the other; the adapter is closed at the end."""
    try:
        return [await ask(adapter, text) for text in texts or ("hello",)]
    finally:
        await adapter.close()


def with_files(typed: str, *files: Path) -> Turn:
    """A turn whose attachments the app itself joins."""
    attachments = tuple(Attachment(file.name, str(file), file.read_text(encoding="utf-8")) for file in files)
    plain = bare(typed)
    return Turn(typed, typed, plain.regions, plain.pieces, attachments, made_by_app=True)


def alive(pid: int) -> bool:
    """Whether a process runs; one that is dead and not yet reaped does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    if stat.exists():
        try:
            return stat.read_text().rpartition(")")[2].split()[0] not in "ZX"
        except OSError:
            return False
    return True


def noted(folder: Path) -> list[int]:
    """The processes that wrote themselves down in `folder`."""
    file = folder / "pids"
    return [int(line) for line in file.read_text().split()] if file.exists() else []


def left(folder: Path, patience: float = 1.0) -> list[int]:
    """Those of them that still run, after `patience` seconds at most."""
    until = time.monotonic() + patience
    while (running := [pid for pid in noted(folder) if alive(pid)]) and time.monotonic() < until:
        time.sleep(0.02)
    return running


async def until_noted(folder: Path, count: int) -> list[int]:
    """Wait until so many processes have written themselves down."""
    for _ in range(1000):
        if len(pids := noted(folder)) >= count:
            return pids
        await asyncio.sleep(0.01)
    raise AssertionError(f"only {noted(folder)} came up")


def captured(*pairs: tuple[str, str]) -> tuple[Window, ...]:
    """Captured windows, from pairs of tap and text."""
    return tuple(Window(text, WindowSource.CAPTURED, None, tap) for tap, text in pairs)


def decided(answer: Answer) -> Decision:
    """The decision of an answer that has to have one."""
    assert answer.status is Status.OK, answer
    assert answer.decision is not None
    return answer.decision


async def run(tmp_path: Path, source: str, *texts: str, **options: object) -> list[Answer]:
    """The answers of an app in one module, its entry `handle`, tapped at `route`."""
    module(tmp_path, "import os\nopen('pids', 'a').write(f'{os.getpid()}\\n')\n", "notes")
    module(tmp_path, "import notes\n" + textwrap.dedent(source))
    adapter = python(tmp_path, **{"entry": "app:handle", "tap": ["app:route"], **options})
    return await ask_all(adapter, *texts)
