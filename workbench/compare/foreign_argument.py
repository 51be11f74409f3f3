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
from workbench.core.turn import Author

__all__ = ["foreign_arguments"]


def foreign_arguments(cell: Cell, bare: Cell, changes: list[tuple[str, Change]]) -> Iterator[Finding]:
    turn, typed = cell.delivery.turn, cell.delivery.typed
    hits: list[dict[str, Json]] = []
    for name, change in changes:
        if change.kind is ChangeKind.REMOVED:
            continue
        for path, value in _leaves(change.path, change.after):
            placed = place(Window(value, WindowSource.REPORTED), turn, typed)
            whole = placed.found not in (Found.NOWHERE, Found.PIECES, Found.WORDS)
            if whole and foreign(placed) and not placed.ambiguous and len(value.strip()) > 1:
                authors = {p.author.value for p in placed.parts if p.author is not Author.USER}
                hits.append(
                    {
                        "tool": name,
                        "path": path,
                        "value": value,
                        "before": change.before,
                        "authors": sorted(authors),
                        "spans": None if placed.spans is None else [list(s) for s in placed.spans],
                    }
                )
    if hits:
        first = hits[0]
        yield finding(
            Kind.FOREIGN_ARGUMENT,
            Severity.ERROR,
            cell,
            f"FOREIGN ARGUMENT [{cell.key.arm}] {quoted(cell)}: {first['tool']}({first['path']}) ="
            f" '{shortened(str(first['value']), 60)}' stands in text the user did not write",
            bare,
            arguments=hits,
        )


def _leaves(path: str, value: Json) -> Iterator[tuple[str, str]]:
    """Every text and number in a JSON value, with its path."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, int | float):
        yield path, str(value)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(f"{path}.{key}" if path else str(key), inner)
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            yield from _leaves(f"{path}[{index}]", inner)
