"""Tools that a model is offered: a plain list, or the shape of any vendor, from a file or a value."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from workbench.core.decision import Json
from workbench.core.errors import Problem, WorkbenchError
from workbench.core.tool import Tool
from workbench.files.fields import Fields, read_fields
from workbench.files.node import Node, NodeKind
from workbench.files.parse import parse
from workbench.files.problems import Problems, shown
from workbench.files.source import Source, read_source, source_of
from workbench.files.values import json_value

__all__ = ["ANY_VENDOR", "load_tools", "tools_from"]

ANY_VENDOR = r"[A-Za-z0-9_.:/-]{1,128}"
"""Names that some vendor takes; each takes fewer."""

_DECLARATIONS = ("functionDeclarations", "function_declarations")
_SCHEMAS = ("parameters", "input_schema", "inputSchema", "parametersJsonSchema", "parameters_json_schema")
_OUR_KEYS = ("name", "description", "parameters")

# What vendors and MCP servers add to a tool; none of it is offered to the model.
_ADDED = (
    "strict", "cache_control", "defer_loading", "allowed_callers", "input_examples", "eager_input_streaming",
    "title", "annotations", "outputSchema", "output_schema", "_meta", "icons", "execution", "response",
    "responseJsonSchema", "behavior",
)  # fmt: skip
_TYPES = frozenset({"OBJECT", "STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "NULL"})


def load_tools(path: Path, names: str = ANY_VENDOR) -> tuple[Tool, ...]:
    """The tools of a YAML or JSON file; `names` is the expression that each name has to match as a whole.

    Keys that only tell a vendor how to treat a tool, such as `strict`, are passed over. Raises
    WorkbenchError with all that is wrong with it.
    """
    source = read_source(path)
    if path.suffix.lower() == ".json":
        source = _checked_json(source)
    problems = Problems()
    tools = _tools(parse(source, problems), problems, names)
    problems.check()
    return tools


def tools_from(value: Json, where: str, names: str = ANY_VENDOR) -> tuple[Tool, ...]:
    """The tools of a value in the same shapes. Raises WorkbenchError; each message begins with `where`."""
    problems = Problems()
    try:
        spelled = json.dumps(value, ensure_ascii=True, allow_nan=False)
        tools = _tools(parse(source_of(spelled, where), problems), problems, names)
        problems.check()
    except (ValueError, TypeError, RecursionError) as error:
        raise WorkbenchError(Problem(f"{where}: no JSON: {error}")) from None
    except WorkbenchError as error:
        told = tuple(Problem(f"{where}: {each.message}", None, each.hint) for each in error.problems)
        raise WorkbenchError(told) from None
    return tools


def _checked_json(source: Source) -> Source:
    """The text with tabs as spaces, which YAML's reader wants. Raises WorkbenchError where it is no JSON."""
    try:
        json.loads(source.text)
    except json.JSONDecodeError as error:
        hint = "JSON has no comments, no single quotes and no comma before a bracket; or name the file .yaml"
        raise WorkbenchError(Problem(f"not JSON: {error.msg}", source.mark(error.pos), hint)) from None
    except (RecursionError, ValueError) as error:
        raise WorkbenchError(Problem(f"{source.file}: not JSON that can be read: {error}")) from None
    return Source(source.file, source.text.replace("\t", " "))


def _tools(top: Node, problems: Problems, names: str) -> tuple[Tool, ...]:
    first: dict[str, int] = {}
    found = []
    for number, (fields, node) in enumerate(_declared(top, problems), 1):
        tool = _tool(fields, node, number, problems, names)
        at = fields.nodes.get("name", node)
        earlier = first.setdefault(tool.name, at.start) if tool.name else at.start
        if earlier != at.start:
            line = node.source.mark(earlier).line
            problems.add(at.mark, f"two tools are called {shown(tool.name)}", f"first at line {line}")
        found.append(tool)
    return tuple(found)


def _declared(top: Node, problems: Problems) -> Iterator[tuple[Fields, Node]]:
    """The mapping of each tool, whatever lists and mappings the vendor puts round it."""
    if top.kind is NodeKind.MAPPING:
        keys = {key.value: value for key, value in top.pairs}
        if "result" in keys and "jsonrpc" in keys:  # an MCP server's whole answer
            yield from _declared(keys["result"], problems)
        elif any(key in keys for key in _DECLARATIONS):
            yield from _entry(top, problems)
        else:
            fields = read_fields(top, problems, ("tools", "nextCursor", "_meta"), ("tools",))
            yield from _all(fields.listed("tools"), problems)
        return
    yield from _all(top.listed(problems, "a list of tools"), problems)


