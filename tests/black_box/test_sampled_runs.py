"""`workbench run` of adapters that sample: what it comes to, what it plans, and what a kill leaves."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest
from command import COMMAND, Bench

ROUTER = """
import os, random, time

def _noted(turn):
    with open("calls", "a") as file:
        file.write("%d\\n" % turn["seed"])

def never(turn):
    _noted(turn)
    return None

def framed(turn):
    chance = random.Random(turn["seed"]).random()
    return "send_email" if "<" in turn["text"] and chance < 0.7 else None

def sometimes(turn):
    return "send_email" if random.Random(turn["seed"]).random() < 0.5 else None

def crash(turn):
    os._exit(3)

def slow(turn):
    _noted(turn)
    time.sleep(0.01)
    return None
"""

WORKSPACE = """
adapters:
  never: {use: python, target: "r:never", call: turn, deterministic: false}
  framed: {use: python, target: "r:framed", call: turn, deterministic: false, concurrency: 2}
  sometimes: {use: python, target: "r:sometimes", call: turn, deterministic: false}
  crash: {use: python, target: "r:crash", call: turn, deterministic: false}
  slow: {use: python, target: "r:slow", call: turn, deterministic: false, concurrency: 2}
  exact: {use: python, target: "r:never", call: turn}
"""


@pytest.fixture
def work(bench: Bench) -> Bench:
    bench.write("workbench.yaml", WORKSPACE)
    bench.write("r.py", ROUTER)
    bench.write("envelopes/said.yaml", 'envelope: said\ningress: channel\ntemplate: "<{text}>"\n')
    bench.write("scenarios/quiet.yaml", "scenario: quiet\nprompts:\n  - {text: hush, expect: no calls}\n")
    bench.write("scenarios/any.yaml", "scenario: any\nprompts:\n  - text: hush\n")
    return bench


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["quiet", "--adapter", "never"], 0),
        (["quiet", "--adapter", "never", "--samples", "20"], 4),
        (["quiet", "--adapter", "never", "--samples", "20", "--allow-undecided"], 0),
        (["quiet", "--adapter", "framed"], 1),
        (["any", "--adapter", "framed"], 1),
        (["any", "--adapter", "sometimes"], 4),
        (["any", "--adapter", "crash", "--samples", "2"], 3),
        (["any", "--adapter", "never", "--samples", "0"], 2),
        (["any", "--adapter", "never", "--samples", "many"], 2),
        (["any", "--adapter", "never", "--plan"], 0),
    ],
)
def test_what_a_sampled_run_comes_to(work: Bench, arguments: list[str], code: int) -> None:
    done = work("run", "--trust", *arguments)
    assert done.code == code, done.said + done.text
    assert b"Traceback" not in done.err


def test_an_arm_that_differs_ends_early(work: Bench) -> None:
    done = work("run", "any", "--trust", "--adapter", "framed", "--format", "json")
    cells = {cell["arm"]: cell for cell in done.json["cells"]}
    assert 5 <= cells["said"]["trials"] < 40
    assert cells["bare"]["tools"] == {"send_email": 0}
    assert cells["said"]["tools"]["send_email"] > cells["said"]["trials"] / 3
    assert done.json["summary"]["verdict"] == "failed"
    assert done.json["summary"]["findings"]["rate-drift"] == 1


def test_samples_and_repeat_each_have_their_own_adapters(work: Bench) -> None:
    both = work(
        "run", "any", "--trust", "--adapter", "never", "--adapter", "exact", "--repeat", "3",
        "--samples", "4", "--format", "json",
    )  # fmt: skip
    trials = {(cell["adapter"], cell["arm"]): cell["trials"] for cell in both.json["cells"]}
    assert trials == {("never", "bare"): 4, ("never", "said"): 4, ("exact", "bare"): 3, ("exact", "said"): 3}
    assert "is not used" not in both.said
    wrong = work("run", "any", "--trust", "--adapter", "never", "--repeat", "3", "--samples", "2")
    assert "--repeat is not used" in wrong.said
    other = work("run", "any", "--trust", "--adapter", "exact", "--samples", "3")
    assert "--samples is not used" in other.said


def test_the_planner_speaks_before_anything_is_called(work: Bench) -> None:
    done = work("run", "quiet", "--adapter", "framed", "--samples", "20", "--plan")
    assert "quiet: framed: at most 40 trials: bare x1, said x1" in done.text
    assert "0 calls in 20 leave a rate of up to 13.9%: at most 5% needs 59 clean trials" in done.text
    assert "no fewer than 4 trials an arm find any" in done.text
    assert "at 30% it needs 112 an arm" in done.text
    assert "framed: at most 40 calls; at most 3 min 20 s at 2 at a time" in done.text
    assert "cost unknown" in done.text
    assert not (work.folder / ".workbench").exists()
    assert not (work.folder / "calls").exists()


def test_a_plan_too_small_for_any_drift_says_so(work: Bench) -> None:
    done = work("run", "any", "--adapter", "never", "--samples", "3", "--plan")
    assert "drift: none can be found: over 1 arm that takes at least 4 trials an arm" in done.text


def test_the_planner_knows_how_long_a_call_took(work: Bench) -> None:
    work("run", "any", "--trust", "--adapter", "slow", "--samples", "5")
    done = work("run", "any", "--adapter", "slow", "--plan")
    assert "as in its newest run" in done.text


def test_a_run_says_what_it_takes_before_it_begins(work: Bench) -> None:
    done = work("run", "any", "--trust", "--adapter", "never", "--samples", "2")
    assert done.said.startswith("workbench: never: at most 4 calls;")
    quiet = work("run", "any", "--trust", "--adapter", "never", "--samples", "2", "--quiet")
    assert quiet.said == ""
    assert work("run", "any", "--trust", "--adapter", "exact").said == ""


def test_a_probe_is_one_draw_unless_more_are_asked_for(work: Bench) -> None:
    one = work("probe", "hush", "--trust", "--adapter", "never", "--envelope", "said", "--format", "json")
    assert [cell["trials"] for cell in one.json["cells"]] == [1, 1]
    assert one.code == 4, "one draw an arm decides nothing"
    more = work("probe", "hush", "--trust", "--adapter", "never", "--samples", "7", "--format", "json")
    assert [cell["trials"] for cell in more.json["cells"]] == [7]


def test_more_samples_are_another_plan(work: Bench) -> None:
    work("run", "any", "--trust", "--adapter", "never", "--samples", "2")
    done = work("run", "any", "--trust", "--adapter", "never", "--samples", "3", "--resume")
    assert "starting anew" in done.said


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_after_a_kill_no_answered_call_is_made_again(work: Bench) -> None:
    command = [str(COMMAND), "run", "quiet", "--trust", "--adapter", "slow", "--format", "json"]
    process = subprocess.Popen(command, cwd=work.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    calls = work.folder / "calls"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (calls.exists() and calls.read_text().count("\n") >= 40):
        time.sleep(0.005)
    assert process.poll() is None
    process.kill()
    process.wait()
    before = set(calls.read_text().split())
    done = work(*command[1:], "--resume")
    assert done.code == 0, done.said
    assert [cell["trials"] for cell in done.json["cells"]] == [60, 60]
    made = calls.read_text().split()
    assert len(set(made)) == 120
    assert 0 <= len(made) - 120 <= 2, "at most the two that were under way"
    assert before <= set(made)
    (line,) = work("list", "runs").text.splitlines()
    assert "120 of 120  finished" in line
