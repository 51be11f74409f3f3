"""A Python function as a tool: its name, its docstring, and a JSON Schema of its parameters.

Loaded by the worker: standard library only, Python 3.8 and newer, no import of the package it lies in.
"""

from __future__ import annotations

import collections.abc
import datetime
import decimal
import enum
import functools
import inspect
import pathlib
import re
import typing
import uuid
from typing import Any

SIMPLE: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    bytes: {"type": "string"},
    dict: {"type": "object"},
    list: {"type": "array"},
    tuple: {"type": "array"},
    set: {"type": "array", "uniqueItems": True},
    frozenset: {"type": "array", "uniqueItems": True},
    decimal.Decimal: {"type": "number"},
    pathlib.Path: {"type": "string"},
    uuid.UUID: {"type": "string", "format": "uuid"},
    datetime.datetime: {"type": "string", "format": "date-time"},
    datetime.date: {"type": "string", "format": "date"},
    datetime.time: {"type": "string", "format": "time"},
}
DEEP = 20  # levels of types within types
SECTIONS = ["args", "arguments", "parameters", "params", "returns", "return", "raises", "yields", "yield"]
SECTION = re.compile(rf"^(?:{'|'.join(SECTIONS)})\s*:\s*$", re.IGNORECASE)
ENTRY = re.compile(r"^(\s+)\*{0,2}(\w+)\s*(?:\([^)]*\))?\s*:\s*(.*)$")
FIELD = re.compile(r"^\s*:(?:param|parameter|arg|argument)\s+(?:[^:]*\s)?\*{0,2}(\w+)\s*:\s*(.*)$")


def described(function: Any) -> dict[str, Any]:
    """The tool that a function is. Raises ValueError where its signature cannot be read."""
    owner = function.func if isinstance(function, functools.partial) else function
    name = getattr(owner, "__name__", None) or type(owner).__name__
    words, told = docstring(inspect.getdoc(owner) or "")
    hints = hints_of(function)
    schemas = Schemas()
    properties: dict[str, Any] = {}
    required = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        schema = schemas.of(hints.get(parameter.name, parameter.annotation))
        needed, more = default_of(parameter.default)
        schema = {**schema, **more}
        if parameter.name in told:
            schema.setdefault("description", told[parameter.name])
        properties[parameter.name] = schema
        if needed:
            required.append(parameter.name)
    parameters: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        parameters["required"] = required
    if schemas.shared:
        parameters["$defs"] = schemas.shared
    return {"name": name, "description": words, "parameters": parameters}


def hints_of(function: Any) -> dict[str, Any]:
    """The types of its parameters; those that cannot be resolved are left out."""
    target = inspect.unwrap(function)
    if not inspect.isroutine(target):
        target = target.func if isinstance(target, functools.partial) else type(target).__call__
    for more in ({"include_extras": True}, {}):  # Python 3.8 knows no extras
        try:
            return dict(typing.get_type_hints(target, **more))  # type: ignore[arg-type]
        except TypeError:
            continue
        except Exception:
            break
    return {}


def default_of(value: Any) -> tuple[bool, dict[str, Any]]:
    """Whether a value has to be given, and what the default says. It may be pydantic's Field."""
    if value is inspect.Parameter.empty:
        return True, {}
    if callable(getattr(value, "is_required", None)):
        words = getattr(value, "description", None)
        return bool(value.is_required()), {"description": words} if isinstance(words, str) else {}
    if isinstance(value, enum.Enum):
        value = value.value
    return False, {"default": value} if isinstance(value, (str, int, float, bool)) else {}


