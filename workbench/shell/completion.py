"""What Tab offers in a command: commands, adapters, envelopes, files, scenarios."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from workbench.core.errors import WorkbenchError
from workbench.core.text import SafeText, safe, visible
from workbench.files.locate import find_scenarios
from workbench.shell.paste import Draft
from workbench.shell.session import COMMANDS, Session, is_command

__all__ = ["Offer", "offers"]

_MOST = 200
_NOTHING = safe("")


@dataclass(frozen=True, slots=True)
class Offer:
    """`text` goes in the place of the last `length` characters; `shown` and `about` are for the eye."""

    text: str
    length: int
    shown: SafeText
    about: SafeText


def offers(session: Session, draft: Draft) -> Iterator[Offer]:
    """What could stand at the end of a line; nothing but for a command."""
    if not is_command(draft):
        return
    name, blank, rest = draft.text[1:].partition(" ")
    if not blank:
        for known, command in COMMANDS.items():
            if known.startswith(name):
                yield Offer(f"/{known}", len(name) + 1, safe(f"/{known}"), safe(command.summary))
        return
    source = _SOURCES.get(name)
    if source is not None:
        yield from source(session, rest)


def _names(known: Iterable[str], rest: str) -> Iterator[Offer]:
    word = rest.rpartition(" ")[2]
    taken = rest.split()[: -1 if word else None]
    for name in known:
        if name.startswith(word) and name not in taken:
            yield Offer(name, len(word), visible(name), _NOTHING)


def _adapters(session: Session, rest: str) -> Iterator[Offer]:
    for offer in _names(session.adapter_names, rest):
        use = session.workspace.adapters[offer.text].use
        yield Offer(offer.text, offer.length, offer.shown, visible(use))


def _envelopes(session: Session, rest: str) -> Iterator[Offer]:
    with suppress(WorkbenchError):
        yield from _names(session.envelope_names(), rest.replace("(", " "))


def _scenarios(session: Session, rest: str) -> Iterator[Offer]:
    yield from _names((path.stem for path in find_scenarios(session.workspace.root)), rest)


def _files(session: Session, rest: str) -> Iterator[Offer]:
    """Files and folders; a name that needs quotes gets them."""
    word = _last_word(rest)
    if word is None:
        return
    written, name = word
    folder, _, start = name.rpartition("/")
    base = session.cwd / (f"{folder}/" if name.startswith("/") or folder else "")
    for entry in sorted(_entries(base))[:_MOST]:
        if not entry.startswith(start) or (entry.startswith(".") and not start.startswith(".")):
            continue
        path = f"{folder}/{entry}" if folder or name.startswith("/") else entry
        yield Offer(_quoted(path), len(written), visible(entry), _NOTHING)


def _entries(folder: Path) -> list[str]:
    with suppress(OSError, ValueError), os.scandir(folder) as found:
        return [f"{entry.name}/" if entry.is_dir() else entry.name for entry in found]
    return []


def _last_word(rest: str) -> tuple[str, str] | None:
    """The last word as it is written, and as it is meant; None where its quotes cannot be read."""
    for start in range(len(rest), -1, -1):
        if start and rest[start - 1] != " ":
            continue
        written = rest[start:]
        for closed in (written, f"{written}'", f'{written}"'):
            with suppress(ValueError):
                shlex.split(rest[:start])
                words = shlex.split(closed)
                if len(words) <= 1 and (words or not written):
                    return written, words[0] if words else ""
    return None


def _quoted(path: str) -> str:
    """As the shell needs it; of a folder the quotes stay open, so that one can go on."""
    quoted = shlex.quote(path)
    return quoted[:-1] if path.endswith("/") and quoted.endswith("'") else quoted


_SOURCES: Mapping[str, Callable[[Session, str], Iterator[Offer]]] = {
    "adapter": _adapters,
    "envelope": _envelopes,
    "attach": _files,
    "save": _scenarios,
}
