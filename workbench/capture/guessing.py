"""Which column of an unknown log holds what: by its name, and by what stands inside what."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from workbench.capture.chains import chain_of
from workbench.capture.pairing import Pair
from workbench.capture.readers.columns import column
from workbench.capture.readers.fields import NAMES, number
from workbench.capture.readers.messages import asked_of
from workbench.capture.turns import Columns, Place
from workbench.core.errors import Problem, UsageError, WorkbenchError

__all__ = ["cut_length", "find_columns", "guess", "is_half", "is_log"]

_DEEPEST = 3
_ENOUGH = 0.6
"""The share of the rows in which the typed words have to stand inside the other text."""
_ROUND = (64, 80, 100, 120, 128, 140, 160, 200, 250, 255, 256, 280, 300, 400, 500, 512, 1000, 1024, 2000)
_CUTS = frozenset((*_ROUND, 2048, 4000, 4096, 5000, 8000, 8192, 10_000, 16_384, 32_768, 65_535, 65_536))
_CUT_OFTEN = 3
"""Different texts of one length, all others shorter, and the length a round one: that is a limit."""
_FEW = 12
"""Rows that are enough to look at where each takes longer."""
_NOWHERE = Place("", 0)
_HUMP = re.compile("(?<=[a-z0-9])(?=[A-Z])")
_LENGTHS = ("typed_length", "wrapped_length")
_WORDS = ("typed", "wrapped", "scanned", "head", *_LENGTHS)
_WEAK = {"typed": ("question", "query"), "wrapped": ("prompt", "input", "messages", "content", "text")}


def find_columns(sample: Sequence[Mapping[str, Any]], given: Columns) -> dict[str, str]:
    """The columns of a log, by field: those given, and the rest guessed.

    Raises UsageError where a given one does not exist, WorkbenchError where none holds a text.
    """
    paths = _paths(sample)
    for name in given.given().values():
        if all(column(row, name) is None for row in sample) and name not in paths:
            close = get_close_matches(name, paths, 1)
            hint = f"did you mean {close[0]!r}? " if close else ""
            raise UsageError(
                Problem(f"there is no column {name!r}", hint=f"{hint}there are: {_listed(paths)}")
            )
    found = guess(sample, given.given())
    if not any(field in found for field in _WORDS):
        raise WorkbenchError(
            Problem(
                f"no column could be what a user typed or a router was given: {_listed(paths)}",
                hint="name them: --typed COLUMN --wrapped COLUMN",
            )
        )
    return found


def guess(sample: Sequence[Mapping[str, Any]], given: Mapping[str, str]) -> dict[str, str]:
    """The columns by field, as far as they can be told from some rows."""
    paths = _paths(sample)
    values = {path: [column(row, path) for row in sample] for path in paths}
    found = dict(given)
    for field in NAMES:
        if field not in found and (path := _by_name(field, values, set(found.values()))) is not None:
            found[field] = path
    _by_content(found, values, given)
    return found


def is_log(found: Mapping[str, str]) -> bool:
    """Whether these columns tell enough for a log of turns where nobody said so."""
    pair = "typed" in found and "wrapped" in found
    return pair or ("typed_length" in found and "wrapped_length" in found) or "scanned" in found


def is_half(found: Mapping[str, str]) -> bool:
    """Whether one of these columns is called as only what was typed, or only what was routed, is."""
    return any(field in found and not _weak(field, found[field]) for field in ("typed", "wrapped"))


def cut_length(sample: Sequence[Mapping[str, Any]], found: Mapping[str, str]) -> int | None:
    """The length at which the text that was given, or read, is cut in every row; None where it is whole."""
    path = found.get("wrapped", found.get("scanned"))
    values = [column(row, path) for row in sample] if path is not None else []
    texts = [value for value in values if isinstance(value, str)]
    longest = max(map(len, texts), default=0)
    cut = {text for text in texts if len(text) == longest}
    return longest if longest in _CUTS and len(cut) >= _CUT_OFTEN else None


def _paths(sample: Sequence[Mapping[str, Any]]) -> list[str]:
    """Every column, those within objects as dotted paths, in the order of their first row."""
    found: dict[str, None] = {}
    for row in sample:
        _walk(row, "", found, 1)
    return list(found)


def _walk(row: Mapping[str, Any], before: str, found: dict[str, None], depth: int) -> None:
    for key, value in row.items():
        found[f"{before}{key}"] = None
        if isinstance(value, dict) and depth < _DEEPEST:
            _walk(value, f"{before}{key}.", found, depth + 1)


def _by_name(field: str, values: Mapping[str, Sequence[Any]], taken: set[str]) -> str | None:
    """The column whose name says that it holds the field, and whose values can be it."""
    last = {path: _name(path) for path in values if path not in taken}
    for name in NAMES[field]:
        for path in sorted(
            (path for path, own in last.items() if own == name), key=lambda path: path.count(".")
        ):
            if _can_be(field, [value for value in values[path] if value is not None]):
                return path
    return None


def _name(path: str) -> str:
    return _HUMP.sub("_", path.rpartition(".")[2]).lower().replace("-", "_").replace(" ", "_")


def _can_be(field: str, values: Sequence[Any]) -> bool:
    if not values:
        return field not in _LENGTHS  # an empty column says no more than its name
    if field in _LENGTHS:
        return all(number(value) is not None for value in values)
    if field == "wrapped":
        return any(isinstance(value, str | list) and not _is_number(value) for value in values)
    if field in _WORDS:
        return any(isinstance(value, str) and not _is_number(value) for value in values)
    if field == "tools":
        return all(isinstance(value, str | list | dict) for value in values)
    return not any(isinstance(value, list | dict) for value in values)


def _is_number(value: Any) -> bool:
    return isinstance(value, str) and number(value) is not None


def _by_content(found: dict[str, str], values: Mapping[str, Sequence[Any]], given: Mapping[str, str]) -> None:
    """Finds, or puts right where the name said little, which column stands inside which."""
    sure = {field: path for field, path in found.items() if field in given or not _weak(field, path)}
    if "typed" in sure and "wrapped" in sure:
        return
    texts = {path: [_as_text(value) for value in rows] for path, rows in values.items()}
    texts = {path: rows for path, rows in texts.items() if any(rows)}
    kept = {path for field, path in sure.items() if field not in ("typed", "wrapped", "scanned")}
    inner = [sure["typed"]] if "typed" in sure else [path for path in texts if path not in kept]
    outer = [sure["wrapped"]] if "wrapped" in sure else [path for path in texts if path not in kept]
    both = [
        (texts.get(typed, ()), texts.get(wrapped, ()), typed, wrapped) for typed in inner for wrapped in outer
    ]
    for holds, rows in ((_holds, None), (_holds_changed, _FEW)):
        fits = [
            (fit, typed, wrapped)
            for few, many, typed, wrapped in both
            if typed != wrapped and (fit := _stands_inside(few[:rows], many[:rows], holds)) is not None
        ]
        if fits:
            _, found["typed"], found["wrapped"] = best = max(fits, key=lambda one: one[0])
            if found.get("scanned") in best[1:]:
                del found["scanned"]
            return
    # two names that say little, and neither text stands inside the other: that is no pair
    if "typed" in found and "typed" not in sure and "wrapped" in found and "wrapped" not in sure:
        del found["typed"]


def _as_text(value: Any) -> str | None:
    """A text, or what a list of messages asks last."""
    if isinstance(value, list):
        asked = asked_of(value)
        return asked.whole if asked is not None else None
    return value if isinstance(value, str) else None


def _weak(field: str, path: str) -> bool:
    return _name(path) in _WEAK.get(field, ())


def _holds(wrapped: str, typed: str) -> bool:
    return typed in wrapped


def _holds_changed(wrapped: str, typed: str) -> bool:
    """Whether the words stand there as a path may have put them: escaped, encoded, quoted by lines."""
    return chain_of(Pair(typed, wrapped, _NOWHERE)) is not None


def _stands_inside(
    typed: Sequence[Any], wrapped: Sequence[Any], holds: Callable[[str, str], bool]
) -> tuple[float, float] | None:
    """How often, and how long a text, where one column stands inside another that is longer; else None.

    A name or a channel stands inside a wrapped turn as well: of several, the longest is what was typed.
    """
    pairs = [
        (inner, outer)
        for inner, outer in zip(typed, wrapped, strict=False)
        if isinstance(inner, str) and isinstance(outer, str) and inner and outer
    ]
    inside = [(inner, outer) for inner, outer in pairs if len(inner) >= 2 and holds(outer, inner)]
    if not inside or len(inside) < _ENOUGH * len(pairs) or all(inner == outer for inner, outer in inside):
        return None
    if len(inside) > 3 and len({inner for inner, _ in inside}) == 1:
        return None  # the same word in every row is a label
    return round(len(inside) / len(pairs), 1), sum(len(inner) for inner, _ in inside) / len(inside)


def _listed(paths: Sequence[str]) -> str:
    shown = ", ".join(paths[:20]) or "no columns"
    return shown + (f" and {len(paths) - 20} more" if len(paths) > 20 else "")
