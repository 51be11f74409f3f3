"""A run of one line as a few lines of safe text: what each adapter did bare, and where that changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from workbench.compare.evidence import side
from workbench.compare.findings import find
from workbench.compare.pair import compare, window_of
from workbench.core.cell import BARE, Cell, CellKey, Run
from workbench.core.decision import Decision, Json, Outcome, Score
from workbench.core.finding import Finding, Severity
from workbench.core.text import SafeText, join, safe
from workbench.core.turn import Author
from workbench.replay.arms import PASTE
from workbench.report.authors import place_of, whose
from workbench.report.facts import outcome_words
from workbench.report.measure import cut, middle, named, pad, quoted, width_of, wrapped
from workbench.report.rates import declared_rate, is_sampled, share
from workbench.report.writer import Line, Piece, Style, glyph, own

__all__ = ["answer_lines"]

_LABEL = 24
_HEAD = 48
_PHRASE = 60
_SAID = 200
_MOST = 6
_BEST = 3


def answer_lines(run: Run, style: Style) -> Iterator[Line]:
    """For each adapter a line for bare, one for each arm that differs, and one that names the others.

    With a paste, arms on envelopes are held against the line as it stands, and the last lines say who
    read what was pasted.
    """
    marks = _marks(run)
    rows: list[_Row] = []
    for adapter in run.adapters:
        rows += _rows([cell for cell in run.cells if cell.key.adapter == adapter], marks, style)
    column = min(_LABEL, max((width_of(row.label) for row in rows), default=0))
    for row in rows:
        yield from row.drawn(column, style)
    yield from _pasted(run, style)
    done, planned = sum(1 for cell in run.cells if cell.trials), len(run.cells)
    if run.interrupted:
        yield (Piece(safe(f"stopped: {done} of {planned} cells have an answer"), "warning"),)


@dataclass(frozen=True, slots=True)
class _Row:
    """A label in the left column, and parts with a dot between them."""

    label: SafeText
    parts: tuple[Piece, ...]
    look: str = ""

    def drawn(self, column: int, style: Style) -> Iterator[Line]:
        """On one line, or on a terminal on as many as it takes, each behind the column."""
        dot = Piece(own(" · ", style), "dim")
        line = [piece for part in self.parts for piece in (dot, part)][1:]
        room = None if style.width is None else max(20, style.width - column - 2)
        label = cut(self.label, _LABEL, style)
        for number, part in enumerate(wrapped(tuple(line), room)):
            head = pad(label if not number else safe(""), column)
            yield (Piece(head, self.look if not number else ""), Piece(safe("  ")), *part)


@dataclass(frozen=True, slots=True)
class _Mark:
    """The worst that was found in a cell, and the kinds of all of it."""

    severity: Severity
    kinds: tuple[str, ...]


_RANK = (Severity.ERROR, Severity.WARNING, Severity.NOTE)


def _marks(run: Run) -> Mapping[CellKey, _Mark]:
    found: dict[CellKey, list[Finding]] = {}
    for finding in _found(run):
        if finding.prompt is not None and finding.arm is not None:
            key = CellKey(finding.scenario, finding.prompt, finding.arm, finding.adapter)
            found.setdefault(key, []).append(finding)
    return {
        key: _Mark(
            min((finding.severity for finding in findings), key=_RANK.index),
            tuple(dict.fromkeys(finding.kind.value for finding in findings)),
        )
        for key, findings in found.items()
    }


def _found(run: Run) -> Iterator[Finding]:
    """What is wrong: the paste against the words without it, the envelopes against the line as it stands."""
    if not any(cell.key.arm == PASTE for cell in run.cells):
        yield from find(run)
        return
    alone = tuple(cell for cell in run.cells if cell.key.arm in (BARE, PASTE))
    yield from find(replace(run, cells=alone))
    whole = tuple(_as_bare(cell) for cell in run.cells if cell.key.arm != BARE)
    yield from (finding for finding in find(replace(run, cells=whole)) if finding.arm != BARE)


def _as_bare(cell: Cell) -> Cell:
    """The paste's cell in the place of the bare one; any other as it is."""
    if cell.key.arm != PASTE:
        return cell
    return replace(cell, delivery=replace(cell.delivery, key=replace(cell.key, arm=BARE)))


