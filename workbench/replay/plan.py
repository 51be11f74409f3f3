"""The plan of a run: every cell, how often it is tried, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from workbench.adapters.protocol import Adapter
from workbench.core.cell import AdapterInfo, CellKey, Delivery
from workbench.core.decision import Json
from workbench.core.envelope import Envelope
from workbench.core.errors import Problem, UsageError, WorkbenchError
from workbench.core.scenario import Accept, Scenario
from workbench.core.trial import Trial
from workbench.replay.arms import Documents
from workbench.replay.choice import Choice, choose_adapters
from workbench.replay.identity import fingerprint_of, plan_hash, seed_of
from workbench.replay.planner import Planner
from workbench.replay.policies import Policy
from workbench.replay.sampling import Sampling
from workbench.replay.schedule import Passes, PlannedTrial, Schedule

__all__ = ["Plan", "PlannedTrial", "adapters_of", "describe", "make_plan"]


@dataclass(frozen=True)
class Plan:
    """What a run delivers. `hash` changes with whatever decides if a stored trial may stand for a new one.

    `settings` are the adapters' options as the workspace has them; `whole` names the scenarios of which
    every prompt is there; `accept` is what each scenario's file knows of; `notes` say what was asked for
    and has no effect. `policies` are those that deliveries name, by name.
    """

    deliveries: tuple[Delivery, ...]
    repeats: Mapping[CellKey, int]
    adapters: Mapping[str, AdapterInfo]
    settings: Mapping[str, Json] = field(default_factory=dict)
    arguments: Mapping[str, Json] = field(default_factory=dict)
    whole: frozenset[str] = frozenset()
    notes: tuple[Problem, ...] = ()
    accept: Mapping[str, tuple[Accept, ...]] = field(default_factory=dict)
    policies: Mapping[str, Policy] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """How many trials there are: of adapters that sample, at most, if no draw fails."""
        return sum(self.repeats.values())

    @cached_property
    def hash(self) -> str:
        """64 hex digits."""
        return plan_hash(self.deliveries, self.repeats, self.adapters, self.settings)

    @cached_property
    def order(self) -> Mapping[str, tuple[PlannedTrial, ...]]:
        """The trials of each deterministic adapter, scenario after scenario, in passes: every second one
        backwards. So an answer that depends on what was asked before comes out as a different answer.
        """
        groups: dict[tuple[str, str], list[CellKey]] = {}
        for delivery in self.deliveries:
            if delivery.samples is None:
                groups.setdefault((delivery.key.adapter, delivery.key.scenario), []).append(delivery.key)
        ordered: dict[str, list[PlannedTrial]] = {name: [] for name, _ in groups}
        for (adapter, _), keys in groups.items():
            ordered[adapter].extend(self._passes(keys))
        return {name: tuple(trials) for name, trials in ordered.items()}

    def schedules(
        self, done: Mapping[CellKey, Sequence[Trial]], at_once: Callable[[str], int] = lambda adapter: 1
    ) -> Mapping[str, Schedule]:
        """Of each adapter, the draws that are left when the trials in `done` are there.

        `at_once` says how many calls an adapter takes at a time.
        """
        made: dict[str, Schedule] = {}
        for name in self.adapters:
            own = [delivery for delivery in self.deliveries if delivery.key.adapter == name]
            if any(delivery.samples is not None for delivery in own):
                made[name] = Sampling(own, done, at_once(name))
                continue
            stored = {d.key: frozenset(trial.index for trial in done.get(d.key, ())) for d in own}
            made[name] = Passes(
                [planned for planned in self.order[name] if planned.index not in stored[planned.key]],
                {key: self.repeats[key] for key in stored},
                {key: len(indexes) for key, indexes in stored.items()},
            )
        return made

    def only(self, keys: Collection[CellKey]) -> Plan:
        """The part of the plan with those cells."""
        wanted = frozenset(keys)
        deliveries = tuple(delivery for delivery in self.deliveries if delivery.key in wanted)
        cut = {delivery.key.scenario for delivery in self.deliveries if delivery.key not in wanted}
        used = {delivery.key.adapter for delivery in deliveries}
        used |= {delivery.policy for delivery in deliveries if delivery.policy is not None}
        return replace(
            self,
            deliveries=deliveries,
            repeats={delivery.key: self.repeats[delivery.key] for delivery in deliveries},
            adapters={name: info for name, info in self.adapters.items() if name in used},
            settings={name: value for name, value in self.settings.items() if name in used},
            policies={name: policy for name, policy in self.policies.items() if name in used},
            whole=self.whole - cut,
        )

    def _passes(self, keys: Sequence[CellKey]) -> Iterator[PlannedTrial]:
        for number in range(max(self.repeats[key] for key in keys)):
            for key in keys if number % 2 == 0 else reversed(keys):
                if number < self.repeats[key]:
                    yield PlannedTrial(key, number, seed_of(key, number))


def describe(adapter: Adapter, use: str) -> AdapterInfo:
    """What a run keeps of an adapter. `use` is its kind, as the workspace spells it."""
    able = adapter.capabilities
    return AdapterInfo(
        name=adapter.name,
        use=use,
        fingerprint=fingerprint_of(adapter),
        deterministic=able.deterministic,
        router=able.router,
        wraps=able.wraps,
        decides=able.decides,
    )


def adapters_of(scenarios: Sequence[Scenario], names: Collection[str], choice: Choice) -> tuple[str, ...]:
    """The adapters out of `names` that a run would use: those worth building.

    Raises WorkbenchError on a name that is not there.
    """
    problems: list[Problem] = []
    used = {name for scenario in scenarios for name in choose_adapters(scenario, names, choice, problems)}
    _raise(problems)
    return tuple(name for name in names if name in used)


def make_plan(
    scenarios: Sequence[Scenario],
    envelopes: Mapping[str, Envelope],
    adapters: Mapping[str, AdapterInfo],
    read: Documents,
    choice: Choice | None = None,
    settings: Mapping[str, Json] | None = None,
) -> Plan:
    """The plan for some scenarios. `read` is asked once for each place that names a file.

    `envelopes` are all of the workspace's, and may be read when they are looked up: only those chosen
    are, unless a problem is to be explained. `adapters` come in the order of the workspace; `settings`
    are their options, for the hash. Raises WorkbenchError with every problem: unknown names, files that
    cannot be read, two prompts of one name, a file that no arm takes to an adapter, nothing to run.
    """
    choice = choice or Choice()
    if choice.repeat is not None and choice.repeat < 1:
        raise UsageError(f"--repeat {choice.repeat}: at least 1 is needed")
    if choice.samples is not None and choice.samples < 1:
        raise UsageError(f"--samples {choice.samples}: at least 1 is needed")
    planner = Planner(envelopes, adapters, read, choice)
    for scenario in scenarios:
        planner.add(scenario)
    _raise(planner.problems)
    if not planner.deliveries:
        raise UsageError(
            Problem("there is nothing to run", hint="choose a scenario and an adapter that the workspace has")
        )
    used = {key.adapter for key in planner.deliveries}
    return Plan(
        deliveries=tuple(planner.deliveries.values()),
        repeats=planner.repeats,
        adapters={name: info for name, info in adapters.items() if name in used},
        settings={
            **{name: value for name, value in (settings or {}).items() if name in used},
            **{name: policy.mark for name, policy in planner.policies.items() if policy.mark},
        },
        arguments=choice.arguments,
        whole=frozenset(planner.whole),
        notes=tuple(planner.notes()),
        accept=planner.accept,
        policies=planner.policies,
    )


def _raise(problems: Sequence[Problem]) -> None:
    """All of them, each once: what the command line says wrong is met in every scenario."""
    if problems:
        placed = any(problem.mark for problem in problems)
        raise (WorkbenchError if placed else UsageError)(dict.fromkeys(problems))
