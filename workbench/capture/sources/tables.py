"""SQLite files as rows: opened to be read only, also while another process writes."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from workbench.capture.sources.record import Record
from workbench.capture.turns import Fault, Place, Skipped, Unit
from workbench.core.errors import Mark, Problem, WorkbenchError

__all__ = ["MAGIC", "Tables", "database", "growing_database", "rows", "tables_of"]

MAGIC = b"SQLite format 3\0"
Tables = Mapping[str, tuple[str, ...]]
"""The columns of every table, in their order."""

_WAIT = 5.0
_BYTE = re.compile("[\udc80-\udcff]")


@contextmanager
def database(path: Path) -> Iterator[sqlite3.Connection]:
    """The database as it is now, to be read; nothing is left beside it.

    Raises WorkbenchError where it cannot be opened, is locked for long, or was written meanwhile although
    no process had it open at first.
    """
    alone = _is_wal(path) and not _has_log(path)
    before = path.stat()
    with _opened(path, "mode=ro&immutable=1" if alone else "mode=ro") as connection:
        yield connection
    now = path.stat()
    if alone and (now.st_mtime_ns, now.st_size) != (before.st_mtime_ns, before.st_size):
        raise WorkbenchError(Problem("it was written to while it was read", Mark(str(path)), "read it again"))


@contextmanager
def growing_database(path: Path) -> Iterator[sqlite3.Connection]:
    """The database, to be read again and again. Raises WorkbenchError as `database` does."""
    with _opened(path, "mode=ro") as connection:
        yield connection


@contextmanager
def _opened(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    try:
        with closing(_open(path, mode)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            yield connection
    except sqlite3.Error as error:
        hint = "end the process that locks it, or copy it first: sqlite3 FILE '.backup COPY'"
        said = Problem(
            f"this database cannot be read: {error}", Mark(str(path)), hint if _locked(error) else None
        )
        raise WorkbenchError(said) from None


def _is_wal(path: Path) -> bool:
    """Whether its header says that writers keep a log beside it."""
    with path.open("rb") as file:
        return file.read(20)[18:] == b"\x02\x02"


def _has_log(path: Path) -> bool:
    return path.with_name(f"{path.name}-wal").exists()


def tables_of(connection: sqlite3.Connection) -> Tables:
    """Tables and views with their columns; SQLite's own are left out."""
    names = connection.execute(
        "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
        " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name"
    ).fetchall()
    found = {}
    for (name,) in names:
        try:
            columns = connection.execute("SELECT name FROM pragma_table_info(?)", (name,)).fetchall()
        except sqlite3.OperationalError:  # a view on something that is gone
            continue
        found[str(name)] = tuple(str(column) for (column,) in columns)
    return found


def rows(connection: sqlite3.Connection, file: str, table: str, after: int = 0) -> Iterator[Record | Skipped]:
    """The rows of a table behind that number, each a mapping; a damaged page ends it with a skip."""
    name = '"' + table.replace('"', '""') + '"'
    number = after
    try:
        counted = not _has_row_ids(connection, table, name)
        if counted:
            cursor = connection.execute(f"SELECT 0, * FROM {name} LIMIT -1 OFFSET ?", (after,))
        else:
            cursor = connection.execute(
                f"SELECT rowid, * FROM {name} WHERE rowid > ? ORDER BY rowid", (after,)
            )
        columns = [column[0] for column in cursor.description][1:]
        for row_id, *values in cursor:
            number = number + 1 if counted or not isinstance(row_id, int) else row_id
            yield _row(dict(zip(columns, values, strict=True)), Place(file, number, Unit.ROW, table))
    except sqlite3.DatabaseError as error:
        if _locked(error):
            raise
        yield Skipped(
            Place(file, number + 1, Unit.ROW, table), Fault.TORN, f"the table breaks off here: {error}"
        )


def _has_row_ids(connection: sqlite3.Connection, table: str, name: str) -> bool:
    """Not so a view, or a table that was made without; their rows are counted in the order given."""
    if connection.execute(
        "SELECT 1 FROM sqlite_master WHERE type = 'view' AND name = ?", (table,)
    ).fetchone():
        return False
    try:
        connection.execute(f"SELECT rowid FROM {name} LIMIT 0")
    except sqlite3.OperationalError:
        return False
    return True


def _row(values: dict[str, Any], place: Place) -> Record | Skipped:
    for column, value in values.items():
        if isinstance(value, bytes):
            try:
                values[column] = value.decode("utf-8")
            except UnicodeDecodeError:
                continue  # a picture or a hash: nobody's words
        elif isinstance(value, str) and not value.isascii() and _BYTE.search(value):
            return Skipped(place, Fault.NOT_UTF8, f"column {column}")
    return Record(values, place)


def _open(path: Path, mode: str) -> sqlite3.Connection:
    where = quote(path.absolute().as_posix(), safe="/:")
    connection = sqlite3.connect(f"file:{where}?{mode}", uri=True, timeout=_WAIT, isolation_level=None)
    connection.text_factory = _text
    connection.execute("PRAGMA trusted_schema = OFF")  # a log may come from a stranger
    connection.execute("PRAGMA query_only = ON")
    return connection


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _locked(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
