"""The user's own editor in a real terminal: it gets the file at the line, and what it wrote is shown."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from terminal import Terminal, needs_tmux
from tui_written import written

pytestmark = needs_tmux

EDITOR = """#!/bin/sh
printf '%s\\n' "editing $*"
read answer
[ "$answer" = write ] && sed -i.bak 's/expect: hold #/expect: pass #/' scenarios/day.yaml
exit 0
"""


class OnWorkspace(Terminal):
    """The installed command on a workspace, and an editor that waits to be told."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "gateway"
        self.root.mkdir()
        written(self.root)
        bin_folder = folder / "bin"
        bin_folder.mkdir()
        (bin_folder / "nano").write_text(EDITOR)
        (bin_folder / "nano").chmod(0o755)
        path = f"{bin_folder}:/usr/bin:/bin"
        super().__init__(
            folder,
            f"unset VISUAL; cd {shlex.quote(str(self.root))};"
            f" PATH={shlex.quote(path)} EDITOR='nano --flag' {shlex.quote(sys.executable)} -m workbench;"
            " echo left; sleep 60",
        )


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[OnWorkspace]:
    opened = OnWorkspace(tmp_path)
    yield opened
    opened.close()


def test_the_editor_has_the_terminal_and_what_it_wrote_is_shown(terminal: OnWorkspace) -> None:
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


def test_a_turn_is_pasted_from_the_terminal(terminal: OnWorkspace) -> None:
    terminal.wait_for("day", "today", "q quit")
    time.sleep(0.2)
    terminal.press("v")
    terminal.wait_for("paste it here")
    terminal.paste("<in>\nwhat's on my calendar today\n</in> [b]")
    terminal.wait_for("<in>", "{text}", "give it a name")
    terminal.press_until_seen("Tab")
    terminal.press_until_seen("Tab")
    terminal.press("-l", "log")
    terminal.wait_for("next field")
    terminal.press("C-s")
    terminal.wait_for("envelopes/log.yaml written")
    assert "  <in>\n  {text}\n  </in> [b]\n" in (terminal.root / "envelopes" / "log.yaml").read_text()
