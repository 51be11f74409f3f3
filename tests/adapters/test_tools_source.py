"""Where a workspace says that tools come from, and what a mistake there is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.adapters.needle import NeedleAdapter
from workbench.adapters.protocol import Place
from workbench.adapters.registry import build
from workbench.adapters.tools.source import (
    ToolFile,
    ToolFunction,
    ToolServer,
    ToolSource,
    source_marks,
    tools_hash,
)
from workbench.core.errors import WorkbenchError
from workbench.core.tool import Tool
from workbench.files.node import EnvName
from workbench.files.workspace import open_workspace


def source_of(folder: Path, tools: str) -> ToolSource:
    """The source that an adapter of a workspace is given."""
    (folder / "workbench.yaml").write_text(f"adapters:\n  small: {{use: needle, tools: {tools}}}\n")
    adapter = build(open_workspace(folder).adapters["small"], Place(folder))
    assert isinstance(adapter, NeedleAdapter)
    assert adapter.capabilities.needs_trust is adapter.source.starts
    return adapter.source


def test_the_four_ways(tmp_path: Path) -> None:
    assert source_of(tmp_path, "tools/all.yaml") == ToolFile(tmp_path / "tools" / "all.yaml")
    assert source_of(tmp_path, '{python: "app.tools:every"}') == ToolFunction("app.tools:every")
    assert source_of(tmp_path, "{mcp: [uvx, some-server]}") == ToolServer(("uvx", "some-server"))
    url = '{mcp: {url: "http://127.0.0.1:1/mcp", headers: {A: {env: SHELF}}}}'
    assert source_of(tmp_path, url) == ToolServer((), "http://127.0.0.1:1/mcp", {"A": EnvName("SHELF")})


@pytest.mark.parametrize(
    ("tools", "words"),
    [
        ("[a, b]", "tools: expected a file, {python: package.module:name}"),
        ("{}", "tools: expected one of python and mcp"),
        ('{python: "a:b", mcp: [x]}', "tools: expected one of python and mcp"),
        ("{python: app.py}", "python: expected package.module:name"),
        ("{pyhton: x}", 'did you mean "python"?'),
        ("{mcp: uvx}", "mcp: expected [program, argument, …] or {url: …}"),
        ("{mcp: []}", "mcp: expected [program, argument, …] or {url: …}"),
        ("{mcp: {headers: {A: b}}}", 'the key "url" is missing'),
        ('{mcp: {url: "file:///etc/passwd"}}', "url: expected an address that begins with http"),
        ('{mcp: {url: "http://[::1"}}', "url: expected an address that begins with http"),
    ],
)
def test_mistakes_are_told_at_their_place(tmp_path: Path, tools: str, words: str) -> None:
    with pytest.raises(WorkbenchError) as caught:
        source_of(tmp_path, tools)
    assert words in str(caught.value)
    assert all(p.mark is not None and p.mark.line == 2 for p in caught.value.problems)


def test_marks_say_no_secret(tmp_path: Path) -> None:
    url = "https://ana:hunter2@shelf.example/mcp?key=hunter2"
    marks = source_marks(ToolServer((), url, {"Authorization": "hunter2"}), Place(tmp_path))
    assert dict(marks) == {"tools mcp": "https://shelf.example/mcp"}


def test_marks_of_a_file_follow_its_content(tmp_path: Path) -> None:
    file = tmp_path / "tools.yaml"
    file.write_text("- {name: a}\n")
    before = source_marks(ToolFile(file), Place(tmp_path))
    file.write_text("- {name: b}\n")
    assert source_marks(ToolFile(file), Place(tmp_path)) != before


def test_a_hash_of_tools_follows_every_part_and_the_order() -> None:
    a, b = Tool("a", "says", {"type": "object"}), Tool("b")
    lists = [(a, b), (b, a), (a,), (Tool("a", "said", a.parameters), b), (Tool("a", "says", None), b)]
    assert len({tools_hash(tools) for tools in lists}) == len(lists)
