"""Requests of every provider's shape, made of named pieces, with the receipt that owns every character."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

__all__ = ["PROVIDERS", "Made", "made"]

Made = tuple[dict[str, Any], dict[str, Any], list[dict[str, Any]]]
"""A body, its answer, and the lanes of its receipt."""

_WORDS = (
    "tea",
    "naïve",
    "日本語",
    "🙂🙂",
    "\u0301",
    "a\nb",
    '"quoted"',
    "\\n",
    "{}",
    "z\r\n",
    "x" * 30,
    "\t",
    "\u2028",
)
_SCHEMA = {"type": "object", "properties": {"q": {"type": "string", "description": "Größe 📏"}}}
_IMAGE = "data:image/png;base64,iVBORw0KGgo="


def _text(rng: random.Random) -> str:
    return " ".join(rng.choice(_WORDS) for _ in range(rng.randint(1, 12))) + f" #{rng.randrange(10**9)}"


def _chat(rng: random.Random, system: str, turns: list[tuple[str, str]], last: list[str]) -> dict[str, Any]:
    content: Any = "".join(last)
    if rng.random() < 0.5:
        content = [{"type": "text", "text": text} for text in last]
        content.insert(1, {"type": "image_url", "image_url": {"url": _IMAGE}})
    return {
        "model": "m",
        "messages": [
            {"role": "system", "content": system},
            *({"role": role, "content": text} for role, text in turns),
            {"role": "user", "content": content},
        ],
        "tools": [
            {"type": "function", "function": {"name": "look", "description": "Look.", "parameters": _SCHEMA}}
        ],
    }


def _responses(
    rng: random.Random, system: str, turns: list[tuple[str, str]], last: list[str]
) -> dict[str, Any]:
    return {
        "model": "m",
        "instructions": system,
        "input": [
            *({"role": role, "content": text} for role, text in turns),
            {
                "role": "user",
                "content": [{"type": "input_text", "text": text} for text in last]
                + [{"type": "input_image", "image_url": _IMAGE}],
            },
        ],
        "tools": [{"type": "function", "name": "look", "description": "Look.", "parameters": _SCHEMA}],
    }


def _anthropic(
    rng: random.Random, system: str, turns: list[tuple[str, str]], last: list[str]
) -> dict[str, Any]:
    blocks: Any = [{"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}]
    return {
        "model": "m",
        "max_tokens": 10,
        "system": blocks if rng.random() < 0.5 else system,
        "messages": [
            *({"role": role, "content": text} for role, text in turns),
            {
                "role": "user",
                "content": [{"type": "text", "text": text} for text in last]
                + [
                    {
                        "type": "image",
                        "source": {"type": "base64", "media_type": "image/png", "data": "iVBOR"},
                    }
                ],
            },
        ],
        "tools": [{"name": "look", "description": "Look.", "input_schema": _SCHEMA}],
    }


def _gemini(rng: random.Random, system: str, turns: list[tuple[str, str]], last: list[str]) -> dict[str, Any]:
    names = {"user": "user", "assistant": "model"}
    return {
        "systemInstruction": {"parts": [{"text": system}]},
        "contents": [
            *({"role": names[role], "parts": [{"text": text}]} for role, text in turns),
            {
                "role": "user",
                "parts": [{"text": text} for text in last]
                + [{"inlineData": {"mimeType": "image/png", "data": "iVBOR"}}],
            },
        ],
        "tools": [
            {"functionDeclarations": [{"name": "look", "description": "Look.", "parameters": _SCHEMA}]}
        ],
    }


def _ollama(rng: random.Random, system: str, turns: list[tuple[str, str]], last: list[str]) -> dict[str, Any]:
    return {
        "model": "m",
        "messages": [
            {"role": "system", "content": system},
            *({"role": role, "content": text} for role, text in turns),
            {"role": "user", "content": "".join(last), "images": ["iVBOR"]},
        ],
        "options": {"num_ctx": 32768},
        "tools": [
            {"type": "function", "function": {"name": "look", "description": "Look.", "parameters": _SCHEMA}}
        ],
    }


PROVIDERS: dict[str, Callable[[random.Random, str, list[tuple[str, str]], list[str]], dict[str, Any]]] = {
    "openai-chat": _chat,
    "openai-responses": _responses,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "ollama": _ollama,
}


def made(provider: str, rng: random.Random) -> Made:
    """A request with tools, history, recalled text and an image; its texts are all different."""
    system, memory, typed = _text(rng), f"## Memory\n{_text(rng)}\n", _text(rng)
    turns = [
        turn for _ in range(rng.randint(0, 2)) for turn in (("user", _text(rng)), ("assistant", _text(rng)))
    ]
    body = PROVIDERS[provider](rng, system, turns, [memory, typed])
    schema = json.dumps(_SCHEMA, ensure_ascii=False, separators=(",", ":"))
    lanes = [
        {"name": "system", "text": system},
        {"name": "memory", "text": memory},
        {"name": "user", "text": typed},
        *({"name": "history", "text": text} for _, text in turns),
        *({"name": "tools", "text": text} for text in ("look", "Look.", schema)),
    ]
    return body, {"usage": {"prompt_tokens": 100_000}}, lanes
