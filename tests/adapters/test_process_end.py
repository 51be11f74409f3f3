"""Nothing is left running: not after a cancelled call, not after the host was killed."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from process_kit import ask, command, left, noted, script, until_noted

from workbench.adapters.process import guest as guest_module
from workbench.adapters.process.guest import Guest
from workbench.core.errors import WorkbenchError

HANG = """
child = subprocess.Popen([sys.executable, "-S", "-E", "-c", "import time; time.sleep(600)"])
note(child.pid)
for number, text in asked():
    time.sleep(600)
"""


async def test_a_cancelled_call_leaves_nothing_running(tmp_path: Path) -> None:
    adapter = command(tmp_path, HANG, timeout=300)
    call = asyncio.create_task(ask(adapter))
    await until_noted(tmp_path, 2)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    await adapter.close()
    assert left(tmp_path) == []


async def test_a_call_may_be_cancelled_at_any_moment_of_the_start(tmp_path: Path) -> None:
    adapter = command(tmp_path, HANG, timeout=300, concurrency=8)
    for steps in range(12):
        call = asyncio.create_task(ask(adapter))
        for _ in range(steps):
            await asyncio.sleep(0)
        call.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await call
    await adapter.close()
    # A process killed before it could write itself down is not seen here: ask the kernel instead.
    assert left(tmp_path) == []
    if sys.platform == "linux":
        assert [child for child in children() if str(tmp_path) in working_folder(child)] == []


def children() -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(fields[1]) == os.getpid() and fields[0] not in "ZX":
                found.append(int(folder.name))
    return found


def working_folder(process: int) -> str:
    with contextlib.suppress(OSError):
        return os.readlink(f"/proc/{process}/cwd")  # noqa: PTH115 (a link that the kernel makes)
    return ""


async def test_close_may_be_cancelled_and_still_ends_everything(tmp_path: Path) -> None:
    stubborn = """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    number, text = next(asked())
    answer(number, "fire")
    while True:
        time.sleep(600)
    """
    adapter = command(tmp_path, stubborn)
    await ask(adapter)
    closing = asyncio.create_task(adapter.close())
    await asyncio.sleep(0.1)
    closing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await closing
    assert left(tmp_path) == []


async def test_a_start_that_fails_half_way_leaves_nothing_running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise OSError(24, "Too many open files")

    adapter = command(tmp_path, HANG)
    await adapter.open()
    monkeypatch.setattr(asyncio.get_running_loop(), "connect_write_pipe", fail)
    answer = await ask(adapter)
    assert answer.error is not None
    assert answer.error.endswith("Too many open files")
    monkeypatch.undo()
    await adapter.close()
    assert left(tmp_path) == []
    if sys.platform == "linux":
        assert [child for child in children() if str(tmp_path) in working_folder(child)] == []


async def test_a_missing_variable_or_folder_is_an_error_before_anything_starts(tmp_path: Path) -> None:
    adapter = command(tmp_path, HANG, env={"KEY": {"env": "NO_SUCH_VARIABLE_HERE"}, "B": {"env": "NOR_THIS"}})
    with pytest.raises(WorkbenchError) as error:
        await adapter.open()
    assert [problem.message for problem in error.value.problems] == [
        "adapter guest: the environment variable NO_SUCH_VARIABLE_HERE is not set (env: KEY)",
        "adapter guest: the environment variable NOR_THIS is not set (env: B)",
    ]
    with pytest.raises(WorkbenchError, match="is no folder"):
        await command(tmp_path, HANG, cwd=tmp_path / "nowhere").open()
    assert noted(tmp_path) == []


async def test_close_twice_and_use_again(tmp_path: Path) -> None:
    adapter = command(tmp_path, "for number, text in asked(): answer(number, 'fire')")
    await adapter.close()
    await ask(adapter)
    await adapter.close()
    await adapter.close()
    await ask(adapter)
    await adapter.close()
    assert left(tmp_path) == []


async def test_the_group_is_killed_even_if_the_end_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guest_module, "GRACE", 30.0)
    adapter = command(tmp_path, "for number, text in asked(): answer(number, 'fire')\ntime.sleep(600)")
    await ask(adapter)
    guests = [slot.guest for slot in adapter._host._slots] if adapter._host else []
    assert isinstance(guests[0], Guest)
    ending = asyncio.create_task(guests[0].end())
    await asyncio.sleep(0.1)
    ending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await ending
    assert left(tmp_path) == []
    await adapter.close()


HOST = """
import asyncio, sys
from pathlib import Path
from workbench.adapters.command import CommandAdapter
from workbench.adapters.protocol import Place, Request
from workbench.core.turn import bare

async def main():
    adapter = CommandAdapter("guest", Place(Path.cwd()), argv=sys.argv[1:], timeout=300)
    try:
        await adapter.decide(Request(bare("hello")))
    finally:
        await adapter.close()

asyncio.run(main())
"""


def host(folder: Path, body: str) -> subprocess.Popen[bytes]:
    package = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": str(package)}
    argv = script(folder, body)
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(HOST), *argv],
        cwd=folder,
        env=environment,
        stderr=subprocess.PIPE,
    )


def wait_for_notes(folder: Path, count: int) -> None:
    until = time.monotonic() + 20
    while len(noted(folder)) < count:
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ties a process to its parent")
def test_guests_end_when_the_host_is_killed(tmp_path: Path) -> None:
    # It neither reads its input nor heeds a signal: only the kernel ends it.
    process = host(tmp_path, "signal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(600)")
    wait_for_notes(tmp_path, 1)
    process.kill()
    process.communicate()
    assert left(tmp_path, 5) == []


def test_guests_that_read_their_input_end_when_the_host_is_killed(tmp_path: Path) -> None:
    process = host(tmp_path, "for number, text in asked(): pass")
    wait_for_notes(tmp_path, 1)
    process.kill()
    process.communicate()
    assert left(tmp_path, 5) == []


def test_ctrl_c_in_the_host_ends_the_guests(tmp_path: Path) -> None:
    process = host(tmp_path, HANG)
    wait_for_notes(tmp_path, 2)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert b"KeyboardInterrupt" in errors
    assert b"Exception ignored" not in errors
    assert b"never retrieved" not in errors
    assert left(tmp_path) == []


def test_a_guest_is_not_reached_by_the_terminals_ctrl_c(tmp_path: Path) -> None:
    process = host(tmp_path, "open('session', 'w').write(f'{os.getpid()} {os.getsid(0)} {os.getpgid(0)}')")
    process.communicate(timeout=20)
    pid, session, group = (tmp_path / "session").read_text().split()
    assert pid == session == group
