"""Hostile text through every widget, screen and palette that there is; a new one must come in here."""

from __future__ import annotations

import asyncio
import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from test_tui_hostile import HOSTILE, assert_clean, hostile_session, settle, swap
from textual.app import App, ComposeResult
from textual.command import Provider
from textual.screen import Screen
from textual.widget import Widget
from tui_made import made_turn

import workbench.tui
from workbench.capture.audit.judging import Judge
from workbench.capture.audit.known import KnownEnvelopes
from workbench.capture.audit.result import Kind as Wrong
from workbench.capture.audit.watching import Seen, Watch
from workbench.core.cell import CellKey
from workbench.core.decision import Decision, Match, Outcome, ToolCall
from workbench.core.errors import Mark, Problem, WorkbenchError
from workbench.core.text import SafeText, is_invisible, mark, visible
from workbench.core.turn import Author
from workbench.explain.explanation import Ending, Explanation
from workbench.explain.material import material_of
from workbench.tui.app import WorkbenchApp
from workbench.tui.commands import footer_of
from workbench.tui.drafting import Draft
from workbench.tui.drafting import Kind as FileKind
from workbench.tui.guide import Guide, Stop, Walk
from workbench.tui.palette import WorkbenchCommands
from workbench.tui.run_palette import RunCommands
from workbench.tui.screens.dialog import AskScreen, Entry, Field, MenuScreen
from workbench.tui.screens.editor import EditorScreen
from workbench.tui.screens.explaining import ExplanationScreen
from workbench.tui.screens.following import FollowScreen
from workbench.tui.screens.guided import GuidedScreen
from workbench.tui.screens.help import HelpScreen
from workbench.tui.screens.jumping import JumpScreen, spots_of
from workbench.tui.screens.main import MainScreen
from workbench.tui.screens.paste import PasteScreen
from workbench.tui.screens.searching import SearchScreen
from workbench.tui.state import SessionState
from workbench.tui.themes import DARK, ink_variables
from workbench.tui.view.document import compare_cells
from workbench.tui.view.explanation import explanation_rows
from workbench.tui.view.ink import Line, Piece, Tone, ink
from workbench.tui.view.layout import Pane, SideBySide
from workbench.tui.view.matrix import matrix_of
from workbench.tui.view.rows import Full, Words
from workbench.tui.view.tree import tree_line
from workbench.tui.widgets.area import SafeArea
from workbench.tui.widgets.bars import KeyBar, StatusBar
from workbench.tui.widgets.caption import Caption
from workbench.tui.widgets.comparison_view import ComparisonView
from workbench.tui.widgets.field import LineField, Pick, TextField, YamlField, _Field
from workbench.tui.widgets.inked import InkBar, InkView
from workbench.tui.widgets.matrix_view import MatrixView
from workbench.tui.widgets.rows_view import RowsView
from workbench.tui.widgets.safe import SafeStatic
from workbench.tui.widgets.scenario_list import ScenarioList

LONG = "y" * 200_000
TEXTS = (*HOSTILE[::2], *HOSTILE[3:8:4], LONG, "[" * 2_000, "\x1b[31m" * 2_000)
BASES = {InkBar, InkView, _Field}
"""Drawn by what they are the base of, never by themselves."""

OURS = "[b]only our own words\\[/b]"


def of(text: str) -> SessionState:
    return SessionState(hostile_session(text))


def line(text: str) -> Line:
    return (Piece(visible(text), Tone.STRONG),)


def titled(view: Any, text: str) -> Any:
    view.entitle(line(text), line(text))
    return view


# Every maker gives a widget, and what shows the text on it once it is there.
Made = tuple[Widget, Callable[[], object]]


def the_list(text: str) -> Made:
    state, view = of(text), titled(ScenarioList(), text)
    rows = state.place.rows
    return view, lambda: view.show(len(rows), 1, lambda row, width: tree_line(state, rows[row], width))


def the_matrix(text: str) -> Made:
    view = titled(MatrixView(), text)
    return view, lambda: view.show(matrix_of(of(text)), (0, 0))


def the_comparison(text: str) -> Made:
    state, view = of(text), titled(ComparisonView(), text)
    keys = [key for key in state.board.cells if key.arm != "bare"]
    key = keys[0]
    document = compare_cells(
        state.board.bare(key), state.board.cells[key], state.verdicts.of_cell(key), stale=True
    )
    return view, lambda: view.show(document, key, SideBySide.AUTO, True, 0)


