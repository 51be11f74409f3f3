"""The line loop in a real terminal: tmux draws it, keys go in, and what stands there is read back."""

from __future__ import annotations

import os
import shlex
import signal
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from command import COMMAND
from shell_parts import shipped_copy
from terminal import Terminal, needs_tmux

pytestmark = needs_tmux


class Shell(Terminal):
    """The line loop in a terminal."""

    def __init__(
        self, own: Path, folder: Path, *arguments: str, environment: str = "", output: str = "/dev/tty"
    ) -> None:
        command = f"{environment} {shlex.join([str(COMMAND), 'shell', *arguments])} >{output}"
        there = f"cd {shlex.quote(str(folder))}"
        super().__init__(own, f"{there}; {command}; echo left with $?; sleep 60", width=110)


Start = Callable[..., Shell]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    opened: list[Shell] = []

    def begin(folder: Path, *arguments: str, **more: str) -> Shell:
        opened.append(Shell(tmp_path, folder, *arguments, **more))
        return opened[-1]

    yield begin
    for terminal in opened:
        terminal.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "shipped"
    made.mkdir()
    return shipped_copy(made)


UNDERLINED = "\x1b[4m"


def test_a_walk(start: Start, folder: Path, hermetic: Path) -> None:
    terminal = start(folder, "--adapter", "keywords", "--adapter", "held")
    terminal.wait_for("Trust this workspace? [y/N]", "is not trusted yet")
    terminal.press("y", "Enter")
    terminal.wait_for("/help says what else there is", "adapters: keywords, held | envelopes: none")
    terminal.type("every morning check my calendar")
    terminal.wait_for("keywords: hold declines google-calendar::list-events")
    terminal.press("Enter")
    terminal.wait_for("held      hold, declined", "held for a plan: every morning")
    terminal.type("/env")
    terminal.wait_for("> /env")
    terminal.press("Tab")
    terminal.wait_for("> /envelope")
    terminal.type(" chan")
    terminal.wait_for("> /envelope chan")
    terminal.press("Tab")
    terminal.wait_for("> /envelope channel")
    terminal.press("Enter")
    terminal.wait_for("held | envelopes: channel")
    terminal.press("Up", "Up")
    terminal.wait_for("keywords: hold declines google-calendar::list-events")
    terminal.press("Enter")
    terminal.wait_for("✗ channel  pass", "none of yours", "drift, leak, miss")
    terminal.type("/quti")
    terminal.press("Enter")
    terminal.wait_for('did you mean "/quit"?')
    terminal.press("C-d")
    terminal.wait_for("left with 0")
    kept = hermetic / ".local/state/workbench/shell-history.jsonl"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert len(kept.read_text().splitlines()) == 4


def test_a_paste_is_drawn_and_kept_as_one(start: Start, folder: Path) -> None:
    terminal = start(folder, "--adapter", "keywords")
    terminal.wait_for("type a prompt")
    terminal.type("sum this: ")
    terminal.paste("One click.\nOAuth \x1b]0;PWN\x07\u202ehandled")
    terminal.type(" thanks")
    terminal.wait_for("handled thanks")
    text = terminal.wait_for("fire browser::open-session", "without the paste: ", styled=True)
    assert f"sum this: {UNDERLINED}" in text
    assert "\x1b]0;" not in text
    line = next(line for line in terminal.tmux("capture-pane", "-p").splitlines() if "OAuth" in line)
    assert line == ". OAuth ␛]0;PWN␇‹U+202E›handled thanks"
    terminal.press("Enter")
    text = terminal.wait_for("! paste: ", "keywords read what was pasted", styled=True)
    assert f"sum this: {UNDERLINED}" in text, "also when it has been sent"
    terminal.wait_for("without what was pasted · pass", "✗ paste", "in what was pasted")
    terminal.press("C-l")
    terminal.press("Up")
    terminal.wait_for("without the paste: pass")
    terminal.press("BSpace")
    terminal.wait_for("without the paste: pass", "handled thank\n")
    terminal.press("Left", "Left", "Left", "Left", "Left", "Left", "Left", "Left")
    terminal.press("M-t")
    end = time.monotonic() + 20
    while "without the paste" in terminal.tmux("capture-pane", "-p"):
        assert time.monotonic() < end, "it is taken as typed now"
        time.sleep(0.05)
    terminal.wait_for("keywords: fire browser::open-session")


def test_no_colour_still_tells_a_paste(start: Start, folder: Path) -> None:
    terminal = start(folder, "--adapter", "keywords", environment="NO_COLOR=1")
    terminal.wait_for("type a prompt")
    terminal.paste("click")
    terminal.type(" it")
    text = terminal.wait_for("without the paste", styled=True)
    assert "\x1b[4;7mclick" in text
    assert "\x1b[3" not in text.replace("\x1b[39m", "")


