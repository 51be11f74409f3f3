"""The status line: the workspace and what was found on the left, the run on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.text import join, safe, visible
from workbench.tui.keymap import key_of
from workbench.tui.progress import Phase, Progress
from workbench.tui.verdicts import Counts
from workbench.tui.view.cells import cut, spread
from workbench.tui.view.ink import Line, Piece, Tone, ink
from workbench.tui.view.tree import in_words
from workbench.tui.watch import takes_enter

if TYPE_CHECKING:
    from workbench.tui.state import SessionState

__all__ = ["duration", "offer_line", "status_line"]

BAR = 12


def status_line(state: SessionState, width: int) -> Line:
    """The status in `width` cells."""
    root = state.session.root
    name = safe("what comes along") if state.session.packaged else visible(root.name or str(root))
    said: list[Piece] = [ink(" "), Piece(cut(name, max(8, width // 4)), Tone.STRONG)]
    if state.session.lacks_trust:
        said += [ink("  "), ink("not trusted", Tone.WARNING)]
    if not state.scenarios:
        said += [ink("  "), ink("no scenarios", Tone.MUTED)]
    said += _sieve(state)
    total = sum((state.counts(scenario) for scenario in state.scenarios), Counts())
    if total.cells:
        for word in in_words(total):
            said += [ink("  "), word]
    bad = len({problem.mark.file if problem.mark else "" for problem in state.session.problems})
    if bad:
        said += [ink("  "), ink(f"{bad} bad file{'s' if bad > 1 else ''}", Tone.WARNING)]
    return spread(tuple(said), (*_run(state, width), ink(" ")), width)


def _sieve(state: SessionState) -> Line:
    """What is searched for and filtered: nobody must take a part for the whole."""
    search, told = state.sieve.search, state.sieve.told
    said: list[Piece] = []
    if search is not None:
        said += [ink("  /", Tone.KEY), Piece(cut(visible(search.words), 24), Tone.STRONG)]
    if told is not None:
        said += [ink("  only ", Tone.WARNING), Piece(cut(told, 30), Tone.WARNING)]
    return tuple(said)


def _run(state: SessionState, width: int) -> Line:
    progress = state.progress
    if offer := offer_line(state, width):
        return offer
    if state.explanations.going is not None or (state.explanations.problem and not progress.busy):
        return _explaining(state, width)
    if progress.phase is Phase.IDLE:
        return ()
    if progress.phase is Phase.PLANNING:
        return (ink("… starting", Tone.RUNNING),)
    if progress.phase is Phase.BROKEN:
        problem = state.run_problems[0].message if state.run_problems else "unknown"
        return (ink("✗ did not run: ", Tone.ERROR), Piece(cut(visible(problem), width // 2), Tone.ERROR))
    if progress.phase in (Phase.RUNNING, Phase.STOPPING):
        return _going(progress)
    word, tone = ("✓ ran", Tone.OK) if progress.phase is Phase.DONE else ("! stopped after", Tone.WARNING)
    said = f"{word} {progress.done:,} trials in {duration(progress.seconds)}"
    line: Line = (ink(said, tone),)
    if progress.failed:
        line = (*line, ink(f", {progress.failed:,} failed", Tone.WARNING))
    return (*line, *_cost(progress), *_halted(state, width))


def _explaining(state: SessionState, width: int) -> Line:
    """How far the search for the words is, and the best so far; or why there is none."""
    explanations = state.explanations
    if explanations.problem is not None:
        why = cut(visible(explanations.problem.message), width // 2)
        return (ink("✗ not explained: ", Tone.ERROR), Piece(why, Tone.ERROR))
    word = "… stopping" if explanations.stopping else "… explaining"
    told = explanations.progress
    if told is None:
        return (ink(word, Tone.RUNNING),)
    line: Line = (ink(f"{word} ", Tone.RUNNING), ink(f"{told.calls:,} of at most {told.most:,} calls"))
    if told.best:
        line = (*line, ink(f", {told.characters:,} characters move it", Tone.MUTED))
    return line


def _cost(progress: Progress) -> Line:
    """What the calls cost so far; nothing where no price is known."""
    if progress.cost is None:
        return ()
    cents = 2 if progress.cost >= 1 else 4
    return (ink(f", ${progress.cost:.{cents}f}", Tone.MUTED),)


def _halted(state: SessionState, width: int) -> Line:
    """Who was not called to the end."""
    if not state.board.halted:
        return ()
    names = join([visible(name) for name in state.board.halted], ", ")
    return (ink("; stopped short: ", Tone.WARNING), Piece(cut(names, width // 4), Tone.WARNING))


def offer_line(state: SessionState, width: int) -> Line:
    """Which files changed, and the keys that run again; nothing where none did, or while a run is on."""
    told = state.watch.told
    if told is None or state.progress.busy:
        return ()
    enter = f"{key_of(state, 'open')}, " if takes_enter(state) else ""
    keys = f"{enter}{key_of(state, 'run-cell')} or {key_of(state, 'run-shown')}"
    words = (ink("↻ ", Tone.WARNING), Piece(cut(told, width // 3), Tone.STRONG))
    return (*words, ink(safe(f" changed: {keys} runs again"), Tone.WARNING))


def _going(progress: Progress) -> Line:
    full = BAR * progress.done // progress.total if progress.total else 0
    word = "stopping" if progress.phase is Phase.STOPPING else "running"
    line = [
        ink(f"… {word} ", Tone.RUNNING),
        ink("█" * full, Tone.RUNNING),
        ink("░" * (BAR - full), Tone.HATCH),
        ink(f" {progress.done:,} of {'at most ' if progress.sampled else ''}{progress.total:,}"),
    ]
    if progress.failed:
        line.append(ink(f", {progress.failed:,} failed", Tone.WARNING))
    if progress.rate is not None:
        line.append(ink(f", {progress.rate:,.1f}/s", Tone.MUTED))
    if progress.left is not None and progress.phase is Phase.RUNNING:
        line.append(ink(f", {duration(progress.left)} left", Tone.MUTED))
    line += _cost(progress)
    return tuple(line)


def duration(seconds: float) -> str:
    """A time for people: 0.4 s, 12 s, 3 min 20 s, 2 h 5 min."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
