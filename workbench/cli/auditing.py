"""`workbench list adapters --audit`: does an adapter ever hold, what does it fire, with which arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from workbench.cli.bench import Bench, store_root
from workbench.compare.audit import Audit, FiredTool, audit
from workbench.core.cell import AdapterInfo, Cell
from workbench.core.decision import Json
from workbench.core.errors import WorkbenchError
from workbench.core.text import SafeText, join, safe, visible
from workbench.files.effects import Declared, declared_tools, effects
from workbench.files.locate import find_scenarios
from workbench.files.scenario import load_scenario
from workbench.store.newest import NewestAnswers

__all__ = ["Audited", "audit_lines", "audit_view", "audited"]

_GUESSES = 3


@dataclass(frozen=True, slots=True)
class Audited:
    """One adapter of a workspace. `found` None: no answer of it is stored, so nothing can be said.

    `declared` are the tools of its own table or file, fired or not; None where it has neither.
    """

    name: str
    use: str
    found: Audit | None
    declared: Declared | None
    effects: Mapping[str, tuple[bool, str]]


def audited(bench: Bench) -> tuple[Audited, ...]:
    """Every adapter of the workspace, by the newest stored answers of all its scenarios; nothing is run.

    Raises WorkbenchError where the store cannot be read.
    """
    workspace = bench.workspace
    newest = NewestAnswers(store_root(workspace))
    cells: list[Cell] = []
    infos: dict[str, AdapterInfo] = {}
    for scenario in _scenarios(bench):
        stored = newest.read(scenario)
        cells += stored.cells
        infos = {**stored.adapters, **infos}
    known = {name: infos[name] for name in workspace.adapters if name in infos}
    found = {one.adapter: one for one in audit(cells, known)}
    declared = declared_tools(workspace)
    told = effects(declared)
    return tuple(
        Audited(name, spec.use, found.get(name), declared.get(name), told)
        for name, spec in workspace.adapters.items()
    )


def _scenarios(bench: Bench) -> Iterator[str]:
    """The names of the scenarios that load; using one that does not says what is wrong with it."""
    for path in find_scenarios(bench.workspace.root):
        with suppress(WorkbenchError):
            yield load_scenario(path, bench.workspace.root).name


def audit_lines(rows: Sequence[Audited]) -> Iterator[SafeText]:
    """What there is to say of each adapter, a line for whether it holds, then one for each tool."""
    for row in rows:
        yield SafeText(f"{visible(row.name)}  {visible(row.use)}  {_holds(row)}")
        for name in _tools(row):
            words = [_effect(row, name), *_fired(row, name)]
            yield SafeText(f"    {visible(name)}: {join(words, ', ')}")


def audit_view(rows: Sequence[Audited]) -> list[Json]:
    """The same as data. `holds`, `answers` and `fired` are null where no answer is stored."""
    return [
        {
            "adapter": row.name,
            "use": row.use,
            "decides": row.found.decides if row.found else None,
            "answers": row.found.answers if row.found else None,
            "failed": row.found.failed if row.found else None,
            "outcomes": dict(row.found.outcomes) if row.found else None,
            "never_held": row.found.never_held if row.found else None,
            "tools": [_tool_view(row, name) for name in _tools(row)],
        }
        for row in rows
    ]


def _tool_view(row: Audited, name: str) -> dict[str, Json]:
    effect, tool = row.effects.get(name), _of(row, name)
    return {
        "tool": name,
        "side_effects": effect[0] if effect else None,
        "declared_by": effect[1] if effect else None,
        "fired": tool.fired if tool else None,
        "held": tool.held if tool else None,
        "arguments_not_reported": tool.unreported if tool else None,
        "arguments_empty": tool.empty if tool else None,
        "guessed": [
            {"path": guess.path, "value": guess.value, "cell": str(guess.where)}
            for guess in (tool.guesses if tool else ())
        ],
    }


def _holds(row: Audited) -> SafeText:
    found = row.found
    if found is None:
        return safe("no answer is stored: whether it holds is unknown; `workbench run` first")
    if not found.answers:
        return safe(f"all of {found.failed:,} trials failed: whether it holds is unknown")
    if not found.decides:
        return safe("decides nothing: it only has a window")
    if not found.router:
        called = f"called a tool in {found.fired:,} of {found.answers:,} answers"
        return safe(f"a model: it has no word for a hold; {called}")
    counts = ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(found.outcomes.items()))
    words = f"held in {found.held:,} of {found.answers:,} answers ({counts})"
    if found.never_held:
        words = f"NEVER HELD in {found.answers:,} answers ({counts})"
    elif not found.held:
        words = f"neither fired nor held in {found.answers:,} answers ({counts})"
    return safe(f"{words}{f', {found.failed:,} trials failed' if found.failed else ''}")


def _tools(row: Audited) -> list[str]:
    """Tools that were called, then those that its own file declares and that were not; side effects first."""
    called = [tool.name for tool in row.found.tools] if row.found else []
    names = list(dict.fromkeys((*called, *(row.declared or ()))))
    return sorted(names, key=lambda name: not row.effects.get(name, (False, ""))[0])


def _of(row: Audited, name: str) -> FiredTool | None:
    """What the answers show of a tool: nothing at all where none is stored."""
    if row.found is None or not row.found.answers:
        return None
    return next((tool for tool in row.found.tools if tool.name == name), FiredTool(name))


def _effect(row: Audited, name: str) -> SafeText:
    effect = row.effects.get(name)
    if effect is None:
        return safe("side effects unknown")
    words = "SIDE EFFECTS" if effect[0] else "no side effects"
    return SafeText(f"{words} (says {visible(effect[1])})")


def _fired(row: Audited, name: str) -> Iterator[SafeText]:
    tool = _of(row, name)
    if tool is None:
        yield safe("whether it fires is unknown")
        return
    if not tool.fired:
        yield safe("held back each time" if tool.held else "not fired in any answer")
        return
    yield safe(f"fired {tool.fired:,} times{f', held {tool.held:,}' if tool.held else ''}")
    if tool.empty:
        yield safe(f"without an argument {tool.empty:,}")
    if tool.unreported:
        yield safe(f"arguments not reported {tool.unreported:,}")
    for guess in tool.guesses[:_GUESSES]:
        yield SafeText(f"guessed {visible(guess.path)} = {visible(guess.value[:60])}")
    if len(tool.guesses) > _GUESSES:
        yield safe(f"and {len(tool.guesses) - _GUESSES:,} more guesses")
