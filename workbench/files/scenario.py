"""Scenario files: prompts, what is expected of them, and how they are delivered."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from pathlib import Path

from workbench.core.errors import Mark, WorkbenchError
from workbench.core.finding import Kind
from workbench.core.relation import Relation
from workbench.core.scenario import Accept, Prompt, Samples, Scenario
from workbench.files.envelope_name import parse_envelope_name
from workbench.files.fields import Fields, read_fields
from workbench.files.node import Node, NodeKind
from workbench.files.parse import parse
from workbench.files.paths import Bounds
from workbench.files.problems import Problems, shown, suggestion
from workbench.files.prompt import read_prompt
from workbench.files.source import Source, read_source

__all__ = ["load_scenario", "read_scenario"]

_KNOWN = (
    "scenario",
    "about",
    "adapters",
    "envelopes",
    "relation",
    "repeat",
    "samples",
    "prompts",
    "accept",
    "policy",
)
_ACCEPT = ("kind", "arm", "adapter", "prompt", "reason", "until")
_ACCEPTABLE = tuple(kind.value for kind in Kind if kind not in (Kind.ACCEPTED, Kind.STALE_ACCEPT))
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def load_scenario(path: Path, root: Path) -> Scenario:
    """One scenario file of the workspace at `root`. Raises WorkbenchError with all that is wrong with it.

    Whether its adapters, envelopes and policies exist is not looked at: `marks` tells where they stand.
    """
    return read_scenario(read_source(path), root)


def read_scenario(source: Source, root: Path) -> Scenario:
    """`load_scenario` of a text that may not be saved yet; its file's name says where paths start."""
    problems = Problems()
    top = parse(source, problems)
    fields = read_fields(top, problems, _KNOWN, ("scenario", "prompts"))
    prompts = _prompts(fields, Bounds(Path(source.file), root))
    scenario = Scenario(
        name=_name(fields),
        prompts=prompts,
        file=source.file,
        about=fields.text("about") or "",
        adapters=_unique(fields, "adapters"),
        envelopes=_envelopes(fields),
        relation=fields.choice("relation", Relation),
        repeat=fields.integer("repeat", 1),
        samples=_samples(fields),
        accept=_accepts(fields, prompts),
        marks=_marks(fields),
    )
    problems.check()
    return scenario


def _name(fields: Fields) -> str:
    name, node = fields.word("scenario"), fields.get("scenario")
    if name is None or node is None:
        return ""
    if "#" in name or name != name.strip() or any(char < " " or "\x7f" <= char <= "\x9f" for char in name):
        hint = 'no "#", no control characters, no blanks at the ends'
        node.complain(fields.problems, f"{shown(name)} cannot name a scenario", hint)
    return name


def _unique(fields: Fields, key: str) -> tuple[str, ...] | None:
    """A list of names, each once; None where the key is absent."""
    node = fields.get(key)
    if node is None:
        return None
    names = node.words(fields.problems)
    seen: set[str] = set()
    for item in node.items:
        if item.kind is NodeKind.TEXT and item.value in seen:
            item.complain(fields.problems, f"{shown(item.value)} stands twice", "take one of them away")
        seen.add(item.value)
    return names


def _envelopes(fields: Fields) -> tuple[str, ...] | None:
    names = _unique(fields, "envelopes")
    node = fields.get("envelopes")
    for item in node.items if node is not None else ():
        if item.kind is NodeKind.TEXT and item.value.strip():
            try:
                parse_envelope_name(item.value, item.mark)
            except WorkbenchError as error:
                fields.problems.extend(error.problems)
    return names


def _samples(fields: Fields) -> Samples:
    node = fields.get("samples")
    if node is None:
        return Samples()
    given = read_fields(node, fields.problems, ("max", "delta"))
    most, delta = given.integer("max", 1), given.number("delta", 0.001, 0.999)
    return Samples(most or Samples().max, delta or Samples().delta)


def _prompts(fields: Fields, bounds: Bounds) -> tuple[Prompt, ...]:
    problems, node = fields.problems, fields.get("prompts")
    nodes = fields.listed("prompts")
    if node is not None and node.kind is NodeKind.LIST and not nodes:
        node.complain(problems, "no prompt stands here", "a scenario has at least one")
    policy = fields.word("policy")
    prompts = [read_prompt(item, str(number), bounds, problems) for number, item in enumerate(nodes, 1)]
    _check_ids([(prompt.id, _id_mark(item)) for prompt, item in zip(prompts, nodes, strict=True)], problems)
    return tuple(replace(prompt, policy=prompt.policy or policy) for prompt in prompts)


def _id_mark(prompt: Node) -> Mark:
    return next((value.mark for key, value in prompt.pairs if key.value == "id"), prompt.mark)


def _check_ids(ids: list[tuple[str | None, Mark]], problems: Problems) -> None:
    """Each prompt is named by its id or its number, so that no two may share a name."""
    lines: dict[str, int] = {}
    numbers = {str(number) for number in range(1, len(ids) + 1)}
    for number, (name, mark) in enumerate(ids, 1):
        if name is None:
            continue
        if name in lines:
            problems.add(mark, f"the id {shown(name)} stands twice", f"first at line {lines[name]}")
        elif name in numbers and name != str(number):
            problems.add(mark, f"the id {shown(name)} is the number of another prompt", "use a word")
        lines.setdefault(name, mark.line)


def _accepts(fields: Fields, prompts: tuple[Prompt, ...]) -> tuple[Accept, ...]:
    return tuple(_accept(node, prompts, fields.problems) for node in fields.listed("accept"))


def _accept(node: Node, prompts: tuple[Prompt, ...], problems: Problems) -> Accept:
    fields = read_fields(node, problems, _ACCEPT, ("kind", "reason"))
    prompt, until = fields.word("prompt"), fields.word("until")
    labels = _labels(prompts)
    if prompt is not None and prompt not in labels:
        fields.nodes["prompt"].complain(
            problems, f"{shown(prompt)} is no prompt of this scenario", suggestion(prompt, labels)
        )
    if until is not None and not _is_date(until):
        fields.nodes["until"].expected(problems, "a date such as 2027-01-31")
    return Accept(
        kind=fields.option("kind", _ACCEPTABLE) or "",
        reason=fields.word("reason") or "",
        mark=node.mark,
        arm=fields.word("arm"),
        adapter=fields.word("adapter"),
        prompt=labels.get(prompt) if prompt is not None else None,
        until=until,
    )


def _labels(prompts: tuple[Prompt, ...]) -> dict[str, str]:
    """Every name of every prompt, id or number, with its label."""
    numbers = {str(number): prompt.label for number, prompt in enumerate(prompts, 1)}
    return numbers | {prompt.label: prompt.label for prompt in prompts}


def _is_date(word: str) -> bool:
    try:
        return _DATE.fullmatch(word) is not None and bool(date.fromisoformat(word))
    except ValueError:
        return False


def _marks(fields: Fields) -> dict[str, Mark]:
    """Where the values stand of which others must say whether they exist."""
    marks = {key: node.mark for key, node in fields.nodes.items()}
    for key in ("adapters", "envelopes", "prompts", "accept"):
        node = fields.get(key)
        for index, item in enumerate(node.items if node is not None else ()):
            marks[f"{key}[{index}]"] = item.mark
            marks |= {f"{key}[{index}].{name.value}": value.mark for name, value in item.pairs}
    return marks
