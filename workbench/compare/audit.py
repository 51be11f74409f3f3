"""The hold audit: whether an adapter ever declines to act, what it fires, with which guessed arguments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from workbench.compare.foreign_argument import leaves, squeezed
from workbench.core.cell import AdapterInfo, Cell, CellKey
from workbench.core.decision import Json, Outcome, ToolCall
from workbench.core.turn import Turn

__all__ = ["Audit", "FiredTool", "Guess", "audit"]


@dataclass(frozen=True, slots=True)
class Guess:
    """A value that a call carried and that stands nowhere in what was delivered, at its path."""

    path: str
    value: str
    where: CellKey


@dataclass(frozen=True, slots=True)
class FiredTool:
    """One tool: in how many answers it was fired and held back, and how often with which arguments.

    `unreported`: the adapter says nothing of arguments. `empty`: it says that there are none. `guesses`
    are values that no prompt named, each once.
    """

    name: str
    fired: int = 0
    held: int = 0
    unreported: int = 0
    empty: int = 0
    guesses: tuple[Guess, ...] = ()


@dataclass(frozen=True, slots=True)
class Audit:
    """What the answers of one adapter show. `answers` counts the ok trials, `failed` the others.

    `decides` False: it only has a window, so that nothing can be held. `router` False: a model, which
    calls a tool or does not, and has no word for a hold.
    """

    adapter: str
    decides: bool
    router: bool
    answers: int = 0
    failed: int = 0
    outcomes: Mapping[str, int] = field(default_factory=dict)
    tools: tuple[FiredTool, ...] = ()

    @property
    def held(self) -> int:
        return self.outcomes.get(Outcome.HOLD.value, 0)

    @property
    def fired(self) -> int:
        return self.outcomes.get(Outcome.FIRE.value, 0)

    @property
    def never_held(self) -> bool:
        """Whether a router acted, and in no answer declined to. Without an act there was nothing to hold."""
        return self.decides and self.router and self.fired > 0 and self.held == 0


def audit(cells: Iterable[Cell], adapters: Mapping[str, AdapterInfo]) -> tuple[Audit, ...]:
    """One audit for each of `adapters`, in their order, over the cells that they have."""
    own: dict[str, list[Cell]] = {name: [] for name in adapters}
    for cell in cells:
        if cell.key.adapter in own:
            own[cell.key.adapter].append(cell)
    return tuple(_of(name, adapters[name], found) for name, found in own.items())


def _of(name: str, info: AdapterInfo, cells: list[Cell]) -> Audit:
    outcomes: dict[str, int] = {}
    tools: dict[str, _Tally] = {}
    for cell in cells:
        for outcome, count in cell.outcomes.items():
            outcomes[outcome] = outcomes.get(outcome, 0) + count
        for decision, count in cell.answers:
            for call in {call.name: call for call in decision.calls}.values():
                tally = tools.setdefault(call.name, _Tally())
                tally.take(cell, call, count, held=decision.outcome is Outcome.HOLD)
    return Audit(
        name,
        info.decides,
        info.router,
        sum(len(cell.ok) for cell in cells),
        sum(cell.failed for cell in cells),
        outcomes,
        tuple(tally.told(tool) for tool, tally in tools.items()),
    )


class _Tally:
    """Counts the calls of one tool."""

    def __init__(self) -> None:
        self.fired = self.held = self.unreported = self.empty = 0
        self.guesses: dict[tuple[str, str], Guess] = {}

    def take(self, cell: Cell, call: ToolCall, count: int, *, held: bool) -> None:
        if held:
            self.held += count
            return
        self.fired += count
        if call.arguments is None:
            self.unreported += count
        elif not call.arguments:
            self.empty += count
        for path, value in _guessed(call.arguments, cell.delivery.turn, cell.delivery.typed):
            self.guesses.setdefault((path, value), Guess(path, value, cell.key))

    def told(self, name: str) -> FiredTool:
        return FiredTool(
            name, self.fired, self.held, self.unreported, self.empty, tuple(self.guesses.values())
        )


def _guessed(arguments: Json, turn: Turn, typed: str) -> Iterator[tuple[str, str]]:
    """Texts and numbers of the arguments that stand in nothing that was delivered, case and blanks aside."""
    if not arguments:
        return
    sources = (turn.text, typed, *(a.text for a in turn.attachments), *(m.content for m in turn.messages))
    there = squeezed("\n".join(sources))
    for path, value in leaves("", arguments):
        if squeezed(value) not in there:
            yield path, value
