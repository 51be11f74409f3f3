"""YAML to nodes: PyYAML's events, never its constructors, so that nothing is guessed and nothing runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from workbench.core.errors import WorkbenchError
from workbench.files.characters import neutral
from workbench.files.node import Node, NodeKind
from workbench.files.problems import Problems, shown
from workbench.files.scalars import is_null
from workbench.files.source import Source, read_source
from workbench.files.syntax import explain

__all__ = ["compose", "load", "loader_for", "parse"]

_DEPTH = 64
_YAML_TAG = "tag:yaml.org,2002:"
_REUSED = 10_000  # values brought in by aliases
_ESCAPED_SURROGATE = re.compile(r"\\(?:u|U0000)[dD][89a-fA-F]")


def load(path: Path, problems: Problems) -> Node:
    """The top value of a YAML file. Raises WorkbenchError where it cannot be read on; see `parse`."""
    return parse(read_source(path), problems)


def parse(source: Source, problems: Problems) -> Node:
    """The top value of a YAML text. What can be passed over is added to `problems`.

    Raises WorkbenchError, with all that was found so far, where the text is not YAML, is nested too
    deep, or grows too large through aliases.
    """
    return compose(source, problems, loader_for(source.text))


def loader_for(text: str) -> Any:
    """PyYAML's C loader where there is one, but it refuses escaped surrogates."""
    fast = getattr(yaml, "CSafeLoader", None)
    return yaml.SafeLoader if fast is None or _ESCAPED_SURROGATE.search(text) else fast


def compose(source: Source, problems: Problems, loader: Any) -> Node:
    """`parse` with a given loader of PyYAML's."""
    text, restore = neutral(source, problems)
    builder = _Builder(source, problems, restore)
    try:
        for event in _events(text, loader):
            builder.feed(event)
            if builder.done:
                break
    except yaml.MarkedYAMLError as error:
        problems.extend([explain(source, error, builder.bracket)])
        raise WorkbenchError(problems.ordered()) from None
    except _TooMuch as error:
        problems.add(source.mark(error.offset), str(error), error.hint)
        raise WorkbenchError(problems.ordered()) from None
    return builder.root


class _TooMuch(Exception):
    def __init__(self, offset: int, message: str, hint: str) -> None:
        super().__init__(message)
        self.offset, self.hint = offset, hint


def _events(text: str, loader: Any) -> Iterator[Any]:
    reader = loader(text)
    try:
        while reader.check_event():
            yield reader.get_event()
    except ValueError:  # the pure loader on an escape beyond U+10FFFF
        where = reader.get_mark()
        raise yaml.scanner.ScannerError(
            None, None, "found invalid Unicode character escape code", where
        ) from None
    finally:
        reader.dispose()


@dataclass(slots=True)
class _Open:
    """A list or mapping of which the end is not read yet."""

    kind: NodeKind
    start: int
    key: str
    anchor: str | None
    flow: bool
    broken: bool
    items: list[Node] = field(default_factory=list)
    pairs: list[tuple[Node, Node]] = field(default_factory=list)
    pending: Node | None = None  # the key that waits for its value
    places: dict[str, int] = field(default_factory=dict)  # where each key stands first


