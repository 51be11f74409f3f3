"""Writes what authoring commands ask for: asks, opens the editor, and says what came of it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

from workbench.core.errors import Mark
from workbench.core.text import join, safe, visible
from workbench.tui.beginnings import (
    envelope_like,
    envelope_path,
    scenario_like,
    scenario_path,
    why_not_file,
)
from workbench.tui.drafting import Draft, draft_of_file, draft_of_prompt, on_disk
from workbench.tui.keymap import key_of
from workbench.tui.outside import editor_of, told_line
from workbench.tui.place import RowKind
from workbench.tui.screens import expecting
from workbench.tui.screens.desk import Desk
from workbench.tui.screens.dialog import AskScreen, Entry, Field, MenuScreen
from workbench.tui.screens.editor import EditorScreen
from workbench.tui.screens.handing_over import hand_over
from workbench.tui.screens.paste import PasteScreen
from workbench.tui.view.ink import Line, Piece, Tone, ink

__all__ = ["Writing"]


class Writing:
    """Works on the chosen scenario, prompt and cell. After each write the files are read anew."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def freeze(self) -> None:
        """Expect what was observed."""
        await expecting.freeze(self._desk)

    async def accept(self) -> None:
        """Accept a finding."""
        await expecting.accept(self._desk)

    # Editing

    def _mark(self) -> Mark | None:
        """Where the chosen prompt, scenario or broken file is to be edited."""
        here, scenario, prompt = self._desk.state.place.here, self._desk.scenario, self._desk.prompt
        if here is not None and here.kind is RowKind.FILE:
            marks = (problem.mark for problem in self._desk.state.session.problems if problem.mark)
            return next((mark for mark in marks if mark.file == here.name), None)
        if prompt is not None and scenario is not None:
            return replace(prompt.mark, file=scenario.file)
        return scenario.marks.get("scenario", Mark(scenario.file)) if scenario is not None else None

    async def edit_outside(self) -> None:
        """Open the file in the user's own editor."""
        mark = self._mark()
        if mark is None:
            return
        path = Path(mark.file)
        here = f"{key_of(self._desk.state, 'edit')} edits on this screen"
        editor = editor_of(os.environ, otherwise=here)
        command = told_line(editor, str(path.absolute()), mark.line, mark.column)
        before = await asyncio.to_thread(on_disk, path)
        code = await hand_over(self._desk.main.app, command, here)
        if await asyncio.to_thread(on_disk, path) != before:
            await self._reread(path)
        elif code:
            how = f"ended with code {code}" if code > 0 else f"was stopped by signal {-code}"
            self._desk.say(visible(command[0]), safe(f" {how}; nothing was changed"))
        else:
            self._desk.say(visible(path.name), safe(" was not changed"))

    async def edit_here(self) -> None:
        """Open the file on the screen."""
        mark = self._mark()
        if mark is not None:
            path = Path(mark.file)
            other = f"{key_of(self._desk.state, 'edit-outside')} opens it in your own editor"
            draft = await asyncio.to_thread(
                draft_of_file, path, self._desk.root, mark.line, mark.column, other
            )
            self._open(draft)

    def _open(self, draft: Draft) -> None:
        prompt = self._desk.prompt
        screen = EditorScreen(
            draft, self._desk.state.session.draft, self._wrote_draft, prompt.text if prompt else ""
        )
        self._desk.main.app.push_screen(screen)

    def _wrote_draft(self, draft: Draft) -> None:
        self._desk.begin(self._reread(draft.path))

    async def _reread(self, path: Path) -> None:
        """Show what stands in the files now, and say what is new in them."""
        changes = await self._desk.reread(path)
        name = visible(self._desk.near(path))
        absolute = path.absolute()
        problems = self._desk.state.session.problems
        wrong = [p for p in problems if p.mark and Path(p.mark.file).absolute() == absolute]
        if wrong and (mark := wrong[0].mark) is not None:
            said = (name, safe(f":{mark.line}:{mark.column}: "), visible(wrong[0].message))
            self._desk.say(safe("written, but it does not load: "), *said, severity="error")
        elif changes:
            more = (safe(f", and {len(changes) - 2} more"),) if len(changes) > 2 else ()
            self._desk.say(name, safe(" written. "), join(changes[:2], ", "), *more)
        else:
            self._desk.say(name, safe(" written; no scenario says anything else than before"))

    # New files and prompts

    async def begin(self) -> None:
        """Ask for what is to be new, and begin it."""
        entries: list[Entry[Callable[[], Coroutine[Any, Any, None]]]] = []
        if self._desk.prompt is not None:
            like = visible((self._desk.prompt.id or self._desk.prompt.text)[:40])
            entries.append(
                Entry("p", (ink("prompt"), ink(" like ", Tone.MUTED), Piece(like)), self._new_prompt)
            )
        entries += [
            Entry("e", (ink("envelope"), *self._like(self._arm)), self._new_envelope),
            Entry("s", (ink("scenario"), *self._like(self._desk.state.place.scenario)), self._new_scenario),
        ]
        make = await self._desk.main.app.push_screen_wait(
            MenuScreen[Callable[[], Coroutine[Any, Any, None]]]((ink("new"),), entries)
        )
        if make is not None:
            await make()

    @staticmethod
    def _like(name: str | None) -> Line:
        return (ink(" like ", Tone.MUTED), Piece(visible(name[:40]))) if name else ()

    @property
    def _arm(self) -> str | None:
        """The chosen arm, if it is an envelope."""
        key = self._desk.state.place.key
        known = (self._desk.root / "envelopes").joinpath
        if key is None:
            return None
        outer = key.arm.split("(")[0]
        return outer if any(known(outer + ending).exists() for ending in (".yaml", ".yml")) else None

    async def _new_prompt(self) -> None:
        scenario, prompt = self._desk.scenario, self._desk.prompt
        if scenario is not None and prompt is not None:
            path = Path(scenario.file)
            self._open(await asyncio.to_thread(draft_of_prompt, path, self._desk.root, prompt.label))

    async def _new_envelope(self) -> None:
        name = await self._ask_name("a new envelope", lambda name: envelope_path(self._desk.root, name))
        if name is not None:
            self._open(await asyncio.to_thread(envelope_like, name, self._desk.root, self._arm))

    async def _new_scenario(self) -> None:
        name = await self._ask_name("a new scenario", lambda name: scenario_path(self._desk.root, name))
        if name is not None:
            scenario = self._desk.scenario
            like = self._desk.prompt or (scenario.prompts[0] if scenario is not None else None)
            self._open(await asyncio.to_thread(scenario_like, name, self._desk.root, scenario, like))

    async def _ask_name(self, what: str, path_of: Callable[[str], Path]) -> str | None:
        def why_not(raw: str) -> str | None:
            name = raw.strip()
            return why_not_file(path_of(name)) if _names_a_file(name) else _NAME_RULE

        field = Field((ink("its name, and its file's"),), why_not=why_not)
        given = await self._desk.main.app.push_screen_wait(AskScreen((ink(what),), [field]))
        return given[0].strip() if given is not None else None

    async def paste(self) -> None:
        """Make an envelope of a wrapped turn."""

        def why_not(name: str) -> str | None:
            path = envelope_path(self._desk.root, name)
            return why_not_file(path) if _names_a_file(name) else _NAME_RULE

        typed = self._desk.prompt.text if self._desk.prompt is not None else ""
        path = await self._desk.main.app.push_screen_wait(PasteScreen(self._desk.root, typed, why_not))
        if path is None:
            return
        await self._desk.reread(path)
        scenario = self._desk.scenario
        unused = scenario is not None and scenario.envelopes is not None
        hint = "; name it in `envelopes` of this scenario to use it here" if unused else ""
        self._desk.say(visible(self._desk.near(path)), safe(f" written{hint}"))


_NAME_RULE = "lower-case letters, digits, - and _, the first a letter or a digit"


def _names_a_file(name: str) -> bool:
    allowed = "abcdefghijklmnopqrstuvwxyz0123456789"
    return bool(name) and name[0] in allowed and all(char in f"{allowed}-_" for char in name)
