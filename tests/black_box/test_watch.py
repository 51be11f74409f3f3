"""`workbench watch` by the real command: files that grow, are rotated and cut, and a table."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from command import COMMAND, Bench

KNOWN = "envelope: channel\ningress: channel\ntemplate: |-\n  <in>\n  {text}\n  </in>\n"
WITHIN = 30.0


def line(number: int, typed: str, routed: str) -> str:
    return json.dumps({"turn_id": f"t{number}", "user_text": typed, "router_input": routed}) + "\n"


class Watcher:
    """The command, watching; what it writes is read as it comes."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.out = folder / "out.txt"
        with self.out.open("wb") as out:
            self.process = subprocess.Popen(
                [COMMAND, "watch", *arguments, "--color", "never"],
                cwd=folder,
                stdout=out,
                stderr=subprocess.PIPE,
                env=dict(os.environ),
            )

    def wait_for(self, words: str) -> str:
        end = time.monotonic() + WITHIN
        while words not in (text := self.out.read_text("utf-8")):
            assert time.monotonic() < end, text
            assert self.process.poll() is None, text
            time.sleep(0.02)
        return text

    def interrupt(self) -> str:
        """Ctrl-C; returns what was said."""
        self.process.send_signal(signal.SIGINT)
        _, said = self.process.communicate(timeout=WITHIN)
        assert self.process.returncode == 0, said
        return said.decode()

    def begun(self) -> None:
        """Waits until the log was read to its end for the first time."""
        time.sleep(2.0)


@pytest.fixture
def app(bench: Bench) -> Bench:
    bench.write("workbench.yaml", "adapters: {}\n")
    bench.write("envelopes/channel.yaml", KNOWN)
    return bench


@pytest.fixture
def log(app: Bench) -> Path:
    return app.write("turns.jsonl", line(1, "earlier", "<odd>earlier</odd>") * 3)


@pytest.fixture
def watcher(app: Bench, log: Path) -> Iterator[Watcher]:
    made = Watcher(app.folder, log.name)
    made.begun()
    yield made
    if made.process.poll() is None:
        made.process.kill()
        made.process.communicate()


def add(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


def test_a_line_per_turn_and_an_alarm_on_the_first(watcher: Watcher, log: Path) -> None:
    add(log, line(2, "hi you", "<in>\nhi you\n</in>"))
    text = watcher.wait_for("t2")
    assert "ALARM" not in text
    assert "channel" in text
    add(log, line(3, "hi", "<odd>hi</odd>" + "x" * 50) + line(4, "hi", "<odd>hi</odd>" + "y" * 50))
    text = watcher.wait_for("t4")
    assert text.count("ALARM") == 2
    assert text.index("t3") < text.index("ALARM") < text.rindex("ALARM") < text.index("t4")
    said = watcher.interrupt()
    assert "3 turns watched, 2 outgrown, 2 unknown-envelope; 3 were there before" in said


def test_a_line_that_is_not_whole_yet_is_waited_for(watcher: Watcher, log: Path) -> None:
    whole = line(2, "hi you", "hi you")
    add(log, whole[:20])
    time.sleep(0.6)
    assert watcher.out.read_text("utf-8") == ""
    add(log, whole[20:])
    watcher.wait_for("t2")
    assert "could not be read" not in watcher.interrupt()


def test_rotated_and_cut(watcher: Watcher, log: Path) -> None:
    log.rename(log.with_suffix(".1"))
    log.write_text(line(2, "after it was rotated", "after it was rotated"), "utf-8")
    watcher.wait_for("t2")
    log.write_text(line(3, "cut", "cut"), "utf-8")
    watcher.wait_for("t3")
    assert "2 turns watched" in watcher.interrupt()


def test_a_broken_line_is_told_and_stops_nothing(watcher: Watcher, log: Path) -> None:
    add(log, "{broken\n" + line(2, "hi", "hi"))
    watcher.wait_for("t2")
    assert "turns.jsonl:4" in watcher.interrupt()


def test_rows_of_a_table(app: Bench) -> None:
    path = app.folder / "app.db"
    insert = "INSERT INTO turn_log VALUES (?, ?, ?)"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE turn_log (turn_id, user_text TEXT, router_input TEXT)")
        connection.execute(insert, ("t1", "hi you", "hi you"))
        connection.commit()
        watcher = Watcher(app.folder, "app.db", "--format", "json")
        watcher.begun()
        connection.execute(insert, ("t2", "hi you", "<odd>hi you</odd>"))
        connection.commit()
        watcher.wait_for("t2")
        (found,) = (json.loads(text) for text in watcher.out.read_text("utf-8").splitlines())
        seen: dict[str, Any] = found
        assert (seen["id"], seen["alarms"]) == ("t2", ["unknown-envelope"])
        watcher.interrupt()


def test_it_ends_by_itself_where_that_was_asked(app: Bench, log: Path) -> None:
    done = app("watch", log.name, "--for", "0.3")
    assert done.code == 0
    assert "0 turns watched" in done.said


def test_what_cannot_be_watched_is_an_error(app: Bench) -> None:
    app.write("notes.txt", "no log at all\n")
    assert app("watch", "notes.txt", "--for", "0.3").code == 2
    assert app("watch", "none/turns.jsonl", "--for", "0.3").code == 2
