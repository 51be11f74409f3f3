"""How a line is drawn while it is typed: pasted text, phrases that fire, phrases that hold."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from workbench.core.decision import Span
from workbench.shell.paste import Draft
from workbench.shell.preview import Glance

__all__ = ["Stretch", "lit", "lit_lines"]


@dataclass(frozen=True, slots=True)
class Stretch:
    """[start, end) of a line, and what it is: any of `paste`, `fires`, `holds`."""

    start: int
    end: int
    looks: tuple[str, ...] = ()


def lit(draft: Draft, glance: Glance | None) -> tuple[Stretch, ...]:
    """The whole text cut where its look changes; without gap, nothing for an empty text."""
    named: dict[str, Sequence[Span]] = {"paste": draft.pastes}
    if glance is not None:
        named |= {"fires": glance.fires, "holds": glance.holds}
    size = len(draft.text)
    edges = {0, size}
    edges.update(min(edge, size) for spans in named.values() for span in spans for edge in span)
    cuts = sorted(edges)
    return tuple(
        Stretch(start, end, tuple(look for look, spans in named.items() if _within(start, spans)))
        for start, end in pairwise(cuts)
    )


def lit_lines(draft: Draft, glance: Glance | None) -> list[list[tuple[str, tuple[str, ...]]]]:
    """For each line of the text its pieces, each with its looks; line feeds are left out."""
    lines: list[list[tuple[str, tuple[str, ...]]]] = [[]]
    for stretch in lit(draft, glance):
        for number, piece in enumerate(draft.text[stretch.start : stretch.end].split("\n")):
            if number:
                lines.append([])
            if piece:
                lines[-1].append((piece, stretch.looks))
    return lines


def _within(at: int, spans: Sequence[Span]) -> bool:
    """Whether one of ordered spans, that do not overlap, holds `at`."""
    before = bisect_right(spans, at, key=lambda span: span[0]) - 1
    return before >= 0 and at < spans[before][1]
