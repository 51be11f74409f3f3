"""The corpus of joins: small programs with the right answers in their comments, and how they are scored.

A comment `#: join` or `#: join 2` (`//:` in scripts) marks a join, `#: call`, `#: call 1 2` or
`#: call instead=message` a router's call that reads it. A case without comments has nothing to find.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from workbench.lanes.joins.analysis import find_joins
from workbench.lanes.joins.routers import Routers

CORPUS = Path(__file__).parent.parent / "corpus" / "joins"
GROUPS = ("python", "script")
ROUTERS = frozenset(
    ("route", "classify", "detect_intent", "detectIntent", "pick_tool", "pickTool", "classifyIntent")
)

_MARK = re.compile(r"(?:#|//): ?(join|call)((?: [\w.='\[\]]+)*)")
_NAMES = re.compile(r"(?:#|//) routers: (.+)")

Pair = tuple[str, int, str, int]
"""The file and line of a join, and those of the call that reads it."""


@dataclass(slots=True)
class Score:
    """`wrong` are findings that are none, `missed` those that are not found."""

    right: int = 0
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    instead: list[str] = field(default_factory=list)
    insteads: int = 0

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + len(self.wrong))

    @property
    def recall(self) -> float:
        return self.right / max(1, self.right + len(self.missed))


def cases(group: str, held: bool | None = None) -> list[Path]:
    """A group's cases in order; `held` asks for the third that was not looked at while the code was tuned."""
    found = sorted(path for path in (CORPUS / group).iterdir() if path.name != "__pycache__")
    return [path for at, path in enumerate(found) if held is None or (at % 3 == 2) is held]


def score(paths: Iterable[Path]) -> Score:
    total = Score()
    for path in paths:
        wanted, insteads = _answers(path)
        found = find_joins([path], Routers(_routers(path)))
        got = {(f.join.place.file, f.join.place.line, f.call.file, f.call.line): f for f in found.found}
        total.right += len(wanted & got.keys())
        total.wrong += [_told(pair) for pair in sorted(got.keys() - wanted)]
        total.missed += [_told(pair) for pair in sorted(wanted - got.keys())]
        for pair, name in insteads.items():
            if pair in got:
                total.insteads += 1
                instead = got[pair].instead
                given = instead.variable if instead is not None else "none"
                if given != name:
                    total.instead.append(f"{_told(pair)}: {given} for {name}")
    return total


def files_of(path: Path) -> list[Path]:
    return (
        sorted(one for one in path.rglob("*") if one.suffix != ".pyc" and one.is_file())
        if path.is_dir()
        else [path]
    )


def _routers(path: Path) -> frozenset[str]:
    for file in files_of(path):
        named = _NAMES.search(file.read_text("utf-8"))
        if named is not None:
            return frozenset(named[1].split())
    return ROUTERS


def _answers(path: Path) -> tuple[set[Pair], dict[Pair, str]]:
    joins: dict[str, list[tuple[str, int]]] = {}
    calls: list[tuple[str, int, list[str], str | None]] = []
    for file, line, kind, words in _marks(path):
        instead = next((word.partition("=")[2] for word in words if word.startswith("instead=")), None)
        ids = [word for word in words if not word.startswith("instead=")] or ["0"]
        if kind == "join":
            joins.setdefault(ids[0], []).append((file, line))
        else:
            calls.append((file, line, ids, instead))
    pairs: dict[Pair, str | None] = {
        (*join, file, line): instead
        for file, line, ids, instead in calls
        for name in ids
        for join in joins[name]
    }
    return set(pairs), {pair: instead for pair, instead in pairs.items() if instead is not None}


def _marks(path: Path) -> Iterator[tuple[str, int, str, list[str]]]:
    for file in files_of(path):
        for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1):
            for mark in _MARK.finditer(line):
                yield file.as_posix(), number, mark[1], mark[2].split()


def _told(pair: Pair) -> str:
    join, line, call, at = pair
    return f"{Path(join).relative_to(CORPUS)}:{line} -> {Path(call).name}:{at}"
