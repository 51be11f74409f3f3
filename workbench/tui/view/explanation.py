"""An explanation as rows: the turn with the cause lit in place, the words, what restores, the evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby, pairwise

from workbench.compare.rows import Side
from workbench.core.decision import Span
from workbench.core.text import SafeText, join, safe, visible
from workbench.core.turn import Author
from workbench.explain import wording
from workbench.explain.explanation import Explanation
from workbench.tui.view.cells import cut
from workbench.tui.view.ink import Ground, Piece, Tone, author_tone, ink, letter, outcome_tone, outcome_word
from workbench.tui.view.rows import DocRow, Fold, Full, Heading, Pair, Stretch, Words
from workbench.tui.view.window import legend, lines_of

__all__ = ["explanation_rows"]

AROUND = 2
"""Lines round a lit one that are shown; what is further away is folded."""

HEAD, TAIL = 3, 2
PARTS = 12
MARGINS = 5
LONGEST = 400


def explanation_rows(found: Explanation) -> tuple[DocRow, ...]:
    """All that there is to say, each row safe to draw."""
    return tuple(_rows(found))


def _rows(found: Explanation) -> Iterator[DocRow]:
    yield from _head(found)
    if found.cause:
        yield from _turn(found)
        yield Heading(safe("the words"))
        yield from _words(found, found.cause, Tone.STRONG)
        for other in found.others:
            yield _said(ink("and by itself too"))
            yield from _words(found, other, Tone.STRONG)
    yield from _undo(found)
    yield from _evidence(found)


def _head(found: Explanation) -> Iterator[DocRow]:
    tone = Tone.ERROR if found.names_a_cause else Tone.WARNING
    yield _said(ink(wording.heading(found), tone))
    if size := wording.size(found):
        yield _said(ink(size, Tone.MUTED))
    for sentence in wording.reason(found):
        yield _said(ink(sentence))
    for doubt in wording.doubts(found):
        yield _said(ink("! ", Tone.WARNING), ink(doubt, Tone.WARNING))
    for arm, decision in (("bare", found.bare), (found.key.arm, found.variant)):
        if decision is not None and found.rates is None:
            tools = visible(", ".join(decision.tools)[:LONGEST])
            outcome = Piece(outcome_word(decision.outcome), outcome_tone(decision.outcome))
            yield _said(Piece(visible(arm), Tone.STRONG), ink("  "), outcome, ink(" "), Piece(tools))
    if found.rates is not None:
        for arm, counted in (("bare", found.rates.bare), (found.key.arm, found.rates.variant)):
            yield _said(Piece(visible(arm), Tone.STRONG), ink("  "), ink(wording.counted(found, counted)))


def _turn(found: Explanation) -> Iterator[DocRow]:
    material = found.material
    yield Heading(safe("the turn"), tuple(legend({region.author for region in material.regions})))
    said = [ink(" moves it ", Tone.STRONG, Ground.ADDED_WORD)]
    if found.removal:
        said += [ink("  "), ink(" taken away, it is as bare ", Tone.STRONG, Ground.REMOVED_WORD)]
    yield _said(*said)
    spans = wording.shown_spans(found, (*found.cause, *(found.removal or ())))
    rows = [(side, _touches(side, spans)) for side in lines_of(material.text)]
    lit = [number for number, (_, touched) in enumerate(rows) if touched]
    near = {number + away for number in lit for away in range(-AROUND, AROUND + 1)}
    last = len(rows)

    def shown(number: int) -> bool:
        return number < HEAD or number >= last - TAIL or number in near

    for visible_, group in groupby(range(last), key=shown):
        numbers = list(group)
        if visible_ or len(numbers) == 1:
            for number in numbers:
                yield _line(found, *rows[number])
        else:
            hidden = [rows[number] for number in numbers]
            yield Fold(
                [side.text for side, _ in hidden],
                lambda n, hidden=hidden: _line(found, *hidden[n]),  # type: ignore[misc]
                safe("other"),
            )


def _touches(side: Side, spans: Sequence[Span]) -> bool:
    """Whether a span has a part in a line, its line feed counted to it."""
    first, last = side.start, side.start + len(side.text)
    return any(start <= last and end > first for start, end in spans)


def _line(found: Explanation, side: Side, lit: bool) -> Pair:
    words = Words(side.text, partial(_meaning, found, side), lit=lit)
    return Pair(" ", None, words)


def _meaning(found: Explanation, side: Side) -> tuple[Sequence[Stretch], SafeText]:
    """The line in its authors' tones, behind it what moved the decision and what undoes that."""
    first, last = side.start, side.start + len(side.text)
    regions = [region for region in found.material.regions if region.start < last and region.end > first]
    gone, cause = found.removal or (), found.cause
    edges = {edge for start, end in (*gone, *cause) for edge in (start, end)}
    edges |= {edge for region in regions for edge in (region.start, region.end)}
    bounds = sorted({first, last, *(edge for edge in edges if first < edge < last)})
    stretches: list[Stretch] = []
    for start, end in pairwise(bounds):
        author = next((one.author for one in regions if one.start <= start < one.end), Author.APP)
        ground = Ground.NONE
        if _holds(gone, start):
            ground = Ground.REMOVED_WORD
        elif _holds(cause, start):
            ground = Ground.ADDED_WORD
        stretches.append((start - first, end - first, author_tone(author), ground))
    authors = [region.author for region in regions] or [found.material.author_at(first)]
    letters = join([letter(author) for author in dict.fromkeys(authors)])
    return stretches, letters if len(letters) <= 3 else join((letters[:2], safe("+")))


