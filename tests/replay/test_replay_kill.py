"""kill -9 at any moment, then resume: no finished trial is lost, and none is run twice."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest
from killed_run import LINE, TRIALS, sampled_answer, whole_plan

from workbench.core.cell import CellKey
from workbench.core.trial import Trial
from workbench.replay.calling import trial_of
from workbench.store.store import Store

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")

Stored = Mapping[tuple[CellKey, int], Trial]

PASSES = {(trial.key, trial.index): trial.seed for trial in whole_plan(False).order["router"]}


def sampled() -> dict[tuple[CellKey, int], Trial]:
    """The sampled run as it is when nothing disturbs it, one call at a time."""
    schedule = whole_plan(True).schedules({})["router"]
    made = {}
    while planned := schedule.next():
        answer = sampled_answer(planned.key.arm, planned.seed)
        trial = trial_of(answer, planned.index, planned.seed, 0.0)
        schedule.take(planned.key, trial)
        made[planned.key, planned.index] = trial
    return made


SAMPLED = {name: trial.seed for name, trial in sampled().items()}
KINDS = ("passes", "sampled")


def start(root: Path, hold: int = 2 * TRIALS, kind: str = "passes") -> subprocess.Popen[bytes]:
    script = Path(__file__).with_name("killed_run.py")
    return subprocess.Popen([sys.executable, str(script), str(root), str(root / "calls"), str(hold), kind])


def finish(root: Path, kind: str = "passes") -> None:
    assert start(root, kind=kind).wait(timeout=120) == 0


def kill_after(root: Path, calls: int, pause: float, kind: str = "passes") -> None:
    """Kills a session after so many calls of its own and a moment more, wherever it is then."""
    wanted = count_calls(root) + calls
    process = start(root, calls + 100, kind)
    while count_calls(root) < wanted:
        assert process.poll() is None
        time.sleep(0.0002)
    time.sleep(pause)
    process.kill()
    assert process.wait(timeout=60) < 0


def count_calls(root: Path) -> int:
    return len(calls_in(root))


def calls_in(root: Path) -> list[int]:
    """The seeds noted. A kill may tear a note, whose call was then never answered; another follows it."""
    file = root / "calls"
    *noted, _ = file.read_bytes().split(b"\n") if file.exists() else [b""]
    return [int(line[-(LINE - 1) :]) for line in noted]


def stored(root: Path) -> Stored:
    store = Store.existing(root)
    if store is None:
        return {}
    with store:
        newest = store.newest()
        if newest is None:
            return {}
        return {(cell.key, trial.index): trial for cell in store.load(newest).cells for trial in cell.trials}


def check_a_session(root: Path, before: Stored, calls_before: int) -> None:
    """Nothing that was stored is lost, changed or called again; and nothing is stored without a call."""
    after, calls = stored(root), calls_in(root)
    assert before.items() <= after.items()
    mine = calls[calls_before:]
    assert len(mine) == len(set(mine))
    assert not {trial.seed for trial in before.values()} & set(mine)
    assert {trial.seed for trial in after.values()} <= set(calls)


def check_the_end(root: Path, kind: str = "passes") -> None:
    """Every trial is there, in one run, which is finished.

    Of the sampled run, every one that there would have been without a kill, as it would have been; and
    beside them at most what was under way when an arm had ended.
    """
    there = stored(root)
    expected = PASSES if kind == "passes" else SAMPLED
    assert {name: there[name].seed for name in expected} == expected
    if kind == "passes":
        assert there.keys() == PASSES.keys()
        assert set(calls_in(root)) == set(PASSES.values())
    else:
        assert {name: there[name].status for name in SAMPLED} == {n: t.status for n, t in sampled().items()}
        assert len(there) < len(SAMPLED) + 400
    store = Store.existing(root)
    assert store is not None
    with store:
        (run,) = store.runs()
        assert (run.done, run.total, run.finished) == (len(there), len(there), True)


def test_the_seeds_tell_the_trials_apart() -> None:
    assert len(PASSES) == len(set(PASSES.values())) == TRIALS
    assert len(SAMPLED) == len(set(SAMPLED.values()))
    assert any(index >= 20 for _, index in SAMPLED), "no draw was made again"
    ended = Counter(key for key, _ in SAMPLED)
    assert min(ended.values()) < 20, "no arm ended early"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("moment", [0.0, 0.4, 0.9])
def test_one_kill(tmp_path: Path, moment: float, kind: str) -> None:
    made = int(len(PASSES if kind == "passes" else SAMPLED) * moment)
    kill_after(tmp_path, made, 0.001, kind)
    before, calls = stored(tmp_path), count_calls(tmp_path)
    assert len(before) >= made - 10
    finish(tmp_path, kind)
    check_a_session(tmp_path, before, calls)
    check_the_end(tmp_path, kind)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_twenty_kills_of_one_run(tmp_path: Path, kind: str) -> None:
    chance = random.Random(20261130)
    for _ in range(20):
        before, calls = stored(tmp_path), count_calls(tmp_path)
        kill_after(tmp_path, chance.randrange(TRIALS // 50), chance.random() * 0.004, kind)
        check_a_session(tmp_path, before, calls)
    before, calls = stored(tmp_path), count_calls(tmp_path)
    assert 0 < len(before) < TRIALS
    finish(tmp_path, kind)
    check_a_session(tmp_path, before, calls)
    check_the_end(tmp_path, kind)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(6))
def test_a_kill_at_a_random_moment(tmp_path: Path, number: int) -> None:
    chance = random.Random(number)
    kill_after(tmp_path, chance.randrange(TRIALS - 200), chance.random() * 0.004)
    before, calls = stored(tmp_path), count_calls(tmp_path)
    finish(tmp_path)
    check_a_session(tmp_path, before, calls)
    check_the_end(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(4))
def test_a_kill_before_the_first_call(tmp_path: Path, number: int) -> None:
    """While the interpreter starts, the tables are made, the run begins."""
    process = start(tmp_path, hold=0)
    while number % 2 and not (tmp_path / ".workbench" / "runs.db").exists():
        time.sleep(0.0002)
    time.sleep(number * (0.0005 if number % 2 else 0.06))
    process.kill()
    assert process.wait(timeout=60) < 0
    assert stored(tmp_path) == {}
    calls = count_calls(tmp_path)
    finish(tmp_path)
    check_a_session(tmp_path, {}, calls)
    assert stored(tmp_path).keys() == PASSES.keys()
