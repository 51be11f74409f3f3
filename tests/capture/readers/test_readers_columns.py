"""Logs of no known format: columns by name, by what stands inside what, or as given; CSV and SQLite."""

from __future__ import annotations

import base64
import csv
import io
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote_plus

import pytest
from log_samples import SECOND, TYPED
from test_readers_formats import read, told, write

from workbench.capture.guessing import guess
from workbench.capture.turns import Columns, Fault, LogOptions
from workbench.core.errors import UsageError, WorkbenchError

ROWS = [
    {"key": "a1", "words": TYPED, "chan": "chat", "final": f"[chat] {TYPED}", "answer": "Done."},
    {"key": "a2", "words": SECOND, "chan": "mail", "final": f"[mail] {SECOND}", "answer": "No."},
]
GIVEN = Columns(typed="words", wrapped="final", id="key", ingress="chan")


def as_csv(rows: list[dict[str, str]], delimiter: str = ",") -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode("utf-8")


def table(
    path: Path, *statements: str, rows: list[tuple[object, ...]] | None = None, insert: str = ""
) -> Path:
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(statement)
        if insert:
            connection.executemany(insert, rows or [])
    connection.close()
    return path


def test_what_stands_inside_what_tells_typed_from_wrapped() -> None:
    found = guess(ROWS, {})
    assert (found["typed"], found["wrapped"]) == ("words", "final")


ENCODERS = (
    lambda words: base64.b64encode(words.encode()).decode(),
    quote_plus,
    json.dumps,
    lambda words: words.replace("\n", "\n> "),
)


@pytest.mark.parametrize("encode", ENCODERS)
def test_words_that_a_path_encodes_are_found_within_too(encode: Callable[[str], str]) -> None:
    said = ('dim "the lamp"\nplease', "why & how?\nnow", "Zoë\nasked", "one two three\nfour")
    rows = [
        {"key": str(number), "what was said": text, "given": f"> {encode(text)} <"}
        for number, text in enumerate(said)
    ]
    found = guess(rows, {})
    assert (found["typed"], found["wrapped"]) == ("what was said", "given")


def test_a_label_that_stands_in_every_turn_is_not_what_was_typed() -> None:
    rows = [
        {"who": "kim", "body": f"kim says {text}", "raw": text}
        for text in ("one two", "three", "four", "five")
    ]
    assert guess(rows, {})["typed"] == "raw"


def test_names_outrank_what_stands_inside_what() -> None:
    rows = [{"user_text": TYPED, "router_input": "<doc> a page", "dump": f"{TYPED} and <doc> a page"}]
    found = guess(rows, {})
    assert (found["typed"], found["wrapped"]) == ("user_text", "router_input")


def test_columns_within_objects_are_dotted_paths(tmp_path: Path) -> None:
    lines = [
        json.dumps({"level": "info", "route": {"userText": r["words"], "routed": r["final"]}}) for r in ROWS
    ]
    turns, _ = read(write(tmp_path, "\n".join(lines).encode()))
    assert told(turns) == [(r["words"], r["final"], None) for r in ROWS]
    given = Columns(typed="route.routed", wrapped="route.userText")
    turns, _ = read(write(tmp_path, "\n".join(lines).encode()), LogOptions(columns=given))
    assert told(turns) == [(r["final"], r["words"], None) for r in ROWS]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_csv_with_any_delimiter(tmp_path: Path, delimiter: str) -> None:
    turns, skipped = read(write(tmp_path, b"\xef\xbb\xbf" + as_csv(ROWS, delimiter)))
    assert (told(turns), skipped) == ([(r["words"], r["final"], None) for r in ROWS], [])


