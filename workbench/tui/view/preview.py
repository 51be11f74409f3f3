"""What is shown beside a text that is edited: each arm of a prompt as it will be sent, or what is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from workbench.core.cell import Delivery
from workbench.core.envelope import Envelope, wrap
from workbench.core.errors import Problem
from workbench.core.text import safe, visible
from workbench.core.turn import Turn, bare
from workbench.tui.view.ink import Line, Piece, Tone, ink
from workbench.tui.view.rows import DocRow, Full, Heading, Pair, Words, note
from workbench.tui.view.window import legend, lines_of, side_words

__all__ = ["arm_rows", "envelope_rows", "problem_lines", "turn_rows"]

SHOWN_LINES = 400
"""Lines of a turn that are shown; the rest is counted."""

SAMPLE = "what's on my calendar today"
SAMPLE_DOCUMENT = "The first line of an attached file.\nThe second."


def turn_rows(turn: Turn) -> list[DocRow]:
    """A turn in the tones of its authors."""
    if not turn.text:
        return [note("nothing: no words were typed")]
    rows: list[DocRow] = []
    for number, line in enumerate(lines_of(turn.text)):
        if number == SHOWN_LINES:
            more = turn.text.count("\n") + 1 - SHOWN_LINES
            return [*rows, note(f"and {more:,} more lines")]
        rows.append(Pair(" ", None, side_words(line, turn.regions)))
    if turn.made_by_app:
        rows.append(note("The app itself joins what comes with this."))
    return rows


def arm_rows(deliveries: Iterable[Delivery]) -> list[DocRow]:
    """Each arm of one prompt; an arm that not all adapters get in the same way comes once for each way."""
    ways: dict[tuple[str, Turn], list[str]] = {}
    adapters: dict[str, None] = {}
    for delivery in deliveries:
        ways.setdefault((delivery.key.arm, delivery.turn), []).append(delivery.key.adapter)
        adapters.setdefault(delivery.key.adapter)
    authors = {region.author for _, turn in ways for region in turn.regions}
    rows: list[DocRow] = [Full(Words.of(*legend(authors)))] if authors else []
    order = list(dict.fromkeys(arm for arm, _ in ways))
    for (arm, turn), names in sorted(ways.items(), key=lambda way: order.index(way[0][0])):
        said: list[Piece] = [ink(f"{len(turn.text):,} characters", Tone.MUTED)]
        if len(names) < len(adapters):
            said += [ink("  to ", Tone.MUTED), Piece(visible(", ".join(names)))]
        rows += [Heading(visible(arm), tuple(said)), *turn_rows(turn)]
    return rows


def envelope_rows(envelope: Envelope, typed: str) -> list[DocRow]:
    """What an envelope makes of some words; of words of our own where none were typed."""
    document = SAMPLE_DOCUMENT if envelope.carries_document else None
    turn = wrap(envelope, bare(typed or SAMPLE), document)
    authors = {region.author for region in turn.regions}
    heading = Heading(safe("the turn that it makes"), (ink(f"{len(turn.text):,} characters", Tone.MUTED),))
    return [heading, Full(Words.of(*legend(authors))), *turn_rows(turn)]


def problem_lines(problems: Sequence[Problem], file: str) -> list[Line]:
    """Each problem on one line: where in the edited file it is, what is wrong, what to do."""
    lines: list[Line] = []
    for problem in problems:
        mark = problem.mark
        said: list[Piece] = [ink("✗ ", Tone.ERROR)]
        if mark is not None and mark.file == file:
            said.append(ink(f"{mark.line}:{mark.column} ", Tone.STRONG))
        elif mark is not None:
            said += [Piece(visible(mark.file), Tone.STRONG), ink(f":{mark.line}:{mark.column} ", Tone.STRONG)]
        said.append(Piece(visible(problem.message)))
        if problem.hint:
            said += [ink("  → ", Tone.MUTED), Piece(visible(problem.hint), Tone.MUTED)]
        lines.append(tuple(said))
    return lines
