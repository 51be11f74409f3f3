"""Files read anew: answers stay with their prompts, the place is kept, and what changed is told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tui_made import HOLD, prompt, workspace

from workbench.core.cell import BARE, CellKey
from workbench.core.decision import Outcome
from workbench.core.errors import Mark, Problem
from workbench.core.finding import Kind
from workbench.core.scenario import Accept, Expectation, Prompt, Scenario
from workbench.tui.place import RowKind, TreeRow
from workbench.tui.reloading import changes_of, same_prompts
from workbench.tui.session import Loaded
from workbench.tui.state import SessionState

NAME = "envelope-replay"


def ran() -> tuple[Any, SessionState]:
    made = workspace()
    return made, SessionState(made.session(made.run(NAME)))


def reworked(scenario: Scenario, *prompts: Prompt, **changes: Any) -> Scenario:
    return replace(scenario, prompts=prompts or scenario.prompts, **changes)


def test_a_prompt_is_the_same_by_id_then_by_words_then_by_number() -> None:
    before = [prompt(1, "one", name="a"), prompt(2, "two"), prompt(3, "three"), prompt(4, "four", name="d")]
    after = [
        prompt(1, "new"),
        prompt(2, "one, reworded", name="a"),
        prompt(3, "two"),
        prompt(4, "four", name="renamed"),
    ]
    assert same_prompts(before, after) == {"a": "a", "2": "3", "d": "renamed"}


def test_a_numbered_prompt_with_other_words_is_still_that_one() -> None:
    assert same_prompts([prompt(1, "a"), prompt(2, "b")], [prompt(1, "a"), prompt(2, "c")]) == {
        "1": "1",
        "2": "2",
    }


def test_two_prompts_of_the_same_words_are_told_apart() -> None:
    before = [prompt(1, "a", name="x"), prompt(2, "b")]
    after = [prompt(1, "a", name="y"), prompt(2, "a", name="x"), prompt(3, "b")]
    assert same_prompts(before, after) == {"x": "x", "2": "3"}


def test_what_changed_is_told_in_words() -> None:
    old = workspace().scenarios[0]
    first = replace(old.prompts[0], expect=None)
    more = prompt(6, "more", name="more")
    accept = (Accept("drift", "known", Mark("x")),)
    told = changes_of(
        {old.name: old, "gone": old},
        {old.name: reworked(old, first, *old.prompts[1:], more, accept=accept), "fresh": old},
    )
    assert told == (
        f"{NAME}: 1 prompt changed, 1 prompt new, 1 more accepted",
        "fresh is new",
        "gone is gone",
    )
    assert changes_of({old.name: old}, {old.name: replace(old, file="elsewhere")}) == ()
    assert changes_of({old.name: old}, {old.name: replace(old, repeat=3)}) == (
        f"{NAME}: its settings changed",
    )
    assert changes_of({}, {"\x1b[31m": old}) == ("␛[31m is new",)


def test_answers_move_with_their_prompts_and_go_with_them() -> None:
    _, state = ran()
    old = state.scenarios[NAME]
    key = CellKey(NAME, "3", "reply", "held")
    answer = state.board.cells[key]
    prompts = (
        old.prompts[0],
        prompt(2, "fresh"),
        *(prompt(n + 1, p.text, p.expect, p.id) for n, p in enumerate(old.prompts[1:4], 2)),
    )
    state.place.go_to(key)
    state.reloaded(Loaded((reworked(old, *prompts),)))
    assert state.place.prompt == "4"
    moved = state.board.cells[CellKey(NAME, "4", "reply", "held")]
    assert moved.trials == answer.trials and moved.delivery.key.prompt == "4"
    assert not any(k.scenario == NAME and k.prompt == "2" for k in state.board.cells)
    assert not state.verdicts.of_prompt(NAME, "5") or state.prompt(NAME, "5")
    assert not state.is_planned(NAME)


def test_an_answer_is_held_to_what_is_expected_now_without_a_new_run() -> None:
    made, state = ran()
    old = state.scenarios[NAME]
    accept = (Accept("drift", "known", Mark("x"), prompt="build"),)
    first = replace(old.prompts[0], expect=Expectation(Outcome.FIRE))
    made.scenarios = (reworked(old, first, *old.prompts[1:], accept=accept), *made.scenarios[1:])
    state.reloaded(Loaded(made.scenarios))
    assert state.planned(NAME, made.plan(NAME, None, None, None))
    run = state.to_rejudge(NAME)
    assert run.accept == {NAME: accept}
    cell = run.cell(CellKey(NAME, "build", BARE, "naive"))
    assert cell is not None and cell.delivery.expect == first.expect and cell.trials
    state.rejudged(NAME, made.find(run))
    kinds = [f.kind for f in state.verdicts.of_prompt(NAME, "build")]
    assert Kind.EXPECTATION not in kinds and Kind.DRIFT in kinds
    assert not state.planned(NAME, made.plan(NAME, None, None, None)), "nothing is new the second time"


def test_an_answer_to_other_words_keeps_what_was_expected_of_it() -> None:
    made, state = ran()
    old = state.scenarios[NAME]
    first = replace(old.prompts[0], text="other words", expect=None)
    made.scenarios = (reworked(old, first, *old.prompts[1:]),)
    state.reloaded(Loaded(made.scenarios))
    state.planned(NAME, made.plan(NAME, None, None, None))
    key = CellKey(NAME, "build", BARE, "naive")
    assert state.board.cells[key].delivery.expect is HOLD
    assert state.board.stale(key)


def test_the_place_goes_to_a_file_that_broke_and_comes_back() -> None:
    made, state = ran()
    state.place.go_to(CellKey(NAME, "today", BARE, "naive"))
    file = state.scenarios[NAME].file
    problem = Problem("no key", Mark(file, 3))
    state.reloaded(Loaded(made.scenarios[1:], (problem,)))
    assert state.place.here == TreeRow(RowKind.FILE, file)
    state.reloaded(Loaded(made.scenarios))
    assert state.place.here == TreeRow(RowKind.PROMPT, NAME, "today")


@pytest.mark.parametrize("row", [0, 3, 100])
def test_any_place_survives_the_loss_of_everything(row: int) -> None:
    _, state = ran()
    state.place.select_row(row)
    state.reloaded(Loaded(()))
    assert state.place.here is None and state.place.row_names == ()
    state.reloaded(Loaded(workspace().scenarios))
    assert state.place.here is not None