def _all(nodes: tuple[Node, ...], problems: Problems) -> Iterator[tuple[Fields, Node]]:
    for node in nodes:
        yield from _entry(node, problems)


def _entry(node: Node, problems: Problems) -> Iterator[tuple[Fields, Node]]:
    """One entry of a list of tools: a tool, or Gemini's mapping that holds several."""
    keys = {key.value: value for key, value in node.pairs}
    inside = [key for key in _DECLARATIONS if key in keys]
    if inside:
        read_fields(node, problems, _DECLARATIONS)
        for declared in keys[inside[0]].listed(problems, "a list of tools"):
            yield from _entry(declared, problems)
    elif "function" in keys:
        read_fields(node, problems, ("type", "function", *_ADDED), ("function",))
        yield _fields(keys["function"], problems, ()), keys["function"]
    elif _is_vendors(keys):
        problems.add(
            node.mark, "a tool that the vendor carries out by itself", "only functions can be offered"
        )
    else:
        yield _fields(node, problems, ("type",)), node


def _is_vendors(keys: dict[str, Node]) -> bool:
    """Whether it is one of the vendor's own tools, such as a search, or OpenAI's for plain text."""
    kind = keys["type"].value if "type" in keys else "function"
    return kind not in ("function", "custom") or (
        kind == "custom" and not any(key in keys for key in _SCHEMAS)
    )


def _fields(node: Node, problems: Problems, more: tuple[str, ...]) -> Fields:
    """A tool's keys. Of the spellings of a key, only those that stand there, or ours, are told as known."""
    keys = {key.value for key, _ in node.pairs}
    known = (*_OUR_KEYS, *more, *(key for key in (*_SCHEMAS, *_ADDED) if key in keys))
    return read_fields(node, problems, tuple(dict.fromkeys(known)), ("name",))


def _tool(fields: Fields, node: Node, number: int, problems: Problems, names: str) -> Tool:
    name = fields.word("name")
    if name is not None and not re.fullmatch(names, name):
        message = f"tool {number} is called {shown(name)}, a name that vendors refuse"
        fields.nodes["name"].complain(problems, message, f"expected {names}")
    given = [key for key in _SCHEMAS if key in fields.nodes]
    if len(given) > 1:
        node.complain(problems, f"two schemas, {given[0]} and {given[1]}", "keep one")
    schema = _schema(fields.nodes[given[0]], problems) if given else None
    description = fields.get("description")
    absent = description is None or description.kind is NodeKind.NOTHING
    return Tool(name or "", "" if absent else fields.text("description") or "", schema)


def _schema(node: Node, problems: Problems) -> dict[str, Json] | None:
    """An object's schema; null and an empty mapping declare no parameters."""
    if node.kind is NodeKind.NOTHING and node.value:
        return None
    pairs = node.entries(problems, "the JSON Schema of an object")
    if not pairs:
        return None
    inner = {key.value: value for key, value in pairs}
    kind = inner.get("type")
    if kind is None or kind.value not in ("object", "OBJECT"):
        found = "" if kind is None else f", found {kind.described}"
        (kind or node).complain(problems, f"expected the schema of an object{found}", "write type: object")
    for key, wanted in (("properties", NodeKind.MAPPING), ("required", NodeKind.LIST)):
        if key in inner and inner[key].kind is not wanted:
            inner[key].expected(problems, wanted.value)
    value = json_value(node, problems)
    assert isinstance(value, dict)
    return _lowered(value) if kind is not None and kind.value == "OBJECT" else value


def _lowered(schema: dict[str, Json]) -> dict[str, Json]:
    """Gemini's dialect writes the names of types in capitals; JSON Schema does not."""
    return {key: _lower(key, value) for key, value in schema.items()}


def _lower(key: str, value: Json) -> Json:
    if key == "type" and isinstance(value, str) and value in _TYPES:
        return value.lower()
    if isinstance(value, dict):
        return _lowered(value)
    return [_lower("", item) for item in value] if isinstance(value, list) else value
