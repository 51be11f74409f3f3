"""Lanes, texts and claims that are hostile: shown, obeyed by nothing, and quick however long."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_tui_hostile import HOSTILE, assert_clean
from test_tui_page import lines_of
from test_tui_screen import driving
from tui_lanes import MODEL, NAIVE, REGISTRY, chat, exchanged, sending, with_trials
from tui_made import workspace

from workbench.core.claims import Claimed, Claims
from workbench.core.text import is_invisible
from workbench.lanes.lane import Lane, Registry, Trust, Unit
from workbench.tui.state import SessionState
from workbench.tui.view.lanes.marks import Marks
from workbench.tui.view.tabs import Tab


def hostile_state(text: str) -> SessionState:
    """One lane has the text as its name and its words; another text like it is dark."""
    registry = Registry(
        "x", (Lane(text, text, 3, 0, Trust.TOOL, text), Lane(text + "2", text, 3)), Unit.CHARS
    )
    state = SessionState(sending(workspace(), registry))
    claims = Claims(
        (Claimed(text, "<b>" + text), Claimed("twice", text), Claimed("gone", "never there " + text))
    )
    body = chat("<b>" + text, text + " [bold]dark[/bold]")
    cell = state.board.cells[NAIVE]
    state.board.cells[NAIVE] = with_trials(cell, exchanged(body, claims))
    return state


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("width", [60, 100, 150])
def test_every_line_is_safe(text: str, width: int) -> None:
    document = hostile_state(text).comparisons.made(NAIVE)
    assert document is not None
    drawn = "".join(lines_of(document.on(Tab.LANES), width))
    assert not [char for char in drawn if is_invisible(char)]
    assert "[bold]dark[/bold]" in drawn.replace("↪", "") or width == 60


@pytest.mark.parametrize("text", HOSTILE)
async def test_the_screen_obeys_nothing(text: str) -> None:
    registry = Registry("x", (Lane(text, text, 3),), Unit.CHARS)
    session = sending(workspace(), registry)
    run = session.run
    assert run is not None
    claims = Claims((Claimed(text, text),))
    cells = tuple(
        with_trials(cell, exchanged(chat(text, f"more {text}"), claims))
        if cell.key.adapter == "naive"
        else cell
        for cell in run.cells
    )
    async with driving(replace(session, run=replace(run, cells=cells))) as driver:
        driver.state.place.go_to(NAIVE)
        driver.main.redraw()
        await driver.settle()
        await driver.press("tab-lanes", "next-dark", "zoom", "next-dark")
        await driver.settle()
        assert_clean(driver.app)


@given(st.text(max_size=30), st.text(max_size=30), st.text(max_size=30))
def test_any_text_and_any_lane_can_be_drawn(name: str, words: str, dark: str) -> None:
    state = SessionState(sending(workspace(), REGISTRY))
    claims = Claims((Claimed(name, words), Claimed(name + "x", chars=3)))
    state.board.cells[NAIVE] = with_trials(state.board.cells[NAIVE], exchanged(chat(words, dark), claims))
    state.board.adapters["naive"] = MODEL
    document = state.comparisons.made(NAIVE)
    assert document is not None
    size = len(words) + len(dark)
    lines = lines_of(document.on(Tab.LANES), 200)
    assert any(f"sent={size:,}" in line.split("│")[-1] for line in lines[:3]) or size == 0


async def test_a_megabyte_is_opened_and_walked_through() -> None:
    words = "\n".join(f"line {n} of a text that goes on" for n in range(30_000))
    session = sending(workspace())
    run = session.run
    assert run is not None
    claims = Claims((Claimed("rules", words[:500_000]),))
    cells = tuple(
        with_trials(cell, exchanged(chat(words, "hello"), claims)) if cell.key.adapter == "naive" else cell
        for cell in run.cells
    )
    async with driving(replace(session, run=replace(run, cells=cells))) as driver:
        driver.state.place.go_to(NAIVE)
        driver.main.redraw()
        await driver.press("tab-lanes")
        await driver.settle()
        await driver.press("next-pane", "next-pane", "next-dark", "next-dark", "bottom", "top")
        await driver.settle()
        assert "sent=" in driver.text()


def test_marks_of_odd_names() -> None:
    names = ["", "\x1b", "é", "漢字", "A", "a", "[b]"]
    marks = Marks(names)
    letters = [marks.letter(name) for name in names]
    assert len(set(letters)) == len(names) and all(len(one) == 1 and one.isascii() for one in letters)
