"""A file that somebody else changed while it was edited: what becomes of both texts."""

from __future__ import annotations

import asyncio
from typing import Any, NamedTuple

from textual.app import App

from workbench.core.text import safe, visible
from workbench.tui.drafting import Draft, beside, draft_of_file, new_draft, write
from workbench.tui.screens.dialog import Entry, MenuScreen
from workbench.tui.view.ink import Piece, Tone, ink
from workbench.tui.widgets.safe import toast

__all__ = ["Settled", "settle"]


class Settled(NamedTuple):
    """`text`: what is to be edited from now on, None where that stays. `written`: the draft is on disk."""

    draft: Draft
    text: str | None = None
    written: bool = False


async def settle(app: App[Any], draft: Draft, text: str, held: bytes | None) -> Settled:
    """Ask what to do with `text`, where the file holds something else by now. Raises WorkbenchError."""
    entries = [
        Entry("r", (ink("reload: "), ink("theirs; ctrl+z brings yours back", Tone.MUTED)), "reload"),
        Entry("b", (ink("save beside: "), ink("yours goes to a file next to it", Tone.MUTED)), "beside"),
        Entry("o", (ink("overwrite: "), ink("yours takes its place", Tone.MUTED)), "overwrite"),
    ]
    said = " was changed by someone else since it was read"
    if held is None:
        said = " is gone from the disk"
        del entries[0]
    elif draft.before is None:
        said = " was made by someone else meanwhile"
    title = (Piece(visible(draft.path.name), Tone.STRONG), ink(said))
    chosen = await app.push_screen_wait(MenuScreen[str](title, entries))
    if chosen == "reload":
        fresh = await asyncio.to_thread(draft_of_file, draft.path, draft.root)
        return Settled(fresh, fresh.text)
    if chosen == "beside":
        path = beside(draft.path)
        await asyncio.to_thread(write, new_draft(path, draft.root, text), draft.whole(text))
        toast(app, safe("written beside it, to "), visible(path.name))
    elif chosen == "overwrite":
        return Settled(await asyncio.to_thread(write, draft.held(held), text), written=True)
    return Settled(draft)
