"""What a source tree holds that nobody wrote there: the rules of `.gitignore`, and well-known folders."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["FOLDERS", "Rule", "Rules", "is_vendored", "last_match", "rules_of"]

# fmt: off
FOLDERS = frozenset({
    ".git", ".hg", ".svn", "node_modules", "bower_components", "venv", ".venv",
    "virtualenv", "dist", "build", "out", "target", "vendor", "vendored",
    "third_party", "third-party", "__pycache__", ".tox", ".nox", ".mypy_cache", ".ruff_cache",
    ".pytest_cache", ".next", ".nuxt", ".output", ".svelte-kit", ".turbo", ".cache",
    ".yarn", ".eggs", "site-packages", "__pypackages__", "coverage", "htmlcov",
})
# fmt: on
"""Folders that a walk never enters, unless one is itself what was asked about."""

_VENDORED = re.compile(r"[.-]min\.[cm]?js\Z|[.-]bundle\.[cm]?js\Z|\.chunk\.[cm]?js\Z|_pb2(?:_grpc)?\.py\Z")


def is_vendored(name: str) -> bool:
    """Whether the name of a file says that a machine wrote it."""
    return _VENDORED.search(name.lower()) is not None


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of a `.gitignore`. The pattern is one of `re`, for a path from the rule's folder, with `/`."""

    pattern: re.Pattern[str]
    negated: bool
    folders_only: bool


@dataclass(frozen=True, slots=True)
class Rules:
    """The ignore rules that hold in one folder: its own, and those of the folders around it."""

    levels: tuple[tuple[Path, tuple[Rule, ...]], ...] = ()

    @classmethod
    def above(cls, folder: Path) -> Rules:
        """Those of the folders around `folder`, up to the top of its repository; none outside of one."""
        around = (folder, *folder.parents)
        top = next((at for at, path in enumerate(around) if (path / ".git").exists()), None)
        rules = cls()
        for path in reversed(around[1 : top + 1] if top is not None else ()):
            rules = rules.within(path)
        return rules

    def within(self, folder: Path) -> Rules:
        """With the folder's own added. A file that cannot be read has no rules."""
        file = folder / ".gitignore"
        try:
            lines = file.read_text("utf-8", "replace").splitlines() if file.is_file() else []
        except OSError:
            lines = []
        rules = tuple(rules_of(lines))
        return Rules((*self.levels, (folder, rules))) if rules else self

    def ignore(self, path: Path, folder: bool) -> bool:
        """Whether the last rule that matches the path, from the inside out, ignores it."""
        for base, rules in reversed(self.levels):
            rule = last_match(rules, path.relative_to(base).as_posix(), folder)
            if rule is not None:
                return not rule.negated
        return False


def last_match(rules: Sequence[Rule], name: str, folder: bool) -> Rule | None:
    """The last rule that matches a path, which is the one that holds."""
    return next(
        (
            rule
            for rule in reversed(rules)
            if (folder or not rule.folders_only) and rule.pattern.match(name) is not None
        ),
        None,
    )


def rules_of(lines: Iterable[str]) -> Iterator[Rule]:
    """The rules of these lines; comments, empty lines and what is no pattern are none."""
    for line in lines:
        text = line.rstrip("\r\n")
        kept = text.rstrip(" ")
        text = kept + " " if kept.endswith("\\") and kept != text else kept
        if not text or text.startswith("#"):
            continue
        negated = text.startswith("!")
        text = text[negated:]
        folders_only = text.endswith("/")
        text = text.rstrip("/")
        if not text:
            continue
        anchored = "/" in text
        text = text.removeprefix("/")
        try:
            pattern = re.compile(("" if anchored else "(?:.*/)?") + _regex(text) + r"\Z", re.DOTALL)
        except re.error:
            continue
        yield Rule(pattern, negated, folders_only)


def _regex(glob: str) -> str:
    """A pattern of gitignore as one of `re`: `*` and `?` stop at a slash, `**` does not."""
    parts: list[str] = []
    at = 0
    while at < len(glob):
        rest = glob[at:]
        if rest.startswith("**/") and (at == 0 or glob[at - 1] == "/"):
            parts.append("(?:.*/)?")
            at += 3
        elif rest == "**" and (at == 0 or glob[at - 1] == "/"):
            parts.append(".+")
            at += 2
        elif rest[0] == "*":
            parts.append("[^/]*")
            at += len(rest) - len(rest.lstrip("*"))
        elif rest[0] == "?":
            parts.append("[^/]")
            at += 1
        elif rest[0] == "[" and (found := re.match(r"\[([!^]?)(\]?[^\]]*)\]", rest)):
            inside = found[2].replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
            parts.append(f"(?!/)[{'^' if found[1] else ''}{inside}]")
            at += len(found[0])
        elif rest[0] == "\\" and len(rest) > 1:
            parts.append(re.escape(rest[1]))
            at += 2
        else:
            parts.append(re.escape(rest[0]))
            at += 1
    return "".join(parts)
