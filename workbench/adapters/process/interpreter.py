"""Which Python runs the user's code, how their functions are named, and what these are given of a turn."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from workbench.adapters.process.options import file_hash
from workbench.adapters.protocol import Place

__all__ = [
    "FIELDS",
    "SPEC",
    "WORKER",
    "Call",
    "call_problems",
    "function_file",
    "function_mark",
    "interpreter_of",
    "not_for",
    "spelled_call",
    "version_of",
]

FIELDS = ("text", "typed", "paths", "documents", "messages", "turn")
"""What a function may be given of a turn."""

WORKER = Path(__file__).parent / "worker.py"
SPEC = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")
_OURS = frozenset({"PYTHONHOME", "__PYVENV_LAUNCHER__"})

Call = str | Mapping[str, str]


def interpreter_of(place: Place, python: str | os.PathLike[str] | None) -> tuple[Path, str]:
    """The interpreter that runs the user's code, and why that one. `python` is the adapter's key."""
    root = place.root.absolute()
    if python is not None:
        return _named(root, os.fspath(python)), "the adapter's key `python`"
    if place.packaged:
        return Path(sys.executable), "workbench's own, for what ships with it"
    active = os.environ.get("VIRTUAL_ENV")
    if active and (found := _in_environment(Path(active))):
        return found, "$VIRTUAL_ENV"
    if found := _in_environment(root / ".venv"):
        return found, "the workspace's .venv"
    return Path(sys.executable), "workbench's own: no $VIRTUAL_ENV, and no .venv in the workspace"


def not_for(python: Path) -> frozenset[str]:
    """The variables that an interpreter must not get: settings of ours that break any other one."""
    return frozenset() if python == Path(sys.executable) else _OURS


def version_of(python: Path) -> str:
    """The version of an interpreter, where it can be told without running it, else its path."""
    if python == Path(sys.executable):
        return ".".join(map(str, sys.version_info[:3]))
    try:
        lines = (python.parent.parent / "pyvenv.cfg").read_text("utf-8", "replace").splitlines()
    except OSError:
        return str(python)
    pairs = dict(re.split(r"\s*=\s*", line, maxsplit=1) for line in lines if "=" in line)
    return pairs.get("version") or pairs.get("version_info") or str(python)


def function_mark(folder: Path, spec: str) -> str:
    """The hash of the file that holds a function, where that lies in `folder`."""
    file = function_file(folder, spec)
    return "not in the workspace" if file is None else file_hash(file)


def function_file(folder: Path, spec: str) -> Path | None:
    """The file in `folder` that holds a function; None where its module is not there."""
    path = folder.joinpath(*spec.partition(":")[0].split("."))
    files = (path.with_suffix(".py"), path / "__init__.py")
    return next((file for file in files if file.is_file()), None)


def call_problems(call: Call) -> list[str]:
    """What is wrong with what a function is to be given, in words."""
    known = f"expected one of {', '.join(FIELDS)}"
    if isinstance(call, str):
        return (
            []
            if call in FIELDS
            else [f"call: {call!r} is no field; {known}, or a mapping of parameters to them"]
        )
    return [
        f"call: parameter {name!r} is given {field!r}; {known}, or a literal in quotes such as \"'chat'\""
        for name, field in call.items()
        if field not in FIELDS and _literal(field) is None
    ] or ([] if call else ["call: it names no parameter"])


def spelled_call(call: Call) -> str | dict[str, tuple[str, str]]:
    """`call` as the worker reads it: a field's name, or for each parameter a field or a literal."""
    if isinstance(call, str):
        return call
    literals = {name: _literal(field) for name, field in call.items()}
    return {
        name: ("field", call[name]) if literal is None else ("literal", literal)
        for name, literal in literals.items()
    }


def _literal(field: object) -> str | None:
    if isinstance(field, str) and len(field) >= 2 and field[0] == field[-1] and field[0] in "'\"":
        return field[1:-1]
    return None


def _named(root: Path, python: str) -> Path:
    """The interpreter that the key names: a program, a file, or the folder of a virtual environment."""
    if "/" not in python and os.sep not in python and not (root / python).exists():
        return Path(shutil.which(python) or python)
    path = root / Path(python).expanduser()
    return _in_environment(path) or path


def _in_environment(folder: Path) -> Path | None:
    """The interpreter of a virtual environment; its link is kept, since it is what makes it one."""
    for inside in ("bin/python", "bin/python3", "Scripts/python.exe"):
        if (folder / inside).is_file():
            return folder / inside
    return None
