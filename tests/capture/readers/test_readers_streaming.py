"""Large logs: read in constant memory, an element of a document at a time, and followed as they grow."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from log_samples import SAMPLES, SECOND, TYPED
from test_readers_formats import read, told, write

from workbench.capture.opening import follow_log, open_log, open_logs
from workbench.capture.sources.lines import LogFile, numbered
from workbench.capture.turns import Fault, LogOptions, LogTurn, Skipped, Who
from workbench.core.errors import WorkbenchError

_COUNT = """
import resource, sys
from pathlib import Path
from workbench.capture.opening import open_log
from workbench.capture.turns import LogTurn
turns = skipped = 0
for item in open_log(Path(sys.argv[1])):
    if isinstance(item, LogTurn):
        turns += 1
    else:
        skipped += 1
# Where it can be had, the peak since this program began: the other one counts the parent that forked it.
status = Path("/proc/self/status")
if status.exists():
    peak = next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM"))
else:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
print(turns, skipped, peak)
"""
_MOST_KIB = 300 * 1024


def count(path: Path) -> tuple[int, int, int]:
    """Turns, skips and the peak of memory in KiB, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", _COUNT, str(path)], capture_output=True, text=True, check=True
    )
    turns, skipped, peak = done.stdout.split()
    return int(turns), int(skipped), int(peak)


def lines_of(kind: str, number: int) -> Iterator[bytes]:
    """That many lines of a log, each turn with words and ids of its own, each thousandth line torn."""
    for at in range(number):
        words = f"turn {at} of {kind}: dim the lamp in the hall to {at % 100} percent, please"
        wrapped = f"<msg channel='chat' from='u{at % 50}'>\n{words}\n</msg>"
        if kind == "columns":
            record: object = {
                "turn_id": at,
                "user_text": words,
                "router_input": wrapped,
                "tools_called": ["a.b"],
            }
        elif kind == "claude-code":
            role = "assistant" if at % 2 else "user"
            content: object = [{"type": "tool_use", "name": "Bash"}] if at % 2 else words
            record = {
                "type": role, "uuid": f"u{at}", "parentUuid": f"u{at - 1}", "sessionId": f"s{at // 40}",
                "message": {"role": role, "content": content},
            }  # fmt: skip
        else:
            record = {"openinference.span.kind": "LLM", "llm.input_messages.0.message.role": "user",
                      "llm.input_messages.0.message.content": wrapped}  # fmt: skip
            record = {"name": "llm", "context": {"trace_id": f"t{at}", "span_id": "s"}, "attributes": record}
        line = json.dumps(record).encode()
        yield line[: len(line) // 2] if at % 1_000 == 999 else line


large = pytest.mark.skipif(
    "WORKBENCH_TEST_LARGE" not in os.environ, reason="a minute each: set WORKBENCH_TEST_LARGE=1"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "share"),
    [
        ("columns", 1.0),
        pytest.param("claude-code", 0.5, marks=large),
        pytest.param("openinference", 1.0, marks=large),
    ],
)
def test_a_million_lines_stay_under_300_mb(tmp_path: Path, kind: str, share: float) -> None:
    path = tmp_path / "large.jsonl"
    with path.open("wb") as file:
        file.writelines(line + b"\n" for line in lines_of(kind, 1_000_000))
    turns, skipped, peak = count(path)
    assert skipped == 1_000
    assert turns >= 999_000 * share
    assert peak < _MOST_KIB


@large
@pytest.mark.slow
def test_one_document_of_400_mb_stays_under_300_mb(tmp_path: Path) -> None:
    har = next(sample for sample in SAMPLES if sample.reader == "har")
    entry = json.loads(json.dumps(har.records[0]["log"]["entries"][1]))
    entry["response"]["content"] = {"mimeType": "text/plain", "text": "x" * 40_000}
    text = json.dumps(entry)
    number = 400_000_000 // len(text)
    path = tmp_path / "large.har"
    with path.open("w") as file:
        file.write('{"log": {"version": "1.2", "entries": [')
        file.writelines(text + ("," if at < number - 1 else "") for at in range(number))
        file.write('], "pages": []}}')
    turns, skipped, peak = count(path)
    assert (turns, skipped) == (number, 0)
    assert peak < _MOST_KIB


def test_an_element_is_read_with_what_stood_before_its_list(tmp_path: Path) -> None:
    promptfoo = next(sample for sample in SAMPLES if sample.reader == "promptfoo")
    text = json.dumps(promptfoo.records[0], indent=1)
    turns, skipped = read(write(tmp_path, text.encode()))
    assert (told(turns), skipped) == (promptfoo.turns, [])
    assert turns[0].template is not None
    assert len({turn.place.number for turn in turns}) == 2  # each result has the line that it begins on


def test_a_document_that_breaks_off_keeps_what_came_before(tmp_path: Path) -> None:
    har = next(sample for sample in SAMPLES if sample.reader == "har")
    entry = json.dumps(har.records[0]["log"]["entries"][1], indent=1)
    whole = '{\n"log": {"version": "1.2", "entries": [\n' + ",\n".join([entry] * 5) + "\n]}}"
    turns, skipped = read(write(tmp_path, whole[: whole.rindex("[kim]")].encode()))
    assert told(turns) == har.turns * 4
    assert [item.fault for item in skipped] == [Fault.TORN]


