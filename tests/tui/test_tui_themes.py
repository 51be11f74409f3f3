"""Themes: one without any colour, the terminal's own colours, and what is remembered of the choice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from rich.segment import Segment
from rich.style import Style
from test_tui_screen import driving, ran
from textual.color import Color
from tui_made import workspace

from workbench.files.settings import Settings
from workbench.tui.app import WorkbenchApp
from workbench.tui.memory import Memory, keep, recall
from workbench.tui.themes import BLOCK, CYCLE, DARK, FAINT, LIGHT, PLAIN
from workbench.tui.view.layout import Pane
from workbench.tui.widgets.colourless import Colourless
from workbench.tui.wishes import theme_to_keep


def styles(app: WorkbenchApp) -> Iterator[tuple[str, Style]]:
    """Every piece that is drawn, with how."""
    for strip in app.screen._compositor.render_strips():
        for text, style, _ in strip:
            if style is not None and text:
                yield text, style


def colours(app: WorkbenchApp) -> set[str]:
    found = (colour for _, style in styles(app) for colour in (style.color, style.bgcolor))
    return {colour.name for colour in found if colour is not None}


def style_of(app: WorkbenchApp, words: str) -> Style:
    return next(style for text, style in styles(app) if words in text)


def test_the_filter_leaves_attributes_alone() -> None:
    shown = [
        Segment("a", Style(color="red", bgcolor="blue", bold=True, underline=True)),
        Segment("b", Style(bgcolor=Color.parse(BLOCK).rich_color)),
        Segment("c", Style(color=Color.parse(FAINT).rich_color, italic=True)),
        Segment("d", None),
    ]
    made = Colourless().apply(shown, None)  # type: ignore[arg-type]
    assert [segment.text for segment in made] == list("abcd")
    assert [segment.style for segment in made] == [
        Style(bold=True, underline=True),
        Style(reverse=True),
        Style(dim=True, italic=True),
        None,
    ]


async def test_the_theme_without_colours_is_chosen_with_the_key_and_left_again() -> None:
    async with driving(ran(workspace())) as driver:
        app = driver.app
        assert app.theme == DARK.name and not app.no_color and colours(app)
        for _ in range(CYCLE.index(PLAIN.name)):
            await driver.press("theme")
        assert app.theme == PLAIN.name and app.no_color
        assert colours(app) == set()
        await driver.press("theme")
        assert app.theme == DARK.name and not app.no_color and len(colours(app)) > 10


async def test_what_colour_says_is_said_without_it() -> None:
    async with driving(ran(workspace())) as driver:
        app = driver.app
        app.theme = PLAIN.name
        await driver.press("next-difference")
        await driver.pilot.pause()
        assert style_of(app, "FIRE").bold
        assert style_of(app, "user's words").underline
        assert any(style.reverse for text, style in styles(app) if "build" in text)  # the chosen row
        assert style_of(app, " stop").dim  # cannot be used now
        assert "╔" in driver.text()  # the focused pane
        driver.state.place.pane = Pane.MATRIX
        driver.main.redraw()
        await driver.pilot.pause()
        chosen = [style for text, style in styles(app) if text.startswith("build ") or text == "build"]
        assert any(style.underline for style in chosen)
        assert not any(style.reverse for style in chosen)


@pytest.mark.parametrize("name", ["palette", "help", "search", "jump", "filter"])
async def test_no_colour_comes_back_on_a_screen_over_it(name: str) -> None:
    async with driving(ran(workspace())) as driver:
        driver.app.theme = PLAIN.name
        await driver.press(name)
        await driver.pilot.pause(0.2)
        assert driver.app.screen is not driver.main
        assert colours(driver.app) == set()
        driver.main.tell("words")
        await driver.pilot.pause()
        assert colours(driver.app) == set()
        if name in ("palette", "jump", "filter"):  # what would be chosen, or where a letter stands
            assert any(style.reverse for _, style in styles(driver.app))


@pytest.mark.parametrize("theme", ["ansi-dark", "ansi-light"])
async def test_the_terminals_own_colours_are_named_and_never_mixed(theme: str) -> None:
    async with driving(ran(workspace())) as driver:
        driver.app.theme = theme
        await driver.press("next-difference")
        await driver.pilot.pause()
        assert colours(driver.app) and not [name for name in colours(driver.app) if name.startswith("#")]
        edges = [style for text, style in styles(driver.app) if text.startswith("╭")]
        assert edges and not [style for style in edges if style.color and style.color.name == "black"]


async def test_no_colour_at_the_start_is_no_colour_and_is_not_remembered(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "screen.json"
    keep(file, Memory(theme=LIGHT.name))
    session = replace(ran(workspace()), memory=file)
    monkeypatch.setenv("NO_COLOR", "1")
    async with driving(session) as driver:
        assert driver.app.theme == PLAIN.name and colours(driver.app) == set()
        assert theme_to_keep(driver.app) == LIGHT.name
        await driver.press("theme")
        assert theme_to_keep(driver.app) == DARK.name
    # What this user's own settings say goes before it, and is grey.
    async with driving(replace(session, settings=Settings(theme="nord"))) as driver:
        assert driver.app.theme == "nord" and driver.app.no_color
    monkeypatch.delenv("NO_COLOR")
    async with driving(session) as driver:
        assert driver.app.theme == LIGHT.name
        driver.app.theme = PLAIN.name
        assert theme_to_keep(driver.app) == PLAIN.name
    assert recall(file).theme == LIGHT.name
