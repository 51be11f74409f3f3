"""The comparison of two cells as documents, one a tab, and their differences in reading order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from workbench.compare.calls import CallRow, call_rows
from workbench.compare.pair import Comparison, compare
from workbench.compare.readers import paired
from workbench.compare.rows import Row
from workbench.compare.scores import score_rows
from workbench.compare.window import PlacedWindow
from workbench.core.cell import BARE, Cell
from workbench.core.decision import Decision, Score
from workbench.core.finding import Finding
from workbench.core.relation import Relation, broken
from workbench.core.text import SafeText, visible
from workbench.tui.budgets import NO_BUDGETS, Budgets
from workbench.tui.view.answers import answers_section
from workbench.tui.view.calls import calls_section
from workbench.tui.view.decision import decision_section, matches_section
from workbench.tui.view.headline import headline, sign
from workbench.tui.view.ink import Tone, ink
from workbench.tui.view.lanes.nothing import Lanes, has_exchange, no_lanes
from workbench.tui.view.log import log_section
from workbench.tui.view.paper import Document
from workbench.tui.view.rates import Judgement, is_sampled, rates_section
from workbench.tui.view.request import request_section
from workbench.tui.view.rows import Across, DocRow, Full, Pair, Words, note
from workbench.tui.view.scan import scan_of, scan_rows
from workbench.tui.view.scores import scores_section
from workbench.tui.view.sides import Sides, sides_of
from workbench.tui.view.tabs import Tab
from workbench.tui.view.turn import turn_rows, turn_section
from workbench.tui.view.window import window_section, window_texts

__all__ = ["Document", "Keys", "compare_cells", "differences_of"]


class Keys(NamedTuple):
    """Keys that sentences of a comparison name: the one that runs its cell, and the one that opens folds."""

    again: SafeText = SafeText("")
    opens: SafeText = SafeText("")


Windows = tuple[PlacedWindow | None, PlacedWindow | None]
"""Of the baseline and of the variant; None: not known."""

MOST_ANSWERS = 8
"""Different answers on the tab of calls; that of rates has more of them."""

NO_KEYS = Keys()
"""For a page that nobody can press a key on."""

NOT_JUDGED = Judgement()
"""For answers whose rates nobody has looked at yet."""


def compare_cells(
    baseline: Cell | None,
    variant: Cell,
    findings: Sequence[Finding] = (),
    stale: bool = False,
    mixed: bool = False,
    sides: Sides | None = None,
    keys: Keys = NO_KEYS,
    judgement: Judgement = NOT_JUDGED,
    budgets: Budgets = NO_BUDGETS,
) -> Document:
    """All tabs of two cells held against each other. Slow on huge turns.

    `sides` says what the two are; without it they are a bare arm and a delivery of one run. `keys` are
    those that its sentences name, `judgement` what was made of the rates of both, `budgets` those of lanes.
    """
    sides = sides or sides_of(baseline.key if baseline else None, variant.key)
    doubts = _doubts(baseline, variant, findings, sides, stale=stale, mixed=mixed, again=keys.again)
    tabs = _tabs(baseline, variant, doubts, sides, judgement)
    names = (sides.names[0] if baseline is not None else None, sides.names[1])
    drawn = {
        tab: Document(
            names, tuple(rows), differences_of(rows), variant, baseline, common=sides.common, opens=keys.opens
        )
        for tab, rows in tabs.items()
    }
    lanes = _lanes(baseline, variant, sides, budgets)
    drawn[Tab.LANES] = replace(
        drawn[Tab.REQUEST],
        rows=tuple(lanes.rows),
        differences=differences_of(lanes.rows),
        stops=tuple(lanes.stops),
    )
    return replace(drawn[Tab.WINDOW], tabs=drawn)


def _lanes(baseline: Cell | None, variant: Cell, sides: Sides, budgets: Budgets) -> Lanes:
    """The tab of lanes; what accounts for requests is brought in where one was sent."""
    if not any(cell is not None and has_exchange(cell) for cell in (baseline, variant)):
        return no_lanes(sides.infos[1])
    from workbench.tui.view.lanes.section import lanes_section

    return lanes_section(baseline, variant, sides.infos, budgets)


def _tabs(
    baseline: Cell | None, variant: Cell, rows: list[DocRow], sides: Sides, judgement: Judgement
) -> dict[Tab, list[DocRow]]:
    """The rows of each tab; `rows` stand above the first."""
    comparison = compare(baseline, variant)
    before, after = _decision(baseline), variant.decision
    same = before is not None and after is not None and not broken(Relation.EQUAL, before, after)
    # Of what samples the rates say whether it differs, not the answer that came most often.
    same = same or (is_sampled(baseline) and is_sampled(variant))
    rows += decision_section(baseline, variant, same)
    turns = _turns(baseline, variant, comparison)
    read = [*_window(baseline, variant, comparison, turns), *matches_section(baseline, variant)]
    log = log_section(baseline, variant)
    # A failure is explained by what was printed, and not by what was read.
    window = [*rows, *log, *read] if after is None else [*rows, *read, *log]
    # The same delivery must be the same turn; other deliveries are meant to differ.
    strict = baseline is not None and _same_delivery(baseline, variant)
    names = (sides.names[0] if baseline is not None else None, sides.names[1])
    return {
        Tab.WINDOW: window,
        Tab.SCORES: scores_section(baseline, variant, score_rows(_scores(before), _scores(after)), names),
        Tab.CALLS: [
            *calls_section(baseline, variant, _calls(comparison, before, after)),
            *_answers(baseline, variant),
        ],
        Tab.RATES: rates_section(baseline, variant, names, judgement),
        Tab.TURN: turn_section(baseline, variant, turns, strict),
        Tab.REQUEST: request_section(baseline, variant, sides.infos, strict),
    }


def _doubts(
    baseline: Cell | None,
    variant: Cell,
    findings: Sequence[Finding],
    sides: Sides,
    *,
    stale: bool,
    mixed: bool,
    again: str,
) -> list[DocRow]:
    """What was found, and what speaks against a comparison."""
    rows: list[DocRow] = [note(sides.lacking, Tone.WARNING)] if sides.lacking else []
    if variant.delivery.policy is not None:
        handed = variant.decision.handed if variant.decision else None
        amount = "" if handed is None else f", which handed on {len(handed):,} characters"
        rows.append(note(visible(f"through the policy {variant.delivery.policy}{amount}")))
    rows += [Full(Words.of(sign(finding), ink(" "), *headline(finding))) for finding in findings]
    known = {(finding.kind, finding.headline) for finding in findings}
    for gone in sides.findings:
        if (gone.kind, gone.headline) not in known:
            rows.append(Full(Words.of(ink("- was ", Tone.MUTED), sign(gone), ink(" "), *headline(gone))))
    if stale:
        changed = "! what would be sent has changed since this answer"
        rows.append(note(f"{changed}: {again} runs it again" if again else changed, Tone.WARNING))
    if mixed:
        apart = "! the two sides are of different runs"
        rows.append(note(f"{apart}: {again} runs both again" if again else apart, Tone.WARNING))
    if baseline is None and variant.key.arm != BARE and not sides.pinned:
        rows.append(note("! bare has not been run, so there is nothing to hold this against", Tone.WARNING))
    return rows


def _window(
    baseline: Cell | None, variant: Cell, comparison: Comparison, turns: Sequence[Row]
) -> list[DocRow]:
    windows = (comparison.baseline_window, comparison.variant_window)
    deciding = _of_reader(baseline, variant, windows, comparison, turns)
    return [*deciding, *_other_readers(baseline, variant, windows)]


def _other_readers(baseline: Cell | None, variant: Cell, deciding: Windows) -> list[DocRow]:
    """What each reader that did not decide was given, one by one; nothing where there is but one."""
    rows: list[DocRow] = []
    for pair in paired(baseline, variant):
        windows = (pair.baseline, pair.variant)
        if windows == deciding:
            continue
        if baseline is not None and None in windows:
            side = baseline if pair.variant is None else variant
            words = f"{pair.tap or 'a reader'} was called on {side.key.arm} alone"
            rows.append(note(visible(words), Tone.WARNING))
        if pair.variant is None:
            continue
        before = None if pair.baseline is None else baseline
        authors = {part.author for window in windows if window is not None for part in window.parts}
        rows += window_section(before, variant, windows, authors, window_texts(*windows, pair.rows))
    return rows


def _of_reader(
    baseline: Cell | None, variant: Cell, windows: Windows, comparison: Comparison, turns: Sequence[Row]
) -> list[DocRow]:
    """What the reader that decided was given."""
    before = scan_of(baseline, windows[0]) if baseline is not None else None
    after = scan_of(variant, windows[1])
    if after is None or (baseline is not None and before is None):
        # What was read is more than parts of the turn, so that it is shown by itself.
        known = [window for window in windows if window is not None]
        authors = {part.author for window in known for part in window.parts}
        texts = window_texts(*windows, comparison.window_rows)
        return window_section(baseline, variant, windows, authors, texts)
    shown = [scan.turn for scan in (before, after) if scan is not None]
    authors = {region.author for turn in shown for region in turn.regions}
    return window_section(baseline, variant, windows, authors, scan_rows(before, after, turns))


def _turns(baseline: Cell | None, variant: Cell, comparison: Comparison) -> tuple[Row, ...]:
    """Both turns, aligned: once, where the windows are the whole of them."""
    turn, rows = variant.delivery.turn, comparison.window_rows
    if baseline is None:
        return turn_rows(None, turn)
    windows = (comparison.baseline_window, comparison.variant_window)
    read = tuple(window.text if window is not None else None for window in windows)
    if rows is not None and read == (baseline.delivery.turn.text, turn.text):
        return rows
    return turn_rows(baseline.delivery.turn, turn)


def _same_delivery(baseline: Cell, variant: Cell) -> bool:
    one, other = baseline.key, variant.key
    return (one.scenario, one.prompt, one.arm) == (other.scenario, other.prompt, other.arm)


def _answers(baseline: Cell | None, variant: Cell) -> list[DocRow]:
    """The answers of what samples: the one that came most often is not all that there is."""
    if not is_sampled(baseline) and not is_sampled(variant):
        return []
    return answers_section(baseline, variant, MOST_ANSWERS)


def _decision(cell: Cell | None) -> Decision | None:
    return cell.decision if cell is not None else None


def _scores(decision: Decision | None) -> tuple[Score, ...] | None:
    return decision.scores if decision is not None else None


def _calls(comparison: Comparison, before: Decision | None, after: Decision | None) -> tuple[CallRow, ...]:
    """Matched calls; where one side failed, or there is none, the calls of the other by themselves."""
    if comparison.calls is not None:
        return comparison.calls
    return call_rows(before.calls if before else (), after.calls if after else ())


def differences_of(rows: Sequence[DocRow]) -> tuple[tuple[int, int], ...]:
    """Runs of rows that differ, each one difference."""
    found: list[tuple[int, int]] = []
    for number, row in enumerate(rows):
        if not isinstance(row, Pair | Across) or not row.differs:
            continue
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return tuple(found)
