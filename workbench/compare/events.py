"""What may happen in a trial, by name: the events of which rates are rates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from workbench.compare.expect import why_not
from workbench.core.cell import Cell, Delivery
from workbench.core.decision import Decision, Json, Outcome, canonical
from workbench.core.relation import Relation
from workbench.core.scenario import Expectation

__all__ = [
    "ANY_TOOL",
    "Event",
    "any_tool",
    "argument_events",
    "as_expected",
    "calls",
    "declared_event",
    "must_be_none",
    "new_tool",
    "same_twice",
    "seen_events",
    "several",
    "unwanted",
    "wanted_event",
]

ANY_TOOL = "calls any tool"
_PATHS = 50  # argument paths of one prompt that are looked at
_LEAVES = 200  # values of one call
_SHOWN = 40

Test = Callable[[Decision, Collection[str]], bool]


@dataclass(frozen=True, slots=True)
class Event:
    """Two events of one name are the same. Names quote tools and arguments raw."""

    name: str
    test: Test = field(compare=False, repr=False)

    def happened(self, decision: Decision, known: Collection[str] = ()) -> bool:
        """Whether it did. `known` are the tools that bare calls; only `new_tool` asks for them."""
        return self.test(decision, known)


def any_tool() -> Event:
    """A hold calls nothing, whatever it declined."""
    return Event(ANY_TOOL, lambda decision, _: decision.outcome is Outcome.FIRE)


def calls(*tools: str) -> Event:
    """One of these tools is called, among others or alone."""
    wanted = frozenset(tools)
    return Event(
        f"calls {' or '.join(dict.fromkeys(tools))}",
        lambda decision, _: not wanted.isdisjoint(decision.called),
    )


def new_tool() -> Event:
    """A tool that bare is not known to call."""
    return Event(
        "calls a tool that bare never calls",
        lambda decision, known: any(tool not in known for tool in decision.called),
    )


def several() -> Event:
    return Event("several calls", lambda decision, _: len(decision.called) > 1)


def same_twice() -> Event:
    """Name and arguments alike; a repeated call is repeated in the world."""

    def twice(decision: Decision, _: Collection[str]) -> bool:
        if len(set(decision.called)) == len(decision.called):
            return False
        seen = Counter((call.name, canonical(call.arguments)) for call in decision.calls)
        return max(seen.values()) > 1

    return Event("same call twice", twice)


def as_expected(expect: Expectation) -> Event:
    """Whatever a scenario expects of a decision, where that is more than that a tool is called."""
    return Event("answers as expected", lambda decision, _: why_not(expect, decision) is None)


def must_be_none(expect: Expectation) -> bool:
    """Whether not one call is wanted: `no calls`, `hold`, `pass`. Of what samples, the calls count, and
    so `hold` and `pass` are alike: a model that does not act has held.
    """
    return expect.min_rate is None and unwanted(expect)


def unwanted(expect: Expectation) -> bool:
    """Whether what is expected is not to call anything."""
    return expect.no_calls or expect.outcome in (Outcome.HOLD, Outcome.PASS)


def declared_event(delivery: Delivery) -> Event:
    """The event by which an arm is held against bare: what the scenario says, before any trial.

    Under `no-new-tools` it is a call of a tool that bare never calls. Else the tools that `expect` wants
    called, and without such a wish any tool.
    """
    if delivery.relation is Relation.NO_NEW_TOOLS:
        return new_tool()
    return wanted_event(delivery.expect)


def wanted_event(expect: Expectation | None) -> Event:
    """The call that an expectation is about."""
    if expect is None or unwanted(expect):
        return any_tool()
    if expect.tool is not None:
        return calls(expect.tool)
    return calls(*expect.any_of) if expect.any_of else any_tool()


def seen_events(cells: Iterable[Cell]) -> tuple[Event, ...]:
    """The events worth a line beside the declared one, for all cells of a prompt alike.

    Chosen after looking, so they are shown and never judged.
    """
    cells = tuple(cells)
    decisions = [decision for cell in cells for decision, _ in cell.answers]
    tools = sorted({tool for decision in decisions for tool in decision.called})
    events = [any_tool(), *(calls(tool) for tool in tools)]
    events += [event for event in (several(), same_twice()) if any(event.happened(d) for d in decisions)]
    return (*events, *argument_events(cells))


def argument_events(cells: Iterable[Cell]) -> Iterator[Event]:
    """One for each argument that is not always the same: that it is another than the most frequent one.

    The first cell that has the argument says which is the most frequent.
    """
    values: dict[tuple[str, str], Counter[str]] = {}
    usual: dict[tuple[str, str], str] = {}
    for cell in cells:
        here: dict[tuple[str, str], Counter[str]] = {}
        for decision, count in cell.answers:
            for place, value in _arguments(decision):
                here.setdefault(place, Counter())[value] += count
        for place, counts in here.items():
            usual.setdefault(place, max(counts, key=counts.__getitem__))
            values.setdefault(place, Counter()).update(counts)
    varied = sorted(place for place, counts in values.items() if len(counts) > 1)
    for place in varied[:_PATHS]:
        yield _other_than(place, usual[place])


def _other_than(place: tuple[str, str], usual: str) -> Event:
    tool, path = place
    shown = usual if len(usual) <= _SHOWN else usual[: _SHOWN - 1] + "…"
    return Event(
        f"{tool}({path or 'all'}) other than {shown}",
        lambda decision, _: any(at == place and value != usual for at, value in _arguments(decision)),
    )


def _arguments(decision: Decision) -> Iterator[tuple[tuple[str, str], str]]:
    """Tool and path of every value of the calls that would be carried out, with the value spelled."""
    if decision.outcome is not Outcome.FIRE:
        return
    for call in decision.calls:
        for path, value in _leaves(call.arguments):
            yield (call.name, path), canonical(value)


def _leaves(arguments: Json) -> Iterator[tuple[str, Json]]:
    waiting: list[tuple[str, Json]] = [("", arguments)]
    for _ in range(_LEAVES):
        if not waiting:
            return
        path, value = waiting.pop()
        if isinstance(value, Mapping) and value:
            waiting += [(f"{path}.{key}" if path else str(key), inner) for key, inner in value.items()]
        elif isinstance(value, list | tuple) and value:
            waiting += [(f"{path}[{index}]", inner) for index, inner in enumerate(value)]
        else:
            yield path, value
