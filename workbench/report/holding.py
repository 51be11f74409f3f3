"""The hold audit of a run: adapters that acted and never declined to; what they fired without arguments."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.compare.audit import audit
from workbench.core.cell import Run
from workbench.core.decision import Json
from workbench.core.text import SafeText, join, safe
from workbench.report.measure import named
from workbench.report.writer import Line, Piece

__all__ = ["audit_view", "holding_lines"]

_MOST = 4


def holding_lines(run: Run) -> Iterator[Line]:
    """A line for each adapter that fired and never held. Nothing is told of one that did neither."""
    for found in audit(run.cells, run.adapters):
        if not found.never_held:
            continue
        words = safe(f": fired in {found.fired:,} of {found.answers:,} answers, and never held")
        empty = [named(tool.name) for tool in found.tools if tool.empty]
        more = safe(f" and {len(empty) - _MOST:,} more") if len(empty) > _MOST else safe("")
        told = join((safe("; without an argument: "), join(empty[:_MOST], ", "), more)) if empty else safe("")
        yield (Piece(named(found.adapter), "dim"), Piece(SafeText(f"{words}{told}"), "dim"))


def audit_view(run: Run) -> dict[str, Json]:
    """By adapter: answers, how many held and fired, and of each tool with which arguments."""
    return {
        found.adapter: {
            "answers": found.answers,
            "failed": found.failed,
            "held": found.held,
            "fired": found.fired,
            "tools": {
                tool.name: {
                    "fired": tool.fired,
                    "held": tool.held,
                    "arguments_not_reported": tool.unreported,
                    "arguments_empty": tool.empty,
                    "guessed": [[guess.path, guess.value] for guess in tool.guesses],
                }
                for tool in found.tools
            },
        }
        for found in audit(run.cells, run.adapters)
    }
