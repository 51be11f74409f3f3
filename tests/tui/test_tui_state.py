"""What the screen knows, without a screen: events in, view models out."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from tui_made import BROKEN, Workspace, workspace

from workbench.core.cell import BARE, AdapterInfo, Cell, CellKey, Run
from workbench.core.errors import Problem
from workbench.core.trial import Status, Trial
from workbench.core.turn import bare as bare_turn
from workbench.replay.events import AdapterBroken, CellFinished, Event, RunFinished, RunStarted, TrialFinished
from workbench.tui.board import CellState
from workbench.tui.progress import Phase
from workbench.tui.session import Session, Target
from workbench.tui.state import SessionState
from workbench.tui.verdicts import Counts

KEY = CellKey("envelope-replay", "build", "channel", "held")


def fresh(*scenarios: str) -> tuple[Workspace, SessionState]:
    """A workspace with a stored run of some scenarios, all of it planned."""
    made = workspace()
    state = SessionState(made.session(made.run(*scenarios) if scenarios else None))
    for scenario in made.scenarios:
        state.planned(scenario.name, made.plan(scenario.name, None, None, None))
    return made, state


def phase_of(state: SessionState) -> Phase:
    """Asked anew each time, for the type checker remembers attributes."""
    return state.progress.phase


def events_of(made: Workspace, target: Target) -> list[Event]:
    """The events of a real run of the made router, in their order."""
    heard: list[Event] = []
    asyncio.run(made.replay(made.plan(*target), heard.append, asyncio.Event()))
    return heard


def test_a_stored_run_has_a_state_for_every_cell() -> None:
    _, state = fresh("envelope-replay")
    assert state.board.state(KEY) is CellState.DIFFERS
    assert state.board.state(CellKey("envelope-replay", "build", BARE, "held")) is CellState.OK
    assert state.board.state(CellKey("envelope-replay", "build", "channel", "fixed")) is CellState.OK
    assert state.board.state(CellKey("envelope-replay", "build", "channel", "remote")) is CellState.FAILED
    assert state.board.state(CellKey("paste", "1", BARE, "held")) is CellState.NOT_RUN
    assert state.board.state(CellKey("paste", "1", "channel", "held")) is CellState.NO_ARM


def test_a_failed_cell_never_equals_a_failed_baseline() -> None:
    made = workspace()
    made.routers = {"remote": lambda turn: Status.TIMEOUT}
    state = SessionState(made.session(made.run("paste")))
    assert state.board.state(CellKey("paste", "1", "reply", "remote")) is CellState.FAILED
    assert state.board.state(CellKey("paste", "1", BARE, "remote")) is CellState.FAILED


def test_counts_hold_findings_and_cells() -> None:
    _, state = fresh("envelope-replay")
    counts = state.counts("envelope-replay", "build")
    assert (counts.ok, counts.failed, counts.not_run, counts.cells) == (11, 1, 0, 12)
    assert counts.errors == 5
    assert counts.warnings == 1
    whole = state.counts("envelope-replay")
    assert whole.cells == 60
    assert whole.errors == sum(
        state.counts("envelope-replay", p.label).errors for p in state.prompts("envelope-replay")
    )
    assert state.counts("paste") == Counts(not_run=8)


def test_a_run_goes_through_its_phases() -> None:
    made, state = fresh()
    state.begin()
    assert phase_of(state) is Phase.PLANNING
    heard = events_of(made, Target("paste", "1", "reply", "held"))
    state.apply(heard[0], 100.0)
    assert phase_of(state) is Phase.RUNNING
    key = CellKey("paste", "1", "reply", "held")
    assert state.board.state(key) is CellState.RUNNING
    assert state.counts("paste").running == 2
    assert state.counts("paste").not_run == 6
    state.apply(heard[1], 100.5)
    assert state.progress.rate == 2.0
    assert state.progress.left == 1.5
    for event in heard[2:]:
        state.apply(event, 101.0)
    assert phase_of(state) is Phase.DONE
    assert state.board.state(key) is CellState.OK
    assert state.counts("paste") == Counts(ok=2, not_run=6, unjudged=2)
    state.to_judge()
    state.judged(())
    assert state.counts("paste") == Counts(ok=2, not_run=6)


def test_what_ran_is_judged_and_nothing_else() -> None:
    made, state = fresh("canary")
    before = state.verdicts.of_scenario("canary")
    state.begin()
    for event in events_of(made, Target("envelope-replay", "build", "channel", "held")):
        state.apply(event, 1.0)
    run = state.to_judge()
    assert {cell.key.scenario for cell in run.cells} == {"envelope-replay"}
    assert run.whole == frozenset()
    state.judged(made.find(run))
    assert [finding.kind.value for finding in state.verdicts.of_cell(KEY)] == ["drift"]
    assert state.verdicts.of_scenario("canary") == before


def test_a_scenario_is_whole_once_each_of_its_prompts_has_run() -> None:
    made, state = fresh()
    state.begin()
    state.starting(made.plan("canary", None, None, None))
    for event in events_of(made, Target("canary")):
        state.apply(event, 1.0)
    assert state.to_judge().whole == {"canary"}
    assert not state.to_judge().interrupted


def test_a_stopped_run_keeps_what_it_has_and_gives_back_what_it_has_not() -> None:
    made, state = fresh("envelope-replay")
    plan = made.plan("envelope-replay", "build", "channel", "held")
    first, second = (delivery.key for delivery in plan.deliveries)
    old = state.board.cells[second]
    state.begin()
    state.apply(RunStarted("made-3", 4, 0, plan.deliveries), 0.0)
    state.apply(TrialFinished(first, Trial(0, Status.ERROR, error="gone")), 1.0)
    state.stopping()
    assert phase_of(state) is Phase.STOPPING
    state.apply(RunFinished("made-3", 1.0, interrupted=True), 1.0)
    assert phase_of(state) is Phase.STOPPED
    assert len(state.board.cells[first].trials) == 1
    assert state.board.state(first) is CellState.FAILED
    assert state.board.cells[second] is old
    assert state.to_judge().interrupted


def test_a_run_that_breaks_says_why() -> None:
    _, state = fresh()
    state.begin()
    state.ended(None, (Problem("the store is gone"),))
    assert phase_of(state) is Phase.BROKEN
    assert state.run_problems[0].message == "the store is gone"
    state.begin()
    assert state.run_problems == ()


def test_a_broken_adapter_is_known_until_the_next_run() -> None:
    _, state = fresh()
    state.apply(RunStarted("made-3", 0, 0, ()), 0.0)
    state.apply(AdapterBroken("held", "it does not start"), 0.0)
    assert state.board.broken == {"held": "it does not start"}
    assert state.progress.busy
    state.apply(RunStarted("made-4", 0, 0, ()), 0.0)
    assert state.board.broken == {}


def test_the_sides_of_a_comparison_may_be_of_different_runs() -> None:
    _, state = fresh("envelope-replay")
    assert not state.board.mixed(KEY)
    cell = state.board.cells[KEY]
    state.apply(RunStarted("made-3", 2, 0, (cell.delivery,)), 0.0)
    state.apply(CellFinished(cell), 0.0)
    assert state.board.mixed(KEY)


def test_an_answer_to_an_older_file_is_stale() -> None:
    _, state = fresh("envelope-replay")
    assert not state.board.stale(KEY)
    cell = state.board.cells[KEY]
    older = replace(cell.delivery, turn=bare_turn("what the file said before"))
    state.apply(CellFinished(Cell(older, cell.trials)), 0.0)
    assert state.board.stale(KEY)


def test_prompts_that_left_the_file_are_not_shown_and_not_judged() -> None:
    made = workspace()
    run = made.run("envelope-replay")
    made.scenarios = tuple(
        type(s)(s.name, s.prompts[1:], s.file) if s.name == "envelope-replay" else s for s in made.scenarios
    )
    state = SessionState(made.session(run))
    assert all(row.prompt != "build" for row in state.place.rows)
    state.apply(CellFinished(run.cells[0]), 0.0)
    assert all(cell.key.prompt != "build" for cell in state.to_judge().cells)


def test_documents_are_kept_until_something_changes() -> None:
    _, state = fresh("envelope-replay")
    document = state.comparisons.made(KEY)
    assert document is not None
    state.comparisons.keep(KEY, document)
    assert state.comparisons.kept(KEY) is document
    other = CellKey("envelope-replay", "today", "channel", "held")
    kept = state.comparisons.made(other)
    assert kept is not None
    state.comparisons.keep(other, kept)
    state.apply(TrialFinished(KEY, Trial(0, Status.OK)), 0.0)
    assert state.comparisons.kept(KEY) is None
    assert state.comparisons.kept(other) is kept


def test_a_comparison_of_an_answer_that_is_gone_is_not_kept() -> None:
    _, state = fresh("envelope-replay")
    document = state.comparisons.made(KEY)
    assert document is not None
    state.apply(CellFinished(Cell(state.board.cells[KEY].delivery, state.board.cells[KEY].trials)), 0.0)
    state.comparisons.keep(KEY, document)
    assert state.comparisons.kept(KEY) is None


def test_only_some_comparisons_are_kept() -> None:
    _, state = fresh("envelope-replay", "canary")
    keys = [cell.key for cell in state.board.cells.values()]
    for key in keys:
        document = state.comparisons.made(key)
        assert document is not None
        state.comparisons.keep(key, document)
    assert sum(state.comparisons.kept(key) is not None for key in keys) == 32


def untrusted(session: Session[Any], needs: frozenset[str] | None) -> Session[Any]:
    return replace(session, trusted=False, needs_trust=needs)


def test_an_untrusted_workspace_runs_what_needs_no_trust() -> None:
    made = workspace()
    state = SessionState(untrusted(made.session(), frozenset({"held"})))
    state.planned("paste", made.plan("paste", None, None, None))
    assert state.why_not_run(Target("paste", "1", "reply", "naive")) is None
    reason = state.why_not_run(Target("paste", "1", "reply", "held"))
    assert reason is not None and "T shows them first" in reason
    assert state.why_not_run(Target("paste")) == reason
    everything = SessionState(untrusted(made.session(), None))
    assert everything.why_not_run(Target("paste", "1", "reply", "naive")) == reason


def test_a_scenario_that_cannot_be_planned_cannot_be_run() -> None:
    _, state = fresh()
    state.unplannable("paste", BROKEN)
    assert "has errors" in (state.why_not_run(Target("paste")) or "")
    assert state.why_not_run(Target("canary")) is None
    state.begin()
    assert "a run is on" in (state.why_not_run(Target("canary")) or "")


def test_adapters_of_a_run_are_remembered() -> None:
    made = workspace()
    run = made.run("paste")
    state = SessionState(made.session(run))
    assert set(state.board.adapters) == set(made.routers)
    later = Run("x", "", 0.0, {"late": AdapterInfo("late", "command")}, ())
    state.ended(later)
    assert "late" in state.board.adapters
