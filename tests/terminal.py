"""A real terminal: tmux draws a command, keys go in, and what stands there is read back."""

from __future__ import annotations

import shutil
import subprocess
import time
from pathlib import Path

import pytest

PATIENCE = 30.0
needs_tmux = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


class Terminal:
    """A tmux server of its own with one window, which a shell command of ours has."""

    def __init__(self, folder: Path, command: str, width: int = 120, height: int = 40) -> None:
        self._socket = str(folder / "tmux.sock")
        # A shell that exports its size would have it believed over the terminal's own.
        size = ("-x", str(width), "-y", str(height))
        self.tmux("-f", "/dev/null", "new-session", "-d", *size, f"unset COLUMNS LINES; {command}")

    def tmux(self, *arguments: str) -> str:
        command = ["tmux", "-S", self._socket, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=20).stdout

    def close(self) -> None:
        """Close the window with whatever goes on in it; it may be closed already."""
        subprocess.run(["tmux", "-S", self._socket, "kill-server"], capture_output=True, timeout=20)

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

    def type(self, text: str) -> None:
        self.tmux("send-keys", "-l", text)

    def paste(self, text: str) -> None:
        """Between the marks of a bracketed paste, where the command asked for them."""
        self.tmux("set-buffer", "-b", "paste", text)
        self.tmux("paste-buffer", "-p", "-b", "paste")

    def wait_for(self, *words: str, styled: bool = False) -> str:
        """The screen once it has all of `words`; with its escapes where `styled`."""
        end = time.monotonic() + PATIENCE
        text = ""
        while time.monotonic() < end:
            text = self.tmux("capture-pane", "-p", *(["-e"] if styled else []))
            if all(word in text for word in words):
                return text
            time.sleep(0.05)
        raise AssertionError(f"{words} not found in\n{text}")
