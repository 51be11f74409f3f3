"""The files of a workspace as the screen takes them: what loads, and what is wrong with the rest."""

from __future__ import annotations

from pathlib import Path

from workbench.core.errors import WorkbenchError
from workbench.core.scenario import Scenario
from workbench.files.locate import find_scenarios
from workbench.files.problems import Problems
from workbench.files.scenario import load_scenario
from workbench.files.trust import is_trusted
from workbench.files.workspace import load_workspace
from workbench.tui.session import Loaded

__all__ = ["load_files", "scenarios_of"]


def load_files(root: Path, cwd: Path, *, packaged: bool) -> Loaded:
    """All that a workspace says, its adapters only by name: whether they are sound is not looked at."""
    problems = Problems()
    scenarios = scenarios_of(root, cwd, problems)
    try:
        workspace = load_workspace(root, packaged=packaged)
    except WorkbenchError as error:
        problems.extend(error.problems)
        return Loaded(scenarios, problems.ordered(), trusted=False)
    adapters = tuple(workspace.adapters)
    return Loaded(scenarios, problems.ordered(), is_trusted(workspace), adapters=adapters)


def scenarios_of(root: Path, cwd: Path, problems: Problems) -> tuple[Scenario, ...]:
    """The scenarios that load, their paths as a person in `cwd` would write them."""
    scenarios: list[Scenario] = []
    for path in find_scenarios(root):
        near = path.relative_to(cwd) if path.is_relative_to(cwd) else path
        try:
            scenarios.append(load_scenario(near, root))
        except WorkbenchError as error:
            problems.extend(error.problems)
    return tuple(scenarios)
