"""What can be taken along from a cell: its report, the command that shows it again, a case of its own."""

from __future__ import annotations

import re
import shlex
from enum import StrEnum
from typing import NamedTuple

from workbench.core.cell import Cell, CellKey
from workbench.core.text import is_invisible
from workbench.tui.keymap import key_of
from workbench.tui.state import SessionState

__all__ = ["Parcel", "Taken", "pack", "shell_line", "slug", "why_not_take"]

LONGEST = 80


class Taken(StrEnum):
    """What is taken along; in words for the toast."""

    REPORT = "the report of this cell"
    COMMAND = "the command that shows this cell again"
    CASE = "this cell as a case of its own"


class Parcel(NamedTuple):
    """A text to take along, and the name of the file that it is kept in too."""

    text: str
    file: str


def why_not_take(state: SessionState, what: Taken) -> str | None:
    """Why there is nothing to take along here, in our own words."""
    if _cell(state) is None:
        return f"there is no answer here to take along; {key_of(state, 'run-cell')} runs this cell"
    if state.session.outbox is None and what is not Taken.COMMAND:
        return "that cannot be made here"
    return None


def _cell(state: SessionState) -> Cell | None:
    key = state.place.key
    cell = state.board.cells.get(key) if key is not None else None
    return cell if cell is not None and cell.trials else None


def pack(state: SessionState, what: Taken) -> Parcel | None:
    """The text; None where there is none. May read files. Raises WorkbenchError."""
    cell, outbox = _cell(state), state.session.outbox
    if cell is None:
        return None
    if what is Taken.COMMAND:
        from workbench.compare.evidence import command

        return Parcel(shell_line(shlex.split(command(cell))) + "\n", "copied.txt")
    if outbox is None:
        return None
    if what is Taken.REPORT:
        bare = state.board.bare(cell.key)
        return Parcel(outbox.report(bare, cell, state.verdicts.of_cell(cell.key)), "copied.txt")
    prompt = state.prompt(cell.key.scenario, cell.key.prompt)
    return Parcel(outbox.case(cell, prompt), f"{slug(cell.key)}.yaml")


def slug(key: CellKey) -> str:
    """A file name for a cell: ASCII letters, digits and hyphens, at most 80 of them."""
    parts = (re.sub(r"[^A-Za-z0-9]+", "-", part).strip("-") for part in (key.scenario, key.prompt, key.arm))
    adapter = re.sub(r"[^A-Za-z0-9]+", "-", key.adapter).strip("-")
    return "-".join(part for part in (*parts, adapter) if part)[:LONGEST].strip("-").lower() or "cell"


def shell_line(words: list[str]) -> str:
    """A command line for bash or zsh, on one line, in which nothing acts on the terminal it is pasted to."""
    return " ".join(_quoted(word) for word in words)


def _quoted(word: str) -> str:
    if not any(map(is_invisible, word)):
        return shlex.quote(word)
    said = word.replace("\\", "\\\\").replace("'", "\\'")
    return "$'" + "".join(_escaped(char) if is_invisible(char) else char for char in said) + "'"


def _escaped(char: str) -> str:
    point = ord(char)
    if point < 0x80:
        return f"\\x{point:02x}"
    # A lone surrogate has no bytes; nothing can type it, so it is spelled as what it is.
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"
