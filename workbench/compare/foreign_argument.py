"""Arguments whose values stand in text that the user did not write."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.compare.calls import Change, ChangeKind
from workbench.compare.making import finding, quoted, shortened
from workbench.compare.read import foreign
from workbench.compare.window import Found, place
from workbench.core.cell import Cell
from workbench.core.decision import Json, Window, WindowSource
from workbench.core.finding import Finding, Kind, Severity
from workbench.core.turn import Author, Turn

__all__ = ["foreign_arguments", "leaves", "sampled_foreign_arguments", "squeezed"]


_LEAST = 4  # characters of a sampled value: among many draws a short one stands somewhere by chance


def foreign_arguments(cell: Cell, bare: Cell, changes: list[tuple[str, Change]]) -> Iterator[Finding]:
    """`foreign-argument`, of the calls that both sides decided on."""
    turn, typed = cell.delivery.turn, cell.delivery.typed
    hits: list[dict[str, Json]] = []
    for name, change in changes:
        if change.kind is ChangeKind.REMOVED:
            continue
        for path, value in leaves(change.path, change.after):
            if (found := _authors(value, turn, typed)) is not None:
                hits.append({"tool": name, "path": path, "value": value, "before": change.before, **found})
    if hits:
        yield _finding(cell, bare, hits, "")


def sampled_foreign_arguments(cell: Cell, bare: Cell) -> Iterator[Finding]:
    """`foreign-argument`, of a sampled cell's calls to a tool that bare calls too, never with that value."""
    turn, typed = cell.delivery.turn, cell.delivery.typed
    usual = _values(bare)
    there = squeezed("\n".join((turn.text, *(attached.text for attached in turn.attachments))))
    hits: list[dict[str, Json]] = []
    for tool, values in _values(cell).items():
        for value, (path, count) in values.items() if tool in usual else ():
            if value in usual[tool] or len(value.strip()) < _LEAST or squeezed(value) not in there:
                continue  # looked for here first: to place what stands nowhere takes long
            if (found := _authors(value, turn, typed)) is not None:
                hits.append({"tool": tool, "path": path, "value": value, "times": count, **found})
    if hits:
        hits.sort(key=lambda hit: -int(str(hit["times"])))
        yield _finding(cell, bare, hits, f", in {hits[0]['times']} of {len(cell.ok)}")


def _finding(cell: Cell, bare: Cell, hits: list[dict[str, Json]], often: str) -> Finding:
    first = hits[0]
    return finding(
        Kind.FOREIGN_ARGUMENT,
        Severity.ERROR,
        cell,
        f"FOREIGN ARGUMENT [{cell.key.arm}] {quoted(cell)}: {first['tool']}({first['path']}) ="
        f" '{shortened(str(first['value']), 60)}' stands in text the user did not write{often}",
        bare,
        arguments=hits,
    )


def _authors(value: str, turn: Turn, typed: str) -> dict[str, Json] | None:
    """Who wrote the value, and where; None where it is the user's, or not to be told."""
    placed = place(Window(value, WindowSource.REPORTED), turn, typed)
    whole = placed.found not in (Found.NOWHERE, Found.PIECES, Found.WORDS)
    if not (whole and foreign(placed) and not placed.ambiguous and len(value.strip()) > 1):
        return None
    authors = {part.author.value for part in placed.parts if part.author is not Author.USER}
    spans = None if placed.spans is None else [list(span) for span in placed.spans]
    return {"authors": sorted(authors), "spans": spans}


def _values(cell: Cell) -> dict[str, dict[str, tuple[str, int]]]:
    """By tool: every text and number of its calls, with its first path, and in how many trials it came."""
    found: dict[str, dict[str, tuple[str, int]]] = {}
    for decision, count in cell.answers:
        seen: set[tuple[str, str]] = set()
        for call in decision.calls if decision.called else ():
            values = found.setdefault(call.name, {})
            for path, value in leaves("", call.arguments):
                first, times = values.get(value, (path, 0))
                if (call.name, value) not in seen:
                    values[value] = (first, times + count)
                seen.add((call.name, value))
    return found


def squeezed(text: str) -> str:
    """The text without case and white space."""
    return "".join(text.casefold().split())


def leaves(path: str, value: Json) -> Iterator[tuple[str, str]]:
    """Every text and number in a JSON value, with its path, however deep it is nested."""
    waiting: list[tuple[str, Json]] = [(path, value)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, str):
            yield path, value
        elif isinstance(value, bool) or value is None:
            continue
        elif isinstance(value, int | float):
            yield path, str(value)
        elif isinstance(value, dict):
            within = [(f"{path}.{key}" if path else str(key), inner) for key, inner in value.items()]
            waiting.extend(reversed(within))
        elif isinstance(value, list | tuple):
            waiting.extend(reversed([(f"{path}[{index}]", inner) for index, inner in enumerate(value)]))
