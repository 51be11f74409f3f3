"""The terminal handed over to another program, and taken back."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

from textual.app import App, SuspendNotSupported

from workbench.core.errors import Problem, WorkbenchError

__all__ = ["hand_over"]


async def hand_over(app: App[Any], command: Sequence[str], otherwise: str) -> int:
    """Let a program have the terminal until it ends; returns its code. A run goes on meanwhile.

    Raises WorkbenchError where the terminal cannot be handed over, or the program not be started;
    `otherwise` says what can be done instead.
    """
    try:
        # Nothing is drawn before the terminal is ours again, though events go on.
        with app.batch_update(), app.suspend(), _interrupts_are_its_own():
            program = await asyncio.create_subprocess_exec(*command)
            return await program.wait()
    except SuspendNotSupported:
        message = "this terminal cannot be handed to an editor"
        raise WorkbenchError(Problem(message, hint=otherwise)) from None
    except OSError as error:
        message = f"{command[0]} cannot be started: {error.strerror or error}"
        raise WorkbenchError(Problem(message, hint=otherwise)) from None


@contextmanager
def _interrupts_are_its_own() -> Iterator[None]:
    """ctrl+c goes to every program of the terminal, and is meant for the one that has it."""

    def nothing(number: int, frame: FrameType | None) -> None:
        """Unlike SIG_IGN, this is not handed down to the program."""

    known = None
    with suppress(ValueError):  # not in the main thread, where none can be taken
        known = signal.signal(signal.SIGINT, nothing)
    try:
        yield
    finally:
        if known is not None:
            signal.signal(signal.SIGINT, known)
