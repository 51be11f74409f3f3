"""What went wrong, where, what was expected, and what to do: for people, never a traceback."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Mark", "Problem", "UsageError", "WorkbenchError"]


@dataclass(frozen=True, slots=True, order=True)
class Mark:
    """A place in a file. `line` and `column` count from 1, columns in code points."""

    file: str
    line: int = 1
    column: int = 1


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with one input. `message` and `hint` may quote foreign text, raw."""

    message: str
    mark: Mark | None = None
    hint: str | None = None

    def __str__(self) -> str:
        where = (
            f"{self.mark.file}:{self.mark.line}:{self.mark.column}: " if self.mark and self.mark.file else ""
        )
        return f"{where}{self.message}" + (f" ({self.hint})" if self.hint else "")


class WorkbenchError(Exception):
    """A user's mistake or a broken input, with every problem found, in the order of the file."""

    def __init__(self, problems: Problem | str | Iterable[Problem]) -> None:
        if isinstance(problems, str):
            problems = Problem(problems)
        if isinstance(problems, Problem):
            problems = (problems,)
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class UsageError(WorkbenchError):
    """The command line, or what it asks for, cannot be carried out as given."""
