"""What a guest may do wrong: each time a trial with a status, and the run goes on."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from process_kit import alive, ask, ask_all, command, left, noted, script

from workbench.adapters.command import CommandAdapter
from workbench.adapters.process.lines import Lines
from workbench.adapters.protocol import Place
from workbench.core.decision import Outcome
from workbench.core.trial import Status

GOOD = """
for number, text in asked():
    answer(number, {"outcome": "pass", "note": text})
"""


async def test_a_good_guest_is_started_once_and_answers_in_turn(tmp_path: Path) -> None:
    answers = await ask_all(command(tmp_path, GOOD), "one", "two\n\x00\ud800", "三")
    notes = [answer.decision.note for answer in answers if answer.decision]
    assert notes == ["one", "two\n\x00\ud800", "三"]
    assert len(noted(tmp_path)) == 1
    assert left(tmp_path) == []


async def test_a_hang_ends_at_the_time_limit_and_the_next_trial_gets_a_new_guest(tmp_path: Path) -> None:
    adapter = command(
        tmp_path,
        """
        print("thinking", file=sys.stderr, flush=True)
        for number, text in asked():
            if text == "hang":
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                time.sleep(600)
            answer(number, "fire")
        """,
        timeout=1.5,
    )
    start = time.monotonic()
    hung = await ask(adapter, "hang")
    assert time.monotonic() - start < 4
    assert hung.status is Status.TIMEOUT
    assert hung.error == "no answer within 1.5 s"
    assert hung.log == "thinking\n"
    assert (await ask(adapter, "fine")).status is Status.OK
    assert not alive(noted(tmp_path)[0])
    await adapter.close()
    assert left(tmp_path) == []


@pytest.mark.parametrize(
    ("crash", "error"),
    [
        ("sys.exit(3)", "exited with status 3 before its answer"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "was killed by signal 11 (SIGSEGV) before its answer"),
        ("os.abort()", "was killed by signal 6 (SIGABRT) before its answer"),
        (
            "sys.exit(0)",
            "exited with status 0 before its answer; "
            "a guest that answers once per start needs `restart: trial`",
        ),
    ],
)
async def test_a_crash_is_an_error_and_the_run_goes_on(tmp_path: Path, crash: str, error: str) -> None:
    body = f"""
    for number, text in asked():
        if text == "crash":
            print("last words", file=sys.stderr, flush=True)
            {crash}
        answer(number, "fire")
    """
    answers = await ask_all(command(tmp_path, body), "fine", "crash", "fine")
    assert [answer.status for answer in answers] == [Status.OK, Status.ERROR, Status.OK]
    assert answers[1].error == error
    assert answers[1].log == "last words\n"
    assert left(tmp_path) == []


async def test_noise_is_log_and_never_read(tmp_path: Path) -> None:
    (answer,) = await ask_all(
        command(
            tmp_path,
            r"""
            for number, text in asked():
                say("loading [/bold] \x1b]0;title\x07")
                say('{"level": "info", "decision": "fire"}')
                os.write(1, b"\xff\xfe not text\n")
                print("to stderr", file=sys.stderr, flush=True)
                answer(number, "hold")
            """,
        )
    )
    assert answer.decision is not None
    assert answer.decision.outcome is Outcome.HOLD
    assert "loading [/bold] \x1b]0;title\x07\n" in answer.log
    assert '{"level": "info", "decision": "fire"}\n' in answer.log
    assert "\\xff\\xfe not text\n" in answer.log
    assert "to stderr\n" in answer.log


async def test_a_log_is_the_trials_own_and_bounded(tmp_path: Path) -> None:
    answers = await ask_all(
        command(
            tmp_path,
            """
            for number, text in asked():
                for _ in range(40):
                    print(text * 10_000, file=sys.stderr, flush=True)
                print(f"end of {text}", file=sys.stderr, flush=True)
                answer(number, "pass")
            """,
        ),
        "a",
        "b",
    )
    for answer, text in zip(answers, "ab", strict=True):
        assert answer.log.endswith(f"end of {text}\n")
        assert len(answer.log) <= 64 * 1024
        assert "ba"[text == "b"] not in answer.log.replace("beginning is left", "").replace(
            f"end of {text}", ""
        )


async def test_megabytes_are_read_whole_and_fast(tmp_path: Path) -> None:
    adapter = command(
        tmp_path,
        """
        for number, text in asked():
            answer(number, {"outcome": "pass", "scanned": "x" * 10_000_000})
        """,
    )
    await adapter.open()
    start = time.monotonic()
    (answer,) = await ask_all(adapter)
    assert time.monotonic() - start < 5
    assert answer.decision is not None
    assert answer.decision.window is not None
    assert len(answer.decision.window.text) == 10_000_000


async def test_a_line_without_end_is_given_up_at_the_cap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Lines.__init__, "__defaults__", (1_000_000,))
    adapter = command(
        tmp_path,
        """
        for number, text in asked():
            while text == "endless":
                sys.stdout.write("x" * 65536)
            answer(number, "pass")
        """,
    )
    endless, fine = await ask_all(adapter, "endless", "fine")
    assert endless.status is Status.MALFORMED
    assert endless.error == "one line grew past 256 MB without an end"
    assert endless.raw is not None
    assert endless.raw.startswith("xxxx")
    assert len(endless.raw) < 70_000
    assert fine.status is Status.OK
    assert left(tmp_path) == []


async def test_of_two_answers_the_first_counts_and_it_is_said(tmp_path: Path) -> None:
    first, second = await ask_all(
        command(
            tmp_path,
            """
            for number, text in asked():
                say(json.dumps({"id": number, "decision": "hold"}) + "\\n"
                    + json.dumps({"id": number, "decision": "fire"}))
            """,
        ),
        "one",
        "two",
    )
    for answer in (first, second):
        assert answer.decision is not None
        assert answer.decision.outcome is Outcome.HOLD
        assert answer.decision.flags == ("answered twice; the first answer counts",)
        assert "is ignored" in answer.log


async def test_a_late_second_answer_is_not_the_next_trials(tmp_path: Path) -> None:
    adapter = command(
        tmp_path,
        """
        before = None
        for number, text in asked():
            if before is not None:
                answer(before, "fire")
            answer(number, "hold")
            before = number
        """,
    )
    first, second = await ask_all(adapter, "one", "two")
    assert first.decision is not None
    assert second.decision is not None
    assert (first.decision.outcome, second.decision.outcome) == (Outcome.HOLD, Outcome.HOLD)
    assert "[workbench: a second answer to question" in second.log


async def test_an_answer_to_what_was_not_asked_is_malformed_at_once(tmp_path: Path) -> None:
    adapter = command(
        tmp_path,
        """
        for number, text in asked():
            answer({"plus": number + 1, "text": str(number), "true": True}.get(text, number), "fire")
        """,
    )
    start = time.monotonic()
    answers = await ask_all(adapter, "plus", "text", "true", "right")
    assert time.monotonic() - start < 10
    assert [answer.status for answer in answers] == [Status.MALFORMED] * 3 + [Status.OK]
    assert answers[0].error is not None
    assert "which was never asked; the question was id" in answers[0].error
    assert answers[0].raw is not None
    assert '"decision": "fire"' in answers[0].raw


async def test_an_answer_before_the_question_is_not_taken(tmp_path: Path) -> None:
    adapter = command(
        tmp_path,
        """
        for number in range(5):
            answer(number, "fire")
        for number, text in asked():
            answer(number + 1, "fire")
            answer(number, "hold")
        """,
    )
    answers = await ask_all(adapter, "one", "two")
    for answer in answers:
        assert answer.status is Status.MALFORMED
        assert answer.decision is None


async def test_death_in_the_middle_of_a_line_keeps_the_half(tmp_path: Path) -> None:
    body = """
    for number, text in asked():
        say('{"id": %d, "decision": {"outcome": "fi' % number, end="")
        os._exit(4)
    """
    (answer,) = await ask_all(command(tmp_path, body))
    assert answer.status is Status.ERROR
    assert answer.error == "exited with status 4 in the middle of its answer"
    assert answer.raw is not None
    assert answer.raw.endswith('"decision": {"outcome": "fi')


async def test_a_whole_answer_without_a_line_feed_counts_when_its_writer_ends(tmp_path: Path) -> None:
    body = """
    for number, text in asked():
        say(json.dumps({"id": number, "decision": "fire"}), end="")
        break
    """
    (answer,) = await ask_all(command(tmp_path, body))
    assert answer.status is Status.OK


async def test_a_half_line_that_is_never_ended_is_said_at_the_time_limit(tmp_path: Path) -> None:
    body = """
    for number, text in asked():
        say(json.dumps({"id": number, "decision": "fire"}), end="")
    """
    (answer,) = await ask_all(command(tmp_path, body, timeout=0.6))
    assert answer.status is Status.TIMEOUT
    assert answer.error == "no answer within 0.6 s; it began a line and did not end it"
    assert answer.raw is not None
    assert answer.raw.endswith('"decision": "fire"}')


@pytest.mark.parametrize(
    ("answer_line", "status", "error"),
    [
        ('{"id": %d, "error": "no table"}', Status.ERROR, "no table"),
        ('{"id": %d, "error": {"code": 4}}', Status.ERROR, '{"code": 4}'),
        ('{"id": %d, "decision": "fire", "error": "both"}', Status.ERROR, "both"),
        ('{"id": %d, "error": null}', Status.MALFORMED, "neither a decision nor an error"),
        ('{"id": %d, "decision": "fire", "error": null}', Status.OK, None),
        ('{"id": %d, "decision": 7}', Status.MALFORMED, "a number is no decision"),
        ('{"id": %d, "decision": "\\xff"}', Status.MALFORMED, "is not UTF-8"),
        ('{"id": %d, "decision": fire}', Status.MALFORMED, "the answer is not JSON"),
        # Only our own worker may say that a tap was not reached, or what it captured.
        ('{"id": %d, "error": "x", "status": "not-reached"}', Status.ERROR, "x"),
        ('{"id": %d, "decision": "pass", "windows": [{"text": "y", "tap": "z"}]}', Status.OK, None),
    ],
)
async def test_an_answer_ends_as_it_says(
    tmp_path: Path, answer_line: str, status: Status, error: str | None
) -> None:
    body = f"""
    for number, text in asked():
        os.write(1, ('{answer_line}' % number).encode("latin-1") + b"\\n")
    """
    (answer,) = await ask_all(command(tmp_path, body))
    assert answer.status is status
    assert (answer.error is None) if error is None else (error in (answer.error or ""))
    if answer.decision is not None:
        assert answer.decision.windows is None


async def test_lone_surrogates_and_odd_numbers_are_kept(tmp_path: Path) -> None:
    body = """
    for number, text in asked():
        say('{"id": %d, "decision": {"tool": "t", "arguments": {"a": "\\\\ud83c", "b": NaN}}}' % number)
    """
    (answer,) = await ask_all(command(tmp_path, body))
    assert answer.decision is not None
    arguments = answer.decision.calls[0].arguments
    assert isinstance(arguments, dict)
    assert arguments["a"] == "\ud83c"
    assert arguments["b"] != arguments["b"]


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