def _holds(spans: Sequence[Span], place: int) -> bool:
    return any(start <= place < end for start, end in spans)


def _words(found: Explanation, spans: Sequence[Span], tone: Tone) -> Iterator[DocRow]:
    for span in wording.shown_spans(found, spans[:PARTS]):
        author = found.material.author_at(span[0])
        text = cut(visible(found.material.text[slice(*span)][:LONGEST]), LONGEST)
        yield _said(
            Piece(letter(author), author_tone(author)),
            ink(" "),
            ink(wording.place(found, span), Tone.MUTED),
            ink("  "),
            Piece(SafeText(f'"{text}"'), tone),
        )
    if len(spans) > PARTS:
        yield _said(ink(f"and {len(spans) - PARTS:,} more places", Tone.MUTED))


def _undo(found: Explanation) -> Iterator[DocRow]:
    if found.removal is not None:
        characters = sum(end - start for start, end in found.removal)
        least = "less will not do" if found.removal_minimal else "less may do"
        yield Heading(
            safe("taken away, it is decided on as bare is"), (ink(f"{characters:,} characters; {least}"),)
        )
        yield from _words(found, found.removal, Tone.OK)
    elif found.no_removal:
        yield Heading(safe("no removal that restores it"))
        yield _said(Piece(visible(found.no_removal), Tone.WARNING))


def _evidence(found: Explanation) -> Iterator[DocRow]:
    yield Heading(safe("how it is known"))
    if found.rates is not None:
        for name, counted in (("with it alone  ", found.rates.cause), ("without it  ", found.rates.restored)):
            if counted is not None:
                yield _said(ink(name, Tone.MUTED), ink(wording.counted(found, counted)))
    for head, matches in (
        ("matched there  ", found.matches),
        ("matched in bare and not here  ", found.lost_matches),
    ):
        if matches:
            yield _said(ink(head, Tone.MUTED), ink(wording.matched(matches)))
    if found.margins:
        route = visible(found.margins[0].route)
        told = safe(
            f"what a sentence adds to the margin of {route}, {len(found.margins)} of {found.sentences} asked"
        )
        yield _said(ink(told, Tone.MUTED))
        for margin in found.margins[:MARGINS]:
            words = cut(visible(found.material.text[slice(*margin.span)].strip()[:LONGEST]), 100)
            yield _said(ink(f"  {margin.change:+.3f}  "), Piece(SafeText(f'"{words}"')))
    yield _said(ink(wording.asked(found), Tone.MUTED))


def _said(*pieces: Piece) -> Full:
    return Full(Words.of(*pieces))
