"""Google's Gemini: contents in parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar
from urllib.parse import quote

from workbench.core.decision import Json
from workbench.core.exchange import Usage
from workbench.core.tool import Tool
from workbench.wire.asking import given, merged, offered, system_of, turns
from workbench.wire.codec import ModelCall, Reply, StreamReader, WireRequest
from workbench.wire.draft import HOSTED, MISSING, ROUTE, Draft, Ending, FoundCall, count
from workbench.wire.events import ServerSentEvents
from workbench.wire.streamed import Streamed
from workbench.wire.strict import kind_of, mapping, strings
from workbench.wire.whole import read_whole

__all__ = ["ENDINGS", "Gemini", "take_answer"]

ENDINGS: Mapping[str, Ending] = {
    "STOP": Ending.DONE,
    "MAX_TOKENS": Ending.CUT,
    "SAFETY": Ending.REFUSED,
    "RECITATION": Ending.REFUSED,
    "BLOCKLIST": Ending.REFUSED,
    "PROHIBITED_CONTENT": Ending.REFUSED,
    "SPII": Ending.REFUSED,
    "MODEL_ARMOR": Ending.REFUSED,
    "IMAGE_SAFETY": Ending.REFUSED,
    "IMAGE_PROHIBITED_CONTENT": Ending.REFUSED,
    "IMAGE_RECITATION": Ending.REFUSED,
    "MALFORMED_FUNCTION_CALL": Ending.BROKEN,
    "UNEXPECTED_TOOL_CALL": Ending.BROKEN,
    "TOO_MANY_TOOL_CALLS": Ending.BROKEN,
    "MALFORMED_RESPONSE": Ending.BROKEN,
    "LANGUAGE": Ending.FAILED,
    "OTHER": Ending.FAILED,
}


class Gemini:
    """`/models/…:generateContent`."""

    name: ClassVar[str] = "gemini"
    base: ClassVar[str] = "https://generativelanguage.googleapis.com/v1beta"
    key_variable: ClassVar[str | None] = "GEMINI_API_KEY"
    tool_names: ClassVar[str] = "[A-Za-z_][A-Za-z0-9_.:-]{0,63}"

    def request(self, call: ModelCall) -> WireRequest:
        system, tools = system_of(call), [_tool(tool) for tool in offered(call)]
        settings = given(
            temperature=call.temperature,
            maxOutputTokens=call.max_tokens,
            seed=call.seed,
            responseMimeType="application/json" if call.routes else None,
            responseSchema=_schema(call.routes) if call.routes else None,
        )
        body = given(
            contents=_contents(call),
            systemInstruction={"parts": [{"text": system}]} if system else None,
            tools=[{"functionDeclarations": tools}] if tools else None,
            toolConfig=_choice(call.tool_choice) if tools and call.tool_choice else None,
            generationConfig=settings or None,
        )
        method = "streamGenerateContent?alt=sse" if call.stream else "generateContent"
        model = quote(call.model.removeprefix("models/"), safe="")
        return WireRequest(f"/models/{model}:{method}", merged(body, call.body))

    def authorise(self, key: str) -> Mapping[str, str]:
        return {"x-goog-api-key": key}

    def read(self, http: int, headers: Mapping[str, str], body: bytes, routes: Sequence[str] = ()) -> Reply:
        return read_whole(http, headers, body, routes, _gathered, ENDINGS)

    def stream(self, http: int, headers: Mapping[str, str], routes: Sequence[str] = ()) -> StreamReader:
        from workbench.wire.gemini_stream import ContentFold

        return Streamed(self, http, headers, routes, ServerSentEvents(), ContentFold(), ENDINGS)


def _contents(call: ModelCall) -> list[Json]:
    if call.verbatim:
        return list(call.messages)
    said = turns(call, system=False, assistant="model")
    return [{"role": role, "parts": [{"text": text}]} for role, text in said]


def _tool(tool: Tool) -> Json:
    """The vendor refuses an object's schema without properties: a tool without any has no schema. The key
    for JSON Schema is used, as the other one knows a part of it only.
    """
    schema = tool.parameters if tool.parameters and tool.parameters.get("properties") else None
    return given(name=tool.name, description=tool.description or None, parametersJsonSchema=schema)


def _choice(choice: str) -> Json:
    modes = {"auto": "AUTO", "none": "NONE", "required": "ANY", "any": "ANY"}
    named = None if choice in modes else [choice]
    return {"functionCallingConfig": given(mode=modes.get(choice, "ANY"), allowedFunctionNames=named)}


def _schema(routes: Sequence[str]) -> Json:
    """In the vendor's own dialect, which every model of it reads."""
    route: Json = {"type": "STRING", "format": "enum", "enum": list(routes)}
    return {"type": "OBJECT", "properties": {ROUTE: route}, "required": [ROUTE]}


