"""Fields that are typed into: they hold anything, draw it as marks, and give it back as it was."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_tui_hostile import HOSTILE, assert_clean
from textual import events
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from workbench.core.envelope import Ingress
from workbench.tui.themes import ink_variables
from workbench.tui.view.ink import Tone, ink
from workbench.tui.view.yaml import yaml_tones
from workbench.tui.widgets.area import SafeArea
from workbench.tui.widgets.field import LineField, Pick, TextField, YamlField


class Form(App[None]):
    """One field of each kind."""

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return ink_variables(dark=True, ansi=False)

    def __init__(self) -> None:
        super().__init__()
        self.submitted = 0

    def compose(self) -> ComposeResult:
        yield YamlField("a: 1\n", id="yaml")
        yield TextField(id="text")
        yield LineField(id="line")
        yield Pick([ingress.value for ingress in Ingress], (ink("pick"),))

    def on_line_field_submitted(self) -> None:
        self.submitted += 1


@asynccontextmanager
async def form() -> AsyncIterator[tuple[Form, Pilot[None]]]:
    app = Form()
    async with app.run_test(size=(100, 40)) as pilot:
        yield app, pilot


async def test_all_that_is_hostile_is_drawn_as_marks_and_given_back() -> None:
    async with form() as (app, pilot):
        field = app.query_one("#text", TextField)
        for text in (*HOSTILE, "\x85\u2028\x0b\x0c", "\U000f0000\U0010ffff\ue000", "a\rb"):
            field.load_raw(text)
            await pilot.pause()
            assert_clean(app)
            assert field.raw == text
            assert field.document.line_count == text.count("\n") + 1, repr(text)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(max_size=12), min_size=1, max_size=6))
def test_whatever_is_put_in_comes_out(pieces: list[str]) -> None:
    async def put() -> None:
        area = SafeArea(pieces[0])
        whole = pieces[0]
        for piece in pieces[1:]:
            area.move_cursor(area.document.end)
            area.insert(area._stand_ins.put(piece))
            whole += piece
        assert area.raw == whole
        assert [area.raw_line(n) for n in range(area.document.line_count)] == whole.split("\n")

    asyncio.run(put())


async def test_a_paste_keeps_its_lines_and_undo_and_copy_its_characters() -> None:
    async with form() as (app, pilot):
        field = app.query_one("#text", TextField)
        field.focus()
        await pilot.pause()
        app.post_message(events.Paste("one\r\ntwo\rthree \x1b[31m\u200b [b]"))
        await pilot.pause()
        raw = "one\ntwo\nthree \x1b[31m\u200b [b]"
        assert field.raw == raw
        field.select_all()
        await pilot.press("ctrl+c")
        assert app.clipboard == raw
        await pilot.press("ctrl+x")
        assert (field.raw, app.clipboard) == ("", raw)
        await pilot.press("ctrl+z")
        assert field.raw == raw
        field.select_all()
        await pilot.press("ctrl+v")
        assert field.raw == raw
        assert_clean(app)


async def test_a_line_has_no_line_ends_and_hands_in_on_enter() -> None:
    async with form() as (app, pilot):
        field = app.query_one("#line", LineField)
        field.focus()
        await pilot.pause()
        app.post_message(events.Paste("one\r\n  two  \n\nthree"))
        await pilot.press("[", "enter")
        assert field.raw == "one two  three["
        assert app.submitted == 1


async def test_a_new_line_of_yaml_begins_where_the_one_before_did() -> None:
    async with form() as (app, pilot):
        field = app.query_one("#yaml", YamlField)
        field.load_raw("prompts:\n  - text: a\n    expect: hold")
        field.focus()
        field.move_cursor(field.document.end)
        await pilot.press("enter", "x")
        assert field.raw.endswith("hold\n    x")
        await pilot.press("shift+tab")
        assert field.raw.endswith("hold\n  x")
        await pilot.press("tab")
        assert "\t" not in field.raw


async def test_a_character_that_cannot_be_seen_is_told_at_the_cursor() -> None:
    async with form() as (app, _):
        field = app.query_one("#yaml", YamlField)
        field.load_raw("a\u200bb")
        field.move_cursor((0, 1))
        assert field.is_marked_at_cursor and field.raw_at_cursor == "\u200b"
        field.move_cursor((0, 3))
        assert not field.is_marked_at_cursor and field.raw_at_cursor == ""


async def test_a_choice_goes_round() -> None:
    async with form() as (app, pilot):
        pick = app.query_one(Pick)
        pick.focus()
        await pilot.press("left")
        assert pick.value == "voice"
        await pilot.press("right", "space")
        assert pick.value == "reply"


YAML = """\
# a comment
scenario: day  # what
prompts:
  - id: build
    text: |-
      hello: no key
        - nor | this
    expect: hold
  - {text: "a # b", expect: fire x}
  - text: it's # told
"""


def tones(text: str, number: int) -> dict[str, Tone]:
    lines = text.split("\n")
    return {lines[number][a:b]: tone for a, b, tone in yaml_tones(lines.__getitem__, number)}


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (0, {"# a comment": Tone.MUTED}),
        (1, {"scenario": Tone.KEY, ":": Tone.MUTED, "# what": Tone.MUTED}),
        (4, {"text": Tone.KEY, ":": Tone.MUTED, "|-": Tone.MUTED}),
        (5, {"      hello: no key": Tone.OK}),
        (6, {"        - nor | this": Tone.OK}),
        (7, {"expect": Tone.KEY, ":": Tone.MUTED, "hold": Tone.HOLD}),
        (9, {"-": Tone.MUTED, "text": Tone.KEY, ":": Tone.MUTED, "# told": Tone.MUTED}),
    ],
)
def test_yaml_has_its_colours(number: int, told: dict[str, Tone]) -> None:
    assert tones(YAML, number) == told


def test_a_flow_mapping_has_them_too() -> None:
    told = tones(YAML, 8)
    assert told['"a # b"'] is Tone.OK and told["expect"] is Tone.KEY and told["fire"] is Tone.FIRE


@given(st.lists(st.text(alphabet="ab:#-|>\"'{}[], \\&*!?", max_size=30), min_size=1, max_size=8))
def test_colours_stay_inside_the_line_whatever_stands_there(lines: list[str]) -> None:
    for number, line in enumerate(lines):
        at = 0
        for start, end, _ in yaml_tones(lines.__getitem__, number):
            assert at <= start < end <= len(line)
            at = end


def test_a_long_line_is_coloured_in_no_time() -> None:
    for line in ("a" * 100_000, '"' + "\\" * 100_000, "- " * 50_000, "'" * 100_001, ": " * 50_000):
        assert all(end <= 4_000 for _, end, _ in yaml_tones([line].__getitem__, 0))
