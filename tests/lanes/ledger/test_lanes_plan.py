"""The arbiter keeps every request within its budget, takes no more than it needs, and goes by priority."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.cli.main import main
from workbench.lanes.lane import Lane
from workbench.lanes.plan import Giving, Share, giving_of, plan_cut

GIVINGS = st.sampled_from([Giving.CUT, Giving.WHOLE])


@st.composite
def shares(draw: st.DrawFn) -> list[Share]:
    made = []
    for number in range(draw(st.integers(0, 8))):
        priority = draw(st.integers(0, 5))
        giving = draw(GIVINGS) if priority else Giving.KEPT
        made.append(Share(f"lane{number}", draw(st.integers(0, 500)), priority, giving))
    return made


@given(shares(), st.integers(0, 2_000))
def test_the_sum_is_within_the_budget_wherever_it_can_be(given: list[Share], budget: int) -> None:
    cut = plan_cut(given, budget)
    fits = sum(share.size for share in given if share.priority == 0) <= budget
    assert cut.feasible == fits
    assert (cut.after <= budget) == fits
    assert all(
        0 < cut.lost[name] <= share.size for share in given for name in [share.name] if name in cut.lost
    )


@given(shares(), st.integers(0, 2_000))
def test_no_more_is_lost_than_is_needed(given: list[Share], budget: int) -> None:
    cut = plan_cut(given, budget)
    need = max(0, cut.before - budget)
    if not need:
        assert not cut.lost
    elif cut.feasible and not cut.dropped:
        assert cut.after == budget
    elif cut.feasible:
        # What is spare came free with a whole lane of the last priority: without it, too much is left.
        last = min(share.priority for share in given if share.name in cut.lost)
        whole = [s for s in given if s.name in cut.dropped and s.priority == last]
        assert cut.spare == 0 or (whole and all(cut.after + s.size > budget for s in whole))


@given(shares(), st.integers(0, 2_000))
def test_a_lane_loses_nothing_while_a_later_priority_still_has_something(
    given: list[Share], budget: int
) -> None:
    cut = plan_cut(given, budget)
    for share in given:
        if cut.lost.get(share.name):
            assert share.priority > 0
            for other in given:
                if other.priority > share.priority:
                    assert cut.lost.get(other.name, 0) == other.size


@given(shares(), st.integers(0, 2_000))
def test_a_lane_that_is_no_use_in_part_loses_all_or_nothing(given: list[Share], budget: int) -> None:
    cut = plan_cut(given, budget)
    for share in given:
        if share.giving is Giving.WHOLE:
            assert cut.lost.get(share.name, 0) in (0, share.size)


@pytest.mark.parametrize(
    ("words", "priority", "giving"),
    [
        ("never cut — a truncated skill is a broken skill", 4, Giving.WHOLE),
        ("dropped whole (not yet on the receipt)", 5, Giving.WHOLE),
        ("oldest turns first; never mid-sentence", 1, Giving.CUT),
        ("cut at the budget with a marker", 2, Giving.CUT),
        ("cut at the budget with a marker", 0, Giving.KEPT),
        (None, 3, Giving.CUT),
    ],
)
def test_the_words_say_how_a_lane_gives(words: str | None, priority: int, giving: Giving) -> None:
    assert giving_of(Lane("skill", evicts=words), priority) is giving


REGISTRY = """
schema_version = 1
unit = "chars"
[[lane]]
name = "user"
injector = "app.py"
budget = "uncapped" # what is typed
priority = 0
trust = "owner"
evicts = "never"
[[lane]]
name = "memory"
injector = "app.py"
budget = 100
priority = 1
trust = "owner"
evicts = "lowest-ranked first"
[[lane]]
name = "skill"
injector = "app.py"
budget = 100
priority = 4
trust = "policy"
evicts = "never cut"
"""


def test_the_command_says_what_each_lane_lost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "lanes.toml").write_text(REGISTRY)
    receipts = tmp_path / "receipts.jsonl"
    lanes = [[("user", 50), ("memory", 80), ("skill", 60)], [("user", 50)], [("user", 500), ("skill", 1)]]
    receipts.write_text(
        "".join(
            json.dumps({"turn": f"t{at}", "lanes": [{"name": n, "chars": c} for n, c in given]}) + "\n"
            for at, given in enumerate(lanes, 1)
        )
        + '{"turn": "t4", "lanes": [{"name": '
    )
    code = main(["lanes", "plan", "--budget", "100", str(receipts), "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    assert code == 1
    first, second, third = report["turns"]
    assert first["lost"] == {"skill": 60, "memory": 30}
    assert first["dropped"] == ["skill"]
    assert (first["before"], first["after"], first["feasible"]) == (190, 100, True)
    assert second["lost"] == {}
    assert (third["feasible"], third["kept"], third["after"]) == (False, 500, 500)
    kinds = {(finding["kind"], finding["line"]) for finding in report["findings"]}
    assert kinds == {("infeasible", 3), ("skipped", 4)}
    memory = next(lane for lane in report["lanes"] if lane["name"] == "memory")
    assert (memory["lost"], memory["cut"], memory["requests"], memory["size"]) == (30, 1, 1, 80)

    assert main(["lanes", "plan", "--budget", "100", str(receipts)]) == 1
    text = capsys.readouterr().out
    assert "190 -> 100  t1" in text
    assert "skill dropped, memory -30" in text
    assert "t2" not in text
    assert "501 -> 500 over 100: infeasible  t3" in text


def test_receipts_of_two_units_are_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    receipts = tmp_path / "receipts.jsonl"
    receipts.write_text(
        '{"turn": "a", "unit": "chars", "lanes": {"x": 1}}\n'
        '{"turn": "b", "unit": "tokens", "lanes": {"x": 1}}\n'
    )
    assert main(["lanes", "plan", "--budget", "100", str(receipts)]) == 2
    assert "receipts.jsonl:2" in capsys.readouterr().err


def test_a_file_without_receipts_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    receipts = tmp_path / "receipts.jsonl"
    receipts.write_text('{"hello": 1}\n')
    assert main(["lanes", "plan", "--budget", "100", str(receipts)]) == 2
    assert "no receipt was found" in capsys.readouterr().err
