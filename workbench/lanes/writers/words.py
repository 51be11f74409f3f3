"""What the names in code say: a prompt, a list of messages, an assembler, or one of their look-alikes."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = [
    "SLOTS",
    "STRONG_SLOTS",
    "is_assembler",
    "is_chat",
    "is_message",
    "is_prompt",
    "is_prompt_function",
    "is_stream",
    "last_name",
    "snake",
]

STRONG_SLOTS = frozenset(
    (
        "system_prompt",
        "system_instruction",
        "system_instructions",
        "append_system_prompt",
        "custom_system_prompt",
        "system_message",
        "developer_instructions",
        "base_instructions",
        "additional_context",
        "preamble",
    )
)
"""Keys of a call that can only mean the model's instructions."""

SLOTS = STRONG_SLOTS | {"system", "instructions", "instruction"}

_NO_TEXT = re.compile(
    r"(^|_)(tokens?|counts?|costs?|len|length|size|usage|ids?|hash|key|version|path|paths|file|files|filename|dir|"
    r"names?|url|uri|time|ms|index|idx|chars|budget|limit|max|min|cache|type|kind|style|label|title|color|font|"
    r"theme|visible|open|enabled|ref|button|input|dialog|modal|handler|callback|fn|price|rate|ratio|score|"
    r"tracker|manager|registry|config|settings|options|params|schema|stats|event|events|error|errors|arn|"
    r"slug|tag|tags|description|indent|offset)$"
)
_NO_PROMPT = re.compile(
    r"(^|_)(display|seen|deferred|install|confirm|confirmation|shell|readline|rl|cli|password|should|show|permission|"
    r"approval|cursor|ps1|window|user_input|inquirer|login|secret|tty|ask_user|overwrite|delete|git|commit|"
    r"no_prompt|reprompt)(_|$)"
)
_PROMPT = re.compile(r"(^|_)(prompts?|preamble)(_|$|\d)")
_SURE_PROMPT = re.compile(
    r"(^|_)(system|user|full|final|base|llm|model|chat|agent|developer|augmented|enriched|rendered|assembled|"
    r"combined|meta|judge|sub|task|rag|summary|step|instruction|initial|retry|planner|planning|eval|review|"
    r"ai|gpt|claude|compaction|compact|image|query|enhanced|composed|custom|effective|turn)_prompt(s)?(_(text|body|string|str|suffix|"
    r"prefix|block|parts|sections|template|content|lines))?$"
    r"|(^|_)prompt_(text|body|parts|sections|lines|template|suffix|prefix|string|str|blocks?|content|chunks|"
    r"segments|messages)$"
    r"|(^|_)system_(text|content|blocks?|parts|sections|lines|suffix|instructions?|msg|message|context)$"
    r"|(^|_)(custom|developer|agent|model|operator|append)_instructions$|(^|_)context_(block|parts|text|prefix|sections)$"
)
_SYSTEM = re.compile(r"^(system|instructions|sys|sysprompt|sys_prompt|system_instruction)$")

_CHAT = re.compile(
    r"^(messages|msgs|message_list|chat|history|conversation|chat_history|chat_log|conversation_history|"
    r"message_history|prompt_messages|chat_messages|llm_messages|api_messages|input_messages|new_messages|"
    r"all_messages|request_messages|full_messages|formatted_messages|openai_messages|anthropic_messages|"
    r"model_messages|core_messages|final_messages|initial_messages|contents|convo|transcript|input_items|"
    r"updated_messages|system_messages|user_messages|(\w+_)?messages|input|turns|context_messages|few_shots?|shots)$"
)
_NO_CHAT = re.compile(
    r"(toast|ui|notif\w*|flash|error|errors|warn\w*|log|logs|alert\w*|snack\w*|commit|validation|i18n|intl|locale"
    r"|email|mail|sms|status|display|lint|debug|failure|failures|help|kafka|queue|outbox|inbox|socket|ws|slack"
    r"|discord|telegram|assertion|exception|diagnostic\w*|console|progress|response|responses|output|outgoing|received|unsent|published|deprecat\w*|protobuf|translation\w*)"
)
_SURE_CHAT = re.compile(
    r"(^|_)(messages|msgs|chat_history|conversation_history|message_history|chat_messages)$"
)

