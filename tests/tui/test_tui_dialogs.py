"""Hostile text through every dialog of writing, and pictures of each: look before accepting one."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import textual
from test_tui_hostile import HOSTILE, assert_clean, hostile_session
from textual.app import App
from textual.pilot import Pilot
from textual.screen import Screen
from tui_written import FILES, session_in, written

from workbench.core.errors import Mark, Problem
from workbench.core.finding import Finding, Kind, Severity
from workbench.core.text import visible
from workbench.tui.app import WorkbenchApp
from workbench.tui.drafting import Draft, draft_of_file, new_draft
from workbench.tui.drafting import Kind as FileKind
from workbench.tui.screens.desk import Desk
from workbench.tui.screens.dialog import AskScreen, Entry, Field, MenuScreen
from workbench.tui.screens.editor import EditorScreen
from workbench.tui.screens.main import MainScreen
from workbench.tui.screens.paste import PasteScreen
from workbench.tui.themes import DARK, LIGHT
from workbench.tui.view.headline import headline
from workbench.tui.view.ink import Piece, ink
from workbench.tui.widgets.area import SafeArea
from workbench.tui.widgets.field import LineField, TextField, YamlField

LISTED = [text for text in HOSTILE if text]


async def settled(pilot: Pilot[Any], words: str) -> str:
    """All that is drawn, once it has these words."""
    async with asyncio.timeout(30):
        while words not in assert_clean(pilot.app):
            await pilot.pause(0.02)
    return assert_clean(pilot.app)


def parts(text: str) -> str:
    """As much of a hostile text as stands on one line whatever its width."""
    return visible(text.split("\n")[0].strip())[:18]


async def test_menus_and_questions_obey_nothing() -> None:
    app = WorkbenchApp(hostile_session("x"))
    async with app.run_test(size=(120, 40)) as pilot:
        for text in LISTED:
            finding = Finding(Kind.DRIFT, Severity.ERROR, text, text, text, text, text)
            title = (Piece(visible(text)),)
            await app.push_screen(MenuScreen[str](title, [Entry("1", headline(finding), text)], title))
            assert (await settled(pilot, "esc back")).count(parts(text)) >= 3, text
            await pilot.press("escape")
            await app.push_screen(AskScreen(title, [Field(title, text)], headline(finding)))
            assert (await settled(pilot, "esc back")).count(parts(text)) >= 3, text
            assert app.screen.query_one(LineField).raw == " ".join(text.split("\n")).strip()
            await pilot.press("escape")
            await pilot.pause()


async def test_the_editor_obeys_nothing(tmp_path: Path) -> None:
    app = WorkbenchApp(hostile_session("x"))
    async with app.run_test(size=(140, 40)) as pilot:
        for text in LISTED:
            name = text.replace("/", "_").replace("\0", "_").replace("\n", "_")
            problem = Problem(text, Mark(text, 1, 1), hint=text)

            def plan(*asked: object, problem: Problem = problem) -> Any:
                from workbench.core.errors import WorkbenchError

                raise WorkbenchError(problem)

            body = FILES["scenarios/day.yaml"]
            draft = Draft(Path("/x") / name, Path("/x"), FileKind.SCENARIO, body, b"", 14)
            await app.push_screen(EditorScreen(draft, plan, lambda draft: None))
            await settled(pilot, "1 error")
            async with asyncio.timeout(30):
                while assert_clean(app).count(parts(text)) < 3:
                    await pilot.pause(0.02)
            field = app.screen.query_one(YamlField)
            field.put_raw(f"# {text}\n{body}")
            await pilot.pause(0.05)
            assert_clean(app)
            assert field.raw == f"# {text}\n{body}"
            app.pop_screen()
            await pilot.pause()


async def test_the_paste_obeys_nothing(tmp_path: Path) -> None:
    app = WorkbenchApp(hostile_session("x"))
    async with app.run_test(size=(140, 60)) as pilot:
        for text in LISTED:
            screen = PasteScreen(tmp_path, text, lambda name: None)
            await app.push_screen(screen)
            await pilot.pause()
            screen.query_one("#wrapped", TextField).load_raw(f"before {text} after\n{text}")
            await settled(pilot, "is the words" if text.strip() else "template")
            assert screen.query_one("#wrapped", TextField).raw == f"before {text} after\n{text}"
            assert screen.query_one("#typed", TextField).raw == text
            app.pop_screen()
            await pilot.pause()


async def test_the_paste_says_at_once_what_it_wants(tmp_path: Path) -> None:
    app = WorkbenchApp(hostile_session("x"))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(PasteScreen(tmp_path, "words", lambda name: None))
        text = await settled(pilot, "paste a turn first")
        assert "the template that results" in text


async def test_toasts_of_writing_obey_nothing() -> None:
    app = WorkbenchApp(hostile_session("x"))
    async with app.run_test(size=(140, 40), notifications=True) as pilot:
        main = app.screen
        assert isinstance(main, MainScreen)
        for text in LISTED:
            Desk(main).tell_problem(Problem(text, Mark(text, 3), hint=text))
            await pilot.pause()
            assert parts(text)[:10] in assert_clean(app), text
            app.clear_notifications()


async def test_a_long_turn_is_marked_in_time(tmp_path: Path) -> None:
    app = WorkbenchApp(hostile_session("x"))
    async with app.run_test(size=(120, 40)) as pilot:
        screen = PasteScreen(tmp_path, "typed words", lambda name: None)
        await app.push_screen(screen)
        await pilot.pause()
        long = "line of a log \x1b[31m\n" * 4_000
        async with asyncio.timeout(30):
            screen.query_one("#wrapped", TextField).load_raw(f"{long}typed words\n{long}")
            await settled(pilot, "give it a name")
        app.pop_screen()


# Pictures

pictures = pytest.mark.skipif(textual.__version__ != "8.2.8", reason="pictures of Textual 8.2.8")
REPORT = "TEXTUAL_SNAPSHOT_TEMPDIR"
REPORT_FOLDER = os.environ.get(REPORT)
Compare = Callable[..., bool]

SIZES = [(60, 20), (80, 24), (120, 36), (160, 45)]


@pytest.fixture
def root(hermetic: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace, and the snapshot plug-in's folder where it looks for it."""
    if REPORT_FOLDER is not None:
        monkeypatch.setenv(REPORT, REPORT_FOLDER)
    folder = tmp_path / "gateway"  # its name stands in the pictures
    folder.mkdir()
    monkeypatch.chdir(folder)
    return written(folder)


