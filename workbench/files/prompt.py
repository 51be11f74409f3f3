"""One prompt of a scenario file. What stands there is what is sent: it is never a template."""

from __future__ import annotations

from workbench.core.relation import Relation
from workbench.core.scenario import Attach, Prompt
from workbench.core.turn import Message
from workbench.files.expectation import read_expectation
from workbench.files.fields import Fields, read_fields
from workbench.files.node import Node, NodeKind
from workbench.files.paths import Bounds, read_attach
from workbench.files.problems import Problems, shown

__all__ = ["read_prompt"]

_KNOWN = ("id", "text", "expect", "attach", "paste", "substitute", "relation", "messages", "policy")
_ROLES = ("system", "developer", "user", "assistant", "tool")


def read_prompt(node: Node, number: str, bounds: Bounds, problems: Problems) -> Prompt:
    """One prompt. `number` is its label where it has no id."""
    fields = read_fields(node, problems, _KNOWN, ("text",))
    name = _id(fields)
    expect, paste = fields.get("expect"), fields.get("paste")
    return Prompt(
        label=name or number,
        text=_text(fields),
        mark=node.mark,
        id=name,
        attach=_attachments(fields, bounds),
        paste=read_attach(paste, bounds, problems) if paste is not None else None,
        substitute=fields.word("substitute"),
        expect=read_expectation(expect, problems) if expect is not None else None,
        relation=fields.choice("relation", Relation),
        messages=tuple(_message(item, problems) for item in fields.listed("messages")),
        policy=fields.word("policy"),
    )


def _id(fields: Fields) -> str | None:
    name, node = fields.word("id"), fields.get("id")
    if name is None or node is None:
        return None
    if any(char in "#@:" or char.isspace() or not char.isprintable() for char in name):
        hint = 'no "#", "@" or ":", no blanks, no control characters'
        node.complain(fields.problems, f"{shown(name)} cannot be an id", hint)
    return name


def _text(fields: Fields) -> str:
    text, node = fields.text("text"), fields.get("text")
    if text == "" and node is not None and node.style in ("|", ">") and "attach" not in fields.nodes:
        node.complain(fields.problems, "the block is empty", 'write "" if nothing is typed')
    return text or ""


def _attachments(fields: Fields, bounds: Bounds) -> tuple[Attach, ...]:
    node, problems = fields.get("attach"), fields.problems
    if node is None:
        return ()
    if node.kind is NodeKind.LIST and not node.items:
        node.complain(problems, "no file stands here", "name one, or take the key away")
    nodes = node.items if node.kind is NodeKind.LIST else (node,)
    read = [read_attach(item, bounds, problems) for item in nodes]
    return tuple(attach for attach in read if attach is not None)


def _message(node: Node, problems: Problems) -> Message:
    fields = read_fields(node, problems, ("role", "content"), ("role", "content"))
    return Message(fields.option("role", _ROLES) or "", fields.text("content") or "")
