"""Keys as a user wants them, and what outlives the screen."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tui_made import workspace

from workbench.core.cell import CellKey
from workbench.core.errors import Mark
from workbench.files.settings import Chosen
from workbench.tui.commands import COMMANDS, commands_in, footer_of
from workbench.tui.keymap import keyed, keymap_of
from workbench.tui.memory import Memory, keep, memory_of, recall
from workbench.tui.state import SessionState
from workbench.tui.view.help import help_lines
from workbench.tui.view.ink import plain
from workbench.tui.view.layout import Pane, SideBySide


def chosen(**keys: str | tuple[str, ...]) -> dict[str, Chosen]:
    return {
        name.replace("_", "-"): Chosen((key,) if isinstance(key, str) else key, Mark("config.yaml", line, 3))
        for line, (name, key) in enumerate(keys.items(), 2)
    }


def test_a_command_gets_its_key_and_keeps_its_name() -> None:
    keymap, problems = keymap_of(chosen(run_cell="x", help=("f2", "ctrl+t")), COMMANDS)
    assert keymap == {"run-cell": ("x",), "help": ("f2", "ctrl+t")}
    assert [str(problem) for problem in problems] == [
        "config.yaml:2:3: keys: x goes to run-cell, and explain has no key left (give explain another key)"
    ]


def test_a_key_taken_from_one_of_several_is_no_trouble() -> None:
    keymap, problems = keymap_of(chosen(run_cell="k"), COMMANDS)
    assert not problems
    by_name = {command.id: command for command in keyed(COMMANDS, keymap)}
    assert by_name["run-cell"].keys == ("k",)
    assert by_name["up"].keys == ("up",)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        (chosen(run_sell="x"), "there is no command"),
        (chosen(run_cell="ctrl+m"), "terminals send it for enter"),
        (chosen(run_cell="hello"), "is no key"),
        (chosen(run_cell="meta+x"), "is no key"),
        (chosen(run_cell="f5", run_shown="f5"), "asked for by run-cell and by run-shown"),
    ],
)
def test_what_cannot_be_is_told_with_its_place(keys: dict[str, Chosen], words: str) -> None:
    _, problems = keymap_of(keys, COMMANDS)
    assert words in problems[0].message
    assert problems[0].mark is not None and problems[0].mark.file == "config.yaml"


def test_footer_and_help_show_the_keys_that_count() -> None:
    state = SessionState(workspace().session())
    state.keymap, _ = keymap_of(chosen(run_cell="f5"), COMMANDS)
    assert next(c for c in commands_in(state) if c.id == "run-cell").shown_key == "f5"
    assert keyed(footer_of(Pane.MATRIX), state.keymap)[0].shown_key == "f5"
    text = "\n".join(plain(line) for line in help_lines(state, 80))
    assert "  f5 " in text


def test_a_command_without_a_key_is_still_a_command() -> None:
    state = SessionState(workspace().session())
    state.keymap, problems = keymap_of(chosen(run_cell="q"), COMMANDS)
    assert "quit has no key left" in problems[0].message
    quitting = next(c for c in commands_in(state) if c.id == "quit")
    assert quitting.keys == () and quitting.shown_key == ""


def test_where_one_was_outlives_the_screen(tmp_path: Path) -> None:
    made = workspace()
    path = tmp_path / "state" / "screen.json"
    state = SessionState(made.session(made.run("envelope-replay")))
    state.place.go_to(CellKey("envelope-replay", "today", "reply", "fixed"))
    state.side_by_side = SideBySide.UNIFIED
    keep(path, memory_of(state, "nord"))
    again = SessionState(replace(made.session(made.run("envelope-replay")), memory=path))
    assert again.place.key == CellKey("envelope-replay", "today", "reply", "fixed")
    assert again.side_by_side is SideBySide.UNIFIED
    assert again.memory.theme == "nord"
    assert [file.name for file in path.parent.iterdir()] == ["screen.json"]


def test_what_is_gone_is_passed_over(tmp_path: Path) -> None:
    made = workspace()
    path = tmp_path / "screen.json"
    keep(path, Memory("gone", "1", "x", "y", "sideways", "t"))
    state = SessionState(replace(made.session(), memory=path))
    assert state.place.scenario == "envelope-replay"
    assert state.side_by_side is SideBySide.AUTO


@pytest.mark.parametrize(
    "text", ["", "nonsense", "[]", "12", '{"scenario": 3, "more": {}}', "[" * 50_000, "x" * 200_000]
)
def test_a_broken_memory_is_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "screen.json"
    path.write_text(text)
    assert recall(path) == Memory()
    assert recall(tmp_path / "nowhere") == Memory()
    assert recall(tmp_path) == Memory()


def test_a_folder_that_cannot_be_written_is_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    keep(tmp_path / "file" / "screen.json", Memory("a"))
    keep(None, Memory("a"))


def test_hostile_names_are_kept_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "screen.json"
    keep(path, Memory("\x1b]0;x\x07", "\ud800"))
    assert recall(path).scenario == "\x1b]0;x\x07"
    assert recall(path).prompt == "\ud800"
    assert json.loads(path.read_text("ascii"))
