"""The log of the `llm` command: what was typed, and the fragments that were put before it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from workbench.capture.readers.fields import moment, plain, text
from workbench.capture.readers.gathering import Draft
from workbench.capture.sources.record import Read
from workbench.capture.sources.tables import Tables, rows
from workbench.capture.turns import Skipped

__all__ = ["NAME", "fits", "read"]

NAME = "simonw-llm"


def fits(tables: Tables) -> bool:
    """Whether a database is such a log."""
    return {"prompt", "response", "conversation_id", "model"} <= set(tables.get("responses", ()))


def read(connection: sqlite3.Connection, file: str, after: int) -> Iterator[Read]:
    """A turn per response behind that row, its text put together as the command did: by line feeds."""
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master").fetchall()}
    for row in rows(connection, file, "responses", after):
        if isinstance(row, Skipped):
            yield row
            continue
        key = plain(row.value.get("id"))
        draft = Draft(row.place, NAME, id=key, session=plain(row.value.get("conversation_id")))
        draft.time = moment(row.value.get("datetime_utc"))
        draft.typed = text(row.value.get("prompt")) or ""
        if {"fragments", "prompt_fragments"} <= names:
            found = connection.execute(_FRAGMENTS, (key,)).fetchall()
            draft.documents = tuple(str(content) for (content,) in found)
        draft.parts = (*draft.documents, draft.typed) if draft.documents else ()
        draft.wrapped = "\n".join(draft.parts) if draft.documents else draft.typed
        if "tool_calls" in names:
            calls = connection.execute(
                "SELECT name FROM tool_calls WHERE response_id = ? ORDER BY id", (key,)
            )
            draft.called(*(str(name) for (name,) in calls))
        yield draft.turn()


_FRAGMENTS = (
    "SELECT f.content FROM prompt_fragments p JOIN fragments f ON f.id = p.fragment_id"
    ' WHERE p.response_id = ? ORDER BY p."order"'
)
