"""Guests that do not start, do not read, do not end: the run goes on, and nothing is left running."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from process_kit import alive, ask, ask_all, command, left, noted, script

from workbench.adapters.command import CommandAdapter
from workbench.adapters.protocol import Place
from workbench.core.trial import Status

GOOD = """
for number, text in asked():
    answer(number, {"outcome": "pass", "note": text})
"""


async def test_a_guest_that_never_reads_does_not_hang_the_host(tmp_path: Path) -> None:
    adapter = command(tmp_path, "time.sleep(600)", timeout=0.6)
    start = time.monotonic()
    answer = await ask(adapter, "x" * 1_000_000)
    assert answer.status is Status.TIMEOUT
    await adapter.close()
    assert time.monotonic() - start < 4
    assert left(tmp_path) == []


async def test_a_guest_that_closes_its_output_and_lives_on_is_an_error(tmp_path: Path) -> None:
    adapter = command(tmp_path, "os.close(1)\ntime.sleep(600)")
    start = time.monotonic()
    answers = await ask_all(adapter, "one", "two")
    assert time.monotonic() - start < 8
    for answer in answers:
        assert answer.status is Status.ERROR
        assert answer.error == "closed its output and went on running before its answer"
    assert left(tmp_path) == []


async def test_a_guest_that_closes_its_input_is_replaced(tmp_path: Path) -> None:
    body = """
    number, text = next(asked())
    os.close(0)
    answer(number, "fire")
    time.sleep(600)
    """
    adapter = command(tmp_path, body, timeout=10)
    assert (await ask(adapter)).status is Status.OK
    await asyncio.sleep(0.2)
    assert (await ask(adapter)).status is Status.OK
    await adapter.close()
    assert len(noted(tmp_path)) == 2
    assert left(tmp_path) == []


async def test_a_fresh_process_for_each_trial(tmp_path: Path) -> None:
    body = """
    for number, text in asked():
        answer(number, {"outcome": "pass", "note": str(os.getpid())})
    """
    answers = await ask_all(command(tmp_path, body, restart="trial"), "a", "b", "c")
    assert len({answer.decision.note for answer in answers if answer.decision}) == 3
    assert left(tmp_path) == []


async def test_slots_run_side_by_side_and_start_when_they_are_needed(tmp_path: Path) -> None:
    body = """
    for number, text in asked():
        time.sleep(0.4)
        answer(number, {"outcome": "pass", "note": text})
    """
    adapter = command(tmp_path, body, concurrency=4)
    assert (await ask(adapter, "alone")).status is Status.OK
    assert len(noted(tmp_path)) == 1
    start = time.monotonic()
    answers = await asyncio.gather(*(ask(adapter, str(number)) for number in range(8)))
    assert time.monotonic() - start < 8 * 0.4
    assert [answer.decision.note for answer in answers if answer.decision] == list("01234567")
    assert len(noted(tmp_path)) == 4
    await adapter.close()
    assert left(tmp_path) == []


async def test_a_guest_that_crashes_at_every_start_does_not_hold_up_the_run(tmp_path: Path) -> None:
    adapter = command(tmp_path, "sys.exit('no config')")
    start = time.monotonic()
    answers = [await ask(adapter) for _ in range(2000)]
    assert time.monotonic() - start < 10
    assert {answer.status for answer in answers} == {Status.ERROR}
    assert all("exited with status 1" in (answer.error or "") for answer in answers)
    assert answers[0].log == "no config\n"
    assert len(noted(tmp_path)) < 30
    await adapter.close()
    assert left(tmp_path) == []


async def test_crashes_on_what_is_asked_do_not_count_as_crashes_at_the_start(tmp_path: Path) -> None:
    body = """
    for number, text in asked():
        if text == "crash":
            os._exit(9)
        answer(number, "fire")
    """
    answers = await ask_all(command(tmp_path, body), *["crash"] * 6, "fine")
    assert [answer.status for answer in answers] == [Status.ERROR] * 6 + [Status.OK]
    assert {answer.error for answer in answers[:6]} == {"exited with status 9 before its answer"}


async def test_a_program_that_cannot_start_says_what_to_do(tmp_path: Path) -> None:
    def adapter(*argv: str) -> CommandAdapter:
        return CommandAdapter("guest", Place(tmp_path), argv=argv)

    (tmp_path / "plain").write_text("echo")
    (tmp_path / "noexec").write_bytes(b"\x00\x01nothing")
    (tmp_path / "noexec").chmod(0o755)
    (tmp_path / "lost").write_text("#!/no/such/interpreter\n")
    (tmp_path / "lost").chmod(0o755)
    expected = {
        ("no-such-program-here",): "there is no such program on the PATH",
        ("./missing",): "there is no such program",
        ("./plain",): "it is not executable; chmod +x it",
        ("./noexec",): "it is no program",
        ("./lost",): "the interpreter that its first line names is not there",
        ("./",): "it is a folder",
        ("sh", "a\0b"): "embedded null byte",
    }
    for argv, words in expected.items():
        answers = await ask_all(adapter(*argv), "one", "two")
        for answer in answers:
            assert answer.status is Status.ERROR
            assert answer.error is not None
            assert answer.error.startswith("cannot start ")
            assert words in answer.error


async def test_a_guest_that_ignores_the_end_of_its_input_is_ended(tmp_path: Path) -> None:
    body = """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    number, text = next(asked())
    answer(number, "fire")
    while True:
        time.sleep(600)
    """
    start = time.monotonic()
    await ask_all(command(tmp_path, body))
    assert time.monotonic() - start < 5
    assert left(tmp_path) == []


async def test_a_guest_may_tidy_up_when_its_input_ends(tmp_path: Path) -> None:
    await ask_all(command(tmp_path, GOOD + '\ntime.sleep(0.3)\nopen("tidy", "w").close()\n'))
    assert (tmp_path / "tidy").exists()


@pytest.mark.parametrize("session", [False, True], ids=["in the group", "in a session of its own"])
@pytest.mark.parametrize("end", ["crash", "close"])
async def test_what_a_guest_started_ends_with_it(tmp_path: Path, end: str, session: bool) -> None:
    # It ignores signals and holds the guest's pipes.
    child = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    body = f"""
    child = subprocess.Popen([sys.executable, "-S", "-E", "-c", {child!r}], start_new_session={session})
    note(child.pid)
    for number, text in asked():
        if text == "crash":
            os._exit(1)
        answer(number, "fire")
    """
    adapter = command(tmp_path, body)
    assert (await ask(adapter)).status is Status.OK
    assert len(noted(tmp_path)) == 2
    if end == "crash":
        start = time.monotonic()
        assert (await ask(adapter, "crash")).error == "exited with status 1 before its answer"
        assert time.monotonic() - start < 3
    await adapter.close()
    assert left(tmp_path) == []


async def test_script_helper_writes_runnable_guests(tmp_path: Path) -> None:
    # The kit itself: a process that runs is seen, one that has ended is not.
    process = await asyncio.create_subprocess_exec(
        *script(tmp_path, "sys.stdin.read()"), cwd=tmp_path, stdin=asyncio.subprocess.PIPE
    )
    assert alive(process.pid)
    await process.communicate(b"")
    assert not alive(process.pid)
