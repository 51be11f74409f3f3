"""Two runs, cell by cell: what changed between them, and which findings came and went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from workbench.compare.events import declared_event
from workbench.compare.margin_shift import MarginShift, margin_shifts
from workbench.compare.margins import lead
from workbench.compare.pair import windows_of
from workbench.compare.rate_change import RateFacts, changed_rates
from workbench.compare.rates import called_by, rate_of
from workbench.core.cell import BARE, Cell, CellKey, Run
from workbench.core.decision import Decision, Span, ToolCall, canonical
from workbench.core.finding import Finding, Severity

__all__ = [
    "HEAD",
    "CellChange",
    "CellFacts",
    "Difference",
    "FindingFacts",
    "RunDiff",
    "RunFacts",
    "WindowFacts",
    "cell_facts",
    "diff_cells",
    "diff_runs",
    "facts_of",
]

HEAD = 80
"""Code points of a window that a report keeps."""


@dataclass(frozen=True, slots=True)
class WindowFacts:
    """What is known of a window. `text` None: only its length and its head are."""

    length: int
    head: str
    text: str | None = None
    spans: tuple[Span, ...] | None = None
    user_coverage: float | None = None
    foreign_share: float | None = None


@dataclass(frozen=True, slots=True)
class CellFacts:
    """A cell as far as a report tells of it. `endings` counts outcomes, and how the other trials ended.

    `outcome` and `calls` are those of the most frequent decision; None where no trial has one. `rate`, of a
    sampled cell: two of them are compared by that, since single answers differ by chance. `margin` is that
    of the best route, None where no route has one.
    """

    key: CellKey
    typed: str
    endings: Mapping[str, int]
    outcome: str | None = None
    calls: tuple[ToolCall, ...] = ()
    window: WindowFacts | None = None
    rate: RateFacts | None = None
    margin: float | None = None


@dataclass(frozen=True, slots=True)
class FindingFacts:
    """A finding without its evidence. `accepts` is the kind that it accepts, or was to accept."""

    id: str
    kind: str
    severity: Severity
    scenario: str
    prompt: str | None
    arm: str | None
    adapter: str
    headline: str
    accepts: str | None = None


@dataclass(frozen=True, slots=True)
class RunFacts:
    """A stored run, or what a report of one still says."""

    id: str
    started: str
    cells: tuple[CellFacts, ...] = ()
    findings: tuple[FindingFacts, ...] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not the same: `what` it is, and both sides in words; they may quote foreign text."""

    what: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class CellChange:
    """A cell that both runs have. Its keys differ where a prompt has another number, or an id now."""

    before: CellFacts
    after: CellFacts
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class RunDiff:
    """All that differs from run `before` to run `after`. `same` counts the cells that do not.

    `margins` may move where no cell decides otherwise.
    """

    before: RunFacts
    after: RunFacts
    changed: tuple[CellChange, ...] = ()
    same: int = 0
    only_before: tuple[CellFacts, ...] = ()
    only_after: tuple[CellFacts, ...] = ()
    new: tuple[FindingFacts, ...] = ()
    gone: tuple[FindingFacts, ...] = ()
    margins: tuple[MarginShift, ...] = ()

    @property
    def any(self) -> bool:
        """Whether anything differs."""
        cells = self.changed or self.only_before or self.only_after
        return bool(cells or self.new or self.gone or self.margins)


def facts_of(run: Run, findings: Iterable[Finding]) -> RunFacts:
    """What `diff_runs` looks at in a stored run."""
    bare = {
        (cell.key.scenario, cell.key.prompt, cell.key.adapter): cell
        for cell in run.cells
        if cell.key.arm == BARE
    }
    cells = tuple(
        cell_facts(cell, bare.get((cell.key.scenario, cell.key.prompt, cell.key.adapter)))
        for cell in run.cells
    )
    return RunFacts(run.id, run.started, cells, tuple(map(_finding_facts, findings)))


