"""Wire formats by name, each imported when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from workbench.core.errors import Problem, UsageError
from workbench.wire.codec import Codec

__all__ = ["codec", "names"]

_PLACES = {
    "anthropic": ("workbench.wire.anthropic", "Anthropic"),
    "gemini": ("workbench.wire.gemini", "Gemini"),
    "ollama": ("workbench.wire.ollama", "Ollama"),
    "openai-chat": ("workbench.wire.openai_chat", "OpenAIChat"),
    "openai-responses": ("workbench.wire.openai_responses", "OpenAIResponses"),
}


def names() -> tuple[str, ...]:
    """Every format that is known."""
    return tuple(_PLACES)


def codec(name: str) -> Codec:
    """The codec of that name. Raises UsageError where there is none."""
    if name not in _PLACES:
        raise UsageError(Problem(f"no format is called {name!r}", hint="known here: " + ", ".join(_PLACES)))
    module, kind = _PLACES[name]
    return cast(Codec, getattr(import_module(module), kind)())
