"""Calls that a model wrote into its text: told, and never counted."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

__all__ = ["IN_CODE", "LOOKS_LIKE", "flags_of"]

LOOKS_LIKE = "the text looks like a call"
"""How the flag begins where a call stands in the text itself."""
IN_CODE = "the text shows a call in a code block"
"""How the flag begins where it stands in a code block between other words, which may be an example."""

_FENCE = re.compile(r"```[^\n`]*\n(.*?)(?:\n[ \t]*```|\Z)", re.S)
_HIDDEN = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.S)
_NAME = r"([A-Za-z_][\w.:/-]{0,127})"

# What the chat templates of open models put before a call. A group names the tool.
_SIGNS = tuple(
    re.compile(sign)
    for sign in (
        rf"<function={_NAME}",
        rf"<function_call\s+name=[\"']{_NAME}",
        rf"<function\s+name=[\"']{_NAME}",
        rf"<invoke\s+name=[\"']{_NAME}",
        rf"<\|?tool_call\|?>\s*{_NAME}\s*(?:<arg_key>|\n|</tool_call>)",
        rf"\bto=functions\.{_NAME}",
        rf"(?m)^[ \t]*Action:[ \t]*{_NAME}[ \t]*\n[ \t]*Action Input:",
        rf"\[TOOL_CALLS\]\s*{_NAME}(?:\[|\{{)",
        rf"<｜tool▁sep｜>{_NAME}",
        rf"\bfunctions\.{_NAME}:\d+<\|tool_call_argument_begin\|>",
        rf"\bdefault_api\.{_NAME}\(",
        r"</?tool_calls?>|</?function_calls?>|<\|tool_calls?\|>|<\|python_tag\|>|\[/?TOOL_CALLS\]",
        r"\[/?TOOL_REQUEST\]|<\|tool_calls?_(?:section_)?begin\|>|<｜tool▁calls?▁begin｜>|\bfunctools\[",
    )
)
_POSSIBLE = re.compile(r"[<\[{]|Action:|functions?\.|default_api|functools")  # every sign has one of these
_PYTHONIC = re.compile(rf"\[\s*{_NAME}\([^()\[\]]*\)(?:\s*,\s*[A-Za-z_][\w.]*\([^()\[\]]*\))*\s*\]")
_NAME_KEYS = ("name", "tool", "tool_name", "function", "function_name")
_ARGUMENT_KEYS = frozenset({"arguments", "parameters", "args", "input", "tool_input", "action_input"})
_NAMED = 5
_TRIES = 200  # places where JSON might begin that are looked at


def flags_of(text: str) -> tuple[str, ...]:
    """Flags for the calls that `text` shows, none where it shows none. What stands in tags of hidden
    reasoning does not count.
    """
    if not _POSSIBLE.search(text):
        return ()
    shown = _HIDDEN.sub("", text).strip()
    blocks = [found[1] for found in _FENCE.finditer(shown)]
    outside = _FENCE.sub("", shown).strip()
    whole = "\n".join(blocks) if blocks and not outside else outside
    open_calls = _calls_in(whole)
    if open_calls is not None:
        return (_flag(LOOKS_LIKE, open_calls),)
    quoted = [names for block in blocks if outside and (names := _calls_in(block)) is not None]
    return (_flag(IN_CODE, [name for names in quoted for name in names]),) if quoted else ()


def _flag(head: str, names: list[str]) -> str:
    distinct = list(dict.fromkeys(names))
    more = ", …" if len(distinct) > _NAMED else ""
    return head + (": " + ", ".join(distinct[:_NAMED]) + more if distinct else "")


def _calls_in(text: str) -> list[str] | None:
    """The names of the calls that stand in `text`, as far as they can be told; None where none stands."""
    signs = [found for sign in _SIGNS for found in sign.finditer(text)]
    named = [found[1] for found in sorted(signs, key=lambda found: found.start()) if found.re.groups]
    values = list(_values(text, anywhere=bool(signs)))
    written = [name for value in values if (name := _name_of(value)) is not None]
    if signs:
        return named + written
    # JSON without a sign is a call only where nothing else stands, and one of the values has arguments.
    complete = bool(values) and len(written) == len(values) and any(map(_is_call, values))
    if complete:
        return written
    python = _PYTHONIC.fullmatch(text.strip())
    return re.findall(rf"{_NAME}\(", text) if python else None


def _values(text: str, *, anywhere: bool) -> Iterator[Any]:
    """The JSON values that make up all of `text`, lists taken apart; nothing if anything else stands
    there, unless they may stand `anywhere`.
    """
    decoder, found, at, failed = json.JSONDecoder(), [], 0, 0
    while failed < _TRIES and (start := _next(text, at, anywhere)) is not None:
        try:
            value, at = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            if not anywhere:
                return
            at, failed = start + 1, failed + 1
            continue
        found.extend(value if isinstance(value, list) else [value])
    yield from found


def _next(text: str, at: int, anywhere: bool) -> int | None:
    if anywhere:
        places = [place for sign in "{[" if (place := text.find(sign, at)) >= 0]
        return min(places, default=None)
    while at < len(text) and (text[at].isspace() or (at and text[at] in ",;")):
        at += 1
    return at if at < len(text) else None


def _name_of(value: Any) -> str | None:
    if not isinstance(value, dict):
        return None
    for key in _NAME_KEYS:
        inner = value.get(key)
        if key == "function" and isinstance(inner, dict):
            inner = inner.get("name")
        if isinstance(inner, str) and re.fullmatch(_NAME, inner):
            return inner
    return None


def _is_call(value: Any) -> bool:
    """Whether an object has the arguments of a call, or nothing but a tool's name."""
    inner = value.get("function")
    body = inner if isinstance(inner, dict) else value
    return bool(_ARGUMENT_KEYS & body.keys()) or len(value) == 1
