"""Where a report goes, and in which format: files whole or not at all, one format on stdout."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.cli.options import FORMATS
from workbench.cli.streams import atomic_write, can_draw, has_terminal, to_reader, wants_colour
from workbench.core.cell import CellKey, Run
from workbench.core.decision import Json
from workbench.core.errors import Problem, UsageError
from workbench.core.finding import Finding

if TYPE_CHECKING:
    from workbench.report.writer import Style

__all__ = ["Destination", "outputs_of", "stdout_style", "write_reports"]

_ENDINGS = {".json": "json", ".jsonl": "jsonl", ".xml": "junit", ".md": "markdown", ".txt": "text"}
_WITH_LANES = ("text", "json", "jsonl")


@dataclass(frozen=True, slots=True)
class Destination:
    """One format, and its file; None is stdout."""

    format: str
    file: Path | None


def outputs_of(formats: Sequence[str] | None, files: Sequence[str] | None) -> tuple[Destination, ...]:
    """Formats and files, paired in their order; one format may be left for stdout. Raises UsageError."""
    named = [name.strip() for listed in formats or () for name in listed.split(",")]
    for name in named:
        if name not in FORMATS:
            raise UsageError(Problem(f"no format is called {name!r}", hint=f"there are {', '.join(FORMATS)}"))
    targets = [None if file == "-" else Path(file) for file in files or ()]
    if not named:
        named = [_by_ending(target) for target in targets or [None]]
    if len(targets) > len(named):
        raise UsageError(f"{len(targets)} files for {len(named)} formats: give each -o its --format")
    targets += [None] * (len(named) - len(targets))
    if sum(target is None for target in targets) > 1:
        raise UsageError(
            Problem(f"{', '.join(named)} cannot all go to stdout", hint="give all but one a file with -o")
        )
    for target in targets:
        if target is not None and not (target.parent.is_dir() and not target.is_dir()):
            raise UsageError(Problem(f"cannot write {target}", hint="name a file in a folder that exists"))
    return tuple(Destination(name, target) for name, target in zip(named, targets, strict=True))


def _by_ending(target: Path | None) -> str:
    """The format that a file's ending tells; text for stdout. Raises UsageError on an unknown one."""
    if target is None:
        return "text"
    ending = target.suffix.lower()
    if ending not in _ENDINGS:
        hint = f"give --format, or one of the endings {', '.join(_ENDINGS)}"
        raise UsageError(Problem(f"the ending of {target} tells no format", hint=hint))
    return _ENDINGS[ending]


def write_reports(
    destinations: Sequence[Destination], run: Run, findings: tuple[Finding, ...], *, color: str
) -> None:
    """Files first, then stdout, so that a reader who leaves early costs no file."""
    from workbench.report.formats import Style, write

    lanes = _lanes(run) if any(one.format in _WITH_LANES for one in destinations) else {}
    for destination in sorted(destinations, key=lambda destination: destination.file is None):
        if destination.file is not None:
            text = io.StringIO()
            write(destination.format, run, findings, text, Style(), lanes)
            atomic_write(destination.file, text.getvalue())
            continue
        with to_reader():
            write(destination.format, run, findings, sys.stdout, stdout_style(color), lanes)


def _lanes(run: Run) -> dict[CellKey, Json]:
    """Who wrote the requests of a run, as far as it sent any to a model."""
    if not any(trial.exchange is not None for cell in run.cells for trial in cell.trials):
        return {}
    from workbench.lanes.cell import lane_views

    return lane_views(run)


def stdout_style(color: str) -> Style:
    """How to draw on stdout, by `--color` and by what stdout is."""
    from workbench.report.writer import Style

    width = os.get_terminal_size().columns if has_terminal(sys.stdout) else None
    return Style(
        colour=wants_colour(sys.stdout, color, os.environ), width=width, ascii=not can_draw(sys.stdout)
    )
