"""Commands: declared once, with keys that clash with nothing, and tested on a stage without a screen."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

import pytest
from tui_made import BROKEN, workspace

from workbench.core.cell import CellKey
from workbench.core.text import safe
from workbench.tui.commands import COMMANDS, GROUPS, Command, command_of, footer_of
from workbench.tui.commands.command import Author, Keeper, Seeker, Taker
from workbench.tui.place import Motion
from workbench.tui.progress import Phase
from workbench.tui.search import Search
from workbench.tui.session import Target
from workbench.tui.state import SessionState
from workbench.tui.taking import Taken
from workbench.tui.view.help import help_lines
from workbench.tui.view.ink import plain
from workbench.tui.view.layout import Pane, SideBySide

DEAD = {"ctrl+h", "ctrl+i", "ctrl+m", "ctrl+a", "ctrl+b", "ctrl+z"}
"""Keys that a terminal, tmux or job control takes for itself."""


@dataclass
class FakeStage:
    """Writes down what it is asked for."""

    state: SessionState
    asked: list[object] = field(default_factory=list)

    def redraw(self) -> None:
        self.asked.append("redraw")

    def follow(self) -> None:
        self.asked.append("follow")

    def run(self, target: Target) -> None:
        self.asked.append(target)

    def run_only(self, target: Target, keys: Collection[CellKey]) -> None:
        self.asked.append((target, frozenset(keys)))

    def ask_trust(self) -> None:
        self.asked.append("trust")

    def welcome(self) -> None:
        self.asked.append("welcome")

    def search(self) -> None:
        self.asked.append("search")

    def next_match(self, step: int) -> None:
        self.asked.append(step)

    def filter(self) -> None:
        self.asked.append("filter")

    def show_all(self) -> None:
        self.asked.append("all")

    def jump(self) -> None:
        self.asked.append("jump")

    @property
    def explaining(self) -> FakeStage:
        return self

    def explain(self, key: CellKey) -> None:
        self.asked.append(("explain", key))

    @property
    def logs(self) -> FakeStage:
        return self

    def follow_log(self) -> None:
        self.asked.append("log")

    def stop(self) -> None:
        self.asked.append("stop")

    def page(self) -> int:
        return 3

    def scroll(self, motion: Motion) -> None:
        self.asked.append(motion)

    def tell(self, words: str) -> None:
        self.asked.append(words)

    def show_help(self) -> None:
        self.asked.append("help")

    def show_palette(self) -> None:
        self.asked.append("palette")

    def next_theme(self) -> None:
        self.asked.append("theme")

    def leave(self) -> None:
        self.asked.append("leave")

    def take(self, what: Taken) -> None:
        self.asked.append(what)

    def export(self) -> None:
        self.asked.append("export")

    def choose_run(self) -> None:
        self.asked.append("runs")

    @property
    def taking(self) -> Taker:
        return self

    @property
    def authoring(self) -> Author:
        raise AssertionError("what writes files has tests of its own")

    @property
    def seeking(self) -> Seeker:
        return self

    @property
    def upkeep(self) -> Keeper:
        return self


@pytest.fixture
def stage() -> FakeStage:
    made = workspace()
    state = SessionState(made.session(made.run("envelope-replay"), BROKEN))
    for scenario in made.scenarios:
        state.planned(scenario.name, made.plan(scenario.name, None, None, None))
    return FakeStage(state)


def press(stage: FakeStage, name: str) -> list[object]:
    """Carry out a command; what the stage was asked for."""
    stage.asked.clear()
    command_of(name).act(stage)
    return list(stage.asked)


def test_ids_and_keys_are_unique_and_alive() -> None:
    ids = [command.id for command in COMMANDS]
    keys = [key for command in COMMANDS for key in command.keys]
    assert len(set(ids)) == len(ids)
    assert len(set(keys)) == len(keys)
    assert not set(keys) & DEAD
    # A terminal without the Kitty protocol sends them as an escape and a letter, which means other keys.
    assert not [key for key in keys if key.startswith("alt+")]


def test_every_command_is_declared_in_full() -> None:
    for command in COMMANDS:
        assert command.group in GROUPS
        assert command.help.endswith(".") and len(command.help) < 90
        assert len(command.label.split()) <= 3
        safe(command.help)
        safe(command.label)


def test_the_keys_that_people_know_are_there() -> None:
    by_key = {key: command.id for command in COMMANDS for key in command.keys}
    for keys, name in {
        "r": "run-cell",
        "R": "run-shown",
        "s": "stop",
        "[": "previous-difference",
        "]": "next-difference",
        "?": "help",
        "q": "quit",
        "tab": "next-pane",
        "j": "down",
        "down": "down",
        "k": "up",
        "h": "left",
        "l": "right",
        "ctrl+p": "palette",
        ":": "palette",
    }.items():
        assert by_key[keys] == name


def test_the_footer_changes_with_the_pane_and_stays_short() -> None:
    offered = {pane: [command.id for command in footer_of(pane)] for pane in Pane}
    assert "fold" in offered[Pane.COMPARISON] and "fold" not in offered[Pane.MATRIX]
    assert "back" not in offered[Pane.SCENARIOS]
    for ids in offered.values():
        assert {"run-cell", "run-shown", "help", "quit"} <= set(ids)
        assert len(ids) <= 13


def test_running_takes_the_cell_or_all_that_is_shown(stage: FakeStage) -> None:
    assert press(stage, "run-cell") == [Target("envelope-replay", "build", "bare", "naive")]
    assert press(stage, "run-shown") == [Target("envelope-replay", "build")]
    stage.state.place.select_row(0)
    assert press(stage, "run-cell") == [Target("envelope-replay", "build", None, "naive")]
    assert press(stage, "run-shown") == [Target("envelope-replay")]


def test_movement_follows_the_focus(stage: FakeStage) -> None:
    press(stage, "down")
    assert stage.state.place.prompt == "2"
    press(stage, "page-down")
    assert stage.state.place.prompt == "5"
    press(stage, "next-pane")
    press(stage, "right")
    assert stage.state.place.cursor[1] == 1
    press(stage, "next-pane")
    assert press(stage, "down") == [Motion.DOWN]
    press(stage, "previous-pane")
    press(stage, "previous-pane")
    press(stage, "previous-pane")
    assert stage.state.place.pane is Pane.COMPARISON
    press(stage, "next-pane")
    press(stage, "top")
    assert stage.state.place.row == 0
    press(stage, "bottom")
    assert stage.state.place.row == len(stage.state.place.rows) - 1
    press(stage, "page-up")
    press(stage, "up")
    assert stage.state.place.row == len(stage.state.place.rows) - 5


def test_views_are_switched(stage: FakeStage) -> None:
    for name, view in (
        ("view-split", SideBySide.SPLIT),
        ("view-unified", SideBySide.UNIFIED),
        ("view-auto", SideBySide.AUTO),
    ):
        press(stage, name)
        assert stage.state.side_by_side is view
    assert "not widened" in (command_of("less-context").why_not(stage.state) or "")
    press(stage, "more-context")
    press(stage, "more-context")
    press(stage, "less-context")
    assert stage.state.context == 5
    press(stage, "fold")
    assert stage.state.unfolded
    assert "every line is shown" in (command_of("more-context").why_not(stage.state) or "")
    press(stage, "zoom")
    assert stage.state.place.zoomed
    press(stage, "back")
    assert not stage.state.place.zoomed


def test_the_end_of_all_differences_is_told(stage: FakeStage) -> None:
    for _ in range(200):
        asked = press(stage, "next-difference")
        if asked != ["redraw"]:
            break
    assert asked == ["no further difference", "redraw"]
    press(stage, "previous-case")
    assert press(stage, "next-case") == ["redraw"]


def test_the_rest_is_handed_on(stage: FakeStage) -> None:
    for name, asked in (
        ("stop", "stop"),
        ("theme", "theme"),
        ("palette", "palette"),
        ("help", "help"),
        ("quit", "leave"),
    ):
        assert press(stage, name) == [asked]


def test_a_command_that_cannot_be_used_says_why(stage: FakeStage) -> None:
    def why(name: str) -> str:
        return command_of(name).why_not(stage.state) or ""

    assert why("run-cell") == why("run-shown") == ""
    assert why("stop") == "no run is on"
    assert "top" in why("back")
    stage.state.progress.phase = Phase.RUNNING
    assert why("stop") == ""
    assert "a run is on" in why("run-cell") and "a run is on" in why("run-shown")
    stage.state.progress.phase = Phase.IDLE
    del stage.state.board.planned[CellKey("paste", "1", "reply", "held")]
    stage.state.place.go_to(CellKey("paste", "1", "reply", "held"))
    assert "no such delivery" in why("run-cell")
    stage.state.place.select_row(len(stage.state.place.rows) - 1)
    assert "choose a scenario" in why("run-cell")
    empty = SessionState(replace(workspace().session(), scenarios=()))
    stage.state = empty
    assert "nothing to open" in why("open")
    assert "nothing has been run" in why("next-difference")


def test_every_reason_is_in_our_own_plain_words(stage: FakeStage) -> None:
    hostile = SessionState(replace(workspace().session(), scenarios=(), trusted=False))
    for state in (stage.state, hostile):
        for command in COMMANDS:
            safe(command.why_not(state) or "")


def said(command: Command) -> str:
    return ", ".join(command.shown_keys)


@pytest.mark.parametrize("pane", list(Pane))
def test_the_help_has_every_command_with_all_its_keys_and_reasons(stage: FakeStage, pane: Pane) -> None:
    stage.state.place.pane = pane
    for width in (50, 75, 105):
        lines = help_lines(stage.state, width)
        text = "\n".join(plain(line) for line in lines)
        assert all(len(plain(line).rstrip()) <= width for line in lines)
        for command in COMMANDS:
            assert f"  {said(command)} " in text
        assert "not now: no run is on" in text
    assert "u user, t transport" in text if pane is Pane.COMPARISON else True


def test_what_failed_is_run_again_with_its_bare_arm(stage: FakeStage) -> None:
    stage.state.session = replace(stage.state.session, only=lambda plan, keys: plan)
    assert command_of("run-failed").why_not(stage.state) is None
    (asked,) = press(stage, "run-failed")
    assert isinstance(asked, tuple)
    target, keys = asked
    assert target == Target("envelope-replay", "build")
    # The naive one fires where it is to hold, on every arm; the remote one times out behind a tag.
    fired = {CellKey("envelope-replay", "build", arm, "naive") for arm in ("bare", "channel", "reply")}
    assert fired <= keys
    assert {CellKey("envelope-replay", "build", arm, "remote") for arm in ("bare", "channel")} <= keys
    assert CellKey("envelope-replay", "build", "channel", "fixed") not in keys


def test_without_a_failure_there_is_nothing_to_run_again(stage: FakeStage) -> None:
    stage.state.session = replace(stage.state.session, only=lambda plan, keys: plan)
    stage.state.place.go_to(CellKey("canary", "2", "bare", "fixed"))
    assert "nothing that is shown failed" in (command_of("run-failed").why_not(stage.state) or "")
    stage.state.session = replace(stage.state.session, only=None)
    assert "cannot be run" in (command_of("run-failed").why_not(stage.state) or "")


def test_watching_is_turned_on_and_off(stage: FakeStage) -> None:
    assert "no files to watch" in (command_of("watch").why_not(stage.state) or "")
    stage.state.session = replace(stage.state.session, watched=lambda: ())
    assert command_of("watch").why_not(stage.state) is None
    assert press(stage, "watch") == ["files are no longer watched", "redraw"]
    assert press(stage, "watch")[0] == "files are watched: a change is told, and never run by itself"
    assert stage.state.watch.on


def test_trust_and_welcome_are_offered_where_they_help(stage: FakeStage) -> None:
    assert "trusted already" in (command_of("trust").why_not(stage.state) or "")
    assert "workspace already" in (command_of("welcome").why_not(stage.state) or "")
    session = replace(stage.state.session, trusted=False, trust=lambda: None, found=lambda folder: None)
    stage.state.session = session
    assert command_of("trust").why_not(stage.state) is None
    assert command_of("welcome").why_not(stage.state) is None
    assert press(stage, "trust") == ["trust"] and press(stage, "welcome") == ["welcome"]


def test_escape_ends_a_search_before_it_goes_up(stage: FakeStage) -> None:
    assert "nothing is searched for" in (command_of("next-match").why_not(stage.state) or "")
    stage.state.sieve.search = Search(Pane.MATRIX, "fixed")
    stage.state.place.pane = Pane.MATRIX
    press(stage, "back")
    assert stage.state.sieve.search is None
    assert stage.state.place.pane is Pane.MATRIX
    press(stage, "back")
    assert stage.state.place.pane is Pane.SCENARIOS