def cell_facts(cell: Cell, bare: Cell | None) -> CellFacts:
    """What is compared of a cell. `bare` is the bare arm beside it, which says what event is counted."""
    decision = cell.decision
    failed = {status: count for status, count in cell.statuses.items() if status != "ok"}
    return CellFacts(
        cell.key,
        cell.delivery.typed,
        {**cell.outcomes, **failed},
        decision.outcome.value if decision else None,
        decision.calls if decision else (),
        _window_facts(cell, decision),
        _rate_facts(cell, bare) if cell.delivery.samples is not None else None,
        lead(decision.scores) if decision else None,
    )


def _rate_facts(cell: Cell, bare: Cell | None) -> RateFacts:
    known = called_by(bare) if bare is not None else frozenset()
    rate = rate_of(cell, declared_event(cell.delivery), known)
    return RateFacts(rate.event, rate.k, rate.n)


def _window_facts(cell: Cell, decision: Decision | None) -> WindowFacts | None:
    windows = windows_of(cell) if decision else None
    if not windows:
        return None
    window = windows[-1]
    return WindowFacts(
        len(window.text),
        window.text[:HEAD],
        window.text,
        window.spans,
        window.user_coverage,
        window.foreign_share,
    )


def _finding_facts(finding: Finding) -> FindingFacts:
    return FindingFacts(
        finding.id,
        finding.kind.value,
        finding.severity,
        finding.scenario,
        finding.prompt,
        finding.arm,
        finding.adapter,
        finding.headline,
        finding.accepts.value if finding.accepts else None,
    )


def diff_runs(before: RunFacts, after: RunFacts) -> RunDiff:
    """Cells are paired by scenario, arm, adapter and the prompt's id; without an id by what is typed."""
    pairs = _pairs(before.cells, after.cells)
    taken = {id(one) for pair in pairs for one in pair}
    rates = _rates(pairs)
    changes = [CellChange(one, other, tuple(_differences(one, other, rates))) for one, other in pairs]
    names: dict[tuple[str, str], object] = {_prompt(cell.key): ("gone", cell.typed) for cell in before.cells}
    names |= {_prompt(one.key): other.key.prompt for one, other in pairs}
    old, new = _named(before.findings, names), _named(after.findings, {})
    return RunDiff(
        before,
        after,
        changed=tuple(change for change in changes if change.differences),
        same=sum(1 for change in changes if not change.differences),
        only_before=tuple(cell for cell in before.cells if id(cell) not in taken),
        only_after=tuple(cell for cell in after.cells if id(cell) not in taken),
        new=tuple(finding for name, finding in new.items() if name not in old),
        gone=tuple(finding for name, finding in old.items() if name not in new),
        margins=margin_shifts(
            (other.key, one.margin, other.margin)
            for one, other in pairs
            if one.margin is not None and other.margin is not None
        ),
    )


def diff_cells(before: CellFacts, after: CellFacts) -> CellChange:
    """Any two cells against each other: two arms, two adapters, one cell of two runs."""
    found = list(_differences(before, after, _rates([(before, after)])))
    if before.margin is not None and after.margin is not None and before.margin != after.margin:
        found.append(Difference("margin", f"{before.margin:+.4g}", f"{after.margin:+.4g}"))
    return CellChange(before, after, tuple(found))


_Name = tuple[object, ...]


def _pairs(before: Sequence[CellFacts], after: Sequence[CellFacts]) -> list[tuple[CellFacts, CellFacts]]:
    """Those of one name first; what is left goes by its text alone, so that an id may come or go."""
    first = _paired(_by_name(before, ids=True), _by_name(after, ids=True))
    taken = {id(cell) for pair in first for cell in pair}
    left = [[cell for cell in cells if id(cell) not in taken] for cells in (before, after)]
    found = [*first, *_paired(_by_name(left[0], ids=False), _by_name(left[1], ids=False))]
    places = {id(cell): number for number, cell in enumerate(after)}
    return sorted(found, key=lambda pair: places[id(pair[1])])


def _paired(
    before: Mapping[_Name, CellFacts], after: Mapping[_Name, CellFacts]
) -> list[tuple[CellFacts, CellFacts]]:
    return [(before[name], cell) for name, cell in after.items() if name in before]


