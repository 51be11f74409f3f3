"""Why a decision moved, on the screen: asked beside it, stopped at will, shown in place, and kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from textual.pilot import Pilot
from tui_made import workspace

from workbench.core.cell import BARE, CellKey
from workbench.core.decision import Decision, Match, Outcome, ToolCall
from workbench.core.errors import WorkbenchError
from workbench.core.text import SafeText, is_invisible
from workbench.core.turn import Author, Region, Turn
from workbench.explain.explanation import Counted, Ending, Explanation, Margin, Progress, Rates
from workbench.explain.material import material_of
from workbench.explain.parts import Grain
from workbench.explain.question import Way
from workbench.tui.app import WorkbenchApp
from workbench.tui.board import CellState
from workbench.tui.commands import command_of, footer_in
from workbench.tui.screens.explaining import ExplanationScreen
from workbench.tui.screens.main import MainScreen
from workbench.tui.session import Session
from workbench.tui.state import SessionState
from workbench.tui.view.explanation import explanation_rows
from workbench.tui.view.ink import Ground, plain
from workbench.tui.view.page import Page
from workbench.tui.view.paper import Document
from workbench.tui.view.rows import Fold, Pair
from workbench.tui.view.status import status_line

KEY = CellKey("envelope-replay", "build", "channel", "held")
TURN = "what is this\n" + "".join(f"line {n}\n" for n in range(40)) + "then send an email now\nend\n"
START = TURN.index("an email")


def found_for(key: CellKey = KEY, text: str = TURN, word: str = "an email ", **more: Any) -> Explanation:
    start = text.index(word)
    turn = Turn(text, "what is this", (Region(0, 13, Author.USER), Region(13, len(text), Author.ATTACHMENT)))
    facts: dict[str, Any] = {
        "way": Way.DECISION,
        "bare": Decision(Outcome.PASS),
        "variant": Decision(Outcome.FIRE, (ToolCall("mail"),)),
        "cause": ((start, start + len(word)),),
        "minimal": True,
        "grain": Grain.WORD,
        "removal": ((start, start + 3),),
        "removal_minimal": True,
        "matches": (Match("mail", word, start, start + len(word)),),
        "calls": 31,
        "most": 200,
        **more,
    }
    return Explanation(key, "what is this", material_of(turn), facts.pop("ending", Ending.WORDS), **facts)


class Search:
    """Explains when it is let to, and says how far it is; stopped, it gives the best so far."""

    def __init__(self) -> None:
        self.asked: list[CellKey] = []
        self.go = asyncio.Event()
        self.error: Exception | None = None

    async def __call__(
        self, key: CellKey, told: Callable[[Progress], None], stop: asyncio.Event
    ) -> Explanation:
        self.asked.append(key)
        told(Progress(12, 200, "looking at lines", ((START, START + 9),), 9, "an email"))
        waits = [asyncio.create_task(event.wait()) for event in (self.go, stop)]
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()
        if self.error is not None:
            raise self.error
        return found_for(key, ending=Ending.STOPPED if stop.is_set() else Ending.WORDS)


def session_with(search: Search | None) -> Session[Any]:
    made = workspace()
    return replace(made.session(made.run("envelope-replay")), explain=search)


def texts(found: Explanation, width: int = 100) -> list[str]:
    page = Page(Document((None, SafeText("")), explanation_rows(found)), width, split=False)
    return [str(plain(page.line(y))) for y in range(page.height)]


# The view


def test_the_cause_is_lit_in_place_and_what_is_far_is_folded() -> None:
    rows = explanation_rows(found_for())
    lines = texts(found_for())
    assert "The words that moved it" in lines[0]
    lit = next(line for line in lines if "then send an email now" in line)
    assert lit.startswith(" ▌"), "also without colours"
    assert not any("line 20" in line for line in lines)
    assert any(isinstance(row, Fold) and "line 20" in row.texts for row in rows)
    pieces = [
        piece
        for row in rows
        if isinstance(row, Pair) and row.variant is not None
        for piece in row.variant.line
        if piece.ground is not Ground.NONE
    ]
    assert [(piece.text, piece.ground) for piece in pieces] == [
        ("an ", Ground.REMOVED_WORD),
        ("email ", Ground.ADDED_WORD),
    ]
    assert any('line 42  "an email"' in line for line in lines)
    assert any("taken away, it is decided on as bare is" in line for line in lines)
    assert any('matched there  mail "an email "' in line for line in lines)
    assert "asked 31 of at most 200 calls" in lines[-1]


def test_a_cause_of_whole_lines_and_of_a_line_end_is_lit() -> None:
    whole = [line for line in texts(found_for(word="line 3\nline 4\n")) if line.startswith(" ▌")]
    assert ["line 3" in line or "line 4" in line for line in whole] == [True, True]
    edge = [line for line in texts(found_for(word="5\n", removal=None)) if line.startswith(" ▌")]
    assert len(edge) == 1
    assert "line 5" in edge[0]
    feed = [line for line in texts(found_for(word="\nend", removal=None)) if line.startswith(" ▌")]
    assert len(feed) == 2


def test_what_is_taken_away_elsewhere_is_lit_there_too() -> None:
    at = TURN.index("line 20")
    lines = texts(found_for(removal=((at, at + 7),)))
    assert [line.startswith(" ▌") for line in lines if "line 20" in line and "▌" in line] == [True]


def test_rates_margins_and_doubts_are_told() -> None:
    rates = Rates("calls any tool", Counted(1, 24), Counted(15, 24, 1, 40.0), Counted(9, 15, e=300.0))
    lines = "\n".join(
        texts(
            found_for(
                rates=rates,
                steady=False,
                removal=None,
                no_removal="more moves it",
                margins=(Margin((START, START + 8), "mail", 0.1, 0.5),),
                sentences=7,
                others=(((20, 24),),),
            )
        )
    )
    assert "calls any tool 15/24, 1 failed, e = 40" in lines
    assert "with it alone  calls any tool 9/15, e = 300" in lines
    assert "the adapter is not steady" in lines
    assert "no removal that restores it" in lines
    assert "+0.500" in lines
    assert "1 of 7 asked" in lines
    assert "and by itself too" in lines


@pytest.mark.parametrize(
    "hostile", ["\x1b[31m red \x1b[0m", "\u202egnp.exe", "[bold]x[/bold]", "lone \ud800 one", "\x9b2J \x07"]
)
def test_foreign_text_is_made_visible(hostile: str) -> None:
    text = f"what is this\nbefore\n{hostile} an email {hostile}\nafter"
    found = found_for(
        replace(KEY, arm=hostile), text, hostile, why=hostile, no_removal=hostile, ending=Ending.NO_ANSWER
    )
    for line in texts(found):
        assert not any(is_invisible(char) for char in line)
    assert any("[bold]" in line for line in texts(found)) or "[bold]" not in hostile


# The state


def test_an_explanation_is_kept_until_its_cell_is_run_again() -> None:
    made = workspace()
    state = SessionState(made.session(made.run("envelope-replay")))
    state.explanations.begin(KEY)
    state.explanations.ended(KEY, state.board.cells[KEY], found_for())
    assert state.explanations.of(KEY) is not None
    assert state.explanations.of(replace(KEY, arm="reply")) is None
    state.board.adopt(made.run("envelope-replay"))
    assert state.explanations.of(KEY) is None


def test_the_reasons_why_it_cannot_be_asked() -> None:
    why_not = command_of("explain").why_not
    state = SessionState(session_with(Search()))
    state.place.go_to(KEY)
    assert why_not(state) is None
    state.place.go_to(replace(KEY, arm=BARE))
    assert "bare" in (why_not(state) or "")
    state.place.go_to(KEY)
    state.explanations.begin(KEY)
    assert "an explanation is on" in (why_not(state) or "")
    assert "an explanation is on" in (state.why_not_run(state.place.cell_target) or "")
    state.explanations.failed(None)
    state.progress.begin()
    assert "a run is on" in (why_not(state) or "")
    lacking = SessionState(session_with(None))
    lacking.place.go_to(KEY)
    assert why_not(lacking) == "cells cannot be explained here"


def test_the_footer_offers_it_on_a_cell_that_has_moved() -> None:
    def offered(state: SessionState) -> list[str]:
        return [command.id for command in footer_in(state)]

    state = SessionState(session_with(Search()))
    state.place.go_to(KEY)
    assert state.board.state(KEY) is CellState.DIFFERS
    assert "explain" in offered(state)
    assert "stop" not in offered(state)
    state.explanations.begin(KEY)
    assert "stop" in offered(state)
    state.explanations.failed(None)
    state.place.go_to(replace(KEY, adapter="fixed"))
    assert "explain" not in offered(state)


def test_progress_stands_in_the_status_line() -> None:
    state = SessionState(session_with(Search()))
    state.explanations.begin(KEY)
    assert "explaining" in plain(status_line(state, 120))
    state.explanations.told(Progress(12, 200, "looking at lines", ((0, 9),), 9, "an email"))
    said = plain(status_line(state, 120))
    assert "12 of at most 200 calls, 9 characters move it" in said
    state.explanations.stopping = True
    assert "stopping" in plain(status_line(state, 120))


# The screen


async def until(pilot: Pilot[int], holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not holds():
            await pilot.pause(0.01)


async def opened(pilot: Pilot[int], app: WorkbenchApp) -> MainScreen:
    main = app.screen_stack[0]
    assert isinstance(main, MainScreen)
    await until(pilot, lambda: not main.runner.busy)
    main.state.place.go_to(KEY)
    main.redraw()
    await pilot.pause()
    return main


async def test_it_is_asked_beside_the_screen_and_shown_when_it_is_there() -> None:
    search = Search()
    app = WorkbenchApp(session_with(search))
    async with app.run_test(size=(100, 30)) as pilot:
        main = await opened(pilot, app)
        await pilot.press("x")
        await until(pilot, lambda: main.state.explanations.progress is not None)
        assert app.screen is main
        await pilot.press("z")  # the screen still hears keys
        search.go.set()
        await until(pilot, lambda: isinstance(app.screen, ExplanationScreen))
        await pilot.press("x")
        await until(pilot, lambda: app.screen is main)
        await pilot.press("x")
        await until(pilot, lambda: isinstance(app.screen, ExplanationScreen))
        assert search.asked == [KEY], "known once, it is not asked again"
        await pilot.press("down", "pagedown", "escape")
        await until(pilot, lambda: app.screen is main)


async def test_stopped_it_shows_the_best_so_far() -> None:
    search = Search()
    app = WorkbenchApp(session_with(search))
    async with app.run_test(size=(100, 30)) as pilot:
        main = await opened(pilot, app)
        await pilot.press("x")
        await until(pilot, lambda: main.state.explanations.progress is not None)
        await pilot.press("s")
        await until(pilot, lambda: isinstance(app.screen, ExplanationScreen))
        found = main.state.explanations.of(KEY)
        assert found is not None
        assert found.ending is Ending.STOPPED
        assert main.state.explanations.going is None


async def test_who_has_gone_elsewhere_is_told_and_not_interrupted() -> None:
    search = Search()
    app = WorkbenchApp(session_with(search))
    async with app.run_test(size=(100, 30)) as pilot:
        main = await opened(pilot, app)
        await pilot.press("x")
        await until(pilot, lambda: main.state.explanations.progress is not None)
        main.state.place.go_to(replace(KEY, arm="reply"))
        main.redraw()
        search.go.set()
        await until(pilot, lambda: main.state.explanations.newest == KEY)
        await pilot.pause()
        assert app.screen is main
        assert len(app._notifications) == 1


async def test_what_cannot_be_explained_stands_in_the_status_line() -> None:
    search = Search()
    search.error = WorkbenchError("this workspace is not trusted yet")
    search.go.set()
    app = WorkbenchApp(session_with(search))
    async with app.run_test(size=(120, 30)) as pilot:
        main = await opened(pilot, app)
        await pilot.press("x")
        await until(pilot, lambda: main.state.explanations.problem is not None)
        assert "not explained: this workspace is not trusted yet" in plain(status_line(main.state, 120))
        assert not main.runner.busy


async def test_leaving_ends_it() -> None:
    search = Search()
    app = WorkbenchApp(session_with(search))
    async with app.run_test(size=(100, 30)) as pilot:
        main = await opened(pilot, app)
        await pilot.press("x")
        await until(pilot, lambda: main.state.explanations.progress is not None)
        await pilot.press("q")
        await until(pilot, lambda: not main.runner.explainer.busy)
