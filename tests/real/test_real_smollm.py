"""The adapter `model` against a real server and real weights, recorded and played again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import Bench
from record_smollm import add_note, note, workspace
from smollm_server import MODEL, lacking, serving

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(lacking() is not None, reason=lacking() or "the real server can run here"),
]


def test_a_real_model_answers_is_recorded_and_its_recording_answers_the_same(tmp_path: Path) -> None:
    work = Bench(tmp_path / "work")
    with serving(tmp_path / "server.log") as url:
        workspace(work.folder, url)
        live = work(
            *("run", "canary#question", "--adapter", "smollm", "--samples", "4", "--trust"),
            *("--format", "json", "--record", "real.jsonl"),
        )
    assert live.code in (0, 1, 4), live.said
    (tmp_path / "server.log").unlink()
    cells = {cell["arm"]: cell for cell in live.json["cells"]}
    assert set(cells) == {"bare", "attached"}
    for cell in cells.values():
        assert cell["statuses"].get("ok", 0) >= 1, live.json
        assert cell["statuses"].get("error", 0) == 0, live.json

    lines = [json.loads(line) for line in (work.folder / "real.jsonl").read_text().splitlines()]
    answers = [line["answer"] for line in lines if "answer" in line]
    assert len(answers) == live.json["summary"]["trials"]
    assert all(answer["model"] and answer["usage"]["output"] > 0 for answer in answers)
    assert len({json.dumps(answer.get("decision")) for answer in answers}) > 1  # temperature 1

    add_note(work.folder / "real.jsonl", note())
    table = work.folder / ".workbench.yaml"
    table.write_text(table.read_text() + "\n  again: {use: recorded, file: real.jsonl}\n")
    again = work("run", "canary#question", "--adapter", "again", "--samples", "4", "--format", "json")
    assert again.code == live.code, again.said

    def kept(report: dict[str, object]) -> object:
        cells = report["cells"]
        assert isinstance(cells, list)
        return [(cell["arm"], cell["statuses"], cell["tools"], cell["rates"]) for cell in cells]

    assert kept(again.json) == kept(live.json)


def test_the_weights_are_those_that_the_shipped_recording_names() -> None:
    shipped = Path(__file__).parents[2] / "scenarios" / "recordings" / "smollm-canary.jsonl"
    head = json.loads(shipped.read_text().split("\n", 1)[0])
    assert head["adapters"]["smollm"]["recipe"]["call"]["model"] == MODEL
    assert set(head["note"]) == set(note())
