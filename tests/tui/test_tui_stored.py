"""The screen opened on stored runs: counted first, read when looked at, the newest answer of every cell."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tui_made import Workspace, workspace

from workbench.core.cell import BARE, CellKey, Run
from workbench.core.errors import Mark, WorkbenchError
from workbench.core.scenario import Accept
from workbench.store.newest import NewestAnswers, Stored, Tallied
from workbench.store.records import NewRun
from workbench.store.store import Store
from workbench.tui.board import CellState
from workbench.tui.reading import is_case
from workbench.tui.runner import Runner
from workbench.tui.session import Session, Target
from workbench.tui.state import SessionState
from workbench.tui.verdicts import Counts
from workbench.tui.view.ink import plain
from workbench.tui.view.matrix import cell_view, matrix_of
from workbench.tui.view.notice import notice_of
from workbench.tui.view.rows import Full
from workbench.tui.view.tree import tree_line

KEY = CellKey("envelope-replay", "build", "channel", "held")
CANARY = CellKey("canary", "sentences", "attached", "naive")


def store(root: Path, run: Run) -> None:
    """Keep a run as the engine does."""
    deliveries = tuple(cell.delivery for cell in run.cells)
    repeats = {cell.key: len(cell.trials) for cell in run.cells}
    new = NewRun("0" * 64, deliveries, repeats, run.adapters, {}, run.whole)
    with Store.open(root) as kept:
        recording = kept.begin(new, datetime(2027, 1, 1, tzinfo=UTC))
        for cell in run.cells:
            for trial in cell.trials:
                recording.add(cell.key, trial)
        recording.finish(1.0, complete=True)


def stored_session(made: Workspace, root: Path, *scenarios: str) -> Session[Any]:
    if scenarios:
        store(root, made.run(*scenarios))
    return replace(made.session(), archive=NewestAnswers(root))


class Bench:
    """A runner on stored answers; `changes` counts how often it asked to be drawn."""

    def __init__(self, session: Session[Any]) -> None:
        self.state = SessionState(session)
        self.changes = 0
        self.runner = Runner(self.state, self._changed, awake=False)

    def _changed(self) -> None:
        self.changes += 1

    async def wake(self) -> None:
        self.runner.wake()
        async with asyncio.timeout(20):
            while self.runner.busy:
                await asyncio.sleep(0.005)


def test_it_opens_counted_on_the_first_scenario_of_the_newest_run(tmp_path: Path) -> None:
    state = SessionState(stored_session(workspace(), tmp_path, "canary"))
    assert (state.place.scenario, state.place.prompt) == ("canary", "sentences")
    assert not state.board.cells
    assert state.board.state(CANARY) is CellState.DIFFERS
    assert state.board.state(replace(CANARY, arm=BARE)) is CellState.OK
    matrix = matrix_of(state)
    assert matrix is not None and matrix.columns == ("naive", "fixed")
    words = [[plain((cell.mark, cell.word)) for cell in row] for row in matrix.cells]
    # What has not been looked through is never said to be fine.
    assert words == [["·pass", "·pass"], ["~FIRE", "·pass"]]


def test_what_is_only_counted_says_so_in_the_list(tmp_path: Path) -> None:
    state = SessionState(stored_session(workspace(), tmp_path, "canary"))
    assert state.counts("canary", "sentences") == Counts(ok=4, unread=4)
    row = state.place.rows[state.place.row]
    assert "reading" in plain(tree_line(state, row, 60))
    assert is_case(state, CANARY)


def test_counts_tell_failures_too(tmp_path: Path) -> None:
    state = SessionState(stored_session(workspace(), tmp_path, "envelope-replay"))
    failed = replace(KEY, adapter="remote")
    assert state.board.state(failed) is CellState.FAILED
    assert state.board.failures(failed) == 2
    view = cell_view(state, failed)
    assert (view.mark.text, view.word.text) == ("!", "timeout")
    assert state.counts("envelope-replay", "build").failed == 1


async def test_everything_stored_is_read_and_judged(tmp_path: Path) -> None:
    made = workspace()
    bench = Bench(stored_session(made, tmp_path, "envelope-replay", "canary"))
    await bench.wake()
    state = bench.state
    whole = SessionState(made.session(made.run("envelope-replay", "canary")))
    for scenario in ("envelope-replay", "canary", "paste"):
        counts = state.counts(scenario)
        if counts.cells:
            assert (counts.ok, counts.failed, counts.unread) == (
                whole.counts(scenario).ok,
                whole.counts(scenario).failed,
                0,
            )
        assert counts.errors == whole.counts(scenario).errors
        found = {finding.id: finding for finding in state.verdicts.of_scenario(scenario)}
        assert found == {finding.id: finding for finding in whole.verdicts.of_scenario(scenario)}
    assert not state.board.tallies
    assert set(state.board.adapters) == set(made.routers)


async def test_the_chosen_prompt_is_read_first(tmp_path: Path) -> None:
    bench = Bench(stored_session(workspace(), tmp_path, "envelope-replay"))
    bench.state.place.go_to(replace(KEY, prompt="today"))
    asked: list[str] = []
    archive = bench.state.stored.archive
    assert archive is not None
    read = archive.read

    def remembered(scenario: str, prompt: str) -> Stored:
        asked.append(prompt)
        return read(scenario, prompt)

    archive.read = remembered  # type: ignore[method-assign]
    bench.runner._awake = True
    assert bench.runner.compare(replace(KEY, prompt="today")) is None
    await bench.wake()
    assert asked[0] == "today"
    assert sorted(asked) == sorted(p.label for p in bench.state.prompts("envelope-replay"))
    assert bench.runner.compare(replace(KEY, prompt="today")) is not None


async def test_after_one_cell_was_run_and_a_restart_the_others_have_their_last_answers(
    tmp_path: Path,
) -> None:
    made = workspace()
    store(tmp_path, made.run("envelope-replay"))
    plan = made.plan(*Target("envelope-replay", "build", "channel", "held"))
    heard: list[Any] = []
    store(tmp_path, await made.replay(plan, heard.append, asyncio.Event()))
    bench = Bench(stored_session(made, tmp_path))
    await bench.wake()
    board = bench.state.board
    assert all(
        board.state(CellKey("envelope-replay", p.label, arm, adapter)) is not CellState.NO_ARM
        for p in bench.state.prompts("envelope-replay")
        for arm in ("bare", "channel", "reply")
        for adapter in made.routers
    )
    assert not board.mixed(KEY)
    assert board._runs[KEY] != board._runs[replace(KEY, adapter="fixed")]


async def test_an_answer_of_this_session_is_newer_than_a_stored_one(tmp_path: Path) -> None:
    made = workspace()
    bench = Bench(stored_session(made, tmp_path, "envelope-replay"))
    made.routers = {**made.routers, "held": made.routers["fixed"]}
    bench.runner.start(Target(*(KEY.scenario, KEY.prompt, KEY.arm, KEY.adapter)))
    await bench.wake()
    assert bench.state.board.state(KEY) is CellState.OK


async def test_a_store_that_cannot_be_read_takes_nothing_else_along(tmp_path: Path) -> None:
    (tmp_path / ".workbench").mkdir()
    (tmp_path / ".workbench" / "runs.db").write_bytes(b"this is no database at all" * 100)
    bench = Bench(stored_session(workspace(), tmp_path))
    await bench.wake()
    state = bench.state
    assert len(state.session.problems) == 1
    assert any(row.name.endswith("runs.db") for row in state.place.rows)
    assert state.why_not_run(Target("paste")) is None


async def test_one_prompt_that_cannot_be_read_leaves_the_others(tmp_path: Path) -> None:
    bench = Bench(stored_session(workspace(), tmp_path, "canary"))
    archive = bench.state.stored.archive
    assert archive is not None
    read = archive.read

    def broken(scenario: str, prompt: str) -> Stored:
        if prompt == "2":
            raise WorkbenchError("this one is damaged")
        return read(scenario, prompt)

    archive.read = broken  # type: ignore[method-assign]
    await bench.wake()
    assert bench.state.counts("canary", "sentences").unread == 0
    assert bench.state.board.state(CANARY) is CellState.DIFFERS
    assert [problem.message for problem in bench.state.session.problems] == ["this one is damaged"]
    damaged = next(key for key in bench.state.board.tallies if key.prompt == "2" and key.arm == BARE)
    bench.state.place.go_to(damaged)
    (row,) = notice_of(bench.state).rows
    assert isinstance(row, Full)
    assert plain(row.words.line).startswith("The stored answer cannot be read")


@pytest.mark.parametrize("name", ["tally", "first_scenario"])
def test_a_fault_of_the_store_at_the_start_is_told(tmp_path: Path, name: str) -> None:
    class Broken:
        def first_scenario(self) -> str | None:
            if name == "first_scenario":
                raise WorkbenchError("the store is gone")
            return None

        def prompts(self, scenario: str) -> tuple[tuple[str, str], ...]:
            raise AssertionError

        def tally(self, scenario: str, prompt: str | None = None) -> Tallied:
            raise WorkbenchError("the store is gone")

        def read(self, scenario: str, prompt: str) -> Stored:
            raise AssertionError

    state = SessionState(replace(workspace().session(), archive=Broken()))
    assert [problem.message for problem in state.session.problems] == ["the store is gone"]


ACCEPT = (Accept("drift", "known", Mark("x"), adapter="fixed"),)
"""A drift that the adapter `fixed` does not have."""


def accepting(made: Workspace) -> Workspace:
    known, *others = made.scenarios
    made.scenarios = (replace(known, accept=ACCEPT), *others)
    return made


def whole_of(state: SessionState, scenario: str) -> frozenset[str]:
    return state.to_rejudge(scenario).whole


async def test_a_scenario_is_whole_once_every_planned_cell_has_an_answer(tmp_path: Path) -> None:
    made = accepting(workspace())
    name = made.scenarios[0].name
    one = next(iter(made.routers))
    part = made.plan(name, None, None, one)
    store(tmp_path, await made.replay(part, lambda event: None, asyncio.Event()))
    bench = Bench(stored_session(made, tmp_path))
    await bench.wake()
    state = bench.state
    assert all(state.stored.is_unread(name, prompt.label) is False for prompt in state.prompts(name))
    assert {key.adapter for key in state.board.cells if key.scenario == name} == {one}
    assert whole_of(state, name) == frozenset(), "every prompt has answers, but not of every adapter"
    bench.runner.start(Target(name))
    await bench.wake()
    assert whole_of(state, name) == {name}


async def test_what_is_accepted_is_not_judged_before_it_is_known_what_is_planned(tmp_path: Path) -> None:
    made = accepting(workspace())
    name = made.scenarios[0].name
    state = SessionState(stored_session(made, tmp_path, name))
    for prompt in state.prompts(name):
        assert state.stored.archive is not None
        state.stored.took(name, prompt.label, state.stored.archive.read(name, prompt.label))
    assert whole_of(state, name) == frozenset()
    assert state.lacks_plan(name)
    assert state.planned(name, made.plan(name, None, None, None)), "its answers are to be judged anew"
    assert whole_of(state, name) == {name}
    assert not state.planned(name, made.plan(name, None, None, None))


async def test_the_plan_that_a_judgement_needs_is_made_for_it(tmp_path: Path) -> None:
    made = accepting(workspace())
    name = made.scenarios[0].name
    bench = Bench(stored_session(made, tmp_path, name))
    await bench.wake()
    assert bench.state.is_planned(name)
    assert whole_of(bench.state, name) == {name}
