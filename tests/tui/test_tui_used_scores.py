"""The scores tab of a router that goes by another number than the score that can be compared."""

from __future__ import annotations

from workbench.compare.scores import score_rows
from workbench.core.cell import BARE, Cell, CellKey, Delivery
from workbench.core.decision import Decision, Outcome, Score, ToolCall
from workbench.core.text import safe
from workbench.core.trial import Status, Trial
from workbench.core.turn import bare
from workbench.tui.view.rows import Across
from workbench.tui.view.scores import scores_section


def cell(arm: str, *scores: Score) -> Cell:
    decision = Decision(Outcome.FIRE, (ToolCall("mail"),), scores=scores)
    delivery = Delivery(CellKey("s", "1", arm, "r"), "x", bare("x"))
    return Cell(delivery, (Trial(0, Status.OK, decision),))


def test_both_numbers_stand_there_and_the_used_one_passes_or_not() -> None:
    before = cell(BARE, Score("mail", 0.3, 0.5, 0.6), Score("web", 0.4, 0.5))
    after = cell("w", Score("mail", 0.3, 0.5, 0.45), Score("web", 0.4, 0.5))
    rows = score_rows(before.decision.scores, after.decision.scores)  # type: ignore[union-attr]
    section = scores_section(before, after, rows, (safe("bare"), safe("w")))
    lines = [
        "".join(str(piece.text) for piece in row.words.line).split()
        for row in section
        if isinstance(row, Across)
    ]
    assert lines[1] == [
        "mail",
        "0.3",
        "used",
        "0.6",
        "0.3",
        "used",
        "0.45",
        "0",
        "#1",
        "≥→<",
        "0.5",
        "crossed",
    ]
    assert lines[2][:4] == ["web", "0.4", "0.4", "0"]
