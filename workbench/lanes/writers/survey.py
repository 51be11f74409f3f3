"""A source tree's writers beside the registry: who is registered, and what the others ask for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from workbench.lanes.lane import Registry
from workbench.lanes.syntax.code import Unread
from workbench.lanes.syntax.excluded import NOTHING, Excluded
from workbench.lanes.writers.baseline import Known, known_of
from workbench.lanes.writers.finding import find_writers
from workbench.lanes.writers.ratchet import Change, Scope, compare
from workbench.lanes.writers.site import Confidence, Site
from workbench.lanes.writers.stanza import Proposal, propose

__all__ = ["Survey", "survey"]


@dataclass(frozen=True)
class Survey:
    """`sites`: those that count, by place; `everything`: those of low confidence too."""

    sources: tuple[Path, ...]
    excluded: Excluded
    registry: Registry | None
    sites: tuple[Site, ...]
    everything: tuple[Site, ...]
    unread: tuple[Unread, ...]
    files: int

    @cached_property
    def proposed(self) -> Mapping[Site, Proposal]:
        """A stanza for each site without a registered lane, its injector relative to the registry."""
        folder = Path(self.registry.file).absolute().parent if self.registry else Path().absolute()
        return propose(self.sites, None if self.is_unwritten else self.registry, folder)

    @property
    def is_unwritten(self) -> bool:
        """Whether a registry is still to be begun: there is none, or an empty file."""
        one = self.registry
        return one is None or (not one.lanes and one.unit is None and one.schema_version is None)

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """Each proposed stanza once, in the order of the sites."""
        return tuple({stanza.name: stanza for stanza in self.proposed.values()}.values())

    def is_registered(self, site: Site) -> bool:
        """Whether the site names a lane that has a stanza."""
        return site.lane is not None and self.registry is not None and bool(self.registry.lane(site.lane))

    def known(self, folder: Path, *, everything: bool = False) -> dict[Known, Site]:
        """The sites by what they are; files relative to `folder`."""
        return known_of(self.everything if everything else self.sites, folder)

    def since(self, baseline: Sequence[Known], folder: Path) -> Change:
        """What is new and gone since a baseline, which lies in `folder`.

        A writer of low confidence that stands in the baseline is there for as long as the code has it.
        """
        there = self.known(folder, everything=True)
        counting = set(self.sites)
        shown = {known: site for known, site in there.items() if site in counting}
        unread = frozenset(one.file for one in self.unread)
        return compare(baseline, shown, there, Scope(folder, self.sources, unread, self.excluded))


def survey(
    sources: Sequence[Path],
    registry: Registry | None,
    *,
    everything: bool = False,
    excluded: Excluded = NOTHING,
) -> Survey:
    """Reads the sources. `everything`: sites of low confidence count as well.

    Raises WorkbenchError where a source is not there, or the parser is missing.
    """
    names = [lane.name for lane in registry.lanes] if registry is not None else []
    found = find_writers(sources, known=names, everything=True, excluded=excluded)
    least = Confidence.LOW if everything else Confidence.MEDIUM
    sites = tuple(site for site in found.sites if site.confidence >= least)
    return Survey(tuple(sources), excluded, registry, sites, found.sites, found.unread, found.files)
