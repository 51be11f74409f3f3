"""Values are typed by what is wanted, and what does not fit is collected."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path

import pytest

from workbench.files.fields import read_fields
from workbench.files.node import EnvName, Node
from workbench.files.parse import parse
from workbench.files.problems import Problems, nearest
from workbench.files.source import Source
from workbench.files.values import canonical, json_value, spelled


class Colour(StrEnum):
    RED = "red"
    DARK_BLUE = "dark-blue"


def value(text: str) -> Node:
    problems = Problems()
    node = parse(Source("f", f"k: {text}\n"), problems).pairs[0][1]
    problems.check()
    return node


GOOD: list[tuple[str, Callable[[Node, Problems], object], object]] = [
    ("12", Node.integer, 12),
    ("-3", Node.integer, -3),
    ("+3", Node.integer, 3),
    ("007", Node.integer, 7),
    ("0x1F", Node.integer, 31),
    ("0o17", Node.integer, 15),
    ("1", Node.number, 1.0),
    (".5", Node.number, 0.5),
    ("1e3", Node.number, 1000.0),
    ("-2.5E-1", Node.number, -0.25),
    ("true", Node.boolean, True),
    ("FALSE", Node.boolean, False),
    ("''", Node.text, ""),
    ("' '", Node.text, " "),
    ("x", Node.word, "x"),
    ("[a, 'b', '']", Node.texts, ("a", "b", "")),
    ("[]", Node.words, ()),
    ("{a: 1, b: {env: TOKEN}}", Node.text_map, {"a": "1", "b": EnvName("TOKEN")}),
    ("text", Node.text_or_map, "text"),
    ("{message: typed}", Node.text_or_map, {"message": "typed"}),
    ("dark-blue", lambda node, problems: node.choice(problems, Colour), Colour.DARK_BLUE),
    ("b", lambda node, problems: node.option(problems, ("a", "b")), "b"),
    ("sub/../f.txt", lambda node, problems: node.path(problems, Path("/base")), "/base/f.txt"),
    ("../f.txt", lambda node, problems: node.path(problems, Path("/base/x")), "/base/f.txt"),
    ("/abs/f.txt", lambda node, problems: node.path(problems, Path("/base")), "/abs/f.txt"),
]


@pytest.mark.parametrize(("text", "read", "wanted"), GOOD)
def test_values_are_read(text: str, read: Callable[[Node, Problems], object], wanted: object) -> None:
    problems = Problems()
    got = read(value(text), problems)
    assert (got, type(got)) == (wanted, type(wanted))
    assert not len(problems)


BAD: list[tuple[str, Callable[[Node, Problems], object], str]] = [
    ("'12'", Node.integer, "take the quotes away"),
    ("1.0", Node.integer, "a whole number"),
    ("1_000", Node.integer, "a whole number"),
    ("١٢", Node.integer, "a whole number"),
    ("[1]", Node.integer, "found a list"),
    ("", Node.integer, "found nothing"),
    ("9" * 400, Node.integer, "a whole number"),
    (".inf", Node.number, "a number"),
    ("1e999", Node.number, "a number"),
    ("nan", Node.number, "a number"),
    ("yes", Node.boolean, "true or false"),
    ("'true'", Node.boolean, "true or false"),
    ("~", Node.text, "put it in quotes if you mean the word"),
    ("", Node.text, 'write "" for empty text'),
    ("{a: b}", Node.text, "found a mapping"),
    ("''", Node.word, "only blanks"),
    ('"\\t"', Node.word, "only blanks"),
    ("[a, ~, b]", Node.texts, "null"),
    ("a", Node.texts, "put it in [ ]"),
    ("{a: [x]}", Node.text_map, "expected text or {env: NAME}"),
    ("{a: {var: X}}", Node.text_map, "unknown key"),
    ("{a: {env: X, more: y}}", Node.text_map, 'unknown key "more"'),
    ("[a]", Node.text_or_map, "text or a mapping"),
    ("{a: [b]}", Node.text_or_map, "expected text"),
    ("Red", lambda node, problems: node.choice(problems, Colour), 'did you mean "red"?'),
    ("darkblue", lambda node, problems: node.choice(problems, Colour), 'did you mean "dark-blue"?'),
    ("green-ish", lambda node, problems: node.choice(problems, Colour), "one of red, dark-blue"),
    ("5", lambda node, problems: node.integer(problems, 6), "of at least 6"),
    ("5", lambda node, problems: node.integer(problems, None, 4), "of at most 4"),
    ("5", lambda node, problems: node.number(problems, 0, 1), "from 0 to 1"),
    ('"a\\0b"', lambda node, problems: node.path(problems, Path("/")), "expected a path"),
]


@pytest.mark.parametrize(("text", "read", "told"), BAD)
def test_what_does_not_fit_is_told(text: str, read: Callable[[Node, Problems], object], told: str) -> None:
    problems = Problems()
    assert read(value(text), problems) is None
    assert told in "\n".join(map(str, problems.ordered()))


def test_a_missing_key_beside_its_slip_is_one_problem() -> None:
    problems = Problems()
    node = parse(Source("f", "phrase: [a]\ntols: b\nnew: c\n"), problems)
    read_fields(node, problems, ("phrases", "tool", "side_effects"), ("phrases", "tool"))
    assert [str(problem) for problem in problems.ordered()] == [
        'f:1:1: unknown key "phrase" (did you mean "phrases"?)',
        'f:2:1: unknown key "tols" (did you mean "tool"?)',
        'f:3:1: unknown key "new" (known here: phrases, tool, side_effects)',
    ]


def test_nearest_tolerates_slips_only() -> None:
    known = ("scenario", "prompts", "side_effects")
    assert nearest("scneario", known) == "scenario"
    assert nearest("Side-Effects", known) == "side_effects"
    assert nearest("attachments", known) is None
    assert nearest("anything", ()) is None


def test_long_values_are_cut_in_messages() -> None:
    problems = Problems()
    value("x" * 5000).integer(problems)
    assert len(problems.ordered()[0].message) < 150


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("10", 10),
        ('"10"', "10"),
        ("1.50", 1.5),
        ("true", True),
        ("'true'", "true"),
        ("null", None),
        ("~", None),
        ("yes", "yes"),
        ("12:30", "12:30"),
        ("2001-01-01", "2001-01-01"),
        ("[1, [a, {b: 0x10}]]", [1, ["a", {"b": 16}]]),
        ("{1: x, true: y}", {"1": "x", "true": "y"}),
        ('""', ""),
        (".nan", ".nan"),
    ],
)
def test_json_values_follow_the_core_rules(text: str, wanted: object) -> None:
    problems = Problems()
    got = json_value(value(text), problems)
    assert (got, type(got)) == (wanted, type(wanted))
    assert not len(problems)


def test_no_value_is_no_json() -> None:
    problems = Problems()
    json_value(value(""), problems)
    assert len(problems) == 1


def test_layout_does_not_change_what_is_said() -> None:
    spelled_one = value("{use: python, n: 1, list: [a, b]}")
    spelled_other = value("\n  # a note\n  list:\n    - 'a'\n    - \"b\"\n  use: python   # more\n  n: 1")
    assert canonical(spelled_one) == canonical(spelled_other)
    for changed in ("{use: pythom, n: 1, list: [a, b]}", "{use: python, n: '1', list: [a, b]}"):
        assert canonical(value(changed)) != canonical(spelled_one)
    assert canonical(value("{use: python, n: 1, list: [b, a]}")) != canonical(spelled_one)
    assert canonical(value("~")) != canonical(value("'~'"))


def test_values_are_spelled_as_written() -> None:
    text = '{outcome: fire, tool: t, arguments: {n: 1, s: "1", l: [a, ~]}}'
    assert spelled(value(text)) == text
