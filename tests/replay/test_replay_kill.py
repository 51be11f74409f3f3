"""kill -9 at any moment, then resume: no finished trial is lost, and none is run twice."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from killed_run import LINE, TRIALS, whole_plan

from workbench.core.cell import CellKey
from workbench.core.trial import Trial
from workbench.store.store import Store

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")

Stored = Mapping[tuple[CellKey, int], Trial]

SEEDS = {(trial.key, trial.index): trial.seed for trial in whole_plan().order["router"]}


def start(root: Path, hold: int = TRIALS) -> subprocess.Popen[bytes]:
    script = Path(__file__).with_name("killed_run.py")
    return subprocess.Popen([sys.executable, str(script), str(root), str(root / "calls"), str(hold)])


def finish(root: Path) -> None:
    assert start(root).wait(timeout=120) == 0


def kill_after(root: Path, calls: int, pause: float) -> None:
    """Kills a session after so many calls of its own and a moment more, wherever it is then."""
    wanted = count_calls(root) + calls
    process = start(root, hold=calls + 100)
    while count_calls(root) < wanted:
        assert process.poll() is None
        time.sleep(0.0002)
    time.sleep(pause)
    process.kill()
    assert process.wait(timeout=60) < 0


def count_calls(root: Path) -> int:
    file = root / "calls"
    return file.stat().st_size // LINE if file.exists() else 0


def calls_in(root: Path) -> list[int]:
    file = root / "calls"
    content = file.read_bytes() if file.exists() else b""
    return [int(content[at : at + LINE]) for at in range(0, len(content) - LINE + 1, LINE)]


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
    assert not {SEEDS[name] for name in before} & set(mine)
    assert {SEEDS[name] for name in after} <= set(calls)


def check_the_end(root: Path) -> None:
    """Every trial is there, in one run, which is finished."""
    assert stored(root).keys() == SEEDS.keys()
    assert set(calls_in(root)) == set(SEEDS.values())
    store = Store.existing(root)
    assert store is not None
    with store:
        (run,) = store.runs()
        assert (run.done, run.total, run.finished) == (TRIALS, TRIALS, True)


def test_the_seeds_tell_the_trials_apart() -> None:
    assert len(SEEDS) == len(set(SEEDS.values())) == TRIALS


@pytest.mark.parametrize("moment", [0.0, 0.4, 0.9])
def test_one_kill(tmp_path: Path, moment: float) -> None:
    kill_after(tmp_path, int(TRIALS * moment), 0.001)
    before, calls = stored(tmp_path), count_calls(tmp_path)
    assert len(before) >= TRIALS * moment - 10
    finish(tmp_path)
    check_a_session(tmp_path, before, calls)
    check_the_end(tmp_path)


@pytest.mark.slow
def test_twenty_kills_of_one_run(tmp_path: Path) -> None:
    chance = random.Random(20261130)
    for _ in range(20):
        before, calls = stored(tmp_path), count_calls(tmp_path)
        kill_after(tmp_path, chance.randrange(TRIALS // 30), chance.random() * 0.004)
        check_a_session(tmp_path, before, calls)
    before, calls = stored(tmp_path), count_calls(tmp_path)
    assert 0 < len(before) < TRIALS
    finish(tmp_path)
    check_a_session(tmp_path, before, calls)
    check_the_end(tmp_path)


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
    assert stored(tmp_path).keys() == SEEDS.keys()
