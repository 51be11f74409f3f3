"""Databases that are known by their tables: opencode, llm, promptfoo, and the workbench's own runs."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from log_samples import SECOND, TYPED
from test_readers_formats import read, told

from workbench.capture.opening import open_logs
from workbench.capture.pairing import pair_turns
from workbench.capture.turns import Fault, LogTurn, Skipped, Who

_USER = {"role": "user", "time": {"created": 1_770_000_000_000}}
_PARTS = [
    {"type": "text", "text": TYPED},
    {"type": "text", "text": "Called the read tool on a.py", "synthetic": True},
    {"type": "file", "filename": "a.py", "source": {"text": {"value": "print(1)"}}},
]
_ANSWER = [
    {"type": "tool", "tool": "read", "callID": "c1", "state": {"input": {}}},
    {"type": "text", "text": "ok"},
]
_EXPECTED = [(TYPED, f"{TYPED}\nCalled the read tool on a.py", ("read",)), (SECOND, SECOND, None)]


def test_opencode_keeps_apart_what_it_put_in(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE message(id TEXT, session_id TEXT, data TEXT)")
    connection.execute("CREATE TABLE part(id TEXT, message_id TEXT, data TEXT)")
    messages = [("m1", _USER, _PARTS), ("m2", {"role": "assistant"}, _ANSWER)]
    messages += [("m3", _USER, [{"type": "text", "text": SECOND}]), ("m4", _USER, [_PARTS[1]])]
    for key, data, parts in messages:
        connection.execute("INSERT INTO message VALUES (?, 's1', ?)", (key, json.dumps(data)))
        for number, part in enumerate(parts):
            connection.execute(
                "INSERT INTO part VALUES (?, ?, ?)", (f"{key}-{number}", key, json.dumps(part))
            )
    connection.execute("INSERT INTO message VALUES ('m5', 's1', '{\"role\": \"us')")
    connection.commit()
    connection.close()
    turns, skipped = read(path)
    assert told(turns) == _EXPECTED
    assert (turns[0].documents, turns[0].session, turns[0].time) == (("print(1)",), "s1", 1_770_000_000.0)
    assert [turn.who for turn in turns] == [Who.USER, Who.USER, Who.SYNTHETIC]
    assert [(item.place.number, item.fault) for item in skipped] == [(5, Fault.UNKNOWN)]


def test_opencodes_older_files_are_read_as_one_folder(tmp_path: Path) -> None:
    for key, data, parts in (
        ("msg_1", _USER, _PARTS),
        ("msg_2", {"role": "assistant"}, _ANSWER),
        ("msg_3", _USER, [{"type": "text", "text": SECOND}]),
    ):
        place = tmp_path / "storage" / "message" / "ses_1" / f"{key}.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps({"id": key, "sessionID": "ses_1", **data}))
        for number, part in enumerate(parts):
            inner = tmp_path / "storage" / "part" / key / f"prt_{number}.json"
            inner.parent.mkdir(parents=True, exist_ok=True)
            inner.write_text(json.dumps(part))
    (tmp_path / "storage" / "message" / "ses_1" / "msg_9.json").write_text('{"role": "us')
    found = list(open_logs([tmp_path]))
    assert told([item for item in found if isinstance(item, LogTurn)]) == _EXPECTED
    assert [item.fault for item in found if isinstance(item, Skipped)] == [Fault.TORN]


def test_llms_fragments_come_in_their_order_before_the_prompt(tmp_path: Path) -> None:
    path = tmp_path / "logs.db"
    connection = sqlite3.connect(path)
    connection.executescript(
        """
        CREATE TABLE responses(id TEXT PRIMARY KEY, model TEXT, prompt TEXT, system TEXT, response TEXT,
          conversation_id TEXT, datetime_utc TEXT);
        CREATE TABLE fragments(id INTEGER PRIMARY KEY, content TEXT);
        CREATE TABLE prompt_fragments(response_id TEXT, fragment_id INTEGER, "order" INTEGER);
        CREATE TABLE tool_calls(id INTEGER PRIMARY KEY, response_id TEXT, name TEXT, arguments TEXT);
        INSERT INTO fragments VALUES (1, 'second page'), (2, 'first page');
        INSERT INTO prompt_fragments VALUES ('r1', 1, 1), ('r1', 2, 0);
        INSERT INTO tool_calls VALUES (1, 'r1', 'lights.dim', '{}');
        """
    )
    for key, words in (("r1", TYPED), ("r2", SECOND), ("r3", None)):
        connection.execute(
            "INSERT INTO responses VALUES (?, 'm', ?, '', '', 'c1', '2026-03-01T08:00:00')", (key, words)
        )
    connection.commit()
    connection.close()
    turns, _ = read(path)
    assert told(turns) == [
        (TYPED, f"first page\nsecond page\n{TYPED}", ("lights.dim",)),
        (SECOND, SECOND, ()),
        ("", "", ()),
    ]
    assert (turns[0].documents, turns[0].time) == (("first page", "second page"), 1_772_352_000.0)


def test_promptfoos_database(tmp_path: Path) -> None:
    path = tmp_path / "promptfoo.db"
    connection = sqlite3.connect(path)
    connection.execute(
        "CREATE TABLE eval_results(id TEXT, prompt_idx INT, test_case TEXT, prompt TEXT, response TEXT)"
    )
    row = (
        json.dumps({"vars": {"q": TYPED}}),
        json.dumps({"raw": f"Route: {TYPED}"}),
        json.dumps({"output": "x"}),
    )
    connection.execute("INSERT INTO eval_results VALUES ('e1', 0, ?, ?, ?)", row)
    connection.commit()
    connection.close()
    turns, _ = read(path)
    assert told(turns) == [(TYPED, f"Route: {TYPED}", ())]
    assert (turns[0].id, turns[0].reader) == ("e1", "promptfoo")


def test_tables_that_keep_requests_or_messages_are_read_where_there_is_no_table_of_turns(
    tmp_path: Path,
) -> None:
    path = tmp_path / "spend.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE spend(request_id TEXT, call_type TEXT, model_group TEXT, messages TEXT)")
    asked = json.dumps([{"role": "user", "content": f"[kim] {TYPED}"}])
    connection.execute("INSERT INTO spend VALUES ('r1', 'acompletion', 'auto', ?)", (asked,))
    connection.commit()
    assert [(turn.reader, turn.id, turn.wrapped) for turn in read(path)[0]] == [
        ("litellm", "r1", f"[kim] {TYPED}")
    ]
    connection.execute("DROP TABLE spend")
    connection.execute("CREATE TABLE messages(session_id TEXT, role TEXT, content TEXT, tool_calls TEXT)")
    calls = json.dumps([{"id": "c", "function": {"name": "lights.dim", "arguments": "{}"}}])
    for row in (
        ("user", TYPED, None),
        ("assistant", "", calls),
        ("tool", "ok", None),
        ("user", SECOND, None),
    ):
        connection.execute("INSERT INTO messages VALUES ('s1', ?, ?, ?)", row)
    connection.commit()
    connection.close()
    turns, skipped = read(path)
    assert (told(turns), skipped) == ([(None, TYPED, ("lights.dim",)), (None, SECOND, None)], [])


def test_a_row_whose_text_is_no_text_and_a_torn_part_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "turns.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE turn_log(user_text TEXT, router_input TEXT, picture BLOB)")
    connection.execute("INSERT INTO turn_log VALUES (?, ?, ?)", (TYPED, f"[kim] {TYPED}", b"\xff\x00"))
    connection.execute("INSERT INTO turn_log VALUES (?, ?, NULL)", (SECOND, b"\xff\xfe"))
    connection.commit()
    turns, skipped = read(path)
    assert told(turns) == [(TYPED, f"[kim] {TYPED}", None)]
    assert [(skip.place.number, skip.fault) for skip in skipped] == [(2, Fault.NOT_UTF8)]
    connection.execute("DROP TABLE turn_log")
    connection.execute("CREATE TABLE message(id TEXT, session_id TEXT, data TEXT)")
    connection.execute("CREATE TABLE part(id TEXT, message_id TEXT, data TEXT)")
    connection.execute("INSERT INTO message VALUES ('m', 's', ?)", (json.dumps(_USER),))
    for key, data in (("a", json.dumps(_PARTS[0])), ("b", '{"type": "te')):
        connection.execute("INSERT INTO part VALUES (?, 'm', ?)", (key, data))
    connection.commit()
    connection.close()
    turns, skipped = read(path)
    assert told(turns) == [(TYPED, TYPED, None)]
    assert [skip.fault for skip in skipped] == [Fault.TORN]


def test_two_tables_that_each_have_one_half_of_a_turn(tmp_path: Path) -> None:
    path = tmp_path / "halves.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE said (turn_id TEXT, user_text TEXT)")
        connection.execute("CREATE TABLE routing (turn_id TEXT, router_input TEXT)")
        connection.execute("CREATE TABLE settings (key TEXT, value TEXT)")
        for number, words in enumerate((TYPED, SECOND)):
            connection.execute("INSERT INTO said VALUES (?, ?)", (f"t{number}", words))
            connection.execute("INSERT INTO routing VALUES (?, ?)", (f"t{number}", f"[m] {words}"))
    connection.close()
    turns, skipped = read(path)
    assert skipped == []
    assert [(pair.typed, pair.wrapped) for pair in pair_turns(turns).pairs] == [
        (TYPED, f"[m] {TYPED}"),
        (SECOND, f"[m] {SECOND}"),
    ]
