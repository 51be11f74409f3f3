"""A message written out: an object with role and content, or a message class that is built."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.lanes.writers.composing import composed
from workbench.lanes.writers.kinds import CALLS
from workbench.lanes.writers.shape import arguments, callee, entries, literal

if TYPE_CHECKING:
    from ast_grep_py import SgNode

__all__ = ["MESSAGES", "ROLE_WORD", "Role", "is_block", "message_class", "role_in_macro", "role_of"]

ROLE_WORD = re.compile(
    r"(?:\A|['\"`.:]|Role|\b)(system|user|assistant|developer|tool|function|model|human|ai)(?:['\"`]|\b|\Z)",
    re.I,
)
_CONTENT = frozenset(
    ("content", "parts", "tool_calls", "toolCalls", "tool_call_id", "toolCallId", "reasoning_content")
)
_ROW = re.compile(
    r"\A(?:(?:conversation|chat|session|thread|user|message|parent|channel|room|turn|run)_?id|created_?at|updated_?at|"
    r"timestamp|ts|date|time|sent_?at|avatar|is_?streaming|status|is_?loading|seq|embedding|key)\Z",
    re.I,
)
_SCHEMA = re.compile(r"\.(?:literal|enum|union|string|optional|describe)\(|\bField\(|\bLiteral\[")
_CLASS = re.compile(
    r"(?:\A|[.:])(?:new)?(System|Human|User|Developer|AI|Assistant|Tool|Function)_?(?:Chat)?Message"
    r"(?:Prompt)?(?:Param|Template|Request|Args)?(?:\.from_?[tT]emplate|::new|::from|::default\(\))?\Z"
    r"|(?:\A|[.:])(?:Chat)?(?:Completion\w*)?Message(?:Param)?(?:::|\.)(?:new_|from_)?(system|user|assistant|tool|developer)\w*\Z"
    r"|(?:\A|[.:])ChatCompletion(?:Request)?(System|User|Assistant|Developer|Tool)Message\w*(?:::default)?\Z"
    r"|(?:\A|[.:])New(User|System|Assistant|Tool)Message\Z"
    r"|(?:\A|[.:])\w*Message(?:::|\.)(?:new_)?(system|user|assistant|tool)\(\)\.(?:with_)?(?:text|content)\Z"
    r"|(?:\A|[.:])(System|User|Assistant|Tool)MessagePrompt\Z",
    re.I,
)
_SURE_CLASS = ("system", "human", "developer")
MESSAGES = re.compile(
    r"(?:\A|[.:*&\]])(?:ChatMessage|Message|MessageParam|ChatCompletionMessage\w*|Content|LLMMessage|ModelMessage|"
    r"ChatCompletionRequest\w*Message\w*|PromptMessage|SamplingMessage|InputMessage|Msg|Turn|ChatTurn|ResponseInputItem\w*)\Z"
)


class Role:
    """`sure`: role and content both stand there as words. `name` None: the role is a variable. `row`: it
    has what a row of a database or of a screen has."""

    __slots__ = ("name", "row", "sure")

    def __init__(self, name: str | None, sure: bool, row: bool) -> None:
        self.name, self.sure, self.row = name, sure, row


def role_of(record: SgNode) -> Role | None:
    """What an object, a struct or a call with keywords says as a message; None: it is none."""
    found = {entry.key: entry.value for entry in entries(record)}
    keys = {key.lower() if key[:1].isupper() else key for key in found}
    value = found.get("role", found.get("Role"))
    if value is None:
        return None
    has_content = bool(keys & _CONTENT) or "multicontent" in keys
    if not has_content and "text" not in keys:
        return None
    text = value.text()[:120]
    if _SCHEMA.search(text):
        return None
    plain = literal(value)
    if plain is not None:
        word = ROLE_WORD.fullmatch(plain) or re.fullmatch(
            r"(system|user|assistant|developer|tool|function|model)", plain, re.I
        )
        if word is None:
            return None
        name: str | None = plain.lower()
    else:
        word = re.search(
            r"['\"`](system|user|assistant|developer|tool|model|function)['\"`]", text
        ) or re.search(
            r"(?:Role\w*(?:\.|::)|Role)(system|user|assistant|developer|tool|human|ai|model)\b", text, re.I
        )
        name = word[1].lower() if word else None
    row = any(_ROW.match(key) for key in found)
    return Role(name, has_content and name is not None, row)


def message_class(call: SgNode) -> Role | None:
    """What a call like `SystemMessage(...)` or `Message::user(...)` says as a message."""
    if call.kind() not in CALLS:
        return None
    name = callee(call)
    found = _CLASS.search(name)
    if found:
        who = next(part for part in found.groups() if part).lower()
        given = bool(arguments(call)) or any(True for _ in entries(call)) or name.endswith("default")
        return Role(who, who in _SURE_CLASS, False) if given else None
    if MESSAGES.search(name):
        return role_of(call)
    return _spoken_by(call, name)


def _spoken_by(call: SgNode, name: str) -> Role | None:
    """`format_message(text, role="system")`."""
    if not re.search(r"(?:message|msg)\w*\Z", name, re.I) or not arguments(call):
        return None
    role = next((entry.value for entry in entries(call) if entry.key == "role"), None)
    who = None if role is None else literal(role)
    return None if who is None or ROLE_WORD.fullmatch(who) is None else Role(who.lower(), True, False)


_MACRO = re.compile(
    r"""["']role["']\s*:\s*["'](system|user|assistant|developer|tool|model)["']|\brole\s*:\s*(?:\w+::)*(?:Chat)?(?:Message)?Role::(\w+)""",
    re.I,
)


def role_in_macro(macro: SgNode) -> Role | None:
    """The same within `json!(...)` or `vec![...]`, whose inside has no tree."""
    text = macro.text()
    found = _MACRO.search(text)
    if found is None or not re.search(r"\bcontent\b|\bparts\b", text):
        return None
    return Role((found[1] or found[2]).lower(), True, False)


def is_block(record: SgNode) -> bool:
    """Whether it is a text block or a tool's result of a message's content."""
    found = {entry.key: entry.value for entry in entries(record)}
    kind = found.get("type")
    if kind is None:
        return False
    said = literal(kind)
    if said in ("text", "input_text"):
        text = found.get("text")
        return (
            text is not None
            and text.text()[:3] not in ("''", '""', "``")
            and (text.kind() not in ("object", "dictionary") or composed(text) is not None)
        )
    return said in ("tool_result", "function_call_output") and ("content" in found or "output" in found)
