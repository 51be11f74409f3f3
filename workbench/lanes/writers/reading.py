"""One file as the rules read it: which of its names lead into a prompt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from workbench.lanes.syntax.code import Code
from workbench.lanes.writers.claims import Claimed, claim_at
from workbench.lanes.writers.composing import called, composed, operands
from workbench.lanes.writers.kinds import ASSIGNS, CALLS, FUNCTIONS, GROWS, LISTS, RECORDS
from workbench.lanes.writers.lookalikes import is_table
from workbench.lanes.writers.reach import prompts_a_person, reach_of
from workbench.lanes.writers.roles import message_class, role_in_macro, role_of
from workbench.lanes.writers.shape import (
    arguments,
    assigned,
    callee,
    entries,
    grows,
    is_code,
    named,
    receiver,
    stripped,
)
from workbench.lanes.writers.speaking import speaks
from workbench.lanes.writers.tree import Tree
from workbench.lanes.writers.words import SLOTS, is_assembler, is_chat, is_prompt, is_prompt_function, snake

if TYPE_CHECKING:
    from ast_grep_py import SgNode

__all__ = ["PUSHES", "WRITES", "Key", "Reading", "results"]

PUSHES = frozenset(("push", "append", "insert", "unshift", "extend", "add", "push_back", "extend_from_slice"))
WRITES = frozenset(("push_str", "write_str", "WriteString", "write", "append", "Append", "concat"))
_CHAT_SLOTS = frozenset(("messages", "contents", "prompt_messages", "chat_history", "history", "input"))
_HTML = (
    r"(?:ul|ol|li|div|p|h[1-6]|b|i|u|em|strong|span|table|tr|td|th|html|body|a|br|hr|head|script|style|img|svg|"
    r"path|g|section|button|input|form|label|pre|code|small|sub|sup|tbody|thead|details|summary|title|meta|link)"
)
_TEXT_OF_PROMPT = re.compile(
    rf"""['"`\n>]\s*<(?!{_HTML}\b)[a-zA-Z][\w-]{{2,}}(?:\s[^<>\n]*)?>|"""
    r"""(?:['"`]|\\n)[ \t]*#{1,4} [A-Z]|\n#{2,4} [A-Z]|You are (?:an?|the) |(?:['"`]|\\n)---\\n"""
)
_ASKS = re.compile(
    r"\A(?:input|confirm|getpass|prompt|raw_input|ask_user|question)\Z|getpass\.getpass\Z|\breadline\Z|setPrompt\Z|"
    r"(?:session|click|typer|console|inquirer|questionary|rl|readline|Prompt|prompts|Confirm|window|enquirer|p|clack)"
    r"(?:\(\))?\.(?:prompt|prompt_async|confirm|question|input|ask|text|select)\Z"
)
_LOADS = re.compile(
    r"(?:\A|\.)(?:loads?|parse|from_dict|from_json|fromJSON|model_validate\w*|deserialize\w*)\Z"
)
_SPOKEN = re.compile(r"\A(?:assistant|ai|model|tool|function)\Z")
_PLACES = ("identifier", "attribute", "member_expression", "shorthand_property_identifier")

Key = tuple[int | None, str]
"""A name with its outermost function; None: of the module, or of an object."""


_ROUNDS = 3
_LINE = re.compile(r"\\n|[\"'`]{3}|`[^`\n]*\n")


class Move(NamedTuple):
    """What is assigned to `target`, or returned (None): the names in it, and the functions called."""

    at: int
    target: str | None
    names: tuple[Key, ...]
    called: tuple[str, ...]
    extends: bool


