"""Which calls hand a text to a model, by what they are called."""

from __future__ import annotations

import re

__all__ = ["is_model_call", "speaks"]

_MODEL_CALL = re.compile(
    r"(?:\A|[.:_])(?:create|stream|parse|generate\w*|stream(?:Text|Object)|a?complet(?:e|ion|ions)\w*|chat\w*|"
    r"a?invoke|query|ask\w*|run\w*|Runner|\w*Agent|getGenerativeModel|GenerativeModel|GenerateContentConfig|converse|"
    r"call_?\w*(?:[lL][lL][mM]|[mM]odel|[cC]laude|[gG][pP][tT]|[oO]pen[aA][iI])\w*|\w*(?:llm|LLM|Llm)\w*|"
    r"send_?[mM]essages?|request|Request|\w*Request|(?:Messages|Completions|Responses|Chat)\.(?:New|Create|Stream)\w*|"
    r"ClaudeAgentOptions|ClaudeCodeOptions|fetch|post|spawn)\Z"
)
_SPEAKER = re.compile(
    r"(?:\A|[._])(?:\w*llm\w*|\w*model|chat|\w*agent|openai|anthropic|claude\w*|gpt\w*|gemini\w*|ollama|chain|"
    r"assistant|models|completions?|responses|chat_session|convo)"
    r"(?:\(\))?(?:\.\w+)?\.(?:a?invoke|complete|generate\w*|send_?message\w*|ask|chat|predict|query|prompt|run|"
    r"a?stream|call)\Z",
    re.I,
)
_BARE = re.compile(
    r"(?:\A|[._:])(?:call|ask|query|prompt|run|invoke)_?(?:the_?)?(?:llm|model|claude|gpt|openai|gemini|anthropic)\w*\Z"
    r"|(?:\.|\A)generate_?content\w*\Z",
    re.I,
)


def is_model_call(callee: str) -> bool:
    """Whether a call by this name, given a system text or the like, is one to a model."""
    return _MODEL_CALL.search(callee[-200:]) is not None


def speaks(callee: str) -> bool:
    """Whether what a call by this name is given first is a prompt: `llm.invoke`, `call_model`."""
    return _SPEAKER.search(callee[-200:]) is not None or _BARE.search(callee[-200:]) is not None
