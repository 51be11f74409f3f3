"""Which adapters, envelopes and prompts a run is to have: the command line before the file before all."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from workbench.core.decision import Json
from workbench.core.envelope import Envelope
from workbench.core.errors import Mark, Problem, WorkbenchError
from workbench.core.scenario import Prompt, Scenario
from workbench.files.envelope import parse_envelope_name
from workbench.files.problems import shown, suggestion
from workbench.replay.arms import Chain

__all__ = ["Choice", "choose_adapters", "choose_chains", "choose_prompts"]


@dataclass(frozen=True, slots=True)
class Choice:
    """What the command line asks for. None: not said, so what the scenario says.

    `prompts` names, by scenario, the labels wanted; a scenario that is not in it is run whole.
    `repeat` is for adapters that are deterministic, `samples` for those that are not. `policy` stands in
    place of the prompts' own, and `none` takes these away. `arguments` is kept in the run, as it is.
    """

    adapters: Sequence[str] | None = None
    envelopes: Sequence[str] | None = None
    repeat: int | None = None
    samples: int | None = None
    policy: str | None = None
    prompts: Mapping[str, Collection[str]] = field(default_factory=dict)
    arguments: Mapping[str, Json] = field(default_factory=dict)


def choose_adapters(
    scenario: Scenario, names: Collection[str], choice: Choice, problems: list[Problem]
) -> tuple[str, ...]:
    """The adapters of a scenario out of `names`. A name that is not there becomes a problem."""
    chosen = []
    for name, mark in _wanted("adapters", scenario, choice.adapters, names):
        if name in names:
            chosen.append(name)
        else:
            problems.append(_unknown("adapter", name, names, mark))
    return tuple(dict.fromkeys(chosen))


def choose_chains(
    scenario: Scenario, envelopes: Mapping[str, Envelope], choice: Choice, problems: list[Problem]
) -> tuple[Chain, ...]:
    """The envelopes of a scenario, nested ones too. A name that is not there becomes a problem."""
    chosen: dict[str, Chain] = {}
    for name, mark in _wanted("envelopes", scenario, choice.envelopes, envelopes):
        try:
            parts = parse_envelope_name(name, mark)
            unknown = [_unknown("envelope", part, envelopes, mark) for part in parts if part not in envelopes]
            problems.extend(unknown)
            if not unknown:
                chosen[name] = Chain(name, tuple(envelopes[part] for part in parts))
        except WorkbenchError as error:
            problems.extend(error.problems)
    return tuple(chosen.values())


def choose_prompts(scenario: Scenario, choice: Choice, problems: list[Problem]) -> tuple[Prompt, ...]:
    """The prompts of a scenario that are wanted, in the order of the file."""
    wanted = choice.prompts.get(scenario.name)
    if wanted is None:
        return scenario.prompts
    labels = [prompt.label for prompt in scenario.prompts]
    for label in wanted:
        if label not in labels:
            problems.append(_unknown(f"prompt of {scenario.name}", label, labels, None))
    return tuple(prompt for prompt in scenario.prompts if prompt.label in wanted)


def _wanted(
    key: str, scenario: Scenario, asked: Sequence[str] | None, everything: Iterable[str]
) -> list[tuple[str, Mark | None]]:
    if asked is not None:
        return [(name, None) for name in asked]
    listed: tuple[str, ...] | None = getattr(scenario, key)
    if listed is not None:
        return [
            (name, scenario.marks.get(f"{key}[{at}]", scenario.marks.get(key)))
            for at, name in enumerate(listed)
        ]
    return [(name, None) for name in everything]


def _unknown(what: str, name: str, known: Collection[str], mark: Mark | None) -> Problem:
    return Problem(f"unknown {what} {shown(name)}", mark, suggestion(name, known))