@dataclass
class Reading:
    """`reach`: as of `reach_of`; `person`: as of `prompts_a_person`. Of names: `chats`, lists of messages;
    `parts`, what ends in a prompt; `returned`, what a function gives back; `asked`, what a person at a
    terminal is shown; `loaded`, what was read from a file as it is; `lanes`, what they were claimed for. Of
    functions: `claiming`, those that claim a text; `feeding`, those whose result ends in a prompt;
    `lanes_of_functions`, what that was claimed for; `said`, whether words of a prompt stand in one."""

    code: Code
    tree: Tree
    reach: int
    person: bool
    chats: set[Key] = field(default_factory=set)
    parts: set[Key] = field(default_factory=set)
    returned: set[Key] = field(default_factory=set)
    asked: set[Key] = field(default_factory=set)
    loaded: set[Key] = field(default_factory=set)
    lanes: dict[Key, str] = field(default_factory=dict)
    claiming: set[int] = field(default_factory=set)
    feeding: set[str] = field(default_factory=set)
    lanes_of_functions: dict[str, str] = field(default_factory=dict)
    said: dict[int, bool] = field(default_factory=dict)

    @classmethod
    def of(cls, code: Code) -> Reading:
        """Reads the file's tree once for its names, and what it found a few times for where they lead."""
        reading = cls(code, Tree.of(code), reach_of(code.text), prompts_a_person(code.text))
        moves: list[Move] = []
        for at in range(len(reading.tree.nodes)):
            reading._learn(at)
            moves.extend(reading._moves(at))
        for _ in range(_ROUNDS):
            for move in moves:
                reading._follow(move)
        return reading

    def key(self, at: int, name: str) -> Key:
        """A name where it stands: those of one outermost function are one, and those of `self`."""
        if name.startswith(("self.", "this.", "s.")):
            return None, name
        outer = self.tree.outer[at]
        return (outer if outer >= 0 else None), re.sub(r"\A(?:mut\s|&mut\s|&|\*)\s*", "", name)

    def is_chat(self, at: int, name: str) -> int:
        """As `words.is_chat`; 3: the file itself shows that it is one."""
        return 3 if self._known(at, name, self.chats) else is_chat(name)

    def is_part(self, at: int, name: str) -> bool:
        """Whether what is in this place ends in a prompt."""
        return self._known(at, name, self.parts)

    def is_asked(self, at: int, name: str) -> bool:
        """Whether a person reads what is in this place."""
        return self._known(at, name, self.asked)

    def _known(self, at: int, name: str, names: set[Key]) -> bool:
        found = self.key(at, name)
        return found in names or (None, found[1]) in names

    def makes_prompt(self, at: int) -> int:
        """Whether the innermost named function around it returns a prompt (2), or text of one (1)."""
        function = self.function_of(at)
        if function < 0:
            return 0
        strength = is_prompt_function(self.tree.name_of(function) or "")
        if strength == 2:
            return 0 if self.person and self.reach < 2 else 2
        if function in self.claiming or (strength == 1 and self._says_prompt(function)):
            return 1
        feeds = self.tree.name_of(function) in self.feeding and (self.reach > 0 or bool(self.claiming))
        return int(feeds and self._has_lines(function))

    def is_helper(self, at: int) -> bool:
        """Whether the function around it makes text of a prompt only because its result goes into one."""
        function = self.function_of(at)
        name = self.tree.name_of(function)
        return name in self.feeding and function not in self.claiming and is_prompt_function(name or "") == 0

    def function_of(self, at: int) -> int:
        """The innermost named function whose result a node is or is part of; -1: none."""
        own = self.tree.kinds[at] in FUNCTIONS and self.tree.name_of(at) is not None
        return at if own else self.tree.named_function(at)

    def _has_lines(self, function: int) -> bool:
        text = self.code.text
        return _LINE.search(text, self.tree.starts[function], self.tree.ends[function]) is not None

    def _says_prompt(self, function: int) -> bool:
        if function not in self.said:
            start, end = self.tree.starts[function], self.tree.ends[function]
            self.said[function] = _TEXT_OF_PROMPT.search(self.code.text, start, end) is not None
        return self.said[function]

    def _learn(self, at: int) -> None:
        kind, node = self.tree.kinds[at], self.tree.nodes[at]
        if kind in RECORDS or kind in CALLS:
            role = role_of(node) or message_class(node)
            if role is not None:
                self._home(at)
            self._slots(at, role is not None and _SPOKEN.match(role.name or "") is None)
        if kind in CALLS and self.reach and speaks(callee(node)):
            self.parts.update(self.key(at, name) for given in arguments(node)[:2] for name in operands(given))
        if kind in CALLS and _ASKS.search(callee(node)[-80:]):
            self.asked.update(self.key(at, name) for given in arguments(node) for name in operands(given))
        if kind in CALLS and _pushes_message(node):
            found = receiver(node)
            if found is not None and not is_table(callee(node)):
                self.chats.add(self.key(at, named(found[0])))
        claimed = claim_at(self.tree, at)
        if claimed is not None:
            self._claim(at, claimed)

    def _claim(self, at: int, claimed: Claimed) -> None:
        """A text that is claimed for a lane is in a prompt."""
        names = [name for text in claimed.texts for name in operands(text)]
        for name in [claimed.name] if claimed.name else names:
            self.parts.add(self.key(at, name))
            self.lanes.setdefault(self.key(at, name), claimed.lane)
        self.claiming.add(self.function_of(at))

    def _home(self, record: int) -> None:
        """A list that is given a message is one of messages."""
        for one in self.tree.above(record):
            kind, node = self.tree.kinds[one], self.tree.nodes[one]
            if kind in CALLS:
                found = receiver(node)
                given = arguments(node) if callee(node) == "append" else []
                if given:
                    self.chats.add(self.key(one, named(given[0])))
                elif found is not None and found[1] in PUSHES and not is_table(callee(node)):
                    self.chats.add(self.key(one, named(found[0])))
                return
            if kind in ASSIGNS:
                got = assigned(node)
                if got is not None and got[1].kind() in (*LISTS, "composite_literal", "binary_expression"):
                    self.chats.add(self.key(one, got[0]))
                return
            if kind in FUNCTIONS or kind == "pair":
                return

    def _slots(self, at: int, message: bool) -> None:
        if self._embeds(at) or self._embeds(self.tree.parents[at]):
            return
        for key, value in entries(self.tree.nodes[at]):
            low = snake(key)
            if low in _CHAT_SLOTS and (self.reach or low == "messages"):
                if value.kind() in _PLACES:
                    if is_chat(named(value)):
                        self.chats.add(self.key(at, named(value)))
                    elif low in ("input", "contents"):
                        self.parts.update(self.key(at, name) for name in operands(value))
                elif low in ("input", "contents"):
                    self.parts.update(self.key(at, name) for name in operands(value))
            is_slot = low in SLOTS or low in ("prompt", "user_prompt")
            if (is_slot and self.reach and not self.person) or (
                message and low in ("content", "text", "parts")
            ):
                self.parts.update(self.key(at, name) for name in operands(value))

    def extends_prompt(self, text: SgNode) -> bool:
        """Whether a text of several lines begins with, or has in it, a prompt that came from elsewhere."""
        if self.person or composed(text) is None or not re.search(r"\n|\\n", text.text()[:2_000]):
            return False
        return any(is_prompt(name) for name in operands(text))

    def _embeds(self, at: int) -> bool:
        return at >= 0 and self.tree.kinds[at] in CALLS and "embed" in callee(self.tree.nodes[at]).lower()

    def _moves(self, at: int) -> Iterator[Move]:
        node = self.tree.nodes[at]
        for result in results(node):
            names = tuple(self.key(at, name) for name in operands(result))
            self.returned.update(names)
            yield Move(at, None, names, tuple(called(result)), False)
        got = assigned(node) if self.tree.kinds[at] in ASSIGNS else None
        if got is not None:
            target, value = got
            names = tuple(self.key(at, name) for name in operands(value))
            extends = self.extends_prompt(value)
            if _LOADS.search(callee(value) if value.kind() in CALLS else ""):
                self.loaded.add(self.key(at, target))
            if value.kind() in CALLS and is_prompt(target) and is_assembler(callee(value)):
                self.parts.add(self.key(at, target))
            yield Move(at, target, names, tuple(called(value)), extends)
        elif self.tree.kinds[at] in GROWS and grows(node):
            left, right = node.field("left"), node.field("right")
            if left is not None and right is not None:
                names = tuple(self.key(at, name) for name in operands(right))
                yield Move(at, named(left), names, tuple(called(right)), False)

    def _follow(self, move: Move) -> None:
        """What goes into a prompt by way of another name, or of a function's result."""
        if move.target is None:
            if not self.makes_prompt(move.at):
                return
        else:
            said = is_prompt(move.target)
            key = self.key(move.at, move.target)
            sure = said == 2 or (said == 1 and self.reach > 0 and not self.person)
            if sure or (move.extends and key in self.returned):
                self.parts.add(key)
            elif not self.is_part(move.at, move.target):
                return
            lane = self.lanes.get(key)
            if lane is not None:
                for name in move.names:
                    self.lanes.setdefault(name, lane)
                self.lanes_of_functions.update((name, lane) for name in move.called)
        self.parts.update(move.names)
        self.feeding.update(move.called)


def _pushes_message(call: SgNode) -> bool:
    """Whether a call pushes a message that is written out in its arguments."""
    found = receiver(call)
    if found is None or found[1] not in PUSHES:
        return False
    for given in arguments(call):
        one = stripped(given)
        if (one.kind() in RECORDS and role_of(one)) or message_class(one):
            return True
        if one.kind() == "macro_invocation" and role_in_macro(one):
            return True
    return False


def results(node: SgNode) -> Iterator[SgNode]:
    """What a return gives back; also the body of an arrow function, and the last line of one in Rust."""
    kind = node.kind()
    if kind == "return_statement":
        yield from (one for one in node.children() if is_code(one))
    elif kind in ("arrow_function", "closure_expression"):
        body = node.field("body")
        if body is not None and body.kind() not in ("statement_block", "block"):
            yield body
    elif kind == "function_item":
        body = node.field("body")
        named = [one for one in body.children() if is_code(one)] if body is not None else []
        if named and not named[-1].kind().endswith(("_statement", "_declaration")):
            yield named[-1]
