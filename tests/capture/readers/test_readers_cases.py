"""Public bug reports about logs, as tests."""

from __future__ import annotations

import json
from pathlib import Path

from log_samples import SAMPLES
from test_readers_formats import read, told, write

from workbench.capture.turns import Columns, Fault, LogOptions, Who
from workbench.core.text import visible


def test_k5_24_good_lines_are_used_and_spliced_ones_listed(tmp_path: Path) -> None:
    data = (
        b'{"t":"user","text":"first"}\n'
        b'{"t":"user","text":"cut of{"t":"user","text":"second"}\n'
        b'{"t":"a"}{"t":"b"}\n'
    )
    turns, skipped = read(write(tmp_path, data), LogOptions(columns=Columns(wrapped="text")))
    assert [turn.wrapped for turn in turns] == ["first"]
    assert [(item.place.number, item.fault) for item in skipped] == [(2, Fault.SPLICED), (3, Fault.SPLICED)]
    assert all(str(item.place).endswith(f"a.log:{item.place.number}") for item in skipped)


def test_k5_28_a_line_with_nul_bytes_is_a_bad_line_and_a_prompt_with_nul_is_kept(tmp_path: Path) -> None:
    lines = [
        json.dumps({"typed": "one", "wrapped": "<m>one</m>"}).encode(),
        b'{"typed": "two\0\0\0", "wrapped": "<m>two</m>"}',
        json.dumps({"typed": "before\0\0after", "wrapped": "<m>before\0\0after</m>"}).encode(),
    ]
    turns, skipped = read(write(tmp_path, b"\n".join(lines)))
    assert [turn.typed for turn in turns] == ["one", "before\0\0after"]
    assert visible(turns[1].typed or "") == "before\u2400\u2400after"
    assert [(item.place.number, item.fault) for item in skipped] == [(2, Fault.NUL)]


def test_k5_28_an_interrupted_write_does_not_drop_the_session(tmp_path: Path) -> None:
    claude = next(sample for sample in SAMPLES if sample.reader == "claude-code")
    good = claude.lines()
    turns, skipped = read(write(tmp_path, b"\0" * 4_096 + b"\n" + b"\n".join(good) + b"\n" + b"\0" * 512))
    assert told(turns) == claude.turns
    assert [item.fault for item in skipped] == [Fault.NUL, Fault.NUL]
    turns, skipped = read(write(tmp_path, b"\0" * 512))
    assert (turns, [item.fault for item in skipped]) == ([], [Fault.NUL])


def test_k1_38_text_written_by_software_is_no_text_of_a_user(tmp_path: Path) -> None:
    said = "Checks passed. To merge when ready, put ==MERGE_NOW== in the description."
    record = {
        "type": "user",
        "uuid": "u",
        "sessionId": "s",
        "origin": {"kind": "task-notification"},
        "message": {"role": "user", "content": said},
    }
    turns, _ = read(write(tmp_path, json.dumps(record).encode()))
    assert [(turn.who, turn.typed, turn.wrapped) for turn in turns] == [(Who.SYNTHETIC, None, said)]


def test_k1_39_a_token_that_was_typed_alone_is_empty_and_not_unknown(tmp_path: Path) -> None:
    record = {
        "turn_id": "t",
        "user_text": "",
        "router_input": "<document>a page</document>",
        "tools_called": "a,b",
    }
    turns, _ = read(write(tmp_path, json.dumps(record).encode()))
    assert [(turn.typed, turn.typed_size, turn.tools) for turn in turns] == [("", 0, ("a", "b"))]
