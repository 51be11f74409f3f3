"""A table of an SQL database by its URL, asked through SQLAlchemy where it lies, and only read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
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
from workbench.capture.guessing import guess, is_half, is_log
from workbench.capture.sources.record import Record
from workbench.capture.turns import Columns, Place, Unit
from workbench.core.errors import Problem, UsageError, WorkbenchError
from workbench.core.mask import Masker

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection, Select, Table

__all__ = ["DatabaseStore", "is_url"]

_AT_ONCE = 1_000
_SAMPLE = 200
_MOST_TABLES = 500


def is_url(log: str) -> bool:
    """Whether an argument is the URL of a database and no path."""
    scheme, mark, _ = log.partition("://")
    return bool(mark) and scheme.replace("+", "").replace("_", "").isalnum()


class DatabaseStore:
    """One table or view. Its session can only read, where the database has such a thing."""

    def __init__(self, url: str, table: str | None, columns: Columns) -> None:
        """Finds the table. Raises WorkbenchError where it cannot be reached, or none is like a log."""
        try:
            import sqlalchemy
        except ImportError:
            raise WorkbenchError(missing_library("sqlalchemy")) from None
        self._sql: Any = sqlalchemy
        try:
            parsed = sqlalchemy.make_url(url)
        except sqlalchemy.exc.ArgumentError:
            message, hint = "this URL of a database cannot be read", "postgresql://USER@HOST/DATABASE"
            raise UsageError(Problem(message, hint=hint)) from None
        if parsed.drivername in ("postgresql", "postgres"):
            parsed = parsed.set(drivername="postgresql+psycopg")
        self._masker = Masker([str(parsed.password)] if parsed.password else [])
        self.name = self._masker.text(parsed.render_as_string(hide_password=True))
        with self._told():
            self._engine = sqlalchemy.create_engine(parsed, poolclass=sqlalchemy.pool.NullPool)
            self._connection: Connection = self._engine.connect()
        try:
            with self._told():
                self._only_read()
                self._table: Table = self._find(table, columns)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._connection.close()
        self._engine.dispose()

    def count(self) -> int:
        sql = self._sql
        with self._told():
            return int(
                self._connection.execute(sql.select(sql.func.count()).select_from(self._table)).scalar_one()
            )

    def sample(self, most: int) -> list[dict[str, Any]]:
        return self._sample(self._table, most)

    def growth(self, asked: Asked) -> Growth:
        sql = self._sql
        typed, routed = self._typed_size(asked), self._routed_size(asked)
        called, grew = self._called(asked), routed > asked.ratio * typed
        one = sql.literal_column("1")
        with self._told():
            counts = self._connection.execute(
                sql.select(
                    sql.func.count(typed),
                    sql.func.count(routed),
                    sql.func.count(routed + typed),
                    sql.func.count(sql.case((sql.and_(grew, called), one))),
                    sql.func.count(sql.case((sql.and_(grew, sql.not_(called)), one))),
                ).select_from(self._table)
            ).one()
        longest = self._selected(asked).where(grew, called).order_by(routed.desc()).limit(asked.shown)
        typed_count, routed_count, both, grown, uncalled = (int(count) for count in counts)
        rows = list(self._records(longest))
        return Growth(typed_count, routed_count, both, grown, uncalled, rows)

    def heads(self, asked: Asked, most: int) -> list[tuple[str, int]]:
        if not asked.has_text:
            return []
        sql = self._sql
        head = sql.func.substr(self._routed(asked), 1, asked.head).label("head")
        count = sql.func.count().label("n")
        inner = sql.select(head).select_from(self._table).subquery()
        column = inner.c.head
        query = sql.select(column, count).where(column.is_not(None)).group_by(column)
        with self._told():
            found = self._connection.execute(query.order_by(count.desc()).limit(most)).all()
        return [(str(text), int(number)) for text, number in found]

    def uses(self, asked: Asked, most: int) -> list[Uses]:
        sql = self._sql
        grew = self._routed_size(asked) > asked.ratio * self._typed_size(asked)
        inner = (
            sql.select(
                self._text(asked, "tools").label("tools"),
                (self._text(asked, "ingress") if "ingress" in asked.columns else sql.null()).label("ingress"),
                sql.case((grew, 1)).label("grew"),
            )
            .where(self._called(asked))
            .subquery()
        )
        turns = sql.func.count().label("turns")
        query = sql.select(inner.c.tools, inner.c.ingress, turns, sql.func.count(inner.c.grew))
        query = query.group_by(inner.c.tools, inner.c.ingress).order_by(turns.desc()).limit(most)
        with self._told():
            found = self._connection.execute(query).all()
        return [Uses(tools, ingress, int(count), int(grown)) for tools, ingress, count, grown in found]

    def rows(self, asked: Asked, most: int | None) -> Iterator[Record]:
        query = self._selected(asked)
        if most is not None:
            if "time" in asked.columns:
                query = query.order_by(self._table.c[asked.columns["time"]].desc())
            query = query.limit(most)
        return self._records(query)

    def _only_read(self) -> None:
        sql, kind = self._sql, self._engine.dialect.name
        if kind == "postgresql":
            self._connection = self._connection.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )
        elif kind == "sqlite":
            self._connection.execute(sql.text("PRAGMA query_only = ON"))
        elif kind in ("mysql", "mariadb"):
            self._connection.execute(sql.text("SET SESSION TRANSACTION READ ONLY"))
            self._connection.commit()

    def _find(self, name: str | None, columns: Columns) -> Table:
        """The table that is called so, else the only one that is like a log of turns."""
        sql = self._sql
        look = sql.inspect(self._connection)
        if name is not None:
            there = {*look.get_table_names(), *look.get_view_names()}
            schema, _, own = ("", "", name) if name in there else name.rpartition(".")
            try:
                options = {"schema": schema or None, "autoload_with": self._connection}
                made: Table = sql.Table(own, sql.MetaData(), **options)
                return made
            except sql.exc.NoSuchTableError:
                names = [*look.get_table_names(), *look.get_view_names()]
                hint = f"there are: {', '.join(names[:20]) or 'none'}; one of another schema is SCHEMA.TABLE"
                raise UsageError(Problem(f"there is no table {name!r} in {self.name}", hint=hint)) from None
        given = columns.given()
        found: list[Table] = []
        halves: list[Table] = []
        names = [*look.get_table_names(), *look.get_view_names()][:_MOST_TABLES]
        for own in names:
            table = sql.Table(own, sql.MetaData(), autoload_with=self._connection)
            if given and not set(given.values()) <= set(table.c.keys()):
                continue
            sample = self._sample(table, _SAMPLE) or [dict.fromkeys(table.c.keys())]
            mapped = guess(sample, given)
            if given or is_log(mapped):
                found.append(table)
            elif is_half(mapped):
                halves.append(table)
        found = found or halves
        if len(found) == 1:
            return found[0]
        listed = ", ".join(str(table.name) for table in found) or ", ".join(names[:20]) or "no tables"
        message = "several tables look" if found else "no table looks"
        hint = f"name one: --table TABLE --typed COLUMN --wrapped COLUMN. There are: {listed}"
        raise UsageError(Problem(f"{message} like a log of turns in {self.name}", hint=hint))

    def _sample(self, table: Table, most: int) -> list[dict[str, Any]]:
        with self._told():
            found = self._connection.execute(self._sql.select(table).limit(most)).mappings()
            return [_plain(dict(row)) for row in found]

    def _selected(self, asked: Asked) -> Select[Any]:
        made: Select[Any] = self._sql.select(
            *(self._table.c[name] for name in dict.fromkeys(asked.columns.values()))
        )
        return made

    def _records(self, query: Select[Any]) -> Iterator[Record]:
        options = {"stream_results": True, "yield_per": _AT_ONCE}
        with self._told():
            found = self._connection.execute(query, execution_options=options)
            for number, row in enumerate(found.mappings(), 1):
                place = Place(self.name, number, Unit.RECORD, str(self._table.name))
                yield Record(_plain(dict(row)), place)

    def _text(self, asked: Asked, field: str) -> Any:
        sql = self._sql
        if field not in asked.columns:
            return sql.cast(sql.null(), sql.Text())
        column = self._table.c[asked.columns[field]]
        is_text = isinstance(column.type, sql.String) and not isinstance(column.type, sql.Enum)
        return column if is_text else sql.cast(column, sql.Text())

    def _routed(self, asked: Asked) -> ColumnElement[Any]:
        return self._first([self._text(asked, name) for name in READ_TEXTS if name in asked.columns])

    def _routed_size(self, asked: Asked) -> ColumnElement[Any]:
        return self._size(asked, ("scanned", "wrapped"), "wrapped_length")

    def _typed_size(self, asked: Asked) -> ColumnElement[Any]:
        return self._size(asked, ("typed",), "typed_length")

    def _size(self, asked: Asked, texts: tuple[str, ...], length: str) -> ColumnElement[Any]:
        found = [self._length(self._text(asked, name)) for name in texts if name in asked.columns]
        if length in asked.columns:
            found.append(self._sql.cast(self._table.c[asked.columns[length]], self._sql.Integer()))
        return self._first(found)

    def _first(self, found: list[ColumnElement[Any]]) -> ColumnElement[Any]:
        if len(found) == 1:
            return found[0]
        sql = self._sql
        made: ColumnElement[Any] = sql.func.coalesce(*found) if found else sql.cast(sql.null(), sql.Integer())
        return made

    def _length(self, text: ColumnElement[Any]) -> ColumnElement[Any]:
        """In characters: some databases count bytes, where they are not told better."""
        kind = self._engine.dialect.name
        name = {"mysql": "char_length", "mariadb": "char_length", "mssql": "len"}.get(kind, "length")
        found: ColumnElement[Any] = getattr(self._sql.func, name)(text, type_=self._sql.Integer())
        return found

    def _called(self, asked: Asked) -> Any:
        """Whether a tool was called; true where that is not logged."""
        sql = self._sql
        outcome = sql.func.lower(self._text(asked, "outcome"))
        if "tools" not in asked.columns:
            if "outcome" not in asked.columns:
                return sql.true()
            return sql.func.coalesce(outcome, "").in_(FIRED)
        tools = self._text(asked, "tools")
        called = sql.and_(tools.is_not(None), tools.not_in(EMPTY_TOOLS))
        if "outcome" not in asked.columns:
            return called
        return sql.and_(called, sql.func.coalesce(outcome, "").not_in(HELD))

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What the database or its driver says, without the password. Raises WorkbenchError."""
        sql = self._sql
        try:
            yield
        except sql.exc.NoSuchModuleError as error:
            said = self._masker.text(str(error))
            hint = "install the driver of that database, and name it: DATABASE+DRIVER://…"
            raise WorkbenchError(Problem(said, hint=hint)) from None
        except ModuleNotFoundError as error:
            hint = missing_library("psycopg") if error.name == "psycopg" else "install it"
            raise WorkbenchError(Problem(f"the driver {error.name} is not installed", hint=hint)) from None
        except sql.exc.SQLAlchemyError as error:
            cause = getattr(error, "orig", None) or error
            lines = [line.strip() for line in str(cause).splitlines() if line.strip()]
            said = self._masker.text(lines[0] if lines else type(cause).__name__)
            raise WorkbenchError(Problem(f"{self.name}: {said}")) from None


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """Values as a log would have them: times, ids and bytes as text."""
    for name, value in row.items():
        if isinstance(value, bytes):
            row[name] = value.decode("utf-8", "surrogateescape")
        elif value is not None and not isinstance(value, str | int | float | list | dict):
            row[name] = str(value)
    return row