def _gathered(answer: Mapping[str, Any]) -> Draft:
    draft = Draft(dict)
    if not take_answer(draft, answer):
        draft.problems.append("no candidate came")
    elif draft.finish is None and not (draft.calls or draft.text or draft.refusal or draft.problems):
        draft.problems.append("the candidate has neither content nor a finish reason")
    return draft


def take_answer(draft: Draft, answer: Mapping[str, Any]) -> bool:
    """One answer, or one event of a streamed one, of which another candidate may be alone in it. Returns
    whether it held a candidate, or a refusal.
    """
    draft.model = strings(answer.get("modelVersion")) or draft.model
    draft.usage = _usage(answer.get("usageMetadata")) or draft.usage
    blocked = strings(mapping(answer.get("promptFeedback")).get("blockReason"))
    if blocked is not None:
        draft.refusal.append(f"the prompt was blocked: {blocked}")
    candidates = answer.get("candidates")
    if not isinstance(candidates, list) or not candidates:
        return blocked is not None
    if len(candidates) > 1:
        draft.flag(f"{len(candidates)} candidates came; the first is read")
    first = next((each for each in candidates if mapping(each).get("index") in (None, 0)), None)
    if first is None:
        draft.flag("another candidate than the first came; it is not read")
        return False
    if not isinstance(first, dict):
        draft.problems.append(f"the candidate is {kind_of(first)}; expected an object")
        return True
    draft.finish = strings(first.get("finishReason")) or draft.finish
    parts = mapping(first.get("content")).get("parts")
    if parts is not None and not isinstance(parts, list):
        draft.problems.append(f"parts is {kind_of(parts)}; expected a list")
    for part in parts if isinstance(parts, list) else []:
        _part(draft, part)
    return True


def _part(draft: Draft, part: Any) -> None:
    if not isinstance(part, dict):
        draft.problems.append(f"a part is {kind_of(part)}; expected an object")
    elif "functionCall" in part:
        _call(draft, part["functionCall"])
    elif "function_call" in part:
        draft.flag("a call under the key function_call, as the vendor's older clients spell it")
        _call(draft, part["function_call"])
    elif "executableCode" in part:
        draft.flag(HOSTED)
        draft.calls.append(FoundCall("code_execution", part["executableCode"]))
    elif part.get("thought") is True:
        return
    elif "text" in part:
        draft.add_text(part["text"])
    elif set(part) - {"thoughtSignature"}:
        draft.flag(f"a part of a kind that is not read: {', '.join(part)}")


def _call(draft: Draft, call: Any) -> None:
    """A call. Arguments that are left out are none, as the vendor has it."""
    if not isinstance(call, dict):
        draft.calls.append(FoundCall(arguments=call))
        return
    if "partialArgs" in call or call.get("willContinue"):
        draft.problems.append("a call came in pieces, which are not read")
    draft.calls.append(FoundCall(call.get("name", MISSING), call.get("args", {}), strings(call.get("id"))))


def _usage(counts: Any) -> Usage | None:
    """Hidden reasoning is counted apart by the vendor, and made by the model all the same."""
    if not isinstance(counts, dict):
        return None
    made = [count(counts.get(key)) for key in ("candidatesTokenCount", "thoughtsTokenCount")]
    total = None if made == [None, None] else sum(each or 0 for each in made)
    cached = count(counts.get("cachedContentTokenCount"))
    return Usage(count(counts.get("promptTokenCount")), total, cached)
