"""From difference to difference, and from case to case."""

from __future__ import annotations

from tui_made import BROKEN, workspace

from workbench.core.cell import CellKey
from workbench.tui.board import CellState
from workbench.tui.reading import arrive, is_case, next_case, next_difference
from workbench.tui.state import SessionState
from workbench.tui.view.tabs import Tab


def fresh(*ran: str) -> SessionState:
    made = workspace()
    state = SessionState(made.session(made.run(*ran) if ran else None, BROKEN))
    for scenario in made.scenarios:
        state.planned(scenario.name, made.plan(scenario.name, None, None, None))
    return state


def show(state: SessionState) -> int:
    """Work out the comparison that is looked at, as the screen would. Returns how many differences it has,
    on all tabs."""
    key = state.place.key
    assert key is not None
    document = state.comparisons.made(key)
    if document is None:
        return 0
    state.comparisons.keep(key, document)
    arrive(state, document)
    return document.count


def standing(state: SessionState) -> int:
    """Which difference of all tabs is looked at."""
    key = state.place.key
    assert key is not None
    document = state.comparisons.kept(key)
    assert document is not None
    inside = state.place.difference
    last = len(document.on(state.place.tab).differences) - 1
    return document.before(state.place.tab) + (last if inside == -1 else inside)


def every_case(state: SessionState) -> list[CellKey]:
    found = []
    for scenario in state.scenarios:
        for prompt in state.prompts(scenario):
            for arm in state.board.arms(scenario, prompt.label):
                for adapter in state.board.columns(scenario):
                    key = CellKey(scenario, prompt.label, arm, adapter)
                    found += [key] if is_case(state, key) else []
    return found


def test_cases_come_in_reading_order_and_end() -> None:
    state = fresh("envelope-replay", "canary")
    wanted = every_case(state)
    state.place.select_row(0)
    found = []
    while next_case(state, 1) is None:
        assert state.place.key is not None
        found.append(state.place.key)
    assert found == wanted
    assert next_case(state, 1) == "no further difference"
    assert state.place.key == wanted[-1]
    back = []
    while next_case(state, -1) is None:
        assert state.place.key is not None
        back.append(state.place.key)
    assert back == wanted[-2::-1]


def test_failed_cells_are_cases_and_quiet_ones_are_not() -> None:
    state = fresh("envelope-replay")
    failed = CellKey("envelope-replay", "build", "channel", "remote")
    assert state.board.state(failed) is CellState.FAILED
    assert is_case(state, failed)
    assert not is_case(state, CellKey("envelope-replay", "build", "channel", "fixed"))
    assert not is_case(state, CellKey("paste", "1", "reply", "fixed"))


def test_differences_of_a_cell_come_first_then_the_next_cell() -> None:
    state = fresh("envelope-replay")
    state.place.go_to(CellKey("envelope-replay", "build", "channel", "held"))
    count = show(state)
    assert count > 1
    tabs = [state.place.tab]
    for number in range(1, count):
        assert next_difference(state, 1) is None
        assert standing(state) == number
        tabs.append(state.place.tab)
    assert list(dict.fromkeys(tabs)) == [Tab.WINDOW, Tab.CALLS]
    here = state.place.key
    assert next_difference(state, 1) is None
    assert state.place.key != here
    show(state)
    assert standing(state) == 0


def test_backwards_it_comes_in_at_the_last_difference() -> None:
    state = fresh("envelope-replay")
    state.place.go_to(CellKey("envelope-replay", "build", "channel", "held"))
    show(state)
    assert next_difference(state, -1) is None
    assert state.place.difference == -1
    count = show(state)
    assert count > 1 and standing(state) == count - 1
    here = state.place.key
    for number in range(count - 2, -1, -1):
        assert next_difference(state, -1) is None
        assert (state.place.key, standing(state)) == (here, number)


def test_from_a_file_row_it_goes_back_to_the_last_case() -> None:
    state = fresh("envelope-replay")
    state.place.select_row(len(state.place.rows) - 1)
    assert next_case(state, -1) is None
    assert state.place.key == every_case(state)[-1]


def test_with_nothing_run_there_is_no_case() -> None:
    state = fresh()
    before = state.place.key
    assert next_case(state, 1) == "no further difference"
    assert next_case(state, -1) == "no earlier difference"
    assert state.place.key == before
