"""Where scenarios are: all of a workspace, and the one that a command line names."""

from __future__ import annotations

import os
import re
from pathlib import Path

from workbench.core.errors import Problem, UsageError, WorkbenchError
from workbench.core.scenario import Prompt, Scenario
from workbench.files.folder import is_file
from workbench.files.glimpse import FOLDER, scenario_folder_files
from workbench.files.node import Node
from workbench.files.parse import load
from workbench.files.problems import Problems, shown, suggestion
from workbench.files.scenario import load_scenario
from workbench.files.source import read_bytes

__all__ = ["find_prompt", "find_scenarios", "resolve"]

_KEY = re.compile(rb"""^(?:scenario|"scenario"|'scenario')[ \t]*:""", re.MULTILINE)
_PROMPTS = re.compile(rb"^prompts[ \t]*:", re.MULTILINE)
_INDENTED = re.compile(rb"(?:\xef\xbb\xbf)?(?:(?:---|%|[ \t]*#)[^\n]*\n|[ \t\r]*\n)*[ {]")


def find_scenarios(root: Path) -> list[Path]:
    """The scenario files of a workspace, by path, broken ones too.

    The folder also holds tables, routes and tools: a scenario is what has the key `scenario`.
    """
    return [path for path in scenario_folder_files(root) if _is_scenario(path)]


def _is_scenario(path: Path) -> bool:
    try:
        data = read_bytes(path)
    except WorkbenchError:
        return False
    if _KEY.search(data.removeprefix(b"\xef\xbb\xbf")):
        return True
    return _is_broken(path, data) or (_INDENTED.match(data) is not None and _key(path) is not None)


def _is_broken(path: Path, data: bytes) -> bool:
    """Whether it has prompts and names itself wrongly, or cannot be read at all: its author should hear."""
    if _PROMPTS.search(data):
        return True
    try:
        load(path, problems := Problems())
    except WorkbenchError:
        return True
    return bool(len(problems))


def _key(path: Path) -> Node | None:
    """The value of `scenario` at the top of a file; None without one, or where it cannot be read."""
    try:
        pairs = load(path, Problems()).pairs
    except WorkbenchError:
        return None
    return next((value for key, value in pairs if key.value == "scenario"), None)


def resolve(argument: str, root: Path, cwd: Path) -> tuple[Path, str | None]:
    """The file, and the label of the prompt if one is named, of a path, a name, or either with `#PROMPT`.

    A path may be relative to `cwd` or to the workspace. A name is what the file's `scenario` says, else
    the file's own without its ending. A prompt goes by its id or its number. Raises UsageError where
    there is none of that name, WorkbenchError where the file that holds the prompt is broken.
    """
    found = _file(argument, root, cwd)
    if found is not None:
        return found, None
    name, sign, prompt = argument.rpartition("#")
    found = _file(name, root, cwd) if sign else None
    if found is None:
        message = f"there is no scenario {shown(name if sign else argument)}"
        raise UsageError(Problem(message, hint=suggestion(name if sign else argument, _names(root))))
    return found, find_prompt(load_scenario(found, root), prompt).label


def find_prompt(scenario: Scenario, spelled: str) -> Prompt:
    """The prompt of that id or number. Raises UsageError, naming the nearest, where there is none."""
    named = {str(number): prompt for number, prompt in enumerate(scenario.prompts, 1)}
    named |= {prompt.label: prompt for prompt in scenario.prompts}
    if spelled not in named:
        message = f'the scenario "{scenario.name}" has no prompt {shown(spelled)}'
        raise UsageError(Problem(message, hint=suggestion(spelled, [p.label for p in scenario.prompts])))
    return named[spelled]


def _file(argument: str, root: Path, cwd: Path) -> Path | None:
    """A path where the argument looks like one, else a name first."""
    looks_like_path = "/" in argument or os.sep in argument or argument.endswith((".yaml", ".yml"))
    if looks_like_path:
        return _path(argument, root, cwd) or _named(argument, root)
    return _named(argument, root) or _path(argument, root, cwd)


def _path(argument: str, root: Path, cwd: Path) -> Path | None:
    paths = (os.path.abspath(base / argument) for base in (cwd, root))  # noqa: PTH100
    return next((Path(path) for path in paths if is_file(path)), None)


def _named(name: str, root: Path) -> Path | None:
    paths = _names(root).get(name, [])
    if len(paths) > 1:
        files = ", ".join(str(path.relative_to(root / FOLDER)) for path in paths)
        message = f"{len(paths)} scenarios are named {shown(name)}: {files}"
        raise UsageError(Problem(message, hint="name the file"))
    return paths[0] if paths else None


def _names(root: Path) -> dict[str, list[Path]]:
    """Every name of a scenario. A file's own counts only where no file's `scenario` says the same."""
    named: dict[str, list[Path]] = {}
    paths = find_scenarios(root)
    for path in paths:
        node = _key(path)
        if node is not None and node.value.strip():
            named.setdefault(node.value, []).append(path)
    for path in paths:
        named.setdefault(path.stem, [path])
    return named
