"""A screen that is asked to end by a signal gives the terminal back as it was."""

from __future__ import annotations

import os
import shlex
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from terminal import Terminal, needs_tmux

from workbench.tui.ending import ending_in_order

START = """
import os, sys
sys.path.insert(0, {folder!r})
from tui_made import BROKEN, workspace
from workbench.tui.launch import launch
made = workspace()
open({process!r}, "w").write(str(os.getpid()))
print("before the screen")
code = launch(made.session(made.run("envelope-replay"), BROKEN))
print("left with", code)
"""


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    script = tmp_path / "start.py"
    script.write_text(START.format(folder=str(Path(__file__).parent), process=str(tmp_path / "process")))
    opened = Terminal(
        tmp_path, f"{shlex.quote(sys.executable)} {shlex.quote(str(script))}; stty -a; sleep 60"
    )
    yield opened
    opened.close()


@needs_tmux
def test_a_polite_kill_gives_the_terminal_back(terminal: Terminal, tmp_path: Path) -> None:
    terminal.wait_for("envelope-replay", "FIRE list-events", "q quit")
    os.kill(int((tmp_path / "process").read_text()), signal.SIGTERM)
    text = terminal.wait_for("left with 143", "before the screen", " icanon", " echo ")
    assert "Scenarios" not in text
    assert terminal.tmux("display-message", "-p", "#{alternate_on} #{mouse_any_flag}") == "0 0\n"


def test_without_a_screen_it_ends_at_once_and_once_only() -> None:
    before = signal.getsignal(signal.SIGTERM)
    try:
        with pytest.raises(SystemExit) as left, ending_in_order():
            signal.raise_signal(signal.SIGTERM)
        assert left.value.code == 143
        signal.raise_signal(signal.SIGTERM)  # passed over: what is being put away is put away
    finally:
        signal.signal(signal.SIGTERM, before)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


def test_the_handlers_from_before_stand_again() -> None:
    before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGHUP)
    with ending_in_order():
        assert signal.getsignal(signal.SIGTERM) is not before[0]
    assert (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGHUP)) == before
