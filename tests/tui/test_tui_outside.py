"""The user's own editor: which one, and how it is told the line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.errors import WorkbenchError
from workbench.tui.outside import USUAL, editor_of, told_line


def found(*programs: str) -> Callable[[str], str | None]:
    """A path on which only these programs are."""
    return lambda name: f"/nowhere/{name}" if name in programs else None


@pytest.mark.parametrize(
    ("environment", "command"),
    [
        ({"VISUAL": "nvim", "EDITOR": "nano"}, ["nvim"]),
        ({"EDITOR": "nano"}, ["nano"]),
        ({"VISUAL": "  ", "EDITOR": "nano"}, ["nano"]),
        ({"EDITOR": "code --wait --new-window"}, ["code", "--wait", "--new-window"]),
        ({"EDITOR": "nano -T '4 2'"}, ["nano", "-T", "4 2"]),
        ({}, ["nano"]),
    ],
)
def test_the_editor_is_the_one_that_was_set(environment: dict[str, str], command: list[str]) -> None:
    assert editor_of(environment, found("nvim", "nano", "vim", "code")) == command


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({}, "no editor is known"),
        ({"EDITOR": "gone --x"}, "EDITOR is not installed: gone"),
        ({"VISUAL": "'open"}, "VISUAL cannot be read"),
        ({"VISUAL": "''"}, "VISUAL is not installed"),
    ],
)
def test_without_one_it_is_said_and_what_to_do(environment: dict[str, str], words: str) -> None:
    with pytest.raises(WorkbenchError, match=words) as raised:
        editor_of(environment, found(), "f5 edits on this screen")
    assert "f5 edits on this screen" in (raised.value.problems[0].hint or "")


@pytest.mark.parametrize(
    ("editor", "arguments"),
    [
        (["vi"], ["+12", "/a b.yaml"]),
        (["/usr/bin/vim.basic", "-n"], ["-n", "+12", "/a b.yaml"]),
        (["nvim"], ["+12", "/a b.yaml"]),
        (["nano"], ["+12,5", "/a b.yaml"]),
        (["emacs", "-nw"], ["-nw", "+12:5", "/a b.yaml"]),
        (["emacs-nox"], ["+12:5", "/a b.yaml"]),
        (["emacs29"], ["+12:5", "/a b.yaml"]),
        (["emacsclient", "-t"], ["-t", "+12:5", "/a b.yaml"]),
        (["micro"], ["+12:5", "/a b.yaml"]),
        (["hx"], ["/a b.yaml:12:5"]),
        (["code"], ["--wait", "-g", "/a b.yaml:12:5"]),
        (["code", "-w"], ["-w", "-g", "/a b.yaml:12:5"]),
        (["code-insiders", "--wait"], ["--wait", "-g", "/a b.yaml:12:5"]),
        (["subl"], ["--wait", "/a b.yaml:12:5"]),
        (["Code.EXE"], ["--wait", "-g", "/a b.yaml:12:5"]),
        (["some-editor", "--flag"], ["--flag", "/a b.yaml"]),
    ],
)
def test_each_is_told_the_line_in_its_own_way(editor: list[str], arguments: list[str]) -> None:
    assert told_line(editor, "/a b.yaml", 12, 5, found()) == [editor[0], *arguments]


def test_a_link_is_followed_to_the_editor_that_it_stands_for(tmp_path: Path) -> None:
    (tmp_path / "nano").touch()
    link = tmp_path / "editor"
    link.symlink_to("nano")
    assert told_line(["editor"], "/x", 3, 1, lambda name: str(link)) == ["editor", "+3,1", "/x"]


@given(st.text(min_size=1).filter(lambda name: "\0" not in name), st.integers(1, 10**6))
def test_the_file_is_handed_over_as_it_is_whatever_it_is_called(name: str, line: int) -> None:
    for editor in ("vim", "nano", "hx", "code", "unknown"):
        last = told_line([editor], f"/{name}", line, 1, found())[-1]
        assert last in (f"/{name}", f"/{name}:{line}:1")


def test_all_that_is_tried_has_a_form_or_takes_the_file() -> None:
    for editor in USUAL:
        assert told_line([editor], "/x", 2, 1, found())[-1].startswith("/x")