def _by_name(cells: Iterable[CellFacts], *, ids: bool) -> dict[_Name, CellFacts]:
    """Cells by what they are called; the second prompt of one text has a name of its own."""
    numbers: Counter[_Name] = Counter()
    named: dict[_Name, CellFacts] = {}
    for cell in cells:
        key = cell.key
        # a label of digits is the number of a prompt without an id
        prompt = key.prompt if ids and not key.prompt.isdecimal() else ("typed", cell.typed)
        name = (key.scenario, prompt, key.arm, key.adapter)
        named[(*name, numbers[name])] = cell
        numbers[name] += 1
    return named


def _prompt(key: CellKey) -> tuple[str, str]:
    return (key.scenario, key.prompt)


def _named(
    findings: Iterable[FindingFacts], names: Mapping[tuple[str, str], object]
) -> dict[_Name, FindingFacts]:
    """Findings by what they are about, the prompt by the name that it has now."""
    named: dict[_Name, FindingFacts] = {}
    for finding in findings:
        prompt: object = finding.prompt
        if finding.prompt is not None:
            prompt = names.get((finding.scenario, finding.prompt), prompt)
        about = (finding.scenario, prompt, finding.arm, finding.adapter)
        named[(finding.kind, finding.accepts, *about)] = finding
    return named


def _rates(pairs: Sequence[tuple[CellFacts, CellFacts]]) -> Mapping[CellKey, bool]:
    """Of the sampled cells, by the later one's key, whether the rate is another one."""
    sampled = {b.key: (a.rate, b.rate) for a, b in pairs if a.rate is not None and b.rate is not None}
    return dict(zip(sampled, changed_rates(list(sampled.values())), strict=True))


def _differences(before: CellFacts, after: CellFacts, rates: Mapping[CellKey, bool]) -> Iterator[Difference]:
    if before.typed != after.typed:
        yield Difference("typed", before.typed, after.typed)
    if before.rate is not None and after.rate is not None:
        if rates[after.key]:
            yield Difference("rate", before.rate.words, after.rate.words)
        return
    if before.outcome != after.outcome or set(before.endings) != set(after.endings):
        yield Difference("outcome", _endings(before), _endings(after))
    if before.outcome is None or after.outcome is None:
        return  # what did not answer read nothing and called nothing that could be compared
    tools = [Counter(call.name for call in cell.calls) for cell in (before, after)]
    if tools[0] != tools[1]:
        yield Difference("tools", _tools(before.calls), _tools(after.calls))
    elif _arguments(before.calls) != _arguments(after.calls):
        yield Difference("arguments", _arguments(before.calls), _arguments(after.calls))
    yield from _window_differences(before.window, after.window)


def _window_differences(before: WindowFacts | None, after: WindowFacts | None) -> Iterator[Difference]:
    if _content(before, after) != _content(after, before):
        yield Difference("window", _read(before), _read(after))
    if before is None or after is None:
        return
    for what, one, other in (
        ("coverage", before.user_coverage, after.user_coverage),
        ("foreign share", before.foreign_share, after.foreign_share),
    ):
        if _share(one) != _share(other):
            yield Difference(what, _share(one), _share(other))


def _content(window: WindowFacts | None, other: WindowFacts | None) -> tuple[object, ...] | None:
    """What of a window can be held against the other one: all of it, or what a report keeps."""
    if window is None:
        return None
    whole = other is not None and other.text is not None
    return (window.length, window.head, window.text if whole else None)


def _endings(cell: CellFacts) -> str:
    """`hold`, or with counts where not all trials ended alike."""
    if not cell.endings:
        return "not run"
    if len(cell.endings) == 1:
        return next(iter(cell.endings))
    total = sum(cell.endings.values())
    return ", ".join(f"{ending} {count}/{total}" for ending, count in cell.endings.items())


def _tools(calls: Sequence[ToolCall]) -> str:
    counts = Counter(call.name for call in calls)
    return ", ".join(f"{name} x{n}" if n > 1 else name for name, n in counts.items()) or "none"


def _arguments(calls: Sequence[ToolCall]) -> str:
    return ", ".join(sorted(f"{call.name} {canonical(call.arguments)}" for call in calls))


def _read(window: WindowFacts | None) -> str:
    if window is None:
        return "not reported"
    return f"{window.length:,} '{window.head}'" if window.length else "nothing (empty)"


def _share(share: float | None) -> str:
    return "unknown" if share is None else f"{share:.4f}"
