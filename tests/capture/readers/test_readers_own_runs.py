"""The workbench's own runs as a log: what was typed, delivered, read and decided."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_readers_formats import read

from workbench.capture.opening import follow_log
from workbench.core.cell import AdapterInfo, CellKey, Delivery
from workbench.core.decision import Decision, Outcome, ToolCall, Window, WindowSource
from workbench.core.errors import WorkbenchError
from workbench.core.trial import Status, Trial
from workbench.core.turn import Attachment, Author, Region, Turn
from workbench.store.records import NewRun
from workbench.store.store import Store

TEXT = "<m>\nhi \ud83d\n</m>"


def stored(root: Path) -> Path:
    """The database of a run with an ok cell, one made by the app, and one that failed."""
    regions = (
        Region(0, 4, Author.TRANSPORT),
        Region(4, 8, Author.USER),
        Region(8, len(TEXT), Author.TRANSPORT),
    )
    turn = Turn(TEXT, "hi \ud83d", regions, attachments=(Attachment("a.txt", "/w/a.txt", "a page"),))
    made = Turn("hi", "hi", (Region(0, 2, Author.USER),), made_by_app=True)
    keys = [CellKey("s", "1", arm, "r") for arm in ("channel", "attach", "bare")]
    deliveries = (
        Delivery(keys[0], turn.typed, turn, ingress="telegram"),
        Delivery(keys[1], "hi", made),
        Delivery(keys[2], "hi", made),
    )
    decisions = (
        Decision(Outcome.FIRE, (ToolCall("mail"),), (Window("<m>", WindowSource.REPORTED),)),
        Decision(Outcome.HOLD, (ToolCall("mail"),), (Window("hi\na page", WindowSource.CAPTURED),)),
    )
    new = NewRun("p", deliveries, dict.fromkeys(keys, 1), {"r": AdapterInfo("r", "keyword")}, {})
    with Store.open(root) as store:
        recording = store.begin(new)
        for key, decision in zip(keys, decisions, strict=False):
            recording.add(key, Trial(0, Status.OK, decision))
        recording.add(keys[2], Trial(0, Status.ERROR, error="gone"))
        recording.finish(1.0, complete=True)
    return root / ".workbench" / "runs.db"


def test_each_cell_of_each_run_is_a_turn(tmp_path: Path) -> None:
    turns, skipped = read(stored(tmp_path))
    assert skipped == []
    first, second, third = turns
    assert (first.typed, first.wrapped, first.scanned) == ("hi \ud83d", TEXT, "<m>")
    assert (first.ingress, first.outcome, first.tools, first.documents) == (
        "telegram",
        "fire",
        ("mail",),
        ("a page",),
    )
    assert (second.wrapped, second.outcome, second.tools) == ("hi\na page", "hold", ())
    assert (third.wrapped, third.scanned, third.outcome, third.tools) == (None, None, None, None)
    assert first.id == "s#1@channel:r"
    assert len({turn.session for turn in turns}) == 1


def test_runs_are_not_watched(tmp_path: Path) -> None:
    with pytest.raises(WorkbenchError, match="not watched"):
        list(follow_log(stored(tmp_path)))
