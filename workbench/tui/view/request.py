"""The request tab: the very line that a guest program gets for a turn, or that there is none."""

from __future__ import annotations

from workbench.adapters.process.messages import request_line
from workbench.adapters.protocol import Request
from workbench.core.cell import AdapterInfo, Cell
from workbench.core.text import SafeText, safe
from workbench.tui.view.exchange import exchange_section
from workbench.tui.view.ink import Ground, Tone, ink
from workbench.tui.view.rows import DocRow, Heading, Pair, Words, note

__all__ = ["request_section"]

GUESTS = frozenset({"python", "command"})
"""What starts a program and speaks the worker protocol with it."""

HERE = frozenset({"keyword"})


def request_section(
    baseline: Cell | None, variant: Cell, infos: tuple[AdapterInfo | None, AdapterInfo | None], strict: bool
) -> list[DocRow]:
    """The request of one trial of each side: what went over the wire, else the line that a guest gets.

    `strict`: both sides should get the same.
    """
    if exchanged := exchange_section(baseline, variant, strict):
        return exchanged
    section: list[DocRow] = [Heading(safe("request"))]
    left = _line(baseline, infos[0]) if baseline is not None else None
    right = _line(variant, infos[1])
    if left is None and right is None:
        return [*section, note(_none(infos[1]))]
    sides = [
        words_of(line) if line is not None else Words.of(ink(_none(info), Tone.MUTED))
        for line, info in zip((left, right), infos, strict=True)
    ]
    sign = "~" if strict and baseline is not None and left != right else " "
    twin = baseline is not None and left == right
    section.append(Pair(sign, sides[0] if baseline is not None else None, sides[1], twin=twin))
    section.append(note("One line, in ASCII, of the first trial; each run has ids of its own."))
    return section


def words_of(line: str) -> Words:
    """A line of JSON, however long."""
    return Words(line, lambda: ([(0, len(line), Tone.PLAIN, Ground.NONE)], SafeText("")))


def _line(cell: Cell | None, info: AdapterInfo | None) -> str | None:
    if cell is None or info is None or info.use not in GUESTS:
        return None
    first = cell.trials[0] if cell.trials else None
    attempt, seed = (first.index + 1, first.seed) if first is not None else (1, 0)
    return request_line(1, Request(cell.delivery.turn, attempt, seed)).decode("ascii").rstrip("\n")


def _none(info: AdapterInfo | None) -> str:
    if info is None:
        return "no request is known: the run does not say what this adapter is"
    if info.use in HERE:
        return "no request: this adapter runs here, in the workbench itself"
    return "no request is known: this adapter asks in a way of its own"
