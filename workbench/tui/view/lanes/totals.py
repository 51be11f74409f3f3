"""The exact sum of a request, what speaks against it, and the texts that no lane owns, or two own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from workbench.core.text import safe, visible
from workbench.lanes.ledger.measured import Measured, Span, Twice
from workbench.tui.view.cells import cut
from workbench.tui.view.ink import Ground, Line, Piece, Tone, ink
from workbench.tui.view.lanes.marks import Marks
from workbench.tui.view.lanes.owners import Owners
from workbench.tui.view.rows import DocRow, Heading, Pair, Words, note

__all__ = ["dark_section", "doubles_section", "sum_line", "wrong_line"]

SHOWN = 20
"""Dark texts that are listed; the whole request below has every one of them."""

WORDS = 160
AROUND = 28
"""Characters of a text that are shown, and of what stands on either side of it."""


def sum_line(measured: Measured) -> Line:
    """`dark=27 + owned=4,120 = sent=4,147`."""
    return (
        ink(f"dark={measured.dark:,}", Tone.WARNING if measured.dark else Tone.OK),
        ink(f" + owned={measured.owned:,} = sent={measured.sent:,}", Tone.STRONG),
    )


def wrong_line(measured: Measured, over: Sequence[str]) -> Line:
    """What is wrong beside the sum; `over` are the lanes over their budget."""
    missing = sum(row.missing for row in measured.lanes.values())
    said: list[Piece] = []
    if over:
        said.append(Piece(cut(visible(f"OVER BUDGET: {', '.join(over)}"), WORDS), Tone.ERROR))
    if measured.double:
        said.append(ink(f"double={measured.double:,}", Tone.WARNING))
    if missing:
        said.append(ink(f"missing={missing:,}", Tone.WARNING))
    if not said:
        return (ink("nothing double, nothing over budget", Tone.MUTED),)
    return tuple(piece for one in said for piece in (one, ink("  ")))[:-1]


Sides = tuple[Measured | None, Measured | None]


def dark_section(sides: Sides, marks: Marks, compared: bool) -> list[DocRow]:
    """The dark texts, each with its place and a few of the words around; those of both sides in one row."""
    spans = [Owners.of(side, marks).darks if side is not None else [] for side in sides]
    counts = dict.fromkeys(f"{side.dark:,}" for side in sides if side is not None)
    said = f"{' and '.join(counts)} characters that no lane owns"
    section: list[DocRow] = [Heading(safe("? dark"), (ink(said, Tone.MUTED),))]
    rows = list(_paired(sides, spans))
    for ours, theirs in rows[:SHOWN]:
        words = [
            _dark_words(side, span) if side is not None and span is not None else None
            for side, span in zip(sides, (ours, theirs), strict=True)
        ]
        sign = " " if not compared or (ours and theirs) else "+" if theirs else "-"
        section.append(Pair(sign, words[0], words[1]))
    if len(rows) > SHOWN:
        section.append(note(f"and {len(rows) - SHOWN:,} more, in the whole request below"))
    if not rows:
        section.append(note("none: every character has a lane", Tone.OK))
    unplaced = [side.unplaced for side in sides if side is not None and side.unplaced]
    if unplaced and rows:
        counted = " and ".join(f"{count:,}" for count in dict.fromkeys(unplaced))
        section.append(note(f"Of these, {counted} characters are owned by lanes that only gave a number."))
    return section


def _paired(sides: Sides, spans: Sequence[Sequence[Span]]) -> Iterator[tuple[Span | None, Span | None]]:
    """The dark texts of the second side, each beside an equal one of the first; then what is left."""
    before, after = sides
    left: dict[str, list[Span]] = {}
    for span in spans[0]:
        assert before is not None
        left.setdefault(before.text[span.start : span.end], []).append(span)
    for span in spans[1]:
        assert after is not None
        same = left.get(after.text[span.start : span.end])
        yield (same.pop(0) if same else None), span
    alone = sorted((span for rest in left.values() for span in rest), key=lambda span: span.start)
    yield from ((span, None) for span in alone)


def _dark_words(side: Measured, span: Span) -> Words:
    return Words.of(*_place(side, span.start, span.end), *_quoted(side, span.start, span.end, Ground.DARK))


def _place(side: Measured, start: int, end: int) -> Line:
    size = end - start
    return (
        Piece(visible(side.where(start)), Tone.STRONG),
        ink(f" {size:,} character{'' if size == 1 else 's'}: ", Tone.MUTED),
    )


def _quoted(side: Measured, start: int, end: int, ground: Ground) -> Line:
    """A text between some of the words of its own part that stand around it."""
    part = side.part_at(start)
    first = max(part.start, start - AROUND) if part is not None else start
    last_part = side.part_at(end - 1)
    last = min(last_part.end, end + AROUND) if last_part is not None else end
    said: list[Piece] = []
    if first < start:
        lead = "…" if part is not None and first > part.start else ""
        said += [ink(lead, Tone.MUTED), Piece(visible(side.text[first:start]), Tone.MUTED)]
    words = visible(side.text[start : min(end, start + WORDS + 1)])
    said.append(Piece(cut(words, WORDS), Tone.WARNING, ground))
    if end - start <= WORDS and end < last:
        tail = "…" if last_part is not None and last < last_part.end else ""
        said += [Piece(visible(side.text[end:last]), Tone.MUTED), ink(tail, Tone.MUTED)]
    return tuple(piece for piece in said if piece.text)


def doubles_section(sides: Sides, marks: Marks, compared: bool) -> list[DocRow]:
    """Each text that two lanes claim, with both; nothing where there is none."""
    rows: list[DocRow] = []
    listed = [_doubles(side, marks) if side is not None else [] for side in sides]
    if not any(listed):
        return []
    counts = dict.fromkeys(f"{side.double:,}" for side in sides if side is not None)
    said = f"{' and '.join(counts)} characters claimed more than once"
    rows.append(Heading(safe("double"), (ink(said, Tone.MUTED),)))
    longest = max(map(len, listed))
    for number in range(min(longest, SHOWN)):
        left, right = (Words.of(*lines[number]) if number < len(lines) else None for lines in listed)
        sign = " " if not compared or (left and right) else "+" if right else "-"
        rows.append(Pair(sign, left, right, quiet=True))
    if longest > SHOWN:
        rows.append(note(f"and {longest - SHOWN:,} more, underlined in the whole request below"))
    return rows


def _doubles(side: Measured, marks: Marks) -> list[Line]:
    doubles = sorted(side.doubles, key=lambda twice: (twice.start, twice.end))
    texts = groupby(doubles, key=lambda twice: (twice.start, twice.end))
    return [_double(side, marks, list(group)) for _, group in texts]


def _double(side: Measured, marks: Marks, claims: Sequence[Twice]) -> Line:
    """One text, and every lane that says it wrote it."""
    start, end = claims[0].start, claims[0].end
    said = list(_place(side, start, end))
    for number, lane in enumerate((claims[0].owner, *(claim.other for claim in claims))):
        said += [ink(" and " if number else ""), ink(marks.letter(lane), Tone.STRONG), ink(" ")]
        said.append(Piece(visible(lane or ""), marks.tone(lane)))
    said.append(ink(": ", Tone.MUTED))
    said += _quoted(side, start, end, Ground.DOUBLE)
    return tuple(piece for piece in said if piece.text)
