"""Why something cannot be run now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.tui.keymap import key_of
from workbench.tui.session import Target

if TYPE_CHECKING:
    from workbench.tui.state import SessionState

__all__ = ["why_not_run"]


def why_not_run(state: SessionState, target: Target | None) -> str | None:
    """Why a target cannot be run now, in our own words; None where it can."""
    if target is None:
        return "nothing here can be run: choose a scenario or a prompt"
    if state.progress.busy:
        return f"a run is on; {key_of(state, 'stop')} stops it and keeps what is done"
    if state.explanations.going is not None:
        return f"an explanation is on; {key_of(state, 'stop')} stops it with the best so far"
    if state.plan_problems(target.scenario):
        return "this scenario has errors, shown below; correct its file first"
    if state.session.trusted:
        return None
    names = {target.adapter} if target.adapter else set(state.board.columns(target.scenario))
    needing = state.session.needs_trust
    if needing is None or names & needing:
        key = key_of(state, "trust")
        return f"this workspace is not trusted, and its adapters start programs: {key} shows them first"
    return None
