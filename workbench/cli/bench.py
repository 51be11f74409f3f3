"""What every verb works on: the workspace of this folder, its files read, its adapters built."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from workbench.adapters.budget import CAP_OPTIONS
from workbench.adapters.process.interpreter import function_file
from workbench.adapters.protocol import Adapter, Place
from workbench.adapters.python import PythonAdapter
from workbench.adapters.registry import build
from workbench.cli.streams import has_terminal, say
from workbench.core.decision import Json
from workbench.core.envelope import Envelope
from workbench.core.errors import Problem, UsageError, WorkbenchError
from workbench.core.scenario import Attach, Scenario
from workbench.core.text import safe, visible
from workbench.core.turn import Attachment
from workbench.files.documents import Documents
from workbench.files.envelope import load_envelope, load_envelopes, parse_envelope_name
from workbench.files.locate import find_scenarios, resolve
from workbench.files.problems import Problems
from workbench.files.root import runs_root
from workbench.files.scenario import load_scenario
from workbench.files.trust import is_trusted, record
from workbench.files.workspace import Workspace, open_workspace
from workbench.replay.choice import Choice
from workbench.replay.plan import Plan, adapters_of, describe, make_plan

__all__ = ["Bench", "Loaded", "Shelf", "gather", "open_bench", "store_root"]


class Shelf(Mapping[str, Envelope]):
    """Every envelope of a workspace by name, each file read when it is asked for."""

    def __init__(self, files: Mapping[str, Path]) -> None:
        self._files = files
        self._loaded: dict[str, Envelope] = {}

    def __getitem__(self, name: str) -> Envelope:
        if name not in self._loaded:
            self._loaded[name] = load_envelope(self._files[name])
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


@dataclass(frozen=True, slots=True)
class Loaded:
    """Scenarios, and of each which prompts are wanted; one that is not in `labels` is wanted whole."""

    scenarios: tuple[Scenario, ...]
    labels: Mapping[str, Collection[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Bench:
    """A workspace, opened. Nothing of it runs before `admit` has let it."""

    workspace: Workspace
    cwd: Path

    @property
    def place(self) -> Place:
        return Place(self.workspace.root, self.workspace.packaged)

    @cached_property
    def documents(self) -> Documents:
        """Attached files, each read once."""
        return Documents()

    @cached_property
    def envelope_files(self) -> Mapping[str, Path]:
        return load_envelopes(self.workspace.root)

    def near(self, path: Path) -> Path:
        """The path as a person here would write it: from this folder, if it lies below it."""
        return path.relative_to(self.cwd) if path.is_relative_to(self.cwd) else path

    def load(self, arguments: Sequence[str]) -> Loaded:
        """The scenarios asked for, all of the workspace without any. Raises WorkbenchError, all at once."""
        root = self.workspace.root
        wanted: dict[Path, set[str] | None] = {}
        problems = Problems()
        for argument in arguments:
            with gather(problems):
                path, label = resolve(argument, root, self.cwd)
                labels = wanted.setdefault(path, None if label is None else set())
                if label is None:
                    wanted[path] = None
                elif labels is not None:
                    labels.add(label)
        if not arguments:
            wanted = dict.fromkeys(find_scenarios(root))
            if not wanted:
                raise UsageError(
                    Problem(f"no scenario in {root / 'scenarios'}", hint="name a scenario file, or write one")
                )
        scenarios: list[Scenario] = []
        chosen: dict[str, Collection[str]] = {}
        for path, labels in wanted.items():
            with gather(problems):
                scenario = load_scenario(self.near(path), root)
                scenarios.append(scenario)
                if labels is not None:
                    chosen[scenario.name] = labels
        problems.check()
        return Loaded(tuple(scenarios), chosen)

    def envelopes(self, scenarios: Iterable[Scenario], asked: Sequence[str] | None) -> Shelf:
        """The envelopes of the workspace, those that these scenarios may need loaded.

        Raises WorkbenchError with all that is wrong with these; a broken file that none of them needs
        is let be.
        """
        names: set[str] = set()
        for scenario in scenarios:
            listed = asked if asked is not None else scenario.envelopes
            if listed is None:
                names.update(self.envelope_files)
            for name in listed or ():
                with suppress(WorkbenchError):  # the plan says what is wrong with it, and where
                    names.update(parse_envelope_name(name))
        problems = Problems()
        shelf = Shelf(self.envelope_files)
        for name in self.envelope_files:
            if name in names:
                with gather(problems):
                    _ = shelf[name]
        problems.check()
        return shelf

    def build(self, names: Iterable[str]) -> dict[str, Adapter]:
        """The adapters of these names, in the order of the workspace file. Raises WorkbenchError."""
        wanted = set(names)
        problems = Problems()
        built: dict[str, Adapter] = {}
        for name, spec in self.workspace.adapters.items():
            if name in wanted:
                with gather(problems):
                    built[name] = build(spec, self.place)
        problems.check()
        return built

    def plan(self, loaded: Loaded, choice: Choice) -> tuple[Plan, dict[str, Adapter]]:
        """The plan for what was asked, and the adapters that it needs, built and not yet started."""
        used = adapters_of(loaded.scenarios, self.workspace.adapters, choice)
        adapters = self.build(used)
        specs = self.workspace.adapters
        plan = make_plan(
            loaded.scenarios,
            self.envelopes(loaded.scenarios, choice.envelopes),
            {name: describe(adapter, specs[name].use) for name, adapter in adapters.items()},
            self._attachment,
            choice,
            {name: settings_of(self.workspace, name) for name in adapters},
        )
        self._require_own(plan, choice)
        functions = self.functions(plan)
        marks = {name: dict(adapter.fingerprint()) for name, adapter in functions.items()}
        plan = replace(plan, settings={**plan.settings, **marks})
        needed = {name: adapter for name, adapter in adapters.items() if name in plan.adapters}
        return plan, {**needed, **functions}

    def functions(self, plan: Plan) -> dict[str, Adapter]:
        """The user's functions that a plan has as policies, by policy, each to be run like an adapter."""
        made: dict[str, Adapter] = {}
        for name, policy in plan.policies.items():
            if policy.target is not None:
                made[name] = PythonAdapter(name, self.place, target=policy.target, returns="window")
        return made

    def _require_own(self, plan: Plan, choice: Choice) -> None:
        """A scenario may come from a stranger: the functions that it names lie in the workspace.

        Raises WorkbenchError on any other, such as one that runs programs. The command line may name those.
        """
        for name, policy in plan.policies.items():
            if policy.target is None or name == choice.policy:
                continue
            if function_file(self.workspace.root, policy.target) is None:
                message = (
                    f"the policy {name} is named by a scenario, and its function is not in the workspace"
                )
                raise WorkbenchError(
                    Problem(message, hint=f"put it into a module of {self.workspace.root}, or pass --policy")
                )

    def _attachment(self, attach: Attach) -> Attachment:
        return Attachment(attach.name, attach.path, self.documents.read(attach.path))

    def admit(self, adapters: Iterable[Adapter], *, trust: bool) -> None:
        """Let adapters that start or reach something run only in a trusted workspace.

        Asks on a terminal. Raises UsageError where it is not trusted and nobody can be asked.
        """
        names = [adapter.name for adapter in adapters if adapter.capabilities.needs_trust]
        if not names or trust or self.workspace.packaged or is_trusted(self.workspace):
            return
        listed = ", ".join(names)
        problem = Problem(
            f"this workspace is not trusted, and running {listed} starts programs that it names",
            hint="read its adapters, then `workbench trust`; or pass --trust for this run alone",
        )
        if not (has_terminal(sys.stdin) and has_terminal(sys.stderr)):
            raise UsageError(problem)
        root = visible(str(self.workspace.root))
        say(safe(f"{root} is not trusted yet. Running {visible(listed)} starts programs that it names."))
        print("Trust this workspace? [y/N] ", end="", file=sys.stderr, flush=True)
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            raise UsageError(problem)
        record(self.workspace)


