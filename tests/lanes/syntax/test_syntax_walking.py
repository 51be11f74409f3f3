"""A walk finds what somebody wrote: git itself is asked what its ignore rules say."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from workbench.core.errors import WorkbenchError
from workbench.lanes.syntax.code import Code, Unread
from workbench.lanes.syntax.language import Language
from workbench.lanes.syntax.walking import read_tree, walk

PYTHON = (Language.PYTHON,)


def write(folder: Path, *names: str, text: str = "x = 1\n") -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def walked(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in walk([folder], PYTHON) if isinstance(path, Path)}


@pytest.mark.parametrize(
    "rules",
    [
        "gen.py\n",
        "/gen.py\n",
        "made/\n",
        "made\n",
        "*.gen.py\n",
        "**/made/*.py\n",
        "a/**/z.py\n",
        "*.py\n!keep.py\n",
        "made/*\n!made/keep.py\n",
        "made/\n!made/keep.py\n",
        "# a comment\n\n\\#odd.py\n",
        "trailing.py   \n",
        "[ab].py\n",
        "a?.py\n",
        "!gen.py\n",
    ],
)
def test_ignored_is_what_git_ignores(tmp_path: Path, rules: str) -> None:
    names = ("gen.py", "keep.py", "a.py", "ab.py", "x.gen.py", "#odd.py", "trailing.py")
    for folder in ("", "made/", "a/", "a/made/", "a/b/c/"):
        write(tmp_path, *(folder + name for name in (*names, "z.py")))
    (tmp_path / ".gitignore").write_text(rules)
    write(tmp_path, "a/.gitignore", text="ab.py\n!gen.py\n")
    command = ["git", "-C", str(tmp_path)]
    settings = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull}
    subprocess.run([*command, "init", "-q"], check=True, env=settings)
    listed = subprocess.run(
        [*command, "ls-files", "-z", "--others", "--exclude-standard"],
        check=True,
        capture_output=True,
        text=True,
        env=settings,
    )
    wanted = {name for name in listed.stdout.split("\0") if name.endswith(".py")}
    assert walked(tmp_path) == wanted


def test_folders_of_others_and_machines_are_passed_by(tmp_path: Path) -> None:
    write(
        tmp_path, "app.py", "node_modules/x/a.py", "dist/a.py", "env/lib/a.py", "proto/a_pb2.py", "src/b.py"
    )
    write(tmp_path, "env/pyvenv.cfg")
    assert walked(tmp_path) == {"app.py", "src/b.py"}


def test_what_is_named_is_read_and_read_once(tmp_path: Path) -> None:
    write(tmp_path, "dist/a.py", "app.py")
    named = [tmp_path / "dist", tmp_path / "dist/a.py", tmp_path]
    assert list(walk(named, PYTHON)) == [tmp_path / "dist/a.py", tmp_path / "app.py"]


def test_links_are_not_followed_below_a_folder(tmp_path: Path) -> None:
    write(tmp_path, "real/app.py")
    (tmp_path / "real/loop").symlink_to(tmp_path / "real")
    (tmp_path / "real/again.py").symlink_to(tmp_path / "real/app.py")
    assert walked(tmp_path) == {"real/app.py"}


def test_what_cannot_be_read_is_named_and_stops_nothing(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "c.py")
    (tmp_path / "b.py").write_bytes(b"x = '\xff'\n")
    write(tmp_path, "d.py", text="def broken(x y z)) = = 3\n")
    read = list(read_tree([tmp_path], PYTHON))
    assert [type(one) for one in read] == [Code, Unread, Code, Code]
    assert isinstance(read[3], Code) and read[3].error == 1
    assert isinstance(read[2], Code) and read[2].error is None
    assert isinstance(read[1], Unread) and "UTF-8" in read[1].reason


def test_sources_that_are_none(tmp_path: Path) -> None:
    write(tmp_path, "notes.md", text="# notes\n")
    with pytest.raises(WorkbenchError) as raised:
        list(walk([tmp_path / "nowhere", tmp_path / "notes.md"], PYTHON))
    assert [problem.message for problem in raised.value.problems] == [
        "no such file or folder",
        "not source code that this verb reads",
    ]