class Schemas:
    """JSON Schemas of Python's types. `shared` are the definitions that the models among them refer to."""

    def __init__(self) -> None:
        self.shared: dict[str, Any] = {}

    def of(self, hint: Any, depth: int = 0) -> dict[str, Any]:
        """The schema of a type; an empty one, which allows anything, for what has none."""
        if depth > DEEP:
            return {}
        hint = SIMPLE_NONE if hint is None else getattr(hint, "__supertype__", hint)
        origin = getattr(hint, "__origin__", None)
        if hasattr(hint, "__metadata__"):
            return self.annotated(hint, depth)
        if origin is not None or hasattr(hint, "__args__"):
            return self.generic(origin, getattr(hint, "__args__", ()), depth)
        if not isinstance(hint, type):
            return {}
        if hint in SIMPLE:
            return dict(SIMPLE[hint])
        if issubclass(hint, enum.Enum):
            return choice([member.value for member in hint])
        return self.of_class(hint, depth)

    def annotated(self, hint: Any, depth: int) -> dict[str, Any]:
        schema = self.of(hint.__origin__, depth + 1)
        for more in hint.__metadata__:
            words = more if isinstance(more, str) else getattr(more, "description", None)
            if isinstance(words, str):
                schema["description"] = words
        return schema

    def generic(self, origin: Any, args: tuple[Any, ...], depth: int) -> dict[str, Any]:
        if origin is typing.Union or origin is None:  # None: written with a bar
            return self.union(args, depth)
        if origin is getattr(typing, "Literal", None):
            return choice([arg.value if isinstance(arg, enum.Enum) else arg for arg in args])
        if not isinstance(origin, type):
            return {}
        args = tuple(arg for arg in args if not isinstance(arg, typing.TypeVar))
        if origin is tuple and args and args[-1] is not Ellipsis:
            items = [self.of(arg, depth + 1) for arg in args if arg != ()]
            return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
        if issubclass(origin, collections.abc.Mapping):
            schema: dict[str, Any] = {"type": "object"}
            if len(args) == 2 and (inner := self.of(args[1], depth + 1)):
                schema["additionalProperties"] = inner
            return schema
        if issubclass(origin, collections.abc.Iterable):
            schema = {"type": "array"}
            if issubclass(origin, collections.abc.Set):
                schema["uniqueItems"] = True
            if args and (inner := self.of(args[0], depth + 1)):
                schema["items"] = inner
            return schema
        return {}

    def union(self, args: tuple[Any, ...], depth: int) -> dict[str, Any]:
        parts: list[dict[str, Any]] = []
        for arg in args:
            part = self.of(arg, depth + 1)
            if part not in parts:
                parts.append(part)
        if {} in parts:
            return {}
        return parts[0] if len(parts) == 1 else {"anyOf": parts}

    def of_class(self, hint: Any, depth: int) -> dict[str, Any]:
        if callable(getattr(hint, "model_json_schema", None)):
            return self.model(hint)
        known = hasattr(hint, "__dataclass_fields__") or hasattr(hint, "__total__")
        if not known:
            return {}
        hints = hints_of_class(hint)
        schema: dict[str, Any] = {
            "type": "object",
            "properties": {name: self.of(inner, depth + 1) for name, inner in hints.items()},
        }
        needed = [name for name in hints if is_needed(hint, name)]
        return {**schema, "required": needed} if needed else schema

    def model(self, hint: Any) -> dict[str, Any]:
        """A pydantic model's own schema, its definitions moved to where references look for them."""
        schema = dict(hint.model_json_schema())
        for name, definition in schema.pop("$defs", {}).items():
            if self.shared.setdefault(name, definition) != definition:
                raise ValueError(f"two different models are called {name}")
        return schema


SIMPLE_NONE = type(None)


def hints_of_class(hint: Any) -> dict[str, Any]:
    try:
        return dict(typing.get_type_hints(hint))
    except Exception:
        return dict.fromkeys(getattr(hint, "__annotations__", {}), Any)


def is_needed(hint: Any, name: str) -> bool:
    """Whether a field of a dataclass or a TypedDict has to be given."""
    fields = getattr(hint, "__dataclass_fields__", None)
    if fields is None:
        return name in getattr(hint, "__required_keys__", ())
    import dataclasses

    field = fields[name]
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def choice(values: list[Any]) -> dict[str, Any]:
    kinds = {str(SIMPLE[type(value)]["type"]) for value in values if type(value) in SIMPLE}
    return {"type": kinds.pop(), "enum": values} if len(kinds) == 1 else {"enum": values}


def docstring(text: str) -> tuple[str, dict[str, str]]:
    """What a docstring says of the function, and of each parameter."""
    words: list[str] = []
    told: dict[str, str] = {}
    last, indent = "", 0
    head, arguments = True, False
    for line in text.splitlines():
        section, field, entry = SECTION.match(line), FIELD.match(line), ENTRY.match(line)
        if section:
            head, last = False, ""
            arguments = line.strip().rstrip(":").strip().lower() in SECTIONS[:4]
        elif field:
            head, last, indent = False, field.group(1), 0
            told[last] = field.group(2).strip()
        elif head:
            words.append(line)
        elif arguments and entry and (not last or len(entry.group(1)) <= indent):
            last, indent = entry.group(2), len(entry.group(1))
            told[last] = entry.group(3).strip()
        elif last and line.strip() and len(line) - len(line.lstrip()) > indent:
            told[last] = f"{told[last]} {line.strip()}".strip()
        else:
            last = ""
    return "\n".join(words).strip(), told
