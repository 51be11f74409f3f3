"""Small logs of our own in the shape of every format that is a record per line."""

from __future__ import annotations

import base64
import json
from typing import Any, NamedTuple

TYPED = "dim the lamp in the hall"
SECOND = "close the <b>blue</b> shutter 🪟"


class Sample(NamedTuple):
    """The records of a log, and what is to be read from it: typed, wrapped and tools of each user turn."""

    reader: str
    records: list[dict[str, Any]]
    turns: list[tuple[str | None, str | None, tuple[str, ...] | None]]

    def lines(self) -> list[bytes]:
        return [json.dumps(record, ensure_ascii=False).encode("utf-8") for record in self.records]


def _chat(text: str, tool: str | None) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": None if tool else "Done."}
    if tool:
        message["tool_calls"] = [
            {"id": "c1", "type": "function", "function": {"name": tool, "arguments": "{}"}}
        ]
    return {
        "turn_id": f"t-{len(text)}",
        "session_id": "s1",
        "ts": "2026-03-01T08:00:00Z",
        "request": {
            "model": "m",
            "messages": [
                {"role": "system", "content": "Help."},
                {"role": "user", "content": "hello"},
                {"role": "assistant", "content": "Hello."},
                {
                    "role": "user",
                    "content": [{"type": "text", "text": f"[kim] {text}"}, {"type": "image_url"}],
                },
            ],
        },
        "response": {"id": "r1", "choices": [{"message": message, "finish_reason": "stop"}]},
    }


def _span(number: int, parent: str, name: str, **attributes: Any) -> dict[str, Any]:
    listed = [
        {"key": key, "value": {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}}
        for key, value in attributes.items()
    ]
    return {
        "traceId": "0af7651916cd43dd8448eb211c80319c",
        "spanId": f"{number:016x}",
        "parentSpanId": parent,
        "name": name,
        "startTimeUnixNano": str(1_770_000_000_000_000_000 + number),
        "attributes": listed,
    }


def _traces(*spans: dict[str, Any]) -> dict[str, Any]:
    return {
        "resourceSpans": [
            {"resource": {"attributes": []}, "scopeSpans": [{"scope": {}, "spans": list(spans)}]}
        ]
    }


def _event(name: str, body: Any, attributes: dict[str, Any] | None = None) -> dict[str, Any]:
    listed = [{"key": key, "value": value} for key, value in (attributes or {}).items()]
    return {
        "resourceLogs": [
            {
                "scopeLogs": [
                    {
                        "logRecords": [
                            {
                                "timeUnixNano": "1770000000000000000",
                                "eventName": name,
                                "traceId": "",
                                "spanId": "",
                                "body": body,
                                "attributes": listed,
                            }
                        ]
                    }
                ]
            }
        ]
    }


def _kv(**values: Any) -> dict[str, Any]:
    return {"kvlistValue": {"values": [{"key": key, "value": value} for key, value in values.items()]}}


def _text(value: str) -> dict[str, str]:
    return {"stringValue": value}


_PAGED = f"Docs:\nA page.\nQ: {TYPED}"
_OUT = json.dumps([{"role": "assistant", "parts": [{"type": "tool_call", "id": "1", "name": "lights.dim"}]}])
_ASK = json.dumps([{"role": "user", "parts": [{"type": "text", "content": f"Ctx: -\n{TYPED}"}]}])


