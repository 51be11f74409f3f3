"""A followed log as rows: a line for each turn, and below it, by sign and words, what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from workbench.core.text import join, safe, visible
from workbench.tui.following_log import FollowedLog
from workbench.tui.view.cells import cut, pad
from workbench.tui.view.ink import Line, Piece, Tone, gap, ink
from workbench.tui.view.rows import DocRow, Full, Words

if TYPE_CHECKING:
    from workbench.capture.audit.result import Kind
    from workbench.capture.audit.watching import Seen

__all__ = ["following_head", "following_rows", "following_state"]

INGRESS, SIZE, TOOLS = 12, 9, 16

_WRONG = {
    "outgrown": "routed outgrows typed",
    "unknown-envelope": "fits no known envelope",
}


def following_head() -> Line:
    """The names of the columns."""
    names = (("typed", SIZE), ("routed", SIZE))
    sizes = "".join(name.rjust(width) for name, width in names)
    return (ink(f"    {'ingress':{INGRESS}}{sizes}  {'tools':{TOOLS}}  head", Tone.MUTED),)


def following_rows(log: FollowedLog) -> tuple[DocRow, ...]:
    """Every line that is kept, the newest last, each safe to draw."""
    return tuple(_rows(log))


def _rows(log: FollowedLog) -> Iterator[DocRow]:
    if log.dropped:
        yield _row(ink(f"   {log.dropped:,} earlier lines are no longer kept", Tone.MUTED))
    for line in log.lines:
        if isinstance(line, str):
            yield _row(ink(" ? ", Tone.WARNING), ink("not read: ", Tone.WARNING), Piece(visible(line)))
            continue
        yield _turn(line)
        yield from _wrong(line)


def _turn(seen: Seen) -> Full:
    tone = Tone.ERROR if seen.wrong else Tone.PLAIN
    name = visible(seen.ingress or seen.envelope or "not known")
    if seen.tools is None:
        tools = ink("not logged", Tone.MUTED)
    elif not seen.tools:
        tools = ink("no tool", Tone.MUTED)
    else:
        tools = Piece(visible(", ".join(seen.tools)), Tone.STRONG)
    head = ink("not logged", Tone.MUTED) if seen.head is None else Piece(visible(seen.head))
    return _row(
        ink(" ! " if seen.wrong else "   ", tone),
        *pad((Piece(cut(name, INGRESS), Tone.PLAIN),), INGRESS),
        ink(_size(seen.typed_size)),
        ink(_size(seen.routed_size), tone),
        gap(2),
        *pad((tools,), TOOLS),
        gap(2),
        head,
    )


def _wrong(seen: Seen) -> Iterator[DocRow]:
    """What is wrong: that which is so for the first time, each by itself, then the rest."""
    for kind in seen.alarms:
        yield _row(gap(3), ink("ALARM ", Tone.ERROR), ink(f"{_words(kind)}, for the first time", Tone.ERROR))
    rest = [safe(_words(kind)) for kind in seen.wrong if kind not in seen.alarms]
    if rest:
        yield _row(gap(3), Piece(join(rest, ", "), Tone.WARNING))


def _words(kind: Kind) -> str:
    return _WRONG.get(kind.value, kind.value)


def _size(size: int | None) -> str:
    return ("?" if size is None else f"{size:,}").rjust(SIZE)


def following_state(log: FollowedLog) -> tuple[Line, ...]:
    """How the watch stands: what is wrong with the file itself, or the counts."""
    lines: list[Line] = []
    if log.problem is not None:
        hint = f" ({visible(log.problem.hint)})" if log.problem.hint else ""
        said = visible(f"{log.problem.message}{hint}")
        lines.append((ink(" ✗ not followed: ", Tone.ERROR), Piece(said, Tone.ERROR)))
    watch = log.watch
    if watch is None or (not log.began and log.problem is None):
        return tuple(lines) or ((ink(" … reading what is there already", Tone.MUTED),),)
    counts = [f"{watch.turns:,} new turn{'s' * (watch.turns != 1)}"]
    counts += [f"{count:,} {_words(kind)}" for kind, count in sorted(watch.wrong.copy().items()) if count]
    if watch.turns and len(counts) == 1:
        counts.append("nothing wrong")
    if watch.skipped:
        counts.append(f"{watch.skipped:,} not read")
    counts.append(f"{watch.earlier:,} there before")
    return (*lines, (ink(safe(f" {' · '.join(counts)}")),))


def _row(*pieces: Piece) -> Full:
    return Full(Words.of(*pieces), cut=True)
