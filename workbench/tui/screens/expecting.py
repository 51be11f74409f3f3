"""Expecting what was observed, and accepting what was found: one value written into a scenario's file."""

from __future__ import annotations

import asyncio
from datetime import date
from pathlib import Path

from workbench.core.errors import Mark
from workbench.core.finding import Finding
from workbench.core.scenario import Accept, Scenario
from workbench.core.text import safe, visible
from workbench.files.edit.page import open_page
from workbench.files.edit.save import save
from workbench.files.edit.scenario import accept as accepted
from workbench.files.edit.scenario import freeze as frozen
from workbench.tui.commands.authoring import acceptable
from workbench.tui.observed import Observed, in_short, observed, same_expectation
from workbench.tui.screens.desk import Desk
from workbench.tui.screens.dialog import AskScreen, Entry, Field, MenuScreen
from workbench.tui.view.headline import headline
from workbench.tui.view.ink import Line, Piece, Tone, ink

__all__ = ["accept", "freeze"]


async def freeze(desk: Desk) -> None:
    key, scenario, prompt = desk.state.place.key, desk.scenario, desk.prompt
    if key is None or scenario is None or prompt is None:
        return
    await desk.main.runner.reader.read_scenario(key.scenario)
    cells = desk.state.board.cells
    keys = (k for k in desk.state.board.keys(key.scenario, key.prompt) if k.adapter == key.adapter)
    arms = {name: number for number, name in enumerate(desk.state.board.arms(key.scenario, key.prompt))}
    known = sorted((k for k in keys if k in cells), key=lambda k: arms.get(k.arm, len(arms)))
    found = observed(cells[k] for k in known)
    if not found:
        desk.say(safe("nothing was observed that could be expected"))
        return
    chosen = found[0] if len(found) == 1 else await _choose(desk, found)
    if chosen is None:
        return
    value, path = visible(in_short(chosen.expect)), Path(scenario.file)
    if prompt.expect is not None and same_expectation(prompt.expect, chosen.expect):
        desk.say(safe("nothing was written: "), value, safe(" is expected already"))
        return
    page = await asyncio.to_thread(open_page, path, desk.root)
    text = await asyncio.to_thread(frozen, page, prompt.label, chosen.expect)
    await asyncio.to_thread(save, path, desk.root, page.data, text)
    await desk.reread(path)
    before = (safe(" in place of "), visible(prompt.expect.spelled)) if prompt.expect is not None else ()
    doubt = () if chosen.steady else (safe("; not all trials gave it"),)
    desk.say(visible(f"{desk.near(path)}: {prompt.label}"), safe(" expects "), value, *before, *doubt)


async def _choose(desk: Desk, found: tuple[Observed, ...]) -> Observed | None:
    entries = [
        Entry(
            str(number),
            (
                Piece(visible(in_short(one.expect)), Tone.STRONG),
                ink("  as ", Tone.MUTED),
                Piece(visible(", ".join(one.arms)), Tone.MUTED),
            ),
            one,
        )
        for number, one in enumerate(found, 1)
    ]
    title = (ink("the arms differ: which answer is right?"),)
    return await desk.main.app.push_screen_wait(MenuScreen[Observed](title, entries))


async def accept(desk: Desk) -> None:
    scenario, found = desk.scenario, acceptable(desk.state)
    if scenario is None or not found:
        return
    finding: Finding | None = found[0]
    if len(found) > 1:
        entries = [Entry(str(n), headline(one), one) for n, one in enumerate(found, 1)]
        title = (ink("which finding is accepted?"),)
        finding = await desk.main.app.push_screen_wait(MenuScreen[Finding](title, entries))
    if finding is None:
        return
    given = await desk.main.app.push_screen_wait(
        AskScreen((ink("accept a finding"),), _REASON_AND_DATE, _about(finding), headline(finding))
    )
    if given is not None:
        await _write_accept(desk, scenario, finding, given[0].strip(), given[1].strip() or None)


async def _write_accept(
    desk: Desk, scenario: Scenario, finding: Finding, reason: str, until: str | None
) -> None:
    path = Path(scenario.file)
    entry = Accept(
        finding.kind.value,
        reason,
        Mark(scenario.file),
        arm=finding.arm,
        adapter=finding.adapter,
        prompt=finding.prompt,
        until=until,
    )
    page = await asyncio.to_thread(open_page, path, desk.root)
    text = await asyncio.to_thread(accepted, page, entry)
    await asyncio.to_thread(save, path, desk.root, page.data, text)
    await desk.reread(path)
    name = visible(desk.near(path))
    desk.say(name, safe(" accepts "), visible(f"{finding.kind.value}: {reason}"))


def _about(finding: Finding) -> Line:
    """What exactly is accepted: kind, prompt, arm, adapter."""
    parts = (finding.kind.value, finding.prompt, finding.arm, finding.adapter)
    pieces = [Piece(visible(part), Tone.STRONG) for part in parts if part]
    return tuple(piece for part in pieces for piece in (part, ink(" · ", Tone.MUTED)))[:-1]


def _why_not_date(raw: str) -> str | None:
    word = raw.strip()
    try:
        return None if not word or date.fromisoformat(word).isoformat() == word else _DATE
    except ValueError:
        return _DATE


_DATE = "a date such as 2027-01-31, or nothing"

_REASON_AND_DATE = (
    Field((ink("the reason"),), why_not=lambda raw: None if raw.strip() else "say why it is accepted"),
    Field((ink("until, if not for good"),), why_not=_why_not_date),
)
