"""The guided walk without a screen: where it is, what it still has to do, its caption and its keys."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from tui_made import workspace

from workbench.core.cell import CellKey
from workbench.tui.commands import COMMANDS, command_of, commands_in, groups_in
from workbench.tui.guide import Guide, Stop, Walk, stand_on
from workbench.tui.session import Target
from workbench.tui.state import SessionState
from workbench.tui.view.caption import caption_height, caption_lines, key_line
from workbench.tui.view.cells import width_of
from workbench.tui.view.help import help_lines
from workbench.tui.view.ink import plain

DRIFT = CellKey("envelope-replay", "build", "channel", "held")
CANARY = CellKey("canary", "sentences", "attached", "naive")
WALK = Walk(
    (
        Stop(
            "A file chooses",
            (
                "The user only asks about a file.",
                "Look at the lines of the attachment, all of them, one by one.",
            ),
            CANARY,
            Target("canary", "sentences"),
        ),
        Stop(
            "A tag steals",
            ("The first line is the tag.",),
            DRIFT,
            Target("envelope-replay", "build", None, "held"),
        ),
        Stop("And now", ("first   this", "second  that"), lines=True),
    )
)


@pytest.fixture
def guide() -> Guide:
    return Guide(WALK)


@pytest.fixture
def state() -> SessionState:
    made = workspace()
    state = SessionState(replace(made.session(), walk=WALK))
    for scenario in made.scenarios:
        state.planned(scenario.name, made.plan(scenario.name, None, None, None))
    return state


def test_it_goes_on_and_back_and_ends_at_both_ends(guide: Guide) -> None:
    assert (guide.why_not(-1), guide.why_not(1)) == ("the walk begins here", None)
    guide.go(-1)
    assert guide.number == 0
    guide.go(1)
    guide.go(1)
    assert guide.is_last and guide.why_not(1) == "the walk ends here"
    guide.go(1)
    assert guide.number == 2
    guide.go(-1)
    assert guide.stop.title == "A tag steals" and not guide.is_last


def test_a_step_leads_to_its_cell_once(guide: Guide) -> None:
    assert guide.goal == CANARY
    guide.arrived()
    assert guide.goal is None
    guide.go(1)
    assert guide.goal == DRIFT
    guide.go(-1)
    assert guide.goal == CANARY


def test_a_step_is_run_once_however_often_it_is_come_back_to(guide: Guide) -> None:
    assert guide.to_run == Target("canary", "sentences")
    guide.began()
    assert guide.to_run is None
    guide.go(1)
    assert guide.to_run == Target("envelope-replay", "build", None, "held")
    guide.go(-1)
    assert guide.to_run is None
    guide.go(1)
    guide.go(1)
    assert (guide.goal, guide.to_run) == (None, None)


def test_it_plays_by_itself_only_where_that_was_asked_for(guide: Guide) -> None:
    assert not guide.is_over(0.0) and not guide.is_over(1e9)
    auto = Guide(replace(WALK, auto=5.0))
    assert [auto.is_over(now) for now in (100.0, 104.9, 105.0)] == [False, False, True]


def test_whatever_the_user_does_gives_a_step_its_time_anew() -> None:
    auto = Guide(replace(WALK, auto=5.0))
    auto.is_over(100.0)
    auto.wait()
    assert [auto.is_over(now) for now in (104.0, 108.9, 109.0)] == [False, False, True]
    auto.go(1)
    assert [auto.is_over(now) for now in (109.0, 113.9, 114.0)] == [False, False, True]


def test_a_cell_is_stood_on_once_it_is_known(state: SessionState) -> None:
    assert stand_on(state, DRIFT)
    assert state.place.key == DRIFT
    assert not stand_on(state, DRIFT.__class__("envelope-replay", "no such", "channel", "held"))
    assert not stand_on(state, DRIFT.__class__("envelope-replay", "build", "no such", "held"))
    assert not stand_on(SessionState(workspace().session()), DRIFT)


@pytest.mark.parametrize("width", [30, 60, 80, 120, 160])
def test_the_caption_is_as_high_at_every_step_and_fits(guide: Guide, width: int) -> None:
    height = caption_height(guide, width)
    for _ in WALK.stops:
        lines = caption_lines(guide, width, height)
        assert len(lines) == height
        assert all(width_of(line) == width for line in lines)
        said = " ".join(" ".join(str(plain(line)).removeprefix("▌ ").split()) for line in lines[1:])
        for sentence in guide.stop.caption:
            assert " ".join(sentence.split()) in said
        guide.go(1)


def test_the_title_counts_the_steps_and_greys_a_key_at_the_end(guide: Guide) -> None:
    def title() -> str:
        return str(plain(caption_lines(guide, 80, 1)[0]))

    assert title().startswith("▌ 1 of 2  A file chooses") and title().rstrip().endswith("space on")
    grey = [piece.tone for piece in key_line(guide)]
    guide.go(1)
    free = [piece.tone for piece in key_line(guide)]
    assert grey[:2] != free[:2] and grey[2:] == free[2:]
    guide.go(1)
    assert title().startswith("▌ And now")


def test_a_caption_without_room_is_its_title(guide: Guide) -> None:
    [line] = caption_lines(guide, 60, 1)
    assert "A file chooses" in plain(line)


def test_the_keys_of_the_walk_are_nobody_elses_while_it_is_on(state: SessionState) -> None:
    keys = [key for command in commands_in(state) for key in command.keys]
    assert len(set(keys)) == len(keys)
    assert {"space", "backspace"} <= set(keys)
    assert all(command.keys for command in commands_in(state))
    assert {command.id for command in commands_in(state)} >= {command.id for command in COMMANDS}
    assert groups_in(state)[0] == "Walk"


def test_without_a_walk_there_are_no_commands_for_it() -> None:
    state = SessionState(workspace().session())
    assert commands_in(state) == COMMANDS
    assert "Walk" not in groups_in(state)
    assert command_of("walk-on").why_not(state) == "no walk is on"


@pytest.mark.parametrize("width", [50, 105])
def test_the_help_has_the_keys_of_the_walk(state: SessionState, width: int) -> None:
    text = " ".join("\n".join(plain(line) for line in help_lines(state, width)).split())
    assert len(re.findall(r"\bspace\b", text)) == 1
    assert "Go on to the next step of the walk." in text
    assert "not now: the walk begins here" in text


def test_a_difference_is_aimed_at_once_the_cell_is_reached_and_until_the_user_looks_elsewhere() -> None:
    first, second, _ = WALK.stops
    guide = Guide(Walk((replace(first, difference=2), replace(second, difference=1))))
    assert guide.aim is None
    guide.arrived()
    assert guide.aim == 2
    guide.aimed()
    assert guide.aim is None
    guide.go(1)
    guide.arrived()
    assert guide.aim == 1
    plain_guide = Guide(WALK)
    plain_guide.arrived()
    assert plain_guide.aim is None
