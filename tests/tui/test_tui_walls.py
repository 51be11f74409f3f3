"""What no module of the screen may do, read from its source; and what its state does without."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import workbench.tui

ROOT = Path(workbench.tui.__file__).parent
DOOR = ROOT / "widgets" / "safe.py"
DOORS = {DOOR, ROOT / "widgets" / "area.py"}
MODULES = sorted(ROOT.rglob("*.py"))

MAKERS = {
    "Button",
    "Content",
    "DataTable",
    "Input",
    "Label",
    "Link",
    "ListItem",
    "Log",
    "Markdown",
    "Option",
    "OptionList",
    "Panel",
    "RichLog",
    "Segment",
    "Segments",
    "Static",
    "Table",
    "Text",
    "TextArea",
    "Tree",
}
"""What makes something drawable out of a string, often reading markup in it."""

TITLES = {"border_title", "border_subtitle", "title", "sub_title", "tooltip", "placeholder", "loading"}


def names_of(tree: ast.AST) -> Iterator[str]:
    """Every module that is imported, with the names taken from it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def called(node: ast.Call) -> str:
    """The last part of what is called."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def offences(source: str) -> list[str]:
    """Where a module makes drawable things out of strings by itself."""
    tree = ast.parse(source)
    found = [
        name
        for name in names_of(tree)
        if name.startswith(("textual", "rich")) and name.split(".")[-1] in MAKERS
    ]
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = called(node)
            if name in ("notify", "from_markup", "render_str", "from_ansi", "write", "mount_all"):
                found.append(name)
            if name == "Strip":
                found.append("Strip()")
            words = [keyword for keyword in node.keywords if keyword.arg in ("placeholder", "tooltip")]
            found += [str(keyword.arg) for keyword in words if name != "Binding"]
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Attribute) and target.attr in TITLES:
                    made = isinstance(node.value, ast.Call) and called(node.value) == "content"
                    found += [] if made else [target.attr]
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_one_module_makes_text_drawable(path: Path) -> None:
    if path not in DOORS:
        assert offences(path.read_text("utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        "from textual.widgets import Static",
        "from rich.text import Text",
        "self.app.notify(words)",
        "Content.from_markup(words)",
        "strip = Strip([segment])",
        "view.border_title = name",
        "self.title = f'{name}'",
        "area = SafeArea(name, placeholder=name)",
    ],
)
def test_the_wall_stops_what_it_should(source: str) -> None:
    assert offences(source)


def test_the_door_makes_markup_of_nothing() -> None:
    tree = ast.parse(DOOR.read_text("utf-8"))
    # A text area reads no markup, but in its placeholder, that nothing may set.
    areas = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "SafeArea"]
    for node in (node for part in tree.body if part not in areas for node in ast.walk(part)):
        if isinstance(node, ast.Call) and called(node) in ("notify", "__init__"):
            markup = [keyword.value for keyword in node.keywords if keyword.arg == "markup"]
            assert [value.value for value in markup if isinstance(value, ast.Constant)] == [False]
        assert not (isinstance(node, ast.Call) and called(node) in ("from_markup", "render_str"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_stay_small(path: Path) -> None:
    lines = len(path.read_text("utf-8").splitlines())
    limit = 150 if path.name == "app.py" else 300
    assert lines <= limit
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ClassDef):
            methods = [item for item in node.body if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef)]
            assert len(methods) <= 34, node.name
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno <= 45, node.name


def test_the_screen_imports_only_rooms_before_it() -> None:
    for path in MODULES:
        for name in names_of(ast.parse(path.read_text("utf-8"))):
            assert not name.startswith(("workbench.cli", "workbench.report", "workbench.shell")), path


def test_state_commands_and_views_know_no_textual() -> None:
    names = [
        "state",
        "commands",
        "runner",
        "session",
        "reading",
        "board",
        "place",
        "progress",
        "verdicts",
    ]
    modules = [f"workbench.tui.{name}" for name in names]
    modules += [f"workbench.tui.view.{path.stem}" for path in sorted((ROOT / "view").glob("[a-z]*.py"))]
    code = (
        f"import sys, {', '.join(modules)}\nprint([m for m in sys.modules if m.split('.')[0] == 'textual'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


LATER = (
    "deepdiff",
    "rapidfuzz",
    "ahocorasick_rs",
    "textual.widgets._text_area",
    "workbench.adapters",
    "workbench.cli.bench",
    "workbench.cli.parser",
    "workbench.compare",
    "workbench.core.envelope",
    "workbench.replay.engine",
    "workbench.report",
    "workbench.tui.palette",
    "workbench.tui.screens.authoring",
    "workbench.tui.screens.dialog",
    "workbench.tui.screens.guided",
    "workbench.tui.screens.help",
    "workbench.tui.view.document",
)
"""What the first frame does without: each takes some of the time that somebody waits for it."""


def test_the_first_frame_does_without_what_it_does_not_show() -> None:
    code = (
        "import sys, workbench.cli.main, workbench.cli.screen, workbench.cli.opening\n"
        f"print([name for name in {LATER!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
