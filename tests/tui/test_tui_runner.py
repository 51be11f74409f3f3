"""The bridge to the slow world, in an event loop but without a screen."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from threading import Event as ThreadEvent

import pytest
from tui_made import BROKEN, MadePlan, Workspace, made_turn, workspace

from workbench.core.cell import Cell, CellKey, Run
from workbench.core.decision import Decision, Outcome, Window, WindowSource
from workbench.core.errors import WorkbenchError
from workbench.core.trial import Status, Trial
from workbench.core.turn import Author
from workbench.replay.events import CellFinished
from workbench.tui.board import CellState
from workbench.tui.progress import Phase
from workbench.tui.runner import Runner, problems_of
from workbench.tui.session import OnEvent, Target
from workbench.tui.state import SessionState
from workbench.tui.view.ink import plain
from workbench.tui.view.page import Page

KEY = CellKey("envelope-replay", "build", "channel", "held")
KEY_FIELDS = (KEY.scenario, KEY.prompt, KEY.arm, KEY.adapter)


class Bench:
    """A runner on a made workspace; `changes` counts how often it asked to be drawn."""

    def __init__(self, made: Workspace, run: Run | None = None) -> None:
        self.made = made
        self.state = SessionState(made.session(run))
        self.changes = 0
        self.runner = Runner(self.state, self._changed, clock=lambda: 0.0)

    def _changed(self) -> None:
        self.changes += 1

    async def settle(self) -> None:
        async with asyncio.timeout(30):
            while self.runner.busy:
                await asyncio.sleep(0.002)

    def phase(self) -> Phase:
        return self.state.progress.phase


async def test_a_plan_is_asked_for_once() -> None:
    bench = Bench(workspace())
    for _ in range(3):
        bench.runner.plan("paste")
    await bench.settle()
    bench.runner.plan("paste")
    await bench.settle()
    assert bench.made.asked == [("paste", None, None, None)]
    assert bench.state.board.state(CellKey("paste", "1", "reply", "held")) is CellState.NOT_RUN


async def test_a_plan_that_cannot_be_made_leaves_its_problems() -> None:
    bench = Bench(workspace())

    def refuse(*asked: str | None) -> MadePlan:
        raise WorkbenchError(BROKEN)

    bench.state.session = replace(bench.state.session, plan=refuse)
    bench.runner.plan("paste")
    await bench.settle()
    assert bench.state.plan_problems("paste") == BROKEN
    bench.runner.start(Target("paste"))
    await bench.settle()
    assert bench.phase() is Phase.BROKEN
    assert bench.state.run_problems == BROKEN


async def test_a_run_ends_with_its_findings() -> None:
    bench = Bench(workspace())
    bench.runner.start(Target(*KEY_FIELDS))
    assert bench.phase() is Phase.PLANNING
    await bench.settle()
    assert bench.phase() is Phase.DONE
    assert bench.state.board.state(KEY) is CellState.DIFFERS
    assert [finding.kind.value for finding in bench.state.verdicts.of_cell(KEY)] == ["drift"]
    assert bench.changes >= 3


async def test_a_stopped_run_ends_in_order() -> None:
    made = workspace()
    made.gate = asyncio.Event()
    bench = Bench(made)
    bench.runner.start(Target("envelope-replay"))
    while bench.phase() is Phase.PLANNING:
        await asyncio.sleep(0.002)
    bench.runner.stop()
    assert bench.phase() is Phase.STOPPING
    await bench.settle()
    assert bench.phase() is Phase.STOPPED
    assert not any(bench.state.board.is_running(key) for key in bench.state.board.planned)


async def test_asked_twice_a_run_that_does_not_stop_is_cut_off() -> None:
    bench = Bench(workspace())

    async def deaf(plan: MadePlan, on_event: OnEvent, stop: asyncio.Event) -> Run:
        await asyncio.sleep(3600)
        raise AssertionError

    bench.state.session = replace(bench.state.session, replay=deaf)
    bench.runner.start(Target("paste"))
    await asyncio.sleep(0.02)
    bench.runner.stop()
    await asyncio.sleep(0.02)
    assert bench.runner.busy
    bench.runner.stop()
    await bench.settle()
    assert bench.phase() is Phase.STOPPED


@pytest.mark.parametrize("error", [WorkbenchError(BROKEN[0]), RuntimeError("the disk is full")])
async def test_a_run_that_breaks_is_told_and_the_next_one_works(error: Exception) -> None:
    bench = Bench(workspace())
    working = bench.state.session

    async def breaks(plan: MadePlan, on_event: OnEvent, stop: asyncio.Event) -> Run:
        raise error

    bench.state.session = replace(working, replay=breaks)
    bench.runner.start(Target("paste"))
    await bench.settle()
    assert bench.phase() is Phase.BROKEN
    assert str(error).split(":")[-1].strip()[:10] in str(bench.state.run_problems[0])
    bench.state.session = working
    bench.runner.start(Target("paste"))
    await bench.settle()
    assert bench.phase() is Phase.DONE


async def test_findings_that_cannot_be_worked_out_are_told() -> None:
    bench = Bench(workspace())

    def fails(run: Run) -> tuple[()]:
        raise KeyError("held")

    bench.state.session = replace(bench.state.session, find=fails)
    bench.runner.start(Target("paste"))
    await bench.settle()
    assert "KeyError" in bench.state.run_problems[0].message
    assert bench.state.counts("paste").ok == 8


async def test_leaving_stops_a_run_first() -> None:
    made = workspace()
    made.gate = asyncio.Event()
    bench = Bench(made)
    bench.runner.start(Target("envelope-replay"))
    await asyncio.sleep(0.02)
    async with asyncio.timeout(30):
        await bench.runner.close()
    assert not bench.runner.busy


def big(state: SessionState) -> None:
    """Give two cells turns of a megabyte, all of it read."""
    for arm in ("bare", "channel"):
        key = replace(KEY, arm=arm)
        cell = state.board.cells[key]
        turn = made_turn("go on", (arm + " words\n" * 150_000, Author.ATTACHMENT), ("go on", Author.USER))
        window = (Window(turn.text, WindowSource.REPORTED),)
        trial = Trial(0, Status.OK, Decision(Outcome.PASS, windows=window))
        delivery = replace(cell.delivery, turn=turn, typed="go on")
        state.apply(CellFinished(Cell(delivery, (trial,))), 0.0)


async def test_a_big_comparison_is_worked_out_beside_the_screen() -> None:
    made = workspace()
    bench = Bench(made, made.run("envelope-replay"))
    big(bench.state)
    assert bench.runner.compare(KEY) is None
    await bench.settle()
    assert bench.changes == 1
    document = bench.runner.compare(KEY)
    assert document is not None
    page = Page(document, 120, True)
    assert page.height < 50
    assert Page(document, 120, True, unfolded=True).height > 150_000
    assert any("unchanged lines" in plain(page.line(y)) for y in range(page.height))


async def test_a_cursor_that_runs_past_big_comparisons_has_only_the_last_worked_out() -> None:
    made = workspace()
    bench = Bench(made, made.run("envelope-replay"))
    started, go_on = ThreadEvent(), ThreadEvent()
    asked: list[CellKey] = []

    def slow(key: CellKey) -> None:
        asked.append(key)
        started.set()
        go_on.wait(5)

    bench.state.comparisons.is_heavy = lambda key: True  # type: ignore[method-assign]
    bench.state.comparisons.made = slow  # type: ignore[method-assign]
    keys = [replace(KEY, adapter=name) for name in ("naive", "held", "fixed", "remote")]
    for key in keys:
        assert bench.runner.compare(key) is None
        await asyncio.sleep(0.01)
    while not started.is_set():
        await asyncio.sleep(0.01)
    # While that one is worked out the cursor goes on: two more are looked at, and left.
    for key in keys[:3]:
        assert bench.runner.compare(key) is None
    go_on.set()
    await bench.settle()
    assert asked == [keys[3], keys[2]]


async def test_an_answer_that_cannot_be_compared_takes_nothing_along() -> None:
    made = workspace()
    bench = Bench(made, made.run("envelope-replay"))

    def fails(key: CellKey) -> None:
        raise RecursionError("too deep")

    bench.state.comparisons.made = fails  # type: ignore[method-assign]
    document = bench.runner.compare(KEY)
    assert document is not None
    page = Page(document, 80, False)
    text = "\n".join(plain(page.line(y)) for y in range(page.height))
    assert "cannot be compared" in text and "RecursionError: too deep" in text


def test_a_fault_of_ours_keeps_its_type_and_says_so() -> None:
    problem = problems_of(ValueError("odd"))[0]
    assert problem.message == "ValueError: odd"
    assert "fault of the workbench" in (problem.hint or "")
