"""Tools out of the user's Python: lists in any shape, functions by their signature, under the app's own
interpreter."""

from __future__ import annotations

import asyncio
import dataclasses
import datetime
import enum
import functools
import inspect
import sys
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st
from process_kit import APP_PYTHON, left, module

from workbench.adapters.process import exact, offering, signature
from workbench.adapters.protocol import Place
from workbench.adapters.tools.offered import tools_of
from workbench.adapters.tools.source import ToolFunction, source_marks, tools_hash
from workbench.core.decision import Json
from workbench.core.errors import WorkbenchError
from workbench.core.tool import Tool

APP = '''
import os, sys, time, types

def send(to: str, copies: int = 1):
    """Send an email.

    Args:
        to: who gets it
    """
    raise RuntimeError("a tool was called")

class Desk:
    def close(self, account: str):
        """Close an account."""

SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}}
OPENAI = {"type": "function", "function": {"name": "find", "description": "Find it", "parameters": SCHEMA}}
ANTHROPIC = {"name": "find", "description": "Find it", "input_schema": SCHEMA}

def functions(): return [send, Desk().close]
async def later(): return functions()
LIST = [send]
def openai(): return [OPENAI]
def anthropic(): return (ANTHROPIC,)
def in_a_body(): return {"model": "m", "tools": [OPENAI]}
def by_name(): return {"mail": send, "shut": Desk().close}
def objects():
    return [types.SimpleNamespace(name="find", description="Find it", params_json_schema=SCHEMA)]

class Model:
    """As pydantic's are."""
    @classmethod
    def model_json_schema(cls):
        return {"type": "object", "description": "Add it.", "properties": {"n": {"type": "integer"}}}
def models(): return [Model, {"name": "other", "input_schema": Model}]

def odd(): return [send, 3]
def broken(): return [{"name": "x", "parameters": {"default": object()}}]
def empty(): return []
def twice(): return [send, send]
def raises(): raise RuntimeError("no shelf " + os.environ.get("APP_SECRET_TOKEN", "-"))
def dies(): os._exit(4)
def slow(): time.sleep(30)
def noisy():
    with open("pids", "a") as pids:
        pids.write(f"{os.getpid()}\\n")
    print("listing")
    return LIST
def where():
    return [{"name": "py", "description": sys.executable + " " + str(os.environ.get("OPENAI_API_KEY"))}]
'''

TO: Json = {"type": "string", "description": "who gets it"}
SEND = Tool(
    "send",
    "Send an email.",
    {
        "type": "object",
        "properties": {"to": TO, "copies": {"type": "integer", "default": 1}},
        "required": ["to"],
    },
)
ACCOUNT: dict[str, Json] = {
    "type": "object",
    "properties": {"account": {"type": "string"}},
    "required": ["account"],
}
CLOSE = Tool("close", "Close an account.", ACCOUNT)
FIND = Tool("find", "Find it", {"type": "object", "properties": {"q": {"type": "string"}}})
NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}}


async def listed(folder: Path, name: str, **options: Any) -> tuple[Tool, ...]:
    """The tools that `name` of the module gives."""
    module(folder, APP)
    settings = {"python": APP_PYTHON, "timeout": 20, **options}
    return await tools_of(ToolFunction(f"app:{name}"), Place(folder), name="gpt", **settings)


@pytest.mark.parametrize(
    ("name", "tools"),
    [
        ("functions", (SEND, CLOSE)),
        ("later", (SEND, CLOSE)),
        ("LIST", (SEND,)),
        ("openai", (FIND,)),
        ("anthropic", (FIND,)),
        ("in_a_body", (FIND,)),
        ("by_name", (dataclasses.replace(SEND, name="mail"), dataclasses.replace(CLOSE, name="shut"))),
        ("objects", (FIND,)),
    ],
)
async def test_lists_in_any_shape(tmp_path: Path, name: str, tools: tuple[Tool, ...]) -> None:
    assert await listed(tmp_path, name) == tools


async def test_models_are_their_own_schema(tmp_path: Path) -> None:
    model, other = await listed(tmp_path, "models")
    assert (model.name, model.description, model.parameters) == ("Model", "Add it.", NUMBER)
    assert other.name == "other"
    assert other.parameters is not None
    assert other.parameters["properties"] == NUMBER["properties"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("odd", "tool 2 is no tool (int); expected a mapping or a function"),
        ("broken", "tool 1: parameters.default is an object, which is no JSON"),
        ("empty", "adapter gpt: the tools of app:empty: there are none"),
        ("twice", 'adapter gpt: the tools of app:twice: two tools are called "send"'),
        ("raises", "RuntimeError: no shelf *** (app.py:"),
        ("dies", "exited with status 4 before its answer"),
        ("nowhere", "cannot load app:nowhere: AttributeError"),
    ],
)
async def test_what_gives_no_tools_says_why(tmp_path: Path, name: str, words: str) -> None:
    with pytest.raises(WorkbenchError) as caught:
        await listed(tmp_path, name, env={"APP_SECRET_TOKEN": "hunter2-hunter2"})
    said = str(caught.value)
    assert words in said
    assert said.startswith("adapter gpt: the tools of app:")
    assert "hunter2" not in said


