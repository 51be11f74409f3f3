"""What a router read that the user did not write, and what of the user's it did not read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from workbench.compare.making import finding, head_of, quoted, shortened
from workbench.compare.pair import windows_of
from workbench.compare.window import PlacedWindow
from workbench.core.cell import Cell
from workbench.core.finding import Finding, Kind, Severity
from workbench.core.turn import Author

__all__ = ["foreign", "window_alone"]


def window_alone(cell: Cell, bare: Cell | None) -> Iterator[Finding]:
    """`leak` and `miss`: what a router read that the user did not write, and what it did not read."""
    windows = windows_of(cell)
    if not windows:
        return
    prompt, arm = quoted(cell), cell.key.arm
    leaky = next((w for w in windows if foreign(w) and not w.ambiguous), None)
    if leaky and arm != "substitute":
        count = foreign(leaky)
        authors = Counter[str]()
        for part in leaky.parts:
            if part.author is not Author.USER:
                authors[part.author.value] += len("".join(leaky.text[part.start : part.end].split()))
        whose = ", ".join(f"{n} {author}" for author, n in authors.most_common() if n)
        yield finding(
            Kind.LEAK,
            Severity.ERROR if cell.delivery.document else Severity.WARNING,
            cell,
            f"LEAK [{arm}] {prompt}: the router read {count} characters the user did not write,"
            f" white space aside ({whose}), scanned={head_of(leaky)}",
            bare,
            foreign=count,
            authors=dict(authors),
        )
    window = windows[-1]
    if window.lacking:
        typed = cell.delivery.typed
        words = [typed[slice(*_to_words(typed, span))].strip() for span in window.lacking]
        shown = ", ".join(f"'{shortened(word, 40)}'" for word in words[:4])
        more = f" and {len(words) - 4} more" if len(words) > 4 else ""
        yield finding(
            Kind.MISS,
            Severity.WARNING,
            cell,
            f"MISS [{arm}] {prompt}: the router did not read {shown}{more}, scanned={head_of(window)}",
            bare,
            lacking=list(words),
            lacking_spans=[list(span) for span in window.lacking],
        )


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
