"""This user's settings: the screen's keys and theme. No file is no settings; a broken one is told of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from platformdirs import user_config_path

from workbench.core.errors import Mark, Problem, WorkbenchError
from workbench.files.folder import is_file

if TYPE_CHECKING:
    from workbench.files.node import Node
    from workbench.files.problems import Problems

__all__ = ["NO_SETTINGS", "Chosen", "Settings", "load_settings", "settings_file"]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The keys that a command is to have, as they are written, and where that stands."""

    keys: tuple[str, ...]
    mark: Mark


@dataclass(frozen=True, slots=True)
class Settings:
    """`keys` by command; if there are such commands is not known here. `problems`: what was left out."""

    keys: Mapping[str, Chosen] = field(default_factory=dict)
    theme: str | None = None
    problems: tuple[Problem, ...] = ()


NO_SETTINGS = Settings()


def settings_file() -> Path:
    """Where the settings are read from, whether there are any or not."""
    return user_config_path("workbench", appauthor=False) / "config.yaml"


def load_settings(path: Path) -> Settings:
    """The settings of a file. What is wrong with it is in `problems`; the rest counts."""
    if not is_file(path):
        return Settings()
    # Late: most people have no settings, and what reads YAML takes a while to import.
    from workbench.files.fields import read_fields
    from workbench.files.node import NodeKind
    from workbench.files.parse import load
    from workbench.files.problems import Problems

    problems = Problems()
    try:
        top = load(path, problems)
    except WorkbenchError as error:
        return Settings(problems=error.problems)
    if top.kind is NodeKind.NOTHING:
        return Settings()
    fields = read_fields(top, problems, ("keys", "theme"))
    keys: dict[str, Chosen] = {}
    table = fields.get("keys")
    for key, node in table.entries(problems, "a mapping of command to key") if table is not None else ():
        chosen = _keys(node, problems)
        if chosen:
            keys[key.value] = Chosen(chosen, key.mark)
    return Settings(keys, fields.word("theme"), problems.ordered())


def _keys(node: Node, problems: Problems) -> tuple[str, ...]:
    from workbench.files.node import NodeKind

    found = node.words(problems) if node.kind is NodeKind.LIST else None
    if node.kind is not NodeKind.LIST and (word := node.word(problems)) is not None:
        found = (word,)
    return found or ()
