"""Ways onto a clipboard: the terminal's own, a program of this system, and a file for where neither works."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from workbench.core.text import SafeText, join, safe, visible
from workbench.store.schema import make_folder

__all__ = ["EXPORTS", "hand_over", "keep", "readable", "told", "tool"]

EXPORTS = "exports"
"""The folder in `.workbench/` that takes what is copied and exported."""

PATIENCE = 2.0
"""Seconds that a clipboard's program may take."""

OSC_LIMIT = 74_994
"""Bytes that terminals are known to take through OSC 52; some drop more than that without a word."""

_TOOLS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("WAYLAND_DISPLAY", "wl-copy", ()),
    ("DISPLAY", "xclip", ("-selection", "clipboard")),
    ("DISPLAY", "xsel", ("--clipboard", "--input")),
    ("TMUX", "tmux", ("load-buffer", "-w", "-")),
)


def tool(environment: Mapping[str, str] | None = None) -> tuple[str, ...] | None:
    """The command line that takes a clipboard's text on its standard input; None where there is none."""
    known = os.environ if environment is None else environment
    candidates: list[tuple[str, tuple[str, ...]]] = [("pbcopy", ())] if sys.platform == "darwin" else []
    candidates += [(name, more) for variable, name, more in _TOOLS if known.get(variable)]
    for name, more in candidates:
        found = shutil.which(name, path=known.get("PATH"))
        if found is not None:
            return (found, *more)
    return None


def hand_over(text: str, argv: Sequence[str]) -> bool:
    """Give a text to a clipboard's program; whether it took it. Waits a short while."""
    try:
        # Such programs stay behind to serve what they hold, so that none of their output is waited for.
        done = subprocess.run(
            list(argv),
            input=text.encode("utf-8", "backslashreplace"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def keep(root: Path, name: str, text: str) -> Path:
    """Write a text to a file in `.workbench/exports/` of a folder. Raises OSError or WorkbenchError."""
    folder = make_folder(root) / EXPORTS
    if folder.is_symlink():
        raise OSError(f"{folder} is a link: nothing is written through it")
    folder.mkdir(exist_ok=True)
    file = folder / name
    beside = folder / f".{name}.{os.getpid()}"
    beside.write_text(text, "utf-8", errors="backslashreplace", newline="\n")
    beside.replace(file)
    return file


def readable(text: str) -> str:
    """A text that UTF-8 can hold: a lone surrogate becomes the escape that spells it."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def told(what: str, size: int, tool_name: str | None, file: Path | None, root: Path) -> SafeText:
    """What was copied, and by which ways."""
    ways = [safe("the terminal (OSC 52)")]
    if size > OSC_LIMIT:
        ways[0] = safe(f"the terminal (OSC 52, if it takes {size:,} bytes)")
    if tool_name is not None:
        ways.append(visible(Path(tool_name).name))
    if file is not None:
        ways.append(visible(str(file.relative_to(root)) if file.is_relative_to(root) else str(file)))
    listed = join(ways[:-1], ", ") + safe(" and ") + ways[-1] if len(ways) > 1 else ways[0]
    return join((safe(f"copied {what} to "), listed))
