"""One value of a mapping written anew, or a key added to one: the pieces of text that takes."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.files.edit.layout import BLOCK_HEADER, Layout, Splice
from workbench.files.edit.spell import double_quoted, is_block, literal, single_quoted, spelled
from workbench.files.node import Node, NodeKind

__all__ = ["added_item", "added_key", "new_text", "new_value"]


def new_text(layout: Layout, key: Node, old: Node, text: str, *, flow: bool) -> list[Splice]:
    """A text in place of another, in the old one's style where that can hold it."""
    if old.style in ("|", ">"):
        return _new_block(layout, key, old, text)
    if "\n" in text and is_block(text) and not flow:
        header, lines = literal(text, layout.column(key.start) + 2)
        body = layout.lines_after(layout.end_of(old), lines)
        return [Splice(old.start, layout.end_of(old), header), _ended(layout, body, text)]
    word = None
    if old.style == "'":
        word = single_quoted(text)
    elif old.style == "":
        word = spelled(text, flow=flow)
    return [Splice(old.start, layout.end_of(old), word or double_quoted(text))]


def _new_block(layout: Layout, key: Node, old: Node, text: str) -> list[Splice]:
    """The header, where it has to change, and the lines behind it; a comment behind the header stays."""
    start = layout.content_start(old)
    found = BLOCK_HEADER.match(layout.source.text, start)
    assert found is not None
    eol, end = layout.line_end(start), layout.block_end(old)
    if not is_block(text):
        return [Splice(start, found.end(), double_quoted(text)), Splice(eol, end, "")]
    header, lines = literal(text, layout.block_indent(old) or layout.column(key.start) + 2)
    body = Splice(eol, end, "".join(f"\n{line}" for line in lines))
    changed = [Splice(start, found.end(), header)] if found[0] != header else []
    return [*changed, _ended(layout, body, text)]


def _ended(layout: Layout, body: Splice, text: str) -> Splice:
    """A block that ends in a line feed needs one, also at the end of a file that has none."""
    if text.endswith("\n") and body.end == len(layout.source.text):
        return Splice(body.start, body.end, f"{body.text}\n")
    return body


def new_value(layout: Layout, key: Node, old: Node, value: str) -> list[Splice]:
    """A value on one line in place of any other."""
    text = layout.source.text
    if old.style in ("|", ">"):
        start = layout.content_start(old)
        found = BLOCK_HEADER.match(text, start)
        assert found is not None
        return [
            Splice(start, found.end(), value),
            Splice(layout.line_end(start), layout.block_end(old), ""),
        ]
    end = layout.end_of(old)
    if old.kind not in (NodeKind.LIST, NodeKind.MAPPING) or layout.is_flow(old):
        return [Splice(old.start, end, value)]
    colon = text.index(":", key.end) + 1
    return [Splice(colon, colon, f" {value}"), Splice(layout.line_end(colon), layout.last_line_end(end), "")]


def added_key(layout: Layout, mapping: Node, key: str, value: str) -> Splice:
    """`key: value` at the end of a mapping."""
    last = layout.end_of(mapping.pairs[-1][1])
    if layout.is_flow(mapping):
        return Splice(last, last, f", {key}: {value}")
    indent = " " * layout.column(mapping.pairs[0][0].start)
    return layout.lines_after(max(last, mapping.pairs[-1][0].end), [f"{indent}{key}: {value}"])


def added_item(layout: Layout, listed: Node, after: Node | None, pairs: Sequence[tuple[str, str]]) -> Splice:
    """A mapping as an entry of a list, behind the entry `after`, written as that one is."""
    flow = "{" + ", ".join(f"{key}: {value}" for key, value in pairs) + "}"
    if after is None:
        inside = layout.content_start(listed) + 1
        return Splice(inside, inside, flow)
    end = layout.end_of(after)
    if layout.is_flow(listed):
        apart = f",\n{' ' * layout.column(after.start)}" if layout.begins_line(after.start) else ", "
        return Splice(end, end, f"{apart}{flow}")
    dash = layout.column(listed.start)
    lines = [f"{' ' * dash}- {flow}"]
    if after.kind is NodeKind.MAPPING and not layout.is_flow(after):
        lines = [f"{' ' * (dash + 2)}{key}: {value}" for key, value in pairs]
        lines[0] = f"{' ' * dash}- {lines[0].lstrip(' ')}"
    # Of a block that keeps its last blank lines one more would be the block's.
    if _is_spaced(layout, listed) and not layout.keeps_blank_lines(end):
        lines.insert(0, "")
    return layout.lines_after(end, lines)


def _is_spaced(layout: Layout, listed: Node) -> bool:
    """Whether blank lines part every two entries of a list."""
    gaps = [
        layout.source.text[layout.line_end(layout.end_of(one)) : other.start]
        for one, other in zip(listed.items, listed.items[1:], strict=False)
    ]
    return bool(gaps) and all(any(not line.strip() for line in gap.split("\n")[1:-1]) for gap in gaps)