class _Builder:
    """Builds nodes from events without recursion, so that no nesting exhausts the stack."""

    def __init__(self, source: Source, problems: Problems, restore: dict[int, str]) -> None:
        self._source, self._problems, self._restore = source, problems, restore
        self._open: list[_Open] = []
        self._anchors: dict[str, Node] = {}
        self._reused = 0
        self._documents = 0
        self.done = False
        self.root = Node(NodeKind.NOTHING, source, 0, 0)

    def feed(self, event: Any) -> None:
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event)
        elif isinstance(event, yaml.AliasEvent):
            self._alias(event)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._begin(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._finish(event)
        elif isinstance(event, yaml.DocumentStartEvent):
            self._document(event)

    @property
    def bracket(self) -> int | None:
        """Where the innermost [ or { stands that is not closed yet."""
        return self._open[-1].start if self._open and self._open[-1].flow else None

    def _document(self, event: Any) -> None:
        self._documents += 1
        if self._documents > 1:
            where = self._source.mark(event.start_mark.index)
            self._problems.add(where, "a second document begins here", "keep one document in a file")
            self.done = True

    def _scalar(self, event: Any) -> None:
        style = event.style or ""
        value: str = event.value.translate(self._restore) if self._restore else event.value
        if style == '"':
            value = _whole(value)
        kind = NodeKind.TEXT if style or not is_null(value) else NodeKind.NOTHING
        start, end = event.start_mark.index, event.end_mark.index
        if not style and not value:
            start = self._place_of_nothing(start)
        if not style and "?" in value and self._open and self._open[-1].flow:
            self._question(start)
        if self._tagged(event):
            kind = NodeKind.BROKEN
        self._add(Node(kind, self._source, start, end, self._key(), value, style), event.anchor)

    def _place_of_nothing(self, start: int) -> int:
        """An empty value has no characters: its place is its key's, or that of its dash."""
        top = self._open[-1] if self._open else None
        if top is None:
            return 0
        return top.pending.start if top.pending is not None else start

    def _question(self, start: int) -> None:
        where = self._source.mark(self._source.text.find("?", start))
        self._problems.add(where, 'a "?" in unquoted text within [ ] or { }', "put the text in quotes")

    def _alias(self, event: Any) -> None:
        start = event.start_mark.index
        node = self._anchors.get(event.anchor)
        if node is None:
            message = f'the alias "*{event.anchor}" stands for nothing'
            self._problems.add(self._source.mark(start), message, "quote it if it is text")
            node = Node(NodeKind.BROKEN, self._source, start, start)
        self._reused += node.size
        if self._reused > _REUSED:
            raise _TooMuch(start, f"aliases make more than {_REUSED:,} values", "write fewer of them")
        self._check_depth(start, node.height)
        self._add(replace(node, start=start, key=self._key()), None)

    def _begin(self, event: Any) -> None:
        start = event.start_mark.index
        self._check_depth(start, 1)
        kind = NodeKind.LIST if isinstance(event, yaml.SequenceStartEvent) else NodeKind.MAPPING
        flow, broken = bool(event.flow_style), self._tagged(event)
        self._open.append(_Open(kind, start, self._key(), event.anchor, flow, broken))

    def _check_depth(self, start: int, height: int) -> None:
        if len(self._open) + height > _DEPTH:
            raise _TooMuch(start, "nested too deep", f"at most {_DEPTH} levels are read")

    def _finish(self, event: Any) -> None:
        top = self._open.pop()
        within = [*top.items, *(value for _, value in top.pairs)]
        node = Node(
            kind=NodeKind.BROKEN if top.broken else top.kind,
            source=self._source,
            start=top.start,
            end=event.end_mark.index,
            key=top.key,
            items=tuple(top.items),
            pairs=tuple(top.pairs),
            size=1 + sum(child.size for child in within),
            height=1 + max((child.height for child in within), default=0),
        )
        self._add(node, top.anchor)

    def _key(self) -> str:
        """The key that the next value, or the list it is in, stands under."""
        if not self._open:
            return ""
        top = self._open[-1]
        if top.kind is NodeKind.LIST:
            return top.key
        return top.pending.value if top.pending is not None else ""

    def _tagged(self, event: Any) -> bool:
        """Whether a value has a tag, which is complained of: what a value is follows from its key."""
        if event.tag is None:
            return False
        where, tag = self._source.mark(event.start_mark.index), event.tag.replace(_YAML_TAG, "!!")
        self._problems.add(where, f"a tag, {shown(tag)}", "tags are not read: take it away")
        return True

    def _add(self, node: Node, anchor: str | None) -> None:
        if anchor is not None:
            self._anchors[anchor] = node
        if not self._open:
            self.root = node
            return
        top = self._open[-1]
        if top.kind is NodeKind.LIST:
            top.items.append(node)
        elif top.pending is None:
            top.pending = node
        else:
            key, top.pending = top.pending, None
            if self._usable(key, top):
                top.pairs.append((key, node))

    def _usable(self, key: Node, top: _Open) -> bool:
        """Whether a key may stand: it is text, no merge, and the first of its name."""
        if key.kind not in (NodeKind.TEXT, NodeKind.NOTHING):
            key.expected(self._problems, "text as a key")
            return False
        if key.plain and key.value == "<<":
            self._problems.add(key.mark, 'unknown key "<<"', "merge keys are not read: write the keys out")
            return False
        first = top.places.setdefault(key.value, key.start)
        if first != key.start:
            line = self._source.mark(first).line
            self._problems.add(key.mark, f'the key "{key.value}" stands twice', f"first at line {line}")
            return False
        return True


def _whole(text: str) -> str:
    """Surrogate pairs that were escaped one by one joined to the character they mean; lone ones stay."""
    if not any("\ud800" <= char <= "\udfff" for char in text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
