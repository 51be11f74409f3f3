"""The caption of a step: a title with its keys, and below it the sentences that say what to look at."""

from __future__ import annotations

from itertools import pairwise

from workbench.core.text import safe
from workbench.tui.commands import command_of
from workbench.tui.guide import Guide, Stop
from workbench.tui.view.cells import breaks, pad, slices, spread
from workbench.tui.view.ink import Line, Tone, ink

__all__ = ["EDGE", "caption_height", "caption_lines", "key_line"]

EDGE = "▌ "
"""Stands before every line, so that the caption is told from the panes without colour too."""


def caption_height(guide: Guide, width: int) -> int:
    """Lines that the longest caption of the walk takes, so that no step moves the panes."""
    return 1 + max(len(_words(guide, stop, width)) for stop in guide.walk.stops)


def caption_lines(guide: Guide, width: int, height: int) -> tuple[Line, ...]:
    """The caption of the step that is on, in exactly `height` lines; what does not fit is cut."""
    title = (ink(EDGE, Tone.KEY), *_count(guide), ink(guide.stop.title, Tone.HEADING))
    words = _words(guide, guide.stop, width)[: max(0, height - 1)]
    lines = (
        spread(title, key_line(guide), width),
        *(pad((ink(EDGE, Tone.KEY), *line), width) for line in words),
    )
    return (*lines, *[pad((ink(EDGE, Tone.KEY),), width)] * (height - len(lines)))


def key_line(guide: Guide) -> Line:
    """What goes back and on, greyed at the ends of the walk."""
    pieces: list[Line] = []
    for command, step in ((command_of("walk-back"), -1), (command_of("walk-on"), 1)):
        usable = guide.why_not(step) is None
        pieces.append(
            (
                ink(command.shown_key, Tone.KEY if usable else Tone.HATCH),
                ink(safe(f" {command.label}  "), Tone.PLAIN if usable else Tone.HATCH),
            )
        )
    return tuple(piece for line in pieces for piece in line)


def _count(guide: Guide) -> Line:
    # What only says how to go on is no step.
    steps = sum(stop.at is not None for stop in guide.walk.stops)
    return () if guide.stop.at is None else (ink(f"{guide.number + 1} of {steps}  ", Tone.MUTED),)


def _words(guide: Guide, stop: Stop, width: int) -> list[Line]:
    room = max(10, width - len(EDGE) - 1)
    lines: list[Line] = []
    told = guide.told(stop)
    for text in told if stop.lines else (" ".join(told),):
        piece = (ink(text),)
        starts = breaks(piece[0].text, room)
        lines += [slices(piece, start, end) for start, end in pairwise((*starts, len(text)))]
    return lines
