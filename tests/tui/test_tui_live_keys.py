"""Sentences that name a key name the one that this user has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from test_tui_screen import driving, ran
from tui_made import workspace

import workbench.tui
from workbench.core.cell import CellKey
from workbench.core.errors import Mark
from workbench.core.trial import Status
from workbench.files.settings import Chosen, Settings
from workbench.tui.commands import COMMANDS, commands_in, footer_in
from workbench.tui.guide import Stop, Walk
from workbench.tui.keymap import key_of, keymap_of
from workbench.tui.progress import Phase
from workbench.tui.screens.help import HelpScreen
from workbench.tui.session import Loaded
from workbench.tui.state import SessionState
from workbench.tui.view.ink import plain
from workbench.tui.view.layout import Pane
from workbench.tui.view.notice import notice_of
from workbench.tui.view.page import Page
from workbench.tui.view.status import status_line

ROOT = Path(workbench.tui.__file__).parent
SIGNS = "+-"  # keys too, but in a sentence they are the signs of a difference
SINGLE = "".join(
    re.escape(key) for command in COMMANDS for key in command.keys if len(key) == 1 and key not in SIGNS
)
NAMED = re.compile(rf"(?:^|[ ;:,`])([{SINGLE}])`? (?:[a-z]+s\b|or\b|all\b)")
"""A key that stands by itself, with what it does behind it."""

OTHER = {
    "run-cell": "f5",
    "run-shown": "f6",
    "run-failed": "f7",
    "stop": "f8",
    "trust": "f9",
    "fold": "f10",
    "unpin": "f11",
    "quit": "f12",
    "search": "f2",
    "next-case": "f3",
    "new": "f4",
    "open": "ctrl+o",
    "help": "ctrl+t",
}


def settings() -> Settings:
    return Settings(keys={name: Chosen((key,), Mark("config.yaml", 1)) for name, key in OTHER.items()})


def remapped(state: SessionState) -> SessionState:
    state.keymap, problems = keymap_of(settings().keys, COMMANDS)
    assert not problems
    return state


def sentences(path: Path) -> Iterator[str]:
    """Every string of a module that is no docstring, and the parts of those that are put together."""
    tree = ast.parse(path.read_text("utf-8"))
    said = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and not is_made(node.value)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.value


def is_made(node: ast.expr) -> bool:
    return not isinstance(node, ast.Constant)


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_sentence_has_a_key_written_into_it(path: Path) -> None:
    assert [words for words in sentences(path) if NAMED.search(words)] == []


@pytest.mark.parametrize(
    "words", ["nothing was run; r runs this cell", "R runs all", "`.` runs again", "this is the top; q quits"]
)
def test_the_wall_sees_a_key(words: str) -> None:
    assert NAMED.search(words)


def spoken(state: SessionState) -> str:
    """What the screen says of a place: the notice, the status, and why commands cannot be used."""
    page = Page(notice_of(state), 160, split=False)
    lines = [str(plain(page.line(y))) for y in range(page.height)]
    lines.append(plain(status_line(state, 160)))
    lines += [command.why_not(state) or "" for command in commands_in(state)]
    return "\n".join(lines)


def of(name: str) -> SessionState:
    """A state in which a sentence names the key of something."""
    made = workspace()
    state = SessionState(made.session())
    state.place.go_to(CellKey("envelope-replay", "build", "channel", "fixed"))
    match name:
        case "trust":
            state.session = replace(state.session, trusted=False)
            state.place.select_row(0)
        case "run-shown":
            state.place.select_row(0)
        case "run-failed":
            state = SessionState(made.session(made.run("envelope-replay")))
            state.board.cells = {
                key: replace(
                    cell, trials=tuple(replace(t, decision=None, status=Status.ERROR) for t in cell.trials)
                )
                for key, cell in state.board.cells.items()
            }
            state.place.select_row(0)
            state._changed()
        case "stop":
            state.progress.phase = Phase.RUNNING
        case "open":
            state.watch.note((Path("router.py"),))
            state.place.pane = Pane.COMPARISON
        case "new":
            state = SessionState(replace(made.session(), scenarios=(), reload=lambda: Loaded((), ())))
        case "next-case":
            state.session = replace(state.session, reload=lambda: Loaded((), ()))
        case "quit":
            state.place.pane = Pane.SCENARIOS
    return state


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("run-cell", "{} runs this cell"),
        ("run-shown", "{} runs the whole scenario"),
        ("run-failed", "{} runs again what failed"),
        ("stop", "{} stops it and keeps what is done"),
        ("trust", "{} shows what they start"),
        ("quit", "this is the top; {} quits"),
        ("search", "nothing is searched for; {} begins a search"),
        ("next-case", "there is no finding here; {} goes to the next"),
        ("new", "there is no file here yet; {} makes one"),
        ("open", "router.py changed: {}, "),
    ],
)
def test_a_sentence_takes_the_key_of_the_keymap(name: str, words: str) -> None:
    state = of(name)
    assert words.format(key_of(state, name)) in spoken(state)
    assert words.format(OTHER[name]) not in spoken(state)
    remapped(state)
    assert words.format(OTHER[name]) in spoken(state)


def test_a_command_that_lost_its_key_is_named() -> None:
    state = SessionState(workspace().session())
    state.keymap, _ = keymap_of({"stop": Chosen(("r",), Mark("config.yaml", 1))}, COMMANDS)
    assert key_of(state, "run-cell") == "the command run cell"
    assert "nothing differs; the command run cell runs this cell" in spoken(state)


def test_the_end_of_a_walk_names_the_key_that_leaves() -> None:
    walk = Walk((Stop("one", ("words",)),))
    state = remapped(SessionState(replace(workspace().session(), walk=walk)))
    on = next(command for command in commands_in(state) if command.id == "walk-on")
    assert on.why_not(state) == "the walk ends here; f12 leaves"


def test_a_comparison_names_the_keys_and_the_footer_has_them() -> None:
    made = workspace()
    state = remapped(SessionState(made.session(made.run("envelope-replay", "canary"))))
    document = state.comparisons.made(CellKey("envelope-replay", "build", "channel", "naive"))
    assert document is not None and document.opens == "f10"
    assert all(tab.opens == "f10" for tab in document.tabs.values())
    assert "f5" in {command.shown_key for command in footer_in(state)}


async def test_on_the_whole_screen_and_in_the_help() -> None:
    async with driving(replace(ran(workspace()), settings=settings())) as driver:
        driver.state.place.go_to(CellKey("paste", "1", "bare", "fixed"))
        driver.main.redraw()
        await driver.pilot.pause()
        text = driver.text()
        assert "f5 run " in text and "f12 quit" in text
        await driver.pilot.press("ctrl+t")
        assert isinstance(driver.app.screen, HelpScreen)
        assert "ctrl+t f12 esc close" in driver.text()
        await driver.pilot.press("question_mark")
        assert isinstance(driver.app.screen, HelpScreen)
        await driver.pilot.press("ctrl+t")
        assert len(driver.app.screen_stack) == 1
        await driver.pilot.press("f5")
        await driver.pilot.pause()
        assert driver.state.progress.phase is not Phase.IDLE
