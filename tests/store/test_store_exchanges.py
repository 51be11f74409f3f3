"""What went over the wire, and runs that end before their plan does."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from store_values import a_run, a_trial

from workbench.core.claims import Claimed, Claims
from workbench.core.decision import Json
from workbench.core.exchange import Exchange, Usage
from workbench.core.trial import Status, Trial
from workbench.store.codec import UnstorableError, decode, encode
from workbench.store.store import Store

BODY = '{"messages":[{"role":"user","content":"' + "a page of text " * 400 + '"}]}'


def an_exchange(number: int) -> Exchange:
    received = f'{{"id":"chatcmpl-{number}","choices":[{" " * 300}]}}'
    return Exchange("http://127.0.0.1/v1", BODY, received, 200, usage=Usage(10, number))


def bodies(root: Path) -> list[bytes]:
    with closing(sqlite3.connect(root / ".workbench" / "runs.db")) as other:
        return [body for (body,) in other.execute("SELECT body FROM texts")]


def test_the_same_body_is_stored_once_and_answers_stay_apart(tmp_path: Path) -> None:
    new = a_run(cells=2, repeat=10)
    with Store.open(tmp_path) as store:
        recording = store.begin(new)
        for delivery in new.deliveries:
            for index in range(10):
                recording.add(delivery.key, replace(a_trial(index), exchange=an_exchange(index)))
        recording.finish(1.0, complete=True)
        cells = store.load(recording.run).cells
        assert [[trial.exchange for trial in cell.trials] for cell in cells] == [
            [an_exchange(index) for index in range(10)]
        ] * 2
    assert bodies(tmp_path).count(BODY.encode()) == 1
    assert sum(BODY.encode() in body for body in bodies(tmp_path)) == 1


def test_no_exchange_is_another_thing_than_an_empty_one(tmp_path: Path) -> None:
    new = a_run(cells=1, repeat=3)
    key = new.deliveries[0].key
    made = [None, Exchange("", ""), Exchange("", "", received="")]
    with Store.open(tmp_path) as store:
        recording = store.begin(new)
        for index, exchange in enumerate(made):
            recording.add(key, replace(a_trial(index), exchange=exchange))
        kept = [trial.exchange for trial in store.load(recording.run).cells[0].trials]
    assert kept == made


CLAIMS = Claims(
    (Claimed("page", "a page of text " * 400, estimate=5), Claimed("frame", None, 4)), ours=("tools",)
)


def test_claims_are_stored_once_for_all_trials_that_have_them(tmp_path: Path) -> None:
    new = a_run(cells=2, repeat=10)
    with Store.open(tmp_path) as store:
        recording = store.begin(new)
        for delivery in new.deliveries:
            for index in range(10):
                exchange = replace(an_exchange(index), claims=CLAIMS)
                recording.add(delivery.key, replace(a_trial(index), exchange=exchange))
        recording.finish(1.0, complete=True)
        cells = store.load(recording.run).cells
    kept = [trial.exchange for cell in cells for trial in cell.trials]
    assert [exchange.claims for exchange in kept if exchange] == [CLAIMS] * 20
    assert sum(b"a page of text " * 400 in body and b"estimate" in body for body in bodies(tmp_path)) == 1


def test_claims_not_reported_none_made_and_lost_stay_apart(tmp_path: Path) -> None:
    new = a_run(cells=1, repeat=4)
    made = [None, Claims(), Claims(error="too much"), Claims((Claimed("a", ""), Claimed("\ud83d", "\ude00")))]
    with Store.open(tmp_path) as store:
        recording = store.begin(new)
        for index, claims in enumerate(made):
            exchange = replace(an_exchange(index), claims=claims)
            recording.add(new.deliveries[0].key, replace(a_trial(index), exchange=exchange))
    with Store.open(tmp_path) as store:
        kept = [trial.exchange for trial in store.load(recording.run).cells[0].trials]
    assert [exchange.claims for exchange in kept if exchange] == made


def test_a_store_from_before_claims_reads_as_not_reported() -> None:
    before: dict[str, Json] = {"url": "http://127.0.0.1/v1", "sent": "{}", "http": 200, "tries": 1}
    assert decode(Exchange, before, lambda number: "").claims is None
    made = encode(Exchange("http://127.0.0.1/v1", "{}", http=200), lambda text: 1)
    assert isinstance(made, dict)
    assert "claims" not in made  # what is not reported is written as it was before


def test_an_exchange_of_another_type_is_refused(tmp_path: Path) -> None:
    new = a_run()
    with Store.open(tmp_path) as store:
        recording = store.begin(new)
        broken = Trial(0, Status.OK, exchange={"url": "x"})  # type: ignore[arg-type]
        with pytest.raises(UnstorableError):
            recording.add(new.deliveries[0].key, broken)
        assert store.load(recording.run).cells[0].trials == ()


def test_the_exchanges_of_a_removed_run_go_with_it(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        kept, removed = store.begin(a_run()), store.begin(a_run())
        key = a_run().deliveries[0].key
        kept.add(key, replace(a_trial(), exchange=an_exchange(1)))
        removed.add(key, replace(a_trial(), exchange=an_exchange(2)))
        for recording in (kept, removed):
            recording.finish(1.0, complete=True)
        store.delete([removed.run])
        assert store.load(kept.run).cells[0].trials[0].exchange == an_exchange(1)
    assert not [body for body in bodies(tmp_path) if b"chatcmpl-2" in body]


def test_a_finished_run_has_as_many_trials_as_it_took(tmp_path: Path) -> None:
    new = a_run(cells=1, repeat=60)
    with Store.open(tmp_path) as store:
        recording = store.begin(new)
        for index in (0, 1, 60):
            recording.add(new.deliveries[0].key, a_trial(index))
        (before,) = store.runs()
        recording.finish(1.0, complete=True)
        (after,) = store.runs()
    assert (before.done, before.total) == (3, 60)
    assert (after.done, after.total) == (3, 3)


def test_a_halted_run_was_not_interrupted_and_can_be_resumed(tmp_path: Path) -> None:
    new = a_run()
    with Store.open(tmp_path) as store:
        recording = store.begin(new)
        recording.finish(1.0, complete=False, halted={"router": "max_calls 3 is reached"})
        run = store.load(recording.run)
        assert (run.halted, run.interrupted) == ({"router": "max_calls 3 is reached"}, False)
        resumed = store.resume(new)
        assert resumed is not None
        assert store.load(recording.run).halted == {}
        resumed.finish(1.0, complete=True)
        assert store.load(recording.run).halted == {}


def test_the_pace_of_an_adapter_is_that_of_its_newest_answers(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        assert store.pace("router") is None
        for seconds, status in ((9.0, Status.OK), (1.0, Status.OK), (5.0, Status.TIMEOUT)):
            new = a_run(cells=1, repeat=3)
            recording = store.begin(new)
            key = new.deliveries[0].key
            recording.add(key, replace(a_trial(0), seconds=seconds, status=status))
            recording.add(key, replace(a_trial(1), seconds=seconds + 1, status=status))
            recording.add(key, Trial(2, Status.ERROR, seconds=100.0))
            recording.finish(1.0, complete=True)
        assert store.pace("router") == 1.5
        assert store.pace("another") is None


def test_a_trial_that_was_undone_leaves_no_text_that_is_remembered(tmp_path: Path) -> None:
    """What was put within a transaction that is undone must be put again."""
    new = a_run()
    key = new.deliveries[0].key
    with Store.open(tmp_path) as store:
        recording = store.begin(new)
        broken = replace(a_trial(0, window="seen once"), seed=2**80)
        with pytest.raises(UnstorableError):
            recording.add(key, broken)
        recording.add(key, a_trial(0, window="seen once"))
        with pytest.raises(ValueError, match="stored already"):
            recording.add(key, a_trial(0, window="seen twice"))
        recording.add(key, a_trial(1, window="seen twice"))
        assert store.load(recording.run).cells[0].trials == (
            a_trial(0, window="seen once"),
            a_trial(1, window="seen twice"),
        )
