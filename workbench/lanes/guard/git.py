"""What git knows of a change: which lines it adds, and files as they were and will be."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol

from workbench.core.errors import Problem, UsageError
from workbench.lanes.guard.tokens import ENDINGS
from workbench.lanes.registry import FILE

__all__ = ["Change", "Snapshot", "against", "parse_diff", "staged"]

_SIGNS = (
    "--unified=0",
    "--inter-hunk-context=0",
    "--find-renames",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--no-relative",
    "--text",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--output-indicator-new=+",
    "--output-indicator-old=-",
)
_HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_QUOTED = re.compile(rb'\\(?:([0-7]{3})|(["\\abfnrtv]))')
_LETTERS = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}
_LINK = b"120000"
_MOST_WORDS = 200


@dataclass(frozen=True, slots=True)
class Change:
    """A file with the numbers of its new lines. `path` is from the top of the repository."""

    path: str
    added: frozenset[int]


class Snapshot(Protocol):
    """One side against another: what is asked of both."""

    @property
    def root(self) -> Path:
        """The top of the repository."""

    def changes(self) -> list[Change]:
        """Source files and registries that differ; a deleted one has no new lines."""

    def read(self, path: str) -> bytes | None:
        """A file as it will be; None where there is none."""

    def read_before(self, path: str) -> bytes | None:
        """A file as it was; None where there was none."""

    def naming(self, words: Iterable[str]) -> list[str]:
        """Source files, as they will be, that hold any of these words."""


class _Git:
    """Runs git where the command was started, in the environment of a hook where there is one."""

    def __call__(self, *arguments: str, fine: tuple[int, ...] = (0,)) -> bytes:
        done = self._run(arguments)
        if done.returncode not in fine:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            what = said[0] if said else f"it ended with {done.returncode}"
            raise UsageError(Problem(f"git {arguments[0]}: {what}", hint=_ADVICE))
        return done.stdout

    def blob(self, name: str) -> bytes | None:
        """A file by its name in git; None where there is none."""
        done = self._run(("cat-file", "blob", name))
        return done.stdout if done.returncode == 0 else None

    def _run(self, arguments: Sequence[str]) -> subprocess.CompletedProcess[bytes]:
        try:
            return subprocess.run(
                ["git", "-c", "core.quotePath=true", *arguments],
                capture_output=True,
                check=False,
                env={**os.environ, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"},
                stdin=subprocess.DEVNULL,
            )
        except FileNotFoundError:
            message = "git is not there, and the guard asks it what a change adds"
            raise UsageError(Problem(message, hint="install git, or name the files to look at")) from None
        except ValueError:  # a NUL in a name
            return subprocess.CompletedProcess(arguments, 128, b"", b"not a name")


_ADVICE = "run it inside a git repository, or name the files to look at"


@dataclass
class _Side:
    """What both comparisons share."""

    git: _Git
    before: str | None  # a commit; None: there is none yet

    @cached_property
    def root(self) -> Path:
        return Path(os.fsdecode(self.git("rev-parse", "--show-toplevel").rstrip(b"\n")))

    def read_before(self, path: str) -> bytes | None:
        return self.git.blob(f"{self.before}:{path}") if self.before is not None else None

    def _differ(self, *sides: str) -> list[Change]:
        out = self.git("diff", *_SIGNS, *sides, "--", *_pathspecs((*ENDINGS, FILE)))
        return list(parse_diff(out))

    def _grep(self, words: Iterable[str], *where: str) -> list[str]:
        kept = list(words)
        found: dict[str, None] = {}
        for start in range(0, len(kept), _MOST_WORDS):
            asked = [part for word in kept[start : start + _MOST_WORDS] for part in ("-e", word)]
            out = self.git(
                *("grep", "--files-with-matches", "-z", "--full-name", "--fixed-strings", "--text"),
                *(*where, *asked, "--", *_pathspecs(ENDINGS)),
                fine=(0, 1),
            )
            found.update(dict.fromkeys(os.fsdecode(name) for name in out.split(b"\0") if name))
        return list(found)


@dataclass
class _Staged(_Side):
    def changes(self) -> list[Change]:
        return self._differ("--cached")

    def read(self, path: str) -> bytes | None:
        return self.git.blob(f":0:{path}")

    def naming(self, words: Iterable[str]) -> list[str]:
        return self._grep(words, "--cached")


@dataclass
class _Against(_Side):
    def changes(self) -> list[Change]:
        return self._differ(str(self.before))

    def read(self, path: str) -> bytes | None:
        try:
            return (self.root / path).read_bytes()
        except (OSError, ValueError):
            return None

    def naming(self, words: Iterable[str]) -> list[str]:
        return self._grep(words)


def staged() -> Snapshot:
    """The index against the last commit. Raises UsageError outside a git repository."""
    git = _Git()
    git("rev-parse", "--show-toplevel")
    return _Staged(git, _commit(git, "HEAD"))


def against(revision: str) -> Snapshot:
    """The working tree against where it left `revision`. Raises UsageError where git knows no such."""
    git = _Git()
    git("rev-parse", "--show-toplevel")
    commit = _commit(git, revision)
    if commit is None:
        raise UsageError(Problem(f"git knows no revision {revision!r}", hint="is it fetched?"))
    parted = git("merge-base", commit, "HEAD", fine=(0, 1, 128)).split()
    return _Against(git, os.fsdecode(parted[0]) if parted else commit)


def parse_diff(out: bytes) -> Iterator[Change]:
    """The changes of a diff without context. Only a line feed ends a line of it, whatever else they hold."""
    path: str | None = None
    is_link = False
    added: list[int] = []
    old = new = number = 0
    for line in (*out.split(b"\n"), b"diff --git"):
        if old or new:
            if line[:1] == b"+":
                added.append(number)
                number, new = number + 1, new - 1
            elif line[:1] == b"-":
                old -= 1
        elif hunk := _HUNK.match(line):
            old, new = int(hunk[1] or 1), int(hunk[3] or 1)
            number = int(hunk[2])
        elif line.startswith(b"diff --git"):
            if path is not None and not is_link:
                yield Change(path, frozenset(added))
            path, is_link, added = None, False, []
        elif line.startswith((b"new file mode ", b"new mode ")):
            is_link = line.endswith(_LINK)
        elif line.startswith(b"index "):
            is_link = is_link or line.endswith(b" " + _LINK)
        elif line.startswith((b"--- ", b"+++ ")):
            path = _path(line[4:]) or path


def _path(said: bytes) -> str | None:
    """The path of a `---` or `+++` line; None for the null device."""
    if said.startswith(b'"'):
        said = _QUOTED.sub(_unquoted, said[1 : said.rindex(b'"')])
    else:
        said = said.removesuffix(b"\t")
    return None if said == b"/dev/null" else os.fsdecode(said[2:])


def _unquoted(match: re.Match[bytes]) -> bytes:
    return bytes([int(match[1], 8)]) if match[1] else _LETTERS.get(match[2], match[2])


def _pathspecs(endings: Iterable[str]) -> list[str]:
    return [f":(top,icase)*{FILE}" if one == FILE else f":(top,icase)*.{one}" for one in endings]


def _commit(git: _Git, revision: str) -> str | None:
    out = git(
        "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}", fine=(0, 1, 128)
    )
    return os.fsdecode(out.strip()) or None
