"""The lanes tab: the exact sum, the dark text, a row per lane, the growth, then the whole request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workbench.core.cell import AdapterInfo, Cell
from workbench.core.text import safe, visible
from workbench.core.trial import Trial
from workbench.lanes.ledger.measured import Measured
from workbench.lanes.requested import NotMeasured, Requested, Unmeasured, requested
from workbench.tui.budgets import Budgets
from workbench.tui.view.exchange import shown_trial, which_trial
from workbench.tui.view.ink import Line, Piece, Tone, ink
from workbench.tui.view.lanes.body import body_section, paired_parts
from workbench.tui.view.lanes.growth import growth_section
from workbench.tui.view.lanes.marks import Marks
from workbench.tui.view.lanes.nothing import Lanes, no_lanes
from workbench.tui.view.lanes.owners import Owners
from workbench.tui.view.lanes.table import are_own, table_section
from workbench.tui.view.lanes.totals import dark_section, doubles_section, sum_line, wrong_line
from workbench.tui.view.rows import DocRow, Heading, Pair, Words, note

__all__ = ["lanes_section"]

HINT = "The app tells with workbench.ledger: `workbench tap ledger` prints it, the README shows how to claim."


@dataclass(frozen=True, slots=True)
class _Side:
    """One side's request: of which trial, and its account or why there is none."""

    cell: Cell
    trial: Trial | None
    found: Requested | NotMeasured

    @property
    def account(self) -> Requested | None:
        return self.found if isinstance(self.found, Requested) else None

    @property
    def text(self) -> Measured | None:
        """What was sent, where it can be read."""
        return self.found.measured

    @property
    def claimed_nothing(self) -> bool:
        """The app reports claims, and there are none: that is not the same as no report."""
        exchange = self.trial.exchange if self.trial is not None else None
        claims = exchange.claims if exchange is not None else None
        return self.account is not None and claims is not None and not claims.entries and not claims.error

    def owners(self, marks: Marks) -> Owners | None:
        """Who wrote which of it; None where it cannot be read."""
        return Owners.of(self.text, marks, self.account is not None) if self.text is not None else None

    def head(self) -> Line:
        """The sum, or why there is none."""
        if isinstance(self.found, Requested):
            return sum_line(self.found.measured)
        tone = Tone.WARNING if self.found.reason in _TROUBLE else Tone.MUTED
        why = Piece(visible(self.found.said), tone)
        if self.found.sent is None:
            return (why,)
        failed = self.found.reason is Unmeasured.FAILED
        known = ink(f"sent={self.found.sent:,}", Tone.STRONG)
        return (known, ink(f", dark {'not known' if failed else 'not reported'}: ", tone), why)

    def wrong(self) -> Line:
        """What is wrong beside the sum; nothing where there is none."""
        if self.account is None:
            return ()
        return wrong_line(self.account.measured, [bar.lane for bar in self.account.bars if bar.over])


_TROUBLE = {Unmeasured.FAILED, Unmeasured.UNREADABLE}


def lanes_section(
    baseline: Cell | None,
    variant: Cell,
    infos: tuple[AdapterInfo | None, AdapterInfo | None],
    budgets: Budgets,
) -> Lanes:
    """All of the tab, of the trial of each side that the request tab shows too."""
    before = _side(baseline, infos[0], budgets) if baseline is not None else None
    after = _side(variant, infos[1], budgets)
    if after is None:
        return no_lanes(infos[1])
    sides = (before, after)
    accounts = (before.account if before is not None else None, after.account)
    compared = None not in accounts
    registered = [lane.name for lane in budgets.registry.lanes] if budgets.registry is not None else None
    marks = _marks(accounts, () if are_own(accounts) else registered or ())
    rows = _head(sides, compared, budgets)
    if any(accounts):
        measured = (
            accounts[0].measured if accounts[0] else None,
            accounts[1].measured if accounts[1] else None,
        )
        rows += dark_section(measured, marks, compared)
        rows += doubles_section(measured, marks, compared)
        rows += table_section(accounts, marks, registered)
        rows += growth_section(*(account.turns if account is not None else None for account in accounts))
    return _with_body(rows, sides, marks, compared)


