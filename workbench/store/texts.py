"""Texts kept once, by hash: whatever can be long, and whatever many cells or runs have in common."""

from __future__ import annotations

import sqlite3
from hashlib import sha256
from typing import Any, TypeVar

from workbench.core.decision import Json
from workbench.store.codec import decode, dumps, encode, loads

__all__ = ["TextReader", "TextWriter", "remove_orphans"]

T = TypeVar("T")


_KNOWN = 10_000
"""How many texts a writer remembers: most trials of a cell have their longest ones in common."""


class TextWriter:
    """Puts texts into the database, within the caller's transaction; `forget` where that is undone.

    What it remembers is mentioned by a run that is being recorded, so that nobody removes it.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._known: dict[bytes, int] = {}

    def forget(self) -> None:
        """Remember nothing: what was put may be gone."""
        self._known.clear()

    def put(self, text: str) -> int:
        """The number of a text."""
        return self._put(text.encode("utf-8", "surrogatepass"))

    def put_json(self, value: Json) -> int:
        """The number of a JSON value. Raises UnstorableError."""
        return self._put(dumps(value))

    def put_value(self, value: object, without: str = "") -> int:
        """The number of a dataclass, but for the field `without`. Raises UnstorableError."""
        mentioned: set[int] = set()

        def mention(text: str) -> int:
            number = self.put(text)
            mentioned.add(number)
            return number

        made = encode(value, mention)
        if without and isinstance(made, dict):
            made.pop(without)
        number = self._put(dumps(made))
        if mentioned:
            rows = ((number, part) for part in mentioned)
            self._connection.executemany("INSERT OR IGNORE INTO parts VALUES (?, ?)", rows)
        return number

    def _put(self, body: bytes) -> int:
        digest = sha256(body).digest()
        number = self._known.get(digest)
        if number is None:
            if len(self._known) >= _KNOWN:
                self._known.clear()
            number = self._known[digest] = self._stored(digest, body)
        return number

    def _stored(self, digest: bytes, body: bytes) -> int:
        made = self._connection.execute(
            "INSERT OR IGNORE INTO texts (hash, body) VALUES (?, ?)", (digest, body)
        )
        if made.rowcount:
            assert made.lastrowid is not None
            return made.lastrowid
        (number,) = self._connection.execute("SELECT id FROM texts WHERE hash = ?", (digest,)).fetchone()
        return int(number)


class TextReader:
    """Reads texts, each once: cells that share a text share the object."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._texts: dict[int, str] = {}
        self._values: dict[tuple[int, type], object] = {}

    def text(self, number: int) -> str:
        """The text of a number. Raises KeyError where there is none."""
        if number not in self._texts:
            self._texts[number] = self._body(number).decode("utf-8", "surrogatepass")
        return self._texts[number]

    def maybe(self, number: int | None) -> str | None:
        """The text of a number; None without one."""
        return None if number is None else self.text(number)

    def json(self, number: int) -> Any:
        """What `put_json` was given."""
        return loads(self._body(number))

    def value(self, kind: type[T], number: int) -> T:
        """What `put_value` was given."""
        known = self._values.get((number, kind))
        if known is None:
            known = self._values[number, kind] = decode(kind, self.json(number), self.text)
        assert isinstance(known, kind)
        return known

    def _body(self, number: int) -> bytes:
        row = self._connection.execute("SELECT body FROM texts WHERE id = ?", (number,)).fetchone()
        if row is None:
            raise KeyError(f"text {number}")
        body: bytes = row[0]
        return body


def remove_orphans(connection: sqlite3.Connection) -> None:
    """Removes what no cell and no trial mentions, within the caller's transaction."""
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS used (id INTEGER PRIMARY KEY)")
    connection.execute("DELETE FROM used")
    for column, table in (
        ("delivery", "cells"),
        ("tools", "trials"),
        ("decision", "trials"),
        ("error", "trials"),
        ("raw", "trials"),
        ("log", "trials"),
        ("exchange", "trials"),
    ):
        connection.execute(
            f"INSERT OR IGNORE INTO used SELECT {column} FROM {table} WHERE {column} IS NOT NULL"
        )
    connection.execute("DELETE FROM parts WHERE whole NOT IN (SELECT id FROM used)")
    connection.execute("INSERT OR IGNORE INTO used SELECT part FROM parts")
    connection.execute("DELETE FROM texts WHERE id NOT IN (SELECT id FROM used)")
