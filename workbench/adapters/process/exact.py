"""A value of the user's as exactly the JSON that it is, or where it is none. Loaded by the worker.

Standard library only, Python 3.8 and newer, no import of the package it lies in.
"""

from __future__ import annotations

import collections.abc
import math
from typing import Any

DEEP, MANY = 60, 1000000  # levels and items of a value


class NoJson(Exception):
    """A part of the value is no JSON; the message says where and what."""


class Exact:
    """Turns one value into JSON values. Nothing is converted but what stands for JSON by its own word."""

    def __init__(self) -> None:
        self.left = MANY

    def of(self, value: Any, path: str = "", depth: int = 0) -> Any:
        if value is None or value is True or value is False:
            return value
        self.left -= 1
        if self.left < 0:
            raise NoJson(f"it has more than {MANY} items")
        if depth > DEEP:
            raise NoJson(f"{path or 'it'} is nested in itself, or deeper than {DEEP} levels")
        if isinstance(value, str):
            return str.__str__(value)
        if isinstance(value, int):
            return int(value)
        if isinstance(value, float):
            if not math.isfinite(value):
                raise NoJson(f"{path or 'it'} is {float(value)}, which JSON has no number for")
            return float(value)
        if isinstance(value, collections.abc.Mapping):
            return {self.key(key, path): self.of(value[key], inside(path, key), depth + 1) for key in value}
        if isinstance(value, (list, tuple)):
            return [self.of(item, f"{path}[{place}]", depth + 1) for place, item in enumerate(value)]
        return self.of_object(value, path, depth)

    def of_object(self, value: Any, path: str, depth: int) -> Any:
        if not isinstance(value, type):
            if callable(getattr(value, "model_dump", None)):
                return self.of(dumped(value), path, depth + 1)
            if hasattr(type(value), "__dataclass_fields__"):
                fields = {name: getattr(value, name) for name in type(value).__dataclass_fields__}
                return self.of(fields, path, depth + 1)
        raise NoJson(f"{path or 'it'} is {article(value)}, which is no JSON")

    def key(self, key: Any, path: str) -> str:
        if isinstance(key, str):
            return str.__str__(key)
        raise NoJson(f"a key of {path or 'the mapping'} is {article(key)}; JSON has text only")


def dumped(value: Any) -> Any:
    """A pydantic object as its owner sends it: the vendors' clients leave out what nobody has set."""
    for method in ("to_json_dict", "to_dict"):  # of the objects of Google's, OpenAI's and Anthropic's clients
        if callable(getattr(value, method, None)):
            return getattr(value, method)()
    try:
        return value.model_dump(mode="json")
    except TypeError:
        return value.model_dump()


def inside(path: str, key: Any) -> str:
    word = str(key) if isinstance(key, str) else repr(key)[:40]
    return f"{path}.{word}" if path else word


def article(value: Any) -> str:
    name = value.__name__ if isinstance(value, type) else type(value).__name__
    what = "the class" if isinstance(value, type) else "an" if name[:1].lower() in "aeiou" else "a"
    return f"{what} {name}"


def exact(value: Any) -> dict[str, Any]:
    """`{"value": …}`, or `{"unreadable": why}`."""
    try:
        return {"value": Exact().of(value)}
    except NoJson as problem:
        return {"unreadable": str(problem)}
