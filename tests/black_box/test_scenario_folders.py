"""Scenarios in folders of their own below `scenarios/`: one name space, found by every verb."""

from __future__ import annotations

import pytest
from command import Bench

ONE = "scenario: {}\nprompts: [{{text: hello}}]\n"


@pytest.fixture
def box(bench: Bench) -> Bench:
    bench.write("workbench.yaml", "adapters:\n  words: {use: keyword, table: words.yaml}\n")
    bench.write("words.yaml", "keywords:\n  - {phrases: [hello], tool: greet}\n")
    bench.write("scenarios/top.yaml", ONE.format("top"))
    bench.write("scenarios/night/late/deep.yaml", ONE.format("deep"))
    bench.write("scenarios/.drafts/draft.yaml", ONE.format("draft"))
    bench.write("scenarios/night/recordings/kept.yaml", ONE.format("kept"))
    return bench


def test_they_are_listed_run_and_named(box: Bench) -> None:
    listed = box("list", "scenarios", "--format", "json").json
    assert [row["scenario"] for row in listed] == ["deep", "top"]
    assert {cell["scenario"] for cell in box("run", "--format", "json").json["cells"]} == {"deep", "top"}
    assert [cell["scenario"] for cell in box("run", "deep", "--format", "json").json["cells"]] == ["deep"]
    assert box("run", "draft").code == 2
    assert box("run", "scenarios/.drafts/draft.yaml", "-q").code == 0


def test_a_name_that_two_files_share_is_an_error_that_names_both(box: Bench) -> None:
    box.write("scenarios/night/top.yaml", ONE.format("top"))
    for arguments in (["run", "top"], ["run"]):
        done = box(*arguments)
        assert done.code == 2
        assert "top" in done.said
    assert "night/top.yaml, top.yaml" in box("run", "top").said
    assert box("run", "scenarios/night/top.yaml", "-q").code == 0
