"""The runs of a workspace, in one SQLite file under `.workbench/`."""

from __future__ import annotations

import secrets
import shutil
import sqlite3
import tempfile
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from workbench.core.cell import Cell, Run
from workbench.core.errors import Mark, Problem, WorkbenchError
from workbench.store.claim import Claim
from workbench.store.codec import dumps
from workbench.store.reading import (
    RunRow,
    read_cells,
    read_heads,
    read_matrix,
    read_pace,
    read_prompts,
    read_run,
    read_summaries,
)
from workbench.store.recording import Recording, write_cells
from workbench.store.records import CellSummary, NewRun, RunHead, RunSummary
from workbench.store.schema import FOLDER, NAME, connect, connect_to_read, explained, make_folder, transaction
from workbench.store.texts import remove_orphans

__all__ = ["Store"]


class Store:
    """Synchronous: each call is short. For one thread; every thread may open its own.

    Every method raises WorkbenchError where the database is locked, damaged or cannot be written.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path, temporary: bool = False) -> None:
        self._connection = connection
        self._path = path
        self._temporary = temporary

    @classmethod
    def open(cls, root: Path) -> Store:
        """The store of the workspace at `root`, made where there is none."""
        path = make_folder(root) / NAME
        return cls(connect(path), path)

    @classmethod
    def existing(cls, root: Path) -> Store | None:
        """The store of the workspace at `root`, to be read; None where nothing was stored."""
        path = root / FOLDER / NAME
        connection = connect_to_read(path)
        return None if connection is None else cls(connection, path)

    @classmethod
    def temporary(cls) -> Store:
        """A store in a folder of its own, which `close` removes."""
        path = Path(tempfile.mkdtemp(prefix="workbench-")) / NAME
        return cls(connect(path), path, temporary=True)

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; remove it where it is a temporary one."""
        self._connection.close()
        if self._temporary:
            shutil.rmtree(self._path.parent, ignore_errors=True)

    def begin(self, new: NewRun, now: datetime | None = None) -> Recording:
        """A new run. Raises UnstorableError where `arguments` is no JSON."""
        started = (now or datetime.now(UTC)).astimezone(UTC)
        with explained(self._path), ExitStack() as undo:
            with transaction(self._connection):
                number = self._insert(new, started)
                write_cells(self._connection, number, new.deliveries, new.repeats)
                claim = self._claim(number)
                if claim is None:
                    raise WorkbenchError(Problem("another process holds the new run", Mark(str(self._path))))
                undo.callback(claim.release)
            recording = Recording(self._connection, self._path, self._numbered(number), claim)
            undo.pop_all()
        return recording

    def resume(self, new: NewRun, run: str | None = None) -> Recording | None:
        """The newest unfinished run of the same plan that no process is recording; None without one.

        With `run`, that run and no other: WorkbenchError where it is unknown, finished, of another plan,
        or being recorded. The run takes over what `new` says beside its plan: expectations,
        arguments, what is accepted.
        """
        if run is not None:
            recording = self._take_over(self._resumable(run, new.plan), new)
            if recording is None:
                raise WorkbenchError(f"run {run} is being recorded by another process")
            return recording
        with explained(self._path):
            rows = self._connection.execute(
                "SELECT * FROM runs WHERE plan = ? AND NOT finished ORDER BY number DESC", (new.plan,)
            ).fetchall()
        for row in (RunRow(*row) for row in rows):
            if recording := self._take_over(row, new):
                return recording
        return None

    def load(self, run: str) -> Run:
        """A run with all its cells and trials. Raises WorkbenchError where there is no such run."""
        with self._reading(run) as row:
            return read_run(self._connection, row)

    def cells(self, run: str, scenario: str | None = None, prompt: str | None = None) -> tuple[Cell, ...]:
        """The cells of one scenario, or of one prompt of it, with their trials."""
        with self._reading(run) as row:
            return tuple(read_cells(self._connection, row.number, scenario, prompt))

    def matrix(
        self, run: str, scenario: str | None = None, prompt: str | None = None
    ) -> tuple[CellSummary, ...]:
        """Every cell of a run, or of one scenario, or of one prompt of it, its trials only counted: quick,
        however large the run."""
        with self._reading(run) as row:
            return read_matrix(self._connection, row.number, scenario, prompt)

    def prompts(self, run: str, scenario: str) -> tuple[tuple[str, str], ...]:
        """The prompts of a scenario in a run, by label, with what was typed."""
        with self._reading(run) as row:
            return read_prompts(self._connection, row.number, scenario)

    def runs(self, limit: int | None = None) -> tuple[RunSummary, ...]:
        """The runs, the newest first."""
        with explained(self._path):
            return tuple(read_summaries(self._connection, limit))

    def heads(self, limit: int) -> tuple[RunHead, ...]:
        """What stands at the head of the newest runs, the newest first. Nothing is counted."""
        with explained(self._path):
            return tuple(read_heads(self._connection, limit))

    def newest(self) -> str | None:
        """The id of the newest run; None where there is none."""
        with explained(self._path):
            row = self._connection.execute("SELECT id FROM runs ORDER BY number DESC LIMIT 1").fetchone()
        return row[0] if row else None

    def pace(self, adapter: str) -> float | None:
        """The mean seconds of an ok trial of that adapter in the newest run that has one; None without."""
        with explained(self._path):
            return read_pace(self._connection, adapter)

    def delete(self, runs: Collection[str]) -> tuple[str, ...]:
        """Removes runs, and the texts that no other run has. Those being recorded stay.

        Returns the ids of what was removed. Raises WorkbenchError where one is unknown.
        """
        rows = [self._row(run) for run in dict.fromkeys(runs)]
        removed = []
        with explained(self._path), ExitStack() as claims:
            with transaction(self._connection):
                for row in rows:
                    if claim := self._claim(row.number):
                        claims.callback(claim.release)
                        removed.append(row.id)
                        for statement in _REMOVE:
                            self._connection.execute(statement, (row.number,))
                remove_orphans(self._connection)
            self._shrink()
        return tuple(removed)

    def prune(self, keep: int) -> tuple[str, ...]:
        """Removes all but the newest `keep` runs; returns the ids of what was removed."""
        return self.delete([run.id for run in self.runs()[max(keep, 0) :]])

    def _insert(self, new: NewRun, started: datetime) -> int:
        scenarios = list(dict.fromkeys(delivery.key.scenario for delivery in new.deliveries))
        values = (started.isoformat(timespec="milliseconds"), new.plan, new.total, *_described(new))
        while True:  # until the four digits are free
            name = f"{started:%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"
            made = self._connection.execute(
                "INSERT OR IGNORE INTO runs"
                " (id, started, plan, total, arguments, adapters, whole, accept, scenarios)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (name, *values, dumps(scenarios)),
            )
            if made.rowcount and made.lastrowid is not None:
                return made.lastrowid

    def _take_over(self, row: RunRow, new: NewRun) -> Recording | None:
        with explained(self._path), ExitStack() as undo:
            claim = self._claim(row.number)
            if claim is None:
                return None
            undo.callback(claim.release)
            with transaction(self._connection):
                if self._numbered(row.number).finished:  # by its recorder, a moment ago
                    return None
                self._connection.execute(
                    "UPDATE runs SET arguments = ?, whole = ?, accept = ?, halted = x'7B7D' WHERE number = ?",
                    (*_said(new), row.number),
                )
                write_cells(self._connection, row.number, new.deliveries, new.repeats)
            recording = Recording(self._connection, self._path, self._numbered(row.number), claim)
            undo.pop_all()
        return recording

    def _resumable(self, run: str, plan: str) -> RunRow:
        row = self._row(run)
        if row.finished:
            raise WorkbenchError(f"run {run} is finished: there is nothing to resume")
        if row.plan != plan:
            raise WorkbenchError(
                Problem(
                    f"run {run} is of another plan: a prompt, document, envelope, adapter or the choice of"
                    " them has changed since",
                    hint="start anew, without --resume",
                )
            )
        return row

    def _row(self, run: str) -> RunRow:
        with explained(self._path):
            row = self._connection.execute(
                "SELECT * FROM runs WHERE id = ?", (run.encode("utf-8", "replace").decode(),)
            ).fetchone()
        if row is None:
            newest = self.newest()
            raise WorkbenchError(
                Problem(
                    f"there is no run {run}",
                    hint=f"the newest is {newest}; `workbench list runs` shows all"
                    if newest
                    else "no run is stored",
                )
            )
        return RunRow(*row)

    def _numbered(self, number: int) -> RunRow:
        row = self._connection.execute("SELECT * FROM runs WHERE number = ?", (number,)).fetchone()
        return RunRow(*row)

    @contextmanager
    def _reading(self, run: str) -> Iterator[RunRow]:
        row = self._row(run)
        try:
            with explained(self._path):
                yield row
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise WorkbenchError(
                Problem(f"run {run} is damaged: {error}", Mark(str(self._path)), "run it again")
            ) from error

    def _claim(self, number: int) -> Claim | None:
        return Claim.take(self._path.parent, number)

    def _shrink(self) -> None:
        """Gives the freed pages back, unless another process is at work: then a later time will do."""
        with suppress(sqlite3.OperationalError):
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


_REMOVE = (
    "DELETE FROM trials WHERE run = ?",
    "DELETE FROM cells WHERE run = ?",
    "DELETE FROM runs WHERE number = ?",
)


def _described(new: NewRun) -> tuple[bytes, bytes, bytes, bytes]:
    arguments, whole, accept = _said(new)
    return arguments, dumps({name: asdict(info) for name, info in new.adapters.items()}), whole, accept


def _said(new: NewRun) -> tuple[bytes, bytes, bytes]:
    """What a run says beside its plan."""
    accept = {scenario: [asdict(entry) for entry in entries] for scenario, entries in new.accept.items()}
    return dumps(new.arguments), dumps(sorted(new.whole)), dumps(accept)