def _rows(cells: Sequence[Cell], marks: Mapping[CellKey, _Mark], style: Style) -> Iterator[_Row]:
    """One adapter's."""
    by_arm = {cell.key.arm: cell for cell in cells}
    bare, paste = by_arm.pop(BARE, None), by_arm.pop(PASTE, None)
    if bare is not None:
        alone = (Piece(safe("without what was pasted"), "dim"),) if paste is not None else ()
        told = (*alone, *_parts(bare, marks.get(bare.key), style, window=not _reads_all(bare)))
        yield _Row(named(bare.key.adapter), told, "strong")
    if paste is not None:
        yield _varied(paste, marks, style)
    same: list[SafeText] = []
    for cell in by_arm.values():
        if _is_same(paste or bare, cell, marks):
            same.append(named(cell.key.arm))
        else:
            yield _varied(cell, marks, style)
    if same:
        names = join(same, ", ")
        yield _Row(safe("  ="), (Piece(SafeText(f"the same on {names}"), "dim"),), "dim")


def _is_same(base: Cell | None, cell: Cell, marks: Mapping[CellKey, _Mark]) -> bool:
    """Whether an arm did just what the line itself did, and nothing more is wrong with it."""
    told = marks[base.key].kinds if base is not None and base.key in marks else ()
    found = marks[cell.key].kinds if cell.key in marks else ()
    return compare(base, cell).same and set(found) <= set(told)


def _varied(cell: Cell, marks: Mapping[CellKey, _Mark], style: Style) -> _Row:
    mark = marks.get(cell.key)
    sign = _sign(mark, style)
    look = mark.severity.value if mark else ""
    return _Row(SafeText(f"  {sign} {named(cell.key.arm)}"), _parts(cell, mark, style, window=True), look)


def _sign(mark: _Mark | None, style: Style) -> SafeText:
    if mark is None:
        return safe("~")
    return (
        glyph("✗", style)
        if mark.severity is Severity.ERROR
        else safe("!" if mark.severity is Severity.WARNING else "~")
    )


def _reads_all(cell: Cell) -> bool:
    """Whether the window is just what was sent; so also where none is known, and there is nothing to show."""
    window = window_of(cell)
    return window is None or window.text == cell.delivery.turn.text


def _parts(cell: Cell, mark: _Mark | None, style: Style, *, window: bool) -> tuple[Piece, ...]:
    decision = cell.decision
    parts = [_decided(cell)]
    if is_sampled(cell) and len(cell.trials) > 1 and decision is not None:
        parts.append(_rated(cell, style))
    if decision is None:
        failed = next((trial for trial in cell.trials if trial.error), None)
        if failed is not None and failed.error:
            parts.append(Piece(middle(failed.error, _SAID, style)))
    else:
        if window:
            parts.append(_read(cell, style))
        parts.append(_matched(cell, decision, style))
        if decision.scores is not None:
            parts.append(_scored(decision.scores, style))
        if decision.note:
            parts.append(Piece(middle(decision.note, _SAID, style), "dim"))
        if decision.flags:
            parts.append(Piece(middle(", ".join(decision.flags), _SAID, style), "warning"))
    if mark is not None:
        parts.append(Piece(safe(", ".join(mark.kinds)), mark.severity.value))
    return tuple(parts)


def _decided(cell: Cell) -> Piece:
    """Outcome and tools, and in how many trials, where they are not all of one kind."""
    decision = cell.decision
    word = outcome_words(decision.outcome.value if decision else None, list(cell.statuses), len(cell.trials))
    if decision is None:
        return Piece(word, "error" if cell.trials else "dim")
    tools = Counter(decision.tools)
    names = [SafeText(f"{named(tool)}{f' x{n}' if n > 1 else ''}") for tool, n in tools.items()]
    if len(names) > _MOST:
        names[_MOST:] = [safe(f"{len(names) - _MOST:,} more")]
    if names:
        between = safe(", declined " if decision.outcome is Outcome.HOLD else " ")
        word = join((word, between, join(names, ", ")))
    elif decision.outcome is Outcome.FIRE:
        word = join((word, safe(", no tool named")))
    return Piece(join((word, _counted(cell, decision))), "strong")


def _rated(cell: Cell, style: Style) -> Piece:
    """How often what samples did it: `calls any tool 3/20 ≤34%`, with what failed."""
    rate = declared_rate(cell, None)
    return Piece(SafeText(f"{named(rate.event)} {share(rate, style)}"), "strong")


def _counted(cell: Cell, decision: Decision) -> SafeText:
    trials = len(cell.trials)
    alike = sum(1 for t in cell.ok if t.decision and t.decision.identity() == decision.identity())
    if trials < 2 and not cell.failed:
        return safe("")
    words = f"{alike} of {trials} trials"
    words += f", {len(cell.ok) - alike} otherwise" if len(cell.ok) > alike else ""
    words += f", {cell.failed} failed" if cell.failed else ""
    return safe(f" ({words})")


