"""Where the user stands, and where keys lead."""

from __future__ import annotations

import pytest
from tui_made import BROKEN, workspace

from workbench.core.cell import BARE, CellKey
from workbench.tui.place import Motion, Place, RowKind, TreeRow, step
from workbench.tui.session import Target
from workbench.tui.state import SessionState
from workbench.tui.view.layout import Pane


def fresh(*ran: str, plan: bool = True) -> SessionState:
    made = workspace()
    state = SessionState(made.session(made.run(*ran) if ran else None, BROKEN))
    for scenario in made.scenarios if plan else ():
        state.planned(scenario.name, made.plan(scenario.name, None, None, None))
    return state


def pane_of(place: Place) -> Pane:
    """Asked anew each time, for the type checker remembers attributes."""
    return place.pane


def test_the_list_holds_scenarios_prompts_and_files_that_do_not_load() -> None:
    rows = fresh().place.rows
    assert rows[0] == TreeRow(RowKind.SCENARIO, "envelope-replay")
    assert rows[1] == TreeRow(RowKind.PROMPT, "envelope-replay", "build")
    assert rows[-1] == TreeRow(RowKind.FILE, "scenarios/broken.yaml")
    assert len(rows) == 3 + 5 + 2 + 1 + 1


def test_it_opens_on_the_first_error() -> None:
    state = fresh("envelope-replay")
    assert state.place.key == CellKey("envelope-replay", "build", BARE, "naive")
    assert fresh("canary").place.key == CellKey("canary", "sentences", "attached", "naive")


def test_with_nothing_run_it_opens_on_the_first_delivery_beside_bare() -> None:
    assert fresh().place.key == CellKey("envelope-replay", "build", "channel", "naive")


def test_before_anything_is_planned_there_is_no_cell_but_a_prompt_can_be_run() -> None:
    place = fresh(plan=False).place
    assert place.key is None
    assert place.cell_target == place.shown_target == Target("envelope-replay", "build")


def test_an_empty_workspace_has_no_place() -> None:
    made = workspace()
    made.scenarios = ()
    place = SessionState(made.session()).place
    assert (place.here, place.scenario, place.key, place.cell_target) == (None, None, None, None)
    for motion in Motion:
        place.move(motion, 10)
    place.open()
    assert pane_of(place) is Pane.COMPARISON


@pytest.mark.parametrize(
    ("motion", "position"),
    [
        (Motion.UP, 4),
        (Motion.DOWN, 6),
        (Motion.PAGE_UP, 2),
        (Motion.PAGE_DOWN, 8),
        (Motion.TOP, 0),
        (Motion.BOTTOM, 9),
        (Motion.LEFT, 4),
        (Motion.RIGHT, 6),
    ],
)
def test_steps(motion: Motion, position: int) -> None:
    assert step(5, motion, 10, 3) == position


def test_steps_stay_inside() -> None:
    for motion in Motion:
        assert 0 <= step(0, motion, 3, 50) <= 2
        assert 0 <= step(2, motion, 3, 50) <= 2


def test_the_list_folds_and_opens() -> None:
    state = fresh()
    place = state.place
    place.move(Motion.LEFT, 9)
    assert place.here == TreeRow(RowKind.SCENARIO, "envelope-replay")
    assert pane_of(place) is Pane.SCENARIOS
    place.move(Motion.LEFT, 9)
    assert len(place.rows) == 7
    place.move(Motion.DOWN, 9)
    assert place.here == TreeRow(RowKind.SCENARIO, "canary")
    place.move(Motion.UP, 9)
    place.move(Motion.RIGHT, 9)
    assert len(place.rows) == 12
    place.move(Motion.RIGHT, 9)
    assert pane_of(place) is Pane.MATRIX


def test_a_scenario_row_shows_its_prompts_as_rows() -> None:
    place = fresh("envelope-replay").place
    place.select_row(0)
    assert place.row_names == ("build", "2", "3", "today", "5")
    assert place.key is None
    assert place.shown_target == Target("envelope-replay")
    assert place.cell_target == Target("envelope-replay", "build", None, "naive")
    place.pane = Pane.MATRIX
    place.move(Motion.DOWN, 9)
    place.move(Motion.RIGHT, 9)
    place.open()
    assert place.here == TreeRow(RowKind.PROMPT, "envelope-replay", "2")
    assert pane_of(place) is Pane.MATRIX


def test_the_cell_is_kept_from_prompt_to_prompt() -> None:
    place = fresh("envelope-replay").place
    place.select_cell(2, 2)
    assert place.key == CellKey("envelope-replay", "build", "reply", "fixed")
    place.move(Motion.DOWN, 9)
    assert place.key == CellKey("envelope-replay", "2", "reply", "fixed")


def test_another_scenario_has_other_arms_so_trouble_is_looked_for() -> None:
    place = fresh("envelope-replay", "canary").place
    place.select_cell(2, 2)
    place.open_row(TreeRow(RowKind.PROMPT, "canary", "sentences"))
    assert place.key == CellKey("canary", "sentences", "attached", "naive")


def test_new_facts_do_not_move_the_place() -> None:
    made = workspace()
    state = SessionState(made.session(made.run("envelope-replay")))
    state.place.select_cell(1, 1)
    before = state.place.key
    state.planned("envelope-replay", made.plan("envelope-replay", None, None, None))
    state.judged(())
    assert state.place.key == before


def test_levels_go_down_and_up() -> None:
    place = fresh("envelope-replay").place
    assert pane_of(place) is Pane.SCENARIOS
    place.open()
    assert pane_of(place) is Pane.MATRIX
    place.open()
    assert pane_of(place) is Pane.COMPARISON
    place.open()
    assert place.zoomed
    place.back()
    assert not place.zoomed and pane_of(place) is Pane.COMPARISON
    place.back()
    assert pane_of(place) is Pane.MATRIX
    place.back()
    place.back()
    assert pane_of(place) is Pane.SCENARIOS


def test_a_prompt_of_a_closed_scenario_is_opened_to_go_there() -> None:
    place = fresh("envelope-replay").place
    place.toggle("envelope-replay")
    place.go_to(CellKey("envelope-replay", "today", "channel", "held"))
    assert place.key == CellKey("envelope-replay", "today", "channel", "held")
    place.toggle("canary")
    place.open_row(TreeRow(RowKind.PROMPT, "canary", "2"))
    assert place.here == TreeRow(RowKind.PROMPT, "canary", "2")


def test_a_file_that_does_not_load_has_nothing_to_run() -> None:
    place = fresh().place
    place.select_row(len(place.rows) - 1)
    assert (place.scenario, place.prompt, place.key, place.shown_target) == (None, None, None, None)
    place.open()
    assert pane_of(place) is Pane.COMPARISON
    place.back()
    assert pane_of(place) is Pane.SCENARIOS


def test_the_tallest_matrix_is_known_so_that_borders_keep_still() -> None:
    place = fresh("envelope-replay").place
    rows = place.most_rows
    assert rows == 5
    for number in range(6):
        place.select_row(number)
        assert place.most_rows == rows
