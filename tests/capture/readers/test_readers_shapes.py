"""Other shapes in which the same formats come: vendors' keys, data frames, pages of an API, transcripts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from log_samples import SECOND, TYPED
from test_readers_formats import read, told, write

from workbench.capture.turns import LogOptions, LogTurn, Who

WRAPPED = f"[kim] {TYPED}"
_ASK = json.dumps([{"role": "user", "content": [{"type": "text", "text": WRAPPED}]}])


def of(folder: Path, *records: Any, reader: str | None = None) -> list[LogTurn]:
    lines = "\n".join(json.dumps(record) for record in records)
    turns, skipped = read(write(folder, lines.encode()), LogOptions(reader=reader))
    assert skipped == []
    return turns


def span(parent: str | None, **attributes: Any) -> dict[str, Any]:
    """A span as a console exporter prints it."""
    context = {"trace_id": "0x0af7651916cd43dd8448eb211c80319c", "span_id": "0xb7ad6b7169203331"}
    return {"name": "x", "context": context, "parent_id": parent, "attributes": attributes, "events": []}


def test_the_ai_sdks_spans_of_one_request_are_one_turn(tmp_path: Path) -> None:
    calls = json.dumps([{"toolCallId": "1", "toolName": "lights.dim", "args": {}}])
    outer = span(None, **{"ai.prompt": json.dumps({"prompt": WRAPPED})})
    inner = span("1", **{"ai.prompt.messages": _ASK, "ai.response.toolCalls": calls})
    tool = span("1", **{"ai.toolCall.name": "lights.dim", "ai.toolCall.args": "{}"})
    assert told(of(tmp_path, outer, inner, tool)) == [(None, WRAPPED, ("lights.dim",))]


def test_langfuses_keys_on_spans(tmp_path: Path) -> None:
    root = span(None, **{"langfuse.trace.input": TYPED, "langfuse.session.id": "s1"})
    model = span("1", **{"langfuse.observation.type": "generation", "langfuse.observation.input": _ASK})
    turns = of(tmp_path, model, root)
    assert (told(turns), turns[0].session, turns[0].reader) == ([(TYPED, WRAPPED, None)], "s1", "langfuse")


def test_a_search_is_what_was_typed_only_where_nothing_surer_is_known(tmp_path: Path) -> None:
    search = span(
        "1",
        **{
            "gen_ai.retrieval.query.text": "lamp",
            "gen_ai.retrieval.documents": json.dumps([{"content": "a page"}]),
        },
    )
    model = span("1", **{"gen_ai.operation.name": "chat", "gen_ai.input.messages": _ASK})
    turns = of(tmp_path, search, model)
    assert (told(turns), turns[0].documents) == ([("lamp", WRAPPED, None)], ("a page",))
    agent = span(
        None,
        **{
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.input.messages": json.dumps(
                [{"role": "user", "parts": [{"type": "text", "content": TYPED}]}]
            ),
        },
    )
    assert told(of(tmp_path, search, model, agent)) == [(TYPED, WRAPPED, None)]


def test_spans_whose_content_was_not_recorded_give_no_turn(tmp_path: Path) -> None:
    assert of(tmp_path, span("1", **{"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"})) == []


def test_an_export_in_snake_case(tmp_path: Path) -> None:
    attributes = [
        {"key": "gen_ai.operation.name", "value": {"string_value": "chat"}},
        {"key": "gen_ai.input.messages", "value": {"string_value": _ASK}},
    ]
    spans = [{"trace_id": "0a", "span_id": "01", "name": "chat", "attributes": attributes}]
    export = {"resource_spans": [{"scope_spans": [{"spans": spans}]}]}
    assert told(of(tmp_path, export)) == [(None, WRAPPED, None)]


def test_messages_as_events_of_a_span(tmp_path: Path) -> None:
    record = span("1", **{"gen_ai.system": "openai"})
    record["events"] = [
        {"name": "gen_ai.user.message", "attributes": {"content": WRAPPED}},
        {
            "name": "gen_ai.choice",
            "attributes": {"message": {"tool_calls": [{"function": {"name": "lights.dim"}}]}},
        },
    ]
    assert told(of(tmp_path, record)) == [(None, WRAPPED, ("lights.dim",))]


def test_two_requests_of_one_trace_that_were_given_other_texts_are_two_turns(tmp_path: Path) -> None:
    def ask(text: str, start: int) -> dict[str, Any]:
        messages = json.dumps([{"role": "user", "content": text}])
        made = span("1", **{"gen_ai.operation.name": "chat", "gen_ai.input.messages": messages})
        return {**made, "start_time": f"2026-03-01T08:00:0{start}Z"}

    root = span(None, **{"input.value": json.dumps({"question": TYPED}), "openinference.span.kind": "CHAIN"})
    turns = of(tmp_path, ask(f"Answer: {TYPED}", 2), ask(WRAPPED, 1), ask(WRAPPED, 3), root)
    assert [(turn.typed, turn.wrapped) for turn in turns] == [(TYPED, WRAPPED), (TYPED, f"Answer: {TYPED}")]


def test_rows_of_a_data_frame(tmp_path: Path) -> None:
    row = {
        "name": "llm",
        "context.trace_id": "t1",
        "context.span_id": "s1",
        "parent_id": "s0",
        "attributes.openinference.span.kind": "LLM",
        "attributes.llm.input_messages": [{"message.role": "user", "message.content": WRAPPED}],
        "attributes.session.id": "c1",
    }
    turns = of(tmp_path, row)
    assert (told(turns), turns[0].id, turns[0].session) == ([(None, WRAPPED, None)], "t1", "c1")


def test_pages_of_langfuses_and_langsmiths_apis(tmp_path: Path) -> None:
    page = {"data": [{"id": "o", "traceId": "t", "type": "GENERATION", "input": _ASK}], "meta": {"page": 1}}
    assert told(of(tmp_path, page)) == [(None, WRAPPED, None)]
    within = {"trace_id": "1", "parent_run_id": "1"}
    asked = {"messages": [{"role": "user", "content": WRAPPED}]}
    answer = {"choices": [{"message": {"role": "assistant", "content": "ok"}}]}
    template = {"id": "2", "run_type": "prompt", "inputs": {"question": TYPED}, "outputs": {}, **within}
    model = {"id": "3", "run_type": "llm", "inputs": asked, "outputs": answer, **within}
    runs = {"runs": [template, model]}
    turns = of(tmp_path, runs)
    assert (told(turns), turns[0].variables) == ([(TYPED, WRAPPED, ())], {"question": TYPED})


def test_what_an_agents_own_event_says_was_typed(tmp_path: Path) -> None:
    record = {
        "body": "claude_code.user_prompt",
        "timestamp": 1_770_000_000,
        "attributes": {
            "event.name": "claude_code.user_prompt",
            "session.id": "s",
            "prompt_length": 7,
            "prompt": "<REDACTED>",
        },
    }
    other = {**record, "attributes": {**record["attributes"], "prompt": TYPED}}  # type: ignore[dict-item]
    first, second = of(tmp_path, record, other)
    assert (first.typed, first.typed_size, second.typed) == (None, 7, TYPED)


@pytest.mark.parametrize("wrap", [
    lambda message: message,
    lambda message: {"type": "message", "id": "m", "message": message},
    lambda message: {"role": message["role"], "message": {"content": message["content"]}},
])  # fmt: skip
def test_transcripts_tell_answers_from_words(tmp_path: Path, wrap: Any) -> None:
    query = f"<open_file>a.py</open_file>\n<user_query>\n{TYPED}\n</user_query>"
    messages = [
        {"role": "system", "content": "Help."},
        {"role": "user", "content": [{"type": "text", "text": query}]},
        {"role": "assistant", "content": [{"type": "tool_use", "name": "lights.dim", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "content": "ok"}]},
        {"role": "assistant", "content": "Done."},
        {"role": "user", "content": SECOND},
    ]
    turns = of(tmp_path, *map(wrap, messages))
    assert told(turns) == [(TYPED, query, ("lights.dim",)), (None, SECOND, None)]
    assert [turn.who for turn in turns].count(Who.TOOL_RESULT) == 1


def test_a_batch_file_has_its_requests_in_a_body(tmp_path: Path) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": WRAPPED}]}
    turns = of(tmp_path, {"custom_id": "q1", "method": "POST", "url": "/v1/chat/completions", "body": body})
    assert [(turn.id, turn.wrapped, turn.tools) for turn in turns] == [("q1", WRAPPED, None)]


def test_a_body_beside_the_words_that_the_app_logged_is_a_pair(tmp_path: Path) -> None:
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": WRAPPED}]})
    assert told(of(tmp_path, {"user_text": TYPED, "request_body": body})) == [(TYPED, WRAPPED, None)]


def test_claude_codes_compaction_is_not_the_next_turn_and_sessions_may_mix(tmp_path: Path) -> None:
    def record(session: str, role: str, content: Any, **more: Any) -> dict[str, Any]:
        return {
            "type": role,
            "uuid": "u",
            "sessionId": session,
            "message": {"role": role, "content": content},
            **more,
        }

    turns = of(
        tmp_path,
        {"type": "summary", "summary": "x", "leafUuid": "y"},
        record("a", "user", TYPED),
        record("b", "user", SECOND),
        record("a", "assistant", [{"type": "tool_use", "name": "Read"}]),
        record("a", "user", "So far.", isCompactSummary=True),
        record("a", "user", "<local-command-stdout>ok</local-command-stdout>"),
        record("a", "user", "[Request interrupted by user]"),
        record("a", "assistant", [{"type": "tool_use", "name": "Bash"}]),
        record("a", "assistant", [{"type": "tool_use", "name": "Spawn"}], isSidechain=True),
    )
    assert {turn.session: (turn.typed, turn.tools) for turn in turns if turn.who is Who.USER} == {
        "a": (TYPED, ("Read", "Bash")),
        "b": (SECOND, None),
    }
    assert [turn.who for turn in turns][:3] == [Who.COMPACTION, Who.META, Who.SYNTHETIC]


def test_codex_turns_that_were_interrupted_keep_their_own_halves(tmp_path: Path) -> None:
    def given(text: str) -> dict[str, Any]:
        content = [{"type": "input_text", "text": text}]
        return {"type": "response_item", "payload": {"type": "message", "role": "user", "content": content}}

    def typed(text: str) -> dict[str, Any]:
        return {"type": "event_msg", "payload": {"type": "user_message", "message": text}}

    call = {"type": "response_item", "payload": {"type": "function_call", "name": "shell", "call_id": "c"}}
    context = given("<environment_context>\n/w\n</environment_context>")
    turns = of(
        tmp_path,
        given(f"# Files\n{TYPED}"),
        typed(TYPED),
        given(f"# Files\n{SECOND}"),
        typed(SECOND),
        call,
        context,
        call,
        typed("never sent on"),
    )
    assert told(turns) == [
        (TYPED, f"# Files\n{TYPED}", None),
        (SECOND, f"# Files\n{SECOND}", ("shell", "shell")),
        ("never sent on", None, None),
    ]


def test_langfuses_trace_may_stand_behind_its_observations(tmp_path: Path) -> None:
    model = {"id": "o", "traceId": "t", "type": "GENERATION", "input": _ASK, "output": "x"}
    export = {"observations": [model], "scores": [], "trace": {"sessionId": "s", "id": "t", "input": TYPED}}
    turns = of(tmp_path, export)
    assert (told(turns), turns[0].session) == ([(TYPED, WRAPPED, ())], "s")
    file = write(tmp_path, json.dumps(export, indent=2).encode())
    assert told(read(file, LogOptions())[0]) == [(TYPED, WRAPPED, ())]


def test_columns_in_camel_case(tmp_path: Path) -> None:
    rows = [{"userMessage": TYPED, "routerInput": WRAPPED, "toolNames": ["lights.dim"]}]
    assert told(of(tmp_path, *rows)) == [(TYPED, WRAPPED, ("lights.dim",))]


def test_a_variable_that_the_template_escapes_is_what_was_typed(tmp_path: Path) -> None:
    def result(number: int, words: str, **others: str) -> dict[str, object]:
        raw = "Route: " + words.replace("\n", "<br>")
        return {"promptIdx": 0, "testIdx": number, "vars": {"q": words, **others}, "prompt": {"raw": raw}}

    results = [result(1, "one\ntwo"), result(2, "three"), result(3, "four\nfive", wanted="lights")]
    whole = {"evalId": "e", "results": {"results": results}, "config": {"prompts": ["Route: {{q | br}}"]}}
    for log in (whole, {**whole, "config": {}}):
        turns, _ = read(write(tmp_path, json.dumps(log).encode()))
        assert [turn.typed for turn in turns] == ["one\ntwo", "three", "four\nfive"]
