"""What a person names a run by: `last`, `last~1`, an id, or the JSON report of one."""

from __future__ import annotations

import re
from pathlib import Path

from workbench.cli.bench import store_root
from workbench.compare.findings import find
from workbench.compare.run_diff import RunFacts, facts_of
from workbench.core.errors import Problem, UsageError
from workbench.files.source import decode, read_bytes
from workbench.files.workspace import Workspace
from workbench.report.reading import read_report
from workbench.store.store import Store

__all__ = ["run_named"]

_LAST = re.compile(r"last(?:~([0-9]{1,9}))?")
_LARGEST = 1 << 30


def run_named(name: str, workspace: Workspace) -> RunFacts:
    """The run of that name. Raises UsageError where there is none, WorkbenchError on a broken report."""
    path = Path(name)
    # An id never looks like a path, and a file may be called `last` only with its folder.
    if path.suffix or len(path.parts) > 1:
        return read_report(decode(read_bytes(path, _LARGEST), name).removeprefix("\ufeff"), name)
    store = Store.existing(store_root(workspace))
    if store is None:
        raise UsageError(
            Problem(f"there is no run {name}: none is stored here", hint="`workbench run` first")
        )
    with store:
        run = store.load(_id(name, store))
    return facts_of(run, find(run))


def _id(name: str, store: Store) -> str:
    found = _LAST.fullmatch(name)
    if found is None:
        return name
    back = int(found[1] or 0)
    runs = store.runs(back + 1)
    if len(runs) <= back:
        message = f"there is no run {name}: {len(store.runs()):,} are stored"
        raise UsageError(Problem(message, hint="`workbench runs` lists them"))
    return runs[back].id
