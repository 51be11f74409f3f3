"""The printed functions undo each transform as the workbench does, also those that nothing shipped has."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_unwrapping import NODE, Function, envelope, run_in_node, units, wrapped

from workbench.capture.unwrapping.form import form_of
from workbench.capture.unwrapping.python import python_code
from workbench.capture.unwrapping.typescript import typescript_code
from workbench.core.envelope import Transform, unwrap

WORDS = (
    "what's on today?",
    "a\n\n  b\n",
    'why "a" & <b>\nisn\'t it 100% + 1?',
    "Zoë 🦀 שלום",
    "&lt;br&gt; <br /> &amp;amp;",
    "> a\n>b",
    "\\n and \\u0041",
    "",
)
MADE = {
    step.value: envelope("[from kim]\n{text}\n[end]", step)
    for step in Transform
    if step is not Transform.TRUNCATE
}


def wanted(name: str) -> dict[str, str]:
    """By turn, the words that the workbench reads in it."""
    turns = [wrapped(MADE[name], words) for words in WORDS]
    return {turn: found.typed for turn in turns if (found := unwrap(MADE[name], turn)) is not None}


def in_python(name: str) -> Function:
    scope: dict[str, Function] = {}
    exec(python_code(form_of(MADE[name])).replace('"__main__"', '""'), scope)
    return scope["unwrap_made"]


@pytest.mark.parametrize("name", MADE)
def test_in_python(name: str) -> None:
    function = in_python(name)
    assert {turn: function(turn) for turn in wanted(name)} == wanted(name)


@pytest.mark.skipif(NODE is None, reason="Node is not installed here")
def test_in_typescript(tmp_path: Path) -> None:
    codes = {name: typescript_code(form_of(made)).replace("Made", camel(name)) for name, made in MADE.items()}
    said = run_in_node(tmp_path, {name: list(wanted(name)) for name in MADE}, codes)
    for name, words in said.items():
        assert [units(text) for text in words] == [units(text) for text in wanted(name).values()], name


def camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("-"))
