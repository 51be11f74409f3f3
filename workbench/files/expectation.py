"""`expect` of a prompt: a word or two, or a mapping."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.core.decision import Json, Outcome
from workbench.core.scenario import Expectation
from workbench.files.fields import Fields, read_fields
from workbench.files.node import Node, NodeKind
from workbench.files.problems import Problems, slip
from workbench.files.values import json_value, spelled

__all__ = ["read_expectation"]

_NO_CALLS = "no calls"
_WORDS = (*(outcome.value for outcome in Outcome), _NO_CALLS)
_FORMS = "hold, pass, fire, fire TOOL, no calls or a mapping"
_KNOWN = ("outcome", "tool", "arguments", "any_of", "max_rate", "min_rate")


def read_expectation(node: Node, problems: Problems) -> Expectation | None:
    """What a prompt expects; None where it is not well said."""
    if node.kind is NodeKind.MAPPING:
        return _mapping(node, problems)
    if node.kind is not NodeKind.TEXT:
        node.expected(problems, _FORMS)
        return None
    word, _, tool = node.value.strip().partition(" ")
    if word == Outcome.FIRE and tool.strip():
        return Expectation(Outcome.FIRE, tool=tool.strip(), spelled=node.value)
    if " ".join(node.value.split()) == _NO_CALLS:
        return Expectation(no_calls=True, spelled=node.value)
    if word in _WORDS and not tool:
        return Expectation(Outcome(word), spelled=node.value)
    node.expected(problems, _FORMS, slip(node.value, _WORDS))
    return None


def _mapping(node: Node, problems: Problems) -> Expectation:
    fields = read_fields(node, problems, _KNOWN)
    if not node.pairs:
        node.complain(problems, "the mapping expects nothing", "known here: " + ", ".join(_KNOWN))
    word, tool, any_of = fields.option("outcome", _WORDS), fields.word("tool"), fields.words("any_of")
    arguments = _arguments(fields)
    max_rate, min_rate = fields.number("max_rate", 0, 1), fields.number("min_rate", 0, 1)
    _check(fields, word, any_of, max_rate, min_rate)
    outcome = Outcome(word) if word is not None and word != _NO_CALLS else None
    names_calls = tool is not None or any_of is not None or arguments is not None or min_rate is not None
    if "outcome" not in fields.nodes and names_calls and max_rate is None:
        outcome = Outcome.FIRE  # a tool that is wanted is called; one with a highest rate is not wanted
    return Expectation(
        outcome=outcome,
        no_calls=word == _NO_CALLS,
        tool=tool,
        arguments=arguments,
        any_of=any_of,
        max_rate=max_rate,
        min_rate=min_rate,
        spelled=spelled(node),
    )


def _arguments(fields: Fields) -> Mapping[str, Json] | None:
    node = fields.get("arguments")
    if node is None:
        return None
    pairs = node.entries(fields.problems, "a mapping of argument to value")
    return {key.value: json_value(value, fields.problems) for key, value in pairs}


def _check(
    fields: Fields,
    word: str | None,
    any_of: tuple[str, ...] | None,
    max_rate: float | None,
    min_rate: float | None,
) -> None:
    """Complain of what contradicts itself."""
    problems, nodes = fields.problems, fields.nodes
    if word in (Outcome.PASS, _NO_CALLS):
        for key in ("tool", "any_of", "arguments"):
            if key in nodes:
                nodes[key].complain(problems, f'the outcome "{word}" calls nothing', "take one of them away")
    if "tool" in nodes and "any_of" in nodes:
        nodes["any_of"].complain(problems, "tool names the one tool already", "keep tool or any_of")
    if any_of == ():
        nodes["any_of"].complain(problems, "no tool stands here", "name one or more")
    if max_rate is not None and min_rate is not None and min_rate > max_rate:
        nodes["min_rate"].complain(problems, f"above max_rate ({max_rate:g})", "no rate can be both")