def test_csv_keeps_line_feeds_and_quotes_and_lists_broken_rows(tmp_path: Path) -> None:
    words = 'say "hi"\nand, then,\n\nbye'
    rows = [{"typed": words, "wrapped": f"<m>{words}</m>"}, {"typed": "two", "wrapped": "<m>two</m>"}]
    data = as_csv(rows).replace(b"\r\n", b"\n")
    data += (
        b"too,many,cells\n"
        + b"torn\n"
        + b"caf\xe9,x\n"
        + b"nul\0,x\n"
        + b'never,"closed\n'
        + b"three,<m>three</m>"
    )
    turns, skipped = read(write(tmp_path, data))
    expected = [(row["typed"], row["wrapped"], None) for row in rows]
    assert told(turns) == [*expected, ("three", "<m>three</m>", None)]
    first = data.split(b"too,")[0].count(b"\n") + 1
    assert [(item.place.number, item.fault) for item in skipped] == [
        (first, Fault.SPLICED),
        (first + 1, Fault.TORN),
        (first + 2, Fault.NOT_UTF8),
        (first + 3, Fault.NUL),
        (first + 4, Fault.TORN),
    ]


def test_csv_keeps_the_line_ends_within_a_cell(tmp_path: Path) -> None:
    rows = [{"typed": words, "wrapped": f"A: b\r\n\r\n{words}\r\n.\n"} for words in ("one", "two\r\nthree")]
    turns, skipped = read(write(tmp_path, as_csv(rows)))
    assert (told(turns), skipped) == ([(row["typed"], row["wrapped"], None) for row in rows], [])


def test_a_cell_with_lines_of_json_makes_no_json_of_the_table(tmp_path: Path) -> None:
    cells = ('{"q": "%s"}', '{\n  "q": "%s"\n}', "{'q': '%s'}")
    rows = [
        {"typed": words, "wrapped": f"Pick:\n{cell % words}\nEnd."}
        for words in ("one", "two")
        for cell in cells
    ]
    turns, skipped = read(write(tmp_path, as_csv(rows)))
    assert (told(turns), skipped) == ([(row["typed"], row["wrapped"], None) for row in rows], [])


def test_a_carriage_return_outside_of_quotes_costs_one_row(tmp_path: Path) -> None:
    data = b'typed,wrapped\none,"<m>one</m>"\nt\rwo,"<m>two</m>"\nthree,"<m>three</m>"\n'
    turns, skipped = read(write(tmp_path, data))
    assert [turn.typed for turn in turns] == ["one", "three"]
    assert [(item.place.number, item.fault) for item in skipped] == [(3, Fault.SPLICED)]


def test_the_posts_table_and_query_columns(tmp_path: Path) -> None:
    path = table(
        tmp_path / "log.db",
        "CREATE TABLE turn_log(turn_id TEXT, user_text TEXT, router_input TEXT, tools_called TEXT)",
        "CREATE TABLE routing_decisions(scanned_text TEXT, ts REAL)",
        "CREATE TABLE settings(key TEXT, value TEXT)",
        "INSERT INTO routing_decisions VALUES ('<msg from=\"kim\">', 1.5)",
        "INSERT INTO settings VALUES ('theme', 'dark')",
        insert="INSERT INTO turn_log VALUES (?, ?, ?, ?)",
        rows=[
            ("t1", TYPED, f"<msg>\n{TYPED}\n</msg>", '["lights.dim", "mail.send"]'),
            ("t2", SECOND, f"<msg>\n{SECOND}\n</msg>", None),
            ("t3", "", "[voice]", "a, b"),
        ],
    )
    turns, skipped = read(path)
    assert skipped == []
    assert told([turn for turn in turns if turn.scanned is None]) == [
        (TYPED, f"<msg>\n{TYPED}\n</msg>", ("lights.dim", "mail.send")),
        (SECOND, f"<msg>\n{SECOND}\n</msg>", ()),
        ("", "[voice]", ("a", "b")),
    ]
    assert [(t.scanned, t.time) for t in turns if t.scanned is not None] == [('<msg from="kim">', 1.5)]
    assert [t.place.table for t in turns] == ["routing_decisions", "turn_log", "turn_log", "turn_log"]


