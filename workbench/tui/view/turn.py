"""The turn tab: the delivery itself, its regions, the files that came with it, and the messages before it."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.compare.align import align
from workbench.compare.rows import Row, RowKind
from workbench.core.cell import Cell
from workbench.core.text import safe, visible
from workbench.core.turn import Author, Region, Turn
from workbench.tui.view.ink import Piece, Tone, ink
from workbench.tui.view.rows import DocRow, Fold, Full, Heading, Pair, Words, note
from workbench.tui.view.scan import Scan, scan_rows
from workbench.tui.view.window import legend, lines_of

__all__ = ["turn_rows", "turn_section"]

MOST = 12
"""Lines of an attachment or a message that are shown before the rest is folded."""


def turn_rows(baseline: Turn | None, variant: Turn) -> tuple[Row, ...]:
    """Both turns, aligned; one that stands by itself line by line."""
    if baseline is None:
        return tuple(Row(RowKind.ADDED, variant=side) for side in lines_of(variant.text))
    return align(baseline.text, variant.text)


def turn_section(baseline: Cell | None, variant: Cell, rows: Sequence[Row], strict: bool) -> list[DocRow]:
    """Each turn as it was handed on. `strict`: both sides should be the same, so that what is not counts."""
    before, after = baseline.delivery.turn if baseline else None, variant.delivery.turn
    section: list[DocRow] = [Heading(safe("turn"))]
    facts = (Words.of(*_facts(before)) if before else None, Words.of(*_facts(after)))
    section.append(Pair(" ", *facts))
    authors = {region.author for turn in (before, after) if turn for region in turn.regions}
    if authors:
        section.append(Full(Words.of(*legend(authors))))
    section += _texts(before, after, rows, strict)
    if after.made_by_app or (before is not None and before.made_by_app):
        section.append(note("The app itself joins the attachments to this."))
    section += _attachments(before, after, strict)
    return section + _messages(before, after, strict)


def _facts(turn: Turn) -> tuple[Piece, ...]:
    regions = len(turn.regions)
    said = f"{len(turn.text):,} characters, {regions} region{'' if regions == 1 else 's'}"
    if not turn.typed:
        said += ", nothing typed"
    return (ink(said),)


def _texts(before: Turn | None, after: Turn, rows: Sequence[Row], strict: bool) -> list[DocRow]:
    # With nothing known of what was read, no row of an envelope counts as a difference.
    drawn = scan_rows(Scan(before, None) if before else None, Scan(after, None), rows)
    return [_loud(row) for row in drawn] if strict else drawn


def _loud(row: DocRow) -> DocRow:
    if isinstance(row, Pair) and row.quiet:
        return Pair(row.sign, row.baseline, row.variant, row.twin)
    return row


def _attachments(before: Turn | None, after: Turn, strict: bool) -> list[DocRow]:
    """The files of both sides, matched by name."""
    ours = {item.name: item.text for item in before.attachments} if before else {}
    theirs = {item.name: item.text for item in after.attachments}
    section: list[DocRow] = []
    for name in dict.fromkeys((*ours, *theirs)):
        text = theirs.get(name, ours.get(name, ""))
        said = (ink("  "), Piece(visible(name)), ink(f"  {len(text):,} characters", Tone.MUTED))
        section.append(Heading(safe("attachment"), said))
        if before is not None and (name in ours) != (name in theirs):
            section.append(note(f"only in the {'baseline' if name in ours else 'variant'}"))
        section += _text(ours.get(name), theirs.get(name), before is not None, Author.ATTACHMENT, strict)
    return section


def _messages(before: Turn | None, after: Turn, strict: bool) -> list[DocRow]:
    """The conversation, message by message."""
    ours = before.messages if before else ()
    section: list[DocRow] = []
    for number in range(max(len(ours), len(after.messages))):
        one = ours[number] if number < len(ours) else None
        other = after.messages[number] if number < len(after.messages) else None
        roles = dict.fromkeys(message.role for message in (one, other) if message is not None)
        said = [piece for role in roles for piece in (ink(" "), Piece(visible(role), Tone.STRONG))]
        section.append(Heading(safe(f"message {number + 1}"), tuple(said)))
        texts = (one.content if one else None, other.content if other else None)
        author = Author.HISTORY if number + 1 < len(after.messages) else Author.USER
        section += _text(*texts, before is not None, author, strict)
    return section


def _text(left: str | None, right: str | None, two: bool, author: Author, strict: bool) -> list[DocRow]:
    """One text of both sides, all of one author; long ones are folded behind their first lines."""
    before, after = _scan(left, author), _scan(right, author)
    if left is not None and right is not None:
        rows = align(left, right)
    elif right is not None:
        rows = tuple(Row(RowKind.ADDED, variant=side) for side in lines_of(right))
    else:
        rows = tuple(Row(RowKind.REMOVED, baseline=side) for side in lines_of(left or ""))
    drawn = _shortened(scan_rows(before if two else None, after, rows))
    return [_loud(row) for row in drawn] if strict else drawn


def _scan(text: str | None, author: Author) -> Scan:
    return Scan(Turn(text or "", "", (Region(0, len(text or ""), author),)), None)


def _shortened(rows: list[DocRow]) -> list[DocRow]:
    """A long text is folded behind its first lines: what matters of it stands in the window."""
    pairs = [row for row in rows if isinstance(row, Pair)]
    if len(pairs) != len(rows) or len(rows) <= MOST:
        return rows
    hidden = pairs[MOST // 2 :]
    texts = [words.raw for pair in hidden if (words := pair.variant or pair.baseline) is not None]
    return [*rows[: MOST // 2], Fold(texts, lambda number: hidden[number], safe("more"))]
