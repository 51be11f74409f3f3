"""The newest answer of every cell over several runs: a run of one cell hides no other's answer."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from workbench.core.cell import AdapterInfo, CellKey, Delivery
from workbench.core.decision import Decision, Outcome
from workbench.core.trial import Status, Trial
from workbench.core.turn import bare
from workbench.store.newest import NewestAnswers
from workbench.store.records import NewRun
from workbench.store.store import Store

KEYS = tuple(CellKey("one", prompt, arm, "held") for prompt in ("1", "2") for arm in ("bare", "channel"))


def record(
    root: Path, outcome: Outcome, *keys: CellKey, whole: bool = False, complete: bool = True, repeat: int = 2
) -> str:
    """Store a run in which these cells answered so; returns its id."""
    deliveries = tuple(Delivery(key, "hello", bare("hello")) for key in keys)
    new = NewRun(
        "0" * 64,
        deliveries,
        dict.fromkeys(keys, repeat),
        {"held": AdapterInfo("held", "python", outcome.value)},
        {},
        frozenset({"one"}) if whole else frozenset(),
    )
    with Store.open(root) as store:
        recording = store.begin(new, datetime(2027, 1, 1, tzinfo=UTC))
        for key in keys:
            for index in range(repeat if complete else 1):
                recording.add(key, Trial(index, Status.OK, Decision(outcome)))
        recording.finish(1.0, complete)
        return recording.run


def test_nothing_stored_is_an_empty_answer(tmp_path: Path) -> None:
    answers = NewestAnswers(tmp_path)
    assert answers.first_scenario() is None
    assert not answers.tally("one").cells
    assert answers.read("one", "1").cells == ()


def test_a_run_of_one_cell_leaves_the_others_their_last_answers(tmp_path: Path) -> None:
    old = record(tmp_path, Outcome.PASS, *KEYS, whole=True)
    new = record(tmp_path, Outcome.FIRE, KEYS[1])
    answers = NewestAnswers(tmp_path)
    tallied = answers.tally("one")
    assert set(tallied.cells) == set(KEYS)
    assert [tallied.runs[key] for key in KEYS] == [old, new, old, old]
    read = answers.read("one", "1")
    outcomes = {cell.key: cell.decision.outcome for cell in read.cells if cell.decision}
    assert outcomes == {KEYS[0]: Outcome.PASS, KEYS[1]: Outcome.FIRE}
    assert read.runs == {KEYS[0]: old, KEYS[1]: new}
    assert read.adapters["held"].fingerprint == "fire"


def test_only_one_prompt_is_counted_where_one_is_asked_for(tmp_path: Path) -> None:
    record(tmp_path, Outcome.PASS, *KEYS, whole=True)
    assert set(NewestAnswers(tmp_path).tally("one", "2").cells) == set(KEYS[2:])


def test_what_a_whole_run_no_longer_has_is_not_dug_up(tmp_path: Path) -> None:
    gone = CellKey("one", "1", "reply", "held")
    record(tmp_path, Outcome.PASS, *KEYS, gone, whole=True)
    record(tmp_path, Outcome.PASS, *KEYS, whole=True)
    assert gone not in NewestAnswers(tmp_path).tally("one").cells


def test_a_run_cut_short_counts_as_far_as_it_came(tmp_path: Path) -> None:
    record(tmp_path, Outcome.PASS, *KEYS, whole=True)
    record(tmp_path, Outcome.FIRE, KEYS[0], whole=True, complete=False)
    tallied = NewestAnswers(tmp_path).tally("one")
    assert set(tallied.cells) == set(KEYS)
    assert tallied.cells[KEYS[0]].outcomes == {"fire": 1}


def test_the_newest_run_says_where_to_begin(tmp_path: Path) -> None:
    record(tmp_path, Outcome.PASS, *KEYS)
    assert NewestAnswers(tmp_path).first_scenario() == "one"


def test_prompts_are_those_of_the_last_run_with_what_was_typed(tmp_path: Path) -> None:
    answers = NewestAnswers(tmp_path)
    assert answers.prompts("one") == ()
    long = "long " * 200 + "\ud800"
    keys = (CellKey("one", "2", "channel", "held"), CellKey("one", "2", "bare", "held"), KEYS[0])
    deliveries = tuple(Delivery(key, long if key.prompt == "2" else "short", bare("x")) for key in keys)
    new = NewRun("0" * 64, deliveries, dict.fromkeys(keys, 1), {"held": AdapterInfo("held", "python")}, {})
    with Store.open(tmp_path) as store:
        store.begin(new, datetime(2027, 1, 1, tzinfo=UTC)).finish(1.0, complete=False)
    assert answers.prompts("one") == (("2", long), ("1", "short"))
    assert answers.prompts("two") == ()
    record(tmp_path, Outcome.PASS, KEYS[3])
    assert answers.prompts("one") == (("2", "hello"),)


def test_a_whole_scenario_is_read_like_its_prompts(tmp_path: Path) -> None:
    record(tmp_path, Outcome.PASS, *KEYS, whole=True)
    newer = record(tmp_path, Outcome.FIRE, KEYS[1])
    stored = NewestAnswers(tmp_path).read("one")
    assert {cell.key for cell in stored.cells} == set(KEYS)
    assert [cell.key for cell in stored.cells if stored.runs[cell.key] == newer] == [KEYS[1]]
