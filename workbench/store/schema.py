"""The database file: where it lives, what is in it, and how it is opened without harm."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from workbench.core.errors import Mark, Problem, WorkbenchError

__all__ = ["FOLDER", "NAME", "connect", "connect_to_read", "explained", "make_folder", "transaction"]

FOLDER = ".workbench"
NAME = "runs.db"

_APPLICATION = 0x776B6272  # "wkbr"
_VERSION = 3
_WAIT = 5.0
"""Seconds to wait for another process that is writing. Its transactions last milliseconds."""

_NO_ACCESS = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM)
_MAKE_WRITABLE = "make file and folder writable, or add --no-save"

# Foreign text is kept as UTF-8 with lone surrogates passed through, which SQLite's TEXT cannot hold: BLOB.
# `parts` says which texts another one (a delivery, a decision) mentions, so that orphans can be told.
_TABLES = """
CREATE TABLE texts (
  id INTEGER PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE,
  body BLOB NOT NULL
);
CREATE TABLE parts (
  whole INTEGER NOT NULL REFERENCES texts (id),
  part INTEGER NOT NULL REFERENCES texts (id),
  PRIMARY KEY (whole, part)
) WITHOUT ROWID;
CREATE TABLE runs (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  started TEXT NOT NULL,
  plan TEXT NOT NULL,
  total INTEGER NOT NULL,
  finished INTEGER NOT NULL DEFAULT 0,
  seconds REAL NOT NULL DEFAULT 0,
  arguments BLOB NOT NULL,
  adapters BLOB NOT NULL,
  scenarios BLOB NOT NULL,
  whole BLOB NOT NULL,
  accept BLOB NOT NULL DEFAULT x'7B7D',
  halted BLOB NOT NULL DEFAULT x'7B7D'
);
CREATE INDEX runs_by_plan ON runs (plan, finished);
CREATE TABLE cells (
  run INTEGER NOT NULL,
  number INTEGER NOT NULL,
  scenario BLOB NOT NULL,
  prompt BLOB NOT NULL,
  arm BLOB NOT NULL,
  adapter BLOB NOT NULL,
  planned INTEGER NOT NULL,
  delivery INTEGER NOT NULL,
  PRIMARY KEY (run, number)
) WITHOUT ROWID;
CREATE TABLE trials (
  run INTEGER NOT NULL,
  cell INTEGER NOT NULL,
  number INTEGER NOT NULL,
  status TEXT NOT NULL,
  outcome TEXT,
  tools INTEGER,
  decision INTEGER,
  error INTEGER,
  raw INTEGER,
  log INTEGER,
  seconds REAL NOT NULL,
  seed INTEGER NOT NULL,
  exchange INTEGER,
  PRIMARY KEY (run, cell, number)
) WITHOUT ROWID;
"""

# What each version added to the one before. Columns come last and have a default or may be NULL, so that a
# file that cannot be written is read as it is.
_CHANGES = {
    2: ("ALTER TABLE runs ADD COLUMN accept BLOB NOT NULL DEFAULT x'7B7D'",),
    3: (
        "ALTER TABLE runs ADD COLUMN halted BLOB NOT NULL DEFAULT x'7B7D'",
        "ALTER TABLE trials ADD COLUMN exchange INTEGER",
    ),
}


def make_folder(root: Path) -> Path:
    """The folder of a workspace's runs, made with a `.gitignore` that keeps all of it out of git.

    Raises WorkbenchError where it cannot be written, or is a link: it must not lead elsewhere.
    """
    folder = root / FOLDER
    with explained(folder):
        _refuse_link(folder)
        folder.mkdir(parents=True, exist_ok=True)
        ignore = folder / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", encoding="utf-8")
    return folder


def connect(path: Path) -> sqlite3.Connection:
    """The database, for reading and writing, its tables made where it is new, and of this version.

    Raises WorkbenchError where it is locked, not ours, of a newer version, or cannot be written.
    """
    with explained(path):
        _refuse_link(path)
        connection = _open(f"{path.absolute().as_posix()}", "rwc")
        try:
            if not _check(connection, path):
                _make_tables(connection, path)
            _bring_up(connection)
            connection.execute("PRAGMA synchronous = NORMAL")
        except BaseException:
            connection.close()
            raise
    return connection


def connect_to_read(path: Path) -> sqlite3.Connection | None:
    """The database, also from a folder that cannot be written; None where there is none, or an empty one.

    Raises WorkbenchError where it is locked, not ours, or of a newer version.
    """
    with explained(path):
        _refuse_link(path.parent)
        _refuse_link(path)
        if not path.exists():
            return None
        connection = _open(f"{path.absolute().as_posix()}", "rw")
        try:
            known = _check(connection, path)
        except sqlite3.OperationalError as error:
            connection.close()
            unwritten = path.with_name(f"{path.name}-wal").exists()
            if unwritten or error.sqlite_errorcode & 0xFF not in _NO_ACCESS:
                raise
            # nothing may be written beside the file, but then nothing is missing from it either
            connection = _open(f"{path.absolute().as_posix()}", "ro&immutable=1")
            known = _check(connection, path)
        except BaseException:
            connection.close()
            raise
    if not known:
        connection.close()
        return None
    return connection


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turns what SQLite or the system says into what a person can act on: a WorkbenchError."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        message, hint = _explain(error)
        raise WorkbenchError(Problem(message, Mark(str(path)), hint)) from error


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All of it or nothing; the write lock is taken at once, so that it is waited for."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _open(path: str, mode: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"file:{quote(path, safe='/:')}?mode={mode}", uri=True, timeout=_WAIT, isolation_level=None
    )
    connection.execute("PRAGMA trusted_schema = OFF")  # a workspace may come from a stranger
    return connection


def _check(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether the tables are there. Nothing is written before this has answered."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    version = _version(connection)
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application == 0 and version == 0 and tables == 0:
        return False
    if application != _APPLICATION:
        raise WorkbenchError(
            Problem("this database is not the workbench's", Mark(str(path)), "move it away and try again")
        )
    if version > _VERSION:
        raise WorkbenchError(
            Problem(
                f"this database is of version {version}, and this workbench reads up to {_VERSION}",
                Mark(str(path)),
                "install a newer workbench, or move the file away",
            )
        )
    return True


def _make_tables(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    with transaction(connection):
        if _check(connection, path):  # another process was faster
            return
        for statement in _TABLES.split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        connection.execute(f"PRAGMA user_version = {_VERSION}")


def _bring_up(connection: sqlite3.Connection) -> None:
    """Adds what an older version lacks; another process may be at it too."""
    if _version(connection) == _VERSION:
        return
    with transaction(connection):
        for version in range(_version(connection) + 1, _VERSION + 1):
            for change in _CHANGES[version]:
                connection.execute(change)
            connection.execute(f"PRAGMA user_version = {version}")


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def _refuse_link(path: Path) -> None:
    if path.is_symlink():
        raise WorkbenchError(
            Problem(
                "this is a link, and runs are stored nowhere but in the workspace itself",
                Mark(str(path)),
                "remove the link, or add --no-save",
            )
        )


def _explain(error: sqlite3.Error | OSError) -> tuple[str, str]:
    if isinstance(error, OSError):
        return f"runs cannot be stored here: {error.strerror or error}", _MAKE_WRITABLE
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return f"another process has kept it locked for {_WAIT:g} s", "end that process, then try again"
    if code in _NO_ACCESS:
        return f"it cannot be written: {error}", _MAKE_WRITABLE
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return f"writing failed: {error}", "make room on the disk; what was stored before is kept"
    if code == sqlite3.SQLITE_NOTADB:
        return "this file is not a database", "move it away and try again"
    return f"the database does not answer as it should: {error}", "move it away and try again"
