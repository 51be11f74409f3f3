"""A log that is followed on the screen: what is kept of it, how it is drawn, and a file that grows."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event
from time import monotonic, sleep
from typing import Any

import pytest
import textual
from test_tui_hostile import HOSTILE
from test_tui_snapshots import Compare
from test_tui_snapshots import report as report
from textual.pilot import Pilot
from tui_made import workspace

from workbench.capture.audit.judging import Judge
from workbench.capture.audit.known import KnownEnvelopes
from workbench.capture.audit.result import Kind
from workbench.capture.audit.watching import Seen, Watch
from workbench.cli.opening import sketch_of
from workbench.core.errors import Problem, WorkbenchError
from workbench.core.text import SafeText, is_invisible
from workbench.tui import following_log
from workbench.tui.app import WorkbenchApp
from workbench.tui.commands import command_of
from workbench.tui.following_log import MOST, Follow, FollowedLog, LogReader
from workbench.tui.screens.dialog import AskScreen
from workbench.tui.screens.following import FollowScreen
from workbench.tui.screens.main import MainScreen
from workbench.tui.session import Session
from workbench.tui.state import SessionState
from workbench.tui.view.following import following_rows, following_state
from workbench.tui.view.ink import plain
from workbench.tui.view.page import Page
from workbench.tui.view.paper import Document
from workbench.tui.widgets.rows_view import RowsView

News = Iterator[Seen | str | None]


def seen(**more: Any) -> Seen:
    facts: dict[str, Any] = {
        "place": "routes.jsonl:3",
        "id": "turn-3",
        "ingress": "channel",
        "envelope": "chat",
        "typed_size": 12,
        "routed_size": 1_234,
        "tools": ("mail", "post"),
        "outcome": "fire",
        "head": "<system-reminder> be brief",
        "wrong": (),
        "alarms": (),
        **more,
    }
    return Seen(**facts)


def watching(**counts: int) -> Watch:
    watch = Watch(Judge(KnownEnvelopes()))
    for name, count in counts.items():
        setattr(watch, name, count)
    return watch


def log_of(*lines: Seen | str) -> FollowedLog:
    log = FollowedLog(Path("routes.jsonl"))
    for line in lines:
        log.take(line)
    return log


def texts(log: FollowedLog, width: int = 100) -> list[str]:
    page = Page(Document((None, SafeText("")), following_rows(log)), width, split=False)
    return [str(plain(page.line(y))).rstrip() for y in range(page.height)]


def status(log: FollowedLog) -> str:
    return "\n".join(plain(line).strip() for line in following_state(log))


# The view


def test_a_turn_is_one_line_with_ingress_sizes_tools_and_head() -> None:
    (line,) = texts(log_of(seen()))
    assert line.split() == ["channel", "12", "1,234", "mail,", "post", "<system-reminder>", "be", "brief"]
    assert not line.strip().startswith("!")


def test_what_was_not_logged_is_told_apart_from_nothing() -> None:
    (unknown,) = texts(log_of(seen(tools=None, routed_size=None, head=None)))
    assert "not logged" in unknown
    assert "?" in unknown
    (none,) = texts(log_of(seen(tools=(), routed_size=0, head="")))
    assert "no tool" in none
    assert "not logged" not in none
    assert "?" not in none


def test_an_alarm_has_a_sign_and_words_and_the_next_is_no_alarm() -> None:
    both = (Kind.OUTGROWN, Kind.UNKNOWN)
    log = log_of(seen(wrong=both, alarms=both[1:]), seen(wrong=both))
    turn, alarm, rest, later, marked = texts(log, width=76)
    assert turn.strip().startswith("!")
    assert alarm.strip() == "ALARM fits no known envelope, for the first time"
    assert rest.strip() == "routed outgrows typed"
    assert later.strip().startswith("!")
    assert marked.strip() == "routed outgrows typed, fits no known envelope"


def test_what_could_not_be_read_has_a_line() -> None:
    (line,) = texts(log_of("routes.jsonl:7: torn"))
    assert line.strip() == "? not read: routes.jsonl:7: torn"


@pytest.mark.parametrize("text", [text for text in HOSTILE if text])
def test_foreign_text_is_made_visible(text: str) -> None:
    log = log_of(seen(ingress=text, tools=(text,), head=text, wrong=(Kind.UNKNOWN,)), text)
    log.problem = Problem(text, hint=text)
    for line in (*texts(log), *status(log).split("\n")):
        assert not any(is_invisible(char) for char in line)


def test_the_state_says_what_was_counted() -> None:
    log = log_of()
    assert "reading what is there already" in status(log)
    log.watch, log.began = watching(turns=1, earlier=1_200), True
    assert status(log) == "1 new turn · nothing wrong · 1,200 there before"
    log.watch.wrong[Kind.OUTGROWN] = 2
    log.watch.turns, log.watch.skipped = 3, 1
    assert status(log) == "3 new turns · 2 routed outgrows typed · 1 not read · 1,200 there before"
    log.problem = Problem("it broke", hint="mend it")
    assert status(log).startswith("✗ not followed: it broke (mend it)\n3 new turns")


# The state


def test_only_the_newest_are_kept_and_that_is_said() -> None:
    log = log_of(*(seen(head=f"turn {number}") for number in range(MOST + 5)))
    lines = texts(log)
    assert lines[0].strip() == "5 earlier lines are no longer kept"
    assert lines[1].endswith("turn 5")
    assert lines[-1].endswith(f"turn {MOST + 4}")


def drained(reader: LogReader, holds: Callable[[], bool]) -> None:
    end = monotonic() + 5
    while not holds():
        reader.drain()
        assert monotonic() < end
        sleep(0.005)


def test_the_reader_hands_on_what_came_in_its_order() -> None:
    log = FollowedLog(Path("x"))
    watch = watching()
    reader = LogReader(log, lambda path: (watch, iter((None, seen(id="a"), "torn", seen(id="b")))))
    reader.start()
    drained(reader, lambda: log.problem is not None)
    assert log.watch is watch
    assert log.began
    assert [line if isinstance(line, str) else line.id for line in log.lines] == ["a", "torn", "b"]
    assert log.problem is not None
    assert log.problem.message == "the log has come to an end"
    assert not reader.drain()


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (WorkbenchError("it is packed"), "it is packed"),
        (PermissionError(13, "Permission denied"), "it cannot be read: Permission denied"),
        (ZeroDivisionError("oh"), "ZeroDivisionError: oh"),
    ],
)
@pytest.mark.parametrize("late", [False, True])
def test_what_goes_wrong_becomes_a_problem(error: Exception, words: str, late: bool) -> None:
    def news() -> News:
        yield None
        raise error

    def follow(path: Path) -> tuple[Watch, News]:
        if late:
            return watching(), news()
        raise error

    log = FollowedLog(Path("x"))
    reader = LogReader(log, follow)
    reader.start()
    drained(reader, lambda: log.problem is not None)
    assert log.problem is not None
    assert log.problem.message == words


def test_a_reader_that_is_stopped_ends_though_nobody_takes_what_it_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(following_log, "PAUSE", 0.01)
    full = Event()

    def news() -> News:
        for number in range(MOST * 3):
            if number == MOST - 1:
                full.set()
            yield seen()

    reader = LogReader(FollowedLog(Path("x")), lambda path: (watching(), news()))
    reader.start()
    assert full.wait(5)
    assert reader.busy
    reader.stop()
    end = monotonic() + 5
    while reader.busy:
        assert monotonic() < end
        sleep(0.005)


# The screen


def session_with(follow: Follow | None, log: Path | None = None) -> Session[Any]:
    made = workspace()
    return replace(made.session(made.run("envelope-replay")), follow=follow, here=log and log.parent)


def of_the_program(path: Path) -> Follow:
    """What the screen is handed in a folder without a workspace."""
    follow = sketch_of(path).follow
    assert follow is not None
    return follow


def record(text: str, routed: str, tools: tuple[str, ...] = ()) -> str:
    return json.dumps({"user_text": text, "router_input": routed, "tools": list(tools)}) + "\n"


async def until(pilot: Pilot[int], holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not holds():
            await pilot.pause(0.02)


async def opened(pilot: Pilot[int], app: WorkbenchApp) -> MainScreen:
    main = app.screen_stack[0]
    assert isinstance(main, MainScreen)
    await until(pilot, lambda: not main.runner.busy)
    return main


async def asked(pilot: Pilot[int], app: WorkbenchApp, path: Path) -> FollowScreen:
    await opened(pilot, app)
    await pilot.press("L")
    await until(pilot, lambda: isinstance(app.screen, AskScreen))
    await pilot.press(*str(path), "enter")
    await until(pilot, lambda: isinstance(app.screen, FollowScreen))
    screen = app.screen
    assert isinstance(screen, FollowScreen)
    return screen


async def test_a_file_that_grows_is_followed_until_it_is_closed(tmp_path: Path) -> None:
    log = tmp_path / "r.jsonl"
    log.write_text(record("hello there", "hello there") * 2)
    app = WorkbenchApp(session_with(of_the_program(tmp_path), log))
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await asked(pilot, app, log)
        state = screen.log_state
        await until(pilot, lambda: state.began)
        assert not state.lines, "what was there before is counted, not shown"
        with log.open("a") as file:
            file.write(record("what is this", "what is this"))
            file.write(record("what is this", "<strange>" + "more and more words " * 40, ("mail",)))
        await until(pilot, lambda: len(state.lines) == 2)
        lines = texts(state)
        assert not lines[0].strip().startswith("!")
        assert lines[1].strip().startswith("!")
        assert "mail" in lines[1]
        assert "ALARM routed outgrows typed, for the first time" in lines[2]
        assert "2 new turns · 1 routed outgrows typed" in status(state)
        assert "2 there before" in status(state)
        view = screen.query_one(RowsView)
        with log.open("a") as file:
            file.write(record("what is this", "what is this") * 60)
        await until(pilot, lambda: len(state.lines) == 62)
        await until(pilot, lambda: view.scroll_offset.y == view.max_scroll_y > 0)
        await pilot.press("home")
        await until(pilot, lambda: view.scroll_offset.y == 0)
        with log.open("a") as file:
            file.write(record("one more", "one more"))
        await until(pilot, lambda: len(state.lines) == 63)
        await pilot.pause(0.05)
        assert view.scroll_offset.y == 0, "who has scrolled up is left there"
        await pilot.press("q")
        await until(pilot, lambda: not isinstance(app.screen, FollowScreen))
        await until(pilot, lambda: not screen.reader.busy)
        assert isinstance(app.screen, MainScreen)
        await pilot.press("L")
        await until(pilot, lambda: isinstance(app.screen, AskScreen))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, FollowScreen))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, MainScreen))


async def test_a_path_that_will_not_do_is_said_in_the_dialog(tmp_path: Path) -> None:
    app = WorkbenchApp(session_with(of_the_program(tmp_path)))
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot, app)
        await pilot.press("L")
        await until(pilot, lambda: isinstance(app.screen, AskScreen))
        await pilot.press(*str(tmp_path / "nowhere"), "enter")
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, AskScreen)
        assert screen._reasons() == ["there is no such file"]
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, MainScreen))


async def test_a_file_that_cannot_be_followed_says_so_in_place(tmp_path: Path) -> None:
    packed = tmp_path / "p.gz"
    import gzip

    packed.write_bytes(gzip.compress(record("a", "a").encode()))
    app = WorkbenchApp(session_with(of_the_program(tmp_path)))
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await asked(pilot, app, packed)
        await until(pilot, lambda: screen.log_state.problem is not None)
        assert "✗ not followed: a packed file does not grow (unpack it first)" in status(screen.log_state)
        await pilot.press("L")
        await until(pilot, lambda: isinstance(app.screen, MainScreen))


def test_a_file_that_is_not_there_is_no_log(tmp_path: Path) -> None:
    with pytest.raises(WorkbenchError, match="there is no such file"):
        of_the_program(tmp_path)(tmp_path / "gone")


def test_without_logs_the_command_says_so() -> None:
    why_not = command_of("follow-log").why_not
    assert why_not(SessionState(session_with(None))) == "logs cannot be followed here"
    assert why_not(SessionState(session_with(lambda path: (watching(), iter(()))))) is None


@pytest.mark.skipif(textual.__version__ != "8.2.8", reason="pictures of Textual 8.2.8")
@pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_picture(snap_compare: Compare, size: tuple[int, int]) -> None:
    shown = Event()

    def news() -> News:
        yield seen(routed_size=12, tools=(), head="what is this")
        wrong = (Kind.OUTGROWN, Kind.UNKNOWN)
        yield seen(ingress=None, envelope=None, wrong=wrong, alarms=wrong)
        yield "routes.jsonl:4: torn"
        yield seen(ingress="cron", tools=None, head=None, wrong=(Kind.OUTGROWN,))
        yield None
        shown.set()
        while True:
            yield None

    watch = watching(turns=3, skipped=1, earlier=41)
    watch.wrong.update({Kind.OUTGROWN: 2, Kind.UNKNOWN: 1})
    app = WorkbenchApp(session_with(lambda path: (watch, news())))

    async def follow(pilot: Pilot[int]) -> None:
        await opened(pilot, app)
        screen = FollowScreen(Path("logs/routes.jsonl"), lambda path: (watch, news()))
        await app.push_screen(screen)
        await until(pilot, lambda: shown.is_set() and screen.log_state.began)
        await pilot.pause(0.1)

    assert snap_compare(app, terminal_size=size, run_before=follow)
