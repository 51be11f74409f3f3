"""What git knows of a change: which lines it adds, and files as they were and will be."""

from __future__ import annotations

import os
import posixpath
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Protocol

from workbench.core.errors import Problem, UsageError
from workbench.lanes.guard.tokens import ENDINGS
from workbench.lanes.registry import FILE

__all__ = ["Change", "Reader", "Snapshot", "against", "parse_diff", "staged"]

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
_MOST_LINKS = 8
_LONGEST_LINK = 4096


@dataclass(frozen=True, slots=True)
class Change:
    """A file with the numbers of its new lines. Paths are from the top of the repository.

    `moved_from` is where it stood before, if that was elsewhere.
    """

    path: str
    added: frozenset[int]
    moved_from: str | None = None


Reader = Callable[[str], bytes | None]
"""Gives a file by its path; None where there is none."""


class Snapshot(Protocol):
    """One side against another: what is asked of both."""

    @property
    def root(self) -> Path:
        """The top of the repository."""

    def changes(self, *more: str) -> list[Change]:
        """Source files and registries, and `more` files by their paths, that differ; a deleted one has no
        new lines. Of a merge, new is what neither side had."""

    def read(self, path: str) -> bytes | None:
        """A file as it will be; None where there is none."""

    @property
    def before(self) -> Sequence[Reader]:
        """Files as they were: on one side, or on several where a merge is under way."""

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
    commits: tuple[str, ...]  # what it is held against; none yet on a branch without a commit

    @cached_property
    def root(self) -> Path:
        return Path(os.fsdecode(self.git("rev-parse", "--show-toplevel").rstrip(b"\n")))

    @property
    def before(self) -> Sequence[Reader]:
        return [partial(self._read_at, commit) for commit in self.commits]

    def _read_at(self, commit: str, path: str) -> bytes | None:
        def is_link(path: str) -> bool:
            return self.git("ls-tree", "--full-tree", commit, "--", f":(literal){path}").startswith(_LINK)

        return _through_links(path, lambda path: self.git.blob(f"{commit}:{path}"), is_link)

    def _differ(self, more: Sequence[str], *option: str) -> list[Change]:
        named = [f":(top,literal){path}" for path in more]
        sides = []
        for commit in self.commits or (None,):
            against = () if commit is None else (commit,)
            out = self.git("diff", *_SIGNS, *option, *against, "--", *_pathspecs((*ENDINGS, FILE)), *named)
            sides.append({change.path: change for change in parse_diff(out)})
        return list(_new_to_all(sides))

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
    def changes(self, *more: str) -> list[Change]:
        return self._differ(more, "--cached")

    def read(self, path: str) -> bytes | None:
        def is_link(path: str) -> bool:
            return self.git("ls-files", "--stage", "--", f":(top,literal){path}").startswith(_LINK)

        return _through_links(path, lambda path: self.git.blob(f":0:{path}"), is_link)

    def naming(self, words: Iterable[str]) -> list[str]:
        return self._grep(words, "--cached")


@dataclass
class _Against(_Side):
    def changes(self, *more: str) -> list[Change]:
        return self._differ(more)

    def read(self, path: str) -> bytes | None:
        try:
            return (self.root / path).read_bytes()
        except (OSError, ValueError):
            return None

    def naming(self, words: Iterable[str]) -> list[str]:
        return self._grep(words)


def staged() -> Snapshot:
    """The index against the last commit, and in a merge against what is merged too.

    Raises UsageError outside a git repository.
    """
    git = _Git()
    git("rev-parse", "--show-toplevel")
    head = _commit(git, "HEAD")
    return _Staged(git, () if head is None else (head, *_merged(git)))


def against(revision: str) -> Snapshot:
    """The working tree against where it left `revision`. Raises UsageError where git knows no such."""
    git = _Git()
    git("rev-parse", "--show-toplevel")
    commit = _commit(git, revision)
    if commit is None:
        raise UsageError(Problem(f"git knows no revision {revision!r}", hint="is it fetched?"))
    parted = git("merge-base", commit, "HEAD", fine=(0, 1, 128)).split()
    return _Against(git, (os.fsdecode(parted[0]) if parted else commit,))


def parse_diff(out: bytes) -> Iterator[Change]:
    """The changes of a diff without context. Only a line feed ends a line of it, whatever else they hold."""
    path: str | None = None
    moved_from: str | None = None
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
                yield Change(path, frozenset(added), moved_from)
            path, moved_from, is_link, added = None, None, False, []
        elif line.startswith((b"new file mode ", b"new mode ")):
            is_link = line.endswith(_LINK)
        elif line.startswith(b"index "):
            is_link = is_link or line.endswith(b" " + _LINK)
        elif line.startswith((b"--- ", b"+++ ")):
            path = _path(line[4:], 2) or path
        elif line.startswith(b"rename from "):
            moved_from = _path(line[12:])
        elif line.startswith(b"rename to "):
            path = _path(line[10:])


def _through_links(path: str, blob: Reader, is_link: Callable[[str], bool]) -> bytes | None:
    """A file as git keeps it, where symbolic links lead; what may be one is short, and has no line end."""
    for _ in range(_MOST_LINKS):
        data = blob(path)
        if data is None or len(data) > _LONGEST_LINK or b"\n" in data or not is_link(path):
            return data
        path = posixpath.normpath(posixpath.join(posixpath.dirname(path), os.fsdecode(data)))
    return None


def _new_to_all(sides: Sequence[Mapping[str, Change]]) -> Iterator[Change]:
    """Every file that differs from any side, with the lines that are new to all of them."""
    for path in dict.fromkeys(path for side in sides for path in side):
        found = [side[path] for side in sides if path in side]
        added = frozenset.intersection(*(change.added for change in found))
        moved_from = next((change.moved_from for change in found if change.moved_from is not None), None)
        yield Change(path, added if len(found) == len(sides) else frozenset(), moved_from)


def _path(said: bytes, prefix: int = 0) -> str | None:
    """The path that a line of a diff tells, without its prefix; None for the null device."""
    if said.startswith(b'"'):
        said = _QUOTED.sub(_unquoted, said[1 : said.rindex(b'"')])
    else:
        said = said.removesuffix(b"\t")
    return None if said == b"/dev/null" else os.fsdecode(said[prefix:])


def _unquoted(match: re.Match[bytes]) -> bytes:
    return bytes([int(match[1], 8)]) if match[1] else _LETTERS.get(match[2], match[2])


def _pathspecs(endings: Iterable[str]) -> list[str]:
    return [f":(top,icase)*{FILE}" if one == FILE else f":(top,icase)*.{one}" for one in endings]


def _merged(git: _Git) -> list[str]:
    """The commits that a merge which waits for its commit brings in."""
    file = Path(os.fsdecode(git("rev-parse", "--git-path", "MERGE_HEAD").rstrip(b"\n")))
    try:
        return file.read_text("ascii").split()
    except (OSError, ValueError):
        # A merge without conflicts asks its hook before it writes that file, and tells it so.
        told = (name.removeprefix("GITHEAD_") for name in os.environ if name.startswith("GITHEAD_"))
        return [commit for commit in sorted(told) if _commit(git, commit) is not None]


def _commit(git: _Git, revision: str) -> str | None:
    out = git(
        "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}", fine=(0, 1, 128)
    )
    return os.fsdecode(out.strip()) or None
