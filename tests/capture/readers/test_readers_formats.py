"""Every format that is a record per line: found by content, read, and whole in spite of broken lines."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
from log_samples import SAMPLES, SECOND, TYPED, Sample

from workbench.capture.opening import open_log
from workbench.capture.turns import Fault, LogOptions, LogTurn, Skipped, Who

ids = [f"{sample.reader}-{number}" for number, sample in enumerate(SAMPLES)]
every_format = pytest.mark.parametrize("sample", SAMPLES, ids=ids)


def read(path: Path, options: LogOptions = LogOptions()) -> tuple[list[LogTurn], list[Skipped]]:  # noqa: B008
    found = list(open_log(path, options))
    return [i for i in found if isinstance(i, LogTurn)], [i for i in found if isinstance(i, Skipped)]


def told(turns: list[LogTurn]) -> list[tuple[str | None, str | None, tuple[str, ...] | None]]:
    return [(turn.typed, turn.wrapped, turn.tools) for turn in turns if turn.who is Who.USER]


def write(folder: Path, data: bytes, name: str = "a.log") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


@every_format
def test_a_clean_log_is_read_whole(tmp_path: Path, sample: Sample) -> None:
    turns, skipped = read(write(tmp_path, b"\n".join(sample.lines()) + b"\n"))
    assert told(turns) == sample.turns
    assert skipped == []
    assert {turn.reader for turn in turns} == {sample.reader}


@every_format
def test_broken_lines_are_listed_and_cost_nothing_else(tmp_path: Path, sample: Sample) -> None:
    good = sample.lines()
    torn = good[0][: len(good[0]) // 2]
    broken = [
        (torn, Fault.TORN),
        (b'{"text": "cut of' + good[-1], Fault.SPLICED),
        (good[0] + good[0], Fault.SPLICED),
        (b"\0" * 64, Fault.NUL),
        (b'{"text": "caf\xe9"}', Fault.NOT_UTF8),
    ]
    lines: list[bytes] = []
    expected = []
    for line in good:
        for bad, fault in broken:
            lines.append(bad)
            expected.append((len(lines), fault))
        lines.append(line)
    lines.append(torn)
    expected.append((len(lines), Fault.TORN))
    turns, skipped = read(write(tmp_path, b"\r\n".join(lines)))  # the last one has no end
    assert told(turns) == sample.turns
    assert [(item.place.number, item.fault) for item in skipped] == expected


@every_format
def test_the_same_records_spread_over_lines_are_the_same_log(tmp_path: Path, sample: Sample) -> None:
    text = "\n".join(json.dumps(record, indent=2) for record in sample.records)
    turns, skipped = read(write(tmp_path, b"\xef\xbb\xbf" + text.encode("utf-8")))
    assert (told(turns), skipped) == (sample.turns, [])


@every_format
def test_the_same_records_in_one_list_are_the_same_log(tmp_path: Path, sample: Sample) -> None:
    turns, skipped = read(write(tmp_path, json.dumps(sample.records).encode()))
    assert (told(turns), skipped) == (sample.turns, [])


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_packed_log_is_unpacked_and_one_cut_off_says_where(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    sample = SAMPLES[0]
    data = pack(b"\n".join(sample.lines() * 2_000))
    turns, skipped = read(write(tmp_path, data, "whole"))
    assert (told(turns), skipped) == (sample.turns * 2_000, [])
    if pack is gzip.compress:
        turns, skipped = read(write(tmp_path, data[:-40], "cut"))
        assert turns
        assert skipped[-1].fault is Fault.TORN
        assert "breaks off" in skipped[-1].reason


def test_who_wrote_a_record_is_told(tmp_path: Path) -> None:
    claude = next(sample for sample in SAMPLES if sample.reader == "claude-code")
    turns, _ = read(write(tmp_path, b"\n".join(claude.lines())))
    written = [turn.who for turn in turns]
    assert sorted(written) == sorted(
        [Who.TOOL_RESULT, Who.META, Who.COMPACTION, Who.SYNTHETIC, Who.USER, Who.USER]
    )
    assert all(turn.typed is None for turn in turns if turn.who is not Who.USER)

    codex = next(sample for sample in SAMPLES if sample.reader == "codex")
    turns, _ = read(write(tmp_path, b"\n".join(codex.lines())))
    assert {turn.wrapped for turn in turns if turn.who is Who.META} == {
        "<environment_context>\n/w\n</environment_context>"
    }
    assert [turn.wrapped for turn in turns if turn.who is Who.COMPACTION] == ["So far: nothing."]

    anthropic = next(sample for sample in SAMPLES if sample.reader == "anthropic")
    turns, _ = read(write(tmp_path, b"\n".join(anthropic.lines())))
    assert [turn.who for turn in turns] == [Who.USER, Who.TOOL_RESULT]


def test_ids_sessions_times_and_what_a_format_gives_besides(tmp_path: Path) -> None:
    def of(reader: str) -> LogTurn:
        sample = next(sample for sample in SAMPLES if sample.reader == reader)
        return read(write(tmp_path, b"\n".join(sample.lines())))[0][0]

    chat = of("openai-chat")
    assert (chat.id, chat.session, chat.time) == (f"t-{len(TYPED)}", "s1", 1_772_352_000.0)
    assert chat.history == ("hello", "Hello.")
    assert of("openai-responses").id == "t1"
    assert of("anthropic").parts == ("<clock>10:00</clock>", TYPED)
    lite = of("litellm")
    assert (lite.id, lite.session, lite.time, lite.outcome) == ("t1", "tr1", 1_770_000_000.5, "small")
    span = of("otel")
    assert (span.id, span.session) == ("0af7651916cd43dd8448eb211c80319c", "s1")
    phoenix = of("openinference")
    assert phoenix.documents == ("A page.",)
    assert (phoenix.template, phoenix.variables["q"]) == ("Docs:\n{docs}\nQ: {q}", TYPED)
    gemini = of("gemini-cli")
    assert (gemini.scanned, gemini.outcome, gemini.session) == (f"Route: {TYPED}", "flash", "s1")
    foo = of("promptfoo")
    assert foo.template == "Route this for {{who}}: {{q}}"


def test_typed_words_that_were_left_out_are_told_by_their_length(tmp_path: Path) -> None:
    gemini = next(sample for sample in SAMPLES if sample.reader == "gemini-cli")
    turn = read(write(tmp_path, b"\n".join(gemini.lines())))[0][-1]
    assert (turn.typed, turn.typed_size, turn.wrapped_size) == (None, 12, None)


def test_no_header_of_a_capture_is_kept(tmp_path: Path) -> None:
    har = next(sample for sample in SAMPLES if sample.reader == "har")
    assert "sk-planted-secret" not in repr(list(open_log(write(tmp_path, har.lines()[0]))))


def test_a_gateways_log_of_several_providers_is_read_by_each_records_format(tmp_path: Path) -> None:
    mixed = [s for s in SAMPLES if s.reader in ("openai-chat", "openai-responses", "anthropic")]
    lines = [line for sample in mixed for line in sample.lines()]
    turns, skipped = read(write(tmp_path, b"\n".join(lines)))
    assert told(turns) == [turn for sample in mixed for turn in sample.turns]
    only, others = read(write(tmp_path, b"\n".join(lines)), LogOptions(reader="anthropic"))
    assert skipped == []
    assert {turn.reader for turn in only} == {"anthropic"}
    assert {item.fault for item in others} == {Fault.UNKNOWN}


def test_a_stream_of_events_tells_what_was_called(tmp_path: Path) -> None:
    function = {"name": "lights.dim", "arguments": "{}"}
    call = {"index": 0, "id": "c1", "type": "function", "function": function}
    deltas: list[dict[str, object]] = [
        {"delta": {"tool_calls": [call]}},
        {"delta": {}, "finish_reason": "tool_calls"},
    ]
    chunks = [{"object": "chat.completion.chunk", "choices": [{"index": 0, **delta}]} for delta in deltas]
    request = {"model": "m", "stream": True, "messages": [{"role": "user", "content": SECOND}]}
    events = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
    for response in (chunks, events):
        line = json.dumps({"request": request, "response": response}).encode()
        turns, _ = read(write(tmp_path, line))
        assert told(turns) == [(None, SECOND, ("lights.dim",))]
