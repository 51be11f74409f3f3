"""The gallery is files: each recipe whole, and none of it picked up by the workspace that it lies in."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from command import REPOSITORY, Bench
from gallery_kit import GALLERY

from workbench.adapters.protocol import Place
from workbench.adapters.registry import build
from workbench.files.envelope import load_envelope
from workbench.files.glimpse import glimpse
from workbench.files.locate import find_scenarios
from workbench.files.scenario import load_scenario
from workbench.files.workspace import load_workspace

RECIPES = sorted(path.parent for path in GALLERY.glob("*/workbench.yaml"))
each = pytest.mark.parametrize("folder", RECIPES, ids=lambda path: path.name)


def test_these_are_the_recipes() -> None:
    wanted = {"litellm", "vllm-semantic-router", "rasa", "hassil", "scikit-learn", "regex-table"}
    assert {folder.name for folder in RECIPES} == wanted


@each
def test_a_recipe_loads_and_uses_what_it_has(folder: Path) -> None:
    workspace = load_workspace(folder)
    uses = {spec.use for spec in workspace.adapters.values()}
    assert uses <= {"python", "command", "http"}
    for spec in workspace.adapters.values():
        build(spec, Place(folder))
    scenarios = [load_scenario(path, folder) for path in find_scenarios(folder)]
    assert scenarios
    for scenario in scenarios:
        assert scenario.about
        assert set(scenario.adapters or ()) <= set(workspace.adapters)
        assert all(prompt.id and prompt.expect for prompt in scenario.prompts)
        for name in scenario.envelopes or ():
            load_envelope(folder / "envelopes" / f"{name}.yaml")


@each
def test_its_envelopes_are_those_that_ship(folder: Path) -> None:
    for path in (folder / "envelopes").glob("*.yaml"):
        assert path.read_bytes() == (REPOSITORY / "envelopes" / path.name).read_bytes()


@each
def test_the_readme_tells_of_it(folder: Path) -> None:
    assert f"[{folder.name}]({folder.name})" in (GALLERY / "README.md").read_text("utf-8")


def test_every_link_of_the_readme_leads_somewhere() -> None:
    for link in re.findall(r"\]\(([^)#:]+)\)", (GALLERY / "README.md").read_text("utf-8")):
        assert (GALLERY / link).exists(), link


@each
def test_a_recipe_imports_nothing_of_the_workbench(folder: Path) -> None:
    """It runs in the app's interpreter, where the workbench is not."""
    for file in folder.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not any(name.partition(".")[0] == "workbench" for name in names)


def test_the_workspace_round_it_does_not_pick_it_up() -> None:
    inside = [path for path in find_scenarios(REPOSITORY) if "gallery" in path.parts]
    assert inside == []
    assert {"sentences", "thresholds", "words", "intents"} & set(glimpse(REPOSITORY)) == set()


def test_a_folder_with_a_workspace_of_its_own_is_not_listed(bench: Bench) -> None:
    bench.write("workbench.yaml", "adapters: {}\n")
    mine = "scenario: {}\nprompts: [{{text: hi}}]\n"
    bench.write("scenarios/a.yaml", mine.format("mine"))
    bench.write("scenarios/more/b.yaml", mine.format("more"))
    bench.write("scenarios/theirs/.workbench.yaml", "adapters: {}\n")
    bench.write("scenarios/theirs/c.yaml", mine.format("theirs"))
    bench.write("scenarios/theirs/scenarios/d.yaml", mine.format("theirs-too"))
    listed = [row["scenario"] for row in bench("list", "scenarios", "--format", "json").json]
    assert listed == ["mine", "more"]
