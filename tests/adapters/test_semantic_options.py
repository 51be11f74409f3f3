"""The options of the adapter semantic-router: what is wrong with them is told before anything is started."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import pytest
from semantic_kit import app, semantic

from workbench.adapters import semantic as module
from workbench.adapters.protocol import Place
from workbench.adapters.registry import build, load
from workbench.adapters.semantic import SemanticAdapter
from workbench.core.errors import WorkbenchError
from workbench.files.workspace import load_workspace


def problems(folder: Path, **options: Any) -> list[str]:
    with pytest.raises(WorkbenchError) as caught:
        SemanticAdapter("router", Place(folder), **options)
    return [problem.message for problem in caught.value.problems]


def test_it_comes_through_the_door_of_all_adapters() -> None:
    assert load("semantic-router") is SemanticAdapter


def test_what_is_missing_and_what_does_not_go_together(tmp_path: Path) -> None:
    app(tmp_path)
    routes = tmp_path / "routes.yaml"
    assert problems(tmp_path) == [
        "routes: expected a file of routes, or router: package.module:name",
        "encoder: expected fastembed, huggingface, openai or package.module:Class",
    ]
    assert problems(tmp_path, routes=routes, encoder="bert") == [
        "encoder: 'bert' is none of fastembed, huggingface, openai, and not of the form package.module:Class"
    ]
    assert problems(tmp_path, router="app:router", routes=routes, threshold=0.5) == [
        "threshold: it goes with routes and encoder, and router has its own",
        "routes: it goes with routes and encoder, and router has its own",
    ]
    assert problems(tmp_path, router="app.router") == [
        "router: 'app.router' is not of the form package.module:name"
    ]
    assert problems(tmp_path, routes=routes, encoder="openai", encoder_options={"openai_api_key": "x"}) == [
        "encoder_options.openai_api_key: a key does not belong in a file; give it under `env`, as {env: NAME}"
    ]
    assert problems(tmp_path, routes=routes, encoder="openai", encoder_options=[1]) == [
        "encoder_options: expected a mapping of the encoder's arguments"
    ]


def test_a_broken_file_of_routes_is_told_at_its_place(tmp_path: Path) -> None:
    app(tmp_path)
    (tmp_path / "routes.yaml").write_text("routes:\n  - {name: mail, utterances: [a], score: 1}\n", "utf-8")
    (tmp_path / "workbench.yaml").write_text(
        "adapters:\n  router: {use: semantic-router, routes: routes.yaml, encoder: fastembed}\n", "utf-8"
    )
    workspace = load_workspace(tmp_path)
    with pytest.raises(WorkbenchError) as caught:
        build(workspace.adapters["router"], Place(tmp_path))
    (problem,) = caught.value.problems
    assert problem.mark is not None
    assert (Path(problem.mark.file).name, problem.mark.line, problem.mark.column) == ("routes.yaml", 2, 35)
    assert "score" in problem.message


async def test_our_own_interpreter_without_the_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(module, "version", missing)
    adapter = semantic(app(tmp_path), sys.executable)
    with pytest.raises(WorkbenchError) as caught:
        await adapter.open()
    (problem,) = caught.value.problems
    assert problem.message.startswith("adapter router: semantic-router is not installed under ")
    assert problem.hint is not None
    assert "pip install 'route-workbench[semantic]'" in problem.hint
    assert adapter.fingerprint()["semantic-router"] == "not found"


def test_the_fingerprint_knows_what_decides(tmp_path: Path) -> None:
    app(tmp_path)
    one = dict(semantic(tmp_path, sys.executable).fingerprint())
    assert set(one) == {"python", "semantic-router", "threshold", "routes", "encoder"}
    marks: list[tuple[dict[str, Any], set[str]]] = [
        ({"threshold": 0.4}, {"threshold"}),
        ({"top_k": 3}, {"top_k"}),
        ({"aggregation": "max"}, {"aggregation"}),
        ({"min_gap": 0.1}, {"min_gap"}),
        ({"encoder": "fastembed", "model": "other"}, {"encoder", "model"}),
    ]
    for options, changed in marks:
        other = dict(semantic(tmp_path, sys.executable, **options).fingerprint())
        assert {key for key in other | one if other.get(key) != one.get(key)} == changed
    (tmp_path / "encoders.py").write_text("# another one\n", "utf-8")
    assert semantic(tmp_path, sys.executable).fingerprint()["encoder"] != one["encoder"]


def test_the_version_of_another_environment_is_told_without_running_it(tmp_path: Path) -> None:
    app(tmp_path)
    python = tmp_path / "venv" / "bin" / "python"
    packages = tmp_path / "venv" / "lib" / "python3.10" / "site-packages"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/false\n", "utf-8")
    (packages / "semantic_router-0.1.16.dist-info").mkdir(parents=True)
    adapter = semantic(tmp_path, str(tmp_path / "venv"))
    assert adapter.fingerprint()["semantic-router"] == "0.1.16"
