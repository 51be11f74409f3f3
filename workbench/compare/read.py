"""What a router read that the user did not write, and what of the user's it did not read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from workbench.compare.making import finding, head_of, quoted, shortened
from workbench.compare.pair import windows_of
from workbench.compare.readers import Reader, lacking_of, readers_of
from workbench.compare.window import PlacedWindow
from workbench.core.cell import Cell
from workbench.core.decision import Json
from workbench.core.finding import Finding, Kind, Severity
from workbench.core.turn import Author

__all__ = ["foreign", "window_alone"]


def window_alone(cell: Cell, bare: Cell | None) -> Iterator[Finding]:
    """`leak` and `miss`: what a router read that the user did not write, and what it did not read.

    Of several readers of one turn each is judged by itself, and a finding names all that it is true of.
    """
    windows = windows_of(cell)
    if not windows:
        return
    readers = readers_of(windows)
    if cell.key.arm != "substitute":
        yield from _leak(cell, bare, readers)
    yield from _miss(cell, bare, readers)


def _leak(cell: Cell, bare: Cell | None, readers: Sequence[Reader]) -> Iterator[Finding]:
    leaky = {
        reader.tap: window
        for reader in readers
        for window in reversed(reader.windows)
        if foreign(window) and not window.ambiguous
    }
    if not leaky:
        return
    first = next(iter(leaky.values()))
    authors = _authors(first)
    whose = ", ".join(f"{n} {author}" for author, n in authors.most_common() if n)
    yield finding(
        Kind.LEAK,
        Severity.ERROR if cell.delivery.document else Severity.WARNING,
        cell,
        f"LEAK [{cell.key.arm}] {quoted(cell)}: {_named(first.tap, readers)} read {foreign(first)} characters"
        f" the user did not write, white space aside ({whose}), scanned={head_of(first)}"
        f"{_also('so did', leaky, readers)}",
        bare,
        foreign=foreign(first),
        authors=dict(authors),
        **_by_reader({tap: foreign(window) for tap, window in leaky.items()}, readers),
    )


def _miss(cell: Cell, bare: Cell | None, readers: Sequence[Reader]) -> Iterator[Finding]:
    # The one that decides is told first.
    lacking = {reader.tap: spans for reader in reversed(readers) if (spans := lacking_of(reader))}
    if not lacking:
        return
    tap, spans = next(iter(lacking.items()))
    typed = cell.delivery.typed
    words = [typed[slice(*_to_words(typed, span))].strip() for span in spans]
    shown = ", ".join(f"'{shortened(word, 40)}'" for word in words[:4])
    more = f" and {len(words) - 4} more" if len(words) > 4 else ""
    last = next(reader.windows[-1] for reader in readers if reader.tap == tap)
    yield finding(
        Kind.MISS,
        Severity.WARNING,
        cell,
        f"MISS [{cell.key.arm}] {quoted(cell)}: {_named(tap, readers)} did not read {shown}{more},"
        f" scanned={head_of(last)}{_also('nor did', lacking, readers)}",
        bare,
        lacking=list(words),
        lacking_spans=[list(span) for span in spans],
        **_by_reader({name: [list(span) for span in found] for name, found in lacking.items()}, readers),
    )


def _named(tap: str | None, readers: Sequence[Reader]) -> str:
    return tap if tap is not None and len(readers) > 1 else "the router"


def _also(words: str, found: Mapping[str | None, object], readers: Sequence[Reader]) -> str:
    """The other readers of which it is true too."""
    others = [_named(tap, readers) for tap in found][1:]
    return f"; {words} {', '.join(others)}" if others else ""


def _by_reader(found: Mapping[str | None, Json], readers: Sequence[Reader]) -> dict[str, Json]:
    """What was found of each of several readers, by name; null where nothing was."""
    return {"readers": {str(r.tap): found.get(r.tap) for r in readers}} if len(readers) > 1 else {}


def _authors(window: PlacedWindow) -> Counter[str]:
    authors = Counter[str]()
    for part in window.parts:
        if part.author is not Author.USER:
            authors[part.author.value] += len("".join(window.text[part.start : part.end].split()))
    return authors


def foreign(window: PlacedWindow) -> int:
    """How many characters of a window, white space left out, the user did not write."""
    return sum(
        len("".join(window.text[part.start : part.end].split()))
        for part in window.parts
        if part.author is not Author.USER
    )


def _to_words(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """The span grown to the edges of the words that it cuts."""
    start, end = span
    while start > 0 and text[start - 1].isalnum() and text[start].isalnum():
        start -= 1
    while end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
        end += 1
    return start, end
