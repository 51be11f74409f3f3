"""The paths in an injector's words, and whether they are there."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from workbench.core.finding import Severity
from workbench.files.problems import nearest, shown
from workbench.lanes.check.fields import lane_of
from workbench.lanes.fault import LaneFault, LaneKind
from workbench.lanes.sheet import Sheet

__all__ = ["injector_faults", "paths_in"]

_CODE = re.compile(
    r"\.(?:pyi?|[mc]?[tj]s|[tj]sx|rs|go|java|kts?|swift|[ch]|cc|[ch]pp|cs|rb|php|lua|exs?|erl|clj|scala|[bz]?a?sh|ps1"
    r"|sql|vue|svelte|astro|mdx?|txt|toml|ya?ml|jsonl?|html|css|j2|jinja2?|tmpl|tpl|hbs|prompt)\Z",
    re.IGNORECASE,
)
# Names of things that end like files.
_PRODUCTS = re.compile(
    r"(?:node|next|vue|nuxt|express|react|three|d3|p5|backbone|ember|solid|discord|bun)\.js\Z", re.I
)
_QUOTED = re.compile(r"`([^`]+)`")
_WORDS = re.compile(r"[^\s,;()\[\]{}<>\"'“”‘’|←→]+")
_TAIL = re.compile(r"(?:::?[\w.]+(?:\(\))?|#[\w-]+|@[\w-]+)*\Z")
_ENDING = re.compile(r"[^/]\.([A-Za-z][A-Za-z0-9]{0,7})\Z")
_SKIPPED = frozenset({".git", ".hg", ".svn", "node_modules", ".venv", "venv", "__pycache__"})


@dataclass(frozen=True, slots=True)
class Named:
    """A path as an injector names it. `sure`: written like one, with a folder; else only a file's name."""

    path: str
    sure: bool


@dataclass
class _Tree:
    root: Path
    _names: dict[str, list[str]] | None = field(default=None)

    def has(self, named: Named, beside: list[str]) -> bool:
        if self._is_there(named.path):
            return True
        if named.sure:
            return False
        folders = [str(PurePosixPath(path).parent) for path in beside]
        return any(self._is_there(f"{folder}/{named.path}") for folder in folders) or named.path in self.names

    @property
    def names(self) -> dict[str, list[str]]:
        """Every file's name under the root, with where it stands."""
        if self._names is None:
            self._names = {}
            for folder, below, files in os.walk(self.root):
                below[:] = [name for name in below if name not in _SKIPPED]
                for name in files:
                    place = os.path.relpath(os.path.join(folder, name), self.root)  # noqa: PTH118
                    self._names.setdefault(name, []).append(place.replace(os.sep, "/"))
        return self._names

    def near(self, path: str) -> str | None:
        """Where a file of that name stands instead."""
        name = PurePosixPath(path).name
        places = self.names.get(name) or self.names.get(nearest(name, self.names) or "", [])
        return places[0] if places else None

    def _is_there(self, path: str) -> bool:
        try:
            if any(char in path for char in "*?"):
                return any(True for _ in self.root.glob(path.lstrip("/")))
            return (self.root / path).exists()
        except (OSError, ValueError, NotImplementedError):
            return False


def injector_faults(sheet: Sheet, root: Path) -> Iterator[LaneFault]:
    """Injectors that name a path which is not under `root`."""
    tree = _Tree(root)
    for stanza in sheet.stanzas:
        entry = stanza.entries.get("injector")
        if entry is None or not isinstance(entry.value, str):
            continue
        named = list(paths_in(entry.value))
        beside = [one.path for one in named if one.sure]
        for one in named:
            if _is_prose(one, root) or tree.has(one, beside):
                continue
            near = tree.near(one.path)
            hint = f"; there is {shown(near)}" if near else ""
            lane = lane_of(stanza)
            message = f"its injector names {shown(one.path)}, which is not under {root}{hint}"
            severity = Severity.ERROR if one.sure else Severity.WARNING
            yield LaneFault(LaneKind.INJECTOR, severity, message, lane, sheet.file, entry.mark.line)


def paths_in(injector: str) -> Iterator[Named]:
    """The words of an injector that look like paths, each once."""
    seen = set()
    quoted = [match[1] for match in _QUOTED.finditer(injector)]
    for word in (*quoted, *(match[0] for match in _WORDS.finditer(_QUOTED.sub(" ", injector)))):
        named = _named(word)
        if named is not None and named.path not in seen:
            seen.add(named.path)
            yield named


def _named(word: str) -> Named | None:
    if "://" in word:
        return None
    path = word.replace("\\", "/").rstrip(".,;:!?…")
    drive = path[:2] if re.match(r"[A-Za-z]:/", path) else ""
    path = drive + _TAIL.sub("", path[len(drive) :])
    if not path.strip("./") or " " in path or "=" in path:
        return None
    if "/" in path:
        return Named(path, True)
    is_file = _CODE.search(path) and not _PRODUCTS.match(path) and not path.startswith(".")
    return Named(path, False) if is_file else None


def _is_prose(named: Named, root: Path) -> bool:
    """Words with a slash between them, "input/output": a path has an ending, or begins with a folder."""
    if not named.sure or _ENDING.search(named.path) or named.path.startswith(("./", "../", "/", "~")):
        return False
    if named.path.endswith("/") or any(char in named.path for char in "*?"):
        return False
    first = named.path.split("/", 1)[0]
    return not (root / first).is_dir()
