"""What no format promises: broken bytes, foreign shapes and hostile text never raise, and never spread."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from log_samples import SAMPLES, Sample
from test_readers_formats import every_format, read, told, write

from workbench.capture.opening import open_log
from workbench.capture.sniffing import sniff
from workbench.capture.sources.record import Record
from workbench.capture.turns import AS_FOUND, Fault, LogOptions, LogTurn, Place, Skipped
from workbench.core.errors import WorkbenchError
from workbench.core.text import visible

_KEYS = st.sampled_from(
    ["type", "role", "content", "text", "message", "messages", "parts", "input", "name", "id", "attributes",
     "value", "payload", "versions", "kwargs", "0", "observations", "request", "response"]
)  # fmt: skip
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | _KEYS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(_KEYS | st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)


@st.composite
def altered(draw: st.DrawFn) -> tuple[Sample, list[Any]]:
    """A log in which some values, anywhere, are something else."""
    sample = draw(st.sampled_from(SAMPLES))
    records = json.loads(json.dumps(sample.records))
    for _ in range(draw(st.integers(1, 3))):
        node: Any = records
        while True:
            steps = list(node) if isinstance(node, dict) else list(range(len(node)))
            if not steps:
                break
            step = draw(st.sampled_from(steps))
            inner = node[step]
            if not isinstance(inner, dict | list) or not inner or draw(st.integers(0, 3)) == 0:
                node[step] = draw(_VALUES)
                break
            node = inner
    return sample, records


@given(altered())
@settings(max_examples=600, deadline=None)
def test_a_record_of_another_shape_never_raises(case: tuple[Sample, list[Any]]) -> None:
    sample, records = case
    place = Place("a.log", 1)
    reader = sniff([Record(sample.records[0], place)], LogOptions(reader=_asked_for(sample)), Path("a.log"))
    found = [item for value in records for item in reader.take(Record(value, place))]
    for item in [*found, *reader.end()]:
        assert isinstance(item, LogTurn | Skipped)
        if isinstance(item, LogTurn):
            texts = (
                item.typed,
                item.wrapped,
                item.scanned,
                item.outcome,
                item.id,
                item.session,
                item.ingress,
            )
            assert all(value is None or isinstance(value, str) for value in texts)
            for group in (item.tools or (), item.documents, item.history, item.parts):
                assert all(isinstance(value, str) for value in group)
            assert all(isinstance(value, str) for value in item.variables.values())
            assert item.time is None or isinstance(item.time, float)


def _asked_for(sample: Sample) -> str | None:
    return None if sample.reader == "columns" else sample.reader


@given(st.lists(st.binary(max_size=60), max_size=12), st.sampled_from(SAMPLES), st.integers(0, 20))
@settings(max_examples=300, deadline=None)
def test_any_bytes_between_good_lines_leave_the_good_lines(
    lines: list[bytes], sample: Sample, at: int
) -> None:
    noise = [line.replace(b"\n", b"").replace(b"\r", b"") for line in lines]
    good = sample.lines()
    at = min(at, len(good) - 1)
    with tempfile.TemporaryDirectory() as folder:
        turns, _ = read(write(Path(folder), b"\n".join([*good[: at + 1], *noise, *good[at + 1 :]])))
    assert told(turns) == sample.turns


@given(st.binary(max_size=200))
@settings(max_examples=300, deadline=None)
def test_a_file_of_any_bytes_is_read_or_refused(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder), data)
        try:
            list(open_log(path))
        except WorkbenchError as error:
            assert error.problems[0].hint or "cannot be read" in str(error)


_HOSTILE = "\x1b]0;x\x07\x1b[2J\u202e<script>\ud83d\r\n[red]\u200b\0"


def _swapped(value: Any) -> Any:
    """The same with hostile words for plain ones, also in JSON that stands in a text."""
    if isinstance(value, dict):
        return {key: _swapped(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_swapped(inner) for inner in value]
    if not isinstance(value, str):
        return value
    if value.startswith(('{"', "[{")):
        return json.dumps(_swapped(json.loads(value)))
    return value.replace("dim the lamp", _HOSTILE)


@every_format
def test_hostile_words_come_through_as_they_are(tmp_path: Path, sample: Sample) -> None:
    turns, skipped = read(
        write(tmp_path, b"\n".join(json.dumps(_swapped(record)).encode() for record in sample.records))
    )
    assert (told(turns), skipped) == ([tuple(map(_swapped, turn)) for turn in sample.turns], [])
    assert "\x1b" not in visible(repr(turns))


def test_nesting_without_end_is_one_bad_line(tmp_path: Path) -> None:
    deep = b'{"a":' * 100_000 + b"1" + b"}" * 100_000
    path = write(tmp_path, b"\n".join([*SAMPLES[0].lines(), deep, b'{"n": ' + b"9" * 5_000 + b"}"]))
    turns, skipped = read(path)
    assert told(turns) == SAMPLES[0].turns
    assert [(item.place.number, item.fault) for item in skipped] == [(3, Fault.NOT_JSON), (4, Fault.NOT_JSON)]


def test_huge_indexes_of_numbered_keys_cost_nothing(tmp_path: Path) -> None:
    attributes = {f"llm.input_messages.{10**8}.message.{key}": key for key in ("role", "content")}
    attributes |= {"llm.input_messages.999999999.message.role": "user", "openinference.span.kind": "LLM",
                   "llm.input_messages.999999999.message.content": "hi"}  # fmt: skip
    record = {"name": "x", "context": {"trace_id": "t", "span_id": "s"}, "attributes": attributes}
    turns, _ = read(write(tmp_path, json.dumps(record).encode()))
    assert [turn.wrapped for turn in turns] == ["hi"]


def test_an_unknown_reader_is_named() -> None:
    with pytest.raises(WorkbenchError, match="no reader is called 'codexx'"):
        list(open_log(Path(__file__), LogOptions(reader="codexx")))
    assert AS_FOUND.reader is None
