"""The rows of the scenario list: scenarios, prompts that no filter takes away, files that do not load."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from workbench.tui.state import SessionState

__all__ = ["RowKind", "TreeRow", "list_rows"]


class RowKind(StrEnum):
    """The kinds of row in the scenario list."""

    SCENARIO = "scenario"
    PROMPT = "prompt"
    FILE = "file"


class TreeRow(NamedTuple):
    """One row of the scenario list. `name` is a scenario's, or a file's that does not load."""

    kind: RowKind
    name: str
    prompt: str | None = None


def list_rows(state: SessionState, closed: Collection[str]) -> tuple[TreeRow, ...]:
    """Every row that is to be seen; while a filter is on, only what it keeps, and nothing is closed."""
    rows: list[TreeRow] = []
    sieve = state.sieve
    for name in state.scenarios:
        kept = [p for p in state.prompts(name) if sieve.is_open or sieve.keeps(name, p)]
        if kept or sieve.is_open:
            rows.append(TreeRow(RowKind.SCENARIO, name))
        if name not in closed or not sieve.is_open:
            rows.extend(TreeRow(RowKind.PROMPT, name, prompt.label) for prompt in kept)
    if not sieve.is_open:
        return tuple(rows)
    files = dict.fromkeys(problem.mark.file if problem.mark else "" for problem in state.session.problems)
    return (*rows, *(TreeRow(RowKind.FILE, file) for file in files))
