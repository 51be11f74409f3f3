"""A report goes where it was sent: whole, through links, and into devices and pipes as they are."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from workbench.cli.streams import atomic_write
from workbench.core.errors import WorkbenchError


def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text("utf-8")))
    reader.start()
    atomic_write(pipe, "report\n")
    reader.join(10)
    assert read == ["report\n"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def test_a_device_stays_a_device() -> None:
    before = Path(os.devnull).stat()
    if not stat.S_ISCHR(before.st_mode):
        pytest.skip("there is no null device here")
    atomic_write(Path(os.devnull), "report\n")
    after = Path(os.devnull).stat()
    assert (after.st_mode, after.st_ino) == (before.st_mode, before.st_ino)


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target = tmp_path / "there.txt"
    target.write_text("old")
    link = tmp_path / "here.txt"
    link.symlink_to(target)
    atomic_write(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["here.txt", "there.txt"]


def test_what_cannot_be_written_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(WorkbenchError, match="cannot write"):
        atomic_write(tmp_path / "none" / "report.txt", "x")
    with pytest.raises(WorkbenchError, match="cannot write"):
        atomic_write(tmp_path, "x")
