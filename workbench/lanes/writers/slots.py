"""What a call that speaks to a model is given: system=, instructions=, prompt=, and its arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from workbench.lanes.writers.candidate import Candidate
from workbench.lanes.writers.composing import composed
from workbench.lanes.writers.kinds import ASSIGNS, CALLS, LISTS, RECORDS
from workbench.lanes.writers.reading import Reading
from workbench.lanes.writers.shape import (
    arguments,
    assigned,
    callee,
    entries,
    literal,
    named,
    receiver,
    stripped,
)
from workbench.lanes.writers.site import Confidence, SiteKind
from workbench.lanes.writers.speaking import is_model_call, speaks
from workbench.lanes.writers.tree import Tree
from workbench.lanes.writers.words import SLOTS, STRONG_SLOTS, is_prompt, last_name, snake

if TYPE_CHECKING:
    from ast_grep_py import SgNode

__all__ = ["slots"]

_TEXT_SLOTS = frozenset(("prompt", "user_prompt", "input", "contents", "user_message", "query"))
_BESIDE = frozenset(
    (
        "model",
        "messages",
        "max_tokens",
        "max_output_tokens",
        "temperature",
        "contents",
        "tools",
        "prompt",
        "model_name",
    )
)
_NOTHING = re.compile(r"(?:None|null|undefined|nil|true|false|True|False|''|\"\"|``)\Z")
_REQUEST = re.compile(
    r"(?:\w+\.)*(?:\w*_)?(?:body|request|req|params|payload|kwargs|options|opts|args|data|\w*(?:Body|Request|Params|Payload))"
    r"(?:\.\w+\Z|\[['\"]\w+['\"]\]\Z)"
)
_ANSWERED = frozenset(("response", "answer", "completion", "reply"))
"""Beside a prompt in a record of what was said."""
_HANDS_ON = re.compile(r"\A(?:self|this|super\(\)|cls)\.\w+\Z|\._post\Z")
"""Calls within a client library, which only hand on what its user wrote."""
_SETS = re.compile(
    r"\A((?:with|set|add|append|prepend|update|override)_)?"
    r"(system_prompt|system_instructions?|system_message|preamble|instructions|developer_instructions|system)\Z"
)
_FLAG = re.compile(r"\A--?(?:append-)?system-prompt(?:-file)?\Z|\A--(?:system|instructions)\Z")
_CLI = re.compile(
    r"--output-format|--system-prompt|(?:.*/)?(?:claude|llm|gemini|codex|ollama|aider|opencode)\Z"
)
_PROMPT_FLAG = re.compile(r"\A(?:-p|--prompt|--print)\Z")


def slots(reading: Reading, at: int) -> Iterator[Candidate]:
    """What the node at this place hands to a model by the name of a slot, or as a program's argument."""
    kind, node = reading.tree.kinds[at], reading.tree.nodes[at]
    if kind in CALLS or kind in RECORDS:
        confidence = _slot(reading, at, node)
        if confidence is not None:
            yield Candidate(at, SiteKind.ARGUMENT, confidence)
    if kind in CALLS:
        yield from _spoken(reading, at, node)
        yield from _setter(reading, at, node)
    elif kind in ASSIGNS and reading.reach == 2:
        got = assigned(node)
        if got is not None and _is_slot_of_request(*got):
            yield Candidate(at, SiteKind.ARGUMENT, Confidence.HIGH)
    if kind in CALLS or kind in LISTS:
        yield from _flags(reading, at, node)


def _slot(reading: Reading, at: int, node: SgNode) -> Confidence | None:
    found = [(snake(key), value) for key, value in entries(node)]
    keys = {key for key, _ in found}
    if not keys & (SLOTS | _TEXT_SLOTS) or keys & _ANSWERED:
        return None
    call = _call_of(reading.tree, at)
    if call is None:
        return None
    to_model = is_model_call(call)
    beside = bool(keys & _BESIDE) and (to_model or call == "" or call[:1].isupper())
    best: Confidence | None = None
    for key, value in found:
        sure = _confidence(reading, key, value, call, keys, to_model, beside)
        if sure is not None and (best is None or sure > best):
            best = sure
    return best


