"""The stanzas that unregistered writers ask for, with what the code says and what it cannot say."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from workbench.core.text import SafeText, is_invisible, safe, visible
from workbench.lanes.lane import Bound, Registry, Trust, Unit
from workbench.lanes.name import is_name
from workbench.lanes.writers.guessing import guessed_name, guessed_trust, words_of
from workbench.lanes.writers.site import Cap, Site

__all__ = ["HEAD", "Proposal", "propose", "unit_of"]

HEAD = 'schema_version = 1\nunit = "chars"\n'
"""What a registry begins with."""

_MIDDLE = 3
_NAMED = re.compile(r"[^\W\d]\w*(?:(?:\.|::)[^\W\d]\w*)*\Z")
_PLAIN_PATH = re.compile(r"[\w./@+-]+\Z")
_LISTED = 6


@dataclass(frozen=True, slots=True)
class Proposal:
    """A lane that is proposed for these sites, which stand in one file and function or name it alike.

    `budget` is uncapped where no number was found. `told`: the word that `trust` was guessed from; None:
    nothing tells, and it is the least that can be trusted.
    """

    name: str
    injector: str
    budget: int | Bound
    unit: Unit
    trust: Trust
    told: str | None
    cap: Cap | None
    sites: tuple[Site, ...]
    says_unit: bool = False

    def toml(self) -> SafeText:
        """The stanza as text without a line end at its end; `lanes check` finds no error in it."""
        budget = str(self.budget) if isinstance(self.budget, int) else f'"{self.budget}"'
        guess = f'guessed from "{self.told}"' if self.told else "not known, so the least trusted"
        rows = [
            (f"name = {_quoted(self.name)}", ""),
            (f"injector = {_quoted(self.injector)}", ""),
            (f"budget = {budget}", self._why()),
            *([(f'unit = "{self.unit}"', "")] if self.says_unit else []),
            (f"priority = {_MIDDLE}", "not known: 0 is never cut, 5 is cut first"),
            (f'trust = "{self.trust}"', f"{guess}: owner, tool, child, policy or model"),
            (f"evicts = {_quoted(self._evicts())}", "guessed: say how overflow is handled"),
        ]
        lines = ["[[lane]]", f"# proposed from {self._lines()}: name the lane where it is written"]
        lines += [f"{entry} # {note}" if note else entry for entry, note in rows]
        return safe("\n".join(str(visible(line)) for line in lines))

    def _why(self) -> str:
        """Where the budget comes from."""
        if self.cap is None:
            return "no limit was found near it: as long as what is put in"
        named = self.cap.source if _NAMED.match(self.cap.source) else "a limit in the code"
        if self.cap.value is None:
            return f"bounded by {named}, line {self.cap.line}: write its number here"
        others = {site.budget.value for site in self.sites if site.budget is not None}
        more = ", the largest of several" if len(others) > 1 else ""
        return f"{named}, line {self.cap.line}{more}"

    def _evicts(self) -> str:
        if self.cap is None:
            return "never: nothing near it cuts"
        return "cut at the limit in the code" if self.cap.value is None else "cut at the budget"

    def _lines(self) -> str:
        lines = sorted({site.line for site in self.sites})
        if len(lines) == 1:
            return f"line {lines[0]}"
        listed = ", ".join(map(str, lines[:_LISTED]))
        return f"lines {listed}" + (f" and {len(lines) - _LISTED} more" if len(lines) > _LISTED else "")


def propose(sites: Iterable[Site], registry: Registry | None, folder: Path) -> dict[Site, Proposal]:
    """A stanza for each site whose lane no registry holds; sites of one lane share theirs.

    Sites are of one lane where they name it, or where they stand in one function and a name guessed for
    them is the same. Paths of injectors are relative to `folder`.
    """
    taken = {lane.name for lane in registry.lanes} if registry is not None else set()
    groups: dict[tuple[str, ...], list[Site]] = {}
    for site in sites:
        if site.lane is not None and site.lane in taken:
            continue
        named = site.lane is not None and is_name(site.lane)
        key: tuple[str, ...] = (site.lane or "",) if named else (guessed_name(site), site.file, site.function)
        groups.setdefault(key, []).append(site)
    taken |= {key[0] for key in groups if len(key) == 1}
    proposed = {}
    for key, group in groups.items():
        name = key[0] if len(key) == 1 else _free(key[0], group[0].file, taken)
        taken.add(name)
        stanza = _stanza(name, group, registry, folder)
        proposed.update(dict.fromkeys(group, stanza))
    return proposed


def _stanza(name: str, sites: Sequence[Site], registry: Registry | None, folder: Path) -> Proposal:
    found = (guessed_trust(site, name) for site in sites)
    trust, told = next((one for one in found if one is not None), (Trust.TOOL, None))
    cap = _cap(sites)
    unit = unit_of(cap)
    of_file = Unit.CHARS if registry is None else registry.unit
    return Proposal(
        name=name,
        injector=_injector(sites[0], folder),
        budget=Bound.UNCAPPED if cap is None or cap.value is None else cap.value,
        unit=unit,
        trust=trust,
        told=told,
        cap=cap,
        sites=tuple(sites),
        says_unit=unit is not of_file,
    )


def _cap(sites: Sequence[Site]) -> Cap | None:
    """The largest limit: a smaller one is kept by the code itself."""
    caps = [site.budget for site in sites if site.budget is not None]
    return max(caps, key=lambda cap: -1 if cap.value is None else cap.value, default=None)


def unit_of(cap: Cap | None) -> Unit:
    """What a limit most likely counts, by its name."""
    words = words_of(cap.source) if cap is not None else []
    if "token" in words or "tokens" in words:
        return Unit.TOKENS
    return Unit.BYTES if "byte" in words or "bytes" in words else Unit.CHARS


def _injector(site: Site, folder: Path) -> str:
    whole = os.path.abspath(site.file)  # noqa: PTH100 - a link stays where it stands
    try:
        path = os.path.relpath(whole, folder).replace(os.sep, "/")
    except ValueError:  # on Windows, another drive
        path = site.file
    shown = path if _PLAIN_PATH.match(path) or "`" in path else f"`{path}`"
    return f"{shown} {site.function}" if _NAMED.match(site.function) else shown


def _free(name: str, file: str, taken: Collection[str]) -> str:
    """A name that no lane has: with the file's before it, else with a number behind it."""
    stem = "_".join(words_of(Path(file).stem))
    longer = re.sub(r"\A[^a-z]+", "", f"{stem}_{name}")
    for one in (name, longer):
        if one not in taken and is_name(one):
            return one
    number = 2
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"


def _quoted(text: str) -> str:
    """A basic string of TOML, with no character that a terminal would obey."""
    return f'"{"".join(map(_escaped, text))}"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    if not is_invisible(char):
        return char
    point = ord(char)
    if 0xD800 <= point < 0xE000:
        return "\ufffd"  # TOML has no way to write it
    return f"\\u{point:04X}" if point < 0x10000 else f"\\U{point:08X}"
