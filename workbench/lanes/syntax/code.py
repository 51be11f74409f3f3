"""One file of source code as a syntax tree, or why there is none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.core.errors import Problem, WorkbenchError
from workbench.lanes.syntax.language import Language

if TYPE_CHECKING:
    from ast_grep_py import SgNode

__all__ = ["LARGEST", "Code", "Place", "Unread", "below", "parse", "place_of", "read_code", "require_parser"]

LARGEST = 2_000_000
"""Bytes above which a file is no source that somebody wrote."""

_LONG_LINE = 400  # characters of a line on average: code that was minified
_SHORT_FILE = 10_000


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that was to be read and was not, or only in part. `file` and `reason` may be foreign, raw."""

    file: str
    reason: str
    line: int | None = None


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """`line` and `column` count from 1, columns in code points."""

    file: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Code:
    """A file's text and tree. `name` is the path as it is shown, with `/`.

    `error` is the line, from 1, of the first place that the parser could not make sense of; what stands
    around it is read all the same.
    """

    path: Path
    name: str
    language: Language
    text: str
    root: SgNode
    error: int | None = None

    def place(self, node: SgNode) -> Place:
        """Where the node begins."""
        return place_of(node, self.name)


def require_parser() -> None:
    """Raises WorkbenchError where the parser, an extra, is not installed."""
    try:
        import ast_grep_py  # noqa: F401
    except ImportError as error:
        hint = "install it with: pip install 'route-workbench[code]'"
        raise WorkbenchError(Problem(f"reading source code needs ast-grep-py: {error}", hint=hint)) from error


def parse(text: str, language: Language) -> SgNode:
    """The root of the tree; there is always one. Raises WorkbenchError without the parser."""
    require_parser()
    from ast_grep_py import SgRoot

    return SgRoot(text, language.value).root()


def read_code(path: Path, name: str, language: Language) -> Code | Unread:
    """Reads and parses one file. Raises WorkbenchError without the parser, for nothing else."""
    try:
        if not path.is_file():
            return Unread(name, "not a regular file")
        size = path.stat().st_size
        if size > LARGEST:
            return Unread(name, f"{size:,} bytes, more than {LARGEST:,}")
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return Unread(name, f"not UTF-8: byte {error.start}")
    except OSError as error:
        return Unread(name, f"cannot be read: {error.strerror or error}")
    if len(text) > _SHORT_FILE and len(text) > _LONG_LINE * (text.count("\n") + 1):
        return Unread(name, f"minified: {len(text):,} characters in {text.count(chr(10)) + 1:,} lines")
    root = parse(text, language)
    error_line = _first_error(root)
    if error_line is not None and language is Language.JAVASCRIPT:
        typed = parse(text, Language.TSX)  # types of Flow are mostly those of TypeScript
        if _first_error(typed) is None:
            return Code(path, name, Language.TSX, text, typed)
    return Code(path, name, language, text, root, error_line)


def place_of(node: SgNode, file: str) -> Place:
    """Where the node begins."""
    start = node.range().start
    return Place(file, start.line + 1, start.column + 1)


def below(node: SgNode) -> Iterator[SgNode]:
    """The node and all below it, in the order of the text; deep trees need no stack of calls."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        waiting.extend(reversed(one.children()))


def _first_error(root: SgNode) -> int | None:
    found = root if root.kind() == "ERROR" else root.find(kind="ERROR")
    return None if found is None else found.range().start.line + 1
