"""Rates as they are reported: the fields of the contract, bars that do not lie, evidence told once."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_runs import PIPED, seed_run, written
from sampled_runs import ATTACHED, BARE, coin, sampled_cell, sampled_run

from workbench.compare.events import any_tool
from workbench.compare.findings import find
from workbench.compare.rates import rate_of
from workbench.core.decision import Decision, Outcome, ToolCall
from workbench.report.rates import bar, share
from workbench.report.writer import Style


def test_the_rates_stand_in_the_json_of_what_is_sampled_and_nowhere_else() -> None:
    report = json.loads(written("json", *sampled_run()))
    cell = next(c for c in report["cells"] if c["prompt"] == "short" and c["arm"] == "bare")
    first = cell["rates"][0]
    assert first["event"] == "calls any tool"
    assert (first["k"], first["n"], first["failed"]) == (0, 20, 0)
    assert first["interval"]["method"] == "wilson"
    assert first["interval"]["low"] == 0
    assert first["interval"]["high"] == pytest.approx(0.161, abs=5e-4)
    assert first["bound"] == pytest.approx(0.139, abs=5e-4)
    assert first["bound_method"] == "clopper-pearson"
    deterministic = json.loads(written("json", *seed_run()))
    assert not any("rates" in cell for cell in deterministic["cells"])


def test_every_arm_of_a_prompt_has_the_same_events() -> None:
    report = json.loads(written("json", *sampled_run()))
    for prompt in ("drifts", "open", "wanted", "short"):
        events = [[r["event"] for r in c["rates"]] for c in report["cells"] if c["prompt"] == prompt]
        assert events[0] == events[1]
        assert len(set(events[0])) == len(events[0])


def test_tokens_and_cost_are_summed_where_they_are_known() -> None:
    report = json.loads(written("json", *sampled_run()))
    calls = 398  # 400 trials, 2 of which never answered
    assert report["run"]["tokens"] == {"input": 700 * calls, "output": 20 * calls}
    assert report["run"]["cost"] == pytest.approx(0.0005 * calls)
    assert not {"tokens", "cost"} & json.loads(written("json", *seed_run()))["run"].keys()


@given(st.integers(0, 200), st.integers(1, 200))
def test_a_bar_is_full_or_empty_only_where_that_is_so(k: int, n: int) -> None:
    k = min(k, n)
    drawn = str(bar(k, n, Style(ascii=True)))
    assert len(drawn) == 10
    assert (drawn.count("#") == 0) == (k == 0)
    assert (drawn.count("#") == 10) == (k == n)


def test_no_call_of_many_is_never_written_as_none() -> None:
    cell = sampled_cell("p", "bare", BARE, coin(0, 1), n=20)
    assert share(rate_of(cell, any_tool()), PIPED) == "0/20 ≤13.9%"
    assert share(rate_of(cell, any_tool()), Style(ascii=True)) == "0/20 <=13.9%"
    failed = sampled_cell("p", "bare", BARE, coin(0, 1), n=20, failed=20)
    assert share(rate_of(failed, any_tool()), PIPED) == "0/0 (20 failed)"


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_the_verdict_stands_in_words_beside_both_arms(form: str) -> None:
    text = written(form, *sampled_run())
    assert "10 of 60 with the file, 0 of 60 without: drift" in text
    assert "0 of 20 with the file, 0 of 20 without: undecided, about 40 more" in text
    assert "60 of 60 with the file, 60 of 60 without: the same within 0.1" in text
    assert "calls any tool 0/60 bare, 10/60 attached" in text


def test_the_evidence_names_every_kind_of_answer_and_its_calls() -> None:
    text = written("text", *sampled_run())
    assert "attached  50 pass, 10 fire create_event  (60 trials)" in text
    assert 'attached  one of 10: create_event {"day": "Friday", "hour": 2}' in text
    assert "bound_method" not in text and "bound method" not in text


def test_a_hostile_tool_name_is_inert() -> None:
    run, _ = sampled_run()
    name = "\x1b[31m[b]evil`\n</x>"
    answer = Decision(Outcome.FIRE, (ToolCall(name, {"\x9b2J": "\u202e"}),))
    cells = [
        replace(c, trials=tuple(replace(t, decision=answer) if t.ok and t.index % 2 else t for t in c.trials))
        for c in run.cells
        if c.key.prompt == "drifts" and c.delivery.turn is (BARE if c.key.arm == "bare" else ATTACHED)
    ]
    hostile = replace(run, cells=tuple(cells))
    for form in ("text", "markdown", "junit"):
        shown = written(form, hostile, find(hostile))
        assert not {"\x1b", "\x9b", "\u202e"} & set(shown)
        assert "evil" in shown
