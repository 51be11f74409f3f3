"""Whether what a registry says of `emits` is what the code does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from workbench.core.errors import Problem, UsageError
from workbench.core.finding import Severity
from workbench.files.problems import shown
from workbench.lanes.check.injectors import paths_in
from workbench.lanes.emits.doing import How
from workbench.lanes.emits.injected import lacking, size_logged, spelled_in
from workbench.lanes.emits.seeing import Seen, Sight
from workbench.lanes.emits.sources import Sources
from workbench.lanes.fault import LaneFault, LaneKind
from workbench.lanes.lane import Emits, Lane
from workbench.lanes.registry import registry_of
from workbench.lanes.sheet import Entry, Sheet
from workbench.lanes.syntax.code import Place, Unread
from workbench.lanes.syntax.excluded import NOTHING, Excluded

__all__ = ["Emitted", "LaneSeen", "check_emits"]

_EMPTY = "--src names a folder with Python, TypeScript, JavaScript, Rust or Go in it, besides its tests"
_DONE = {How.LOG: "logged", How.RECEIPT: "claimed", How.NAMED: "named"}


@dataclass(frozen=True, slots=True)
class LaneSeen:
    """A lane with every place of the code that names it."""

    lane: Lane
    seen: tuple[Seen, ...]


@dataclass(frozen=True, slots=True)
class Emitted:
    """What was found; `files` counts those that were looked at."""

    lanes: tuple[LaneSeen, ...]
    faults: tuple[LaneFault, ...]
    unread: tuple[Unread, ...]
    files: int


def check_emits(sheet: Sheet, paths: Sequence[Path], excluded: Excluded = NOTHING) -> Emitted:
    """Holds every lane against the code. Raises WorkbenchError where a source is not there, or the parser,
    or where there is no code in any of them."""
    sources = Sources(paths, excluded)
    if not sources.files:
        raise UsageError(Problem("no source code to look at", hint=_EMPTY))
    sight = Sight(sources)
    lanes: list[LaneSeen] = []
    faults: list[LaneFault] = []
    registry = registry_of(sheet)
    counted = [path for lane in registry.lanes for path in _paths(lane)]
    for lane in registry.lanes:
        seen = sight.of(lane.name)
        paths_of_it = _paths(lane)
        if lane.emits is Emits.LOG and not any(one.how is How.LOG for one in seen):
            alone = all(counted.count(path) == 1 for path in paths_of_it)
            place = size_logged(sources, lane.injector or "", paths_of_it, alone)
            seen += [Seen(How.LOG, place)] if place is not None else []
        lanes.append(LaneSeen(lane, tuple(seen)))
        if _says(sheet, lane) in (None, *(one.value for one in Emits)):
            faults += _faults(sheet, lane, seen, sources)
        faults += _functions(sheet, lane, sources)
    unread = tuple(sources.unread[name] for name in sorted(sources.unread))
    return Emitted(tuple(lanes), tuple(faults), unread, sources.files)


def _paths(lane: Lane) -> list[str]:
    return [one.path for one in paths_in(lane.injector or "")]


def _faults(sheet: Sheet, lane: Lane, seen: Sequence[Seen], sources: Sources) -> Iterator[LaneFault]:
    line = _line(sheet, lane, "emits")

    def fault(severity: Severity, message: str, kind: LaneKind = LaneKind.EMITS) -> LaneFault:
        return LaneFault(kind, severity, message, lane.name, sheet.file, line)

    ways = {one.how for one in seen}
    said = _says(sheet, lane) is not None
    declared = f'emits is "{lane.emits}"' if said else 'emits is left out, which is "log"'
    if lane.emits is Emits.NONE:
        done = [one for one in seen if one.how is not How.NAMED]
        if done:
            certain = next((one for one in done if one.certain), None)
            severity = Severity.ERROR if certain else Severity.WARNING
            yield fault(severity, f"{declared}, but it is {_told(certain or done[0])}{_more(done)}")
    elif not seen:
        message = f"nothing names it in {_files(sources.files)}"
        tests = list(sources.tests_holding(lane.name))
        message += f"; only tests do: {tests[0]}{_rest(len(tests))}" if tests else ""
        yield fault(Severity.WARNING, message, LaneKind.UNNAMED)
    elif How(lane.emits) not in ways:
        other = How.RECEIPT if lane.emits is Emits.LOG else How.LOG
        wanted = "a log call" if lane.emits is Emits.LOG else "a claim"
        found = [one for one in seen if one.how is other] or list(seen)
        end = f'; if that is all, emits = "{other}"' if other in ways else ""
        first = next((one for one in found if one.certain), found[0])
        message = f"{declared}, but {wanted} with its name is not seen: it is {_told(first)}{_more(found)}"
        yield fault(Severity.WARNING, message + end)


def _functions(sheet: Sheet, lane: Lane, sources: Sources) -> Iterator[LaneFault]:
    """Functions that the injector spells, and that its file does not know."""
    for spelled in spelled_in(lane.injector or ""):
        file = lacking(sources, spelled)
        if file is not None:
            message = f"its injector names {shown(spelled.name)}, which does not occur in {shown(file)}"
            severity = Severity.ERROR if spelled.joined else Severity.WARNING
            line = _line(sheet, lane, "injector")
            yield LaneFault(LaneKind.INJECTOR, severity, message, lane.name, sheet.file, line)


def _entry(sheet: Sheet, lane: Lane, key: str) -> Entry | None:
    found = (stanza for stanza in sheet.stanzas if stanza.mark.line == lane.line)
    return next((stanza.entries[key] for stanza in found if key in stanza.entries), None)


def _says(sheet: Sheet, lane: Lane) -> object:
    """What stands at `emits`, right or wrong; None where nothing does."""
    entry = _entry(sheet, lane, "emits")
    return None if entry is None else entry.value


def _line(sheet: Sheet, lane: Lane, key: str) -> int:
    """The line of a field, else that of the stanza."""
    entry = _entry(sheet, lane, key)
    return lane.line if entry is None else entry.mark.line


def _told(seen: Seen) -> str:
    by = f", by way of {_where(seen.by)}" if seen.by is not None else ""
    return f"{_DONE[seen.how]} at {_where(seen.place)}{by}"


def _where(place: Place) -> str:
    return f"{place.file}:{place.line}"


def _more(seen: Sequence[Seen]) -> str:
    return _rest(len({one.place for one in seen}))


def _rest(count: int) -> str:
    if count < 2:
        return ""
    return f" and {count - 1:,} more place{'' if count == 2 else 's'}"


def _files(count: int) -> str:
    return f"{count:,} file{'' if count == 1 else 's'} of source code"
