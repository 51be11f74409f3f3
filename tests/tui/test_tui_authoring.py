"""Writing on the screen, with real files: what is written, what is kept, what is asked, what is said."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from test_tui_screen import Driver, driving
from textual import events
from tui_made import workspace
from tui_written import FILES, session_in, written

from workbench.core.cell import BARE, CellKey
from workbench.files.envelope import load_envelope
from workbench.files.scenario import load_scenario
from workbench.tui.commands import COMMANDS, command_of
from workbench.tui.commands.authoring import COMMANDS as WRITING
from workbench.tui.commands.authoring import PACKAGED
from workbench.tui.screens.dialog import AskScreen, MenuScreen
from workbench.tui.screens.editor import EditorScreen
from workbench.tui.screens.paste import PasteScreen
from workbench.tui.state import SessionState
from workbench.tui.widgets.field import LineField, Pick, TextField, YamlField

DAY = FILES["scenarios/day.yaml"]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return written(tmp_path)


def day(root: Path) -> Path:
    return root / "scenarios" / "day.yaml"


@asynccontextmanager
async def writing(
    root: Path, key: CellKey | None = None, run: bool = True, size: tuple[int, int] = (120, 40)
) -> AsyncIterator[Driver]:
    """The screen on the workspace, after a run of its scenario, on a cell."""
    async with driving(session_in(root), size) as driver:
        if run:
            driver.state.place.select_row(0)
            await driver.press("run-shown")
            await driver.settle(lambda: not driver.state.progress.busy)
            await driver.settle()
        if key is not None:
            driver.state.place.go_to(key)
            driver.main.redraw()
        yield driver


async def shows(driver: Driver, kind: type[Any]) -> Any:
    await driver.settle(lambda: isinstance(driver.app.screen, kind))
    return driver.app.screen


async def told(driver: Driver, words: str) -> str:
    """The toast with these words, once it is there."""
    heard: list[str] = []

    def hear() -> bool:
        heard.extend(toast for toast in driver.toasts() if words in toast)
        return bool(heard)

    await driver.settle(hear)
    return heard[0]


def cell(arm: str = BARE, adapter: str = "whole", prompt: str = "today") -> CellKey:
    return CellKey("day", prompt, arm, adapter)


def kinds(driver: Driver, key: CellKey) -> list[str]:
    return [finding.kind.value for finding in driver.state.verdicts.of_cell(key)]


# Freezing


async def test_what_was_observed_is_frozen_and_only_that_is_written(root: Path) -> None:
    async with writing(root, cell("chat")) as driver:
        assert "expectation" in kinds(driver, cell("chat"))
        await driver.press("freeze")
        toast = await told(driver, "expects")
        assert toast == "scenarios/day.yaml: today expects fire calendar::list in place of hold"
        assert driver.state.place.key == cell("chat"), "the place is kept"
        await driver.settle(lambda: "expectation" not in kinds(driver, cell("chat")))
        assert driver.state.board.cells[cell("chat")].trials, "nothing had to be run again"
    assert day(root).read_text() == DAY.replace("expect: hold #", "expect: fire calendar::list #")


async def test_where_arms_differ_the_first_choice_is_bares(root: Path) -> None:
    async with writing(root, cell("chat", "first")) as driver:
        await driver.press("freeze")
        await shows(driver, MenuScreen)
        assert "fire calendar::list  as bare" in driver.text() and "pass  as chat" in driver.text()
        await driver.pilot.press("enter")
        await told(driver, "expects fire calendar::list")
    assert "expect: fire calendar::list # wrong" in day(root).read_text()


async def test_another_choice_and_none(root: Path) -> None:
    async with writing(root, cell("chat", "first")) as driver:
        await driver.press("freeze")
        await shows(driver, MenuScreen)
        await driver.pilot.press("escape")
        await driver.settle()
        assert day(root).read_text() == DAY
        await driver.press("freeze")
        await shows(driver, MenuScreen)
        await driver.pilot.press("down", "enter")
        await told(driver, "expects pass")
    assert "expect: pass # wrong" in day(root).read_text()


async def test_a_prompt_without_an_expectation_gets_one_and_the_same_is_not_written_twice(root: Path) -> None:
    async with writing(root, cell(prompt="2")) as driver:
        await driver.press("freeze")
        await told(driver, "2 expects hold")
        await driver.press("freeze")
        await told(driver, "nothing was written: hold is expected already")
    loaded = load_scenario(day(root), root)
    assert loaded.prompts[1].expect is not None and loaded.prompts[1].expect.spelled == "hold"
    assert "    # no id\n" in day(root).read_text()


async def test_a_file_that_broke_meanwhile_is_left_alone(root: Path) -> None:
    async with writing(root, cell()) as driver:
        day(root).write_text("scenario: [")
        await driver.press("freeze")
        toast = await told(driver, "not done")
        assert "scenarios/day.yaml:1" in toast
    assert day(root).read_text() == "scenario: ["


# Accepting


async def test_a_drift_is_accepted_with_a_reason_and_a_date(root: Path) -> None:
    async with writing(root, cell("chat", "first")) as driver:
        found = driver.state.verdicts.of_cell(cell("chat", "first"))
        assert len(found) > 1
        await driver.press("accept")
        await shows(driver, MenuScreen)
        number = next(n for n, finding in enumerate(found, 1) if finding.kind == "drift")
        await driver.pilot.press(str(number))
        screen = await shows(driver, AskScreen)
        assert "drift · today · chat · first" in driver.text()
        await driver.pilot.press("enter")
        assert "say why it is accepted" in driver.text()
        assert isinstance(driver.app.screen, AskScreen)
        screen.query(LineField).first().insert_raw("known: [b] until # the parser lands")
        await driver.pilot.press("enter")
        screen.query(LineField).last().insert_raw("2099-02-30")
        await driver.pilot.press("enter")
        await driver.settle()
        assert "a date such as" in driver.text()
        screen.query(LineField).last().load_raw("2099-02-28")
        await driver.pilot.press("enter")
        await told(driver, "day.yaml accepts drift: known: [b] until # the parser lands")
        await driver.settle(lambda: "accepted" in kinds(driver, cell("chat", "first")))
    lines = day(root).read_text().split("\n")
    assert [line for line in lines if "accept:" not in line and "{kind" not in line] == DAY.split("\n")
    (entry,) = load_scenario(day(root), root).accept
    assert (entry.kind, entry.prompt, entry.arm, entry.adapter) == ("drift", "today", "chat", "first")
    assert (entry.reason, entry.until) == ("known: [b] until # the parser lands", "2099-02-28")


async def test_leaving_the_dialog_accepts_nothing(root: Path) -> None:
    async with writing(root, cell("chat", "first")) as driver:
        await driver.press("accept")
        await shows(driver, MenuScreen)
        await driver.pilot.press("1")
        await shows(driver, AskScreen)
        await driver.pilot.press("x", "escape")
        await driver.settle()
        assert driver.app.screen is driver.main
    assert day(root).read_text() == DAY


# New things


async def test_a_new_prompt_is_edited_at_its_place_and_written_on_save(root: Path) -> None:
    async with writing(root, cell(), run=False) as driver:
        await driver.press("new")
        await shows(driver, MenuScreen)
        await driver.pilot.press("p")
        screen = await shows(driver, EditorScreen)
        field = screen.query_one(YamlField)
        row, column = field.cursor_location
        assert field.raw_line(row)[column:].startswith("what's on")
        assert day(root).read_text() == DAY
        await driver.pilot.press("h", "m", ",", "space")
        await driver.pilot.press("ctrl+s")
        await told(driver, "day.yaml written. day: 1 prompt new")
        await driver.pilot.press("escape")
        await driver.settle(lambda: driver.app.screen is driver.main)
        assert driver.state.place.prompt == "today"
    loaded = load_scenario(day(root), root)
    assert [(p.id, p.text) for p in loaded.prompts[:2]] == [
        ("today", "what's on my calendar today"),
        ("today-2", "hm, what's on my calendar today"),
    ]
    assert all(line in day(root).read_text() for line in DAY.split("\n"))


async def test_a_new_prompt_that_nobody_touched_goes_without_a_question(root: Path) -> None:
    async with writing(root, cell(), run=False) as driver:
        await driver.press("new")
        await shows(driver, MenuScreen)
        await driver.pilot.press("p")
        await shows(driver, EditorScreen)
        await driver.pilot.press("escape")
        await told(driver, "nothing was written")
        assert driver.app.screen is driver.main
    assert day(root).read_text() == DAY


async def test_a_new_scenario_and_a_new_envelope(root: Path) -> None:
    async with writing(root, cell("chat"), run=False) as driver:
        for key, name, file in (
            ("s", "night", "scenarios/night.yaml"),
            ("e", "chat-2", "envelopes/chat-2.yaml"),
        ):
            await driver.press("new")
            await shows(driver, MenuScreen)
            await driver.pilot.press(key)
            screen = await shows(driver, AskScreen)
            screen.query_one(LineField).load_raw("Not [a] name")
            await driver.pilot.press("enter")
            assert "lower-case letters" in driver.text()
            screen.query_one(LineField).load_raw(name)
            await driver.settle()
            await driver.pilot.press("enter")
            await shows(driver, EditorScreen)
            assert "not written yet" in driver.text() and not (root / file).exists()
            await driver.pilot.press("ctrl+s")
            await told(driver, f"{file} written")
            await driver.pilot.press("escape")
            await driver.settle(lambda: driver.app.screen is driver.main)
        assert "night" in driver.state.scenarios
    assert load_envelope(root / "envelopes" / "chat-2.yaml").source.origin == "after chat"


async def test_a_name_that_is_taken_is_not_taken_again(root: Path) -> None:
    async with writing(root, cell("chat"), run=False) as driver:
        await driver.press("new")
        await shows(driver, MenuScreen)
        await driver.pilot.press("e")
        screen = await shows(driver, AskScreen)
        screen.query_one(LineField).load_raw("chat")
        await driver.settle()
        await driver.pilot.press("enter")
        await driver.settle()
        assert "there is a envelope file of that name" in driver.text() or "already" in driver.text()
        assert isinstance(driver.app.screen, AskScreen)


# Pasting a turn


async def test_a_pasted_turn_becomes_an_envelope(root: Path) -> None:
    wrapped = "[log] <b>\n\twhat's on my calendar today\n</b> {name}\u200b"
    async with writing(root, cell(), run=False) as driver:
        await driver.press("paste-envelope")
        screen = await shows(driver, PasteScreen)
        await driver.settle()
        driver.app.post_message(events.Paste(wrapped.replace("\n", "\r")))
        await driver.settle(lambda: screen.query_one("#typed", TextField).raw != "")
        assert screen.query_one("#typed", TextField).raw == "what's on my calendar today"
        await driver.settle(lambda: "{text}" in driver.text())
        await driver.pilot.press("ctrl+s")
        await told(driver, "give it a name")
        assert driver.app.focused is screen.query_one("#name")
        screen.query_one("#name", LineField).load_raw("logged")
        screen.query_one(Pick).action_turn(2)
        await driver.settle()
        await driver.pilot.press("ctrl+s")
        await told(driver, "envelopes/logged.yaml written; name it in `envelopes`")
        assert driver.app.screen is driver.main
    envelope = load_envelope(root / "envelopes" / "logged.yaml")
    assert envelope.ingress == "mention" and envelope.template.startswith("[log] <b>\n\t{text}")
    assert {slot.example for slot in envelope.slots.values()} == {"{name}"}


async def test_words_that_stand_nowhere_are_asked_for_and_a_paste_is_not_lost(root: Path) -> None:
    async with writing(root, cell(), run=False) as driver:
        await driver.press("paste-envelope")
        screen = await shows(driver, PasteScreen)
        screen.query_one("#wrapped", TextField).load_raw("> other words\n")
        await driver.settle(lambda: "which words of it were typed" in driver.text())
        screen.query_one("#typed", TextField).load_raw("nowhere")
        await driver.settle(lambda: "stand nowhere" in driver.text())
        screen.query_one("#typed", TextField).load_raw("other words")
        await driver.settle(lambda: "{text}" in driver.text())
        await driver.pilot.press("escape")
        await shows(driver, MenuScreen)
        await driver.pilot.press("escape")
        await driver.settle()
        assert driver.app.screen is screen
        await driver.pilot.press("escape")
        await shows(driver, MenuScreen)
        await driver.pilot.press("d")
        await driver.settle(lambda: driver.app.screen is driver.main)
    assert [path.name for path in (root / "envelopes").iterdir()] == ["chat.yaml"]


# Editing


async def editing(driver: Driver) -> tuple[EditorScreen, YamlField]:
    await driver.press("edit")
    screen = await shows(driver, EditorScreen)
    await driver.settle()
    return screen, screen.query_one(YamlField)


async def test_errors_show_at_their_line_and_arms_as_they_will_be_sent(root: Path) -> None:
    async with writing(root, cell(), run=False) as driver:
        _, field = await editing(driver)
        await driver.settle(lambda: '<msg from="u1">' in driver.text())
        assert field.cursor_location[0] == 7
        field.put_raw(DAY.replace("my calendar today", "my [b] calendar now"))
        await driver.settle(lambda: "my [b] calendar now" in driver.text().split("as it will be sent")[1])
        field.put_raw(DAY.replace("envelopes:", "envelops:"))
        await driver.settle(lambda: "did you mean" in driver.text())
        assert "1 error" in driver.text() and '5:1 unknown key "envelops"' in driver.text()
        assert "as it was before the errors" in driver.text()
        await driver.pilot.press("f8")
        assert field.cursor_location == (4, 0)
        field.put_raw(DAY)
        await driver.settle(lambda: "did you mean" not in driver.text())
        await driver.pilot.press("f8")
        await told(driver, "nothing is wrong here")
        await driver.pilot.press("escape")
        await driver.settle(lambda: driver.app.screen is driver.main)


async def test_the_preview_follows_the_cursor(root: Path) -> None:
    async with writing(root, cell(), run=False) as driver:
        _, field = await editing(driver)
        await driver.settle(lambda: "as it will be sent: today" in driver.text())
        field.move_cursor((12, 0))
        await driver.settle(lambda: "as it will be sent: every morning" in driver.text())


async def test_esc_asks_only_where_something_would_be_lost(root: Path) -> None:
    async with writing(root, cell(), run=False) as driver:
        screen, field = await editing(driver)
        await driver.pilot.press("x", "escape")
        await shows(driver, MenuScreen)
        assert "day.yaml is not saved" in driver.text()
        await driver.pilot.press("e")
        await driver.settle(lambda: driver.app.screen is screen)
        await driver.pilot.press("ctrl+q")
        await shows(driver, MenuScreen)
        await driver.pilot.press("d")
        await driver.settle(lambda: driver.app.screen is driver.main)
        assert day(root).read_text() == DAY
        screen, field = await editing(driver)
        field.put_raw("# more\n" + DAY)
        await driver.pilot.press("escape")
        await shows(driver, MenuScreen)
        await driver.pilot.press("s")
        await driver.settle(lambda: driver.app.screen is driver.main)
    assert day(root).read_text() == "# more\n" + DAY


async def test_a_text_that_does_not_load_is_written_and_said_to_be_wrong(root: Path) -> None:
    async with writing(root, cell(), run=False) as driver:
        _, field = await editing(driver)
        field.put_raw(DAY.replace("prompts:", "promts:"))
        await driver.pilot.press("ctrl+s")
        toast = await told(driver, "written, but it does not load")
        assert "scenarios/day.yaml:6:1" in toast
        assert driver.state.scenarios == {}
        field.put_raw(DAY)
        await driver.pilot.press("ctrl+s")
        await told(driver, "day is new")
        await driver.pilot.press("escape")
        await driver.settle(lambda: driver.app.screen is driver.main)
        assert driver.state.place.prompt == "today"
    assert day(root).read_text() == DAY


@pytest.mark.parametrize(
    ("key", "disk", "beside", "in_editor"),
    [
        ("r", "theirs\n", None, "theirs\n"),
        ("b", "theirs\n", "mine\n", "mine\n"),
        ("o", "mine\n", None, "mine\n"),
        ("escape", "theirs\n", None, "mine\n"),
    ],
)
async def test_a_file_changed_on_disk_is_never_written_over_without_a_word(
    root: Path, key: str, disk: str, beside: str | None, in_editor: str
) -> None:
    async with writing(root, cell(), run=False) as driver:
        screen, field = await editing(driver)
        field.put_raw("mine\n")
        day(root).write_text("theirs\n")
        await driver.pilot.press("ctrl+s")
        await shows(driver, MenuScreen)
        assert "was changed by someone else" in driver.text()
        assert day(root).read_text() == "theirs\n"
        await driver.pilot.press(key)
        await driver.settle(lambda: driver.app.screen is screen)
        await driver.settle(lambda: day(root).read_text() == disk and field.raw == in_editor)
        other = day(root).with_name("day.yaml.mine")
        if beside is not None:
            await told(driver, "written beside it, to day.yaml.mine")
            assert other.read_text() == beside
        else:
            assert not other.exists()
        if key == "r":
            await driver.pilot.press("ctrl+z")
            assert field.raw == "mine\n"


async def test_a_file_that_is_gone_can_be_written_again(root: Path) -> None:
    async with writing(root, cell(), run=False) as driver:
        _, field = await editing(driver)
        field.put_raw("# mine\n" + DAY)
        day(root).unlink()
        await driver.pilot.press("ctrl+s")
        await shows(driver, MenuScreen)
        assert "is gone from the disk" in driver.text() and "reload" not in driver.text()
        await driver.pilot.press("o")
        await driver.settle(lambda: day(root).exists())
        await driver.settle()
    assert day(root).read_text() == "# mine\n" + DAY


async def test_a_broken_file_opens_at_what_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    root = written(tmp_path, day=DAY.replace("    expect: hold", "    expekt: hold"))
    async with writing(root, run=False) as driver:
        assert driver.state.scenarios == {}
        await driver.press("top")
        _, field = await editing(driver)
        assert field.cursor_location[0] == 9
        await driver.settle(lambda: 'unknown key "expekt"' in driver.text())


async def test_what_is_written_during_a_run_is_read_after_it(root: Path) -> None:
    async with writing(root, cell(), run=False) as driver:
        _, field = await editing(driver)
        driver.state.progress.begin()
        field.put_raw("# more\n" + DAY)
        await driver.pilot.press("ctrl+s")
        await told(driver, "scenarios/day.yaml written; it is read once the run is over")
        assert day(root).read_text() == "# more\n" + DAY


async def test_a_finding_of_the_whole_scenario_is_accepted_on_its_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    root = written(tmp_path, day="scenario: day\nadapters: [whole]\nprompts:\n  - text: nothing\n")
    async with writing(root) as driver:
        await driver.settle(lambda: driver.state.verdicts.of_scenario("day") != ())
        driver.state.place.select_row(0)
        driver.main.redraw()
        await driver.press("accept")
        screen = await shows(driver, AskScreen)
        assert "vacuous · whole" in driver.text()
        screen.query(LineField).first().insert_raw("on purpose")
        await driver.pilot.press("ctrl+s")
        await told(driver, "accepts vacuous: on purpose")
    (entry,) = load_scenario(day(root), root).accept
    assert (entry.kind, entry.prompt, entry.arm, entry.adapter) == ("vacuous", None, None, "whole")


# What cannot be done, and says so


@pytest.mark.parametrize("command", [command.id for command in WRITING])
def test_the_packaged_workspace_is_not_written(command: str) -> None:
    made = workspace()
    session = replace(made.session(made.run("envelope-replay")), packaged=True)
    assert command_of(command).why_not(SessionState(session)) == PACKAGED


@pytest.mark.parametrize("command", [command.id for command in WRITING])
def test_what_comes_from_no_files_is_not_written(command: str) -> None:
    state = SessionState(workspace().session())
    assert command_of(command).why_not(state) == "what is shown here comes from no files"


@pytest.mark.parametrize(
    ("command", "act", "words"),
    [
        ("freeze", lambda driver: driver.state.place.select_row(0), "choose a prompt"),
        ("freeze", lambda driver: None, "r runs this cell"),
        ("accept", lambda driver: None, "no finding here"),
    ],
)
async def test_a_command_that_cannot_be_used_now_says_why(
    root: Path, command: str, act: Callable[[Driver], None], words: str
) -> None:
    async with writing(root, cell(), run=False) as driver:
        act(driver)
        driver.main.redraw()
        await driver.press(command)
        await told(driver, words)


@pytest.mark.parametrize(
    ("editor", "words"),
    [("no-such-editor", "is not installed: no-such-editor"), ("true", "cannot be handed to an editor")],
)
async def test_without_a_terminal_or_an_editor_the_screen_offers_itself(
    root: Path, monkeypatch: pytest.MonkeyPatch, editor: str, words: str
) -> None:
    monkeypatch.setenv("VISUAL", editor)
    async with writing(root, cell(), run=False) as driver:
        await driver.press("edit-outside")
        assert "i edits on this screen" in await told(driver, words)


def test_the_keys_of_writing_are_those_that_people_are_told() -> None:
    keys = {command.id: command.keys for command in COMMANDS if command in WRITING}
    assert keys == {
        "edit-outside": ("e",),
        "edit": ("i",),
        "new": ("o",),
        "paste-envelope": ("v",),
        "freeze": ("f",),
        "accept": ("A",),
    }
