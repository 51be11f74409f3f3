"""Saving: whole or not at all, with its mode, and never over a change of somebody else."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from workbench.core.errors import WorkbenchError
from workbench.files.edit.save import create, save


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "scenarios" / "s.yaml"
    path.parent.mkdir()
    path.write_bytes(b"one\r\n")
    return path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_bytes_are_the_text_and_the_mode_stays(file: Path, tmp_path: Path) -> None:
    file.chmod(0o640)
    save(file, tmp_path, b"one\r\n", "\ufefftwo é\r\n")
    assert file.read_bytes() == "\ufefftwo é\r\n".encode()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert names(file.parent) == ["s.yaml"]


def test_a_change_meanwhile_is_kept(file: Path, tmp_path: Path) -> None:
    file.write_bytes(b"theirs\n")
    with pytest.raises(WorkbenchError, match=r"s\.yaml:1:1: this file was changed by someone else"):
        save(file, tmp_path, b"one\r\n", "ours\n")
    assert file.read_bytes() == b"theirs\n"
    assert names(file.parent) == ["s.yaml"]


def test_a_file_that_is_gone_is_not_made_again(file: Path, tmp_path: Path) -> None:
    file.unlink()
    with pytest.raises(WorkbenchError, match="No such file"):
        save(file, tmp_path, b"one\r\n", "ours\n")
    assert names(file.parent) == []


def test_a_failure_in_the_middle_leaves_the_old_file(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WorkbenchError, match="No space left"):
        save(file, tmp_path, b"one\r\n", "ours\n")
    with pytest.raises(WorkbenchError, match="No space left"):
        create(file.parent / "new.yaml", tmp_path, "new\n")
    assert file.read_bytes() == b"one\r\n"
    assert names(file.parent) == ["s.yaml"]


def test_a_link_within_the_workspace_stays_a_link(file: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.yaml"
    link.symlink_to(file)
    save(link, tmp_path, b"one\r\n", "two\n")
    assert link.is_symlink()
    assert file.read_bytes() == b"two\n"


def test_nothing_is_written_outside_the_workspace(file: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "scenarios").mkdir(parents=True)
    link = root / "scenarios" / "link.yaml"
    link.symlink_to(file)
    with pytest.raises(WorkbenchError, match="out of the workspace"):
        save(link, root, b"one\r\n", "two\n")
    (root / "envelopes").symlink_to(file.parent)
    with pytest.raises(WorkbenchError, match="out of the workspace"):
        create(root / "envelopes" / "e.yaml", root, "new\n")
    assert file.read_bytes() == b"one\r\n"
    assert names(file.parent) == ["s.yaml"]


def test_a_new_file_takes_no_ones_place(file: Path, tmp_path: Path) -> None:
    with pytest.raises(WorkbenchError, match="there is one already"):
        create(file, tmp_path, "new\n")
    assert file.read_bytes() == b"one\r\n"
    dangling = tmp_path / "scenarios" / "dangling.yaml"
    dangling.symlink_to(tmp_path / "nowhere")
    with pytest.raises(WorkbenchError, match="there is one already"):
        create(dangling, tmp_path, "new\n")


def test_a_new_file_has_the_mode_of_new_files(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        create(tmp_path / "scenarios" / "s.yaml", tmp_path, "new\n")
    finally:
        os.umask(before)
    path = tmp_path / "scenarios" / "s.yaml"
    assert path.read_bytes() == b"new\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert names(path.parent) == ["s.yaml"]


def test_a_file_system_without_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "s.yaml"
    create(path, tmp_path, "new\n")
    assert path.read_bytes() == b"new\n"
    with pytest.raises(WorkbenchError, match="there is one already"):
        create(path, tmp_path, "newer\n")
    assert path.read_bytes() == b"new\n"
