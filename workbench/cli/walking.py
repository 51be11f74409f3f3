"""The guided walk on the screen: a workspace that may be played with, and the session on it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from workbench.cli.demo_requests import SOURCE, counted_sentence, ledger_of_demo
from workbench.cli.opening import session_of
from workbench.core.cell import CellKey
from workbench.core.errors import Problem, WorkbenchError
from workbench.demo.walk import CALLS, CLOSING, CLOSING_TITLE, RATE, STEPS, WORDS, Step
from workbench.files.workspace import FILES, load_workspace, packaged_root
from workbench.lanes.registry import FILE as REGISTRY
from workbench.tui.ending import ending_in_order
from workbench.tui.guide import ExplainedSentence, RatedSentence, Stop, Walk
from workbench.tui.launch import launch
from workbench.tui.session import Session, Target

__all__ = ["play_walk", "staged", "walk_of", "walk_session"]

_SHIPPED = ("scenarios", "envelopes")


def play_walk(auto: float | None) -> int:
    """Open the screen with the walk on it; returns the exit code. Raises WorkbenchError."""
    with ending_in_order(), staged() as root:
        return launch(walk_session(root, auto))


@contextmanager
def staged() -> Iterator[Path]:
    """A copy of what ships, for as long as the walk lasts, so that every key of the screen may do its work.

    Raises WorkbenchError where it cannot be made.
    """
    with TemporaryDirectory(prefix="workbench-", ignore_cleanup_errors=True) as folder:
        root = Path(folder).resolve() / "demo"
        try:
            for name in _SHIPPED:
                shutil.copytree(packaged_root() / name, root / name)
            shutil.copyfile(packaged_root() / FILES[1], root / FILES[1])
            shutil.copyfile(SOURCE / REGISTRY, root / REGISTRY)
        except (OSError, shutil.Error) as error:
            problem = Problem(
                f"the demo cannot be laid out in {folder}: {error}", hint="--text needs no folder"
            )
            raise WorkbenchError(problem) from error
        yield root


def walk_session(root: Path, auto: float | None = None) -> Session[Any]:
    """The session for the walk, on a copy of what ships. Raises WorkbenchError."""
    workspace = load_workspace(root, packaged=True)
    session = session_of(workspace, Path(os.path.realpath(Path.cwd())))
    # Nothing is stored yet; what the walk stores it has on the screen already.
    return replace(session, packaged=False, archive=None, walk=walk_of(auto))


def walk_of(auto: float | None = None) -> Walk:
    """The steps as the screen takes them, and a last one that says what to do next."""
    closing = Stop(CLOSING_TITLE, CLOSING, lines=True)
    return Walk((*map(_stop, STEPS), closing), auto)


def _stop(step: Step) -> Stop:
    prompt = None if step.whole else step.at.prompt
    run = Target(step.at.scenario, prompt, None, step.at.adapter if step.alone else None)
    rated = tuple(RatedSentence(CellKey(*one.at), *one.sentence.split(RATE)) for one in step.rated)
    explained = None
    if step.explained:
        before, rest = step.explained.split(CALLS)
        explained = ExplainedSentence(before, *rest.split(WORDS))
    caption = step.caption
    if step.counted:
        caption = (*caption, counted_sentence(step, ledger_of_demo()))
    at = CellKey(*step.at)
    return Stop(
        step.title,
        caption,
        at,
        run,
        step.difference,
        rated=rated,
        explained=explained,
        lanes=bool(step.counted),
    )
