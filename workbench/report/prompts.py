"""Every prompt on one line: what each adapter did with it, and on which arms that differs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from workbench.compare.rates import Rate
from workbench.core.cell import BARE, Cell, Run
from workbench.core.decision import Outcome
from workbench.core.finding import Finding, Kind, Severity
from workbench.core.text import SafeText, join, safe
from workbench.report.facts import outcome_words
from workbench.report.measure import named
from workbench.report.rates import declared_rate, is_sampled
from workbench.report.writer import Piece, Style, glyph

__all__ = ["NOTHING_TYPED", "PromptLine", "mark", "prompt_lines", "results"]

NOTHING_TYPED = safe("(nothing typed)")

_MOST_ARMS = 3
_MOST_TOOLS = 3
_OPEN = (Kind.UNDECIDED, Kind.NO_VERDICT)


@dataclass(slots=True)
class PromptLine:
    """One prompt and its cells, by adapter and then arm, in the order of the run.

    `worst` is its gravest finding; None where it has none that is more than a note.
    """

    scenario: str
    label: str
    typed: str
    cells: dict[str, list[Cell]] = field(default_factory=dict)
    worst: Severity | None = None
    open: bool = False


def prompt_lines(run: Run, findings: Sequence[Finding]) -> Mapping[str, list[PromptLine]]:
    """The prompts of each scenario, all in the order of the run."""
    lines: dict[tuple[str, str], PromptLine] = {}
    for cell in run.cells:
        key = cell.key
        line = lines.setdefault(
            (key.scenario, key.prompt), PromptLine(key.scenario, key.prompt, cell.delivery.typed)
        )
        line.cells.setdefault(key.adapter, []).append(cell)
    for finding in findings:
        found = lines.get((finding.scenario, finding.prompt or ""))
        if found is None:
            continue
        if finding.severity is Severity.ERROR or found.worst is Severity.ERROR:
            found.worst = Severity.ERROR
        elif finding.severity is Severity.WARNING:
            found.worst = Severity.WARNING
            found.open = found.open or finding.kind in _OPEN
    scenarios: dict[str, list[PromptLine]] = {}
    for line in lines.values():
        scenarios.setdefault(line.scenario, []).append(line)
    return scenarios


def mark(line: PromptLine, style: Style) -> Piece:
    """A prompt's mark: wrong, open, to be looked at, or well; none of these where nothing was run."""
    if line.worst is Severity.ERROR:
        return Piece(glyph("✗", style), "error")
    if line.open:
        return Piece(safe("?"), "warning")
    if line.worst is Severity.WARNING:
        return Piece(safe("!"), "warning")
    if not any(cell.trials for cells in line.cells.values() for cell in cells):
        return Piece(safe("-"), "dim")
    return Piece(glyph("✓", style), "good")


def results(line: PromptLine, *, names_arms: bool = True) -> Iterator[tuple[SafeText, SafeText]]:
    """Adapters and what they did, those that did the same as one: `hold, but pass on channel`.

    Without `names_arms` as short as can be: `hold, 1 of 2 arms differs`.
    """
    alike: dict[SafeText, list[SafeText]] = {}
    for adapter, cells in line.cells.items():
        alike.setdefault(_result(cells, names_arms=names_arms), []).append(named(adapter))
    for result, adapters in alike.items():
        yield join(adapters, ", "), result


def _result(cells: Sequence[Cell], *, names_arms: bool) -> SafeText:
    if all(map(is_sampled, cells)) and any(cell.trials for cell in cells):
        return _rates(cells, names_arms=names_arms)
    base = next((cell for cell in cells if cell.key.arm == BARE), cells[0])
    arms: dict[SafeText, list[SafeText]] = {_word(base): []}
    for cell in cells:
        arms.setdefault(_word(cell), []).append(named(cell.key.arm))
    (word, same), *others = arms.items()
    if not others:
        number = {1: "", 2: " on both arms"}.get(len(same), f" on all {len(same)} arms")
        return SafeText(f"{word}{number}")
    if not names_arms:
        count = len(cells) - len(same)
        return SafeText(f"{word}, {count} of {len(cells)} arms {'differs' if count == 1 else 'differ'}")
    differ = [SafeText(f"{other} on {_arms(names, len(cells))}") for other, names in others]
    return SafeText(f"{word}, but {join(differ, '; ')}")


def _rates(cells: Sequence[Cell], *, names_arms: bool) -> SafeText:
    """`calls any tool 0/60 bare, 12/60 attached`."""
    bare = next((cell for cell in cells if cell.key.arm == BARE), None)
    rates = [(cell, declared_rate(cell, bare)) for cell in cells if cell.trials]
    told: list[SafeText] = []
    for event in dict.fromkeys(rate.event for _, rate in rates):
        members = [(cell, rate) for cell, rate in rates if rate.event == event]
        if not names_arms:
            members = [members[0], *([max(members[1:], key=_height)] if members[1:] else [])]
        shown = [
            SafeText(f"{rate.k}/{rate.n} {named(cell.key.arm)}") for cell, rate in members[: _MOST_ARMS + 1]
        ]
        more = len(members) - len(shown)
        if more > 0:
            shown.append(safe(f"{more} more arms"))
        told.append(SafeText(f"{named(event)} {join(shown, ', ')}"))
    return join(told, "; ")


def _height(member: tuple[Cell, Rate]) -> float:
    _, rate = member
    return rate.k / rate.n if rate.n else -1.0


def _arms(names: Sequence[SafeText], total: int) -> SafeText:
    return join(names, ", ") if len(names) <= _MOST_ARMS else safe(f"{len(names)} of {total} arms")


def _word(cell: Cell) -> SafeText:
    """The outcome of a cell, and the tools that it fires."""
    if len(cell.outcomes) > 1:
        shares = [SafeText(f"{named(outcome)} {n}/{len(cell.ok)}") for outcome, n in cell.outcomes.items()]
        return join(shares, " ")
    decision = cell.decision
    word = outcome_words(decision.outcome if decision else None, list(cell.statuses), len(cell.trials))
    if decision and decision.outcome is Outcome.FIRE:
        called = list(dict.fromkeys(decision.called))
        more = [safe(f"{len(called) - _MOST_TOOLS:,} more")] if len(called) > _MOST_TOOLS else []
        names = join([*map(named, called[:_MOST_TOOLS]), *more], " + ")
        word = SafeText(f"{word} {names}".rstrip())
    if cell.ok and cell.failed:
        word = SafeText(f"{word} ({cell.failed} of {len(cell.trials)} failed)")
    return word
