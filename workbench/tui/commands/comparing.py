"""Commands that choose a tab of the comparison, and what the chosen cell is held against."""

from __future__ import annotations

from workbench.tui.baseline import PinnedCell
from workbench.tui.commands.command import Act, Command, Stage
from workbench.tui.keymap import key_of
from workbench.tui.reading import turn_to
from workbench.tui.state import SessionState
from workbench.tui.view.tabs import Tab

__all__ = ["COMMANDS"]

GROUP = "Compare"


def choose(tab: Tab) -> Act:
    def act(stage: Stage) -> None:
        turn_to(stage.state, tab)
        stage.redraw()

    return act


def turn(step: int) -> Act:
    def act(stage: Stage) -> None:
        tabs = list(Tab)
        turn_to(stage.state, tabs[(tabs.index(stage.state.place.tab) + step) % len(tabs)])
        stage.redraw()

    return act


def why_not_pin(state: SessionState) -> str | None:
    key = state.place.key
    cell = state.board.cells.get(key) if key is not None else None
    if key is None or state.board.is_running(key) or cell is None or not cell.trials:
        return "there is no answer here that could be pinned"
    return None


def why_not_unpin(state: SessionState) -> str | None:
    return None if state.comparisons.pinned is not None else "nothing is pinned"


def why_not_runs(state: SessionState) -> str | None:
    return None if state.session.runs is not None else "there are no stored runs here"


def pin(stage: Stage) -> None:
    state, key = stage.state, stage.state.place.key
    if key is not None and (cell := state.board.cells.get(key)) is not None:
        state.comparisons.pin(PinnedCell(cell, state.board.adapters.get(key.adapter)))
        let_go = key_of(state, "unpin")
        stage.tell(f"pinned this answer: every cell is held against it now; {let_go} lets go of it")
    stage.redraw()


def unpin(stage: Stage) -> None:
    stage.state.comparisons.pin(None)
    stage.tell("held against bare again")
    stage.redraw()


COMMANDS: tuple[Command, ...] = (
    Command(
        "pin",
        ("b",),
        "pin",
        "Pin this answer as the baseline; other cells, and new answers, are held against it.",
        GROUP,
        pin,
        why_not_pin,
    ),
    Command("unpin", ("B",), "unpin", "Hold against bare again.", GROUP, unpin, why_not_unpin),
    Command(
        "compare-with-run",
        ("=",),
        "vs run",
        "Hold every cell against an earlier stored run, as before and after a fix.",
        GROUP,
        lambda stage: stage.taking.choose_run(),
        why_not_runs,
    ),
    Command("next-tab", (">",), "next tab", "The next tab of the comparison.", GROUP, turn(1)),
    Command("previous-tab", ("<",), "prev tab", "The previous tab of the comparison.", GROUP, turn(-1)),
    *(
        Command(
            f"tab-{tab.value.lower()}",
            (str(number),),
            tab.value.lower(),
            f"The tab {tab.value} of the comparison.",
            GROUP,
            choose(tab),
        )
        for number, tab in enumerate(Tab, 3)  # 0 to 2 choose how it is drawn
    ),
)
