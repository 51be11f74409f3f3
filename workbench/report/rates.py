"""Rates in words and bars: `0/20 ≤14%`, never 0%."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from workbench.compare.events import declared_event
from workbench.compare.rate_limits import gate_of, percent
from workbench.compare.rates import Compared, Rate, Verdict, called_by, rate_of, readings
from workbench.core.cell import BARE, Cell, CellKey, Run
from workbench.core.text import SafeText, join, safe
from workbench.report.measure import middle, named, pad, width_of
from workbench.report.writer import Line, Piece, Style, own

__all__ = ["bar", "counted_share", "declared_rate", "is_sampled", "rate_lines", "share"]

_BAR = 10
_WORDS = 300


def is_sampled(cell: Cell) -> bool:
    """Whether the cell has rates: its adapter does not always answer alike."""
    return cell.delivery.samples is not None


def declared_rate(cell: Cell, bare: Cell | None) -> Rate:
    """The rate of the event that the scenario is about."""
    known = called_by(bare) if bare is not None else frozenset()
    return rate_of(cell, declared_event(cell.delivery), known, declared=True)


def share(rate: Rate, style: Style, *, wanted: bool = False) -> SafeText:
    """`k/n ≤bound`, or `≥bound` of what is wanted: with 95 % the rate is at most, or at least, that."""
    failed = f" ({rate.failed} failed)" if rate.failed else ""
    if not rate.n:
        return safe(f"0/0{failed}")
    edge = f"≥{percent(rate.floor)}" if wanted else f"≤{percent(rate.bound)}"
    return own(f"{rate.k}/{rate.n} {edge}{failed}", style)


def counted_share(k: int, n: int) -> SafeText:
    """`k/n` of an event that was chosen after looking, so without a bound."""
    return safe(f"{k}/{n}")


def bar(k: int, n: int, style: Style) -> SafeText:
    """The rate as a bar. One that is neither none nor all is never drawn as if it were."""
    filled = round(_BAR * k / n) if n else 0
    if 0 < k < n:
        filled = min(max(filled, 1), _BAR - 1)
    return own("█" * filled + "░" * (_BAR - filled), style)


def rate_lines(run: Run, scenario: str, style: Style) -> Iterator[Line]:
    """The rates of a scenario: every arm of every prompt that was sampled, with its verdict in words."""
    groups: dict[tuple[str, str], list[Cell]] = {}
    for cell in run.cells:
        if cell.key.scenario == scenario and is_sampled(cell) and cell.trials:
            groups.setdefault((cell.key.prompt, cell.key.adapter), []).append(cell)
    if not groups:
        return
    verdicts = readings(run)
    for (prompt, adapter), cells in groups.items():
        yield from _group(prompt, adapter, cells, verdicts, style)


def _group(
    prompt: str, adapter: str, cells: Sequence[Cell], verdicts: Mapping[CellKey, Compared], style: Style
) -> Iterator[Line]:
    bare = next((cell for cell in cells if cell.key.arm == BARE), None)
    rates = [declared_rate(cell, bare) for cell in cells]
    for event in dict.fromkeys(rate.event for rate in rates):
        head = join([named(prompt), named(adapter), named(event)], own(" · ", style))
        yield (Piece(safe("    ")), Piece(head, "dim"))
        rows = [(cell, rate) for cell, rate in zip(cells, rates, strict=True) if rate.event == event]
        names = [named(cell.key.arm) for cell, _ in rows]
        shares = [share(rate, style, wanted=_wanted(cell)) for cell, rate in rows]
        column, wide = max(map(width_of, names)), max(map(width_of, shares))
        for (cell, rate), name, told in zip(rows, names, shares, strict=True):
            text = SafeText(f"{pad(name, column)}  {bar(rate.k, rate.n, style)}  ")
            verdict = verdicts.get(cell.key)
            if verdict is None:
                yield (Piece(safe("      ")), Piece(text), Piece(told))
            else:
                words = Piece(middle(verdict.words, _WORDS, style), _LOOKS[verdict.verdict])
                yield (Piece(safe("      ")), Piece(text), Piece(pad(told, wide)), Piece(safe("  ")), words)


_LOOKS = {
    Verdict.DRIFT: "error",
    Verdict.UNDECIDED: "warning",
    Verdict.NO_VERDICT: "warning",
    Verdict.SAME: "good",
}


def _wanted(cell: Cell) -> bool:
    gate = gate_of(cell)
    return gate is not None and gate.min_rate is not None