def test_lines_are_added_and_cleared(start: Start, folder: Path) -> None:
    terminal = start(folder, "--adapter", "keywords")
    terminal.wait_for("type a prompt")
    terminal.type("check my\\")
    terminal.press("Enter")
    terminal.type("calendar")
    terminal.press("M-Enter")
    terminal.type("today")
    terminal.wait_for("> check my\n. calendar\n. today", "keywords: fire")
    terminal.press("C-c")
    terminal.wait_for("type a prompt")
    terminal.type("click")
    terminal.press("Enter")
    terminal.wait_for('matched "click" 0–5')
    terminal.type("/quit")
    terminal.press("Enter")
    terminal.wait_for("left with 0")


SLOW = "import time\ndef route(text):\n    if 'wait' in text: time.sleep(60)\n    return 'one'\n"


def test_a_call_is_stopped_and_the_loop_goes_on(start: Start, tmp_path: Path) -> None:
    folder = tmp_path / "slow"
    folder.mkdir()
    (folder / "workbench.yaml").write_text(
        'adapters: {slow: {use: python, target: "app:route", timeout: 50}}\n'
    )
    (folder / "app.py").write_text(SLOW)
    terminal = start(folder, "--trust")
    terminal.wait_for("adapters: slow")
    for _ in range(2):
        terminal.type("wait")
        terminal.press("Enter")
        terminal.wait_for("waiting for an answer; Ctrl-C stops")
        terminal.press("C-c")
        text = terminal.wait_for("stopped: 0 of 1 cells have an answer", "adapters: slow")
        assert "waiting for an answer" not in text
        terminal.press("C-l")
        terminal.wait_for("type a prompt")
    terminal.type("go")
    terminal.press("Enter")
    terminal.wait_for("slow  fire one", "adapters: slow")
    terminal.press("C-d")
    terminal.wait_for("left with 0")


def test_trust_refused(start: Start, folder: Path) -> None:
    terminal = start(folder)
    terminal.wait_for("Trust this workspace? [y/N]")
    terminal.press("Enter")
    terminal.wait_for("is not trusted", "adapters: keywords, commands | envelopes: none")
    terminal.press("C-d")
    terminal.wait_for("left with 0")


def test_a_signal_to_end_gives_the_terminal_back(start: Start, folder: Path) -> None:
    terminal = start(folder, "--adapter", "keywords")
    terminal.wait_for("type a prompt")
    shell = int(terminal.tmux("display-message", "-p", "#{pane_pid}"))
    children = Path(f"/proc/{shell}/task/{shell}/children")
    if not children.exists():
        pytest.skip("no /proc here to find the process in")
    os.kill(int(children.read_text().split()[0]), signal.SIGTERM)
    text = terminal.wait_for("left with 130")
    assert "Traceback" not in text


def test_answers_go_to_a_file_while_the_prompt_is_drawn(start: Start, folder: Path) -> None:
    terminal = start(folder, "--adapter", "keywords", output="answers.txt")
    terminal.wait_for("type a prompt")
    terminal.type("click")
    terminal.wait_for("keywords: fire browser::open-session")
    terminal.press("Enter")
    terminal.wait_for("> click", "type a prompt")
    terminal.press("C-d")
    terminal.wait_for("left with 0")
    kept = (folder / "answers.txt").read_bytes()
    assert kept.decode() == 'keywords  fire browser::open-session · matched "click" 0–5\n'


def test_a_line_over_an_envelope_a_paste_and_a_file_of_it(start: Start, folder: Path) -> None:
    terminal = start(folder, "--adapter", "keywords")
    terminal.wait_for("type a prompt")
    terminal.type("check my calendar")
    terminal.press("Enter")
    terminal.wait_for("keywords  fire google-calendar::list-events")
    terminal.type("/envelope channel")
    terminal.press("Enter")
    terminal.wait_for("adapters: keywords | envelopes: channel")
    terminal.type("sum up: ")
    terminal.paste("click here\nsend an email")
    terminal.press("Enter")
    terminal.wait_for("! paste: ", "✗ paste", "in what was pasted")
    terminal.type("/save mine")
    terminal.press("Enter")
    terminal.wait_for("scenarios/mine.yaml")
    written = (folder / "scenarios" / "mine.yaml").read_text("utf-8")
    # What was pasted is a region of its own: a file beside the words that were typed.
    assert "sum up: " in written and "paste: " in written and "click here" not in written
    pasted = [path for path in folder.rglob("*") if path.is_file() and "mine" in path.name]
    assert any(path.read_text("utf-8") == "click here\nsend an email" for path in pasted)
    terminal.type("/quit")
    terminal.press("Enter")
    terminal.wait_for("left with 0")
