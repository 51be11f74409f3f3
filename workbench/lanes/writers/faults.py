"""What is wrong with writers: of no registered lane, or not as a baseline knows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from workbench.core.finding import Severity
from workbench.lanes.fault import LaneFault, LaneKind
from workbench.lanes.lane import Bound, Registry
from workbench.lanes.syntax.code import Unread
from workbench.lanes.writers.baseline import Known
from workbench.lanes.writers.ratchet import Change, Fresh, Gone
from workbench.lanes.writers.site import Site
from workbench.lanes.writers.stanza import unit_of
from workbench.lanes.writers.survey import Survey

__all__ = ["change_faults", "skipped_faults", "writer_faults"]

_TEXT = 60


def writer_faults(found: Survey, folder: Path) -> Iterator[LaneFault]:
    """A warning for each writer that names no lane, or one without a stanza, or has a larger limit than that.

    What tells them apart when lines move is their file's path from `folder`.
    """
    for known, site in found.known(folder).items():
        if not found.is_registered(site):
            message = f"{_head(site)}: {_lane(site, found.registry)}{_more(site)}"
            yield _at(site, known, LaneKind.WRITER, Severity.WARNING, message)
        elif (above := _above(site, found.registry)) is not None:
            yield _at(site, known, LaneKind.OVER_BUDGET, Severity.WARNING, f"{_head(site)}: {above}")


def change_faults(change: Change, found: Survey, baseline: str) -> Iterator[LaneFault]:
    """An error for each new writer, at its place in the code, and each gone one, at its baseline line."""
    for fresh in change.new:
        lane = "" if found.is_registered(fresh.site) else f"; {_lane(fresh.site, found.registry)}"
        message = f"{_head(fresh.site)} {_unlike(fresh)}{lane}{_more(fresh.site)}"
        yield _at(fresh.site, fresh.known, LaneKind.NEW_WRITER, Severity.ERROR, message)
    for gone in change.gone:
        known = gone.known
        message = f"{known.kind} in {known.function} of {known.file} {_ended(gone)}: {_short(known.text)}"
        print_ = f"gone {known.fingerprint}"
        yield LaneFault(
            LaneKind.GONE_WRITER, Severity.ERROR, message, None, baseline, known.line, None, print_
        )


def skipped_faults(unread: Iterable[Unread]) -> Iterator[LaneFault]:
    """A warning for each file that was not read, or not to its end."""
    for one in unread:
        yield LaneFault(LaneKind.SKIPPED, Severity.WARNING, one.reason, file=one.file, line=one.line)


def _at(site: Site, known: Known, kind: LaneKind, severity: Severity, message: str) -> LaneFault:
    return LaneFault(kind, severity, message, site.lane, site.file, site.line, site.column, known.fingerprint)


def _above(site: Site, registry: Registry | None) -> str | None:
    """How far the limit in the code is above the budget of the lane, where both count the same."""
    lane = registry.lane(site.lane) if registry is not None and site.lane is not None else None
    cap = site.budget
    if registry is None or lane is None or cap is None or cap.value is None or isinstance(lane.budget, Bound):
        return None
    if lane.budget is None or cap.value <= lane.budget or unit_of(cap) is not registry.unit_of(lane):
        return None
    return f"the limit in line {cap.line} is {cap.value:,}, above the lane's budget of {lane.budget:,}"


def _head(site: Site) -> str:
    return f"{site.kind} in {site.function}"


def _lane(site: Site, registry: Registry | None) -> str:
    if site.lane is None:
        return "it names no lane"
    return f"no stanza in {registry.file}" if registry is not None else "there is no registry with its stanza"


def _more(site: Site) -> str:
    """What the code says of it besides."""
    told = []
    if site.late is not None:
        told.append(f"late, {_short(site.late)}")
    if site.budget is not None:
        told.append(f"a private budget, {_short(site.budget.source)} in line {site.budget.line}")
    return "".join(f"; {one}" for one in told)


def _unlike(fresh: Fresh) -> str:
    """How a new one differs from what was there."""
    was, known = fresh.was, fresh.known
    if was is None:
        return "is not in the baseline"
    if was.text != known.text:
        return f"is not in the baseline, which has in this place: {_short(was.text)}"
    if was.file != known.file:
        return f"stood in {was.file} when the baseline was written (a renamed file?)"
    if was.function != known.function:
        return f"stood in {was.function} when the baseline was written"
    return "is not in the baseline as often"


def _ended(gone: Gone) -> str:
    """What became of one that is gone."""
    known, now = gone.known, gone.now
    if now is None:
        return "is gone: strike this line"
    if now.known.text != known.text:
        return f"was altered, in line {now.site.line}"
    return f"is now in {now.known.function} of {now.known.file}, line {now.site.line}"


def _short(text: str) -> str:
    return text if len(text) <= _TEXT else f"{text[: _TEXT - 1]}…"