def editor(root: Path) -> Screen[Any]:
    session = session_in(root)
    draft = draft_of_file(root / "scenarios" / "day.yaml", root, 8, 11)
    return EditorScreen(draft, session.draft, lambda draft: None)


def broken(root: Path) -> Screen[Any]:
    text = FILES["scenarios/day.yaml"].replace("envelopes:", "envelops:") + "# odd \u200b here\n"
    draft = new_draft(root / "scenarios" / "night.yaml", root, text, 5, 1)
    return EditorScreen(draft, session_in(root).draft, lambda draft: None)


def paste(root: Path) -> Screen[Any]:
    return PasteScreen(root, "what's on my calendar today", lambda name: None)


def menu(root: Path) -> Screen[Any]:
    entries = [Entry("1", (ink("hold"), ink("  as bare")), 1), Entry("2", (ink("pass  as chat"),), 2)]
    return MenuScreen[int]((ink("the arms differ: which answer is right?"),), entries)


def ask(root: Path) -> Screen[Any]:
    reason = Field((ink("the reason"),), why_not=lambda raw: None if raw else "say why")
    fields = [reason, Field((ink("until"),))]
    return AskScreen((ink("accept a finding"),), fields, (ink("drift · today · chat · first"),))


SCREENS = {
    "editor": (editor, "<msg from"),
    "errors": (broken, "did you mean"),
    "paste": (paste, "{text}"),
    "menu": (menu, "choose"),
    "ask": (ask, "say why"),
}


def over(name: str, root: Path) -> Callable[[Pilot[Any]], Any]:
    make, words = SCREENS[name]

    async def act(pilot: Pilot[Any]) -> None:
        await settled(pilot, "quit")
        screen = make(root)
        await pilot.app.push_screen(screen)
        if name == "paste":
            field = screen.query_one("#wrapped", TextField)
            field.load_raw("> [quoted] earlier\n\nwhat's on my calendar today\n-- \nsent by {app}\n")
            screen.query_one("#name", LineField).load_raw("mail")
            await settled(pilot, "{text}")
        elif words in ("<msg from", "{text}"):
            await settled(pilot, "as it will be sent: today")
        else:
            await settled(pilot, words)
        for area in screen.query(SafeArea):
            area.cursor_blink = False
        await pilot.pause()

    return act


def opened(root: Path, theme: str | None) -> App[Any]:
    return WorkbenchApp(session_in(root), theme)


@pictures
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", SCREENS)
def test_a_dialog(snap_compare: Compare, root: Path, name: str, size: tuple[int, int]) -> None:
    assert snap_compare(opened(root, DARK.name), terminal_size=size, run_before=over(name, root))


@pictures
@pytest.mark.parametrize("name", SCREENS)
def test_a_dialog_in_the_light(snap_compare: Compare, root: Path, name: str) -> None:
    assert snap_compare(opened(root, LIGHT.name), terminal_size=(120, 36), run_before=over(name, root))


@pictures
@pytest.mark.parametrize("name", ["errors", "paste", "ask"])
def test_a_dialog_without_colour(
    snap_compare: Compare, root: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(opened(root, None), terminal_size=(80, 24), run_before=over(name, root))
