"""Ollama's own chat: one object, or one per line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from workbench.core.decision import Json
from workbench.core.errors import Problem, UsageError
from workbench.wire.asking import chat_messages, given, merged, offered, parameters, route_schema
from workbench.wire.calls import add_calls, add_content
from workbench.wire.codec import ModelCall, Reply, StreamReader, WireRequest
from workbench.wire.draft import Draft, Ending, usage
from workbench.wire.events import Event, JsonLines
from workbench.wire.streamed import Streamed, event_object, is_done
from workbench.wire.strict import kind_of, strings
from workbench.wire.whole import read_whole

__all__ = ["ENDINGS", "Ollama", "OllamaFold"]

ENDINGS: Mapping[str, Ending] = {
    "stop": Ending.DONE,
    "length": Ending.CUT,
    "load": Ending.FAILED,  # the model was loaded, and asked nothing
    "unload": Ending.FAILED,
}


class Ollama:
    """`/api/chat`. The format cannot ask for a certain tool."""

    name: ClassVar[str] = "ollama"
    base: ClassVar[str] = "http://127.0.0.1:11434"
    key_variable: ClassVar[str | None] = None
    tool_names: ClassVar[str] = r"\S(?:.*\S)?"

    def request(self, call: ModelCall) -> WireRequest:
        if call.tool_choice not in (None, "auto", "none"):
            message = f"tool_choice: Ollama's own format cannot ask for {call.tool_choice!r}"
            hint = "take it away, or use `api: openai-chat` with the server's /v1"
            raise UsageError(Problem(message, hint=hint))
        tools = [] if call.tool_choice == "none" else offered(call)
        options = given(temperature=call.temperature, seed=call.seed, num_predict=call.max_tokens)
        body = given(
            model=call.model,
            messages=chat_messages(call),
            tools=[_tool(tool.name, tool.description, parameters(tool)) for tool in tools] or None,
            format=route_schema(call.routes) if call.routes else None,
            options=options or None,
            stream=call.stream,  # true is this format's own default
        )
        return WireRequest("/api/chat", merged(body, call.body))

    def authorise(self, key: str) -> Mapping[str, str]:
        return {"Authorization": f"Bearer {key}"}

    def read(self, http: int, headers: Mapping[str, str], body: bytes, routes: Sequence[str] = ()) -> Reply:
        return read_whole(http, headers, body, routes, _gathered, ENDINGS)

    def stream(self, http: int, headers: Mapping[str, str], routes: Sequence[str] = ()) -> StreamReader:
        return Streamed(self, http, headers, routes, JsonLines(), OllamaFold(), ENDINGS)


def _tool(name: str, description: str, schema: Mapping[str, Json]) -> Json:
    function: dict[str, Json] = {"name": name, "description": description, "parameters": schema}
    return {"type": "function", "function": function}


def _gathered(answer: Mapping[str, Any]) -> Draft:
    draft = Draft(dict)
    _take(draft, answer)
    if answer.get("message") is None:
        draft.problems.append("no message came")
    if answer.get("done") is False:
        draft.problems.append("the answer is not done: more was to come")
    return draft


def _take(draft: Draft, part: Mapping[str, Any]) -> None:
    """An answer, or one line of a streamed one."""
    draft.model = strings(part.get("model")) or draft.model
    draft.finish = strings(part.get("done_reason")) or draft.finish
    if part.get("done"):
        draft.usage = usage(part, "prompt_eval_count", "eval_count") or draft.usage
    message = part.get("message")
    if isinstance(message, dict):
        add_content(draft, message.get("content"))
        add_calls(draft, message.get("tool_calls"))
    elif message is not None:
        draft.problems.append(f"message is {kind_of(message)}; expected an object")


class OllamaFold:
    """The lines of one streamed answer."""

    def __init__(self) -> None:
        self._draft = Draft(dict)
        self._before: str | None = None
        self._done = False

    @property
    def ended(self) -> bool:
        return self._done

    def take(self, event: Event) -> None:
        if is_done(event):
            return
        value = event_object(event)
        # Each line has the time it was made at, so what is alike to the byte came twice.
        if "created_at" in value and event.data == self._before:
            self._draft.flag("a line came twice; it is read once")
            return
        self._before = event.data
        _take(self._draft, value)
        self._done = self._done or value.get("done") is True

    def draft(self) -> Draft:
        """What came so far."""
        return self._draft