def _read(cell: Cell, style: Style) -> Piece:
    """How much of what was read, whose that is, how much of the typed words, and how it begins."""
    window = window_of(cell)
    if window is None:
        return Piece(safe("window not reported"), "dim")
    if not window.text:
        return Piece(safe("read nothing (empty)"), "warning")
    owners: Counter[Author] = Counter()
    for part in window.parts:
        owners[part.author] += part.end - part.start
    foreign = [
        safe(f"{n:,} pasted") if _is_paste(author, cell) else SafeText(f"{n:,} {whose(author)}")
        for author, n in owners.most_common()
        if author is not Author.USER
    ]
    words = [safe(f"read {len(window.text):,}"), *foreign, _coverage(window.user_coverage)]
    head = quoted(cut(window.text, _HEAD, style), _HEAD * 12, style)
    return Piece(SafeText(f"{join(words, ', ')}: {head}"))


def _coverage(share: float | None) -> SafeText:
    if share is None:
        return safe("nothing was typed")
    if share >= 1:
        return safe("all of yours")
    percent = int(share * 100)
    return safe("none of yours" if share <= 0 else f"{percent or 'less than 1'} % of yours")


def _matched(cell: Cell, decision: Decision, style: Style) -> Piece:
    if decision.matches is None:
        return Piece(safe("matches not reported"), "dim")
    if not decision.matches:
        return Piece(safe("matched nothing"), "dim")
    told = side(cell)["matches"]
    matches = [match for match in told if isinstance(match, Mapping)] if isinstance(told, list) else []
    words = [_match(match, cell, style) for match in matches[:_MOST]]
    if len(matches) > _MOST:
        words.append(safe(f"{len(matches) - _MOST:,} more"))
    return Piece(join((safe("matched "), join(words, ", "))))


def _match(match: Mapping[str, Json], cell: Cell, style: Style) -> SafeText:
    """A phrase and its place; whose words it stands in, where they are not the user's."""
    text, start, end = match.get("text"), match.get("start"), match.get("end")
    words = quoted(text if isinstance(text, str) else str(match.get("rule")), _PHRASE, style)
    if isinstance(start, int) and isinstance(end, int):
        words = words + own(f" {start}–{end}", style)
    owner = match.get("author")
    if not isinstance(owner, str) or owner == Author.USER:
        return words
    place = safe("in what was pasted") if _is_paste(Author(owner), cell) else place_of(Author(owner))
    return SafeText(f"{words} {place}")


def _is_paste(author: Author, cell: Cell) -> bool:
    """Whether text that came from elsewhere can only be what was pasted: no file came with the line."""
    return author is Author.ATTACHMENT and not cell.delivery.turn.attachments


def _scored(scores: Iterable[Score], style: Style) -> Piece:
    """The best few, each with its threshold."""
    best = sorted(scores, key=lambda score: -score.deciding)
    if not best:
        return Piece(safe("no route scored"), "dim")
    words = []
    for score in best[:_BEST]:
        bound = "" if score.threshold is None else f" (needs {score.threshold:.3g})"
        words.append(SafeText(f"{named(score.route)} {score.deciding:.3f}{bound}"))
    if len(best) > _BEST:
        words.append(safe(f"{len(best) - _BEST:,} more"))
    return Piece(join((safe("scores "), join(words, ", "))))


def _pasted(run: Run, style: Style) -> Iterator[Line]:
    """The hole: what is pasted counts as typed, and who read it."""
    cells = [cell for cell in run.cells if cell.key.arm == PASTE]
    if not cells:
        return
    turn = cells[0].delivery.turn
    count = sum(region.end - region.start for region in turn.regions if region.author is Author.ATTACHMENT)
    words = f"{count:,} of the {len(turn.text):,} characters were pasted, and all of them count as typed"
    yield (
        Piece(
            safe(
                "! paste: ",
            ),
            "warning",
        ),
        Piece(safe(words)),
    )
    readers = [named(cell.key.adapter) for cell in cells if _read_paste(cell)]
    others = [named(cell.key.adapter) for cell in cells if _read_paste(cell) is False]
    if readers:
        names = join(readers, ", ")
        yield (Piece(SafeText(f"  {names} read what was pasted: so does every router that reads `typed`")),)
    if others:
        yield (Piece(SafeText(f"  {join(others, ', ')} read none of it"), "dim"),)


def _read_paste(cell: Cell) -> bool | None:
    """Whether the window holds pasted characters; None where no window is known."""
    window = window_of(cell)
    return None if window is None else any(part.author is Author.ATTACHMENT for part in window.parts)
