"""One cell as a case of its own: a YAML stream of workspace, envelope, scenario and documents, no secrets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from workbench.core.relation import Relation
from workbench.core.scenario import Prompt
from workbench.core.text import visible
from workbench.core.turn import Attachment
from workbench.files.edit.expectation import spell_expectation
from workbench.files.edit.spell import double_quoted, is_block, literal, spelled
from workbench.files.node import Node, NodeKind
from workbench.files.scalars import as_boolean, as_number

__all__ = ["Case", "spell_case"]

MASK = '"***"'
_SECRET = re.compile(
    "(?:api)?keys?|tokens?|secrets?|passw(?:or)?d|passphrase|credentials?|auth|authorization|bearer|cookie"
)
_COUNT = re.compile("^(?:max|min|n)[^A-Za-z]", re.IGNORECASE)
_MARKER = re.compile(r"(?:---|\.\.\.)\s*")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_FLAG = re.compile(r"(-{0,2}[\w.-]+)=(.+)", re.DOTALL)
_USERINFO = re.compile(r"(?<=://)[^/@\s]+(?=@)")
_QUERY = re.compile(r"([?&])([^=&#\s]+)=([^&#\s]+)")


@dataclass(frozen=True, slots=True)
class Case:
    """What a case is made of.

    `options` are the adapter's as its file has them. `files` are the texts of the files that the arm and
    the adapter need, by their place in a workspace. `note` says what a reader must know, one line each.
    """

    prompt: Prompt
    arm: str
    adapter: str
    use: str
    options: Mapping[str, Node]
    files: Mapping[str, str] = field(default_factory=dict)
    attachments: Sequence[Attachment] = ()
    relation: Relation = Relation.EQUAL
    note: Sequence[str] = ()


def spell_case(case: Case) -> str:
    """The stream. Each part begins with the name of the file that it is, and loads by itself."""
    parts = [_part("workbench.yaml", [*_comment(case.note), *_adapter(case)])]
    for name, text in case.files.items():
        # A stream is parted by these lines; within a file they only say where its one part begins and ends.
        lines = [line for line in text.strip("\n").split("\n") if not _MARKER.fullmatch(line)]
        parts.append(_part(name, lines))
    parts.append(_part("scenarios/case.yaml", _scenario(case)))
    parts += [_document(item) for item in case.attachments]
    return "---\n".join(parts)


def _part(file: str, lines: Sequence[str]) -> str:
    return "\n".join((f"# {visible(file)}", *lines)) + "\n"


def _comment(note: Sequence[str]) -> list[str]:
    return [f"# {visible(line)}" for line in note]


def _adapter(case: Case) -> list[str]:
    lines = [
        "adapters:",
        f"  {spelled(case.adapter, flow=False)}:",
        f"    use: {spelled(case.use, flow=False)}",
    ]
    for name, node in case.options.items():
        lines.append(f"    {spelled(name, flow=False)}: {_value(node, _is_secret(name))}")
    return lines


def _scenario(case: Case) -> list[str]:
    prompt = case.prompt
    wrapped = case.arm in ("bare", "attach", "paste", "substitute")
    lines = [
        "scenario: case",
        f"adapters: [{spelled(case.adapter, flow=True)}]",
        f"envelopes: [{'' if wrapped else spelled(case.arm, flow=True)}]",
    ]
    if case.relation is not Relation.EQUAL:
        lines.append(f"relation: {case.relation.value}")
    lines.append("prompts:")
    pairs = [*([f"id: {spelled(prompt.id, flow=False)}"] if prompt.id else []), *_key("text", prompt.text)]
    if prompt.messages:
        pairs.append("messages:")
        for message in prompt.messages:
            role = spelled(message.role, flow=True)
            pairs.append(f"  - {{role: {role}, content: {double_quoted(message.content)}}}")
    names = [spelled(_base(attach.name), flow=True) for attach in prompt.attach]
    pairs += [f"attach: [{', '.join(names)}]"] if names else []
    pairs += [f"paste: {spelled(_base(prompt.paste.name), flow=False)}"] if prompt.paste is not None else []
    pairs += _key("substitute", prompt.substitute) if prompt.substitute is not None else []
    pairs += [f"policy: {spelled(prompt.policy, flow=False)}"] if prompt.policy is not None else []
    if prompt.expect is not None:
        pairs.append(f"expect: {spell_expectation(prompt.expect, flow=False)}")
    return [*lines, *(f"  {'- ' if n == 0 else '  '}{line}".rstrip() for n, line in enumerate(pairs))]


def _key(key: str, text: str) -> list[str]:
    """A text under a key, as a block where it has several lines and can be one."""
    if "\n" in text and is_block(text):
        header, lines = literal(text, 2)
        return [f"{key}: {header}", *lines]
    return [f"{key}: {spelled(text, flow=False)}"]


def _document(item: Attachment) -> str:
    name = _base(item.name)
    lines = [f"file: {spelled(name, flow=False)}", *_key("text", item.text)]
    return _part(f"scenarios/{name}: a file, not a scenario; write its text there", lines)


def _base(name: str) -> str:
    """A document lies beside the scenario of its case, wherever it lay."""
    return PurePosixPath(name.replace("\\", "/")).name or "document"


# Values of an adapter's options


def _value(node: Node, secret: bool) -> str:
    """A value in flow style. What its name says is secret is masked; `{env: NAME}` tells nothing."""
    if node.kind is NodeKind.MAPPING:
        if [key.value for key, _ in node.pairs] == ["env"]:
            return "{env: " + _value(node.pairs[0][1], secret=False) + "}"
        pairs = (
            f"{spelled(key.value, flow=True)}: {_value(value, secret or _is_secret(key.value))}"
            for key, value in node.pairs
        )
        return "{" + ", ".join(pairs) + "}"
    if node.kind is NodeKind.LIST:
        return "[" + ", ".join(_items(node, secret)) + "]"
    if secret:
        return MASK
    if node.kind is NodeKind.NOTHING:
        return "null"
    if node.plain and (as_boolean(node.value) is not None or as_number(node.value) is not None):
        return node.value
    return spelled(_cleaned(node.value), flow=True)


def _items(node: Node, secret: bool) -> Iterator[str]:
    """The items of a list; in an argument vector the word behind `--token` is one too."""
    after = False
    for item in node.items:
        yield _value(item, secret or after)
        after = item.kind is NodeKind.TEXT and item.value.startswith("-") and _is_secret(item.value)


def _cleaned(text: str) -> str:
    """A text with the secrets masked that stand in it under a name: an argument's, or a URL's."""
    found = _FLAG.fullmatch(text)
    if found is not None and _is_secret(found[1]):
        return f"{found[1]}=***"
    text = _USERINFO.sub("***", text)
    return _QUERY.sub(lambda part: f"{part[1]}{part[2]}=***" if _is_secret(part[2]) else part[0], text)


def _is_secret(name: str) -> bool:
    """Whether a name is that of a secret: one of its words says so. `max_tokens` and `keywords` do not."""
    words = re.split(r"[^a-z0-9]+", _CAMEL.sub("-", name).lower())
    return not _COUNT.search(name) and any(_SECRET.fullmatch(word) for word in words)
