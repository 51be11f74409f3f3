"""Who writes where: stdout is data, stderr is talk. Colour and glyphs are decided here, once."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from workbench.core.text import SafeText, join, safe, visible

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.core.errors import Problem, WorkbenchError

__all__ = [
    "atomic_write",
    "can_draw",
    "discard_stdout",
    "drawn",
    "has_terminal",
    "masked",
    "say",
    "secure",
    "show_problems",
    "to_reader",
    "wants_colour",
]


def secure() -> None:
    """Make the standard streams such that no character and no closed end can break a run.

    A stream whose encoding lacks a character writes its escape; a stream that was closed by the
    parent is the null device, so that no file opened later takes its descriptor's place.
    """
    for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
        stream: TextIO | None = getattr(sys, name)
        if stream is None:
            mode = "r" if name == "stdin" else "w"
            opened = open(os.devnull, mode, encoding="utf-8")  # noqa: PTH123, SIM115
            if opened.fileno() != descriptor:
                os.dup2(opened.fileno(), descriptor)
            setattr(sys, name, opened)
        elif name != "stdin" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def wants_colour(stream: TextIO, choice: str, environ: Mapping[str, str]) -> bool:
    """`--color` decides, then NO_COLOR, FORCE_COLOR, TERM=dumb, and whether `stream` is a terminal."""
    if choice != "auto":
        return choice == "always"
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR"):
        return True
    return environ.get("TERM") != "dumb" and has_terminal(stream)


def has_terminal(stream: TextIO | None) -> bool:
    """Whether `stream` is an open terminal."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False


def can_draw(stream: TextIO) -> bool:
    """Whether `stream` can encode the glyphs that reports are drawn with."""
    try:
        "│─→✓✗…›␛".encode(stream.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def drawn(problem: Problem) -> SafeText:
    """One problem as one or two safe lines."""
    where = problem.mark
    place = f"{visible(where.file)}:{where.line}:{where.column}: " if where and where.file else ""
    hint = f"\n  {visible(masked(problem.hint))}" if problem.hint else ""
    return safe(f"{place}{_lines(masked(problem.message))}{hint}")


def masked(text: str) -> str:
    """A complaint without the keys that it quotes: of a file, or of a variable that has a secret's name."""
    from workbench.core.mask import Masker
    from workbench.core.shapes import is_secret_name

    return Masker(value for name, value in os.environ.items() if is_secret_name(name)).text(text)


def _lines(text: str) -> SafeText:
    return join((visible(line) for line in text.split("\n")), "\n")


def say(text: SafeText, *, quiet: bool = False) -> None:
    """Talk: one piece of text and a line feed to stderr. Raises TypeError on a bare string."""
    if not isinstance(text, SafeText):
        raise TypeError(f"a bare string: {text!r}")
    if not quiet:
        print(text, file=sys.stderr, flush=True)


def show_problems(error: WorkbenchError) -> None:
    """Every problem of an error to stderr, after what stdout already holds."""
    sys.stdout.flush()
    for problem in error.problems:
        say(join((safe("workbench: "), drawn(problem))))


def discard_stdout() -> None:
    """Send what is still to be flushed nowhere: its reader has gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def to_reader() -> Iterator[None]:
    """Writing to stdout for somebody who may leave early, which is no error and hides no exit code.

    Raises WorkbenchError where stdout cannot take more.
    """
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        discard_stdout()
    except OSError as error:
        from workbench.core.errors import Problem, WorkbenchError

        discard_stdout()
        raise WorkbenchError(
            Problem(f"cannot write to stdout: {error.strerror}", hint="write to a file with -o")
        ) from error


def atomic_write(path: Path, text: str) -> None:
    """Write UTF-8 text to `path` as a whole or not at all; a device or a pipe is written to as it is.

    A link stays a link. Raises WorkbenchError where it cannot.
    """
    from workbench.core.errors import Problem, WorkbenchError

    target = path.resolve()
    # To replace a device, such as the null one, would take it from everybody.
    in_place = target.exists() and not target.is_file()
    draft = target if in_place else target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        draft.write_text(text, encoding="utf-8", errors="backslashreplace", newline="")
        if not in_place:
            draft.replace(target)
    except OSError as error:
        if not in_place:
            draft.unlink(missing_ok=True)
        raise WorkbenchError(
            Problem(f"cannot write {path}: {error.strerror or error}", hint="choose another file with -o")
        ) from error