def _side(cell: Cell, info: AdapterInfo | None, budgets: Budgets) -> _Side | None:
    if info is None or not cell.trials:
        return None
    trial = shown_trial(cell)
    found = requested(trial or cell.trials[0], cell.delivery, info, budgets.registry)
    return _Side(cell, trial, found)


def _marks(accounts: Sequence[Requested | None], registered: Sequence[str]) -> Marks:
    """The lanes of the registry first, so that a lane has its letter in every cell."""
    seen = (name for account in accounts if account is not None for name in account.measured.lanes)
    return Marks((*registered, *seen))


def _head(sides: tuple[_Side | None, _Side], compared: bool, budgets: Budgets) -> list[DocRow]:
    before, after = sides
    rows: list[DocRow] = [Heading(safe("sum"))]
    differs = compared and before is not None and _counts(before) != _counts(after)
    lines = [side.head() if side is not None else None for side in sides]
    twin = before is not None and lines[0] == lines[1]
    rows.append(_pair("~" if differs else " ", lines[0], lines[1], twin))
    wrong = [side.wrong() if side is not None else None for side in sides]
    if any(wrong):
        rows.append(_pair(" ", wrong[0], wrong[1], wrong[0] == wrong[1]))
    if any(side is not None and side.text is not None for side in sides):
        which = [which_trial(side.cell, side.trial) if side is not None else None for side in sides]
        rows.append(_pair(" ", which[0], which[1], which[0] == which[1]))
    if any(side is not None and side.claimed_nothing for side in sides):
        told = "the app claimed nothing" if after.claimed_nothing else "the app claimed nothing on the left"
        rows.append(note(f"{told}: it has workbench.ledger, and no lane for this request", Tone.WARNING))
    if any(_reason(side) is Unmeasured.NOT_REPORTED for side in sides):
        rows.append(note(HINT))
    if budgets.problem is not None:
        rows.append(note(visible(f"no budgets: {budgets.problem}"), Tone.WARNING))
    return rows + list(_besides([side.text for side in sides if side is not None]))


def _counts(side: _Side) -> tuple[int, int] | None:
    return (side.account.dark, side.account.double) if side.account is not None else None


def _reason(side: _Side | None) -> Unmeasured | None:
    return side.found.reason if side is not None and isinstance(side.found, NotMeasured) else None


def _besides(texts: Sequence[Measured | None]) -> Iterator[DocRow]:
    """What the model gets and the sum does not hold."""
    known = [text for text in texts if text is not None]
    images = dict.fromkeys(text.images for text in known if text.images)
    if images:
        counted = " and ".join(f"{count:,}" for count in images)
        yield note(f"{counted} images or files are sent too: counted, not measured")
    elsewhere = dict.fromkeys(path for text in known for path in text.elsewhere)
    if elsewhere:
        yield note(visible(f"text that the body only refers to: {', '.join(elsewhere)}"), Tone.WARNING)
    masked = max((text.masked for text in known), default=0)
    if masked:
        yield note(f"{masked:,} secrets were masked: they count as long as their masks")


def _with_body(rows: list[DocRow], sides: tuple[_Side | None, _Side], marks: Marks, compared: bool) -> Lanes:
    """The whole text of both sides behind the rows."""
    texts = [side.text if side is not None else None for side in sides]
    if not any(texts):
        return Lanes(rows, [])
    owners = [side.owners(marks) if side is not None else None for side in sides]
    parts = paired_parts(*(text.parts if text is not None else () for text in texts))
    body, stops = body_section(owners[0], owners[1], parts, len(rows), compared)
    return Lanes([*rows, *body], stops)


def _pair(sign: str, left: Line | None, right: Line | None, twin: bool) -> Pair:
    return Pair(sign, Words.of(*left) if left is not None else None, Words.of(*(right or ())), twin=twin)
