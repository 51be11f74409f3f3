"""What a server answered: how much of the prompt it says it read, and the words of its reply."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.capture.readers.fields import at, number, parsed

__all__ = ["Answer", "read_answer"]

_WORDS = ("reply", "text", "output_text", "response", "completion", "content")


@dataclass(frozen=True, slots=True)
class Answer:
    """`tokens`: the prompt as the server counted it, what it took from its cache included; None: not said."""

    tokens: int | None = None
    text: str = ""


def read_answer(value: Any) -> Answer | None:
    """The answer in any provider's shape, whole or streamed; None where there is none."""
    if value is None or value == "":
        return None
    counts: dict[str, int] = {}
    whole: list[str] = []
    streamed: list[str] = []
    for part in _parts(value):
        _count(part, counts)
        streamed += _deltas(part)
        whole += _said(part)
    return Answer(_prompt(counts), "".join(streamed) if streamed else "\n".join(whole))


def _parts(value: Any) -> Iterator[Mapping[str, Any]]:
    """The objects of an answer: one, or those of a stream's events or lines."""
    value = parsed(value)
    if isinstance(value, dict):
        for key in ("body", "json"):
            inner = parsed(value.get(key))
            if isinstance(inner, dict | list | str) and inner:
                yield from _parts(inner)
                return
        yield value
    elif isinstance(value, list):
        yield from (item for item in value if isinstance(item, dict))
    elif isinstance(value, str):
        found = False
        for line in value.splitlines():
            line = line.removeprefix("data:").strip()
            if line[:1] != "{":
                continue
            try:
                event = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(event, dict):
                found = True
                yield event
        if not found:
            yield {"reply": value}


_COUNTS = (
    "prompt_tokens", "input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens",
    "promptTokenCount", "prompt_eval_count", "inputTokens",
)  # fmt: skip


def _count(part: Mapping[str, Any], counts: dict[str, int]) -> None:
    places = (
        part, at(part, "usage"), at(part, "message", "usage"), at(part, "response", "usage"),
        at(part, "usageMetadata"), at(part, "response", "usageMetadata"), at(part, "delta", "usage"),
    )  # fmt: skip
    for place in places:
        if not isinstance(place, dict):
            continue
        for key in _COUNTS:
            found = number(place.get(key))
            if found is not None and found >= 0:
                counts[key] = max(found, counts.get(key, 0))


def _prompt(counts: Mapping[str, int]) -> int | None:
    for key in ("prompt_eval_count", "promptTokenCount", "prompt_tokens", "inputTokens"):
        if key in counts:
            return counts[key]
    if "input_tokens" not in counts:
        return None
    cached = ("cache_read_input_tokens", "cache_creation_input_tokens")
    return counts["input_tokens"] + sum(counts.get(key, 0) for key in cached)


def _deltas(part: Mapping[str, Any]) -> Iterator[str]:
    """What one event of a stream adds."""
    kind = part.get("type")
    if kind == "response.output_text.delta" and isinstance(part.get("delta"), str):
        yield part["delta"]
    elif kind == "content_block_delta" and isinstance(at(part, "delta", "text"), str):
        yield part["delta"]["text"]
    elif isinstance(at(part, "choices", 0, "delta", "content"), str):
        yield part["choices"][0]["delta"]["content"]
    elif "done" in part:  # each line of a stream, and a whole answer that is its only one
        yield from _strings(at(part, "message", "content"))
        yield from _strings(part.get("response"))
    elif "candidates" in part:
        yield from _texts(at(part, "candidates", 0, "content", "parts"))


def _said(part: Mapping[str, Any]) -> Iterator[str]:
    """What a whole answer says."""
    choices = part.get("choices")
    for choice in choices if isinstance(choices, list) else ():
        yield from _texts(at(choice, "message", "content"))
        yield from _strings(at(choice, "text"))
    output = part.get("output")
    for item in output if isinstance(output, list) else ():
        yield from _texts(at(item, "content"))
    yield from _texts(at(part, "message", "content"))
    for key in _WORDS:
        yield from _texts(part.get(key))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str) and value:
        yield value


def _texts(value: Any) -> Iterator[str]:
    """A text, or those of blocks."""
    yield from _strings(value)
    for block in value if isinstance(value, list) else ():
        if isinstance(block, str):
            yield block
        elif isinstance(block, dict):
            yield from _strings(block.get("text"))
            yield from _strings(block.get("content"))
