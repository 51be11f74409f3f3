"""Hostile text through everything that is drawn: nothing raw comes out, nothing vanishes, nothing crashes."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.app import App
from textual.pilot import Pilot
from tui_made import Workspace, made_turn, workspace

from workbench.core.cell import BARE, AdapterInfo, Cell, CellKey, Delivery, Run
from workbench.core.decision import Decision, Match, Outcome, Score, ToolCall, Window, WindowSource
from workbench.core.errors import Mark, Problem
from workbench.core.finding import Finding, Kind, Severity
from workbench.core.scenario import Expectation, Prompt, Scenario
from workbench.core.text import SafeText, is_invisible, visible
from workbench.core.trial import Status, Trial
from workbench.core.turn import Author
from workbench.core.turn import bare as bare_turn
from workbench.tui.app import WorkbenchApp
from workbench.tui.screens.main import MainScreen
from workbench.tui.session import Session
from workbench.tui.state import SessionState
from workbench.tui.view.ink import Piece, ink
from workbench.tui.widgets.comparison_view import ComparisonView
from workbench.tui.widgets.safe import SafeStatic, content, strip, toast

HOSTILE = [
    "[/bold] q",
    "[attachment: notes.pdf] hello",
    "[reply]x",
    "range query (1 3 and [b + should give 3",
    "[",
    "[@click=app.quit]press[/]",
    "[link=file:///etc/passwd]here[/link]",
    "plain \x1b[31mred\x1b[0m and a lone \x1b here",
    "\x1b]0;PWNED\x07",
    "\x1b]52;c;cHduZWQ=\x07",
    "\x9b2J",
    "\u202egnp.exe\u202c",
    "zero\u200bwidth\u2060and\ufeffbom",
    "NUL\x00and\x08backspace",
    "lone \ud800 surrogate",
    "$variable ${braces} {x} %s \\",
    "tab\there\r",
    "\u4e2d\u6587 \U0001f600 e\u0301",
    "\u2028line\u2029paragraph\x85",
    "",
]


def hostile_session(text: str, many_lines: bool = True) -> Session[Any]:
    """A session in which every string that can be foreign is `text`."""
    made = workspace()
    name = text or "empty"
    prompt = Prompt("1", text, Mark(name, 3), expect=Expectation(outcome=Outcome.HOLD, spelled=text))
    other = Prompt(name + "2", text, Mark(name, 4), id=name + "2")
    scenario = Scenario(name, (prompt, other), name, text)
    lines = f"first\n{text}\n\nlast {text} words" if many_lines else text
    turn = made_turn(
        text, ("before " + lines, Author.TRANSPORT), (text, Author.USER), (lines, Author.ATTACHMENT)
    )
    cells = tuple(
        cell_of(name, label, arm, turn, text) for label in ("1", name + "2") for arm in (BARE, name)
    )
    run = Run("1", "", 0.0, {name: AdapterInfo(name, name)}, cells)
    findings = [
        Finding(Kind.DRIFT, Severity.ERROR, name, "1", name, name, text),
        Finding(Kind.VACUOUS, Severity.WARNING, name, None, None, name, text),
    ]
    problems = (Problem(text, Mark(name, 1, 1), hint=text), Problem(text))
    session = made.session(None, problems)
    return replace(
        session,
        root=Path("/x") / (name.replace("/", "_").replace("\0", "_")),
        scenarios=(scenario,),
        run=run,
        findings=tuple(findings),
        plan=lambda *asked: raise_problems(problems),
    )


def raise_problems(problems: tuple[Problem, ...]) -> Any:
    from workbench.core.errors import WorkbenchError

    raise WorkbenchError(problems)


def cell_of(name: str, label: str, arm: str, wrapped: Any, text: str) -> Cell:
    turn = bare_turn(text) if arm == BARE else wrapped
    decision = Decision(
        Outcome.FIRE,
        (ToolCall(name, {text: [text, {"deep": text}], "arm": arm}),),
        (Window(turn.text, WindowSource.REPORTED, tap=text),),
        (Score(name, 0.5 if arm == BARE else 0.7, 0.6),),
        (Match(name, text, 0, len(text)),),
        note=text,
        flags=(text,),
    )
    delivery = Delivery(CellKey(name, label, arm, name), text, turn, expect=Expectation(spelled=text))
    return Cell(delivery, (Trial(0, Status.OK, decision), Trial(1, Status.ERROR, error=text, raw=text)))


def drawn(app: App[Any]) -> list[str]:
    return [strip.text for strip in app.screen._compositor.render_strips()]


def assert_clean(app: App[Any]) -> str:
    lines = drawn(app)
    for line in lines:
        assert not any(is_invisible(char) for char in line), repr(line)
    return "\n".join(lines)


async def settle(pilot: Pilot[Any]) -> None:
    mains = [screen for screen in pilot.app.screen_stack if isinstance(screen, MainScreen)]
    async with asyncio.timeout(20):
        while any(main.runner.busy for main in mains):
            await pilot.pause(0.01)
    await pilot.pause()


async def swap(pilot: Pilot[Any], session: Session[Any]) -> MainScreen:
    """The same application on another session: starting one takes the most time."""
    app = pilot.app
    assert isinstance(app, WorkbenchApp)
    app.state = SessionState(session)
    main = MainScreen(app.state)
    if len(app.screen_stack) > 1:
        await app.pop_screen()
    await app.push_screen(main)
    await settle(pilot)
    return main


async def test_every_pane_shows_it_and_obeys_nothing() -> None:
    app = WorkbenchApp(hostile_session("x"))
    async with app.run_test(size=(160, 60)) as pilot:
        for text in HOSTILE:
            main = await swap(pilot, hostile_session(text))
            seen = [assert_clean(app)]
            for name in ("top", "down", "open", "down", "open", "view-unified", "bottom"):
                main.perform(name)
                await pilot.pause()
                seen.append(assert_clean(app))
            main.perform("back")
            main.perform("back")
            main.perform("bottom")
            await pilot.pause()
            seen.append(assert_clean(app))
            # What a person must be able to find: the words themselves, marked where they hide.
            words = visible(text.split("\n")[0].strip())[:24]
            assert sum(words in page for page in seen) >= 4, text


async def test_palette_toasts_and_help_show_it_and_obey_nothing() -> None:
    app = WorkbenchApp(hostile_session("x"))
    async with app.run_test(size=(140, 40), notifications=True) as pilot:
        for text in HOSTILE:
            main = await swap(pilot, hostile_session(text))
            words = visible(text.strip())[:20]
            toast(app, visible(text))
            await pilot.pause()
            assert words in assert_clean(app)
            app.clear_notifications()
            main.perform("help")
            await pilot.pause()
            assert_clean(app)
            await pilot.press("escape")
            main.perform("palette")
            await pilot.press("g", "o")
            async with asyncio.timeout(30):
                while "go to:" not in assert_clean(app):
                    await pilot.pause(0.02)
            assert words in assert_clean(app)
            await pilot.press("escape")


async def test_a_bracket_in_the_search_field_filters_for_a_bracket() -> None:
    app = WorkbenchApp(hostile_session("range query (1 3 and [b + should give 3"))
    async with app.run_test(size=(140, 40)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+p", "[", "b")
        await pilot.pause(0.3)
        assert "[b + should give 3" in assert_clean(app)
        await pilot.press("escape")


@pytest.mark.parametrize(
    "line", ["x" * 1_000_000, "word [b] \x1b " * 80_000, "\u4e2d\u200b" * 200_000], ids=len
)
async def test_a_line_of_a_megabyte_is_shown_and_scrolled(line: str) -> None:
    app = WorkbenchApp(hostile_session(line[:200], many_lines=False))
    cells = app.state.board.cells
    for at, cell in list(cells.items()):
        if at.arm == BARE:
            continue
        turn = made_turn("typed", (line, Author.ATTACHMENT), ("typed", Author.USER))
        decision = Decision(Outcome.PASS, (), (Window(turn.text, WindowSource.CAPTURED),))
        cells[at] = Cell(replace(cell.delivery, typed="typed", turn=turn), (Trial(0, Status.OK, decision),))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("tab", "j", "tab")
        await settle(pilot)
        for key in ("pagedown", "G", "1", "2", "g", "]", "]", "m"):
            await pilot.press(key)
            assert_clean(app)
        view = app.screen.query_one(ComparisonView)
        assert view.virtual_size.height > 3_000


async def test_two_hundred_thousand_characters_in_the_list_and_the_matrix_are_cut() -> None:
    made: Workspace = workspace()
    long = "y" * 200_000
    prompts = tuple(
        replace(made.scenarios[0].prompts[0], label=str(n), id=None, text=f"{n} {long}") for n in range(500)
    )
    made.scenarios = (replace(made.scenarios[0], prompts=prompts),)
    app = WorkbenchApp(made.session())
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("j", "j", "G", "tab", "j", "l")
        text = assert_clean(app)
    assert "yyyy" in text and "…" in text


def test_the_door_takes_safe_text_alone() -> None:
    foreign: Any = "[/bold]"
    with pytest.raises(TypeError, match="bare string"):
        content((Piece(foreign),))
    with pytest.raises(TypeError, match="bare string"):
        strip((Piece(foreign),), lambda piece: Any, Any, 10)  # type: ignore[arg-type, return-value]
    with pytest.raises(TypeError, match="bare string"):
        SafeStatic((Piece(foreign),))
    with pytest.raises(TypeError, match="bare string"):
        toast(App(), foreign)
    assert content((Piece(visible("[/bold] [x")),)).plain == "[/bold] [x"
    assert content((ink("fine"),)).markup == "fine"


def lines_of(text: str) -> tuple[SafeText, ...]:
    return (visible(text),)


async def test_search_filters_watch_trust_and_welcome_show_it_and_obey_nothing() -> None:
    app = WorkbenchApp(hostile_session("x"))
    async with app.run_test(size=(140, 40), notifications=True) as pilot:
        for text in HOSTILE:
            main = await swap(pilot, hostile_session(text))
            state = main.state
            words = visible(text.split("\n")[0].strip())[:12]
            main.seeking.look_for(text.split("\n")[0])
            state.watch.note((Path(text.replace("/", "").replace("\0", "")[:40] or "x"),))
            state.sieve.adapter = text
            state.resieved()
            main.redraw()
            await pilot.pause()
            assert words in assert_clean(app)
            main.perform("search")
            await pilot.pause()
            assert_clean(app)
            await pilot.press("escape")
            main.perform("show-all")
            trusting = replace(state.session, trusted=False, trust=lambda: None, here=Path(text[:20]))
            state.session = replace(
                trusting, adapter_lines=partial(lines_of, text), found=lambda folder: None
            )
            for name in ("trust", "welcome", "jump", "filter"):
                main.perform(name)
                async with asyncio.timeout(30):
                    while len(app.screen_stack) == 2:
                        await pilot.pause(0.01)
                await pilot.pause()
                assert_clean(app)
                await pilot.press("escape")
                await pilot.pause()
