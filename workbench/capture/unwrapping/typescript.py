"""The function for an app in TypeScript, with its tests: one file that needs no package."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from workbench.capture.unwrapping.form import SLOT_IS, STOP_GAP, Form, warning

__all__ = ["typescript_code"]

_STANDALONE = Path(__file__).with_name("standalone.ts")


def typescript_code(form: Form) -> str:
    """ASCII only, so that it may be printed as it is."""
    name = _camel(f"unwrap-{form.name}")
    bodies = [_source(one) for one in ("splitTurn", "markPlaces", *dict.fromkeys(map(_camel, form.undone)))]
    lines = [
        f"// The words that a user typed, out of turns of the envelope {form.name}.",
        "//",
        f"// Written by `workbench envelope {form.name} --unwrap typescript`.",
        f"// {STOP_GAP}",
        "",
        "type Slot = readonly [name: string, oneLine: boolean, last: boolean, mark: string];",
        "",
        f"const HEAD = {_literal(form.head)};",
        f"// {SLOT_IS}",
        "const SLOTS: readonly Slot[] = [",
        *(f"  {json.dumps(slot)}," for slot in form.slots),
        "];",
        "",
        *_function(form, name),
    ]
    for body in bodies:
        lines += ["", body]
    lines += ["", *_tests(form, name)]
    return "\n".join(lines) + "\n"


def _function(form: Form, name: str) -> Iterator[str]:
    yield "/**"
    yield " * What the user typed in this turn; null where it is no turn of this envelope."
    yield from (f" * {line}".rstrip() for line in warning(form))
    yield " */"
    yield f"export function {name}(turn: string): string | null {{"
    yield "  const values = splitTurn(turn, HEAD, SLOTS);"
    typed = '(values.get("text") ?? "")'
    for undo in form.undone:
        typed = f"{_camel(undo)}({typed.removeprefix('(').removesuffix(')') if typed[0] == '(' else typed})"
    yield f"  return values === null ? null : {typed};"
    yield "}"


def _tests(form: Form, name: str) -> Iterator[str]:
    yield "/** Throws where the function does not do what it is to do; any test runner may call it. */"
    yield f"export function {_camel('test-' + 'unwrap-' + form.name)}(): void {{"
    yield "  const examples: readonly (readonly [turn: string, typed: string | null])[] = ["
    for example in form.examples:
        typed = "null" if example.typed is None else _literal(example.typed)
        yield f"    [{_literal(example.turn)}, {typed}],"
    yield "  ];"
    yield "  for (const [turn, typed] of examples) {"
    yield f"    const found = {name}(turn);"
    yield "    const [is, wanted] = [JSON.stringify(found), JSON.stringify(typed)];"
    yield "    if (is !== wanted) throw new Error(`${is}, not ${wanted}, out of ${JSON.stringify(turn)}`);"
    yield "  }"
    yield "}"


def _literal(text: str) -> str:
    return json.dumps(text)


def _camel(name: str) -> str:
    first, *rest = re.split("[-_]+", name)
    return first + "".join(word[:1].upper() + word[1:] for word in rest)


def _source(name: str) -> str:
    """One of the standalone functions, as it is written, with the comment above it."""
    text = _STANDALONE.read_text(encoding="utf-8")
    found = re.search(rf"^(?:/\*\*(?:(?!\*/)[\s\S])*\*/\n)?function {name}\([\s\S]*?^}}$", text, re.MULTILINE)
    if found is None:
        raise LookupError(name)
    return found[0]
