"""The corpus of writers: small files with the right answers in their comments, and how they are scored.

A comment `<- site` marks a line of a statement that writes into a prompt; after it may stand `lane=memory`,
`budget=600`, `fence` and `late`. A file without marks has nothing to find. `open` was tuned on, `held` was
never looked at but as numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from workbench.lanes.writers.finding import find_writers
from workbench.lanes.writers.site import Site

CORPUS = Path(__file__).parent.parent / "corpus" / "writers"
GROUPS = ("python", "script", "systems")
PARTS = ("open", "held")

_MARK = re.compile(r"<- site((?: [\w=]+)*)\s*$")

Details = dict[str, str]
"""What a mark says of its site: lane and budget by value, fence and late as words."""


@dataclass(slots=True)
class Score:
    """`wrong`: sites that are none; `missed`: not found; `details`: what is said wrongly of those found."""

    right: int = 0
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    details: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + len(self.wrong))

    @property
    def recall(self) -> float:
        return self.right / max(1, self.right + len(self.missed))


def cases(part: str, group: str) -> list[Path]:
    return sorted(path for path in (CORPUS / part / group).iterdir() if path.is_file())


def score(paths: Iterable[Path]) -> Score:
    total = Score()
    for path in paths:
        wanted = marks(path)
        for site in find_writers([path]).sites:
            line = next((at for at in wanted if site.first_line <= at <= site.last_line), None)
            if line is None:
                total.wrong.append(f"{path.name}:{site.line}")
                continue
            total.right += 1
            said, meant = details(site), wanted.pop(line)
            if said != meant:
                total.details.append(f"{path.name}:{line} {said} for {meant}")
        total.missed += [f"{path.name}:{line}" for line in wanted]
    return total


def marks(path: Path) -> dict[int, Details]:
    """By line."""
    found = {}
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        mark = _MARK.search(line)
        if mark is not None:
            pairs = (word.partition("=") for word in mark[1].split())
            found[number] = {name: value for name, _, value in pairs}
    return found


def details(site: Site) -> Details:
    """What was found, in the words of a mark."""
    said = {}
    if site.lane is not None:
        said["lane"] = site.lane
    if site.budget is not None:
        said["budget"] = str(site.budget.value)
    if site.fence is not None:
        said["fence"] = ""
    if site.late is not None:
        said["late"] = ""
    return said
