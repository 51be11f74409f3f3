"""Which run is gone on with, and who may."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from store_values import a_run, a_trial

from workbench.core.errors import Mark, WorkbenchError
from workbench.core.scenario import Accept, Expectation
from workbench.store.recording import Recording
from workbench.store.records import NewRun
from workbench.store.store import Store


def abandoned(store: Store, new: NewRun, trials: int = 1) -> str:
    """A run left in the middle."""
    recording = store.begin(new)
    for index in range(trials):
        recording.add(new.deliveries[0].key, a_trial(index))
    recording.finish(2.0, complete=False)
    return recording.run


def resumed(store: Store, new: NewRun, run: str | None = None) -> Recording:
    recording = store.resume(new, run)
    assert recording is not None
    return recording


def test_nothing_to_resume(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        assert store.resume(a_run()) is None
        recording = store.begin(a_run())
        recording.finish(1.0, complete=True)
        assert store.resume(a_run()) is None
        abandoned(store, a_run(plan="other"))
        assert store.resume(a_run()) is None


def test_the_newest_unfinished_run_of_the_plan(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        abandoned(store, a_run())
        newest = abandoned(store, a_run(), trials=2)
        abandoned(store, a_run(plan="other"))
        recording = resumed(store, a_run())
        assert recording.run == newest
        assert recording.seconds == 2.0
        assert recording.done == {a_run().deliveries[0].key: (a_trial(0), a_trial(1))}
        recording.add(a_run().deliveries[1].key, a_trial(0))
        recording.finish(3.0, complete=True)
        run = store.load(newest)
        assert run.seconds == 5.0
        assert not run.interrupted
        assert [len(cell.trials) for cell in run.cells] == [2, 1]


def test_a_resumed_run_takes_over_what_is_expected_now(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        run = abandoned(store, a_run())
        new = a_run()
        changed = replace(new.deliveries[0], expect=Expectation(no_calls=True), line=40)
        now = replace(
            new,
            deliveries=(changed, *new.deliveries[1:]),
            arguments={"verb": "run", "resume": True},
            accept={"scenario": (Accept("drift", "known", Mark("s.yaml", 41, 5)),)},
        )
        resumed(store, now).finish(0.0, complete=False)
        loaded = store.load(run)
        assert loaded.cells[0].delivery == changed
        assert loaded.cells[0].trials == (a_trial(0),)
        assert loaded.arguments == {"verb": "run", "resume": True}
        assert loaded.accept == now.accept


def test_a_named_run_must_fit(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        first = abandoned(store, a_run())
        abandoned(store, a_run())
        resumed(store, a_run(), first).finish(0.0, complete=True)
        with pytest.raises(WorkbenchError, match="is finished"):
            store.resume(a_run(), first)
        other = abandoned(store, a_run(plan="other"))
        with pytest.raises(WorkbenchError, match="another plan"):
            store.resume(a_run(), other)
        with pytest.raises(WorkbenchError, match="there is no run"):
            store.resume(a_run(), "20260101-000000-0000")


def test_a_run_that_is_being_recorded_is_left_alone(tmp_path: Path) -> None:
    with Store.open(tmp_path) as one, Store.open(tmp_path) as other:
        older = abandoned(one, a_run())
        recording = one.begin(a_run())
        assert resumed(other, a_run()).run == older
        with pytest.raises(WorkbenchError, match="being recorded"):
            other.resume(a_run(), recording.run)
        assert other.prune(keep=0) == ()
        recording.finish(1.0, complete=False)
        assert resumed(other, a_run(), recording.run).run == recording.run


def test_cells_cannot_change_under_their_trials(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        run = abandoned(store, a_run())
        with pytest.raises(ValueError, match="cannot change"):
            store.resume(a_run(arm="channel"))
        assert store.load(run).cells[0].trials == (a_trial(0),)
        assert resumed(store, a_run()).run == run  # the claim was given back


def test_no_lock_is_left_behind(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        abandoned(store, a_run())
        resumed(store, a_run()).finish(0.0, complete=True)
        store.prune(keep=0)
    assert sorted(path.name for path in (tmp_path / ".workbench").iterdir()) == [".gitignore", "runs.db"]
