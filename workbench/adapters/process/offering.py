"""The tools that a list of the user's offers: mappings as they are, functions by their signature.

Loaded by the worker: standard library only, Python 3.8 and newer, no import of the package it lies in.
"""

from __future__ import annotations

import collections.abc
import inspect
from collections.abc import Callable
from typing import Any

SCHEMAS = ("parameters", "input_schema", "inputSchema", "params_json_schema", "args_schema")
"""Where the tool objects of the known libraries keep the schema of their arguments."""

LISTS = ("tools", "function_declarations", "functionDeclarations")
ONE = ("name", "type", "function", *LISTS[1:])
"""Keys of a mapping that is itself a tool, and no mapping of names to tools."""


def offered(value: Any, exact: Callable[[Any], Any], schema_of_function: Callable[[Any], Any]) -> Any:
    """`{"value": [tool, …]}`, or `{"unreadable": why}`."""
    tools = []
    for place, name, item in members(value):
        try:
            tool = one(item, schema_of_function)
        except Exception as problem:
            words = f"{type(problem).__name__}: {problem}"[:300]
            return {"unreadable": f"{place} cannot be described: {words}"}
        if tool is None:
            kind = type(item).__name__
            return {"unreadable": f"{place} is no tool ({kind}); expected a mapping or a function"}
        if name is not None and tool is not item:
            tool["name"] = name
        plain = exact(tool)
        if "unreadable" in plain:
            return {"unreadable": f"{place}: {plain['unreadable']}"}
        tools.append(plain["value"])
    return {"value": tools}


def members(value: Any) -> list[tuple[str, str | None, Any]]:
    """Where each tool stands, the name that it is given there, and the tool."""
    if isinstance(value, collections.abc.Mapping):
        if isinstance(value.get(LISTS[0]), (list, tuple)):
            return members(value[LISTS[0]])
        if not any(key in value for key in ONE):
            return [(f"tool {name!r}", str(name), item) for name, item in value.items()]
    if isinstance(value, (list, tuple, set, frozenset)):
        return [(f"tool {number}", None, item) for number, item in enumerate(value, 1)]
    return [("what it returned", None, value)]


def one(item: Any, schema_of_function: Callable[[Any], Any]) -> Any:
    """One tool as a mapping; None for what is none."""
    if isinstance(item, collections.abc.Mapping):
        return {key: model_schema(part) if is_model(part) else part for key, part in item.items()}
    if is_model(item):
        schema = model_schema(item)
        return {
            "name": item.__name__,
            "description": schema.pop("description", ""),
            "parameters": schema,
        }
    if isinstance(item, type):
        return None
    if isinstance(getattr(item, "name", None), str):
        for key in SCHEMAS:
            found = getattr(item, key, None)
            if is_model(found):
                found = model_schema(found)
            if isinstance(found, collections.abc.Mapping):
                description = getattr(item, "description", None) or ""
                return {"name": item.name, "description": description, "parameters": found}
    if callable(getattr(item, "model_dump", None)):
        return item
    if inspect.isroutine(item) or callable(item):
        return schema_of_function(item)
    return None


def is_model(value: Any) -> bool:
    """Whether it is a pydantic model's class."""
    return isinstance(value, type) and callable(getattr(value, "model_json_schema", None))


def model_schema(model: Any) -> dict[str, Any]:
    return dict(model.model_json_schema())
