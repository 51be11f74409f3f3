"""What counts as text of a request, provider by provider."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.ledger import readable


def read(body: Any) -> list[tuple[str, str, str]]:
    return [(piece.path, piece.text, piece.part) for piece in readable(body).pieces]


def user(content: Any, **beside: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": content}], **beside}


def test_openai_chat_in_the_order_of_the_body() -> None:
    body = {
        "model": "gpt",
        "messages": [
            {"role": "developer", "content": [{"type": "text", "text": "be short"}]},
            {"role": "user", "name": "ada", "content": "hi\r\n"},
            {
                "role": "assistant",
                "content": None,
                "refusal": None,
                "tool_calls": [
                    {"id": "1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
                ],
            },
            {"role": "tool", "tool_call_id": "1", "content": "42"},
        ],
        "tools": [
            {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "d": "ü"}}}
        ],
    }
    assert read(body) == [
        ("messages[0].content[0].text", "be short", "system"),
        ("messages[1].content", "hi\r\n", "user"),
        ("messages[2].tool_calls[0].function.name", "f", "assistant"),
        ("messages[2].tool_calls[0].function.arguments", '{"a": 1}', "assistant"),
        ("messages[3].content", "42", "tool"),
        ("tools[0].function.name", "f", "schema"),
        ("tools[0].function.parameters", '{"type":"object","d":"ü"}', "schema"),
    ]
    assert readable(body).format == "openai-chat"


def test_openai_responses_with_history_and_tools_of_the_provider() -> None:
    body = {
        "instructions": "I",
        "previous_response_id": "resp_1",
        "input": [
            {
                "role": "user",
                "content": [{"type": "input_text", "text": "q"}, {"type": "input_file", "file_id": "f"}],
            },
            {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c", "output": [{"type": "input_text", "text": "o"}]},
            {
                "type": "reasoning",
                "summary": [{"type": "summary_text", "text": "s"}],
                "encrypted_content": "x",
            },
            {"type": "custom_tool_call", "name": "g", "input": "free text"},
            {"type": "mcp_list_tools", "server_label": "s", "tools": [{"name": "m", "input_schema": {}}]},
            {
                "type": "computer_call_output",
                "output": {"type": "computer_screenshot", "image_url": "data:x"},
            },
            {"type": "code_interpreter_call", "code": "1+1", "outputs": [{"type": "logs", "logs": "2"}]},
            {"type": "item_reference", "id": "i"},
        ],
        "tools": [{"type": "custom", "name": "g", "format": {"type": "grammar", "definition": "start: x"}}],
    }
    sent = readable(body)
    assert [(piece.text, piece.part) for piece in sent.pieces] == [
        ("I", "system"),
        ("q", "user"),
        ("f", "assistant"),
        ("{}", "assistant"),
        ("o", "tool"),
        ("s", "assistant"),
        ("g", "assistant"),
        ("free text", "assistant"),
        ("m", "schema"),
        ("{}", "schema"),
        ("1+1", "assistant"),
        ("2", "tool"),
        ("g", "schema"),
        ("start: x", "schema"),
    ]
    assert (sent.format, sent.images) == ("openai-responses", 2)
    assert sent.elsewhere == ("previous_response_id", "input[3]", "input[8]")


def test_a_stored_prompt_is_elsewhere_and_its_variables_count() -> None:
    sent = readable(
        {
            "model": "m",
            "prompt": {"id": "pmpt_1", "variables": {"city": "Zürich", "n": {"type": "input_image"}}},
        }
    )
    assert [tuple(piece) for piece in sent.pieces] == [("prompt.variables.city", "Zürich", "user")]
    assert (sent.elsewhere, sent.images) == (("prompt",), 1)


def test_anthropic_documents_results_and_thinking() -> None:
    body = {
        "system": [{"type": "text", "text": "S", "cache_control": {"type": "ephemeral"}}],
        "messages": [
            {
                "role": "user",
                "content": [
                    {"type": "document", "title": "T", "source": {"type": "text", "data": "D"}},
                    {
                        "type": "document",
                        "source": {"type": "content", "content": [{"type": "text", "text": "C"}]},
                    },
                    {"type": "document", "source": {"type": "base64", "data": "JVBERi0="}},
                    {
                        "type": "search_result",
                        "source": "https://a",
                        "title": "R",
                        "content": [{"type": "text", "text": "B"}],
                    },
                ],
            },
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "hm", "signature": "s"},
                    {"type": "redacted_thinking", "data": "x"},
                    {"type": "tool_use", "id": "1", "name": "f", "input": {"a": "ü\n"}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {
                        "type": "tool_result",
                        "tool_use_id": "1",
                        "content": [
                            {"type": "text", "text": "42"},
                            {"type": "image", "source": {"type": "url"}},
                        ],
                    }
                ],
            },
        ],
    }
    sent = readable(body)
    assert [(piece.text, piece.part) for piece in sent.pieces] == [
        ("S", "system"),
        ("T", "user"),
        ("D", "user"),
        ("C", "user"),
        ("https://a", "tool"),
        ("R", "tool"),
        ("B", "tool"),
        ("hm", "assistant"),
        ("f", "assistant"),
        ('{"a":"ü\\n"}', "assistant"),
        ("42", "tool"),
    ]
    assert (sent.format, sent.images, sent.elsewhere) == ("anthropic", 2, ("messages[1].content[1]",))


@pytest.mark.parametrize("camel", [True, False])
def test_gemini_in_both_spellings(camel: bool) -> None:
    def key(name: str) -> str:
        return (
            name
            if camel
            else "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
        )

    body = {
        key("systemInstruction"): {"parts": [{"text": "S"}]},
        "contents": [
            {"role": "user", "parts": [{"text": "q"}, {key("inlineData"): {key("mimeType"): "image/png"}}]},
            {"role": "model", "parts": [{key("functionCall"): {"name": "now"}}]},
            {"role": "user", "parts": [{key("functionResponse"): {"name": "now", "response": {"t": 1}}}]},
            {"role": "model", "parts": [{key("executableCode"): {"language": "PYTHON", "code": "1"}}]},
            {"role": "model", "parts": [{key("codeExecutionResult"): {"outcome": "OK", "output": "2"}}]},
        ],
        "tools": [{key("functionDeclarations"): [{"name": "now", "description": "d"}]}],
        key("generationConfig"): {key("responseSchema"): {"type": "STRING"}},
    }
    sent = readable(body)
    assert [(piece.text, piece.part) for piece in sent.pieces] == [
        ("S", "system"),
        ("q", "user"),
        ("now", "assistant"),
        ("now", "tool"),
        ('{"t":1}', "tool"),
        ("1", "assistant"),
        ("2", "tool"),
        ("now", "schema"),
        ("d", "schema"),
        ('{"type":"STRING"}', "schema"),
    ]
    assert (sent.format, sent.images) == ("gemini", 1)
    assert read({"contents": "hi", "systemInstruction": "S"})[1] == ("systemInstruction", "S", "system")


def test_ollama_chat_and_generate() -> None:
    chat = user("q", options={"num_ctx": 9}, format={"type": "object"})
    chat["messages"][0]["images"] = ["aGk=", "aGk="]
    assert (readable(chat).format, readable(chat).images) == ("ollama", 2)
    assert ("format", '{"type":"object"}', "schema") in read(chat)
    generate = {
        "model": "m",
        "prompt": "p",
        "suffix": "x",
        "system": "s",
        "template": "{{ .Prompt }}",
        "context": [1, 2],
    }
    assert [text for _, text, _ in read(generate)] == ["p", "x", "s", "{{ .Prompt }}"]
    assert (readable(generate).format, readable(generate).elsewhere) == ("ollama", ("context",))


def test_completions_with_texts_or_tokens() -> None:
    assert [text for _, text, _ in read({"model": "m", "prompt": ["a", "b"]})] == ["a", "b"]
    tokens = readable({"model": "m", "prompt": [[1, 2], [3]]})
    assert (tokens.format, tokens.pieces, tokens.elsewhere) == (
        "openai-completions",
        (),
        ("prompt[0]", "prompt[1]"),
    )


def test_bedrock_has_blocks_without_types() -> None:
    body = {
        "system": [{"text": "S"}],
        "messages": [
            {"role": "user", "content": [{"text": "q"}, {"image": {"format": "png"}}]},
            {
                "role": "assistant",
                "content": [{"toolUse": {"toolUseId": "1", "name": "f", "input": {"a": 1}}}],
            },
            {
                "role": "user",
                "content": [{"toolResult": {"toolUseId": "1", "content": [{"json": {"b": 2}}]}}],
            },
        ],
        "toolConfig": {"tools": [{"toolSpec": {"name": "f", "inputSchema": {"json": {}}}}]},
    }
    sent = readable(body)
    assert [piece.text for piece in sent.pieces] == ["S", "q", "f", '{"a":1}', '{"b":2}', "f", '{"json":{}}']
    assert (sent.format, sent.images) == ("bedrock", 1)


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        (None, []),
        ("", []),
        ([], []),
        (["bare", {"type": "text", "text": "x"}], ["bare", "x"]),
        ([{"type": "of_tomorrow", "text": "new", "id": "no"}], ["new"]),
        ([{"type": "of_tomorrow", "content": [{"text": "inner"}]}], ["inner"]),
        ([{"type": "text", "text": None}, {"type": "text"}, None, 7], []),
        ("\ud83c lone \udc97", ["\ud83c lone \udc97"]),
    ],
)
def test_content_of_any_kind(content: Any, texts: list[str]) -> None:
    assert [text for _, text, _ in read(user(content))] == texts


@pytest.mark.parametrize(
    "body", [None, 3, "text", [], ["text"], {}, {"text": "x"}, {"model": "m", "query": "x"}]
)
def test_a_body_of_no_known_shape_is_unknown_and_not_guessed(body: Any) -> None:
    assert tuple(readable(body)) == ((), 0, "unknown", ())
