"""Search and filters: what matches, what is lit, what stays in the list."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tui_made import BROKEN, workspace

from workbench.core.cell import CellKey
from workbench.core.text import visible
from workbench.core.turn import bare as bare_turn
from workbench.tui.matches import count_matches, next_match
from workbench.tui.place import RowKind
from workbench.tui.search import Search
from workbench.tui.sieve import Only
from workbench.tui.state import SessionState
from workbench.tui.view.ink import Ground, Piece, Tone, ink, plain
from workbench.tui.view.layout import Pane
from workbench.tui.view.notice import notice_of
from workbench.tui.view.page import Page


def fresh(*ran: str) -> SessionState:
    made = workspace()
    state = SessionState(made.session(made.run(*ran) if ran else None, BROKEN))
    for scenario in made.scenarios:
        state.planned(scenario.name, made.plan(scenario.name, None, None, None))
    return state


def listed(state: SessionState) -> list[str]:
    return [f"{row.name}/{row.prompt}" for row in state.place.rows if row.kind is RowKind.PROMPT]


def look_for(state: SessionState, words: str, pane: Pane = Pane.SCENARIOS) -> Search:
    state.sieve.search = Search(pane, words)
    state.resieved()
    return state.sieve.search


@pytest.mark.parametrize(
    ("words", "text", "found"),
    [
        ("cal", "My Calendar", True),
        ("Cal", "my calendar", False),
        ("Cal", "My Calendar", True),
        ("[", "a [b] c", True),
        ("[", "a b c", False),
        (".*", "anything", False),
        ("\\", "back\\slash", True),
        ("ÄRGER", "ärger", False),
        ("ärger", "ÄRGER", True),
    ],
)
def test_small_letters_match_all_and_capitals_themselves(words: str, text: str, found: bool) -> None:
    assert Search(Pane.COMPARISON, words).finds(text) is found


def test_an_exclamation_mark_turns_only_the_list_round() -> None:
    assert Search(Pane.SCENARIOS, "!mail").keeps("calendar")
    assert not Search(Pane.SCENARIOS, "!mail").keeps("mail and calendar")
    assert not Search(Pane.COMPARISON, "!mail").finds("calendar")
    assert Search(Pane.SCENARIOS, "!").keeps("wow!")


@given(st.text(max_size=12), st.lists(st.text(max_size=10), max_size=6))
def test_lighting_changes_no_character(words: str, texts: list[str]) -> None:
    line = tuple(Piece(visible(text), Tone.MUTED) for text in texts)
    lit = Search(Pane.COMPARISON, words).light(line)
    assert plain(lit) == plain(line)
    assert all(piece.tone is Tone.MUTED for piece in lit)


def test_a_match_that_goes_over_pieces_is_lit_in_each() -> None:
    lit = Search(Pane.COMPARISON, "my cal").light((ink("on my"), ink(" calendar")))
    assert [piece.text for piece in lit if piece.ground is Ground.CURRENT] == ["my", " cal"]


def test_the_list_keeps_what_matches_with_its_scenario() -> None:
    state = fresh()
    look_for(state, "calendar")
    assert listed(state) == ["envelope-replay/build", *(f"envelope-replay/{n}" for n in ("2", "today", "5"))]
    assert state.place.rows[0].kind is RowKind.SCENARIO
    assert all(row.kind is not RowKind.FILE for row in state.place.rows)
    look_for(state, "!calendar")
    assert listed(state) == ["envelope-replay/3", "canary/sentences", "canary/2", "paste/1"]
    look_for(state, "zebra")
    assert state.place.rows == () and state.place.here is None


def test_a_closed_scenario_shows_its_matches() -> None:
    state = fresh()
    state.place.toggle("envelope-replay")
    look_for(state, "today")
    assert listed(state) == ["envelope-replay/today"]


def test_going_to_what_is_filtered_away_shows_everything_again() -> None:
    state = fresh()
    look_for(state, "today")
    state.place.go_to(CellKey("canary", "sentences", "bare", "naive"))
    assert state.sieve.is_open
    assert state.place.prompt == "sentences"


def test_matches_of_the_list_are_gone_through_round_the_end() -> None:
    state = fresh()
    search = look_for(state, "calendar")
    assert count_matches(state, search) == 4
    seen = []
    for _ in range(5):
        assert next_match(state, search, 1)
        seen.append(state.place.prompt)
    assert seen == ["2", "today", "5", "build", "2"]
    assert next_match(state, search, -1)
    assert state.place.prompt == "build"


def test_matches_of_the_matrix_are_cells_by_all_their_words() -> None:
    state = fresh("envelope-replay")
    search = look_for(state, "timeout", Pane.MATRIX)
    assert count_matches(state, search) == 1
    assert next_match(state, search, 0)
    assert state.place.key == CellKey("envelope-replay", "build", "channel", "remote")
    assert count_matches(state, Search(Pane.MATRIX, "reply")) == 4
    assert not next_match(state, Search(Pane.MATRIX, "zebra"), 1)
    assert len(listed(state)) == 8


def test_failing_prompts_are_listed_alone() -> None:
    state = fresh("envelope-replay")
    state.sieve.toggle(Only.FAILING)
    state.resieved()
    assert listed(state) == [f"envelope-replay/{n}" for n in ("build", "2", "3", "today", "5")]
    state.sieve.toggle(Only.FAILING)
    state.resieved()
    assert len(listed(state)) == 8


def test_what_changed_since_it_ran_is_listed_alone() -> None:
    state = fresh("envelope-replay", "canary", "paste")
    state.sieve.toggle(Only.CHANGED)
    state.resieved()
    assert listed(state) == []
    key = CellKey("canary", "2", "bare", "naive")
    state.board.planned[key] = replace(state.board.planned[key], turn=bare_turn("other words now"))
    state.resieved()
    assert listed(state) == ["canary/2"]


def test_one_adapter_takes_the_other_columns_away() -> None:
    state = fresh("envelope-replay")
    state.sieve.adapter = "held"
    state.resieved()
    assert state.place.column_names == ("held",)
    assert listed(state) == [*(f"envelope-replay/{n}" for n in ("build", "2", "3", "today", "5")), "paste/1"]
    assert state.sieve.told == "held"


def test_one_way_in_takes_the_other_arms_away_but_bare() -> None:
    made = workspace()
    state = SessionState(made.session())
    plan = made.plan("envelope-replay", None, None, None)
    ways = {"bare": None, "channel": "channel", "reply": "reply"}
    deliveries = tuple(replace(d, ingress=ways[d.key.arm]) for d in plan.deliveries)
    state.planned("envelope-replay", replace(plan, deliveries=deliveries))
    state.sieve.ingress = "reply"
    state.resieved()
    assert state.sieve.ingresses == ("channel", "reply")
    assert state.place.row_names == ("bare", "reply")
    assert all(name.startswith("envelope-replay") for name in listed(state))


def test_everything_can_be_shown_again() -> None:
    state = fresh()
    state.sieve.adapter, state.sieve.only = "held", frozenset(Only)
    look_for(state, "x")
    state.sieve.clear()
    state.resieved()
    assert state.sieve.is_open and state.sieve.told is None
    assert len(listed(state)) == 8


def test_a_list_that_was_sifted_empty_is_no_empty_workspace() -> None:
    state = fresh("envelope-replay")
    look_for(state, "[red]zebra")
    state.sieve.toggle(Only.FAILING)
    state.resieved()
    page = Page(notice_of(state), 80, split=False)
    said = "\n".join(plain(page.line(y)).rstrip() for y in range(page.height))
    assert "No prompt is left of the list" in said and "has no scenarios" not in said
    assert "searched for  [red]zebra" in said and "only  failing" in said
    assert "u shows everything again" in said


def test_a_place_that_a_filter_hides_is_come_back_to() -> None:
    state = fresh("envelope-replay")
    key = CellKey("paste", "1", "channel", "fixed")
    state.place.go_to(key)
    state.sieve.toggle(Only.FAILING)
    state.resieved()
    assert state.place.scenario == "envelope-replay"
    state.sieve.clear()
    state.resieved()
    assert state.place.prompt == "1" and state.place.scenario == "paste"


def test_who_moved_on_among_what_is_left_stays_there() -> None:
    state = fresh("envelope-replay")
    state.place.go_to(CellKey("paste", "1", "channel", "fixed"))
    state.sieve.toggle(Only.FAILING)
    state.resieved()
    state.place.select_row(0)
    here = state.place.here
    state.sieve.clear()
    state.resieved()
    assert state.place.here == here
