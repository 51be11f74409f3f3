"""The files of a source tree that hold a word, parsed when they are asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from workbench.lanes.syntax.code import Code, Unread, read_code, require_parser
from workbench.lanes.syntax.excluded import Excluded
from workbench.lanes.syntax.language import ENDINGS, Language
from workbench.lanes.syntax.walking import walk

__all__ = ["Sources", "is_test"]

_TEST = re.compile(
    r"(?:^|/)(?:tests?|__tests__|specs?|__mocks__|testdata|fixtures)/"
    r"|(?:^|/)(?:test_[^/]*|[^/]*_test|conftest)\.(?:pyw?|go|rs)\Z|[._-](?:test|spec)\.[cm]?[jt]sx?\Z",
    re.IGNORECASE,
)


def is_test(name: str) -> bool:
    """Whether a path, with `/`, says that its file holds tests."""
    return _TEST.search(name) is not None


class Sources:
    """Source code of all languages below these folders, tests apart. Reads each file once.

    Raises WorkbenchError where a source is not there, or the parser is missing.
    """

    def __init__(self, sources: Sequence[Path], excluded: Excluded) -> None:
        require_parser()
        self.unread: dict[str, Unread] = {}
        self._texts: dict[Path, str] = {}
        self._names: dict[Path, str] = {}
        self._parsed: dict[Path, Code | Unread] = {}
        self._given = tuple(sources)
        for one in walk(sources, frozenset(Language), excluded):
            if isinstance(one, Unread):
                self.unread[one.file] = one
                continue
            try:
                self._texts[one] = one.read_text("utf-8-sig")
            except (OSError, UnicodeDecodeError):
                self._texts[one] = ""
                self._parse(one)  # tells why
            self._names[one] = self._below(one)
        self._whole = {one: one.resolve().as_posix() for one in self._texts}

    @property
    def files(self) -> int:
        """How many were read, tests left out."""
        return sum(not is_test(name) for name in self._names.values())

    def holding(self, word: str) -> Iterator[Code]:
        """The files that hold a word, but tests."""
        for path, text in self._texts.items():
            if word in text and not is_test(self._names[path]):
                code = self._parse(path)
                if code is not None:
                    yield code

    def tests_holding(self, word: str) -> Iterator[str]:
        """The names of files of tests that hold a text."""
        for path, text in self._texts.items():
            if is_test(self._names[path]) and word in text:
                yield path.as_posix()

    def called(self, path: str) -> list[Code]:
        """The files that a path, with `/`, may mean: those whose own path ends with it."""
        tail = f"/{path.removeprefix('./')}"
        found = [one for one, whole in self._whole.items() if whole.endswith(tail)]
        return [code for one in found if (code := self._parse(one)) is not None]

    def _below(self, path: Path) -> str:
        """The path from the source that it was found in: only that tells whether it is a test."""
        for source in self._given:
            if path != source and path.is_relative_to(source):
                return path.relative_to(source).as_posix()
        return path.name

    def _parse(self, path: Path) -> Code | None:
        if path not in self._parsed:
            language = ENDINGS[path.suffix.lower()]  # also of declarations, where they are given by name
            read = self._parsed[path] = read_code(path, path.as_posix(), language)
            if isinstance(read, Unread):
                self.unread[read.file] = read
            elif read.error is not None:
                reason = "does not parse here; the rest was read"
                self.unread[read.name] = Unread(read.name, reason, read.error)
        read = self._parsed[path]
        return None if isinstance(read, Unread) else read
