"""Writers held against those that are known: what is new, what is gone, and what only moved."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from workbench.lanes.syntax.excluded import NOTHING, Excluded
from workbench.lanes.writers.baseline import Known
from workbench.lanes.writers.site import Site

__all__ = ["Change", "Fresh", "Gone", "Scope", "compare"]


@dataclass(frozen=True, slots=True)
class Fresh:
    """A writer that the baseline has not. `was`: what is gone and most likely was this one."""

    known: Known
    site: Site
    was: Known | None = None


@dataclass(frozen=True, slots=True)
class Gone:
    """A writer of the baseline that is in the code no longer. `now`: the new one that it most likely is."""

    known: Known
    now: Fresh | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """`aside`: writers of the baseline in files that were not asked for, or not read to their end."""

    new: tuple[Fresh, ...]
    gone: tuple[Gone, ...]
    kept: tuple[Known, ...]
    aside: tuple[Known, ...]


@dataclass(frozen=True, slots=True)
class Scope:
    """What was read: these sources, but what is excluded, and but the files in `unread`."""

    folder: Path
    sources: Sequence[Path]
    unread: Collection[str] = ()
    excluded: Excluded = NOTHING

    def holds(self, known: Known) -> bool:
        """Whether the writer would have been found where it is still there."""
        file = _whole(self.folder / known.file)
        if file in {_whole(Path(name)) for name in self.unread}:
            return False
        for source in self.sources:
            top = _whole(source)
            if file == top or (top in file.parents and source.is_dir()):
                inside = top if file != top else top.parent
                return not self.excluded.covers(file, inside)
        return False


def compare(
    baseline: Iterable[Known], shown: Mapping[Known, Site], there: Collection[Known], scope: Scope
) -> Change:
    """What changed since the baseline. `shown`: the sites that count; `there`: all, of low confidence too."""
    known = sorted(baseline)
    before = set(known)
    new = [one for one in shown if one not in before]
    gone = [one for one in known if one not in there and scope.holds(one)]
    lost = set(gone)
    kept = tuple(one for one in known if one in there)
    aside = tuple(one for one in known if one not in there and one not in lost)
    pairs = _pairs(new, gone)
    fresh = tuple(Fresh(one, shown[one], pairs.get(one)) for one in new)
    now = {one.was: one for one in fresh if one.was is not None}
    return Change(fresh, tuple(Gone(one, now.get(one)) for one in gone), kept, aside)


_ALIKE: tuple[Callable[[Known], tuple[str, ...]], ...] = (
    lambda one: (one.function, one.kind, one.text),  # its file was renamed
    lambda one: (one.file, one.kind, one.text),  # its function was
    lambda one: (one.kind, one.text),
    lambda one: (one.file, one.function, one.kind),  # its text was altered
)


def _pairs(new: Sequence[Known], gone: Sequence[Known]) -> dict[Known, Known]:
    """Each new one with the gone one that it is most alike; none stands in two pairs."""
    pairs: dict[Known, Known] = {}
    left = list(gone)
    for alike in _ALIKE:
        waiting: dict[tuple[str, ...], list[Known]] = {}
        for one in left:
            waiting.setdefault(alike(one), []).append(one)
        for one in new:
            found = waiting.get(alike(one)) if one not in pairs else None
            if found:
                pairs[one] = found.pop(0)
        taken = set(pairs.values())
        left = [one for one in left if one not in taken]
    return pairs


def _whole(path: Path) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100 - a link stays where it stands
