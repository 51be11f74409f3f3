"""A run while it is recorded: each trial is on disk before it counts."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from workbench.core.cell import AdapterInfo, CellKey, Delivery
from workbench.core.exchange import Exchange
from workbench.core.trial import Trial
from workbench.store.claim import Claim
from workbench.store.codec import UnstorableError, dumps
from workbench.store.reading import RunRow, read_adapters, read_done
from workbench.store.schema import explained, transaction
from workbench.store.texts import TextWriter

__all__ = ["Recording", "write_cells"]


class Recording:
    """The one writer of an unfinished run. It holds the claim on it until `finish`."""

    def __init__(self, connection: sqlite3.Connection, path: Path, row: RunRow, claim: Claim) -> None:
        self.run = row.id
        self.started = row.started
        self.seconds = row.seconds
        """What earlier sessions of this run took."""
        self._connection = connection
        self._path = path
        self._number = row.number
        self._claim = claim
        self._texts = TextWriter(connection)
        self._cells = _numbers(connection, row.number)
        self.done: Mapping[CellKey, tuple[Trial, ...]] = read_done(connection, row.number)
        """The trials that were stored when the recording began."""
        self.adapters: Mapping[str, AdapterInfo] = read_adapters(connection, row)
        """What the adapters were found to be by then."""

    def describe(self, adapters: Mapping[str, AdapterInfo]) -> None:
        """What the run's adapters turned out to be, once they were opened. Raises WorkbenchError."""
        if adapters == self.adapters:
            return
        body = dumps({name: asdict(info) for name, info in adapters.items()})
        with explained(self._path):
            self._connection.execute("UPDATE runs SET adapters = ? WHERE number = ?", (body, self._number))
        self.adapters = adapters

    def add(self, key: CellKey, trial: Trial) -> None:
        """Commits one trial. It survives the death of the process from here on.

        Raises UnstorableError where its decision is not what its types say, ValueError where the
        trial is stored already, WorkbenchError where the disk fails.
        """
        self.add_all([(key, trial)])

    def add_all(self, trials: Sequence[tuple[CellKey, Trial]]) -> None:
        """Commits some trials together: all or none of them. Raises as `add` does."""
        try:
            with explained(self._path), transaction(self._connection):
                for key, trial in trials:
                    self._insert(self._cells[key], trial)
        except (AttributeError, OverflowError, TypeError) as error:
            self._texts.forget()
            raise UnstorableError(f"it is no answer as declared: {error}") from error
        except BaseException:
            self._texts.forget()
            raise

    def finish(self, seconds: float, complete: bool, halted: Mapping[str, str] | None = None) -> None:
        """The end of this session, after `seconds`. An incomplete run can be resumed.

        `halted` says by adapter why it was not called to the end. A run that is complete has as many
        trials as it has: one that samples may need fewer than were planned, or more.
        """
        try:
            with explained(self._path):
                self._connection.execute(
                    "UPDATE runs SET finished = :done, seconds = :seconds, halted = :halted, total ="
                    " CASE WHEN :done THEN (SELECT count(*) FROM trials WHERE run = :run) ELSE total END"
                    " WHERE number = :run",
                    {
                        "done": int(complete),
                        "seconds": self.seconds + seconds,
                        "halted": dumps(halted or {}),
                        "run": self._number,
                    },
                )
        finally:
            self._claim.release()

    def _insert(self, cell: int, trial: Trial) -> None:
        put, decision, exchange = self._texts.put, trial.decision, trial.exchange
        if not isinstance(exchange, Exchange | None):
            raise TypeError(f"a {type(exchange).__name__} where an exchange is wanted")
        row = (
            self._number,
            cell,
            trial.index,
            trial.status.value,
            None if decision is None else decision.outcome.value,
            None if decision is None else self._texts.put_json(decision.tools),
            None if decision is None else self._texts.put_value(decision),
            None if trial.error is None else put(trial.error),
            None if trial.raw is None else put(trial.raw),
            put(trial.log) if trial.log else None,
            trial.seconds,
            trial.seed,
            None if exchange is None else self._texts.put_value(exchange),
        )
        try:
            self._connection.execute("INSERT INTO trials VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        except sqlite3.IntegrityError as error:
            raise ValueError(f"trial {trial.index} of this cell is stored already") from error


def write_cells(
    connection: sqlite3.Connection,
    run: int,
    deliveries: tuple[Delivery, ...],
    repeats: Mapping[CellKey, int],
) -> None:
    """Writes the cells of a run, within the caller's transaction; those it had are replaced.

    Trials stay, so the keys must be those it had: ValueError where they are not.
    """
    texts = TextWriter(connection)
    before = _numbers(connection, run)
    if before and before != {delivery.key: number for number, delivery in enumerate(deliveries)}:
        raise ValueError("the cells of a run cannot change")
    connection.execute("DELETE FROM cells WHERE run = ?", (run,))
    for number, delivery in enumerate(deliveries):
        key = delivery.key
        names = (key.scenario, key.prompt, key.arm, key.adapter)
        connection.execute(
            "INSERT INTO cells VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                run,
                number,
                *(name.encode("utf-8", "surrogatepass") for name in names),
                repeats[key],
                texts.put_value(delivery, without="key"),
            ),
        )


def _numbers(connection: sqlite3.Connection, run: int) -> dict[CellKey, int]:
    rows = connection.execute(
        "SELECT number, scenario, prompt, arm, adapter FROM cells WHERE run = ?", (run,)
    )
    return {
        CellKey(*(part.decode("utf-8", "surrogatepass") for part in parts)): number for number, *parts in rows
    }
