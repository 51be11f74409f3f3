"""What outlives the screen: where one was and how it looked. A broken memory is none."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from workbench.tui.listing import RowKind, TreeRow
from workbench.tui.view.layout import SideBySide

if TYPE_CHECKING:
    from workbench.tui.state import SessionState

__all__ = ["Memory", "keep", "memory_of", "recall", "restore", "restore_cell"]

LARGEST = 100_000
"""Bytes above which a file is not one of ours."""


class Memory(NamedTuple):
    """Names as they were; what is there no more is passed over. Empty: not known."""

    scenario: str = ""
    prompt: str = ""
    arm: str = ""
    adapter: str = ""
    side_by_side: str = ""
    theme: str = ""


def recall(path: Path | None) -> Memory:
    """What was kept; nothing where it cannot be read, or is not what was written."""
    try:
        if path is None or path.stat().st_size > LARGEST:
            return Memory()
        said = json.loads(path.read_text("ascii"))
    except (OSError, ValueError, RecursionError):
        return Memory()
    if not isinstance(said, dict):
        return Memory()
    return Memory(
        **{key: value for key, value in said.items() if key in Memory._fields and isinstance(value, str)}
    )


def keep(path: Path | None, memory: Memory) -> None:
    """Write it as a whole or not at all. A folder that cannot be written is no reason to complain."""
    if path is None:
        return
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".screen-")
        try:
            with os.fdopen(handle, "w", encoding="ascii") as stream:
                json.dump(memory._asdict(), stream)
            os.replace(temporary, path)  # noqa: PTH105
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise


def memory_of(state: SessionState, theme: str) -> Memory:
    """What is worth being kept of a screen."""
    place, key = state.place, state.place.key
    return Memory(
        scenario=place.scenario or "",
        prompt=place.prompt or "",
        arm=key.arm if key else "",
        adapter=key.adapter if key else "",
        side_by_side=state.side_by_side.value,
        theme=theme,
    )


def restore(state: SessionState, memory: Memory) -> bool:
    """Go back to where one was, as far as that is still there; whether it is."""
    with suppress(ValueError):
        state.side_by_side = SideBySide(memory.side_by_side)
    kind = RowKind.PROMPT if memory.prompt else RowKind.SCENARIO
    row = TreeRow(kind, memory.scenario, memory.prompt or None)
    if row not in state.place.rows:
        return False
    state.place.open_row(row)
    return True


def restore_cell(state: SessionState, memory: Memory) -> None:
    """Go back to the cell as well, once it is known which there are."""
    place = state.place
    if (place.scenario, place.prompt) == (memory.scenario, memory.prompt or None):
        rows, columns = place.row_names, place.column_names
        if memory.arm in rows and memory.adapter in columns:
            place.select_cell(rows.index(memory.arm), columns.index(memory.adapter))
