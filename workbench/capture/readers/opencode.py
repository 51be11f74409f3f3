"""opencode: messages in parts, of which some were put in by the program, in SQLite or in older files."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from workbench.capture.readers.fields import at, moment, parsed, plain, text
from workbench.capture.readers.gathering import Draft, Gathering
from workbench.capture.sources.record import Read
from workbench.capture.sources.tables import Tables, rows
from workbench.capture.turns import Fault, Place, Skipped, Unit, Who

__all__ = ["NAME", "fits", "is_folder", "read", "read_folder"]

NAME = "opencode"


def fits(tables: Tables) -> bool:
    """Whether a database is one of opencode's."""
    parts, messages = tables.get("part", ()), tables.get("message", ())
    return {"message_id", "data"} <= set(parts) and {"session_id", "data"} <= set(messages)


def is_folder(path: Path) -> bool:
    """Whether a folder is the storage of an older release."""
    return (path / "message").is_dir() and (path / "part").is_dir()


def read(connection: sqlite3.Connection, file: str, after: int) -> Iterator[Read]:
    """A turn per user message behind that row."""
    reader = _Messages()
    for row in rows(connection, file, "message", after):
        if isinstance(row, Skipped):
            yield row
            continue
        data, key = parsed(row.value.get("data")), plain(row.value.get("id"))
        found = connection.execute("SELECT data FROM part WHERE message_id = ? ORDER BY id", (key,))
        parts = [parsed(part) for (part,) in found]
        for part in parts:
            if not isinstance(part, dict):
                yield Skipped(row.place, Fault.TORN, "a part of this message")
        yield from reader.take(row.place, key, plain(row.value.get("session_id")), data, parts)
    yield from reader.end()


def read_folder(folder: Path) -> Iterator[Read]:
    """A turn per user message of all sessions in the files of an older release."""
    reader = _Messages()
    for path in sorted((folder / "message").glob("*/*.json")):
        place = Place(str(path), 1, Unit.RECORD)
        data = _loaded(path)
        if isinstance(data, Skipped):
            yield data
            continue
        key = plain(at(data, "id")) or path.stem
        parts = []
        for part in sorted((folder / "part" / key).glob("*.json")) if "/" not in key else ():
            loaded = _loaded(part)
            if isinstance(loaded, Skipped):
                yield loaded
            else:
                parts.append(loaded)
        yield from reader.take(place, key, plain(at(data, "sessionID")) or path.parent.name, data, parts)
    yield from reader.end()


def _loaded(path: Path) -> Any:
    place = Place(str(path), 1, Unit.RECORD)
    try:
        data = path.read_bytes()
        return Skipped(place, Fault.NUL) if b"\0" in data else json.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        return Skipped(place, Fault.NOT_UTF8, f"offset {error.start}")
    except (ValueError, RecursionError, OSError) as error:
        return Skipped(place, Fault.TORN, str(error))


class _Messages:
    """Messages in order. What is called until the next user message of a session belongs to the last one."""

    def __init__(self) -> None:
        self._open: Gathering[Draft] = Gathering(Draft.weight)

    def take(
        self, place: Place, key: str | None, session: str | None, data: Any, parts: Sequence[Any]
    ) -> Iterator[Read]:
        role = at(data, "role")
        if role not in ("user", "assistant"):
            yield Skipped(place, Fault.UNKNOWN, "no message of a user or an assistant")
            return
        if role == "assistant":
            if (draft := self._open.get(session or "")) is not None:
                draft.called(*_tools(parts))
            return
        if (before := self._open.take(session or "")) is not None:
            yield before.turn()
        draft = Draft(place, NAME, id=key, session=session, time=moment(at(data, "time", "created")))
        _words(draft, parts)
        yield from (closed.turn() for closed in self._open.put(session or "", draft))

    def end(self) -> Iterable[Read]:
        return (draft.turn() for draft in self._open.rest())


def _words(draft: Draft, parts: Sequence[Any]) -> None:
    """What was typed are the parts that the program did not put in."""
    given = [
        (part, words)
        for part in parts
        if at(part, "type") == "text" and (words := text(part.get("text"))) is not None
    ]
    own = [
        words
        for part, words in given
        if part.get("synthetic") is not True and part.get("ignored") is not True
    ]
    draft.wrapped = "\n".join(words for _, words in given)
    draft.parts = tuple(words for _, words in given) if len(given) > 1 else ()
    draft.typed = "\n".join(own)
    if given and not own:
        draft.who, draft.typed = Who.SYNTHETIC, None
    if any(at(part, "type") == "compaction" for part in parts):
        draft.who, draft.typed = Who.COMPACTION, None
    attached = (text(at(part, "source", "text", "value")) for part in parts if at(part, "type") == "file")
    draft.documents = tuple(words for words in attached if words)


def _tools(parts: Sequence[Any]) -> list[str]:
    return [name for part in parts if at(part, "type") == "tool" and (name := text(part.get("tool")))]
