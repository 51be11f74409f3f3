"""Where the values of a YAML text begin and end, and how pieces of it are replaced, the rest untouched."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from workbench.files.node import Node, NodeKind
from workbench.files.parse import parse
from workbench.files.problems import Problems
from workbench.files.source import Source, source_of

__all__ = ["BLOCK_HEADER", "Layout", "Splice"]

BLOCK_HEADER = re.compile(r"[|>][0-9+-]*")
_PROPERTIES = re.compile(r"(?:[&!][^\s,\[\]{}]*\s+)*")
_ALIAS = re.compile(r"\*[^\s,\[\]{}]+")
_BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class Splice:
    """[start, end) of a source becomes `text`, whose line ends are LF."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Layout:
    """A YAML text as it stands in its file. Offsets are those of `source`, where every line ends in LF."""

    text: str
    file: str

    @cached_property
    def source(self) -> Source:
        return source_of(self.text, self.file)

    @cached_property
    def root(self) -> Node:
        """The top value. Raises WorkbenchError where the text cannot be read without a problem."""
        problems = Problems()
        root = parse(self.source, problems)
        problems.check()
        return root

    def spliced(self, splices: Iterable[Splice]) -> str:
        """The text with the pieces replaced; new lines end as their neighbours do."""
        parts: list[str] = []
        at = 0
        for splice in sorted(splices, key=lambda splice: (splice.start, splice.end)):
            start, end = self._original(splice.start), self._original(splice.end)
            parts += (self.text[at:start], splice.text.replace("\n", self._line_end(start)))
            at = end
        return "".join((*parts, self.text[at:]))

    @cached_property
    def _returns(self) -> list[int]:
        """Offsets in `source` of the line feeds that have a carriage return in the file."""
        text = self.text.removeprefix(_BOM)
        return [found.start() - number for number, found in enumerate(re.finditer("\r\n", text))]

    def _original(self, offset: int) -> int:
        return offset + self.text.startswith(_BOM) + bisect_left(self._returns, offset)

    def _line_end(self, original: int) -> str:
        """That of the line at an offset of the file, else that of the line before."""
        feed = self.text.find("\n", original)
        if feed < 0:
            feed = self.text.rfind("\n")
        return "\r\n" if feed > 0 and self.text[feed - 1] == "\r" else "\n"

    def line_start(self, offset: int) -> int:
        return self.source.text.rfind("\n", 0, offset) + 1

    def line_end(self, offset: int) -> int:
        """Where the line feed stands that ends a line, or the end of the text."""
        feed = self.source.text.find("\n", offset)
        return len(self.source.text) if feed < 0 else feed

    def column(self, offset: int) -> int:
        """Code points before an offset in its line."""
        return offset - self.line_start(offset)

    def begins_line(self, offset: int) -> bool:
        """Whether only blanks stand before an offset in its line."""
        return not self.source.text[self.line_start(offset) : offset].strip()

    def content_start(self, node: Node) -> int:
        """Where a value begins behind its anchor."""
        found = _PROPERTIES.match(self.source.text, node.start)
        return found.end() if found else node.start

    def is_flow(self, node: Node) -> bool:
        """Whether a list or mapping is written in brackets."""
        return self.source.text[self.content_start(node)] in "[{"

    def end_of(self, node: Node) -> int:
        """Where the last character of a value stands, plus one; comments behind it do not count.

        A block that keeps its last blank lines ends at the start of the line after them.
        """
        alias = _ALIAS.match(self.source.text, node.start) if node.style == "" else None
        if alias:
            return alias.end()
        if node.style in ("|", ">"):
            header = BLOCK_HEADER.match(self.source.text, self.content_start(node))
            keeps = header is not None and "+" in header[0]
            return node.end if keeps else self.block_end(node)
        if node.kind not in (NodeKind.LIST, NodeKind.MAPPING) or self.is_flow(node):
            return max(node.start, node.end)
        if node.kind is NodeKind.LIST:
            return self.end_of(node.items[-1])
        key, value = node.pairs[-1]
        return max(key.end, self.end_of(value))

    def block_end(self, node: Node) -> int:
        """Where the last line of a `|` or `>` block ends, blank ones at its end left out."""
        text = self.source.text
        end = self.line_end(node.start)
        lines = text[end + 1 : node.end].split("\n") if end < node.end else []
        indent = _indent_of(lines)
        at = end
        for line in lines:
            at += 1 + len(line)
            if line.strip() or len(line) > indent:
                end = min(at, len(text))
        return end

    def block_indent(self, node: Node) -> int | None:
        """How far the lines of a block are indented; None where it has none."""
        lines = self.source.text[self.line_end(node.start) + 1 : node.end].split("\n")
        return _indent_of(lines) if any(line.strip() for line in lines) else None

    def last_line_end(self, end: int) -> int:
        """Where the last line of a value ends that ends at `end`."""
        return end - 1 if self.keeps_blank_lines(end) else self.line_end(end)

    def keeps_blank_lines(self, end: int) -> bool:
        """Whether a value that ends at `end` is a block to which the blank lines behind it belong."""
        return bool(end) and self.source.text[end - 1] == "\n"

    def lines_after(self, end: int, lines: Sequence[str]) -> Splice:
        """Lines behind the one in which a value ends."""
        if self.keeps_blank_lines(end):
            return Splice(end, end, "".join(f"{line}\n" for line in lines))
        eol = self.line_end(end)
        return Splice(eol, eol, "".join(f"\n{line}" for line in lines))


def _indent_of(lines: Sequence[str]) -> int:
    """That of the first line that is not blank."""
    first = next((line for line in lines if line.strip()), "")
    return len(first) - len(first.lstrip(" "))