_FUNCTION = re.compile(
    r"(^|_)prompts?(_|$)|(^|_)system_(message|text|block|instructions?)(_|$)"
    r"|(^|_)assemble_?\w*(context|messages|turn|request)"
)
_WEAK_FUNCTION = re.compile(
    r"(build|make|compose|prepare|construct|assemble|format|render|get|create|load|inject|append|add|with|to|as|"
    r"wrap|fence|augment|enrich|apply)_(\w+_)?(context|instructions|memory|memories|history|block|section|"
    r"preamble|messages|suffix|skills?|page|documents?|docs|attachments?)(_(block|section|text|string|for_\w+))?$"
    r"|(^|_)(context|memory|scope|skills?|rules|tools?|page|document|history)_(block|section|suffix|preamble|text)$"
)
_NO_FUNCTION = re.compile(
    r"prompt_(for|user|user_for|yes|confirm|input|password|tokens?|path|file|id|name|version|toolkit|session|hash"
    r"|cost|count|length|cache|key|loader)(_|$)|(^|_)logs?$|(^|_)(should|is|has|can|on|handle|test|parse|count|list|delete|"
    r"save|load_file|estimate|validate|show|open|close|toggle|hash|shell|confirm)_|commit|error|email"
)
_ASSEMBLER = re.compile(
    r"^(re)?assemble$|^(re)?(assemble|build|compose|make|create|prepare|construct|render|format|get|generate)_(\w+_)?"
    r"(context|prompts?|messages|system|system_message|instructions|llm_request|chat_request|turn)$"
)
_STREAM = re.compile(
    r"(?:\b|_)(delta|chunk|chunks|token|tok|piece|partial|stdout|stderr|buf|buffer|event|evt|fragment)s?\b"
)
_MESSAGE = re.compile(
    r"^(m|msg|message|last|last_message|last_msg|first|user_message|system_message|user_msg|"
    r"last_user|last_user_message|system_msg|messages)$"
)


@lru_cache(maxsize=20_000)
def snake(name: str) -> str:
    """`userPrompt`, `UserPrompt`, `USER_PROMPT` as `user_prompt`."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return parted.replace("-", "_").strip("_$#").lower()


_KEY = re.compile(r"""\[\s*['"`]([\w-]+)['"`]\s*\]\Z""")
_INDEX = re.compile(r"\[[^\[\]]*\]\Z")


def last_name(target: str) -> str:
    """`self.body["messages"]` gives `messages`: what a place is called last; an index is passed over."""
    target = target.strip().rstrip("!?").lstrip("&*")
    while target:
        if found := _KEY.search(target):
            return found[1]
        if shorter := _INDEX.search(target):
            target = target[: shorter.start()]
            continue
        break
    found = re.search(r"([\w$#]+)\Z", target)
    return found[1].lstrip("#") if found else ""


def is_prompt(name: str) -> int:
    """2: surely a prompt; 1: where models are in reach; 0: no."""
    low = snake(last_name(name))
    if _NO_TEXT.search(low) and not re.search(r"prompt_(template|text|content)$", low):
        return 0
    if _NO_PROMPT.search(low):
        return 0
    if _SURE_PROMPT.search(low):
        return 2
    return 1 if _PROMPT.search(low) or _SYSTEM.match(low) else 0


def is_chat(target: str) -> int:
    """2: surely a list of messages; 1: where models are in reach; 0: no, or somebody else's messages."""
    whole = snake(target.replace("self.", "").replace("this.", ""))
    if _NO_CHAT.search(whole):
        return 0
    low = snake(last_name(target))
    if not _CHAT.match(low):
        return 0
    return 2 if _SURE_CHAT.search(low) else 1


def is_message(target: str) -> bool:
    """Whether the place is one message of a list."""
    is_one = target.rstrip().endswith("]") and is_chat(target) > 0
    return is_one or _MESSAGE.match(snake(last_name(target))) is not None


def is_prompt_function(name: str) -> int:
    """2: by its name it makes a prompt; 1: it makes text that may become part of one."""
    low = snake(name.rpartition(".")[2])
    if _NO_FUNCTION.search(low):
        return 0
    if _FUNCTION.search(low) and not _NO_TEXT.search(low):
        return 2
    return 1 if _WEAK_FUNCTION.search(low) else 0


def is_assembler(callee: str) -> bool:
    """Whether a call by this name puts a whole prompt together."""
    return _ASSEMBLER.match(snake(last_name(callee))) is not None


def is_stream(text: str) -> bool:
    """Whether what is added looks like a part of a model's reply as it comes in."""
    return _STREAM.search(snake(text)) is not None or _STREAM.search(text) is not None
