"""The demo runs in the app's own interpreter, which may be as old as 3.8."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import workbench

PACKAGE = Path(workbench.__file__).parent
FILES = [PACKAGE / "__init__.py", *sorted((PACKAGE / "demo").glob("*.py"))]

# Builtins that 3.8 cannot subscript, and that an annotation may name all the same: it is never evaluated.
GENERIC = {"dict", "frozenset", "list", "set", "tuple", "type", "Callable", "Iterable", "Iterator", "Mapping"}
# Methods that came after 3.8.
NEWER = {"removeprefix", "removesuffix", "is_relative_to", "bit_count", "pairwise", "hardlink_to"}


def evaluated(tree: ast.AST) -> Iterator[ast.AST]:
    """Every node that runs: annotations are left out."""
    for field, value in ast.iter_fields(tree):
        if field in ("annotation", "returns"):
            continue
        for node in value if isinstance(value, list) else [value]:
            if isinstance(node, ast.AST):
                yield node
                yield from evaluated(node)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_file_of_the_demo_is_readable_by_python_3_8(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"), file.name, feature_version=(3, 8))
    for node in evaluated(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            assert node.value.id not in GENERIC, f"line {node.lineno}: subscripted at run time"
        if isinstance(node, ast.Attribute):
            assert node.attr not in NEWER, f"line {node.lineno}: {node.attr} is not in 3.8"
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            raise AssertionError(f"line {node.lineno}: no unions at run time")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_file_of_the_demo_imports_the_standard_library_the_demo_and_the_ledger_alone(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            module = node.module or ""
            names = [f"workbench.{one.name}" for one in node.names] if module == "workbench" else [module]
        for name in names:
            own = name in ("workbench.demo", "workbench.ledger")
            assert own or name.split(".")[0] in sys.stdlib_module_names


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_annotations_are_never_evaluated(file: Path) -> None:
    annotated = any(
        getattr(node, "annotation", None) or getattr(node, "returns", None)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    )
    if annotated:
        assert "from __future__ import annotations" in file.read_text(encoding="utf-8")
