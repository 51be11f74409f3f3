"""A finding in one line: its sign, what it is headed, and the rest of its headline."""

from __future__ import annotations

import re

from workbench.core.finding import Finding, Severity
from workbench.core.text import visible
from workbench.tui.view.ink import Line, Piece, ink, severity_tone

__all__ = ["headline", "sign"]

_HEAD = re.compile(r"[A-Z]{2}[A-Z -]*(?=\s|$)")


def sign(finding: Finding) -> Piece:
    """✗ an error, ! a warning, · a note."""
    mark = {Severity.ERROR: "✗", Severity.WARNING: "!"}.get(finding.severity, "·")
    return ink(mark, severity_tone(finding.severity))


def headline(finding: Finding) -> Line:
    """The headline; where it is not headed in capitals, its kind comes first."""
    tone = severity_tone(finding.severity)
    head = _HEAD.match(finding.headline)
    if head is None:
        return (ink(f"{finding.kind.value}: ", tone), Piece(visible(finding.headline)))
    words, rest = finding.headline[: head.end()], finding.headline[head.end() :]
    return (Piece(visible(words), tone), Piece(visible(rest)))
