"""Several readers of one turn: beside the one that decided, each of the others on both arms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from workbench.core.text import SafeText, join, safe
from workbench.report.evidence import Seen, SeenWindow
from workbench.report.measure import named
from workbench.report.panes import pane_lines
from workbench.report.writer import Line, Piece, Style

__all__ = ["reader_lines"]

_MOST = 6

_Key = tuple[str | None, int]


def reader_lines(baseline: Seen | None, variant: Seen | None, style: Style, indent: int) -> Iterator[Line]:
    """For each call of a reader that did not decide, whether both arms gave it the same, and its windows.

    Nothing where no arm has such a call, or where there is but one arm.
    """
    if baseline is None or variant is None or not (baseline.earlier or variant.earlier):
        return
    left, right = _calls(baseline), _calls(variant)
    decided = _last(right) if _last(left) == _last(right) else None
    keys = [key for key in dict.fromkeys((*right, *left)) if key != decided]
    for key in keys[:_MOST]:
        ours, theirs = left.get(key), right.get(key)
        name = _name(key, (*left, *right))
        if ours is not None and theirs is not None and ours.text == theirs.text:
            yield _said(name, f"given the same {ours.length:,} characters on both arms")
            continue
        if ours is None or theirs is None:
            arm = named(variant.arm if ours is None else baseline.arm)
            yield (*_said(name, "called on "), Piece(join((arm, safe(" alone")))))
        else:
            yield _said(name, f"given {ours.length:,} characters, then {theirs.length:,}")
        sides = replace(baseline, window=ours, matches=()), replace(variant, window=theirs, matches=())
        yield from pane_lines(*sides, style, indent)
    if len(keys) > _MOST:
        yield (Piece(safe(f"  and {len(keys) - _MOST:,} more calls"), "dim"),)


def _calls(side: Seen) -> dict[_Key, SeenWindow]:
    """Every window of an arm, by reader and call."""
    counts: Counter[str | None] = Counter()
    found: dict[_Key, SeenWindow] = {}
    for window in (*side.earlier, *([side.window] if side.window else ())):
        counts[window.tap] += 1
        found[window.tap, counts[window.tap]] = window
    return found


def _last(calls: dict[_Key, SeenWindow]) -> _Key | None:
    return next(reversed(calls), None)


def _name(key: _Key, keys: Iterable[_Key]) -> SafeText:
    tap, call = key
    name = named(tap) if tap else safe("a reader")
    several = any(other == tap and number > 1 for other, number in keys)
    return SafeText(f"{name}, call {call}") if several else name


def _said(name: SafeText, words: str) -> Line:
    return (Piece(safe("  reader    "), "dim"), Piece(name, "strong"), Piece(safe(f": {words}")))
