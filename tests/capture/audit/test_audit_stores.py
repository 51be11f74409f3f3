"""Audits of turns where they lie: Parquet, large files of columns, SQLite by URL, a real PostgreSQL."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from postgres import NoPostgres, postgres

from workbench.capture.audit.auditing import audit_logs
from workbench.capture.audit.request import Request
from workbench.capture.audit.result import Audit, Kind
from workbench.capture.turns import Columns, LogOptions
from workbench.core.errors import WorkbenchError

duckdb = pytest.importorskip("duckdb")
sqlalchemy = pytest.importorskip("sqlalchemy")

CHANNEL = '<in channel="chat">\n{}\n</in>'


def turns() -> list[dict[str, Any]]:
    """Of 300 turns 60 are wrapped, 40 have a page folded in, of which 20 called a tool and 10 called none."""
    made = []
    for number in range(300):
        typed = f"what is on {number % 7} 🎈"
        routed, tools = typed, None
        if number % 5 == 0:
            routed = CHANNEL.format(typed)
        elif number % 15 in (1, 2):
            routed = f"{typed}\n\n<document>{'page ' * (30 + number % 15)}</document>"
            tools = ("calendar::list", "mail::send", "[]", None)[number % 4]
        made.append(
            {"turn_id": f"t{number}", "user_text": typed, "router_input": routed, "tools_called": tools}
        )
    return made


TURNS = turns()
GREW = [turn for turn in TURNS if len(turn["router_input"]) > 4 * len(turn["user_text"])]
VICTIMS = [turn for turn in GREW if turn["tools_called"] not in (None, "[]")]


def check(audit: Audit) -> None:
    """Against the turns themselves."""
    assert audit.turns == len(TURNS)
    assert audit.asked[Kind.OUTGROWN] == len(TURNS)
    assert audit.found[Kind.OUTGROWN] == len(VICTIMS) > 0
    assert audit.uncalled == len(GREW) - len(VICTIMS) > 0
    longest = sorted((len(turn["router_input"]) for turn in VICTIMS), reverse=True)
    assert [victim.routed_size for victim in audit.victims] == longest[:20]
    by_id = {turn["turn_id"]: turn for turn in TURNS}
    for victim in audit.victims:
        turn = by_id[victim.id or ""]
        assert (victim.typed_size, victim.tools) == (len(turn["user_text"]), (turn["tools_called"],))
    assert audit.heads[0].turns == max(head.turns for head in audit.heads)
    assert sum(head.turns for head in audit.heads if head.head.startswith("<in")) == 60
    assert all(head.is_framing == head.head.startswith("<in") for head in audit.heads)
    uses = {use.tool: (use.turns, use.outgrown) for use in audit.uses}
    for tool in ("calendar::list", "mail::send"):
        called = [turn for turn in TURNS if turn["tools_called"] == tool]
        assert uses[tool] == (len(called), len([turn for turn in called if turn in GREW]))
    assert audit.found[Kind.UNKNOWN] == 60 + len([t for t in TURNS if "<document>" in t["router_input"]])
    assert audit.gaps == ()


def as_parquet(path: Path, rows: list[dict[str, Any]] = TURNS) -> Path:
    source = path.with_suffix(".source.jsonl")
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    with duckdb.connect() as connection:
        connection.execute(f"COPY (SELECT * FROM read_json('{source}')) TO '{path}' (FORMAT parquet)")
    source.unlink()
    return path


def test_parquet(tmp_path: Path) -> None:
    check(audit_logs([str(as_parquet(tmp_path / "turns.parquet"))], Request())[0])


def test_several_parquet_files_of_a_folder_with_marks_in_its_name(tmp_path: Path) -> None:
    folder = tmp_path / "a[b]*'c"
    folder.mkdir()
    as_parquet(tmp_path / "1.parquet", TURNS[:100]).rename(folder / "1.parquet")
    as_parquet(tmp_path / "2.parquet", TURNS[100:]).rename(folder / "2.parquet")
    check(audit_logs([str(folder)], Request())[0])


def test_jsonl_and_csv_say_the_same_read_or_queried(tmp_path: Path) -> None:
    lines = tmp_path / "turns.jsonl"
    lines.write_text("".join(json.dumps(turn) + "\n" for turn in TURNS), "utf-8")
    table = tmp_path / "turns.csv"
    with duckdb.connect() as connection:
        connection.execute(f"COPY (SELECT * FROM read_json('{lines}')) TO '{table}' (HEADER)")
    for path in (lines, table):
        read, _ = audit_logs([str(path)], Request())
        queried, _ = audit_logs([str(path)], Request(), large=1)
        check(read)
        check(queried)


def test_a_torn_line_of_a_large_file_costs_itself_alone(tmp_path: Path) -> None:
    lines = tmp_path / "turns.jsonl"
    text = "".join(json.dumps(turn) + "\n" for turn in TURNS)
    lines.write_text(text + '{"turn_id": "t9", "user_te', "utf-8")
    audit, _ = audit_logs([str(lines)], Request(), large=1)
    assert audit.skipped == 1
    assert "301" in audit.skips[0]
    check(replace(audit, skipped=0))


def test_fewer_turns_are_read_one_by_one_than_there_are_and_it_says_so(tmp_path: Path) -> None:
    audit, _ = audit_logs([str(as_parquet(tmp_path / "turns.parquet"))], Request(look=50))
    assert (audit.turns, audit.looked_at) == (300, 50)
    assert audit.found[Kind.OUTGROWN] == len(VICTIMS)
    assert audit.asked[Kind.UNKNOWN] == 50


def test_messages_in_a_column_are_read_one_by_one(tmp_path: Path) -> None:
    rows = [
        {"id": n, "user_text": "hi you", "messages": [{"role": "user", "content": "[chat] " + "x" * 90}]}
        for n in range(30)
    ]
    audit, _ = audit_logs([str(as_parquet(tmp_path / "turns.parquet", rows))], Request())
    assert audit.looked_at == audit.turns == 30
    assert {victim.routed_size for victim in audit.victims} == {97}
    assert audit.notes


def test_a_file_without_the_routed_text_says_so(tmp_path: Path) -> None:
    rows = [{"turn_id": turn["turn_id"], "user_text": turn["user_text"]} for turn in TURNS]
    path = tmp_path / "half.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE turn_log (turn_id, user_text TEXT)")
        connection.execute("CREATE TABLE settings (key TEXT, value TEXT)")
        connection.executemany("INSERT INTO turn_log VALUES (:turn_id, :user_text)", rows)
    for log in (str(as_parquet(tmp_path / "half.parquet", rows)), str(path), f"sqlite:///{path}"):
        audit = audit_logs([log], Request())[0]
        assert (audit.turns, audit.heads) == (len(TURNS), ())
        assert audit.gaps


def test_text_that_parquet_keeps_as_bytes(tmp_path: Path) -> None:
    path = tmp_path / "bytes.parquet"
    as_parquet(tmp_path / "text.parquet")
    columns = "turn_id, encode(user_text) AS user_text, encode(router_input) AS router_input, tools_called"
    with duckdb.connect() as connection:
        connection.execute(
            f"COPY (SELECT {columns} FROM '{tmp_path / 'text.parquet'}') TO '{path}' (FORMAT parquet)"
        )
    check(audit_logs([str(path)], Request())[0])


def test_a_broken_parquet_file_is_an_error_and_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "turns.parquet"
    path.write_bytes(b"PAR1" + bytes(200))
    with pytest.raises(WorkbenchError, match=r"turns\.parquet"):
        audit_logs([str(path)], Request())


def test_sqlite_by_its_url_is_only_read(tmp_path: Path) -> None:
    path = tmp_path / "app.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "CREATE TABLE turn_log (turn_id, user_text TEXT, router_input TEXT, tools_called TEXT)"
        )
        connection.execute("CREATE TABLE users (name TEXT, mail TEXT)")
        connection.executemany(
            "INSERT INTO turn_log VALUES (:turn_id, :user_text, :router_input, :tools_called)", TURNS
        )
    before = path.read_bytes()
    check(audit_logs([f"sqlite:///{path}"], Request())[0])
    assert path.read_bytes() == before
    with pytest.raises(WorkbenchError, match="there is no table 'nope'"):
        audit_logs([f"sqlite:///{path}"], Request(options=LogOptions(table="nope")))


def test_a_password_stands_in_no_error() -> None:
    with pytest.raises(WorkbenchError) as caught:
        audit_logs(["postgresql://app:hunter2secret@127.0.0.1:1/none"], Request())
    assert "hunter2secret" not in str(caught.value)


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    pytest.importorskip("psycopg")
    try:
        with postgres() as url:
            yield url
    except NoPostgres as reason:
        pytest.skip(str(reason))


class TestPostgres:
    def test_a_table_is_audited_where_it_lies(self, database: str) -> None:
        fill(database, "turn_log", "text", TURNS)
        check(audit_logs([database], Request(options=LogOptions(table="turn_log")))[0])

    def test_arrays_and_json_of_tools(self, database: str) -> None:
        rows = [
            {**turn, "tools_called": None if turn["tools_called"] is None else tools(turn["tools_called"])}
            for turn in TURNS
        ]
        fill(database, "in_arrays", "text[]", rows)
        check(audit_logs([database], Request(options=LogOptions(table="in_arrays")))[0])

    def test_columns_that_no_one_could_guess(self, database: str) -> None:
        fill(database, "odd", "text", TURNS)
        rename = {"user_text": "a", "router_input": "b", "tools_called": "c", "turn_id": "d"}
        with connected(database) as connection:
            for old, new in rename.items():
                connection.exec_driver_sql(f"ALTER TABLE odd RENAME {old} TO {new}")
        columns = Columns(typed="a", wrapped="b", tools="c", id="d")
        check(audit_logs([database], Request(options=LogOptions(columns, table="odd")))[0])

    def test_a_table_with_a_dot_in_its_name(self, database: str) -> None:
        fill(database, '"turn.log"', "text", TURNS)
        check(audit_logs([database], Request(options=LogOptions(table="turn.log")))[0])
        with connected(database) as connection:
            connection.exec_driver_sql('DROP TABLE "turn.log"')

    def test_the_session_cannot_write(self, database: str) -> None:
        from workbench.capture.audit.stores.database import DatabaseStore

        fill(database, "kept", "text", TURNS[:5])
        store = DatabaseStore(database, "kept", Columns())
        try:
            with pytest.raises(sqlalchemy.exc.InternalError, match="read-only"):
                store._connection.exec_driver_sql("DELETE FROM kept")
        finally:
            store.close()

    def test_no_table_is_guessed_where_several_could_be(self, database: str) -> None:
        fill(database, "one", "text", TURNS[:5])
        fill(database, "two", "text", TURNS[:5])
        with pytest.raises(WorkbenchError, match="--table"):
            audit_logs([database], Request())


def tools(name: str) -> list[str]:
    return [] if name == "[]" else [name]


def connected(url: str) -> Any:
    made = sqlalchemy.make_url(url).set(drivername="postgresql+psycopg")
    return sqlalchemy.create_engine(made, poolclass=sqlalchemy.pool.NullPool).begin()


def fill(url: str, table: str, kind: str, rows: list[dict[str, Any]]) -> None:
    with connected(url) as connection:
        connection.exec_driver_sql(f"DROP TABLE IF EXISTS {table}")
        connection.exec_driver_sql(
            f"CREATE TABLE {table} (turn_id text, user_text text, router_input text, tools_called {kind})"
        )
        statement = sqlalchemy.text(
            f"INSERT INTO {table} VALUES (:turn_id, :user_text, :router_input, :tools_called)"
        )
        connection.execute(statement, rows)
