"""JSON that every reader accepts: ASCII, no NaN, no depth that ends a parser."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence

from workbench.core.decision import Json
from workbench.core.text import SafeText, visible

__all__ = ["MAX_DEPTH", "dumped", "portable", "spelled"]

MAX_DEPTH = 100
"""Levels of nesting that are shown; parsers give up at some hundreds."""

_TOO_DEEP = "(nested deeper than is shown)"


def portable(value: Json, replaced: list[str], path: str = "", depth: int = 0) -> Json:
    """`value` as plain JSON types. NaN and the infinities become the strings "NaN", "Infinity" and
    "-Infinity", what is nested too deep a sentence; the paths of both are added to `replaced`.
    """
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        replaced.append(path)
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if depth >= MAX_DEPTH:
        replaced.append(path)
        return _TOO_DEEP
    if isinstance(value, Mapping):
        return {str(k): portable(v, replaced, f"{path}.{k}", depth + 1) for k, v in value.items()}
    if isinstance(value, Sequence | frozenset | set):
        return [portable(item, replaced, f"{path}[{i}]", depth + 1) for i, item in enumerate(value)]
    return str(value)


def dumped(record: Mapping[str, Json]) -> SafeText:
    """A record as one line of ASCII JSON. Where a value had to be replaced, `replaced` lists its path."""
    replaced: list[str] = []
    clean = {key: portable(value, replaced, key) for key, value in record.items()}
    if replaced:
        clean["replaced"] = replaced
    return visible(json.dumps(clean, ensure_ascii=True, allow_nan=False))


def spelled(value: Json) -> str:
    """One value as compact JSON in its own alphabet, for people; foreign text, still to be made visible."""
    clean = portable(value, [])
    return json.dumps(clean, ensure_ascii=False, separators=(", ", ": "))
