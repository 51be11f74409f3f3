"""Files watched: what is seen, what is told, and what is left alone."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from test_tui_screen import driving, ran
from tui_made import workspace

from workbench.core.text import safe, visible
from workbench.tui.commands import footer_in
from workbench.tui.progress import Phase
from workbench.tui.reloading import Changes
from workbench.tui.session import Target
from workbench.tui.state import SessionState
from workbench.tui.view.ink import plain
from workbench.tui.view.layout import Pane
from workbench.tui.view.status import status_line
from workbench.tui.watch import Watch, changed, offered, stamps, takes_enter
from workbench.tui.watcher import Watcher
from workbench.tui.widgets.bars import StatusBar


class Eye:
    """A watcher on some files of a folder, looked through by hand."""

    def __init__(self, root: Path, *names: str) -> None:
        self.paths = tuple(root / name for name in names)
        self.reloads = 0
        self.drawn = 0
        self.changes: Changes = ()
        self.on_reload: Callable[[], None] = lambda: None
        session = replace(workspace().session(), root=root, watched=lambda: self.paths)
        self.state = SessionState(session)
        self.watcher = Watcher(self.state, self._reload, self._draw)
        self.watcher._seen = self.watcher._look()

    async def _reload(self) -> Changes:
        self.reloads += 1
        self.on_reload()
        return self.changes

    def _draw(self) -> None:
        self.drawn += 1

    def status(self) -> str:
        return plain(status_line(self.state, 120))


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_a_change_of_size_time_or_file_is_seen(tmp_path: Path) -> None:
    path, gone, new = tmp_path / "a.py", tmp_path / "b.py", tmp_path / "c.py"
    write(path, "one")
    write(gone, "two")
    before = stamps((path, gone, new))
    assert changed(before, stamps((path, gone, new))) == ()
    os.utime(path, ns=(1, 1))
    gone.unlink()
    write(new, "three")
    assert set(changed(before, stamps((path, gone, new)))) == {path, gone, new}


def test_a_name_that_no_file_can_have_is_no_trouble() -> None:
    assert stamps((Path("a\0b"), Path("x" * 5_000))) == {Path("a\0b"): None, Path("x" * 5_000): None}


def test_names_are_told_once_and_in_few_words() -> None:
    watch = Watch()
    assert watch.told is None
    watch.note((Path("x/router.py"), Path("y/router.py")))
    assert watch.told == "router.py"
    watch.note((Path("b\x1b[31m.yaml"), Path("c"), Path("d")))
    assert watch.told == visible("router.py, b\x1b[31m.yaml and 2 more")
    watch.taken()
    assert watch.told is None


async def test_a_changed_router_is_offered_as_a_rerun_until_a_run_begins(tmp_path: Path) -> None:
    write(tmp_path / "router.py", "one")
    eye = Eye(tmp_path, "router.py")
    await eye.watcher.look()
    assert (eye.reloads, eye.drawn) == (0, 0)
    write(tmp_path / "router.py", "another")
    await eye.watcher.look()
    assert (eye.reloads, eye.drawn) == (1, 1)
    assert "router.py changed: r or R runs again" in eye.status()
    await eye.watcher.look()
    assert eye.reloads == 1
    eye.state.begin()
    assert "router.py" not in eye.status()


async def test_a_scenario_that_was_read_already_is_not_told_again(tmp_path: Path) -> None:
    write(tmp_path / "scenarios" / "made.yaml", "one")
    eye = Eye(tmp_path, "scenarios/made.yaml")
    known = replace(eye.state.scenarios["paste"], file=str(tmp_path / "scenarios" / "made.yaml"))
    eye.state.scenarios["paste"] = known
    write(tmp_path / "scenarios" / "made.yaml", "two")
    await eye.watcher.look()
    assert eye.reloads == 1 and eye.drawn == 0 and eye.state.watch.told is None
    eye.changes = (safe("paste: 1 prompt changed"),)
    write(tmp_path / "scenarios" / "made.yaml", "three")
    await eye.watcher.look()
    assert eye.state.watch.told == "made.yaml"


async def test_trust_given_elsewhere_is_seen_and_is_no_reason_to_run(tmp_path: Path) -> None:
    eye = Eye(tmp_path, "trust/abc.json")
    eye.state.session = replace(eye.state.session, trusted=False)
    assert eye.state.why_not_run(Target("paste"))

    def trusted() -> None:
        eye.state.session = replace(eye.state.session, trusted=True)

    eye.on_reload = trusted
    write(tmp_path / "trust" / "abc.json", "{}")
    await eye.watcher.look()
    assert eye.drawn == 1 and eye.state.watch.told is None
    assert eye.state.why_not_run(Target("paste")) is None


async def test_files_that_come_later_are_watched_from_then_on(tmp_path: Path) -> None:
    (tmp_path / "envelopes").mkdir()
    eye = Eye(tmp_path, "envelopes")
    write(tmp_path / "envelopes" / "new.yaml", "one")
    eye.paths = (tmp_path / "envelopes", tmp_path / "envelopes" / "new.yaml")
    await eye.watcher.look()
    assert eye.reloads == 1
    write(tmp_path / "envelopes" / "new.yaml", "another")
    await eye.watcher.look()
    assert eye.state.watch.told == "new.yaml"


async def test_a_workspace_file_that_breaks_is_still_watched(tmp_path: Path) -> None:
    write(tmp_path / "workbench.yaml", "adapters: {}")
    eye = Eye(tmp_path, "workbench.yaml")

    def fails() -> tuple[Path, ...]:
        raise ValueError("broken")

    eye.state.session = replace(eye.state.session, watched=fails)
    for text in ("adapters: [", "adapters: {} # again"):
        write(tmp_path / "workbench.yaml", text)
        await eye.watcher.look()
    assert eye.reloads == 2


def offering(root: Path) -> SessionState:
    state = SessionState(replace(workspace().session(), root=root))
    state.watch.note((root / "router.py",))
    return state


def test_enter_takes_up_the_offer_only_where_it_can_be_spared(tmp_path: Path) -> None:
    state = offering(tmp_path)
    for pane in Pane:
        state.place.pane = pane
        spared = pane is Pane.COMPARISON
        assert takes_enter(state) is spared
        assert ("changed: ⏎, r or R runs again" in plain(status_line(state, 120))) is spared
        label = next(command.label for command in footer_in(state) if command.id == "open")
        assert label == ("rerun" if spared else "open")


def test_an_offer_that_cannot_be_run_leaves_enter_alone(tmp_path: Path) -> None:
    state = offering(tmp_path)
    state.place.pane = Pane.COMPARISON
    state.session = replace(state.session, trusted=False)
    assert offered(state) is None and not takes_enter(state)
    state.session = replace(state.session, trusted=True)
    assert offered(state) == Target("envelope-replay", "build")
    state.watch.taken()
    assert offered(state) is None


async def test_enter_in_the_comparison_runs_what_is_shown_and_elsewhere_goes_deeper(tmp_path: Path) -> None:
    async with driving(ran(workspace())) as driver:
        driver.state.watch.note((tmp_path / "router.py",))
        driver.state.version += 1
        driver.main.redraw()
        await driver.pilot.press("enter")
        assert driver.state.place.pane is Pane.MATRIX and driver.state.watch.told is not None
        await driver.pilot.press("enter")
        assert "⏎, r or R runs again" in driver.text() and "⏎ rerun" in driver.text()
        await driver.pilot.press("enter")
        await driver.settle()
        assert driver.state.progress.done == 24 and driver.state.progress.phase is Phase.DONE
        assert driver.state.watch.told is None and not driver.state.place.zoomed
        assert "⏎ open" in driver.text()


@pytest.mark.parametrize("pane", list(Pane))
async def test_a_click_on_the_offer_takes_it_up(tmp_path: Path, pane: Pane) -> None:
    async with driving(ran(workspace())) as driver:
        driver.state.place.pane = pane
        driver.state.watch.note((tmp_path / "router.py",))
        driver.state.version += 1
        driver.main.redraw()
        await driver.pilot.pause()
        bar = driver.main.query_one(StatusBar)
        line = next(row for row in driver.text().split("\n") if "runs again" in row)
        await driver.pilot.click(bar, offset=(line.index("↻") - 3, 0))
        assert driver.state.watch.told is not None
        await driver.pilot.click(bar, offset=(line.index("↻"), 0))
        await driver.settle()
        assert driver.state.progress.done == 24 and driver.state.watch.told is None
        # There is nothing on offer any more, so that a click there does nothing.
        await driver.pilot.click(bar, offset=(line.index("↻"), 0))
        assert not driver.state.progress.busy
