"""Replies that hold what was written for the model alone: a wrapper echoed to people."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.lanes.lane import Registry, Trust
from workbench.lanes.ledger.measured import Measured, Span

__all__ = ["Echo", "echoes"]

_FRAME = re.compile(r"envelope|wrap|frame|meta|preamble|turn_?tag|rules|internal|rider|system", re.IGNORECASE)
_LEAST = 20
_LEAST_OF_POLICY = 40
"""A model may rightly repeat a short sentence of what it was told, such as an address."""
_MOST_LINES = 2_000

Echo = tuple[Span, str]
"""The span that came back, and its text."""


def echoes(measured: Measured, registry: Registry | None) -> Iterator[Echo]:
    """The longest run of lines of each frame-like span that stands in the reply."""
    answer = measured.call.answer
    if answer is None or not answer.text:
        return
    for span in measured.spans:
        least = _least(span.lane, registry) if span.lane is not None else None
        if least is None or measured.part_at(span.start) is None:
            continue
        text = measured.text[span.start : span.end]
        at, run = _longest(text, answer.text)
        if len(re.sub(r"\s", "", run)) >= least:
            yield Span(span.start + at, span.start + at + len(run), span.lane), run


def _least(lane: str, registry: Registry | None) -> int | None:
    """How much has to come back to be told of; None of a lane that is no frame."""
    known = registry.lane(lane) if registry is not None else None
    if _FRAME.search(lane):
        return _LEAST
    if known is not None and known.trust is Trust.POLICY:
        return _LEAST_OF_POLICY
    return None


def _longest(text: str, reply: str) -> tuple[int, str]:
    """Where the longest run of whole lines begins that stands in the reply, and the run."""
    lines = text.split("\n")[:_MOST_LINES]
    best, best_at, at, first = "", 0, 0, 0
    while first < len(lines):
        if len(lines[first].strip()) < 3 or lines[first] not in reply:
            at += len(lines[first]) + 1
            first += 1
            continue
        run, last = lines[first], first + 1
        while last < len(lines) and f"{run}\n{lines[last]}" in reply:
            run = f"{run}\n{lines[last]}"
            last += 1
        if len(run.strip()) > len(best.strip()):
            best, best_at = run, at
        at += len(run) + 1
        first = last
    return best_at, best