def test_a_table_is_read_while_another_process_writes_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "live.db"
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("CREATE TABLE log(typed TEXT, wrapped TEXT)")
    writer.execute("INSERT INTO log VALUES (?, ?)", (TYPED, f"[x] {TYPED}"))
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("INSERT INTO log VALUES ('not', 'yet')")
    turns, _ = read(path)
    assert told(turns) == [(TYPED, f"[x] {TYPED}", None)]
    writer.execute("COMMIT")
    writer.close()
    before = path.read_bytes()
    assert len(read(path)[0]) == 2
    assert path.read_bytes() == before
    assert [item.name for item in tmp_path.iterdir()] == ["live.db"]


def test_a_row_that_is_no_utf8_is_listed_and_a_damaged_page_ends_a_table(tmp_path: Path) -> None:
    path = table(
        tmp_path / "log.db",
        "CREATE TABLE log(typed TEXT, wrapped TEXT)",
        "INSERT INTO log VALUES (CAST(x'636166e9' AS TEXT), 'x')",
        insert="INSERT INTO log VALUES (?, ?)",
        rows=[(f"{TYPED} {number}", f"[x] {TYPED} {number}") for number in range(2_000)],
    )
    turns, skipped = read(path)
    assert (len(turns), [(item.place.number, item.fault) for item in skipped]) == (
        2_000,
        [(1, Fault.NOT_UTF8)],
    )
    data = bytearray(path.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 8_192] = b"\xff" * 8_192
    turns, skipped = read(write(tmp_path, bytes(data), "damaged.db"))
    assert 0 < len(turns) < 2_000
    assert [item.fault for item in skipped] == [Fault.NOT_UTF8, Fault.TORN]


def test_tables_without_row_ids_and_views_are_read(tmp_path: Path) -> None:
    path = table(
        tmp_path / "log.db",
        'CREATE TABLE "odd "" name"(id TEXT PRIMARY KEY, typed TEXT, wrapped TEXT) WITHOUT ROWID',
        "INSERT INTO \"odd \"\" name\" VALUES ('a', 'hi', '<m>hi</m>'), ('b', 'yo', '<m>yo</m>')",
        'CREATE VIEW seen AS SELECT * FROM "odd "" name"',
    )
    turns, _ = read(path, LogOptions(table="seen"))
    assert [(turn.typed, turn.place.number) for turn in turns] == [("hi", 1), ("yo", 2)]
    assert {turn.place.table for turn in read(path)[0]} == {'odd " name', "seen"}


def test_given_columns_and_tables_that_do_not_exist_are_named(tmp_path: Path) -> None:
    log = write(tmp_path, as_csv(ROWS), "log.csv")
    turns, _ = read(log, LogOptions(columns=GIVEN))
    assert [(turn.id, turn.ingress) for turn in turns] == [("a1", "chat"), ("a2", "mail")]
    with pytest.raises(UsageError, match=r"no column 'wordz'.*did you mean 'words'"):
        read(log, LogOptions(columns=Columns(typed="wordz")))
    path = table(tmp_path / "x.db", "CREATE TABLE log(typed TEXT, wrapped TEXT)")
    with pytest.raises(UsageError, match=r"no table 'logs'.*there are: log"):
        read(path, LogOptions(table="logs"))
    assert read(path, LogOptions(table="log")) == ([], [])


def test_what_is_no_log_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(WorkbenchError, match=r"name them: --typed"):
        read(write(tmp_path, b'{"level": 3}\n{"level": 4}\n'))
    with pytest.raises(WorkbenchError, match=r"no table of it looks like a log"):
        read(table(tmp_path / "x.db", "CREATE TABLE settings(key TEXT, value INTEGER)"))
    for data, hint in (
        (b"PAR1....", "audit"),
        ("a,b\n".encode("utf-16"), "iconv"),
        (b"(\xb5/\xfd...", "zstd -d"),
        (b"312:8:request;", "HAR"),
        (b"plain words\n", "no known format"),
    ):
        with pytest.raises(WorkbenchError, match=hint):
            read(write(tmp_path, data))
    assert read(write(tmp_path, b"")) == ([], [])
    assert read(write(tmp_path, b"\n \n")) == ([], [])


