"""Writers as rows of the JSON report: every site with all that is known of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.core.decision import Json
    from workbench.lanes.writers.baseline import Known
    from workbench.lanes.writers.ratchet import Change
    from workbench.lanes.writers.site import Site
    from workbench.lanes.writers.survey import Survey

__all__ = ["rows"]


def rows(found: Survey, change: Change | None = None) -> dict[str, Json]:
    """What stands beside the findings; `baseline` where there was one to compare with."""
    new = {fresh.site for fresh in change.new} if change is not None else set()
    sites = [_site(site, found, None if change is None else site in new) for site in found.sites]
    beside: dict[str, Json] = {
        "sites": sites,
        "stanzas": [{"lane": one.name, "toml": one.toml()} for one in found.proposals],
        "registry": found.registry.file if found.registry is not None else None,
        "files": found.files,
        "skipped": [{"file": one.file, "line": one.line, "reason": one.reason} for one in found.unread],
    }
    if change is not None:
        beside["baseline"] = {
            "known": len(change.kept),
            "new": [{**_known(fresh.known), "line": fresh.site.line} for fresh in change.new],
            "gone": [{**_known(gone.known), "line": gone.known.line} for gone in change.gone],
            "not_looked_at": len(change.aside),
        }
    return beside


def _site(site: Site, found: Survey, new: bool | None) -> dict[str, Json]:
    proposal = found.proposed.get(site)
    lane = found.registry.lane(site.lane) if found.registry is not None and site.lane is not None else None
    row: dict[str, Json] = {
        "file": site.file,
        "line": site.line,
        "column": site.column,
        "first_line": site.first_line,
        "last_line": site.last_line,
        "lines": list(site.lines),
        "kind": site.kind.value,
        "confidence": site.confidence.name.lower(),
        "function": site.function,
        "text": site.text,
        "ordinal": site.ordinal,
        "lane": site.lane,
        "registered": found.is_registered(site),
        "registered_budget": lane.budget if lane is not None else None,
        "budget": _budget(site),
        "fence": site.fence,
        "late": site.late,
        "proposed": proposal.name if proposal is not None else None,
        "stanza": proposal.toml() if proposal is not None else None,
    }
    return row if new is None else {**row, "new": new}


def _budget(site: Site) -> Json:
    cap = site.budget
    return None if cap is None else {"source": cap.source, "value": cap.value, "line": cap.line}


def _known(known: Known) -> dict[str, Json]:
    return {
        "file": known.file,
        "function": known.function,
        "kind": known.kind,
        "text": known.text,
        "ordinal": known.ordinal,
    }