def the_rows(text: str) -> Made:
    view = RowsView()
    return view, lambda: view.show([Full(Words.of(*line(text)))], line(text))


def the_status(text: str) -> Made:
    state = of(text)
    state.watch.note((Path(text.replace("/", "").replace("\0", "")[:60] or "x"),))
    bar = StatusBar(state)
    return bar, bar.show


def the_keys(text: str) -> Made:
    bar = KeyBar()
    return bar, lambda: bar.show([(command, True) for command in footer_of(Pane.MATRIX)])


def the_caption(text: str) -> Made:
    caption = Caption(Guide(Walk((Stop(OURS, (OURS, OURS)),))))
    return caption, lambda: caption.show(4)


def the_static(text: str) -> Made:
    static = SafeStatic(line(text))
    return static, lambda: static.show(line(text), line(text))


def the_area(text: str) -> Made:
    area = SafeArea(text)
    return area, lambda: area.load_raw(text)


def a_text(text: str) -> Made:
    field = titled(TextField(text), text)
    return field, lambda: field.mark_words([(0, 1)] if text else [])


def a_file(text: str) -> Made:
    field = titled(YamlField(text), text)
    return field, lambda: field.mark_wrong([1])


def a_line(text: str) -> Made:
    field = titled(LineField(text), text)
    return field, lambda: field.load_raw(text.replace("\n", " "))


def a_pick(text: str) -> Made:
    pick = Pick([OURS, "other"], line(text))
    return pick, lambda: pick.action_turn(1)


WIDGETS: dict[type[Widget], Callable[[str], Made]] = {
    ScenarioList: the_list,
    MatrixView: the_matrix,
    ComparisonView: the_comparison,
    RowsView: the_rows,
    StatusBar: the_status,
    KeyBar: the_keys,
    Caption: the_caption,
    SafeStatic: the_static,
    SafeArea: the_area,
    TextField: a_text,
    YamlField: a_file,
    LineField: a_line,
    Pick: a_pick,
}


def fails(text: str) -> Callable[..., Any]:
    def plan(*asked: object) -> Any:
        raise WorkbenchError(Problem(text, Mark(text, 1, 1), hint=text))

    return plan


def a_menu(main: MainScreen, text: str) -> Screen[Any]:
    return MenuScreen(line(text), [Entry("1", line(text), 1), Entry("2", line(text), 2)], line(text))


def a_question(main: MainScreen, text: str) -> Screen[Any]:
    return AskScreen(line(text), [Field(line(text), text, lambda raw: OURS)], line(text))


def an_editor(main: MainScreen, text: str) -> Screen[Any]:
    body = f"scenario: x # {text}\nprompts: [{{text: x}}]\n"
    name = text.replace("/", "_").replace("\0", "_")[:60] or "x"
    draft = Draft(Path("/x") / name, Path("/x"), FileKind.SCENARIO, body, b"", 1)
    return EditorScreen(draft, fails(text), lambda draft: None)


def a_guided_walk(main: MainScreen, text: str) -> Screen[Any]:
    walk = Walk((Stop(OURS, (OURS,), next(iter(main.state.board.cells))),))
    state = SessionState(replace(main.state.session, walk=walk))
    assert state.guide is not None
    return GuidedScreen(state, state.guide)


def the_help(main: MainScreen, text: str) -> Screen[Any]:
    return HelpScreen(lambda width: (line(text), line(text)))


def an_explanation(main: MainScreen, text: str) -> Screen[Any]:
    whole = f"typed\n{text}\n{text or 'x'}"
    turn = made_turn("typed", ("typed\n", Author.USER), (whole[6:], Author.ATTACHMENT))
    decision = Decision(Outcome.FIRE, (ToolCall(text),), matches=(Match(text, text, 0, 1),))
    found = Explanation(
        CellKey("s", text, text, text),
        text,
        material_of(turn),
        Ending.WORDS,
        text,
        bare=decision,
        variant=decision,
        cause=((6, len(whole)),),
        removal=((6, 7),),
        no_removal=text,
        matches=decision.matches or (),
        used_up=text,
    )
    return ExplanationScreen(visible(text), explanation_rows(found))


def a_followed_log(main: MainScreen, text: str) -> Screen[Any]:
    def follow(path: Path) -> tuple[Watch, Iterator[Seen | str | None]]:
        wrong = (Wrong.OUTGROWN, Wrong.UNKNOWN)
        seen = Seen(text, text, text, text, 1, None, (text,), text, text, wrong, wrong)
        return Watch(Judge(KnownEnvelopes())), iter((None, seen, text))

    return FollowScreen(Path(text.replace("\0", "")), follow)