def _confidence(
    reading: Reading, key: str, value: SgNode, call: str, keys: set[str], to_model: bool, beside: bool
) -> Confidence | None:
    if _NOTHING.match(value.text()[:12]):
        return None
    text = composed(value) is not None
    if key in _TEXT_SLOTS:
        if text and reading.reach == 2 and (to_model or beside):
            return Confidence.HIGH if key != "query" else Confidence.LOW
        prompt = key in ("prompt", "user_prompt") and text and reading.reach and not reading.person
        return Confidence.MEDIUM if prompt else None
    if key not in SLOTS or value.kind() in ("object", "dictionary", "lambda", "integer", "number"):
        return None
    passes = snake(last_name(named(value))) == key
    if passes and (reading.reach < 2 or _HANDS_ON.search(call) or not (to_model and beside)):
        return Confidence.LOW
    if key == "system_message" and call == "" and not beside:
        return Confidence.LOW
    if key == "additional_context" and not (to_model or beside) and "hook_event_name" not in keys:
        return Confidence.LOW
    if key in STRONG_SLOTS:
        return Confidence.HIGH if reading.reach == 2 else Confidence.MEDIUM
    if re.fullmatch(r"\S+", literal(value) or " "):  # a name: system: "linux"
        return Confidence.LOW
    if (to_model or beside) and reading.reach == 2:
        return Confidence.HIGH if to_model else Confidence.MEDIUM
    return Confidence.MEDIUM if to_model and beside and reading.reach else Confidence.LOW


def _call_of(tree: Tree, at: int) -> str | None:
    """The call that a record is an argument of; "" where it is kept or returned as a whole request."""
    if tree.kinds[at] in CALLS:
        return callee(tree.nodes[at])
    for one in tree.above(at):
        kind = tree.kinds[one]
        if kind in CALLS:
            return callee(tree.nodes[one])
        if kind not in ("pair", "object", "dictionary", "keyword_argument", "literal_value"):
            return ""
    return ""


def _spoken(reading: Reading, at: int, call: SgNode) -> Iterator[Candidate]:
    """`llm.invoke(f"...")`."""
    name = callee(call)
    if reading.reach == 0 or not speaks(name):
        return
    for given in arguments(call)[:2]:
        kind = composed(given)
        if kind is not None:
            yield Candidate(at, kind, Confidence.HIGH if reading.reach == 2 else Confidence.MEDIUM)
            return


def _is_slot_of_request(target: str, value: SgNode) -> bool:
    """`body["system"] = rules`."""
    return (
        _REQUEST.match(target) is not None
        and snake(last_name(target)) in SLOTS
        and _NOTHING.match(value.text()[:12]) is None
    )


def _setter(reading: Reading, at: int, call: SgNode) -> Iterator[Candidate]:
    """`.preamble(...)`, `.with_system_prompt(...)`, and a program's argument after its flag."""
    found, given = receiver(call), arguments(call)
    if found is None or len(given) != 1:
        return
    method, value = snake(found[1]), stripped(given[0])
    if method == "arg":
        before = arguments(found[0]) if found[0].kind() in CALLS else []
        if len(before) == 1 and _FLAG.match(literal(before[0]) or ""):
            yield Candidate(at, SiteKind.ARGUMENT, Confidence.HIGH)
        return
    set_ = _SETS.match(method)
    if set_ is None or reading.reach == 0 or (set_[2] not in STRONG_SLOTS and reading.reach < 2):
        return
    if method == "system" and found[0].kind() not in CALLS:  # os.system(...)
        return
    passes = snake(value.text()[-60:].rpartition(".")[2]) == set_[2]
    written = literal(value) is not None or composed(value) is not None
    if written or (not passes and (set_[1] or set_[2] in STRONG_SLOTS)):
        yield Candidate(at, SiteKind.ARGUMENT, Confidence.HIGH if reading.reach == 2 else Confidence.MEDIUM)


def _flags(reading: Reading, at: int, node: SgNode) -> Iterator[Candidate]:
    """`["-p", "--system-prompt", systemPrompt, userPrompt]`."""
    given = (
        arguments(node)
        if reading.tree.kinds[at] in CALLS
        else [one for one in node.children() if one.is_named()]
    )
    words = [literal(one) for one in given]
    for word, value in zip(words, given[1:], strict=False):
        if word is None:
            continue
        value = stripped(value)
        if _FLAG.match(word) and literal(value) is None:
            yield Candidate(at, SiteKind.ARGUMENT, Confidence.HIGH)
            return
        speaks_to = is_prompt(value.text()[:80]) or (
            composed(value) and any(_CLI.match(one or "") for one in words)
        )
        if _PROMPT_FLAG.match(word) and speaks_to and reading.reach:
            yield Candidate(at, SiteKind.ARGUMENT, Confidence.MEDIUM)
            return