def open_bench(cwd: Path | None = None) -> Bench:
    """The workspace that `cwd` lies in, else the packaged one. Raises WorkbenchError."""
    here = Path(os.path.realpath(cwd or Path.cwd()))
    return Bench(open_workspace(here), here)


def say_where(bench: Bench, *, quiet: bool) -> None:
    """Say so where there is no workspace here, and the one that comes with this program is used."""
    if bench.workspace.packaged:
        words = "no workbench.yaml here or above; this is the demo that comes with the workbench"
        say(safe(f"workbench: {words}"), quiet=quiet)


def settings_of(workspace: Workspace, name: str) -> Json:
    """What the workspace says of one adapter, for telling whether two runs had the same.

    Caps decide how far a run goes and not what is answered: it goes on when they are raised.
    """
    from workbench.files.values import canonical

    caps = {option.name for option in CAP_OPTIONS}
    options = workspace.adapters[name].options
    return {key: canonical(node) for key, node in options.items() if key not in caps}


def store_root(workspace: Workspace) -> Path:
    """The folder whose `.workbench/` keeps the runs."""
    return runs_root(workspace.root, packaged=workspace.packaged)


@contextmanager
def gather(problems: Problems) -> Iterator[None]:
    """Collects the problems of a WorkbenchError raised inside, and goes on."""
    try:
        yield
    except WorkbenchError as error:
        problems.extend(error.problems)
