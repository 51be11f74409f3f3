"""Adapters by name: what is installed, options typed as declared, plug-ins contained."""

from __future__ import annotations

from importlib import metadata
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from workbench.adapters import registry
from workbench.adapters.protocol import Adapter, Place
from workbench.core.errors import WorkbenchError
from workbench.files.workspace import load_workspace


def build(tmp_path: Path, options: str) -> Adapter:
    (tmp_path / "workbench.yaml").write_text(f"adapters:\n  a:\n    {options}\n")
    return registry.build(load_workspace(tmp_path).adapters["a"], Place(tmp_path))


def problems(tmp_path: Path, options: str) -> list[tuple[int, int, str]]:
    with pytest.raises(WorkbenchError) as raised:
        build(tmp_path, options)
    return [(p.mark.line, p.mark.column, p.message) for p in raised.value.problems if p.mark]


def test_ours_come_through_the_same_door() -> None:
    assert set(registry.names()) >= {"keyword", "python", "command"}


def test_options_are_typed(tmp_path: Path) -> None:
    adapter = build(tmp_path, "use: python\n    target: 'm:f'\n    timeout: 2.5\n    concurrency: 3")
    assert (adapter.timeout, adapter.concurrency, adapter.name) == (2.5, 3, "a")
    assert adapter.capabilities.needs_trust


def test_every_adapter_takes_the_common_keys(tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text("keywords: []\n")
    adapter = build(tmp_path, "{use: keyword, table: t.yaml, env: {A: b}, cwd: ., restart: run}")
    assert adapter.capabilities.needs_trust is False


@pytest.mark.parametrize(
    ("options", "where", "says"),
    [
        ("{use: pyton, target: 'm:f'}", (3, 6), "no kind of adapter is called 'pyton'"),
        ("{use: python, tarket: 'm:f'}", (3, 19), 'unknown key "tarket"'),
        ("{use: python, target: 'm:f', timeout: soon}", (3, 43), "timeout: expected a number"),
        ("{use: python, target: 'm:f', concurrency: 0}", (3, 47), "concurrency: expected a whole number"),
        ("{use: python, target: 'm:f', restart: never}", (3, 43), "restart: expected one of run, trial"),
        ("{use: command}", (2, 3), 'the key "argv" is missing'),
        ("{use: command, argv: sh}", (3, 26), "argv: expected a list of text"),
        ("{use: keyword}", (2, 3), 'the key "table" is missing'),
        ("{use: python}", (2, 3), "target"),
        ("{use: python, entry: 'm:f'}", (3, 26), "tap"),
        ("{use: python, target: 'm:f', call: {message: tipped}}", (3, 40), "tipped"),
    ],
)
def test_a_wrong_option_is_told_at_its_place(
    tmp_path: Path, options: str, where: tuple[int, int], says: str
) -> None:
    ((*found, message),) = problems(tmp_path, options)
    assert says in message
    assert tuple(found) == where


def test_all_wrong_options_at_once(tmp_path: Path) -> None:
    found = problems(tmp_path, "{use: command, argv: [sh], timeout: x, concurrency: y, restart: z}")
    assert len(found) == 3


def test_a_broken_plug_in_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = EntryPoint("broken", "no_such_module_here:X", registry.GROUP)
    theirs = EntryPoint("keyword", "elsewhere:Theirs", registry.GROUP)
    real = metadata.entry_points
    monkeypatch.setattr(
        "workbench.adapters.registry.entry_points", lambda group: [theirs, broken, *real(group=group)]
    )
    monkeypatch.delenv("WORKBENCH_PLUGINS")
    assert "broken" in registry.names()
    with pytest.raises(WorkbenchError, match="'broken' cannot be loaded: ModuleNotFoundError"):
        registry.load("broken")
    assert registry.load("keyword").__module__ == "workbench.adapters.keyword"
    monkeypatch.setenv("WORKBENCH_PLUGINS", "none")
    assert "broken" not in registry.names()
