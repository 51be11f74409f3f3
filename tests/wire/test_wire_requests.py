"""What is sent, in the words of each format."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from wire_kit import FORMATS

from workbench.core.errors import WorkbenchError
from workbench.core.tool import Tool
from workbench.wire.codec import ModelCall
from workbench.wire.registry import codec, names

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}
NONE: dict[str, Any] = {"type": "object", "properties": {}}
TOOLS = (Tool("send", "Send an email", SCHEMA), Tool("ping"))
TALK = (
    {"role": "user", "content": "hi"},
    {"role": "assistant", "content": "yes?"},
    {"role": "user", "content": "go"},
)
CALL = ModelCall(
    "m-1",
    TALK,
    system="Be brief.",
    tools=TOOLS,
    tool_choice="required",
    temperature=0.5,
    max_tokens=100,
    seed=7,
)
CHAT_TOOLS = [
    {"type": "function", "function": {"name": "send", "description": "Send an email", "parameters": SCHEMA}},
    {"type": "function", "function": {"name": "ping", "parameters": NONE}},
]
ROUTE: dict[str, Any] = {
    "type": "object",
    "properties": {"route": {"type": "string", "enum": ["billing", "none"]}},
    "required": ["route"],
    "additionalProperties": False,
}


def body(name: str, **more: Any) -> dict[str, Any]:
    """The body of CALL with `more`, as it goes over the wire."""
    values = {key: getattr(CALL, key) for key in ModelCall.__dataclass_fields__} | more
    sent: dict[str, Any] = json.loads(json.dumps(codec(name).request(ModelCall(**values)).body))
    return sent


def test_openai_chat() -> None:
    assert body("openai-chat") == {
        "model": "m-1",
        "messages": [{"role": "system", "content": "Be brief."}, *TALK],
        "tools": CHAT_TOOLS,
        "tool_choice": "required",
        "temperature": 0.5,
        "seed": 7,
        "max_completion_tokens": 100,
    }
    streaming = body("openai-chat", stream=True, compatible=True)
    assert streaming["stream"] is True
    assert streaming["stream_options"] == {"include_usage": True}
    assert streaming["max_tokens"] == 100 and "max_completion_tokens" not in streaming


def test_openai_responses() -> None:
    assert body("openai-responses", stream=True) == {
        "model": "m-1",
        "instructions": "Be brief.",
        "input": list(TALK),
        "tools": [
            {"type": "function", "name": "send", "description": "Send an email", "parameters": SCHEMA,
             "strict": False},
            {"type": "function", "name": "ping", "parameters": NONE, "strict": False},
        ],
        "tool_choice": "required",
        "temperature": 0.5,
        "max_output_tokens": 100,
        "stream": True,
        "store": False,
    }  # fmt: skip


def test_anthropic() -> None:
    assert body("anthropic", stream=True) == {
        "model": "m-1",
        "max_tokens": 100,
        "system": "Be brief.",
        "messages": list(TALK),
        "tools": [
            {"name": "send", "description": "Send an email", "input_schema": SCHEMA},
            {"name": "ping", "input_schema": NONE},
        ],
        "tool_choice": {"type": "any"},
        "temperature": 0.5,
        "stream": True,
    }
    assert body("anthropic", max_tokens=None)["max_tokens"] == 4096
    assert codec("anthropic").request(CALL).headers == {"anthropic-version": "2023-06-01"}


def test_gemini() -> None:
    assert body("gemini") == {
        "contents": [
            {"role": "user", "parts": [{"text": "hi"}]},
            {"role": "model", "parts": [{"text": "yes?"}]},
            {"role": "user", "parts": [{"text": "go"}]},
        ],
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "tools": [
            {
                "functionDeclarations": [
                    {"name": "send", "description": "Send an email", "parametersJsonSchema": SCHEMA},
                    {"name": "ping"},
                ]
            }
        ],
        "toolConfig": {"functionCallingConfig": {"mode": "ANY"}},
        "generationConfig": {"temperature": 0.5, "maxOutputTokens": 100, "seed": 7},
    }


def test_ollama() -> None:
    assert body("ollama", tool_choice=None) == {
        "model": "m-1",
        "messages": [{"role": "system", "content": "Be brief."}, *TALK],
        "tools": [
            CHAT_TOOLS[0],
            {"type": "function", "function": {"name": "ping", "description": "", "parameters": NONE}},
        ],
        "options": {"temperature": 0.5, "seed": 7, "num_predict": 100},
        "stream": False,
    }
    assert body("ollama", tool_choice="auto", stream=True)["stream"] is True
    assert "tools" not in body("ollama", tool_choice="none")
    with pytest.raises(WorkbenchError, match="tool_choice: Ollama's own format cannot ask for 'send'"):
        body("ollama", tool_choice="send")


@pytest.mark.parametrize(
    ("name", "stream", "path"),
    [
        ("openai-chat", False, "/chat/completions"),
        ("openai-responses", False, "/responses"),
        ("anthropic", True, "/messages"),
        ("gemini", False, "/models/m-1:generateContent"),
        ("gemini", True, "/models/m-1:streamGenerateContent?alt=sse"),
        ("ollama", True, "/api/chat"),
    ],
)
def test_where_it_goes(name: str, stream: bool, path: str) -> None:
    assert codec(name).request(ModelCall("m-1", TALK, stream=stream)).path == path


def test_a_models_name_is_no_path() -> None:
    assert (
        codec("gemini").request(ModelCall("models/a/../b?c", TALK)).path
        == "/models/a%2F..%2Fb%3Fc:generateContent"
    )


@pytest.mark.parametrize(
    ("name", "choice", "sent"),
    [
        ("openai-chat", "auto", "auto"),
        ("openai-chat", "none", "none"),
        ("openai-chat", "send", {"type": "function", "function": {"name": "send"}}),
        ("openai-responses", "send", {"type": "function", "name": "send"}),
        ("anthropic", "auto", {"type": "auto"}),
        ("anthropic", "none", {"type": "none"}),
        ("anthropic", "send", {"type": "tool", "name": "send"}),
    ],
)
def test_a_choice_of_tool(name: str, choice: str, sent: Any) -> None:
    assert body(name, tool_choice=choice)["tool_choice"] == sent
    assert "tool_choice" not in body(name, tool_choice=choice, tools=())


def test_a_choice_of_tool_of_gemini() -> None:
    modes = {choice: body("gemini", tool_choice=choice)["toolConfig"]["functionCallingConfig"]
             for choice in ("auto", "none", "send")}  # fmt: skip
    assert modes == {
        "auto": {"mode": "AUTO"},
        "none": {"mode": "NONE"},
        "send": {"mode": "ANY", "allowedFunctionNames": ["send"]},
    }


@pytest.mark.parametrize("name", FORMATS)
def test_a_classifier_is_given_its_routes_and_no_tools(name: str) -> None:
    sent = body(name, routes=("billing", "none"), tool_choice="auto")
    assert not {"tools", "tool_choice", "toolConfig"} & sent.keys()
    places: dict[str, Callable[[], Any]] = {
        "openai-chat": lambda: sent["response_format"]["json_schema"]["schema"],
        "openai-responses": lambda: sent["text"]["format"]["schema"],
        "anthropic": lambda: sent["output_config"]["format"]["schema"],
        "ollama": lambda: sent["format"],
    }
    if name == "gemini":
        assert sent["generationConfig"]["responseMimeType"] == "application/json"
        enum = {"type": "STRING", "format": "enum", "enum": ["billing", "none"]}
        schema = sent["generationConfig"]["responseSchema"]
        assert schema == {"type": "OBJECT", "properties": {"route": enum}, "required": ["route"]}
    else:
        assert places[name]() == ROUTE


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("openai-chat", "messages"),
        ("openai-responses", "input"),
        ("anthropic", "messages"),
        ("gemini", "contents"),
        ("ollama", "messages"),
    ],
)
def test_messages_of_the_users_own_pipeline_are_not_touched(name: str, key: str) -> None:
    built = ({"role": "odd", "content": [{"x": None}], "extra": 1}, {"role": "system", "parts": []})
    assert body(name, messages=built, verbatim=True, system=None, tool_choice=None)[key] == list(built)


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_passed_through_is_laid_over_the_rest(name: str) -> None:
    more = {
        "model": "other",
        "options": {"num_ctx": 8192},
        "generationConfig": {"topK": 1, "seed": 8},
        "x": None,
    }
    sent = body(name, body=more, tool_choice=None)
    assert (sent["model"], sent["x"]) == ("other", None)
    if name == "ollama":
        assert sent["options"] == {"temperature": 0.5, "seed": 7, "num_predict": 100, "num_ctx": 8192}
    if name == "gemini":
        assert sent["generationConfig"] == {"temperature": 0.5, "maxOutputTokens": 100, "seed": 8, "topK": 1}


def test_roles_that_a_format_lacks_are_put_where_it_has_them() -> None:
    talk = (
        {"role": "developer", "content": "Rule."},
        {"role": "user", "content": "hi"},
        {"role": "tool", "content": "42"},
    )
    assert body("openai-chat", messages=talk)["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "system", "content": "Rule."},
        {"role": "user", "content": "hi"},
        {"role": "user", "content": "42"},
    ]
    assert body("anthropic", messages=talk)["system"] == "Be brief.\n\nRule."
    assert [message["content"] for message in body("anthropic", messages=talk)["messages"]] == ["hi", "42"]
    assert body("gemini", messages=talk)["systemInstruction"] == {"parts": [{"text": "Be brief.\n\nRule."}]}


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_not_said_is_not_sent(name: str) -> None:
    sent = codec(name).request(ModelCall("m-1", TALK)).body
    assert set(sent) <= {"model", "messages", "input", "contents", "max_tokens", "store", "stream"}
    assert codec(name).request(ModelCall("m-1", TALK)) == codec(name).request(ModelCall("m-1", TALK))


@pytest.mark.parametrize("name", FORMATS)
def test_a_key_goes_into_one_header_and_nowhere_else(name: str) -> None:
    headers = codec(name).authorise("s3cret")
    assert [value.endswith("s3cret") for value in headers.values()] == [True]
    request = codec(name).request(CALL if name != "ollama" else ModelCall("m-1", TALK))
    assert "s3cret" not in repr(request)


def test_an_unknown_format_is_told() -> None:
    assert names() == FORMATS
    with pytest.raises(WorkbenchError, match="'openai'"):
        codec("openai")
