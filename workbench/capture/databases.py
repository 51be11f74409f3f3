"""Logs in SQLite: the formats that are known by their tables, and any table with columns for a turn."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from workbench.capture.guessing import cut_length, find_columns, guess, is_half, is_log
from workbench.capture.readers import opencode, own_runs, promptfoo, simonw_llm
from workbench.capture.readers.columns import ColumnReader
from workbench.capture.sniffing import SAMPLE, known
from workbench.capture.sources.record import Read, Record, RecordReader
from workbench.capture.sources.tables import Tables, database, growing_database, rows, tables_of
from workbench.capture.turns import LogOptions, Skipped
from workbench.core.errors import Mark, Problem, UsageError, WorkbenchError

__all__ = ["follow_tables", "read_tables"]

_HEADER = 100
_TEXTS = ("typed", "wrapped", "scanned")

Part = Callable[[sqlite3.Connection, str, int], Iterator[Read]]
"""Reads what lies behind a row of one table."""

_KNOWN: dict[str, tuple[Callable[[Tables], bool], str, Part]] = {
    opencode.NAME: (opencode.fits, "message", opencode.read),
    simonw_llm.NAME: (simonw_llm.fits, "responses", simonw_llm.read),
    promptfoo.PromptfooReader.name: (promptfoo.fits_tables, "eval_results", promptfoo.read),
}


def read_tables(path: Path, options: LogOptions) -> Iterator[Read]:
    """The turns of a database. Raises WorkbenchError where it cannot be read, or no table is a log."""
    if _is_ours(path, options):
        yield from own_runs.read(path, str(path))
        return
    with database(path) as connection:
        for part in _parts(connection, path, options).values():
            yield from part(connection, str(path), 0)


def follow_tables(path: Path, options: LogOptions) -> Iterator[Read | None]:
    """The turns of a database as rows are added to it; None whenever nothing new has come."""
    if _is_ours(path, options):
        raise WorkbenchError(
            Problem("runs of the workbench are not watched", Mark(str(path)), "see `workbench list runs`")
        )
    seen: dict[str, int] = {}
    with growing_database(path) as connection:
        parts = _parts(connection, path, options)
        while True:
            for table, part in parts.items():
                for item in part(connection, str(path), seen.get(table, 0)):
                    seen[table] = max(seen.get(table, 0), item.place.number)
                    yield item
            yield None


def _is_ours(path: Path, options: LogOptions) -> bool:
    if options.reader not in (None, own_runs.NAME):
        return False
    with path.open("rb") as file:
        return own_runs.fits(file.read(_HEADER))


def _parts(connection: sqlite3.Connection, path: Path, options: LogOptions) -> dict[str, Part]:
    """What reads the database, by table."""
    tables = tables_of(connection)
    if options.table is not None and options.table not in tables:
        listed = ", ".join(tables) or "no tables"
        raise UsageError(
            Problem(f"there is no table {options.table!r}", Mark(str(path)), f"there are: {listed}")
        )
    free = options.table is None and not any(getattr(options.columns, name) for name in _TEXTS)
    for name, (fits, table, part) in _KNOWN.items():
        if options.reader == name or (options.reader is None and free and fits(tables)):
            if not fits(tables):
                raise WorkbenchError(Problem(f"this database is none of {name}", Mark(str(path))))
            return {table: part}
    found = _by_columns(connection, path, tables, options)
    if not found:
        listed = (
            "; ".join(f"{table}: {', '.join(columns)}" for table, columns in tables.items()) or "no tables"
        )
        hint = "name them: --table TABLE --typed COLUMN --wrapped COLUMN"
        raise WorkbenchError(
            Problem(f"no table of it looks like a log of turns ({listed})", Mark(str(path)), hint)
        )
    return found


def _by_columns(
    connection: sqlite3.Connection, path: Path, tables: Tables, options: LogOptions
) -> dict[str, Part]:
    """The tables that are logs: those with columns for a turn, else those that keep requests of models,
    else those that keep one half of it.
    """
    given = options.columns.given()
    found: dict[str, Part] = {}
    bodies: dict[str, Part] = {}
    halves: dict[str, Part] = {}
    for table, columns in tables.items():
        if options.table is not None and table != options.table:
            continue
        records = _sample(connection, path, table)
        sample = [record.value for record in records] or [dict.fromkeys(columns)]
        if given and set(given.values()) <= set(columns):
            found[table] = _mapped(table, guess(sample, given), sample)
        elif given and options.table is None:
            continue
        elif not given and is_log(mapped := guess(sample, {})):
            found[table] = _mapped(table, mapped, sample)
        elif not given and (make := known(records)) is not None:
            bodies[table] = _part(table, make)
        elif options.table is not None:
            found[table] = _mapped(table, find_columns(sample, options.columns), sample)
        elif not given and is_half(mapped):
            halves[table] = _mapped(table, mapped, sample)
    return found or bodies or halves


def _sample(connection: sqlite3.Connection, path: Path, table: str) -> list[Record]:
    found = islice(rows(connection, str(path), table), SAMPLE)
    return [row for row in found if isinstance(row, Record)]


def _mapped(table: str, mapped: dict[str, str], sample: Sequence[Mapping[str, object]]) -> Part:
    """A table by its columns."""
    cut_at = cut_length(sample, mapped)
    return _part(table, lambda: ColumnReader(mapped, cut_at, "sqlite"))


def _part(table: str, make: Callable[[], RecordReader]) -> Part:
    def read(connection: sqlite3.Connection, file: str, after: int) -> Iterator[Read]:
        reader = make()
        for row in rows(connection, file, table, after):
            if isinstance(row, Skipped):
                yield row
            else:
                yield from reader.take(row)
        yield from reader.end()

    return read
