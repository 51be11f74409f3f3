"""The options that every adapter with a guest process has, declared and checked once."""

from __future__ import annotations

import hashlib
import math
import os
from pathlib import Path

from workbench.adapters.budget import DETERMINISTIC
from workbench.adapters.protocol import Option, OptionType, Place

__all__ = ["SHARED", "check_shared", "file_hash", "working_folder"]

SHARED = (
    Option("env", OptionType.MAPPING, "more environment variables; {env: NAME} takes one of yours, unseen"),
    Option("cwd", OptionType.PATH, "the folder to start in (the workspace)"),
    Option("concurrency", OptionType.INTEGER, "how many processes at once", 1),
    Option("timeout", OptionType.NUMBER, "seconds for one answer, the start included", 10),
    Option(
        "restart", OptionType.TEXT, "trial: a new process for each trial", "run", choices=("run", "trial")
    ),
    DETERMINISTIC,
)


def check_shared(concurrency: int, timeout: float, restart: str) -> list[str]:
    """What is wrong with the values of the shared options, in words."""
    problems = []
    if concurrency < 1:
        problems.append(f"concurrency: {concurrency} is less than 1")
    if not timeout > 0 or not math.isfinite(timeout):
        problems.append(f"timeout: {timeout:g} is no number of seconds above 0")
    if restart not in ("run", "trial"):
        problems.append(f"restart: {restart!r} is none of run, trial")
    return problems


def working_folder(place: Place, cwd: str | os.PathLike[str] | None) -> Path:
    """The folder that guests start in: absolute, the workspace's unless the adapter says otherwise."""
    return (place.root / cwd if cwd is not None else place.root).absolute()


def folder_problems(folder: Path) -> list[str]:
    """What is wrong with the folder that guests are to start in."""
    return [] if folder.is_dir() else [f"cwd: there is no folder {folder}"]


def file_hash(file: Path) -> str:
    """The SHA-256 of a file, or why there is none."""
    try:
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as problem:
        return f"unreadable: {problem.strerror}"
