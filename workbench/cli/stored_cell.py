"""A cell that is stored, by its names as reports spell them: SCENARIO#PROMPT@ARM:ADAPTER."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from workbench.cli.bench import Bench, store_root
from workbench.compare.run_diff import CellFacts, cell_facts
from workbench.core.cell import BARE, CellKey
from workbench.core.errors import Problem, UsageError
from workbench.files.problems import suggestion
from workbench.store.newest import NewestAnswers, Stored

__all__ = ["StoredCell", "cell_stored", "names_a_cell"]

_FORM = re.compile(r"(?s)(?P<target>.+#.+)@(?P<arm>.+):(?P<adapter>[^:@]+)")


class StoredCell(NamedTuple):
    """The newest answer of a cell, and the run that it is of."""

    facts: CellFacts
    run: str


def names_a_cell(name: str) -> bool:
    """Whether a name is one of a cell: no run has such a one, and a file is there to be seen."""
    return _FORM.fullmatch(name) is not None and not Path(name).exists()


def cell_stored(name: str, bench: Bench) -> StoredCell:
    """The newest stored answer of that cell. Raises UsageError where there is none."""
    found = _FORM.fullmatch(name)
    if found is None:
        raise UsageError(Problem(f"{name} names no cell", hint="SCENARIO#PROMPT@ARM:ADAPTER does"))
    scenario, _, prompt = found["target"].rpartition("#")
    answers = NewestAnswers(store_root(bench.workspace))
    stored = answers.read(scenario, prompt)
    if not stored.cells:
        # A prompt that has an id goes by its number too, and a scenario by its file: its file tells.
        loaded = bench.load([found["target"]])
        scenario = loaded.scenarios[0].name
        prompt = next(iter(loaded.labels[scenario]))
        stored = answers.read(scenario, prompt)
    cells = {cell.key: cell for cell in stored.cells}
    key = CellKey(scenario, prompt, found["arm"], found["adapter"])
    if key not in cells:
        raise _no_answer(key, stored)
    bare = cells.get(CellKey(scenario, prompt, BARE, key.adapter))
    return StoredCell(cell_facts(cells[key], bare), stored.runs[key])


def _no_answer(key: CellKey, stored: Stored) -> UsageError:
    """What is nearest of that which is stored."""
    names = [str(cell.key) for cell in stored.cells]
    hint = suggestion(str(key), names) if names else "`workbench run` it first"
    return UsageError(Problem(f"no answer of {key} is stored", hint=hint))
