"""`workbench runs`: the list, and what prune leaves."""

from __future__ import annotations

import pytest
from command import Bench


@pytest.fixture
def three(bench: Bench) -> Bench:
    assert bench("new", "workspace").code == 0
    for _ in range(3):
        assert bench("run", "first", "-q").code == 0
    return bench


def ids(bench: Bench) -> list[str]:
    return [row["run"] for row in bench("runs", "--format", "json").json]


def test_runs_alone_is_the_list_of_runs(three: Bench) -> None:
    assert three("runs").out == three("list", "runs").out
    assert len(ids(three)) == 3


def test_prune_keeps_the_newest(three: Bench) -> None:
    before = ids(three)
    done = three("runs", "prune", "--keep", "1")
    assert done.code == 0, done.said
    assert done.text.split() == ["removed", before[1], "removed", before[2]]
    assert "2 removed, 1 kept" in done.said
    assert ids(three) == before[:1]
    assert three("diff", "last", "last").code == 0


def test_prune_alone_keeps_what_a_week_of_work_makes(three: Bench) -> None:
    done = three("runs", "prune", "--quiet")
    assert (done.code, done.out, done.err) == (0, b"", b"")
    assert len(ids(three)) == 3


def test_prune_of_all(three: Bench) -> None:
    assert three("runs", "prune", "--keep", "0").code == 0
    assert ids(three) == []


@pytest.mark.parametrize("keep", ["-1", "few"])
def test_a_number_that_is_none(three: Bench, keep: str) -> None:
    done = three("runs", "prune", f"--keep={keep}")
    assert (done.code, done.out) == (2, b"")
    assert len(ids(three)) == 3


def test_where_nothing_is_stored(bench: Bench) -> None:
    assert bench("new", "workspace").code == 0
    assert bench("runs").out == b""
    done = bench("runs", "prune")
    assert (done.code, done.out) == (0, b"")
    assert "no run is stored" in done.said
    assert not (bench.folder / ".workbench").exists()
