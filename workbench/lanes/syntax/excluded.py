"""What a user asks to leave out of a source tree, in the words of a `.gitignore`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from workbench.core.errors import Problem, UsageError
from workbench.lanes.syntax.ignored import Rule, last_match, rules_of

__all__ = ["NOTHING", "Excluded"]


@dataclass(frozen=True, slots=True)
class Excluded:
    """The globs of `--exclude`, each a line of a `.gitignore`; of several that match, the last one holds."""

    rules: tuple[Rule, ...] = ()

    @classmethod
    def of(cls, globs: Sequence[str]) -> Excluded:
        """Raises UsageError for what is no glob."""
        rules: list[Rule] = []
        for glob in globs:
            found = tuple(rules_of([glob.removeprefix("./")]))
            if not found:
                hint = "write one as in a .gitignore: *.test.ts, tests/ or src/gen/**"
                raise UsageError(Problem(f"--exclude {glob!r} is no glob", hint=hint))
            rules += found
        return cls(tuple(rules))

    def covers(self, path: Path, top: Path, folder: bool = False) -> bool:
        """Whether a file or folder, or a folder it is in, is left out: by its path from the working folder,
        where it is below that, or by its path from `top`."""
        return bool(self.rules) and any(
            self._covers(PurePosixPath(name), folder) for name in _names(path, top)
        )

    def _covers(self, path: PurePosixPath, folder: bool) -> bool:
        above = [(parent.as_posix(), True) for parent in reversed(path.parents) if parent.name]
        return any(
            rule is not None and not rule.negated
            for rule in (last_match(self.rules, *one) for one in (*above, (path.as_posix(), folder)))
        )


def _names(path: Path, top: Path) -> Iterator[str]:
    with suppress(ValueError):  # on Windows, another drive
        here = os.path.relpath(path).replace(os.sep, "/")
        if not here.startswith("../"):
            yield here
    yield path.relative_to(top).as_posix()


NOTHING = Excluded()
