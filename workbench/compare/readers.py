"""Several readers of one turn: what each was given, paired over two cells and compared one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from workbench.compare.pair import windows_of
from workbench.compare.rows import Row
from workbench.compare.window import PlacedWindow
from workbench.core.cell import Cell
from workbench.core.decision import Span

__all__ = ["Reader", "ReaderPair", "lacking_of", "paired", "readers_of"]


@dataclass(frozen=True, slots=True)
class Reader:
    """One tapped function, and the windows of all its calls. `tap` None: the adapter itself."""

    tap: str | None
    windows: tuple[PlacedWindow, ...]


@dataclass(frozen=True, slots=True)
class ReaderPair:
    """One call of one reader on both sides; None on the side where it was not called.

    `call` counts the calls of that reader from 1. `rows` are None unless both windows are there.
    """

    tap: str | None
    call: int
    baseline: PlacedWindow | None
    variant: PlacedWindow | None
    rows: tuple[Row, ...] | None

    @property
    def same(self) -> bool:
        """Whether both sides were given the same text; a call that one side lacks is none."""
        return self.baseline is not None and self.variant is not None and self.rows == ()


def readers_of(windows: Iterable[PlacedWindow]) -> tuple[Reader, ...]:
    """The readers in the order of their first calls."""
    found: dict[str | None, list[PlacedWindow]] = {}
    for window in windows:
        found.setdefault(window.tap, []).append(window)
    return tuple(Reader(tap, tuple(own)) for tap, own in found.items())


def lacking_of(reader: Reader) -> tuple[Span, ...]:
    """Spans of the typed text that were delivered and that no call of the reader was given."""
    lacking = list(reader.windows[0].lacking)
    for window in reader.windows[1:]:
        lacking = [
            (max(start, low), min(end, high))
            for start, end in lacking
            for low, high in window.lacking
            if max(start, low) < min(end, high)
        ]
    return tuple(lacking)


def paired(baseline: Cell | None, variant: Cell) -> tuple[ReaderPair, ...]:
    """Every call of every reader, that of the variant first; nothing where neither side reports a window."""
    from workbench.compare.align import align

    left = dict(_numbered((windows_of(baseline) if baseline else None) or ()))
    right = dict(_numbered(windows_of(variant) or ()))
    pairs = []
    for key in dict.fromkeys((*right, *left)):
        ours, theirs = left.get(key), right.get(key)
        rows: tuple[Row, ...] | None = None
        if ours is not None and theirs is not None:
            rows = () if ours.text == theirs.text else align(ours.text, theirs.text)
        pairs.append(ReaderPair(*key, ours, theirs, rows))
    return tuple(pairs)


def _numbered(windows: Iterable[PlacedWindow]) -> Iterator[tuple[tuple[str | None, int], PlacedWindow]]:
    calls: Counter[str | None] = Counter()
    for window in windows:
        calls[window.tap] += 1
        yield (window.tap, calls[window.tap]), window
