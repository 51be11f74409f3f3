"""The workspace's file, where it is found, and whether it is trusted."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

import workbench
from workbench.core.errors import Mark, WorkbenchError
from workbench.files import root as module
from workbench.files.problems import Problems
from workbench.files.trust import is_trusted, record
from workbench.files.workspace import (
    Workspace,
    find_root,
    load_workspace,
    open_workspace,
    packaged_root,
)

TABLE = """\
adapters:
  keywords: {use: keyword, table: t.yaml}
  app.v-2_x: {use: python, target: "a:b", timeout: 5}
"""


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def make(folder: Path, text: str = TABLE, name: str = "workbench.yaml") -> Workspace:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(text.encode())
    return load_workspace(folder)


def test_adapters_are_read_and_not_typed(tmp_path: Path) -> None:
    made = make(tmp_path / "w")
    file = str(tmp_path / "w" / "workbench.yaml")
    assert (made.root, made.file, made.packaged) == (tmp_path / "w", tmp_path / "w" / "workbench.yaml", False)
    assert list(made.adapters) == ["keywords", "app.v-2_x"]
    spec = made.adapters["app.v-2_x"]
    assert (spec.name, spec.use, spec.mark) == ("app.v-2_x", "python", Mark(file, 3, 3))
    assert list(spec.options) == ["target", "timeout"]
    assert spec.keys["timeout"] == Mark(file, 3, 43)
    assert spec.options["timeout"].number(Problems()) == 5.0


def test_all_mistakes_come_at_once(tmp_path: Path) -> None:
    with pytest.raises(WorkbenchError) as caught:
        make(tmp_path, "adapters:\n  'a b': {use: x}\n  c: {}\n  d: []\n  e: {use: ~}\nmore: 1\n")
    assert [problem.mark.line for problem in caught.value.problems if problem.mark] == [2, 3, 4, 5, 6]


@pytest.mark.parametrize("name", ["a:b", "a@b", "a#b", "a b", "", ".a", "-a", "ä", "a/b", "a\\nb"])
def test_names_that_would_break_an_address(tmp_path: Path, name: str) -> None:
    with pytest.raises(WorkbenchError, match="cannot name an adapter"):
        make(tmp_path, f'adapters: {{"{name}": {{use: x}}}}\n')


def test_the_nearest_workspace_upwards_is_found(tmp_path: Path) -> None:
    make(tmp_path / "w")
    make(tmp_path / "w" / "inner", name=".workbench.yaml")
    deep = tmp_path / "w" / "inner" / "a" / "b"
    deep.mkdir(parents=True)
    (tmp_path / "w" / "workbench.yaml.d").mkdir()
    assert find_root(deep) == tmp_path / "w" / "inner"
    assert find_root(tmp_path / "w" / "other" / "not there") == tmp_path / "w"
    link = tmp_path / "link"
    link.symlink_to(deep)
    assert find_root(link) == tmp_path / "w" / "inner"


def test_a_folder_of_that_name_is_no_workspace(tmp_path: Path) -> None:
    (tmp_path / "workbench.yaml").mkdir()
    found = find_root(tmp_path)
    assert found is None or tmp_path not in (found, *found.parents)
    with pytest.raises(WorkbenchError, match="is no workspace"):
        load_workspace(tmp_path)


def test_two_files_are_one_too_many(tmp_path: Path) -> None:
    make(tmp_path)
    (tmp_path / ".workbench.yaml").write_text("adapters: {}\n")
    with pytest.raises(WorkbenchError, match="holds both"):
        load_workspace(tmp_path)


def test_without_one_the_packaged_workspace_is_opened(tmp_path: Path) -> None:
    if find_root(tmp_path) is not None:
        pytest.skip("the folder of temporary files lies in a workspace")
    opened = open_workspace(tmp_path)
    assert opened.packaged and opened.root == packaged_root()
    assert is_trusted(opened)


def test_the_packaged_workspace_is_the_wheels_data_or_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert packaged_root() in (Path(workbench.__file__).parent / "_data", Path(workbench.__file__).parents[1])
    package = tmp_path / "site" / "workbench"
    (package / "files").mkdir(parents=True)
    monkeypatch.setattr(module, "__file__", str(package / "files" / "root.py"))
    with pytest.raises(WorkbenchError, match="lacks the scenarios"):
        packaged_root()
    (tmp_path / "site" / ".workbench.yaml").write_text("adapters: {}\n")
    assert packaged_root() == tmp_path / "site"
    (package / "_data").mkdir()
    (package / "_data" / ".workbench.yaml").write_text("adapters: {}\n")
    assert packaged_root() == package / "_data"


def test_comments_and_layout_do_not_change_the_hash(tmp_path: Path) -> None:
    plain = make(tmp_path / "a").table_hash
    laid_out = (
        "# a note\nadapters:\n  app.v-2_x:\n    timeout: 5\n    target: a:b\n    use: python\n"
        "  keywords:\r\n    use: 'keyword'   # built in\r\n    table: t.yaml\n"
    )
    assert make(tmp_path / "b", laid_out).table_hash == plain
    for changed in (
        TABLE.replace("a:b", "a:c"),
        TABLE.replace("app.", "app2."),
        TABLE + "  x: {use: keyword}\n",
    ):
        assert make(tmp_path / "c", changed).table_hash != plain
    assert len(plain) == 64


def test_trust_is_for_one_table_in_one_place(tmp_path: Path) -> None:
    made = make(tmp_path / "w")
    assert not is_trusted(made)
    file = record(made)
    assert is_trusted(made) and is_trusted(load_workspace(tmp_path / "w"))
    assert not is_trusted(make(tmp_path / "copy"))
    changed = make(tmp_path / "w", TABLE.replace("a:b", "evil:b"))
    assert not is_trusted(changed)
    record(changed)
    assert is_trusted(changed) and not is_trusted(made)
    assert file.is_relative_to(tmp_path / "state" / "workbench")


def test_trust_is_kept_private(tmp_path: Path) -> None:
    file = record(make(tmp_path / "w"))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "state" / "workbench").stat().st_mode) == 0o700
    assert list(file.parent.iterdir()) == [file]  # nothing half-written stays


@pytest.mark.parametrize("content", ["", "{", "[]", '"x"', "[" * 100_000, "\xff"])
def test_a_spoiled_record_is_no_trust(tmp_path: Path, content: str) -> None:
    made = make(tmp_path / "w")
    file = record(made)
    file.write_text(content, encoding="latin-1")
    assert not is_trusted(made)
    record(made)
    assert json.loads(file.read_text())["root"] == str(tmp_path / "w")


def test_trust_that_cannot_be_kept_is_told(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where a folder should be")
    with pytest.raises(WorkbenchError, match="cannot be kept"):
        record(make(tmp_path / "w"))


def test_a_workspace_in_a_folder_of_any_bytes(tmp_path: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xe9"))
    made = make(folder)
    record(made)
    assert is_trusted(made)


def test_links_do_not_make_another_workspace(tmp_path: Path) -> None:
    record(make(tmp_path / "w"))
    (tmp_path / "link").symlink_to(tmp_path / "w")
    assert is_trusted(load_workspace(tmp_path / "link"))