SCREENS: dict[type[Screen[Any]], Callable[[MainScreen, str], Screen[Any]]] = {
    MainScreen: lambda main, text: MainScreen(main.state),
    GuidedScreen: a_guided_walk,
    HelpScreen: the_help,
    JumpScreen: lambda main, text: JumpScreen(spots_of(main)),
    SearchScreen: lambda main, text: SearchScreen(text, lambda words: None, lambda: OURS),
    MenuScreen: a_menu,
    AskScreen: a_question,
    EditorScreen: an_editor,
    ExplanationScreen: an_explanation,
    FollowScreen: a_followed_log,
    PasteScreen: lambda main, text: PasteScreen(Path("/x"), text, lambda name: OURS),
}

PALETTES = {WorkbenchCommands: "palette", RunCommands: "compare-with-run"}
"""What fills a palette, and the command that opens it; the texts are those of other tests."""


def defined(kind: type[Any]) -> Iterator[type[Any]]:
    """Every class of the screen's modules that is one of that kind."""
    for module in pkgutil.walk_packages(workbench.tui.__path__, "workbench.tui."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, type) and issubclass(value, kind) and value.__module__ == module.name:
                yield value


def test_none_is_left_out() -> None:
    screens = set(defined(Screen))
    assert screens == set(SCREENS)
    assert set(defined(Widget)) - screens == set(WIDGETS) | BASES
    assert set(defined(Provider)) == set(PALETTES)
    assert set(defined(App)) == {WorkbenchApp}


class Alone(App[None]):
    """One widget after another."""

    def __init__(self) -> None:
        super().__init__()
        self.register_theme(DARK)
        self.theme = DARK.name

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return ink_variables(dark=True, ansi=False)

    def compose(self) -> ComposeResult:
        yield from ()


def words_of(text: str) -> SafeText:
    """As much of a text as is shown on one line of anything."""
    return visible(text.split("\n")[0].strip()[:6])


def one_mark_each(text: str) -> str:
    """A text as an area draws it, which counts characters."""
    marks = (mark(char) if is_invisible(char) else char for char in text.split("\n")[0][:6])
    return "".join(shown if len(shown) == 1 else "\ufffd" for shown in marks)


SHOWN: dict[type[Widget], Callable[[str], str]] = {
    # These two show nothing but our own words: nothing foreign can be handed to them.
    KeyBar: lambda text: "run all",
    Caption: lambda text: "only our own words",
    StatusBar: lambda text: words_of(text.replace("/", "").replace("\0", "")),
    SafeArea: one_mark_each,
}
"""What of a text is seen, where it is not its beginning as it is drawn everywhere."""


@pytest.mark.parametrize("kind", WIDGETS, ids=lambda kind: kind.__name__)
async def test_a_widget_shows_it_and_obeys_nothing(kind: type[Widget]) -> None:
    app = Alone()
    async with app.run_test(size=(100, 24)) as pilot:
        for text in TEXTS:
            widget, show = WIDGETS[kind](text)
            await app.mount(widget)
            await pilot.pause()
            async with asyncio.timeout(30):
                show()
                await pilot.pause()
                seen = assert_clean(app)
            shown = SHOWN.get(kind, words_of)(text)
            assert shown in seen, text[:40]
            await widget.remove()


async def test_a_screen_shows_it_and_obeys_nothing() -> None:
    app = WorkbenchApp(hostile_session("x"))
    async with app.run_test(size=(120, 36)) as pilot:
        for text in (*(text for text in HOSTILE if "b + " in text or "\x1b" in text or text == "["), LONG):
            main = await swap(pilot, hostile_session(text, many_lines=text != LONG))
            for kind, make in SCREENS.items():
                async with asyncio.timeout(20):
                    await app.push_screen(make(main, text))
                    await pilot.pause(0.02)
                    await settle(pilot)
                    assert isinstance(app.screen, kind)
                    seen = assert_clean(app)
                assert kind in (JumpScreen, PasteScreen) or words_of(text) in seen, (kind, text[:40])
                app.pop_screen()
                await pilot.pause()


def test_a_caption_takes_our_own_words_alone() -> None:
    caption = Caption(Guide(Walk((Stop("\x1b[31m", ("\u202e",)),))))
    with pytest.raises(ValueError):
        caption.show(caption.height_in(80, 24, 10))
    with pytest.raises(ValueError):
        ink("\u202e")
