"""The screen in a real terminal: tmux draws it, keys go in, and what stands there is read back."""

from __future__ import annotations

import re
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from command import COMMAND, Bench
from terminal import Terminal, needs_tmux

pytestmark = needs_tmux

START = """
import sys
sys.path.insert(0, {folder!r})
from tui_made import BROKEN, workspace
from workbench.tui.launch import launch
made = workspace()
code = launch(made.session(made.run("envelope-replay"), BROKEN))
print("left with", code)
"""


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    """The screen on stored runs that a script makes."""
    script = tmp_path / "start.py"
    script.write_text(START.format(folder=str(Path(__file__).parent)))
    opened = Terminal(tmp_path, f"{shlex.quote(sys.executable)} {shlex.quote(str(script))}; sleep 60")
    yield opened
    opened.close()


def test_a_walk_through_the_screen(terminal: Terminal) -> None:
    terminal.wait_for("envelope-replay", "FIRE list-events", "FIRED ON WORKFLOW", "q quit")
    terminal.press("}", "}")
    terminal.wait_for("ENVELOPE DRIFT hold → pass", "difference 1 of 5")
    terminal.press("]")
    terminal.wait_for("difference 2 of 5")
    terminal.press("r")
    terminal.wait_for("ran 4 trials")
    terminal.press("?")
    terminal.wait_for("Go to the next difference")
    terminal.press("Escape")
    terminal.wait_for("bare ↔ channel · held")
    terminal.press("Tab", "j", "Right")
    terminal.wait_for("bare ↔ reply · fixed")
    terminal.tmux("resize-window", "-x", "50", "-y", "20")
    terminal.wait_for("too small")
    terminal.tmux("resize-window", "-x", "100", "-y", "30")
    terminal.wait_for("bare ↔ reply · fixed")
    terminal.press("q")
    text = terminal.wait_for("left with 0")
    assert "Scenarios" not in text


def test_control_q_leaves_too(terminal: Terminal) -> None:
    terminal.wait_for("q quit")
    terminal.press("C-q")
    terminal.wait_for("left with 0")


@pytest.fixture
def shipped_terminal(shipped: Bench, tmp_path: Path) -> Iterator[Terminal]:
    """The installed command in a copy of what ships, one run of it stored."""
    assert shipped("run", "envelope-replay", "--trust", "--quiet", "-o", "report.txt").code == 1
    command = f"cd {shlex.quote(str(shipped.folder))}; {shlex.quote(str(COMMAND))}"
    opened = Terminal(tmp_path, f"{command}; echo left with $?; read; {command}")
    yield opened
    opened.close()


def test_the_installed_command_from_run_to_finding_to_difference_to_quit(shipped_terminal: Terminal) -> None:
    terminal = shipped_terminal
    terminal.wait_for("✗ envelope-replay", "FIRE lis", "not trusted", "q quit")
    terminal.press("T")
    terminal.wait_for("workbench.demo.router:naive", "trust this workspace")
    terminal.press("y")
    terminal.wait_for("trusted: r runs this cell")
    terminal.press("R")
    terminal.wait_for("✓ ran ", " trials in ")
    terminal.press("}")
    terminal.wait_for("difference 1 of")
    terminal.press("]")
    terminal.wait_for("difference 2 of")
    terminal.press("/")
    terminal.wait_for("search", "esc clear")
    terminal.press("-l", "calendar today[")
    terminal.wait_for("0 prompts")
    terminal.press("BSpace")
    terminal.wait_for("1 prompt ")
    terminal.press("Enter")
    terminal.wait_for("R run all")
    terminal.press("q")
    terminal.wait_for("left with 0")
    # The place is kept: the command opens where it was left.
    terminal.press("-l", "again")
    terminal.press("Enter")
    terminal.wait_for("envelope-replay › what's on my calendar today", "FIRE lis")


@pytest.fixture
def fresh_terminal(shipped: Bench, tmp_path: Path) -> Iterator[Terminal]:
    """The installed command in a copy of what ships, in which nothing was ever run."""
    command = f"cd {shlex.quote(str(shipped.folder))}; {shlex.quote(str(COMMAND))}"
    opened = Terminal(tmp_path, f"{command}; echo left with $?; read; {command}")
    yield opened
    opened.close()


def test_the_installed_command_from_run_to_freeze_to_quit(fresh_terminal: Terminal, shipped: Bench) -> None:
    file = shipped.folder / "scenarios" / "canary.yaml"
    before = file.read_text("utf-8")
    assert "#" in before and before.count("expect: no calls") > 1
    terminal = fresh_terminal
    terminal.wait_for("· canary", "not trusted", "Not run yet: r runs this cell", "q quit")
    terminal.press("g")
    terminal.wait_for("Nothing has been run yet: R runs the whole scenario")
    terminal.press("T")
    terminal.wait_for("trust this workspace")
    terminal.press("y")
    terminal.wait_for("trusted: r runs this cell")
    terminal.press("R")
    terminal.wait_for("✓ ran ", "✗ canary", "ATTACHMENT DRIFT")
    terminal.press("}")
    terminal.wait_for("bare ↔ attached · naive", "difference 1 of", "FIRE browser::open-session")
    terminal.press("]")
    terminal.wait_for("difference 2 of")
    terminal.press("f")
    terminal.wait_for("the arms differ: which answer is right?", "pass  as bare", "esc back")
    terminal.press("Escape")
    terminal.wait_for("difference 2 of", "gmail::message_send")
    assert file.read_text("utf-8") == before, "nothing is written before it is confirmed"
    terminal.press("f")
    terminal.wait_for("the arms differ: which answer is right?")
    terminal.press("1")
    terminal.wait_for("scenarios/canary.yaml: question expects pass", "decision expected pass")
    after = file.read_text("utf-8")
    assert after == before.replace("expect: no calls", "expect: pass", 1)
    terminal.press("q")
    terminal.wait_for("left with 0")


def test_the_theme_without_colour_sends_none(fresh_terminal: Terminal) -> None:
    terminal = fresh_terminal
    terminal.wait_for("· canary", "q quit")
    coloured = re.compile(r"\x1b\[(?:[\d;]*;)?(?:3[0-7]|4[0-7]|9[0-7]|10[0-7]|38|48)[;m]")
    assert coloured.search(terminal.tmux("capture-pane", "-p", "-e"))
    for _ in range(4):
        terminal.press("t")
    end = time.monotonic() + 20
    while coloured.search(text := terminal.tmux("capture-pane", "-p", "-e")):
        assert time.monotonic() < end, text
        time.sleep(0.05)
    assert "╔" in text and "\x1b[7m" in text
    terminal.press("t")
    terminal.wait_for("╭─ Scenarios")
    terminal.press("q")
    terminal.wait_for("left with 0")
