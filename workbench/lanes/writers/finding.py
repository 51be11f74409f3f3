"""Finds every writer of a source tree."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from workbench.lanes.syntax.code import Code, Unread
from workbench.lanes.syntax.excluded import NOTHING, Excluded
from workbench.lanes.writers.candidate import Candidate
from workbench.lanes.writers.dressing import Dressing
from workbench.lanes.writers.lookalikes import Lookalikes
from workbench.lanes.writers.messages import messages
from workbench.lanes.writers.reach import may_write
from workbench.lanes.writers.reading import Reading
from workbench.lanes.writers.site import Confidence, Site
from workbench.lanes.writers.slots import slots
from workbench.lanes.writers.sources import read_sources
from workbench.lanes.writers.texts import texts

__all__ = ["Found", "find_writers"]


@dataclass(frozen=True, slots=True)
class Found:
    """Sites by file, line and column; `unread`: files that could not be read, whole or in part; `files`:
    how many were looked at."""

    sites: tuple[Site, ...]
    unread: tuple[Unread, ...]
    files: int


def find_writers(
    paths: Sequence[Path],
    *,
    known: Collection[str] = (),
    everything: bool = False,
    excluded: Excluded = NOTHING,
) -> Found:
    """`known`: lane names that are recognised in the code wherever they are quoted; `everything`: sites of
    low confidence too. Raises WorkbenchError where a path is not there or the parser is missing."""
    names = frozenset(known)
    sites: list[Site] = []
    unread: list[Unread] = []
    files = 0
    for one in read_sources(paths, excluded):
        if isinstance(one, Unread):
            unread.append(one)
            continue
        files += 1
        if one.error is not None:
            unread.append(Unread(one.name, "has a syntax error; the rest was read", one.error))
        if may_write(one.text):
            sites += sites_of(one, names, everything)
    return Found(
        tuple(sorted(sites, key=lambda site: (site.file, site.line, site.column))), tuple(unread), files
    )


def sites_of(code: Code, known: Collection[str] = (), everything: bool = False) -> list[Site]:
    """The sites of one file, in the order of the text."""
    reading = Reading.of(code)
    least = Confidence.LOW if everything else Confidence.MEDIUM
    lookalikes = Lookalikes(reading.tree)
    statements: dict[int, list[Candidate]] = {}
    for candidate in _candidates(reading):
        if candidate.confidence >= least and not lookalikes.covers(candidate.at):
            statements.setdefault(reading.tree.statements[candidate.at], []).append(candidate)
    for statement in [one for one in statements if reading.tree.is_tested(one)]:
        del statements[statement]
    if not statements:
        return []
    dressing = Dressing.of(reading, known)
    sites = [dressing.site(statement, found) for statement, found in sorted(statements.items())]
    return _numbered(sites)


def _candidates(reading: Reading) -> Iterator[Candidate]:
    for at in range(len(reading.tree.nodes)):
        yield from messages(reading, at)
        yield from texts(reading, at)
        yield from slots(reading, at)


def _numbered(sites: list[Site]) -> list[Site]:
    seen: dict[tuple[str, str], int] = {}
    numbered = []
    for site in sites:
        key = site.function, site.text
        seen[key] = seen.get(key, 0) + 1
        numbered.append(replace(site, ordinal=seen[key]) if seen[key] > 1 else site)
    return numbered