async def test_a_list_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    with pytest.raises(WorkbenchError, match=r"no answer within 1\.5 s"):
        await listed(tmp_path, "slow", timeout=1.5)


async def test_the_interpreter_is_ended_and_its_prints_disturb_nobody(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert await listed(tmp_path, "noisy") == (SEND,)
    assert not left(tmp_path)
    assert capfd.readouterr() == ("", "")


async def test_cancelling_leaves_nothing_running(tmp_path: Path) -> None:
    task = asyncio.create_task(listed(tmp_path, "slow"))
    await asyncio.sleep(0.5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_it_runs_under_the_apps_interpreter_without_a_vendors_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-user")
    assert (await listed(tmp_path, "where"))[0].description == f"{APP_PYTHON} None"


async def test_fingerprints_follow_the_file_and_the_tools(tmp_path: Path) -> None:
    before = await listed(tmp_path, "LIST")
    marks = source_marks(ToolFunction("app:LIST"), Place(tmp_path))
    module(tmp_path, APP.replace("copies: int", "copies: float"))
    assert source_marks(ToolFunction("app:LIST"), Place(tmp_path)) != marks
    after = await tools_of(ToolFunction("app:LIST"), Place(tmp_path), name="gpt", python=sys.executable)
    assert tools_hash(before) == tools_hash(before)
    assert tools_hash(before) != tools_hash(after)


# Signatures, without a process.


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclasses.dataclass
class Point:
    x: int
    y: float = 0.0


class Options(TypedDict, total=False):
    depth: int


@pytest.mark.parametrize(
    ("hint", "schema"),
    [
        (str, {"type": "string"}),
        (bool, {"type": "boolean"}),
        (Any, {}),
        (object, {}),
        (list[int], {"type": "array", "items": {"type": "integer"}}),
        (set[str], {"type": "array", "uniqueItems": True, "items": {"type": "string"}}),
        (dict[str, float], {"type": "object", "additionalProperties": {"type": "number"}}),
        (int | None, {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
        (Literal["a", 1], {"enum": ["a", 1]}),
        (Colour, {"type": "string", "enum": ["red", "blue"]}),
        (datetime.date, {"type": "string", "format": "date"}),
        (Annotated[int, "how many"], {"type": "integer", "description": "how many"}),
        (
            tuple[int, str],
            {
                "type": "array",
                "prefixItems": [{"type": "integer"}, {"type": "string"}],
                "minItems": 2,
                "maxItems": 2,
            },
        ),
        (
            Point,
            {
                "type": "object",
                "properties": {"x": {"type": "integer"}, "y": {"type": "number"}},
                "required": ["x"],
            },
        ),
        (Options, {"type": "object", "properties": {"depth": {"type": "integer"}}}),
    ],
)
def test_types_become_schemas(hint: Any, schema: dict[str, Any]) -> None:
    assert signature.Schemas().of(hint) == schema


def test_docstrings_of_two_styles() -> None:
    google = """
        Find it.

        All of it.

        Args:
            q (str): what,
                at length
            n: how: many

        Returns:
            q: no
    """
    told = {"q": "what, at length", "n": "how: many"}
    assert signature.docstring(inspect.cleandoc(google)) == ("Find it.\n\nAll of it.", told)
    sphinx = "Find it.\n\n:param str q: what,\n    at length\n:param n: how: many\n:returns: no"
    assert signature.docstring(sphinx) == ("Find it.", told)


def test_a_call_that_leaves_a_parameter_out_is_described_by_what_is_left() -> None:
    def send(to: str, host: str, *more: str, **rest: str) -> None:
        """Send it."""

    bound = functools.partial(send, host="localhost")
    tool = signature.described(bound)
    assert (tool["name"], tool["description"]) == ("send", "Send it.")
    parameters = tool["parameters"]
    assert parameters["required"] == ["to"]
    assert list(parameters["properties"]) == ["to", "host"]


def test_a_pydantic_model_keeps_its_definitions_where_references_look() -> None:
    pydantic = pytest.importorskip("pydantic", reason="pydantic is not installed")
    inner = pydantic.create_model("Inner", n=(int, ...))
    outer = pydantic.create_model("Outer", inner=(inner, ...))

    def add(event: Any, when: str) -> None: ...

    add.__annotations__ = {"event": outer, "when": str}
    parameters = signature.described(add)["parameters"]
    assert parameters["properties"]["event"]["properties"]["inner"] == {"$ref": "#/$defs/Inner"}
    assert parameters["$defs"]["Inner"]["properties"]["n"]["type"] == "integer"
    other = pydantic.create_model("Inner", n=(str, ...))
    add.__annotations__["when"] = pydantic.create_model("More", inner=(other, ...))
    with pytest.raises(ValueError, match="two different models are called Inner"):
        signature.described(add)


@given(st.text())
def test_any_docstring_is_read(text: str) -> None:
    words, told = signature.docstring(text)
    assert isinstance(words, str)
    assert all(isinstance(value, str) for value in told.values())


@given(st.recursive(st.none() | st.integers() | st.text() | st.just(object()), st.lists, max_leaves=8))
def test_any_value_is_offered_or_refused(value: Any) -> None:
    said = offering.offered(value, exact.exact, signature.described)
    assert list(said) in (["value"], ["unreadable"])