SAMPLES = [
    Sample(
        "columns",
        [
            {
                "turn_id": "t1",
                "user_text": TYPED,
                "router_input": f"[kim] {TYPED}",
                "tools_called": '["lights.dim"]',
            },
            {"turn_id": "t2", "user_text": SECOND, "router_input": f"[kim] {SECOND}", "tools_called": None},
        ],
        [(TYPED, f"[kim] {TYPED}", ("lights.dim",)), (SECOND, f"[kim] {SECOND}", ())],
    ),
    Sample(
        "openai-chat",
        [_chat(TYPED, "lights.dim"), _chat(SECOND, None)],
        [(None, f"[kim] {TYPED}", ("lights.dim",)), (None, f"[kim] {SECOND}", ())],
    ),
    Sample(
        "openai-responses",
        [
            {
                "request": {
                    "model": "m",
                    "instructions": "Help.",
                    "input": f"[kim] {TYPED}",
                    "metadata": {"turn": "t1"},
                },
                "response": {
                    "id": "r1",
                    "output": [{"type": "function_call", "call_id": "c", "name": "lights.dim"}],
                },
            },
            {
                "request": {
                    "model": "m",
                    "input": [
                        {"role": "user", "content": [{"type": "input_text", "text": f"[kim] {SECOND}"}]}
                    ],
                },
                "response": {"id": "r2", "output": [{"type": "message", "content": []}]},
            },
            {
                "request": {
                    "model": "m",
                    "input": [{"type": "function_call_output", "call_id": "c", "output": "ok"}],
                },
                "response": {"id": "r3", "output": []},
            },
        ],
        [(None, f"[kim] {TYPED}", ("lights.dim",)), (None, f"[kim] {SECOND}", ())],
    ),
    Sample(
        "anthropic",
        [
            {
                "request": {
                    "model": "m",
                    "max_tokens": 9,
                    "system": [{"type": "text", "text": "Help."}],
                    "messages": [
                        {
                            "role": "user",
                            "content": [
                                {"type": "text", "text": "<clock>10:00</clock>"},
                                {"type": "text", "text": TYPED},
                            ],
                        }
                    ],
                },
                "response": {
                    "id": "m1",
                    "content": [{"type": "tool_use", "id": "u", "name": "lights.dim", "input": {}}],
                },
            },
            {
                "request": {
                    "model": "m",
                    "max_tokens": 9,
                    "system": "Help.",
                    "messages": [
                        {"role": "user", "content": TYPED},
                        {
                            "role": "assistant",
                            "content": [{"type": "tool_use", "id": "u", "name": "lights.dim"}],
                        },
                        {
                            "role": "user",
                            "content": [{"type": "tool_result", "tool_use_id": "u", "content": "ok"}],
                        },
                    ],
                },
                "response": {"id": "m2", "content": [{"type": "text", "text": "Done."}]},
            },
        ],
        [(None, f"<clock>10:00</clock>\n{TYPED}", ("lights.dim",))],
    ),
    Sample(
        "litellm",
        [
            {
                "id": "x1",
                "trace_id": "tr1",
                "call_type": "acompletion",
                "model": "small",
                "model_group": "auto",
                "messages": [{"role": "user", "content": f"Context: none\n\nQuestion: {TYPED}"}],
                "response": {"choices": [{"message": {"content": "ok"}}]},
                "metadata": {"requester_metadata": {"turn_id": "t1"}},
                "startTime": 1_770_000_000.5,
            },
            {
                "id": "x2",
                "call_type": "acompletion",
                "model": "m",
                "messages": [{"role": "user", "content": "redacted-by-litellm"}],
                "response": {"choices": [{"message": {"content": "redacted-by-litellm"}}]},
                "response_cost": 0.1,
            },
        ],
        [(None, f"Context: none\n\nQuestion: {TYPED}", ()), (None, None, ())],
    ),
    Sample(
        "otel",  # spans of version 1.37 and later, with the root and a tool
        [
            _traces(
                _span(
                    2,
                    "0000000000000001",
                    "chat m",
                    **{
                        "gen_ai.operation.name": "chat",
                        "gen_ai.conversation.id": "s1",
                        "gen_ai.input.messages": _ASK,
                        "gen_ai.output.messages": _OUT,
                    },
                ),
                _span(
                    3,
                    "0000000000000001",
                    "execute_tool lights.dim",
                    **{
                        "gen_ai.operation.name": "execute_tool",
                        "gen_ai.tool.name": "lights.dim",
                    },
                ),
            ),
            _traces(
                _span(
                    1,
                    "",
                    "invoke_agent a",
                    **{
                        "gen_ai.operation.name": "invoke_agent",
                        "gen_ai.input.messages": json.dumps(
                            [{"role": "user", "parts": [{"type": "text", "content": TYPED}]}]
                        ),
                    },
                )
            ),
        ],
        [(TYPED, f"Ctx: -\n{TYPED}", ("lights.dim",))],
    ),
    Sample(
        "otel",  # one event per message, up to version 1.36
        [
            _event("gen_ai.system.message", _kv(content=_text("Help."))),
            _event("gen_ai.user.message", _kv(content=_text(f"Ctx: -\n{TYPED}"))),
            _event(
                "gen_ai.choice",
                _kv(
                    index={"intValue": "0"},
                    message=_kv(
                        tool_calls={
                            "arrayValue": {
                                "values": [_kv(id=_text("1"), function=_kv(name=_text("lights.dim")))]
                            }
                        }
                    ),
                ),
            ),
            _event("gen_ai.user.message", _kv(content=_text(SECOND))),
            _event("gen_ai.choice", _kv(index={"intValue": "0"}, message=_kv(content=_text("Done.")))),
        ],
        [(None, f"Ctx: -\n{TYPED}", ("lights.dim",)), (None, SECOND, ())],
    ),
    Sample(
        "otel",  # one event per request, its messages a structure
        [
            _event(
                "gen_ai.client.inference.operation.details",
                None,
                {
                    "gen_ai.conversation.id": _text("s1"),
                    "gen_ai.input.messages": {
                        "arrayValue": {
                            "values": [
                                _kv(
                                    role=_text("user"),
                                    parts={
                                        "arrayValue": {
                                            "values": [
                                                _kv(type=_text("text"), content=_text(f"[kim] {SECOND}"))
                                            ]
                                        }
                                    },
                                )
                            ]
                        }
                    },
                    "gen_ai.output.messages": {
                        "arrayValue": {
                            "values": [
                                _kv(
                                    role=_text("assistant"),
                                    parts={
                                        "arrayValue": {
                                            "values": [_kv(type=_text("text"), content=_text("ok"))]
                                        }
                                    },
                                )
                            ]
                        }
                    },
                },
            ),
        ],
        [(None, f"[kim] {SECOND}", ())],
    ),
    Sample(
        "otel",  # the numbered prompts of an older vendor
        [
            _traces(
                _span(
                    1,
                    "0000000000000009",
                    "openai.chat",
                    **{
                        "gen_ai.prompt.0.role": "system",
                        "gen_ai.prompt.0.content": "Help.",
                        "gen_ai.prompt.1.role": "user",
                        "gen_ai.prompt.1.content": f"[kim] {TYPED}",
                        "gen_ai.completion.0.role": "assistant",
                        "gen_ai.completion.0.tool_calls.0.name": "lights.dim",
                    },
                )
            )
        ],
        [(None, f"[kim] {TYPED}", ("lights.dim",))],
    ),
    Sample(
        "openinference",
        [
            {
                "name": "llm",
                "context": {"trace_id": "t1", "span_id": "s2"},
                "parent_id": "s1",
                "start_time": "2026-03-01T08:00:01.000000+00:00",
                "attributes": {
                    "openinference.span.kind": "LLM",
                    "llm.input_messages.0.message.role": "system",
                    "llm.input_messages.0.message.content": "Help.",
                    "llm.input_messages.1.message.role": "user",
                    "llm.input_messages.1.message.contents.0.message_content.text": _PAGED,
                    "llm.output_messages.0.message.role": "assistant",
                    "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "lights.dim",
                    "llm.prompt_template.template": "Docs:\n{docs}\nQ: {q}",
                    "llm.prompt_template.variables": json.dumps({"docs": "A page.", "q": TYPED}),
                    "session.id": "s1",
                },
            },
            {
                "name": "retriever",
                "context": {"trace_id": "t1", "span_id": "s3"},
                "parent_id": "s1",
                "attributes": {
                    "openinference.span.kind": "RETRIEVER",
                    "input.value": "lamp hall",
                    "retrieval.documents.0.document.content": "A page.",
                },
            },
            {
                "name": "chain",
                "context": {"trace_id": "t1", "span_id": "s1"},
                "parent_id": None,
                "attributes": {
                    "openinference.span.kind": "CHAIN",
                    "input.value": json.dumps({"question": TYPED}),
                },
            },
        ],
        [(TYPED, _PAGED, ("lights.dim",))],
    ),
    Sample(
        "langfuse",
        [
            {
                "trace": {"id": "t1", "sessionId": "s1", "input": json.dumps({"message": TYPED})},
                "observations": [
                    {
                        "id": "o2",
                        "traceId": "t1",
                        "parentObservationId": "o1",
                        "type": "GENERATION",
                        "name": "router",
                        "input": [{"role": "user", "content": f"<ctx>-</ctx>\n{TYPED}"}],
                        "output": {"role": "assistant", "content": "on it"},
                    },
                    {
                        "id": "o3",
                        "traceId": "t1",
                        "parentObservationId": "o1",
                        "type": "TOOL",
                        "name": "lights.dim",
                    },
                ],
                "scores": [],
            },
            {
                "id": "o9",
                "trace_id": "t2",
                "type": "GENERATION",
                "session_id": "s2",
                "start_time": "2026-03-01T08:00:00Z",
                "input": json.dumps([{"role": "user", "content": SECOND}]),
            },
        ],
        [(TYPED, f"<ctx>-</ctx>\n{TYPED}", ("lights.dim",)), (None, SECOND, None)],
    ),
    Sample(
        "langsmith",
        [
            {
                "id": "r2",
                "run_type": "llm",
                "name": "ChatModel",
                "trace_id": "r1",
                "parent_run_id": "r1",
                "inputs": {
                    "messages": [
                        [
                            {
                                "lc": 1,
                                "type": "constructor",
                                "id": ["langchain", "schema", "messages", "SystemMessage"],
                                "kwargs": {"content": "Help.", "type": "system"},
                            },
                            {
                                "lc": 1,
                                "type": "constructor",
                                "id": ["langchain", "schema", "messages", "HumanMessage"],
                                "kwargs": {"content": f"Ctx: -\n\nQuestion: {TYPED}", "type": "human"},
                            },
                        ]
                    ]
                },
                "outputs": {
                    "generations": [
                        [
                            {
                                "text": "",
                                "message": {
                                    "lc": 1,
                                    "type": "constructor",
                                    "id": ["langchain", "schema", "messages", "AIMessage"],
                                    "kwargs": {
                                        "content": "",
                                        "type": "ai",
                                        "tool_calls": [{"name": "lights.dim", "args": {}}],
                                    },
                                },
                            }
                        ]
                    ]
                },
                "extra": {"metadata": {"thread_id": "s1"}},
            },
            {
                "id": "r3",
                "run_type": "tool",
                "name": "lights.dim",
                "trace_id": "r1",
                "parent_run_id": "r1",
                "inputs": {"input": "{}"},
                "outputs": {"output": "ok"},
            },
            {
                "id": "r1",
                "run_type": "chain",
                "name": "agent",
                "trace_id": "r1",
                "parent_run_id": None,
                "inputs": {"question": TYPED},
                "outputs": {},
            },
        ],
        [(TYPED, f"Ctx: -\n\nQuestion: {TYPED}", ("lights.dim",))],
    ),
    Sample(
        "claude-code",
        [
            {
                "type": "user",
                "uuid": "u1",
                "parentUuid": None,
                "sessionId": "s1",
                "timestamp": "2026-03-01T08:00:00Z",
                "isSidechain": False,
                "message": {
                    "role": "user",
                    "content": [
                        {"type": "text", "text": "<ide_opened_file>/w/a.py is open</ide_opened_file>"},
                        {"type": "text", "text": TYPED},
                    ],
                },
            },
            {
                "type": "assistant",
                "uuid": "a1",
                "parentUuid": "u1",
                "sessionId": "s1",
                "message": {
                    "role": "assistant",
                    "content": [{"type": "tool_use", "id": "x", "name": "Bash", "input": {}}],
                },
            },
            {
                "type": "user",
                "uuid": "u2",
                "parentUuid": "a1",
                "sessionId": "s1",
                "toolUseResult": {},
                "message": {
                    "role": "user",
                    "content": [{"type": "tool_result", "tool_use_id": "x", "content": "ok"}],
                },
            },
            {
                "type": "user",
                "uuid": "u3",
                "parentUuid": "u2",
                "sessionId": "s1",
                "isMeta": True,
                "message": {"role": "user", "content": "Caveat: what follows was made by commands."},
            },
            {
                "type": "user",
                "uuid": "u4",
                "parentUuid": "u3",
                "sessionId": "s1",
                "isCompactSummary": True,
                "message": {"role": "user", "content": "This session goes on from an earlier one."},
            },
            {
                "type": "user",
                "uuid": "u5",
                "parentUuid": "u4",
                "sessionId": "s1",
                "isSidechain": True,
                "message": {"role": "user", "content": "Look for the helper."},
            },
            {
                "type": "user",
                "uuid": "u6",
                "parentUuid": "u5",
                "sessionId": "s1",
                "message": {
                    "role": "user",
                    "content": "<command-message>review</command-message>\n"
                    f"<command-name>/review</command-name>\n<command-args>{SECOND}</command-args>",
                },
            },
        ],
        [
            (TYPED, f"<ide_opened_file>/w/a.py is open</ide_opened_file>\n{TYPED}", ("Bash",)),
            (
                SECOND,
                "<command-message>review</command-message>\n"
                f"<command-name>/review</command-name>\n<command-args>{SECOND}</command-args>",
                None,
            ),
        ],
    ),
    Sample(
        "claude-history",
        [
            {"display": TYPED, "pastedContents": {}, "project": "/w", "timestamp": 1_770_000_000_000},
            {
                "display": SECOND,
                "pastedContents": {"1": {"id": 1, "type": "text", "content": "a page"}},
                "project": "/w",
                "timestamp": 1_770_000_001_000,
            },
        ],
        [(TYPED, None, None), (SECOND, None, None)],
    ),
    Sample(
        "codex",
        [
            {"timestamp": "2026-03-01T08:00:00Z", "type": "session_meta", "payload": {"id": "s1"}},
            {
                "timestamp": "2026-03-01T08:00:00Z",
                "type": "response_item",
                "payload": {
                    "type": "message",
                    "role": "user",
                    "content": [
                        {"type": "input_text", "text": "<environment_context>\n/w\n</environment_context>"}
                    ],
                },
            },
            {
                "timestamp": "2026-03-01T08:00:00Z",
                "type": "event_msg",
                "payload": {"type": "user_message", "message": TYPED},
            },
            {
                "timestamp": "2026-03-01T08:00:00Z",
                "type": "response_item",
                "payload": {
                    "type": "message",
                    "role": "user",
                    "content": [{"type": "input_text", "text": f"# Files\n\n## My request:\n{TYPED}"}],
                },
            },
            {
                "timestamp": "2026-03-01T08:00:01Z",
                "type": "response_item",
                "payload": {"type": "function_call", "call_id": "c", "name": "shell", "arguments": "{}"},
            },
            {
                "timestamp": "2026-03-01T08:00:02Z",
                "type": "response_item",
                "payload": {
                    "type": "message",
                    "role": "assistant",
                    "content": [{"type": "output_text", "text": "Done."}],
                },
            },
            {
                "timestamp": "2026-03-01T08:01:00Z",
                "type": "response_item",
                "payload": {
                    "type": "message",
                    "role": "user",
                    "content": [{"type": "input_text", "text": SECOND}],
                },
            },
            {
                "timestamp": "2026-03-01T08:01:00Z",
                "type": "event_msg",
                "payload": {"type": "user_message", "message": SECOND},
            },
            {
                "timestamp": "2026-03-01T08:01:01Z",
                "type": "response_item",
                "payload": {
                    "type": "message",
                    "role": "assistant",
                    "content": [{"type": "output_text", "text": "Done."}],
                },
            },
            {
                "timestamp": "2026-03-01T08:02:00Z",
                "type": "compacted",
                "payload": {"message": "So far: nothing."},
            },
        ],
        [(TYPED, f"# Files\n\n## My request:\n{TYPED}", ("shell",)), (SECOND, SECOND, ())],
    ),
    Sample(
        "gemini-cli",
        [
            {
                "attributes": {
                    "event.name": "gemini_cli.user_prompt",
                    "session.id": "s1",
                    "prompt_id": "s1########0",
                    "prompt": TYPED,
                    "prompt_length": len(TYPED),
                }
            },
            {
                "attributes": {
                    "event.name": "gemini_cli.api_request",
                    "session.id": "s1",
                    "prompt_id": "s1########0",
                    "role": "utility_router",
                    "request_text": json.dumps([{"role": "user", "parts": [{"text": f"Route: {TYPED}"}]}]),
                }
            },
            {
                "attributes": {
                    "event.name": "gemini_cli.api_request",
                    "session.id": "s1",
                    "prompt_id": "s1########0",
                    "role": "subagent",
                    "request_text": json.dumps(
                        [{"role": "user", "parts": [{"text": "Look for the helper."}]}]
                    ),
                }
            },
            {
                "attributes": {
                    "event.name": "gemini_cli.model_routing",
                    "session.id": "s1",
                    "prompt_id": "s1########0",
                    "decision_model": "flash",
                    "decision_source": "classifier",
                }
            },
            {
                "attributes": {
                    "event.name": "gemini_cli.api_request",
                    "session.id": "s1",
                    "prompt_id": "s1########0",
                    "request_text": json.dumps(
                        [{"role": "user", "parts": [{"text": f"--- a.py ---\n{TYPED}"}]}]
                    ),
                }
            },
            {
                "attributes": {
                    "event.name": "gemini_cli.tool_call",
                    "session.id": "s1",
                    "prompt_id": "s1########0",
                    "function_name": "read_file",
                }
            },
            {
                "attributes": {
                    "event.name": "gemini_cli.user_prompt",
                    "session.id": "s1",
                    "prompt_id": "s1########1",
                    "prompt_length": 12,
                }
            },
        ],
        [(TYPED, f"--- a.py ---\n{TYPED}", ("read_file",)), (None, None, None)],
    ),
    Sample(
        "lm-studio",
        [
            {
                "name": "A chat",
                "createdAt": 1_770_000_000_000,
                "messages": [
                    {
                        "currentlySelected": 1,
                        "versions": [
                            {
                                "type": "singleStep",
                                "role": "user",
                                "content": [{"type": "text", "text": "another"}],
                            },
                            {
                                "type": "singleStep",
                                "role": "user",
                                "content": [{"type": "text", "text": TYPED}],
                                "preprocessed": {
                                    "role": "user",
                                    "content": [{"type": "text", "text": f"Citations:\n-\n\n{TYPED}"}],
                                },
                            },
                        ],
                    },
                    {
                        "currentlySelected": 0,
                        "versions": [
                            {
                                "type": "multiStep",
                                "role": "assistant",
                                "steps": [
                                    {
                                        "type": "contentBlock",
                                        "content": [{"type": "toolCallRequest", "name": "lights.dim"}],
                                    }
                                ],
                            }
                        ],
                    },
                ],
            },
        ],
        [(TYPED, f"Citations:\n-\n\n{TYPED}", ("lights.dim",))],
    ),
    Sample(
        "promptfoo",
        [
            {
                "evalId": "e1",
                "results": {
                    "version": 3,
                    "timestamp": "2026-03-01T08:00:00Z",
                    "prompts": [{"raw": "Route this for {{who}}: {{q}}", "label": "p"}],
                    "results": [
                        {
                            "promptIdx": 0,
                            "testIdx": 0,
                            "vars": {"q": TYPED, "who": "kim"},
                            "provider": {"id": "echo"},
                            "prompt": {"raw": f"Route this for kim: {TYPED}", "label": "p"},
                            "response": {
                                "output": [{"type": "function", "function": {"name": "lights.dim"}}]
                            },
                            "success": True,
                        },
                        {
                            "promptIdx": 0,
                            "testIdx": 1,
                            "vars": {"q": SECOND},
                            "provider": {"id": "echo"},
                            "prompt": {
                                "raw": json.dumps([{"role": "user", "content": f"Route this: {SECOND}"}]),
                                "label": "p",
                            },
                            "response": {"output": "no tool"},
                            "success": True,
                        },
                    ],
                },
            },
        ],
        [(TYPED, f"Route this for kim: {TYPED}", ("lights.dim",)), (SECOND, f"Route this: {SECOND}", ())],
    ),
    Sample(
        "har",
        [
            {
                "log": {
                    "version": "1.2",
                    "creator": {"name": "x", "version": "1"},
                    "entries": [
                        {
                            "startedDateTime": "2026-03-01T08:00:00Z",
                            "request": {"method": "GET", "url": "https://a.example/", "headers": []},
                            "response": {"status": 200, "content": {"mimeType": "text/html", "text": "<p>"}},
                        },
                        {
                            "startedDateTime": "2026-03-01T08:00:01Z",
                            "request": {
                                "method": "POST",
                                "url": "https://llm.example/v1/messages",
                                "headers": [{"name": "x-api-key", "value": "sk-planted-secret"}],
                                "postData": {
                                    "mimeType": "application/json",
                                    "text": json.dumps(
                                        {
                                            "model": "m",
                                            "max_tokens": 9,
                                            "system": "Help.",
                                            "messages": [{"role": "user", "content": f"[kim] {TYPED}"}],
                                        }
                                    ),
                                },
                            },
                            "response": {
                                "status": 200,
                                "content": {
                                    "mimeType": "application/json",
                                    "encoding": "base64",
                                    "text": base64.b64encode(
                                        json.dumps(
                                            {
                                                "content": [
                                                    {
                                                        "type": "tool_use",
                                                        "id": "u",
                                                        "name": "lights.dim",
                                                        "input": {},
                                                    }
                                                ]
                                            }
                                        ).encode()
                                    ).decode(),
                                },
                            },
                        },
                    ],
                }
            },
        ],
        [(None, f"[kim] {TYPED}", ("lights.dim",))],
    ),
]