def test_objects_spread_over_lines_go_on_after_a_torn_one(tmp_path: Path) -> None:
    gemini = next(sample for sample in SAMPLES if sample.reader == "gemini-cli")
    texts = [json.dumps(record, indent=2) for record in gemini.records]
    torn = texts[0][: len(texts[0]) // 2].rstrip()
    turns, skipped = read(write(tmp_path, "\n".join([*texts[:2], torn, *texts[2:]]).encode()))
    assert told(turns) == gemini.turns
    assert len(skipped) == 1


def test_a_line_longer_than_what_is_read_is_listed(tmp_path: Path) -> None:
    path = write(tmp_path, b"short\n" + b"x" * 5_000 + b"\nafter\n" + b"y" * 300)
    with LogFile.open(path) as file:
        found = list(numbered(file, longest=100))
    assert [(line.number, line.cut, line.text[:5]) for line in found] == [
        (1, False, b"short"), (2, True, b"xxxxx"), (3, False, b"after"), (4, True, b"yyyyy")
    ]  # fmt: skip


def test_progress_is_told_in_bytes_of_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, b"\n".join(SAMPLES[0].lines() * 3_000))
    told_: list[tuple[str, int, int | None]] = []
    list(open_log(path, LogOptions(progress=lambda *state: told_.append(state))))
    assert told_[-1] == (str(path), path.stat().st_size, path.stat().st_size)
    assert len(told_) == 4


def test_a_folder_stands_for_the_logs_in_it(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    write(tmp_path, b"\n".join(SAMPLES[0].lines()), "z.jsonl")
    write(tmp_path / "b", b"\n".join(SAMPLES[1].lines()), "a.log")
    write(tmp_path, b"a picture", "x.png")
    write(tmp_path, b"no log at all", "notes.log")
    found = list(open_logs([tmp_path]))
    assert told([item for item in found if isinstance(item, LogTurn)]) == SAMPLES[0].turns + SAMPLES[1].turns
    skipped = [item for item in found if isinstance(item, Skipped)]
    assert [(Path(item.file).name, item.fault) for item in skipped] == [("notes.log", Fault.UNKNOWN)]
    with pytest.raises(WorkbenchError, match="no such file"):
        open_logs([tmp_path, tmp_path / "missing"])


def until_idle(found: Iterator[LogTurn | Skipped | None]) -> list[LogTurn | Skipped]:
    """What comes before nothing new has come twice."""
    items: list[LogTurn | Skipped] = []
    idle = 0
    for item in islice(found, 10_000):
        if item is not None:
            items.append(item)
        idle = idle + 1 if item is None else 0
        if idle == 3:
            break
    return items


def test_a_growing_file_is_followed_and_half_a_line_waited_for(tmp_path: Path) -> None:
    first, second = SAMPLES[0].lines()
    path = tmp_path / "live.jsonl"
    following = follow_log(path)
    assert next(following) is None  # not there yet
    path.write_bytes(first + b"\n" + second[:20])
    assert [item.place.number for item in until_idle(following)] == [1]
    with path.open("ab") as file:
        file.write(second[20:] + b"\n{torn\n")
        file.flush()
        items = until_idle(following)
    assert [(type(item), item.place.number) for item in items] == [(LogTurn, 2), (Skipped, 3)]
    path.rename(tmp_path / "live.jsonl.1")
    path.write_bytes(second + b"\n")
    assert [item.place.number for item in until_idle(following)] == [1]
    path.write_bytes(b"")
    until_idle(following)
    path.write_bytes(first + b"\n")
    assert [item.typed for item in until_idle(following) if isinstance(item, LogTurn)] == [TYPED]


def test_a_file_that_was_cut_and_has_outgrown_what_was_read_is_read_from_its_start(tmp_path: Path) -> None:
    path = tmp_path / "turns.jsonl"
    rows = [json.dumps({"typed": TYPED, "wrapped": f"[{number}] {TYPED}"}) + "\n" for number in range(4)]
    path.write_text(rows[0], encoding="utf-8")
    following = follow_log(path)
    assert len([item for item in until_idle(following) if isinstance(item, LogTurn)]) == 1
    path.write_text("".join(rows[1:]), encoding="utf-8")  # the same file, cut and longer at once
    found = [item.wrapped for item in until_idle(following) if isinstance(item, LogTurn)]
    assert found == [f"[{number}] {TYPED}" for number in (1, 2, 3)]


def test_a_turn_that_is_told_in_parts_is_given_once_nothing_more_comes(tmp_path: Path) -> None:
    codex = next(sample for sample in SAMPLES if sample.reader == "codex")
    path = tmp_path / "rollout.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in codex.lines()[:5]))
    following = follow_log(path)
    turns = [item for item in until_idle(following) if isinstance(item, LogTurn) and item.who is Who.USER]
    assert told(turns) == codex.turns[:1]


def test_objects_spread_over_lines_are_followed(tmp_path: Path) -> None:
    gemini = next(sample for sample in SAMPLES if sample.reader == "gemini-cli")
    texts = [json.dumps(record, indent=2, ensure_ascii=False) + "\n" for record in gemini.records]
    path = tmp_path / "telemetry.log"
    path.write_text("".join(texts[:-2]) + texts[-2][:30])
    following = follow_log(path)
    assert [item.typed for item in until_idle(following) if isinstance(item, LogTurn)] == [TYPED]
    with path.open("a") as file:
        file.write(texts[-2][30:] + texts[-1])
    items = until_idle(following)
    assert not [item for item in items if isinstance(item, Skipped)]
    assert items[-1].place.number == sum(text.count("\n") for text in texts[:-1]) + 1


def test_a_growing_table_is_followed(tmp_path: Path) -> None:
    path = tmp_path / "live.db"
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("CREATE TABLE log(typed TEXT, wrapped TEXT)")
    following = follow_log(path)
    assert until_idle(following) == []
    for words in (TYPED, SECOND):
        writer.execute("INSERT INTO log VALUES (?, ?)", (words, f"[x] {words}"))
        assert [item.typed for item in until_idle(following) if isinstance(item, LogTurn)] == [words]
    following.close()  # type: ignore[attr-defined]
    writer.close()
