"""An audit as data. What is not known is null, and never a zero."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import Any

from workbench.capture.audit.remedy import LINES
from workbench.capture.audit.result import Audit, Kind
from workbench.core.decision import Json

__all__ = ["audit_view"]


def audit_view(audit: Audit) -> dict[str, Json]:
    """Every field. `questions` gives by kind on how many turns it could be told, and on how many it is so."""
    replayed = audit.replayed
    return {
        "workbench": 1,
        "logs": list(audit.logs),
        "turns": audit.turns,
        "left_out": dict(audit.others),
        "skipped": {"count": audit.skipped, "first": list(audit.skips)},
        "looked_at": audit.looked_at,
        "count_floor": audit.floor,
        "notes": list(audit.notes),
        "ratio": audit.ratio,
        "envelopes": audit.envelopes,
        "questions": {kind.value: _question(audit, kind) for kind in Kind},
        "outgrown": _all(audit.victims),
        "outgrown_uncalled": audit.uncalled,
        "outgrown_tools_not_logged": audit.tools_unknown,
        "heads": [{**_fields(head), "framing": head.is_framing} for head in audit.heads],
        "tools": _all(audit.uses),
        "unknown_envelopes": _all(audit.strangers),
        "unreached": _all(audit.losses),
        "replayed": None if replayed is None else _fields(replayed),
        "not_logged": _all(audit.gaps),
        "add_this_line": dict(LINES) if audit.gaps else None,
    }


def _question(audit: Audit, kind: Kind) -> Json:
    if kind is Kind.NOT_LOGGED:
        return {"asked": audit.turns, "found": audit.found.get(kind, 0)}
    asked = audit.asked.get(kind, 0)
    return {"asked": asked, "found": audit.found.get(kind, 0) if asked else None}


_fields: Callable[[Any], dict[str, Json]] = asdict


def _all(values: Iterable[Any]) -> list[Json]:
    return [_fields(value) for value in values]
