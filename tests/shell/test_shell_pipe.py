"""The real command in a pipe."""

from __future__ import annotations

import ast
import signal
import subprocess
import time
from pathlib import Path

import pytest
from command import COMMAND, Bench

import workbench.shell


def test_lines_are_answered_in_their_order(shipped: Bench) -> None:
    done = shipped("shell", "--adapter", "keywords", stdin=b"check my calendar\r\n\nhello\nclick")
    assert done.code == 0
    assert done.text.splitlines() == [
        "> check my calendar",
        'keywords  fire google-calendar::list-events · matched "my calendar" 6–17',
        "> hello",
        "keywords  pass · matched nothing",
        "> click",
        'keywords  fire browser::open-session · matched "click" 0–5',
    ]
    assert done.said == ""


def test_flags_and_commands(shipped: Bench) -> None:
    done = shipped(
        *("shell", "--adapter", "keywords", "--envelope", "channel", "--repeat", "2"),
        *("--attach", "scenarios/canary.txt"),
        stdin=b"/attach\n/adaptr x\n//hello\n/repeat 1\n/save mine\nclick\n/quit\nnever\n",
    )
    assert done.code == 0
    assert done.text.splitlines()[0] == "> /hello"
    assert "2 of 2 trials" in done.text
    assert "! channel" in done.text
    assert "never" not in done.text
    assert 'there is no command "/adaptr"\n  did you mean "/adapter"?' in done.said
    assert "made scenarios/mine.yaml" in done.said
    again = shipped("run", "mine", "--quiet", "--no-save")
    assert "/hello" in again.text
    assert b"\x1b" not in done.out + done.err


def test_a_line_that_goes_on(shipped: Bench) -> None:
    done = shipped("shell", "--adapter", "keywords", stdin=b"check my \\\ncalendar\nend \\")
    assert done.text.splitlines()[0] == "> check my ␊calendar"
    assert "fire google-calendar::list-events" in done.text
    assert "> end " in done.text


def test_the_same_answers_with_guests(shipped: Bench) -> None:
    done = shipped("shell", "--trust", "--envelope", "channel", stdin=b"every morning check my calendar\n")
    assert done.code == 0
    for name in ("keywords", "naive", "held", "carved", "fixed", "entry"):
        assert any(line.startswith(name) for line in done.text.splitlines())
    assert "drift" in done.text


@pytest.mark.parametrize(
    "arguments",
    [
        ("--adapter", "hled"),
        ("--envelope", "chanel"),
        ("--attach", "nowhere.txt"),
        ("--repeat", "0"),
        ("--repeat", "x"),
        ("--nonsense",),
        ("positional",),
    ],
)
def test_a_bad_command_line(shipped: Bench, arguments: tuple[str, ...]) -> None:
    done = shipped("shell", "--trust", *arguments, stdin=b"hello\n")
    assert done.code == 2
    assert done.out == b""
    assert "Traceback" not in done.said


def test_an_untrusted_workspace(shipped: Bench) -> None:
    done = shipped("shell", "--adapter", "held", stdin=b"hello\n")
    assert done.code == 2
    assert "not trusted" in done.said
    assert done.out == b""
    left = shipped("shell", stdin=b"hello\n")
    assert left.code == 0
    assert "not trusted" in left.said
    assert left.text == "> hello\nkeywords  pass · matched nothing\ncommands  pass · matched nothing\n"


def test_the_packaged_workspace(bench: Bench) -> None:
    done = bench("shell", "--adapter", "keywords", stdin=b"click\n/save mine\n")
    assert done.code == 0
    assert "fire browser::open-session" in done.text
    assert "no workspace here to save into" in done.said


def test_bytes_that_are_no_text(shipped: Bench) -> None:
    done = shipped("shell", "--adapter", "keywords", stdin=b"my calendar \xff\x00\x1b]0;PWN\x07\n")
    assert done.code == 0
    assert "fire" in done.text
    assert "␀␛]0;PWN␇" in done.text
    assert not {0x1B, 0x07, 0x00} & set(done.out)


def test_nothing_is_stored_and_nothing_is_left(shipped: Bench, hermetic: Path) -> None:
    before = sorted(path.name for path in shipped.folder.iterdir())
    shipped("shell", "--adapter", "keywords", stdin=b"click\n")
    assert sorted(path.name for path in shipped.folder.iterdir()) == before
    assert list(hermetic.iterdir()) == [], "the history is of what was typed at a terminal"


def test_a_reader_that_has_gone_is_no_error(shipped: Bench) -> None:
    process = subprocess.Popen(
        [COMMAND, "shell", "--adapter", "keywords"],
        cwd=shipped.folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin
    assert process.stdout
    process.stdout.close()
    _, said = process.communicate(b"click\n" * 5, timeout=60)
    assert said == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is full")
def test_a_full_disk_is_told_and_ends_it(shipped: Bench) -> None:
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        done = subprocess.run(
            [COMMAND, "shell", "--adapter", "keywords"],
            cwd=shipped.folder,
            input=b"click\n" * 3,
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=60,
        )
    assert done.returncode == 2
    assert done.stderr.decode().splitlines() == ["workbench: cannot write to stdout: No space left on device"]


SLOW = """
import time
def route(text):
    if "wait" in text: time.sleep(60)
    return "one"
"""


@pytest.fixture
def slow(bench: Bench) -> Bench:
    bench.write("workbench.yaml", 'adapters: {slow: {use: python, target: "app:route", timeout: 50}}\n')
    bench.write("app.py", SLOW)
    return bench


def started(bench: Bench) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [COMMAND, "shell", "--trust"],
        cwd=bench.folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_a_line_is_answered_before_the_next_one_comes(slow: Bench) -> None:
    process = started(slow)
    assert process.stdin
    assert process.stdout
    for text in (b"a", b"b"):
        process.stdin.write(text + b"\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"> " + text + b"\n"
        assert process.stdout.readline().startswith(b"slow  fire one")
    process.stdin.close()
    assert process.wait(30) == 0
    process.stdout.close()
    assert process.stderr
    process.stderr.close()


@pytest.mark.parametrize("line", [b"please wait\n", b""])
def test_an_interrupt_ends_it_also_while_nothing_comes(slow: Bench, line: bytes) -> None:
    process = started(slow)
    assert process.stdin
    assert process.stdout
    process.stdin.write(b"hello\n" + line)
    process.stdin.flush()
    assert process.stdout.readline() == b"> hello\n"
    process.stdout.readline()
    if line:
        assert process.stdout.readline() == b"> please wait\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, said = process.communicate(timeout=20)
    assert process.returncode == 130
    assert (b"stopped: 0 of 1 cells have an answer" in out) is bool(line)
    assert b"Traceback" not in said


def test_only_the_loop_knows_the_prompts_library() -> None:
    folder = Path(workbench.shell.__file__).parent
    knowing = {
        path.name
        for path in folder.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
        if name.startswith("prompt_toolkit")
    }
    assert knowing == {"loop.py"}
