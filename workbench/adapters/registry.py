"""Adapters by name: listed without importing, imported one at a time, built from typed options."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, cast

from workbench.adapters.protocol import Adapter, Option, OptionType, Place
from workbench.adapters.tools.source import read_source
from workbench.core.errors import Problem, WorkbenchError
from workbench.files.node import NodeKind
from workbench.files.problems import Problems, check_keys, suggestion
from workbench.files.values import json_value

if TYPE_CHECKING:
    from workbench.files.node import Node
    from workbench.files.workspace import AdapterSpec

__all__ = ["GROUP", "build", "load", "names"]

GROUP = "workbench.adapters"

# Keys of every adapter. One that has no use for a key takes it and does nothing with it.
_COMMON = (
    Option("concurrency", OptionType.INTEGER, "calls at once"),
    Option("timeout", OptionType.NUMBER, "seconds for one call"),
    Option("env", OptionType.MAPPING, "environment variables; a value may be {env: NAME}"),
    Option("cwd", OptionType.PATH, "working folder, first on the path"),
    Option(
        "restart", OptionType.TEXT, "a fresh process for each run or each trial", choices=("run", "trial")
    ),
)


def names() -> tuple[str, ...]:
    """Every `use:` that is installed, without importing any. WORKBENCH_PLUGINS=none leaves our own only."""
    return tuple(sorted(_entries()))


def _entries() -> dict[str, EntryPoint]:
    allowed = os.environ.get("WORKBENCH_PLUGINS")
    chosen = None if allowed is None else {name.strip() for name in allowed.split(",")}
    found: dict[str, EntryPoint] = {}
    for entry in entry_points(group=GROUP):
        ours = entry.value.startswith("workbench.")
        allowed_here = ours or chosen is None or entry.name in chosen
        # A plug-in of the same name does not replace one of ours.
        if allowed_here and (ours or entry.name not in found):
            found[entry.name] = entry
    return found


def load(use: str) -> type[Adapter]:
    """The adapter class of that name. Raises WorkbenchError, naming a broken plug-in's distribution."""
    entries = _entries()
    entry = entries.get(use)
    if entry is None:
        raise WorkbenchError(Problem(f"no kind of adapter is called {use!r}", hint=suggestion(use, entries)))
    try:
        return cast("type[Adapter]", entry.load())
    except Exception as error:  # a guest's import may raise anything
        owner = f" of {entry.dist.name} {entry.dist.version}" if entry.dist else ""
        raise WorkbenchError(
            Problem(
                f"the adapter {use!r}{owner} cannot be loaded: {type(error).__name__}: {error}",
                hint="reinstall it, or take it out of the workspace file",
            )
        ) from error


def build(spec: AdapterSpec, place: Place) -> Adapter:
    """One adapter of a workspace, its options typed as it declares them.

    Raises WorkbenchError with every wrong option at its place in the workspace file.
    """
    problems = Problems()
    try:
        kind = load(spec.use)
    except WorkbenchError as error:
        where = spec.keys.get("use", spec.mark)
        raise WorkbenchError(tuple(Problem(p.message, where, p.hint) for p in error.problems)) from error
    declared = {option.name: option for option in kind.options}
    known = {option.name: option for option in _COMMON} | declared
    check_keys(
        problems,
        spec.mark,
        spec.keys,
        ("use", *known),
        tuple(option.name for option in kind.options if option.required),
    )
    typed = {
        name: _typed(known[name], node, place, problems)
        for name, node in spec.options.items()
        if name in known
    }
    problems.check()
    values = {name: value for name, value in typed.items() if name in declared}
    try:
        maker = cast(Any, kind)
        return cast(Adapter, maker(spec.name, place, **values))
    except WorkbenchError as error:
        raise WorkbenchError(
            tuple(
                Problem(f"adapter {spec.name}: {p.message}", p.mark or _mark_of(p, spec), p.hint)
                for p in error.problems
            )
        ) from error


def _mark_of(problem: Problem, spec: AdapterSpec) -> Any:
    """The option that a problem begins with, or the part of it that `option.part` names, else the adapter."""
    word, _, part = problem.message.partition(": ")[0].partition(".")
    node = spec.options.get(word)
    if node is None:
        return spec.mark
    return next((value.mark for key, value in node.pairs if key.value == part), node.mark)


def _typed(option: Option, node: Node, place: Place, problems: Problems) -> object:
    if option.choices:
        return node.option(problems, option.choices)
    readers: Mapping[OptionType, Any] = {
        OptionType.TEXT: lambda: node.word(problems),
        OptionType.PATH: lambda: node.path(problems, place.root),
        OptionType.NUMBER: lambda: node.number(problems, low=0),
        OptionType.INTEGER: lambda: node.integer(problems, low=1),
        OptionType.BOOLEAN: lambda: node.boolean(problems),
        OptionType.TEXTS: lambda: node.texts(problems),
        OptionType.MAPPING: lambda: node.text_map(problems),
        OptionType.CALL: lambda: node.text_or_map(problems),
        OptionType.VALUE: lambda: _value(node, problems),
        OptionType.SECRET: lambda: _secret(node, problems),
        OptionType.TEXT_OR_ENV: lambda: node.text_or_env(problems),
        OptionType.TOOLS: lambda: read_source(node, problems, place.root),
    }
    return readers[option.type]()


def _value(node: Node, problems: Problems) -> object:
    """The value as JSON would have it. To YAML a `{turn}` without quotes is a mapping, and not meant so."""
    bare = [inner for inner in _within(node) if _is_bare_field(inner)]
    for inner in bare:
        word = inner.pairs[0][0].value
        message = f"{{{word}}} is a mapping here"
        inner.complain(problems, message, f'put it in quotes: "{{{word}}}"')
    return None if bare else json_value(node, problems)


def _is_bare_field(node: Node) -> bool:
    empty = node.pairs[0][1] if len(node.pairs) == 1 else None
    return empty is not None and empty.kind is NodeKind.NOTHING and not empty.value


def _within(node: Node) -> Iterator[Node]:
    """The value, and all within."""
    waiting = [node]
    while waiting:
        inner = waiting.pop()
        yield inner
        waiting.extend((*inner.items, *(value for _, value in inner.pairs)))


def _secret(node: Node, problems: Problems) -> object:
    """Only the name of a variable: a file is shared, and what stands in it is no secret."""
    if node.kind is NodeKind.TEXT:
        hint = "export it, and name the variable here: {env: NAME}"
        node.complain(problems, "a key does not belong in a file", hint)
        return None
    return node.text_or_env(problems)
