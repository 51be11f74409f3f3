"""The registry that the screen holds lanes against: as the file stands now, read only when it changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from workbench.cli.opening import sketch_of
from workbench.cli.registry_file import RegistryFile
from workbench.core.errors import WorkbenchError

STANZA = '[[lane]]\nname = "{}"\nbudget = 100\n'


def write(path: Path, name: str, at: int) -> None:
    path.write_text(STANZA.format(name), "utf-8")
    os.utime(path, (at, at))


def names(file: RegistryFile) -> list[str] | None:
    registry = file.read()
    return [lane.name for lane in registry.lanes] if registry is not None else None


def test_it_is_the_file_as_it_stands_now(tmp_path: Path) -> None:
    file = RegistryFile(tmp_path)
    assert names(file) is None
    write(tmp_path / "lanes.toml", "memory", 1)
    assert names(file) == ["memory"]
    write(tmp_path / "lanes.toml", "recall", 2)
    assert names(file) == ["recall"]
    (tmp_path / "lanes.toml").unlink()
    assert names(file) is None


def test_the_nearest_one_upwards_counts(tmp_path: Path) -> None:
    inner = tmp_path / "app"
    inner.mkdir()
    write(tmp_path / "lanes.toml", "outer", 1)
    file = RegistryFile(inner)
    assert names(file) == ["outer"]
    write(inner / "lanes.toml", "inner", 1)
    assert names(file) == ["inner"]


def test_what_has_not_changed_is_not_read_again(tmp_path: Path) -> None:
    write(tmp_path / "lanes.toml", "memory", 1)
    file = RegistryFile(tmp_path)
    first = file.read()
    assert first is not None and file.read() is first
    write(tmp_path / "lanes.toml", "memory", 2)
    assert file.read() == first and file.read() is not first


def test_a_broken_one_is_an_error_each_time_until_it_is_mended(tmp_path: Path) -> None:
    path = tmp_path / "lanes.toml"
    path.write_text("[[lane]\n", "utf-8")
    file = RegistryFile(tmp_path)
    for _ in range(2):
        with pytest.raises(WorkbenchError, match=r"lanes\.toml"):
            file.read()
    write(path, "memory", 9)
    assert names(file) == ["memory"]


def test_the_screen_is_given_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "workbench.yaml").write_text("adapters: {}\n", "utf-8")
    write(tmp_path / "lanes.toml", "memory", 1)
    monkeypatch.chdir(tmp_path)
    lanes = sketch_of(tmp_path).lanes
    assert lanes is not None
    registry = lanes()
    assert registry is not None and [lane.name for lane in registry.lanes] == ["memory"]
