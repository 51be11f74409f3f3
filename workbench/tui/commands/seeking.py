"""Commands that find: search in the focused pane, filters for the list, jumps to what is in view."""

from __future__ import annotations

from workbench.tui.commands.command import Act, Command, Stage
from workbench.tui.keymap import key_of
from workbench.tui.state import SessionState

__all__ = ["COMMANDS"]

GROUP = "Find"


def why_not_search(state: SessionState) -> str | None:
    return None if state.place.here is not None else "there is nothing to search in yet"


def why_not_next(state: SessionState) -> str | None:
    if state.sieve.search is not None:
        return None
    return f"nothing is searched for; {key_of(state, 'search')} begins a search"


def why_not_filter(state: SessionState) -> str | None:
    return None if state.scenarios else "there is nothing to filter yet"


def why_not_all(state: SessionState) -> str | None:
    is_open = state.sieve.is_open and state.sieve.search is None
    return "nothing is filtered or searched for" if is_open else None


def go(step: int) -> Act:
    def act(stage: Stage) -> None:
        stage.seeking.next_match(step)

    return act


COMMANDS: tuple[Command, ...] = (
    Command(
        "search",
        ("/",),
        "search",
        "Search in the focused pane; in the list, !word keeps what has no such word.",
        GROUP,
        lambda stage: stage.seeking.search(),
        why_not_search,
    ),
    Command("next-match", ("n",), "next match", "Go to the next match.", GROUP, go(1), why_not_next),
    Command("previous-match", ("N",), "prev match", "Go to the match before.", GROUP, go(-1), why_not_next),
    Command(
        "filter",
        ("F",),
        "filter",
        "List only what fails, what changed, one adapter, or one way in.",
        GROUP,
        lambda stage: stage.seeking.filter(),
        why_not_filter,
    ),
    Command(
        "show-all",
        ("u",),
        "show all",
        "Take filters and search away.",
        GROUP,
        lambda stage: stage.seeking.show_all(),
        why_not_all,
    ),
    Command(
        "jump",
        ("'",),
        "jump",
        "Put a letter on everything in view; its letter goes there.",
        GROUP,
        lambda stage: stage.seeking.jump(),
        why_not_search,
    ),
)
