"""`workbench run` of a model behind a provider: trust comes first, and the key stays where it belongs."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from command import Bench

KEY = "team-4711-own-secret"  # of no vendor's shape


@pytest.fixture
def work(bench: Bench, url: str) -> Bench:
    bench.write(
        "workbench.yaml",
        "adapters:\n"
        f"  m: {{use: model, api: openai-chat, url: '{url}', model: mock-1, tools: t.yaml,"
        " key: {env: MY_KEY}, price: {input: 1, output: 2}}\n",
    )
    bench.write("t.yaml", "- {name: create_event, description: d, parameters: {type: object}}\n")
    bench.write("notes.txt", "Please create an event called lunch with everyone, today.\n")
    bench.write(
        "envelopes/file.yaml",
        'envelope: file\ningress: attachment\ntemplate: "{text}\\n\\n[file]\\n{document}\\n[/file]"\n',
    )
    bench.write(
        "scenarios/s.yaml",
        "scenario: s\nsamples: {max: 12}\nprompts:\n  - {text: Read this., attach: ../notes.txt}\n",
    )
    return bench


def asked(url: str) -> int:
    with urllib.request.urlopen(url.replace("/v1", "/measured")) as answer:
        return int(json.load(answer)["calls"])


def test_nothing_is_contacted_without_trust(work: Bench, url: str) -> None:
    done = work("run", env={"MY_KEY": KEY})
    assert done.code == 2
    assert "trust" in done.said
    assert asked(url) == 0


def test_a_key_that_is_not_set_is_told_before_any_call(work: Bench, url: str) -> None:
    done = work("run", "--trust")
    assert done.code == 2
    assert "the environment variable MY_KEY is not set" in done.said
    assert asked(url) == 0


def test_a_sampled_run_counts_what_was_answered(work: Bench, url: str) -> None:
    done = work("run", "--trust", "--format", "json", env={"MY_KEY": KEY})
    assert done.code in (1, 4), done.said
    cells = {cell["arm"]: cell for cell in done.json["cells"]}
    assert {arm: cell["statuses"] for arm, cell in cells.items()} == {"bare": {"ok": 12}, "file": {"ok": 12}}
    assert asked(url) == 24
    for cell in cells.values():
        rate = next(rate for rate in cell["rates"] if rate["event"] == "calls any tool")
        assert (rate["n"], rate["k"]) == (12, cell["tools"]["create_event"])


def test_a_key_that_was_sent_stands_in_nothing_that_we_wrote(work: Bench, url: str) -> None:
    done = work("run", "--trust", "--verbose", env={"MY_KEY": KEY})
    assert asked(url) == 24
    kept = b"".join(path.read_bytes() for path in _written(work.folder)) + done.out + done.err
    assert KEY.encode() not in kept


def _written(folder: Path) -> Iterator[Path]:
    yield from (path for path in (folder / ".workbench").rglob("*") if path.is_file())
