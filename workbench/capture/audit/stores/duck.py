"""Parquet, CSV and JSON lines of any size, asked through DuckDB."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.capture.audit.stores.store import (
    EMPTY_TOOLS,
    FIRED,
    HELD,
    READ_TEXTS,
    Asked,
    Growth,
    Uses,
    missing_library,
)
from workbench.capture.sources.record import Record
from workbench.capture.turns import Place, Unit
from workbench.core.errors import Mark, Problem, WorkbenchError

if TYPE_CHECKING:
    import duckdb

__all__ = ["DuckStore", "Laid"]

_PLAIN = ("VARCHAR", "BIGINT", "INTEGER", "DOUBLE", "BOOLEAN", "HUGEINT", "UBIGINT", "UINTEGER", "FLOAT")
_AT_ONCE = 1_000


class Laid(Enum):
    """How rows are laid out in a file."""

    PARQUET = "parquet"
    CSV = "csv"
    JSON_LINES = "json"


class DuckStore:
    """The rows of some files of one layout. Nothing is written but what a query needs on the side."""

    def __init__(self, files: Sequence[Path], laid: Laid) -> None:
        """Raises WorkbenchError where they cannot be read, or DuckDB is not there."""
        try:
            import duckdb
        except ImportError:
            raise WorkbenchError(missing_library("duckdb")) from None
        self.name = str(files[0])
        self._numbered = laid is Laid.PARQUET
        self._several = len(files) > 1
        self._error: type[Exception] = duckdb.Error
        self._aside = Path(tempfile.mkdtemp(prefix="workbench-audit-"))
        self._closed = False
        self._connection: duckdb.DuckDBPyConnection = duckdb.connect(
            config={
                "temp_directory": str(self._aside),
                "autoinstall_known_extensions": "false",
                "autoload_known_extensions": "false",
            }
        )
        try:
            self._make_view(_reading(files, laid))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._connection.close()
            shutil.rmtree(self._aside, ignore_errors=True)

    def count(self) -> int:
        return int(self._rows("SELECT count(*) FROM log")[0][0])

    def sample(self, most: int) -> list[dict[str, Any]]:
        return [record.value for record in self._records(f"SELECT * FROM log LIMIT {most:d}")]

    def growth(self, asked: Asked) -> Growth:
        key = "{'file': filename, 'row': file_row_number}" if self._several else "{'row': file_row_number}"
        key = key if self._numbered else _struct(asked)
        called, routed, grew = _called(asked), _routed_size(asked), _grew(asked)
        typed, given = (_first([_quoted(name) for name in asked.side(side)]) for side in ("typed", "routed"))
        (counted,) = self._rows(f"SELECT count(*), count({typed}), count({given}) FROM log")
        total, typed_count, routed_count = map(int, counted)
        both = min(typed_count, routed_count)
        if max(typed_count, routed_count) < total and both:
            among = f"{typed} IS NOT NULL AND {given} IS NOT NULL"
            both = int(self._rows(f"SELECT count(*) FROM log WHERE {among}")[0][0])
        # Most turns are as long as typed: what else is asked of them is asked of the others alone.
        ((grown, found, longest),) = self._rows(
            f"SELECT count(*), count(*) FILTER ({called}),"
            f" max_by({key}, {routed}, {asked.shown:d}) FILTER ({called}) FROM log WHERE {grew}"
        )
        rows = list(self._behind(longest or [], asked))
        return Growth(typed_count, routed_count, both, int(found), int(grown) - int(found), rows)

    def heads(self, asked: Asked, most: int) -> list[tuple[str, int]]:
        if not asked.has_text:
            return []
        found = self._rows(
            f"SELECT substr({_routed(asked)}, 1, {asked.head:d}) AS head, count(*) AS n FROM log"
            f" GROUP BY head ORDER BY n DESC LIMIT {most + 1:d}"
        )
        return [(head, int(count)) for head, count in found if head is not None][:most]

    def uses(self, asked: Asked, most: int) -> list[Uses]:
        tools, ingress = _column(asked, "tools"), _column(asked, "ingress") or "NULL"
        found = self._rows(
            f"SELECT {tools}, {ingress}, count(*), count(*) FILTER ({_grew(asked)}) FROM log"
            f" WHERE {_called(asked)} GROUP BY 1, 2 ORDER BY 3 DESC LIMIT {most:d}"
        )
        return [Uses(tools, place, int(turns), int(grown)) for tools, place, turns, grown in found]

    def rows(self, asked: Asked, most: int | None) -> Iterator[Record]:
        return self._records(self._select(asked) + ("" if most is None else f" LIMIT {most:d}"))

    def _select(self, asked: Asked) -> str:
        columns = ", ".join(dict.fromkeys(map(_quoted, asked.columns.values())))
        return f"SELECT {columns}{', filename, file_row_number' if self._numbered else ''} FROM log"

    def _make_view(self, source: str) -> None:
        described = self._rows(f"DESCRIBE SELECT * FROM {source}")
        own = ("filename", "file_row_number") if self._numbered else ()
        columns = ", ".join(_told(name, kind) for name, kind, *_ in described if name not in own)
        for name in own:
            columns += f", {name}"
        self._rows(f"CREATE VIEW log AS SELECT {columns} FROM {source}")

    def _behind(self, keys: Sequence[dict[str, Any]], asked: Asked) -> Iterator[Record]:
        """The rows of some keys, in that order: a key is a place in a file, or the row itself."""
        if not self._numbered:
            yield from (Record(key, Place(self.name, 1, Unit.ROW)) for key in keys)
            return
        if not keys:
            return
        numbers = ", ".join(str(int(key["row"])) for key in keys)
        found = {
            (record.place.file, record.place.number): record
            for record in self._records(f"{self._select(asked)} WHERE file_row_number IN ({numbers})")
        }
        yield from (found[key.get("file", self.name), int(key["row"]) + 1] for key in keys)

    def _records(self, query: str) -> Iterator[Record]:
        try:
            # A cursor of its own: the rows are still read while other queries are asked.
            cursor = self._connection.cursor().execute(query)
            names = [column[0] for column in cursor.description or ()]
            number = 0
            while rows := cursor.fetchmany(_AT_ONCE):
                for row in rows:
                    number += 1
                    value = dict(zip(names, row, strict=True))
                    file = str(value.pop("filename", self.name))
                    place = Place(file, int(value.pop("file_row_number", number - 1)) + 1, Unit.ROW)
                    yield Record(value, place)
        except self._error as error:
            raise self._broken(error) from None

    def _rows(self, query: str) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(query).fetchall()
        except self._error as error:
            raise self._broken(error) from None

    def _broken(self, error: Exception) -> WorkbenchError:
        said = (str(error).splitlines() or ["it gave no reason"])[0]
        return WorkbenchError(Problem(f"DuckDB cannot read it: {said}", Mark(self.name)))


def _reading(files: Sequence[Path], laid: Laid) -> str:
    listed = ", ".join(_literal(_no_pattern(str(path))) for path in files)
    if laid is Laid.PARQUET:
        return f"read_parquet([{listed}], filename = true, file_row_number = true, union_by_name = true)"
    if laid is Laid.CSV:
        return f"read_csv([{listed}], all_varchar = true, header = true, union_by_name = true)"
    return (
        f"read_json([{listed}], format = 'newline_delimited', union_by_name = true,"
        " maximum_object_size = 67108864, convert_strings_to_integers = false, dateformat = '',"
        " timestampformat = '')"
    )


def _told(name: str, kind: str) -> str:
    """A column as text or number: a list of names as JSON."""
    column = _quoted(name)
    if kind in _PLAIN:
        return column
    if kind == "BLOB":  # so some writers of Parquet keep all text
        return f"coalesce(try(decode({column})), CAST({column} AS VARCHAR)) AS {column}"
    if kind.endswith("[]") or kind.startswith(("STRUCT", "MAP", "JSON", "UNION")):
        return f"CAST(to_json({column}) AS VARCHAR) AS {column}"
    return f"CAST({column} AS VARCHAR) AS {column}"


def _column(asked: Asked, field: str) -> str | None:
    return _quoted(asked.columns[field]) if field in asked.columns else None


def _text(asked: Asked, field: str) -> str | None:
    column = _column(asked, field)
    return None if column is None else f"CAST({column} AS VARCHAR)"


def _routed(asked: Asked) -> str:
    """What was read: as the router says, else as it was given; else its head."""
    return _first([text for field in READ_TEXTS if (text := _text(asked, field))])


def _routed_size(asked: Asked) -> str:
    return _size(asked, ("scanned", "wrapped"), "wrapped_length")


def _size(asked: Asked, texts: Sequence[str], length: str) -> str:
    found = [f"length({text})" for field in texts if (text := _text(asked, field))]
    if (column := _column(asked, length)) is not None:
        found.append(f"CAST({column} AS BIGINT)")
    return _first(found)


def _grew(asked: Asked) -> str:
    """Whether it is so many times as long. Bytes are counted at once, and characters only where those allow
    it: a character has at most four.
    """
    ratio = f"{asked.ratio:.0f}" if asked.ratio.is_integer() else repr(asked.ratio)
    typed = _size(asked, ("typed",), "typed_length")
    grew = f"{_routed_size(asked)} > {ratio} * {typed}"
    texts = [_text(asked, field) for field in ("scanned", "wrapped") if field in asked.columns]
    if (
        len(texts) != 1
        or "typed" not in asked.columns
        or {"typed_length", "wrapped_length"} & asked.columns.keys()
    ):
        return f"({grew})"
    return f"(4 * strlen({texts[0]}) > {ratio} * strlen({_text(asked, 'typed')}) AND {grew})"


def _first(found: Sequence[str]) -> str:
    """The first that is not null; null without any."""
    if len(found) == 1:
        return found[0]
    return f"coalesce({', '.join(found)})" if found else "CAST(NULL AS BIGINT)"


def _called(asked: Asked) -> str:
    """Whether a tool was called; true where that is not logged."""
    tools, outcome = _text(asked, "tools"), _text(asked, "outcome")
    if tools is None:
        return "true" if outcome is None else f"coalesce(lower({outcome}) IN {_listed(FIRED)}, false)"
    # What is longer than any word for none need not be compared: that takes most of the time.
    longest = max(map(len, EMPTY_TOOLS))
    some = f"CASE WHEN strlen({tools}) > {longest} THEN true ELSE {tools} NOT IN {_listed(EMPTY_TOOLS)} END"
    called = f"coalesce({some}, false)" if outcome is not None else some
    return (
        called if outcome is None else f"{called} AND coalesce(lower({outcome}) NOT IN {_listed(HELD)}, true)"
    )


def _struct(asked: Asked) -> str:
    columns = dict.fromkeys(asked.columns.values())
    return "{" + ", ".join(f"{_literal(name)}: {_quoted(name)}" for name in columns) + "}"


def _listed(values: Sequence[str]) -> str:
    return f"({', '.join(map(_literal, values))})"


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _no_pattern(path: str) -> str:
    """A path with marks that would make a pattern of it as themselves."""
    return "".join(f"[{char}]" if char in "*?[" else char for char in path)
