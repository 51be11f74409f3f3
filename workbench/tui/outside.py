"""The user's own editor: which one it is, and how it is told the line."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath

from workbench.core.errors import Problem, WorkbenchError

__all__ = ["USUAL", "editor_of", "told_line"]

USUAL = ("editor", "nano", "vim", "nvim", "vi", "micro", "hx", "emacs", "notepad")
"""What is tried where nobody said which editor to take, in this order."""

Which = Callable[[str], str | None]

_PLUS = ("+{line}", "{file}")
_PLUS_COLUMN = ("+{line}:{column}", "{file}")
_COLONS = ("{file}:{line}:{column}",)

_LINE_ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("vi", "vim", "nvim", "view", "gvim", "mvim", "ex", "nvi", "elvis", "vis"), _PLUS),
    **dict.fromkeys(("joe", "jmacs", "jed", "ne", "mg", "mcedit", "gedit", "pico", "ee", "geany"), _PLUS),
    **dict.fromkeys(("emacs", "emacsclient", "kak", "micro", "dte"), _PLUS_COLUMN),
    **dict.fromkeys(("nano", "rnano"), ("+{line},{column}", "{file}")),
    **dict.fromkeys(("hx", "helix", "subl", "sublime_text", "zed", "zeditor", "lapce"), _COLONS),
    **dict.fromkeys(("code", "code-insiders", "codium", "vscodium", "cursor", "windsurf"), ("-g", *_COLONS)),
    **dict.fromkeys(("kate", "kwrite"), ("-l", "{line}", "-c", "{column}", "{file}")),
}

# These come back at once unless they are told to wait, and then nobody would know when the edit is done.
_WAITING: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("code", "code-insiders", "codium", "vscodium", "cursor", "windsurf"), ("--wait", "-w")),
    **dict.fromkeys(("subl", "sublime_text", "zed", "zeditor"), ("--wait", "-w")),
    **dict.fromkeys(("gvim", "mvim"), ("-f", "--nofork")),
    **dict.fromkeys(("kate", "kwrite"), ("-b", "--block")),
}


def editor_of(
    environment: Mapping[str, str], which: Which = shutil.which, otherwise: str = "name one"
) -> list[str]:
    """The editor as a command without a file: $VISUAL, else $EDITOR, else one of the usual.

    Raises WorkbenchError where there is none, or where the one that was set is not installed; `otherwise`
    says what can be done instead.
    """
    for name in ("VISUAL", "EDITOR"):
        spelled = environment.get(name, "").strip()
        if spelled:
            return _asked_for(name, spelled, which, otherwise)
    found = next((editor for editor in USUAL if which(editor)), None)
    if found is None:
        raise WorkbenchError(Problem("no editor is known here", hint=f"set EDITOR; {otherwise}"))
    return [found]


def _asked_for(name: str, spelled: str, which: Which, otherwise: str) -> list[str]:
    try:
        words = shlex.split(spelled, posix=os.name != "nt")
    except ValueError as error:
        hint = f"close the quotes; {otherwise}"
        raise WorkbenchError(Problem(f"{name} cannot be read: {error}", hint=hint)) from None
    if not words or not which(words[0]):
        said = f"the editor of {name} is not installed: {words[0] if words else spelled}"
        raise WorkbenchError(Problem(said, hint=f"set another; {otherwise}"))
    return words


def told_line(
    editor: Sequence[str], file: str, line: int, column: int = 1, which: Which = shutil.which
) -> list[str]:
    """The whole command that opens `file`, an absolute path, at a line. An unknown editor gets the file."""
    kind = _kind(editor[0], which)
    asked = [] if kind is None or set(_WAITING.get(kind, ())) & set(editor) else _WAITING.get(kind, ())[:1]
    form = _LINE_ARGUMENTS.get(kind or "", ("{file}",))
    values = {"{file}": file, "{line}": str(line), "{column}": str(column)}
    return [*editor, *asked, *(_filled(part, values) for part in form)]


def _filled(part: str, values: Mapping[str, str]) -> str:
    # By hand, for a file may have braces in its name: it comes last, and is looked at no more.
    for name in ("{line}", "{column}", "{file}"):
        part = part.replace(name, values[name])
    return part


def _kind(program: str, which: Which) -> str | None:
    """The editor that a program is, links and versions seen through: `editor`, `vim.basic`, `emacs-nox`."""
    for path in (program, os.path.realpath(which(program) or program)):
        name = PurePath(path).name.lower().removesuffix(".exe").removesuffix(".cmd")
        for guess in (name, name.split(".")[0], name.rstrip("0123456789.-"), name.split("-")[0]):
            if guess in _LINE_ARGUMENTS:
                return guess
    return None
