"""Writers as text: a table, the stanzas that they ask for, and what a comparison comes to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.cli.lanes_report import fault_lines
from workbench.core.text import SafeText, join, safe, visible
from workbench.lanes.fault import LaneKind
from workbench.lanes.writers.faults import skipped_faults
from workbench.lanes.writers.stanza import HEAD
from workbench.report.measure import cut, pad, width_of
from workbench.report.writer import glyph

if TYPE_CHECKING:
    from workbench.lanes.fault import LaneFault
    from workbench.lanes.writers.ratchet import Change
    from workbench.lanes.writers.site import Cap, Site
    from workbench.lanes.writers.survey import Survey
    from workbench.report.writer import Style

__all__ = ["changes", "compared", "stanzas", "table", "told", "written"]

_HEAD = ("site", "kind", "function", "lane", "budget", "fence", "late", "stanza")
_GAP = "  "
_WIDE = 120
_LEAST = (22, 7, 4)
"""Cells that the place keeps until all others have given way, that they keep, and that nothing goes below."""
_MOST = 60


def table(found: Survey, faults: Iterable[LaneFault], style: Style) -> Iterator[SafeText]:
    """A line for each site, then the faults that no such line tells, then each proposed stanza once.

    On a terminal columns are cut until a line fits, and the last is left out of a narrow one: the stanzas
    say it again. Elsewhere nothing is cut.
    """
    if found.sites:
        narrow = style.width is not None and style.width < _WIDE
        rows = [
            [visible(cell) for cell in (row[:-1] if narrow else row)]
            for row in (_HEAD, *(_cells(site, found) for site in found.sites))
        ]
        widths = _widths(rows, style.width)
        for row in rows:
            place, *rest = zip(row, widths, strict=True)
            cells = [pad(_tail(*place, style), place[1])]
            cells += [pad(_fit(cell, width, style), width) for cell, width in rest]
            yield SafeText(join(cells, _GAP).rstrip())
    yield from fault_lines(fault for fault in faults if fault.kind is not LaneKind.WRITER)
    if found.proposals:
        yield safe("")
        yield from stanzas(found)


def stanzas(found: Survey, *, whole: bool = False) -> Iterator[SafeText]:
    """The proposed stanzas as TOML, an empty line between; `whole`: with what a registry begins with."""
    if whole and found.proposals:
        yield from map(safe, HEAD.splitlines())
        yield safe("")
    for number, stanza in enumerate(found.proposals):
        if number:
            yield safe("")
        yield stanza.toml()


def told(found: Survey) -> Iterator[SafeText]:
    """How many there are, and how many of them are in nobody's registry."""
    sites = found.sites
    files = _count(found.files, "file")
    if not sites:
        yield safe(f"no writer in {files}; what is built under names that tell nothing is not found")
        return
    unnamed = sum(site.lane is None for site in sites)
    strange = sum(site.lane is not None and not found.is_registered(site) for site in sites)
    late = sum(site.late is not None for site in sites)
    private = sum(site.budget is not None for site in sites)
    parts = [f"{_count(len(sites), 'writer')} in {files}: {unnamed:,} without a lane"]
    parts += [f"{count:,} {what}" for count, what in _asides(strange, late, private) if count]
    yield safe(", ".join(parts))
    hidden = len(found.everything) - len(sites)
    if hidden:
        yield safe(f"{hidden:,} more of low confidence: --all")


def _asides(strange: int, late: int, private: int) -> tuple[tuple[int, str], ...]:
    return (
        (strange, "with one that has no stanza"),
        (late, "late"),
        (private, "with a private budget"),
    )


def changes(change: Change, found: Survey) -> Iterator[SafeText]:
    """What a baseline was written for: a line for each writer that was added or struck."""
    for fresh in change.new:
        yield _change("added", fresh.known.file, fresh.known.kind, fresh.known.function, fresh.known.text)
    for gone in change.gone:
        yield _change("struck", gone.known.file, gone.known.kind, gone.known.function, gone.known.text)
    yield from fault_lines(skipped_faults(found.unread))


def _change(what: str, file: str, kind: str, function: str, text: str) -> SafeText:
    short = text if len(text) <= _MOST else f"{text[: _MOST - 1]}…"
    return join((safe(f"{what:<6}  "), visible(f"{file}: {kind} in {function}: {short}")))


def compared(change: Change, found: Survey, baseline: Path) -> Iterator[SafeText]:
    """What the comparison comes to, and what to do about it."""
    counts = f"{len(change.new):,} new, {len(change.gone):,} gone, {len(change.kept):,} as they were"
    yield join((visible(str(baseline)), safe(f": {counts}, in {_count(found.files, 'file')}")))
    if change.aside:
        yield safe(f"{len(change.aside):,} of its writers are in files that were not read: not judged")
    if change.new or change.gone:
        yield safe("to take this over, write it anew with --write-baseline")


def written(change: Change, baseline: Path, count: int) -> Iterator[SafeText]:
    """What was added and struck."""
    counts = f"{len(change.new):,} added, {len(change.gone):,} struck, {count:,} in all"
    yield join((visible(str(baseline)), safe(f": {counts}")))
    if change.aside:
        yield safe(f"{len(change.aside):,} in files that were not read stay as they are")


def _cells(site: Site, found: Survey) -> tuple[str, ...]:
    proposal = found.proposed.get(site)
    return (
        f"{site.file}:{site.line}:{site.column}",
        site.kind.value,
        site.function,
        _lane(site, found),
        _budget(site.budget),
        site.fence or "none",
        site.late or "",
        proposal.name if proposal is not None else "",
    )


def _lane(site: Site, found: Survey) -> str:
    if site.lane is None:
        return "none"
    return site.lane if found.is_registered(site) else f"{site.lane} (no stanza)"


def _budget(cap: Cap | None) -> str:
    """The number, and the name that it has in the code."""
    if cap is None:
        return "none"
    if cap.value is None:
        return cap.source
    return f"{cap.value:,}" if cap.source[:1].isdigit() else f"{cap.value:,} {cap.source}"


def _widths(rows: Sequence[Sequence[SafeText]], most: int | None) -> list[int]:
    """The width of each column; the widest gives way first, until a line fits into `most` cells."""
    widths = [max(width_of(cell) for cell in column) for column in zip(*rows, strict=True)]
    place, other, least = _LEAST
    for floors in ((place, other), (least, other), (least, least)):
        while most is not None and sum(widths) + len(_GAP) * (len(widths) - 1) > most:
            spare = [width - floors[at > 0] for at, width in enumerate(widths)]
            if max(spare) <= 0:
                break
            widths[spare.index(max(spare))] -= 1
    return widths


def _fit(cell: SafeText, width: int, style: Style) -> SafeText:
    return cell if width_of(cell) <= width else cut(cell, width, style)


def _tail(cell: SafeText, width: int, style: Style) -> SafeText:
    """A place without its beginning: the line is what a reader needs."""
    if width_of(cell) <= width:
        return cell
    mark = glyph("…", style)
    kept = 0
    while width_of(cell[kept:]) + len(mark) > width:
        kept += 1
    return mark + cell[kept:]


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