def test_the_posts_log_line_gives_lengths_and_head(tmp_path: Path) -> None:
    wrapped = '<msg channel="chat">\nit\'s "late" 🪟' + "x" * 100
    lines = [
        "2026-03-01 08:00:00,250 INFO starting",
        f"2026-03-01 08:00:01,500 INFO route turn=t1 typed=20 routed={len(wrapped)} head={wrapped[:80]!r}",
        f"INFO route turn=t2 typed=5 routed=9 head={'[x] hello'!r} tools=['mail.send'] outcome=fire",
        "INFO route turn=t3 typed=5 routed=9 head='[x] he",
        "INFO route turn=t4 typed=5INFO route turn=t5 typed=2 routed=2 head='hi'",
    ]
    turns, skipped = read(write(tmp_path, "\n".join(lines).encode()))
    first, second = turns[:2]
    assert (first.id, first.typed_size, first.wrapped_size) == ("t1", 20, len(wrapped))
    assert (first.wrapped, first.wrapped_head, first.truncated) == (None, wrapped[:80], True)
    assert first.time == 1_772_352_001.5
    assert (second.wrapped, second.tools, second.outcome) == ("[x] hello", ("mail.send",), "fire")
    assert [(item.place.number, item.fault) for item in skipped] == [(4, Fault.TORN), (5, Fault.SPLICED)]


def test_the_posts_log_line_within_a_structured_log(tmp_path: Path) -> None:
    line = {"ts": 1_770_000_000, "msg": f"route turn=t1 typed=4 routed=90 head={'<m>' * 20!r}"}
    turns, _ = read(write(tmp_path, json.dumps(line).encode()))
    assert [(turn.id, turn.wrapped_size, turn.time) for turn in turns] == [("t1", 90, 1_770_000_000.0)]


def test_texts_that_were_cut_at_one_length_are_marked(tmp_path: Path) -> None:
    texts = [f"<msg>{number} " + "word " * (3 * number) for number in range(40)]
    rows = [{"id": str(at), "scanned_text": text[:80]} for at, text in enumerate(texts)]
    turns, _ = read(write(tmp_path, "\n".join(json.dumps(row) for row in rows).encode()))
    assert [turn.truncated for turn in turns] == [len(text) >= 80 for text in texts]
    rows[0]["scanned_text"] = "x" * 90  # then 80 is no limit
    turns, _ = read(write(tmp_path, "\n".join(json.dumps(row) for row in rows).encode()))
    assert not any(turn.truncated for turn in turns)


@pytest.mark.parametrize(
    ("typed", "wrapped"),
    [
        ("text", "routed"),
        ("prompt", "full_prompt"),
        ("input", "prompt"),
        ("message", "input"),
        ("original", "query"),
        ("q", "w"),
        ("question", "prompt"),
        ("userMessage", "llm-input"),
    ],
)
def test_a_pair_is_found_under_many_names(tmp_path: Path, typed: str, wrapped: str) -> None:
    rows = [{"n": at, wrapped: row["final"], typed: row["words"], "chan": "x"} for at, row in enumerate(ROWS)]
    turns, _ = read(write(tmp_path, "\n".join(json.dumps(row) for row in rows).encode()))
    assert told(turns) == [(row["words"], row["final"], None) for row in ROWS]


def test_words_inside_a_list_of_messages_are_found(tmp_path: Path) -> None:
    rows = [{"said": r["words"], "sent": [{"role": "user", "content": r["final"]}], "n": 1} for r in ROWS]
    turns, _ = read(write(tmp_path, "\n".join(json.dumps(row) for row in rows).encode()))
    assert told(turns) == [(row["words"], row["final"], None) for row in ROWS]
