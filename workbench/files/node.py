"""A value of a YAML file with its place, typed by what the reader wants, never by how it looks."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from workbench.core.errors import Mark
from workbench.files.problems import Problems, check_keys, shown, slip
from workbench.files.scalars import as_boolean, as_integer, as_number
from workbench.files.source import Source

__all__ = ["EnvName", "Node", "NodeKind"]

Word = TypeVar("Word", bound=StrEnum)
_N = TypeVar("_N", int, float)


class NodeKind(StrEnum):
    """What stands in the file. `BROKEN` has been complained of already; readers pass over it."""

    TEXT = "text"
    NOTHING = "nothing"  # no value at all, or an unquoted null
    LIST = "a list"
    MAPPING = "a mapping"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class EnvName:
    """`{env: NAME}`: the value is that environment variable's, read when it is needed."""

    name: str


@dataclass(frozen=True, slots=True)
class Node:
    """One value. `start` and `end` are offsets in the source, in code points.

    `key` is the key under which it, or the list around it, stands. `style` is empty for plain text,
    else the quote or block sign it is written with. `size` counts this value and all within, aliases
    as often as they are used; `height` counts its levels of lists and mappings.

    Every reader adds what is wrong to `problems`, and then returns None, or no entries.
    """

    kind: NodeKind
    source: Source = field(repr=False, compare=False)
    start: int
    end: int = field(repr=False, compare=False)
    key: str = ""
    value: str = ""
    style: str = ""
    items: tuple[Node, ...] = ()
    pairs: tuple[tuple[Node, Node], ...] = ()
    size: int = field(default=1, repr=False, compare=False)
    height: int = field(default=0, repr=False, compare=False)

    @property
    def mark(self) -> Mark:
        """Where it begins."""
        return self.source.mark(self.start)

    @property
    def plain(self) -> bool:
        """Whether it is text without quotes, which may stand for a number, true or false."""
        return self.kind is NodeKind.TEXT and not self.style

    @property
    def described(self) -> str:
        """What was found, for a message."""
        if self.kind is NodeKind.TEXT:
            return shown(self.value) if self.plain else f"the text {shown(self.value)}"
        return f'null ("{self.value}")' if self.value else self.kind.value

    def find(self, fragment: str) -> Mark:
        """Where `fragment` first stands in this value as it is written; else where the value begins."""
        offset = self.source.text.find(fragment, self.start, self.end)
        return self.source.mark(offset) if offset >= 0 else self.mark

    def complain(self, problems: Problems, message: str, hint: str | None = None) -> None:
        """Add a problem with this value, headed by its key."""
        problems.add(self.mark, f"{self.key}: {message}" if self.key else message, hint)

    def expected(self, problems: Problems, wanted: str, hint: str | None = None) -> None:
        """Add that another kind of value was wanted here."""
        if self.kind is not NodeKind.BROKEN:
            self.complain(problems, f"expected {wanted}, found {self.described}", hint)

    def text(self, problems: Problems) -> str | None:
        """Any text, code point for code point; empty only in quotes or as a block."""
        if self.kind is NodeKind.TEXT:
            return self.value
        hint = None
        if self.kind is NodeKind.NOTHING:
            hint = "put it in quotes if you mean the word" if self.value else 'write "" for empty text'
        self.expected(problems, "text", hint)
        return None

    def word(self, problems: Problems) -> str | None:
        """Text that is not blank."""
        text = self.text(problems)
        if text is not None and not text.strip():
            self.complain(problems, "expected text, found only blanks")
            return None
        return text

    def option(self, problems: Problems, choices: Collection[str]) -> str | None:
        """One of the words allowed."""
        wanted = "one of " + ", ".join(choices)
        if self.kind is not NodeKind.TEXT:
            self.expected(problems, wanted)
            return None
        if self.value not in choices:
            self.expected(problems, wanted, slip(self.value, choices))
            return None
        return self.value

    def choice(self, problems: Problems, words: type[Word]) -> Word | None:
        """One member of a StrEnum, by its value."""
        chosen = self.option(problems, [word.value for word in words])
        return None if chosen is None else words(chosen)

    def integer(self, problems: Problems, low: int | None = None, high: int | None = None) -> int | None:
        """A whole number from `low` to `high`, both allowed."""
        number = as_integer(self.value) if self.plain else None
        wanted = "a whole number" + _limits(low, high)
        return self._bounded(problems, number, wanted, low, high)

    def number(self, problems: Problems, low: float | None = None, high: float | None = None) -> float | None:
        """A finite number from `low` to `high`, both allowed."""
        number = as_number(self.value) if self.plain else None
        wanted = "a number" + _limits(low, high)
        return self._bounded(problems, None if number is None else float(number), wanted, low, high)

    def _bounded(
        self, problems: Problems, number: _N | None, wanted: str, low: float | None, high: float | None
    ) -> _N | None:
        if number is not None and (low is None or low <= number) and (high is None or number <= high):
            return number
        quoted = self.kind is NodeKind.TEXT and self.style and as_number(self.value) is not None
        self.expected(problems, wanted, "take the quotes away" if quoted else None)
        return None

    def boolean(self, problems: Problems) -> bool | None:
        """True or false, unquoted. Yes, no, on and off are text."""
        value = as_boolean(self.value) if self.plain else None
        if value is None:
            self.expected(problems, "true or false")
        return value

    def path(self, problems: Problems, base: Path) -> str | None:
        """A path, absolute; relative ones start at `base`, `~` is the home folder."""
        word = self.word(problems)
        if word is None:
            return None
        if "\0" in word:
            self.expected(problems, "a path")
            return None
        return os.path.normpath(base / os.path.expanduser(word))  # noqa: PTH111

    def listed(self, problems: Problems, wanted: str = "a list") -> tuple[Node, ...]:
        """The entries of a list."""
        if self.kind is not NodeKind.LIST:
            self.expected(problems, wanted, "put it in [ ]" if self.kind is NodeKind.TEXT else None)
        return self.items

    def texts(self, problems: Problems) -> tuple[str, ...] | None:
        """A list of text."""
        return self._all(problems, [item.text(problems) for item in self.listed(problems, "a list of text")])

    def words(self, problems: Problems) -> tuple[str, ...] | None:
        """A list of text, none of it blank."""
        return self._all(problems, [item.word(problems) for item in self.listed(problems, "a list of text")])

    def _all(self, problems: Problems, read: Iterable[str | None]) -> tuple[str, ...] | None:
        texts = tuple(text for text in read if text is not None)
        return texts if self.kind is NodeKind.LIST and len(texts) == len(self.items) else None

    def entries(self, problems: Problems, wanted: str = "a mapping") -> tuple[tuple[Node, Node], ...]:
        """The pairs of a mapping whose keys are free, keys unique."""
        if self.kind is not NodeKind.MAPPING:
            self.expected(problems, wanted)
        return self.pairs

    def text_map(self, problems: Problems) -> Mapping[str, str | EnvName] | None:
        """A mapping of text to text, or to `{env: NAME}`."""
        found = {key.value: value.text_or_env(problems) for key, value in self.entries(problems)}
        read = {key: value for key, value in found.items() if value is not None}
        return read if self.kind is NodeKind.MAPPING and len(read) == len(found) else None

    def text_or_env(self, problems: Problems) -> str | EnvName | None:
        """Text, or `{env: NAME}`."""
        if self.kind is not NodeKind.MAPPING:
            if self.kind is NodeKind.LIST:
                self.expected(problems, "text or {env: NAME}")
                return None
            return self.text(problems)
        check_keys(problems, self.mark, {key.value: key.mark for key, _ in self.pairs}, ("env",), ("env",))
        names = [value.word(problems) for key, value in self.pairs if key.value == "env"]
        return EnvName(names[0]) if len(self.pairs) == 1 and names and names[0] is not None else None

    def text_or_map(self, problems: Problems) -> str | Mapping[str, str] | None:
        """Text, or a mapping of text to text."""
        if self.kind is NodeKind.LIST:
            self.expected(problems, "text or a mapping")
            return None
        if self.kind is not NodeKind.MAPPING:
            return self.text(problems)
        found = {key.value: value.text(problems) for key, value in self.pairs}
        read = {key: value for key, value in found.items() if value is not None}
        return read if len(read) == len(found) else None


def _limits(low: float | None, high: float | None) -> str:
    if low is not None and high is not None:
        return f" from {low:g} to {high:g}"
    if low is not None:
        return f" of at least {low:g}"
    return "" if high is None else f" of at most {high:g}"
