"""What is wrong with scores: they drift while the decision stands, or they tell nothing apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from workbench.compare.making import finding, quoted, shortened
from workbench.compare.margins import flip, top_two
from workbench.compare.scores import score_rows
from workbench.core.cell import Cell, Run
from workbench.core.decision import Json, Score
from workbench.core.finding import Finding, Kind, Severity

__all__ = ["score_drift", "scores_that_tell_nothing"]

_SHOWN = 4  # texts of one score that a headline quotes
_DIGITS = 9  # of a score that has to be the same; sums in another order differ in later ones


def score_drift(
    cell: Cell, bare: Cell, ours: Sequence[Score] | None, theirs: Sequence[Score] | None
) -> Iterator[Finding]:
    """`score-drift`: a route's margin changed sign, or the order of the top two."""
    if not ours or not theirs:
        return
    rows = score_rows(ours, theirs)
    crossed = [row.route for row in rows if row.crossed]
    before, after = top_two(ours), top_two(theirs)
    if not crossed and before == after:
        return
    why = [f"margin of {route} changed sign" for route in crossed]
    if before != after:
        why.append(f"top two {', '.join(before)} -> {', '.join(after)}")
    sides = (("bare", ours), (cell.key.arm, theirs))
    yield finding(
        Kind.SCORE_DRIFT,
        Severity.WARNING,
        cell,
        f"SCORE DRIFT [{cell.key.arm}] {quoted(cell)}: {'; '.join(why)}",
        bare,
        crossed=list(crossed),
        top_two=[list(before), list(after)],
        flips=[view for arm, scores in sides if (view := _flip_view(arm, scores)) is not None],
    )


def _flip_view(arm: str, scores: Sequence[Score]) -> dict[str, Json] | None:
    nearest = flip(scores)
    if nearest is None:
        return None
    return {"arm": arm, "distance": nearest.distance, "route": nearest.route, "how": nearest.how}


def scores_that_tell_nothing(run: Run) -> Iterator[Finding]:
    """`vacuous`: a deterministic router gives texts that differ the very same scores, or all texts one.

    Scores of 0 alone say that nothing matched, and tell that alike of any text.
    """
    groups: dict[tuple[str, str], list[Cell]] = {}
    for cell in run.cells:
        info = run.adapters[cell.key.adapter]
        if info.deterministic and info.router and cell.decision is not None and cell.decision.scores:
            groups.setdefault((cell.key.scenario, cell.key.adapter), []).append(cell)
    for (scenario, adapter), cells in groups.items():
        yield from _one_for_all(scenario, adapter, cells)


def _one_for_all(scenario: str, adapter: str, cells: Sequence[Cell]) -> Iterator[Finding]:
    by_scores: dict[object, dict[str, Cell]] = {}
    for cell in cells:
        if (key := _vector(cell)) is not None:
            by_scores.setdefault(key, {}).setdefault(_words(cell), cell)
    alike = sorted((texts for texts in by_scores.values() if len(texts) > 1), key=len, reverse=True)
    numbers = {value for cell in cells if _vector(cell) is not None for value in _best(cell)}
    texts = {_words(cell) for cell in cells if _vector(cell) is not None}
    if len(numbers) == 1 and len(texts) > 1:
        what = (
            f"the score is {next(iter(numbers)):g} for all of {len(texts)} texts: no threshold can part them"
        )
    elif alike:
        shown = ", ".join(f"'{shortened(_text(cell), 40)}'" for cell in list(alike[0].values())[:_SHOWN])
        what = f"{len(alike[0])} texts have the very same scores, which tell nothing of them: {shown}"
    else:
        return
    yield Finding(
        Kind.VACUOUS,
        Severity.WARNING,
        scenario,
        None,
        None,
        adapter,
        f"VACUOUS {scenario}: {adapter}: {what}",
        evidence={
            "same_scores": [[str(cell.key) for cell in group.values()] for group in alike],
            "file": cells[0].delivery.file,
        },
    )


def _text(cell: Cell) -> str:
    """What was scored: the window, else what was typed, since a router may read past its envelope."""
    window = cell.decision.window if cell.decision else None
    return cell.delivery.typed if window is None else window.text


def _words(cell: Cell) -> str:
    """The text as a router may well take it: without regard to case and white space."""
    return " ".join(_text(cell).split()).casefold()


def _vector(cell: Cell) -> tuple[tuple[str, float], ...] | None:
    """All scores of a cell, None where they are all 0."""
    scores = _scores(cell)
    if not any(score.value for score in scores):
        return None
    return tuple(sorted((score.route, round(score.value, _DIGITS)) for score in scores))


def _best(cell: Cell) -> Iterable[float]:
    """The scores that are not 0: those of what matched."""
    return (round(score.value, _DIGITS) for score in _scores(cell) if score.value)


def _scores(cell: Cell) -> tuple[Score, ...]:
    return (cell.decision.scores if cell.decision else None) or ()
