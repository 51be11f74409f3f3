"""A repository with one registered lane, and git in it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from command import Bench, Done

STANZA = """\
[[lane]]
name = "{name}"
injector = "src/app.py"
budget = 800
priority = 2
trust = "tool"
evicts = "cut at the budget"
"""
TOP = 'unit = "chars"\n'


def git(folder: Path, *arguments: str) -> str:
    identity = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b.c", "GIT_CONFIG_GLOBAL": os.devnull}
    names = {**identity, "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b.c"}
    return subprocess.run(
        ["git", "-C", str(folder), *arguments],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, **names},
    ).stdout


def commit(tree: Bench, message: str = "more") -> None:
    """All that lies there, with no hook asked."""
    git(tree.folder, "add", "-A")
    git(tree.folder, "commit", "-qm", message, "--no-verify")


def first_commit(bench: Bench) -> Bench:
    """A registry with the lane memory, and code that names it."""
    git(bench.folder, "init", "-q", "-b", "main")
    bench.write("lanes.toml", TOP + STANZA.format(name="memory"))
    bench.write("src/app.py", 'emit(lane="memory", text=found)\n')
    commit(bench, "first")
    return bench


def staged(tree: Bench, *more: str) -> Done:
    """What the guard says of all that lies there."""
    git(tree.folder, "add", "-A")
    return tree("lanes", "guard", "--staged", *more)
