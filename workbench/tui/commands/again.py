"""Commands that run again what failed, watch files, and let adapters be run at all."""

from __future__ import annotations

from workbench.core.cell import BARE, CellKey
from workbench.core.finding import Severity
from workbench.tui.commands.command import Command, Stage
from workbench.tui.state import SessionState
from workbench.tui.view.layout import Pane

__all__ = ["COMMANDS", "failed_of"]

GROUP = "Run again"


def failed_of(state: SessionState) -> frozenset[CellKey]:
    """The cells shown that have an error finding or a failed trial, each with its bare one beside it."""
    target = state.place.shown_target
    if target is None:
        return frozenset()
    prompts = [p.label for p in state.prompts(target.scenario) if target.prompt in (None, p.label)]
    keys: set[CellKey] = set()
    for prompt in prompts:
        for key in state.board.keys(target.scenario, prompt):
            if state.verdicts.worst(key) is Severity.ERROR or state.board.failures(key):
                keys |= {key, CellKey(key.scenario, key.prompt, BARE, key.adapter)}
    return frozenset(keys)


def why_not_failed(state: SessionState) -> str | None:
    reason = state.why_not_run(state.place.shown_target)
    if reason is not None:
        return reason
    if state.session.only is None:
        return "parts of a plan cannot be run here"
    return None if failed_of(state) else "nothing that is shown failed or has an error"


def run_failed(stage: Stage) -> None:
    target = stage.state.place.shown_target
    if target is not None:
        stage.upkeep.run_only(target, failed_of(stage.state))


def why_not_watch(state: SessionState) -> str | None:
    return None if state.session.watched is not None else "there are no files to watch here"


def toggle_watch(stage: Stage) -> None:
    watch = stage.state.watch
    watch.on = not watch.on
    stage.state.version += 1
    if watch.on:
        stage.tell("files are watched: a change is told, and never run by itself")
    else:
        stage.tell("files are no longer watched")
    stage.redraw()


def why_not_trust(state: SessionState) -> str | None:
    if state.session.trusted:
        return "this workspace is trusted already"
    return None if state.session.trust is not None else "this workspace cannot be trusted from here"


def why_not_welcome(state: SessionState) -> str | None:
    return None if state.session.found is not None else "this is a workspace already"


COMMANDS: tuple[Command, ...] = (
    Command(
        "run-failed",
        (".",),
        "failed",
        "Run again what failed or has an error, of what the matrix shows.",
        GROUP,
        run_failed,
        why_not_failed,
        (Pane.SCENARIOS, Pane.MATRIX),
        weight=3,
    ),
    Command(
        "watch",
        ("w",),
        "watch",
        "Watch files and offer a rerun when one changed, or stop that.",
        GROUP,
        toggle_watch,
        why_not_watch,
    ),
    Command(
        "trust",
        ("T",),
        "trust",
        "Look at what the adapters start, and let them.",
        GROUP,
        lambda stage: stage.upkeep.ask_trust(),
        why_not_trust,
    ),
    Command(
        "welcome",
        ("W",),
        "welcome",
        "Begin a workspace here, or open another folder.",
        GROUP,
        lambda stage: stage.upkeep.welcome(),
        why_not_welcome,
    ),
)
