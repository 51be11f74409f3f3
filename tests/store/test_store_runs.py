"""Runs in the database: written trial by trial, read whole, listed, counted, removed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from store_values import a_run, a_trial, runs

from workbench.core.cell import Cell, CellKey, Run
from workbench.core.errors import WorkbenchError
from workbench.core.trial import Status, Trial
from workbench.store.codec import UnstorableError
from workbench.store.records import NewRun
from workbench.store.store import Store


def record(store: Store, new: NewRun, complete: bool = True, now: datetime | None = None) -> str:
    """A run with all its trials, or with all but the last."""
    recording = store.begin(new, now)
    todo = [
        (delivery.key, index) for delivery in new.deliveries for index in range(new.repeats[delivery.key])
    ]
    for key, index in todo if complete else todo[:-1]:
        recording.add(key, a_trial(index))
    recording.finish(1.5, complete)
    return recording.run


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=60)
@given(runs())
def test_a_loaded_run_equals_what_was_stored(made: tuple[NewRun, dict[CellKey, tuple[Trial, ...]]]) -> None:
    new, trials = made
    with Store.temporary() as store:
        recording = store.begin(new)
        for key, some in trials.items():
            for trial in reversed(some):
                recording.add(key, trial)
        recording.finish(2.5, complete=True)
        back = store.load(recording.run)
        cells = tuple(Cell(delivery, trials[delivery.key]) for delivery in new.deliveries)
        assert back == Run(
            recording.run,
            recording.started,
            2.5,
            new.adapters,
            cells,
            new.arguments,
            new.whole,
            accept=new.accept,
        )
        kept = [t.decision.raw for cell in back.cells for t in cell.trials if t.decision]
        assert kept == [t.decision.raw for some in trials.values() for t in some if t.decision]
        for summary, cell in zip(store.matrix(recording.run), cells, strict=True):
            assert summary.key == cell.key
            assert summary.planned == new.repeats[cell.key]
            assert summary.trials == len(cell.trials)
            assert summary.statuses == cell.statuses
            assert summary.outcomes == cell.outcomes
            tools = Counter(t.decision.tools for t in cell.ok if t.decision)
            assert (
                sum((Counter({t.tools: t.count}) for t in summary.tallies if t.outcome), Counter()) == tools
            )


def test_another_process_sees_a_trial_as_soon_as_it_is_added(tmp_path: Path) -> None:
    with Store.open(tmp_path) as writer:
        new = a_run()
        recording = writer.begin(new)
        recording.add(new.deliveries[0].key, a_trial())
        reader = Store.existing(tmp_path)
        assert reader is not None
        with reader:
            seen = reader.load(recording.run)
        assert [len(cell.trials) for cell in seen.cells] == [1, 0]
        assert seen.interrupted


def test_a_trial_is_stored_once(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        new = a_run()
        recording = store.begin(new)
        key = new.deliveries[0].key
        recording.add(key, a_trial(0, tool="first"))
        with pytest.raises(ValueError, match="stored already"):
            recording.add(key, a_trial(0, tool="second"))
        (trial,) = store.load(recording.run).cells[0].trials
        assert trial == a_trial(0, tool="first")


def test_an_answer_that_cannot_be_stored_leaves_nothing_behind(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        new = a_run()
        recording = store.begin(new)
        key = new.deliveries[0].key
        for broken in (
            Trial(0, Status.OK, raw=b"bytes"),  # type: ignore[arg-type]
            Trial(0, Status.OK, decision="fire"),  # type: ignore[arg-type]
            Trial(0, Status.OK, seed=2**80),
        ):
            with pytest.raises(UnstorableError):
                recording.add(key, broken)
        recording.add(key, a_trial(0))
        assert store.load(recording.run).cells[0].trials == (a_trial(0),)


def test_texts_are_stored_once(tmp_path: Path) -> None:
    document = "a document of some length " * 4000
    with Store.open(tmp_path) as store:
        for _ in range(3):
            new = a_run(cells=20)
            recording = store.begin(new)
            for delivery in new.deliveries:
                for index in range(2):
                    recording.add(delivery.key, a_trial(index, window=document))
            recording.finish(1.0, complete=True)
    assert (tmp_path / ".workbench" / "runs.db").stat().st_size < 3 * len(document)


def test_the_part_asked_for_is_read_alone(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        first, second = a_run(cells=3), a_run(cells=2, arm="channel")
        moved = [replace(d, key=replace(d.key, scenario="other")) for d in second.deliveries]
        sent = (*first.deliveries, *moved)
        run = record(store, replace(first, deliveries=sent, repeats={d.key: 2 for d in sent}))
        assert [c.key.scenario for c in store.cells(run, "other")] == ["other", "other"]
        assert [c.key for c in store.cells(run, "scenario", "2")] == [first.deliveries[1].key]
        assert store.cells(run, "scenario", "2")[0].trials == (a_trial(0), a_trial(1))
        assert [summary.key for summary in store.matrix(run, "other")] == [d.key for d in moved]
        assert [summary.trials for summary in store.matrix(run, "other")] == [2, 2]
        assert store.cells(run, "nothing") == ()
        assert store.matrix(run, "nothing") == ()


def test_runs_are_listed_the_newest_first(tmp_path: Path) -> None:
    noon = datetime(2026, 11, 30, 12, 0, 5, tzinfo=UTC)
    with Store.open(tmp_path) as store:
        assert store.runs() == ()
        assert store.newest() is None
        old = record(store, a_run(), now=noon)
        new = record(store, a_run(plan="q"), complete=False, now=noon - timedelta(days=1))  # a clock set back
        listed = store.runs()
        assert [run.id for run in listed] == [new, old]
        assert [run.id for run in store.runs(limit=1)] == [new]
        assert store.newest() == new
        assert old.startswith("20261130-120005-")
        assert listed[1].started == "2026-11-30T12:00:05.000+00:00"
        assert (listed[0].done, listed[0].total, listed[0].finished) == (3, 4, False)
        assert (listed[1].done, listed[1].total, listed[1].finished) == (4, 4, True)
        assert listed[1].scenarios == ("scenario",)
        assert listed[1].adapters == ("router",)
        assert listed[1].arguments == {"verb": "run"}
        assert listed[1].seconds == 1.5


def test_an_unknown_run_is_said_to_be_one(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        with pytest.raises(WorkbenchError, match="there is no run nope"):
            store.load("nope")
        run = record(store, a_run())
        with pytest.raises(WorkbenchError, match=run):
            store.matrix("\ud800'; DROP TABLE runs")


def test_removing_runs_removes_their_texts_alone(tmp_path: Path) -> None:
    def texts_of(number: int) -> str:
        return f"window {number} " * 100

    with Store.open(tmp_path) as store:
        ids = []
        for number in range(3):
            new = a_run(plan=str(number))
            recording = store.begin(new)
            recording.add(new.deliveries[0].key, a_trial(0, window=texts_of(number)))
            recording.add(new.deliveries[1].key, a_trial(0, window=texts_of(9)))
            recording.finish(1.0, complete=False)
            ids.append(recording.run)
        before = store.load(ids[2])
        assert store.prune(keep=1) == (ids[1], ids[0])
        assert [run.id for run in store.runs()] == [ids[2]]
        assert store.load(ids[2]) == before
        assert store.delete([ids[2]]) == (ids[2],)
        assert store.prune(keep=0) == ()
    content = (tmp_path / ".workbench" / "runs.db").read_bytes()
    assert b"window" not in content


def test_a_removed_run_can_be_made_again(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.delete([record(store, a_run())])
        again = record(store, a_run())
        assert store.load(again).cells[0].trials == (a_trial(0), a_trial(1))
