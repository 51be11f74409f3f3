"""Messages written out, and what is put onto a list of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from workbench.lanes.writers.candidate import Candidate, by_reach
from workbench.lanes.writers.composing import composed
from workbench.lanes.writers.kinds import ASSIGNS, CALLS, LISTS, RECORDS
from workbench.lanes.writers.reading import PUSHES, Reading
from workbench.lanes.writers.roles import Role, is_block, message_class, role_in_macro, role_of
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
from workbench.lanes.writers.words import is_message, is_prompt, snake

if TYPE_CHECKING:
    from ast_grep_py import SgNode

__all__ = ["messages"]

_ADDS = re.compile(
    r"\A(?:add|append|push|insert|with|new)_?(?:chat_?)?(?:user|system|ai|assistant|human|developer|tool)_?"
    r"(?:chat_?)?(?:message|prompt|text|turn)s?\Z",
    re.I,
)
_ADDS_ANY = re.compile(r"\A(?:add|append|push)_?(?:chat_?)?(?:message|turn)s?\Z", re.I)
_ROLE = re.compile(r"\A(?:system|user|human|ai|assistant|developer|tool)\Z")
_CONTENT_LISTS = re.compile(
    r"(?:content|contents|blocks|content_?[bB]locks|parts|system|system_?[bB]locks)\Z"
)
_ROLE_OF = re.compile(r"(.+?)(?:\.|\[['\"])role(?:['\"]\])?(?:\.value|\.toString\(\))?\Z", re.I)
_CONTENT_OF = (
    r"(?:\.|\[['\"])(?:content|text|parts)(?:['\"]\])?(?:\.clone\(\))?(?:\s*(?:or|\|\||\?\?)\s*['\"]{2})?\Z"
)
_PASSED_IN_MACRO = re.compile(r"\brole\b['\"]?\s*:\s*&?(\w+)\.role\b[^}]*:\s*&?\1\.content\b")
_EMPTY = frozenset(('""', "''", "``", "null", "None", "undefined", "[]", "{}"))
_SHOWN = re.compile(r"(?:^|_)(?:ui|export|viewer|replay)(?:_|$)")
_SHOWN_FILE = re.compile(r"(?:\A|/)(?:webui|frontend)/|(?:export(?:er)?|transcript|viewer)s?\.\w+\Z")
_SPOKEN = ("assistant", "ai", "model", "tool", "function")


def messages(reading: Reading, at: int) -> Iterator[Candidate]:
    """What the node at this place writes by its role, or onto a list of messages."""
    kind, node = reading.tree.kinds[at], reading.tree.nodes[at]
    if kind in RECORDS or kind in CALLS:
        yield from _written_out(reading, at, node)
    if kind in CALLS:
        yield from _pushed(reading, at, node)
        yield from _templates(reading, at, node)
    elif kind == "macro_invocation":
        if role_in_macro(node) is not None:
            yield Candidate(at, SiteKind.ROLE, max(Confidence.MEDIUM, by_reach(reading.reach)))
    elif kind in LISTS and _is_role_pair(node):
        yield Candidate(at, SiteKind.TEMPLATE, by_reach(reading.reach))
    elif kind in ASSIGNS:
        yield from _listed(reading, at, node)


def _written_out(reading: Reading, at: int, node: SgNode) -> Iterator[Candidate]:
    role = role_of(node) or message_class(node)
    if role is not None:
        kind = SiteKind.ROLE
        yield Candidate(at, kind, _confidence(reading, at, node, role))
    elif reading.tree.kinds[at] in RECORDS and _is_of_lane(node):
        yield Candidate(at, SiteKind.PUSH if _in_push(reading, at) else SiteKind.CONTENT, Confidence.MEDIUM)
    elif reading.reach and _is_copy(node):
        yield Candidate(at, SiteKind.ROLE, Confidence.MEDIUM)
    elif reading.tree.kinds[at] in RECORDS and is_block(node):
        yield Candidate(at, SiteKind.CONTENT, _confidence_of_block(reading, at, node))


def _is_of_lane(node: SgNode) -> bool:
    """`{lane: "memory", text}` says itself what it is."""
    found = {entry.key: entry.value for entry in entries(node)}
    lane = found.get("lane")
    return lane is not None and literal(lane) is not None and not found.keys().isdisjoint(("text", "content"))


def _is_copy(node: SgNode) -> bool:
    """`{...message, content: text + more}`, `message.replace(content=text + more)`."""
    if node.kind() in CALLS:
        found, given = receiver(node), arguments(node)
        copied = re.search(r"(?:\A|\.)_?(?:replace|model_copy|evolve|copy)\Z", callee(node)) is not None
        names = [named(found[0])] if found is not None and not given else [named(one) for one in given[:1]]
    else:
        spread = [one for one in node.children() if one.kind() in ("spread_element", "dictionary_splat")]
        copied, names = bool(spread), [re.sub(r"\A\W+", "", one.text()[:80]) for one in spread]
    if not copied or not any(is_message(name) for name in names):
        return False
    return any(key in ("content", "text") and composed(value) is not None for key, value in entries(node))


def _in_push(reading: Reading, at: int) -> bool:
    parent = reading.tree.parents[at]
    found = (
        receiver(reading.tree.nodes[parent]) if parent >= 0 and reading.tree.kinds[parent] in CALLS else None
    )
    return found is not None and found[1] in PUSHES


def _confidence(reading: Reading, at: int, node: SgNode, role: Role) -> Confidence:
    spoken = reading.reach or role_of(node) is not None or not callee(node).rpartition(".")[2].islower()
    pushed = _home(reading, at)
    if (
        (role.row and (not pushed or _is_shown(reading, at)))
        or not spoken
        or _is_empty(node)
        or _is_passed_on(node)
    ):
        return Confidence.LOW
    if role.name in _SPOKEN and not pushed and not _beside_others(reading, at):
        return Confidence.LOW
    if not role.sure:
        return Confidence.MEDIUM if reading.reach == 2 else Confidence.LOW
    return max(Confidence.MEDIUM, by_reach(reading.reach))


def _is_shown(reading: Reading, at: int) -> bool:
    """Whether file or function make what a browser shows, or a file of it."""
    name = reading.tree.name_of(reading.function_of(at)) or ""
    return _SHOWN.search(snake(name)) is not None or _SHOWN_FILE.search(reading.code.name) is not None


def _is_empty(node: SgNode) -> bool:
    """A message without words, to be filled later."""
    found = {snake(key): value.text()[:12] for key, value in entries(node)}
    empty = found.get("content", found.get("parts", "")) in _EMPTY
    return empty and found.keys().isdisjoint(("tool_calls", "function_call"))


def _is_passed_on(node: SgNode) -> bool:
    """`{role: m.role, content: m.content}` writes nothing of its own, nor does what keeps a reply."""
    if node.kind() == "macro_invocation":
        return _PASSED_IN_MACRO.search(node.text()[:400]) is not None
    found = {snake(key): value.text()[:120] for key, value in entries(node)}
    role, content = found.get("role", ""), found.get("content", found.get("parts", ""))
    if re.search(r"\b(?:response|choices?|completion|reply|delta)\b", role):
        return True
    owner = _ROLE_OF.match(role)
    return owner is not None and re.match(rf"{re.escape(owner[1])}{_CONTENT_OF}", content, re.I) is not None


def _home(reading: Reading, at: int) -> bool:
    """Whether it goes onto a list of messages, or is in one that is kept or handed on as such."""
    tree = reading.tree
    for one in tree.above(at):
        kind, node = tree.kinds[one], tree.nodes[one]
        if kind in CALLS:
            found = receiver(node)
            if found is not None and found[1] in PUSHES | {"concat"}:
                return reading.is_chat(one, named(found[0])) > 0
            return callee(node) == "append"
        if kind in ASSIGNS:
            got = assigned(node)
            return got is not None and reading.is_chat(one, got[0]) > 0
        if kind in ("pair", "keyword_argument"):
            key = node.field("key") or node.field("name")
            return key is not None and reading.is_chat(one, key.text().strip("'\"")) > 0
        if kind not in LISTS | {"binary_expression"}:
            return False
    return False


def _beside_others(reading: Reading, at: int) -> bool:
    parent = reading.tree.parents[at]
    return parent >= 0 and reading.tree.kinds[parent] in LISTS


def _confidence_of_block(reading: Reading, at: int, node: SgNode) -> Confidence:
    tree = reading.tree
    for one in tree.above(at):
        if tree.kinds[one] in CALLS:
            found = receiver(tree.nodes[one])
            if found is not None and found[1] in PUSHES and _CONTENT_LISTS.search(named(found[0])):
                return Confidence.MEDIUM if reading.reach == 2 else Confidence.LOW
            return Confidence.LOW
        if tree.kinds[one] in ("pair", "keyword_argument"):
            return _confidence_of_slot(reading, one)
        if tree.kinds[one] in ASSIGNS:
            got = assigned(tree.nodes[one])
            inside = got is not None and (reading.is_part(one, got[0]) or is_prompt(got[0]) > 0)
            return Confidence.MEDIUM if inside and reading.reach else Confidence.LOW
    return Confidence.LOW


def _confidence_of_slot(reading: Reading, pair: int) -> Confidence:
    key = reading.tree.nodes[pair].field("key") or reading.tree.nodes[pair].field("name")
    if key is not None and snake(key.text().strip("'\"")) == "system":
        return Confidence.HIGH if reading.reach == 2 else Confidence.MEDIUM
    return Confidence.LOW


def _pushed(reading: Reading, at: int, call: SgNode) -> Iterator[Candidate]:
    name = callee(call)
    given = arguments(call)
    if name == "append" and len(given) > 1:  # Go
        yield from _onto(reading, at, given[0], given[1:])
        return
    found = receiver(call)
    if found is None or not (given or any(True for _ in entries(call))):
        return
    object_, method = found
    if method in PUSHES and given:
        yield from _onto(reading, at, object_, given)
    elif _ADDS.match(method) or (given and _ADDS_ANY.match(method) and _ROLE.match(literal(given[0]) or "")):
        yield Candidate(at, SiteKind.PUSH, Confidence.HIGH if reading.reach == 2 else Confidence.MEDIUM)


def _onto(reading: Reading, at: int, list_: SgNode, given: list[SgNode]) -> Iterator[Candidate]:
    target = named(list_)
    sure = reading.is_chat(at, target)
    if sure == 0:
        return
    value = stripped(given[-1])
    loaded = value.kind() == "identifier" and reading.key(at, value.text()) in reading.loaded
    if loaded or _is_empty(value) or _is_shown(reading, at):
        confidence = Confidence.LOW
    elif _is_passed_on(value):
        confidence = Confidence.MEDIUM if reading.reach or sure == 3 else Confidence.LOW
    elif sure == 3:
        confidence = max(Confidence.MEDIUM, by_reach(reading.reach))
        if _is_text(value):
            confidence = Confidence.LOW
    elif value.kind() in RECORDS and role_of(value) is None:
        confidence = Confidence.LOW
    elif reading.reach == 2 and not _is_text(value) and (sure == 2 or _is_of_message(value)):
        confidence = Confidence.MEDIUM
    elif reading.reach >= 1:
        confidence = Confidence.LOW
    else:
        return
    yield Candidate(at, SiteKind.PUSH, confidence)


def _is_text(value: SgNode) -> bool:
    return literal(value) is not None or composed(value) is not None


def _is_of_message(value: SgNode) -> bool:
    name = value.text()[:120]
    return is_message(name) or re.search(r"(?:message|msg|turn)\w*(?:\([^()]*\))?\Z", name, re.I) is not None


def _templates(reading: Reading, at: int, call: SgNode) -> Iterator[Candidate]:
    name = callee(call)
    if re.search(r"\.(?:from_messages|fromMessages|fromPromptMessages)\Z", name):
        yield Candidate(at, SiteKind.TEMPLATE, Confidence.HIGH)
    elif re.search(r"PromptTemplate(?:\.from_?[tT]emplate)?\Z", name) and reading.reach:
        yield Candidate(at, SiteKind.TEMPLATE, Confidence.MEDIUM)


def _is_role_pair(node: SgNode) -> bool:
    """`("system", text)` in a list of such."""
    if node.kind() not in ("tuple", "array", "list"):
        return False
    inside = [one for one in node.children() if one.is_named()]
    return (
        len(inside) == 2
        and re.fullmatch(r"system|user|human|assistant|ai", literal(inside[0]) or "") is not None
        and re.fullmatch(r"\w*", literal(inside[1]) or " ") is None
    )


def _listed(reading: Reading, at: int, node: SgNode) -> Iterator[Candidate]:
    """`messages = [...messages, userMessage]`."""
    got = assigned(node)
    if got is None or got[1].kind() not in ("array", "list"):
        return
    sure = reading.is_chat(at, got[0])
    if sure < 2 or reading.reach < 2:
        return
    inside = [one for one in got[1].children() if one.is_named()]
    spread = [one for one in inside if one.kind() in ("spread_element", "list_splat")]
    added = [one for one in inside if one.kind() in ("identifier", "member_expression", "attribute", "call")]
    if spread and added:
        yield Candidate(at, SiteKind.PUSH, Confidence.MEDIUM)
