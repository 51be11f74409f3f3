"""Tools, in the shapes of every vendor."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from workbench.core.errors import WorkbenchError
from workbench.core.tool import Tool
from workbench.files.tools import load_tools, tools_from

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"city": {"type": "string", "enum": ["on", "off", "12:30"]}, "days": {"type": "integer"}},
    "required": ["city"],
}
WEATHER = Tool("weather", "Weather of a city", SCHEMA)
FUNCTION = {"name": "weather", "description": "Weather of a city", "parameters": SCHEMA}
OTHERS = {key: value for key, value in FUNCTION.items() if key != "parameters"}
SHAPES: dict[str, Any] = {
    "plain": [FUNCTION],
    "under tools": {"tools": [FUNCTION]},
    "openai nested": [{"type": "function", "function": {**FUNCTION, "strict": True}}],
    "openai flat": [{"type": "function", **FUNCTION, "strict": False}],
    "anthropic": [{**OTHERS, "input_schema": SCHEMA, "cache_control": {"type": "ephemeral"}}],
    "anthropic typed": [{"type": "custom", **OTHERS, "input_schema": SCHEMA}],
    "gemini": [{"functionDeclarations": [FUNCTION]}],
    "gemini alone": {"functionDeclarations": [FUNCTION]},
    "gemini in tools": {"tools": [{"function_declarations": [FUNCTION]}]},
    "gemini schema": {"tools": [{"functionDeclarations": [{**OTHERS, "parametersJsonSchema": SCHEMA}]}]},
    "mcp": {
        "tools": [{**OTHERS, "title": "W", "inputSchema": SCHEMA, "annotations": {"readOnlyHint": True}}]
    },
    "mcp answer": {"jsonrpc": "2.0", "id": 1, "result": {"tools": [{**OTHERS, "inputSchema": SCHEMA}]}},
}


def written(folder: Path, text: str, name: str = "tools.yaml") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def told(path: Path) -> list[tuple[int, int, str]]:
    with pytest.raises(WorkbenchError) as caught:
        load_tools(path)
    problems = caught.value.problems
    assert all(problem.mark is not None and problem.mark.file == str(path) for problem in problems)
    return [(p.mark.line, p.mark.column, p.message) for p in problems if p.mark]


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_every_shape_of_a_tool_is_the_same_tool(shape: Any, tmp_path: Path) -> None:
    assert load_tools(written(tmp_path, json.dumps(shape), "t.json")) == (WEATHER,)
    assert load_tools(written(tmp_path, json.dumps(shape, indent="\t"), "t.json")) == (WEATHER,)
    assert tools_from(shape, "here") == (WEATHER,)


def test_a_tool_in_yaml_keeps_words_as_text(tmp_path: Path) -> None:
    text = (
        "- name: weather\n  description: Weather of a city\n  parameters:\n    type: object\n"
        "    properties:\n      city: {type: string, enum: [on, off, '12:30']}\n      days: {type: integer}\n"
        "    required: [city]\n"
        "- name: ping\n"
    )
    assert load_tools(written(tmp_path, text)) == (WEATHER, Tool("ping"))


def test_types_in_capitals_are_those_of_json_schema(tmp_path: Path) -> None:
    schema: Any = {"type": "OBJECT", "properties": {"type": {"type": "ARRAY", "items": {"type": "STRING"}}}}
    (tool,) = tools_from([{"name": "a", "parameters": schema}], "here")
    assert tool.parameters == {
        "type": "object",
        "properties": {"type": {"type": "array", "items": {"type": "string"}}},
    }


@pytest.mark.parametrize("schema", ["null", "{}"])
def test_a_tool_may_declare_no_parameters(schema: str, tmp_path: Path) -> None:
    text = f"- {{name: ping, description: null, parameters: {schema}}}\n"
    assert load_tools(written(tmp_path, text)) == (Tool("ping"),)


def test_a_schema_in_json_is_read_as_json_reads_it(tmp_path: Path) -> None:
    """Escapes, a pair of surrogates, separators of lines, numbers and null, compact and not."""
    schema = {
        "type": "object",
        "properties": {"a": {"default": 1e-5, "enum": [None, True, "\u2028\U0001f600\x00/", -0.5, 10**20]}},
    }
    for plain in (True, False):
        text = json.dumps([{"name": "a", "parameters": schema}], separators=(",", ":"), ensure_ascii=plain)
        (tool,) = load_tools(written(tmp_path, text, "t.json"))
        assert tool.parameters == schema


def test_a_tool_without_a_name_is_told_where_it_stands(tmp_path: Path) -> None:
    path = written(tmp_path, "- {name: a}\n- {nam: b}\n- {description: c}\n- 7\n- {name: ''}\n")
    assert told(path) == [
        (2, 4, 'unknown key "nam"'),
        (3, 3, 'the key "name" is missing'),
        (4, 3, 'expected a mapping with name, found "7"'),
        (5, 10, "name: expected text, found only blanks"),
    ]


def test_two_tools_of_one_name_are_told(tmp_path: Path) -> None:
    path = written(tmp_path, "- {name: a}\n- {functionDeclarations: [{name: b}, {name: a}]}\n")
    assert told(path) == [(2, 45, 'two tools are called "a"')]


def test_a_name_that_vendors_refuse_is_told(tmp_path: Path) -> None:
    path = written(tmp_path, "- {name: send mail}\n- {name: " + "x" * 129 + "}\n- {name: cal::list}\n")
    first, second = told(path)
    assert first == (1, 10, 'name: tool 1 is called "send mail", a name that vendors refuse')
    assert second[:2] == (2, 10)
    with pytest.raises(WorkbenchError, match="cal::list"):
        load_tools(written(tmp_path, "- {name: 'cal::list'}\n"), "[A-Za-z0-9_-]{1,64}")


@pytest.mark.parametrize(
    ("schema", "place", "message"),
    [
        ("{type: string}", (1, 34), 'type: expected the schema of an object, found "string"'),
        ("{properties: {}}", (1, 27), "parameters: expected the schema of an object"),
        ("[a]", (1, 27), "parameters: expected the JSON Schema of an object, found a list"),
        ("text", (1, 27), 'parameters: expected the JSON Schema of an object, found "text"'),
        ("{type: object, properties: [a]}", (1, 54), "properties: expected a mapping, found a list"),
        ("{type: object, required: a}", (1, 52), 'required: expected a list, found "a"'),
    ],
)
def test_parameters_that_are_no_schema_of_an_object(
    schema: str, place: tuple[int, int], message: str, tmp_path: Path
) -> None:
    path = written(tmp_path, f"- {{name: aaa, parameters: {schema}}}\n")
    assert told(path) == [(*place, message)]


def test_two_schemas_of_one_tool_are_told(tmp_path: Path) -> None:
    path = written(tmp_path, "- {name: a, parameters: {type: object}, input_schema: {type: object}}\n")
    assert told(path) == [(1, 3, "two schemas, parameters and input_schema")]


def test_a_tool_of_the_vendor_is_told(tmp_path: Path) -> None:
    path = written(
        tmp_path, "- {type: web_search}\n- {type: custom, name: grep}\n- {type: function, name: a}\n"
    )
    assert told(path) == [
        (1, 3, "a tool that the vendor carries out by itself"),
        (2, 3, "a tool that the vendor carries out by itself"),
    ]


def test_json_that_is_none_is_told(tmp_path: Path) -> None:
    path = written(tmp_path, '[\n  {"name": "a"},\n]\n', "t.json")
    ((line, column, message),) = told(path)
    assert (line, column) in {(2, 16), (3, 1)}  # which of them is Python's matter
    assert message.startswith("not JSON: ")


def test_a_key_that_stands_twice_in_json_is_told(tmp_path: Path) -> None:
    path = written(tmp_path, '[{"name": "a",\n\t"name": "b"}]', "t.json")
    assert told(path) == [(2, 2, 'the key "name" stands twice')]


@pytest.mark.parametrize("value", ["text", 3, None, {"tool": []}, {"tools": {}}, [["a"]]])
def test_a_value_that_holds_no_tools_is_told_without_a_place(value: Any) -> None:
    with pytest.raises(WorkbenchError) as caught:
        tools_from(value, "yourapp.tools:all")
    assert all(p.mark is None and p.message.startswith("yourapp.tools:all: ") for p in caught.value.problems)


def test_a_value_that_is_no_json_is_told() -> None:
    with pytest.raises(WorkbenchError, match=r"here: no JSON"):
        tools_from([{"name": "a", "parameters": {"type": "object", "default": float("nan")}}], "here")
