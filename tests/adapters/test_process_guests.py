"""What a guest may do wrong: each time a trial with a status, and the run goes on."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from process_kit import alive, ask, ask_all, command, left, noted

from workbench.adapters.process.lines import Lines
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


async def test_megabytes_are_read_whole(tmp_path: Path) -> None:
    adapter = command(
        tmp_path,
        """
        for number, text in asked():
            answer(number, {"outcome": "pass", "scanned": "x" * 10_000_000})
        """,
    )
    (answer,) = await ask_all(adapter)
    assert answer.decision is not None
    assert answer.decision.window is not None
    assert len(answer.decision.window.text) == 10_000_000


async def test_an_answer_among_a_flood_of_lines_is_found(tmp_path: Path) -> None:
    body = """
    for number, text in asked():
        line = json.dumps({"id": number, "decision": "hold"})
        flood = "y\\n" * 300_000
        say(flood, end="")
        say(line[:9], end="")
        time.sleep(0.2)
        say(line[9:] + "\\n" + flood, end="")
    """
    first, second = await ask_all(command(tmp_path, body), "one", "two")
    for answer in (first, second):
        assert answer.decision is not None
        assert answer.decision.outcome is Outcome.HOLD
        assert answer.log.endswith("y\ny\n")


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


async def test_an_answer_that_says_nothing_is_malformed_at_once(tmp_path: Path) -> None:
    body = """
    for number, text in asked():
        say(json.dumps({"id": number + 100_000_000, "level": "info"}))
        say(json.dumps({"id": number, "outcome": "fire"}))
    """
    (answer,) = await ask_all(command(tmp_path, body))
    assert answer.status is Status.MALFORMED
    assert answer.error == 'the answer has neither "decision" nor "error"; it has id, outcome'
    assert answer.raw is not None
    assert '"outcome": "fire"' in answer.raw
    assert "level" in answer.log
