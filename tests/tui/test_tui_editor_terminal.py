"""The user's own editor in a real terminal: it gets the file at the line, and what it wrote is shown."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tui_written import written

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")

EDITOR = """#!/bin/sh
printf '%s\\n' "editing $*"
read answer
[ "$answer" = write ] && sed -i.bak 's/expect: hold #/expect: pass #/' scenarios/day.yaml
exit 0
"""


class Terminal:
    """The installed command on a workspace, in a window of a tmux server of its own."""

    def __init__(self, folder: Path) -> None:
        self._socket = str(folder / "tmux.sock")
        self.root = folder / "gateway"
        self.root.mkdir()
        written(self.root)
        bin_folder = folder / "bin"
        bin_folder.mkdir()
        (bin_folder / "nano").write_text(EDITOR)
        (bin_folder / "nano").chmod(0o755)
        path = f"{bin_folder}:/usr/bin:/bin"
        command = (
            f"unset COLUMNS LINES VISUAL; cd {shlex.quote(str(self.root))};"
            f" PATH={shlex.quote(path)} EDITOR='nano --flag' {shlex.quote(sys.executable)} -m workbench;"
            " echo left; sleep 60"
        )
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "40", command)

    def tmux(self, *arguments: str) -> str:
        command = ["tmux", "-S", self._socket, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=20).stdout

    def press(self, *keys: str) -> None:
        self.tmux("send-keys", *keys)

    def press_until_seen(self, key: str) -> None:
        """Press a key that changes at least a colour, again where a loaded machine lost it in a paste."""
        before = self.tmux("capture-pane", "-p", "-e")
        for _ in range(5):
            self.press(key)
            end = time.monotonic() + 3
            while time.monotonic() < end:
                if self.tmux("capture-pane", "-p", "-e") != before:
                    time.sleep(0.2)
                    return
                time.sleep(0.05)
        raise AssertionError(f"{key} changes nothing in\n{before}")

    def wait_for(self, *words: str) -> str:
        """The screen once it has all of `words`."""
        end = time.monotonic() + 30
        text = ""
        while time.monotonic() < end:
            text = self.tmux("capture-pane", "-p")
            if all(word in text for word in words):
                return text
            time.sleep(0.05)
        raise AssertionError(f"{words} not found in\n{text}")


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    opened = Terminal(tmp_path)
    yield opened
    opened.tmux("kill-server")


def test_the_editor_has_the_terminal_and_what_it_wrote_is_shown(terminal: Terminal) -> None:
    terminal.wait_for("day", "today", "q quit")
    terminal.press("e")
    file = terminal.root / "scenarios" / "day.yaml"
    text = terminal.wait_for("editing --flag +8,5", str(file)[-30:])
    assert "Scenarios" not in text
    terminal.press("C-c")  # is the editor's, and must not end the screen
    terminal.wait_for("Scenarios", "nano was stopped by signal 2; nothing was changed")
    terminal.press("e")
    terminal.wait_for("editing --flag")
    terminal.press("Enter")
    terminal.wait_for("Scenarios", "day.yaml was not changed")
    terminal.press("e")
    terminal.wait_for("editing --flag")
    terminal.press("write", "Enter")
    terminal.wait_for("Scenarios", "scenarios/day.yaml written. day: 1 prompt changed")
    assert "expect: pass # wrong" in file.read_text()
    terminal.press("q")
    terminal.wait_for("left")


def test_a_turn_is_pasted_from_the_terminal(terminal: Terminal) -> None:
    terminal.wait_for("day", "today", "q quit")
    time.sleep(0.2)
    terminal.press("v")
    terminal.wait_for("paste it here")
    terminal.tmux("set-buffer", "<in>\nwhat's on my calendar today\n</in> [b]")
    terminal.tmux("paste-buffer", "-p")
    terminal.wait_for("<in>", "{text}", "give it a name")
    terminal.press_until_seen("Tab")
    terminal.press_until_seen("Tab")
    terminal.press("-l", "log")
    terminal.wait_for("next field")
    terminal.press("C-s")
    terminal.wait_for("envelopes/log.yaml written")
    assert "  <in>\n  {text}\n  </in> [b]\n" in (terminal.root / "envelopes" / "log.yaml").read_text()
