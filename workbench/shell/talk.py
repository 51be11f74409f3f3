"""A line taken from wherever it comes: carried out, run, and answered."""

from __future__ import annotations

from enum import Enum

from workbench.core.cell import Run
from workbench.core.errors import Problem, UsageError, WorkbenchError
from workbench.core.text import SafeText, join, safe, visible, visible_lines
from workbench.replay.engine import replay
from workbench.replay.events import AdapterBroken, AdapterHalted, Event
from workbench.report.writer import Piece
from workbench.shell.answers import answer_lines
from workbench.shell.delivery import plan_line
from workbench.shell.guests import Guests
from workbench.shell.paste import Draft
from workbench.shell.session import Session
from workbench.shell.stage import Stage
from workbench.store.store import Store

__all__ = ["Talk", "Went"]


class Went(Enum):
    """How a line went: on to the next, stopped by the user, or it was the last."""

    ON = "on"
    STOPPED = "stopped"
    LEAVE = "leave"


class Talk:
    """Takes lines one after the other. Runs are kept in `store` only to be read back."""

    def __init__(self, stage: Stage, session: Session, guests: Guests, store: Store) -> None:
        self._stage = stage
        self._session = session
        self._guests = guests
        self._store = store
        self._told: set[str] = set()

    def begin(self, *, chosen: bool) -> None:
        """Have the adapters admitted. Where the user says no, those that need no trust are left.

        `chosen`: they were named, so that none may be left out. Raises WorkbenchError.
        """
        try:
            self._guests.admit(self._session.settings.adapters)
        except UsageError as error:
            harmless = self._guests.harmless(self._session.settings.adapters)
            if chosen or not harmless:
                raise
            self._stage.tell(error)
            self._session.choose_adapters(harmless)
            self._guests.admit(harmless)

    async def take(self, draft: Draft) -> Went:
        """Carry out one line. A user's mistake is told, and is no end."""
        before = self._session.settings
        try:
            reply = self._session.handle(draft)
            self._guests.admit(self._session.settings.adapters)
        except WorkbenchError as error:
            self._session.settings = before
            self._stage.tell(error)
            return Went.ON
        if self._session.settings != before:
            self._told.clear()
        self._stage.write((Piece(line),) for line in reply.data)
        for line in reply.talk:
            self._stage.say(line)
        if reply.send is not None:
            return await self._send(reply.send)
        return Went.LEAVE if reply.leave else Went.ON

    async def _send(self, draft: Draft) -> Went:
        try:
            run, notes = await self._run(draft)
        except WorkbenchError as error:
            self._stage.tell(error)
            return Went.ON
        self._stage.write(answer_lines(run, self._stage.style()))
        for note in notes:
            if note.message not in self._told:
                self._told.add(note.message)
                self._stage.say(visible(note.message.removeprefix("--")))
        if self._stage.verbose:
            for line in _logs(run):
                self._stage.say(line)
        return Went.STOPPED if run.interrupted else Went.ON

    async def _run(self, draft: Draft) -> tuple[Run, tuple[Problem, ...]]:
        """The run of one line, and what of the settings had no effect."""
        settings = self._session.settings
        renewed, problems = await self._guests.renew(settings.adapters)
        if renewed:
            names = join([visible(name) for name in renewed], safe(", "))
            self._stage.say(join((names, safe(": changed, and opened anew"))))
        if problems:
            self._stage.tell(WorkbenchError(problems))
        plan = plan_line(draft, settings, self._guests.infos(settings.adapters), self._stage.envelopes)
        progress = self._stage.progress()

        def listen(event: Event) -> None:
            progress(event)
            if isinstance(event, AdapterBroken | AdapterHalted):
                self._stage.say(safe(f"{visible(event.adapter)}: {visible(event.reason)}"))

        with self._stage.stoppable() as stop:
            return await replay(plan, self._guests, self._store, listen, stop), plan.notes


def _logs(run: Run) -> list[SafeText]:
    """What the guests of failed trials printed."""
    lines: list[SafeText] = []
    for cell in run.cells:
        for trial in cell.trials:
            if not trial.ok and trial.log:
                lines.append(safe(f"log of {visible(cell.key.adapter)} on {visible(cell.key.arm)}:"))
                lines += [safe(f"  {line}") for line in visible_lines(trial.log.rstrip("\n"))]
    return lines
