"""The settings of this user: read leniently, told of exactly."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.files.settings import Settings, load_settings, settings_file


def settings(folder: Path, text: str) -> Settings:
    path = folder / "config.yaml"
    path.write_text(text)
    return load_settings(path)


def test_no_file_is_no_settings(tmp_path: Path) -> None:
    assert load_settings(tmp_path / "config.yaml") == Settings()


def test_the_file_lies_in_the_folder_for_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert settings_file() == tmp_path / "workbench" / "config.yaml"


def test_keys_are_one_or_several(tmp_path: Path) -> None:
    found = settings(tmp_path, "theme: nord\nkeys:\n  run-cell: x\n  help: [f2, '?']\n")
    assert {name: chosen.keys for name, chosen in found.keys.items()} == {
        "run-cell": ("x",),
        "help": ("f2", "?"),
    }
    assert found.theme == "nord"
    assert not found.problems
    assert (found.keys["help"].mark.line, found.keys["help"].mark.column) == (4, 3)


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("kees: {}\n", 1, 1, "kees"),
        ("keys: [a]\n", 1, 7, "mapping"),
        ("keys:\n  run-cell:\n", 2, 3, "text"),
        ("keys:\n  run-cell: {a: b}\n", 2, 13, "text"),
        ("keys: {a: x\n", 1, 7, ""),
    ],
)
def test_what_is_wrong_is_told_with_its_place(
    tmp_path: Path, text: str, line: int, column: int, words: str
) -> None:
    problem = settings(tmp_path, text).problems[0]
    assert problem.mark is not None
    assert problem.mark.file == str(tmp_path / "config.yaml")
    assert (problem.mark.line, problem.mark.column) == (line, column)
    assert words in str(problem)


def test_an_empty_file_says_nothing(tmp_path: Path) -> None:
    assert settings(tmp_path, "# nothing yet\n") == Settings()
