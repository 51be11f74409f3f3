"""Faults of lanes as SARIF: every kind is explained, and paths count from the repository's top."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from workbench.cli.lanes_sarif import ABOUT, faults_as_sarif
from workbench.core.finding import Severity
from workbench.lanes.fault import LaneFault, LaneKind


def results(*faults: LaneFault, folder: Path | None = None) -> list[Any]:
    (run,) = json.loads(faults_as_sarif(faults, "check", folder))["runs"]
    found: list[Any] = run["results"]
    return found


def uri(result: Any) -> str:
    found: str = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    return found


def test_every_kind_is_explained_in_a_sentence() -> None:
    assert set(ABOUT) == set(LaneKind)
    assert all(about[0].isupper() and about.endswith(".") for about in ABOUT.values())


def test_each_rule_stands_once_and_only_where_it_is_used() -> None:
    faults = [LaneFault(LaneKind.UNIT, Severity.WARNING, "m")] * 2
    (run,) = json.loads(faults_as_sarif(faults, "check"))["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["unit"]


def test_a_fault_without_a_print_gets_one_that_its_lines_are_no_part_of() -> None:
    told = [
        LaneFault(LaneKind.UNIT, Severity.NOTE, f"see line {at}", file="a.toml", line=at) for at in (3, 90)
    ]
    first, second = (results(one)[0]["partialFingerprints"] for one in told)
    assert first == second
    (other,) = results(LaneFault(LaneKind.UNIT, Severity.NOTE, "see line 3", file="b.toml"))
    assert other["partialFingerprints"] != first


def test_paths_count_from_the_top_of_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    monkeypatch.chdir(tmp_path / "src")
    fault = LaneFault(LaneKind.UNIT, Severity.NOTE, "m", file="a.py")
    assert uri(results(fault)[0]) == "src/a.py"
    assert uri(results(fault, folder=tmp_path)[0]) == "a.py"
    outside = LaneFault(LaneKind.UNIT, Severity.NOTE, "m", file="../../b.py")
    assert uri(results(outside)[0]) == (tmp_path.parent / "b.py").as_uri()


def test_the_lane_is_part_of_the_words() -> None:
    (result,) = results(LaneFault(LaneKind.GHOST, Severity.WARNING, "nothing writes it", lane="scope"))
    assert result["message"]["text"] == "scope: nothing writes it"
    assert "locations" not in result
