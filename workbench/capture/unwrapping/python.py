"""The function for an app in Python, with its tests: one file that needs the standard library only."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from workbench.capture.unwrapping import standalone
from workbench.capture.unwrapping.form import SLOT_IS, STOP_GAP, Form, warning

__all__ = ["python_code"]

_MODULES = ("base64", "html", "json", "re", "urllib.parse")


def python_code(form: Form) -> str:
    """ASCII only, so that it may be printed as it is."""
    name = "unwrap_" + form.name.replace("-", "_")
    bodies = [_source(one) for one in ("split_turn", "mark_places", *dict.fromkeys(form.undone))]
    used = [module for module in _MODULES if any(f"{module}." in body for body in bodies)]
    lines = [
        f'"""The words that a user typed, out of turns of the envelope {form.name}.',
        "",
        f"Written by `workbench envelope {form.name} --unwrap python`.",
        STOP_GAP,
        '"""',
        "",
        "from __future__ import annotations",
        "",
        *(f"import {module}" for module in used),
        "from collections.abc import Sequence",
        "",
        f"HEAD = {_literal(form.head)}",
        f"# {SLOT_IS}",
        "SLOTS = [",
        *(
            f"    ({_literal(slot)}, {line}, {last}, {_literal(mark)}),"
            for slot, line, last, mark in form.slots
        ),
        "]",
        "",
        "",
        *_function(form, name),
    ]
    for body in bodies:
        lines += ["", "", body]
    lines += ["", "", *_tests(form, name)]
    return "\n".join(lines) + "\n"


def _function(form: Form, name: str) -> Iterator[str]:
    yield f"def {name}(turn: str) -> str | None:"
    summary = "What the user typed in this turn; None where it is no turn of this envelope."
    more = warning(form)
    yield f'    """{summary}' if more else f'    """{summary}"""'
    yield from (f"    {line}".rstrip() for line in more)
    if more:
        yield '    """'
    yield "    values = split_turn(turn, HEAD, SLOTS)"
    typed = 'values["text"]'
    for undo in form.undone:
        typed = f"{undo}({typed})"
    yield f"    return None if values is None else {typed}"


def _tests(form: Form, name: str) -> Iterator[str]:
    yield f"def test_{name}() -> None:"
    for example in form.examples:
        yield f"    assert {name}({_literal(example.turn)}) {_same(example.typed)}"
    yield ""
    yield ""
    yield 'if __name__ == "__main__":'
    yield f"    test_{name}()"


def _same(typed: str | None) -> str:
    return "is None" if typed is None else f"== {_literal(typed)}"


def _literal(text: str) -> str:
    return ascii(text)


def _source(name: str) -> str:
    """One of the standalone functions, as it is written."""
    text = Path(standalone.__file__).read_text(encoding="utf-8")
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return ast.get_source_segment(text, node) or ""
    raise LookupError(name)
