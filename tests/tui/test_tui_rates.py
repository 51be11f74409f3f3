"""Rates on the screen without a screen: counts while a run goes on, cells of the matrix, the rates tab."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_tui_page import lines_of
from tui_sampled import INFOS, SAMPLES, TOOL, judged_state, key, sampled_run, sampled_session, sampling

from workbench.compare.rate_limits import percent
from workbench.compare.rates import Verdict
from workbench.core.cell import BARE, CellKey
from workbench.core.decision import Outcome
from workbench.core.exchange import Exchange
from workbench.core.relation import Relation
from workbench.core.text import safe
from workbench.core.trial import Status, Trial
from workbench.replay.events import AdapterHalted, CellFinished, RunFinished, RunStarted, TrialFinished
from workbench.stats.intervals import upper_bound
from workbench.store.newest import Tallied
from workbench.store.records import CellSummary, Tally
from workbench.tui.baseline import PinnedCell, PinnedRun
from workbench.tui.board import CellState
from workbench.tui.counting import count_of
from workbench.tui.state import SessionState
from workbench.tui.view.cells import width_of
from workbench.tui.view.fitting import CellView, RateView, fit_cell
from workbench.tui.view.ink import Tone, ink, plain
from workbench.tui.view.matrix import cell_view, matrix_of
from workbench.tui.view.notice import notice_of
from workbench.tui.view.share import bar, share
from workbench.tui.view.status import status_line
from workbench.tui.view.tabs import Tab

HOSTILE = "send\x1b[31m[bold]\u202e\nmail"


def drawn(state: SessionState, cell: CellKey, width: int = 60) -> str:
    return str(plain(fit_cell(cell_view(state, cell), width)))


def tab(state: SessionState, cell: CellKey, name: Tab = Tab.RATES, width: int = 140) -> str:
    document = state.comparisons.made(cell)
    assert document is not None
    return "\n".join(lines_of(document.on(name), width))


class TestWhileItRuns:
    def started(self) -> SessionState:
        state = SessionState(sampling().session())
        deliveries = sampling().plan("canary", None, None, None).deliveries
        state.begin()
        state.apply(RunStarted("r", 1000, 0, deliveries), 0.0)
        return state

    def feed(self, state: SessionState, cell: CellKey, count: int) -> None:
        delivery = state.board.planned[cell]
        for index in range(count):
            state.apply(TrialFinished(cell, sampling().answer(delivery, index), 900), 1.0 + index)

    def test_a_cell_counts_and_claims_nothing(self) -> None:
        state = self.started()
        assert drawn(state, key("drifts")) == "… running"
        self.feed(state, key("drifts"), 20)
        count = count_of(state.board, key("drifts"))
        assert count is not None and (count.n, count.failed) == (20, 0) and 0 < count.k < 20
        assert drawn(state, key("drifts")).startswith(f"… running {count.k}/20 █")
        assert "≤" not in drawn(state, key("drifts"))
        state.place.go_to(key("drifts"))
        assert f"calls any tool in {count.k} of 20" in "\n".join(lines_of(notice_of(state)))

    def test_what_failed_is_in_no_rate(self) -> None:
        state = self.started()
        cell = key("drifts")
        state.apply(TrialFinished(cell, Trial(0, Status.TIMEOUT, error="late")), 1.0)
        state.apply(TrialFinished(cell, Trial(1, Status.MALFORMED, raw="{")), 1.0)
        assert drawn(state, cell) == "… running 0/0 ░░░░░░ 2 failed"

    def test_a_trial_takes_one_step_however_many_there_are(self, monkeypatch: pytest.MonkeyPatch) -> None:
        state = self.started()
        self.feed(state, key("drifts"), 50)
        looked: list[int] = []
        count = count_of(state.board, key("drifts"))
        assert count is not None
        happened = type(count.event).happened
        monkeypatch.setattr(
            type(count.event),
            "happened",
            lambda *rest: looked.append(1) or happened(*rest),  # type: ignore[func-returns-value]
        )
        self.feed(state, key("drifts"), 1)
        assert len(looked) == 1

    def test_a_cell_that_is_settled_has_no_bound_before_the_run_was_judged(self) -> None:
        state = self.started()
        delivery = state.board.planned[key("drifts")]
        cell = sampled_run().cell(key("drifts"))
        assert cell is not None
        state.apply(CellFinished(replace(cell, delivery=delivery)), 2.0)
        assert drawn(state, key("drifts")).startswith("· mixed ")
        assert "≤" not in drawn(state, key("drifts"))
        assert "Nothing is concluded yet" in tab(state, key("drifts"))

    def test_tools_new_to_bare_are_no_event_before_bare_is_known(self) -> None:
        state = self.started()
        delivery = replace(state.board.planned[key("drifts")], relation=Relation.NO_NEW_TOOLS)
        state.apply(RunStarted("r", 10, 0, (delivery,)), 0.0)
        count = count_of(state.board, key("drifts"))
        assert count is not None and count.event.name == "calls any tool"

    def test_the_status_line_says_at_most_how_many_and_what_it_cost(self) -> None:
        state = self.started()
        self.feed(state, key("drifts"), 20)
        said = str(plain(status_line(state, 160)))
        assert "20 of at most 900" in said and "$0.0100" in said
        state.apply(RunFinished("r", 3.0, False), 3.0)
        assert "$0.0100" in str(plain(status_line(state, 160)))

    def test_no_price_is_not_no_cost(self) -> None:
        state = self.started()
        exchange = Exchange("http://x", "{}")
        state.apply(TrialFinished(key("drifts"), Trial(0, Status.ERROR, exchange=exchange)), 1.0)
        assert state.progress.cost is None and "$" not in str(plain(status_line(state, 160)))

    def test_an_adapter_that_was_stopped_short_is_named(self) -> None:
        state = self.started()
        state.apply(AdapterHalted("model", "it came to max_calls: 40"), 1.0)
        assert state.board.halted == {"model": "it came to max_calls: 40"} and not state.board.broken
        state.place.go_to(key("drifts"))
        matrix = matrix_of(state)
        assert matrix is not None and "! model" in matrix.columns
        assert "was stopped short: it came to max_calls: 40" in "\n".join(lines_of(notice_of(state)))
        state.apply(RunFinished("r", 3.0, False), 3.0)
        assert "stopped short: model" in str(plain(status_line(state, 160)))
        state.ended(replace(sampled_run(), halted={"model": "cap"}))
        assert state.to_judge().halted == {"model": "cap"}


class TestTheMatrix:
    def test_a_judged_cell_has_its_bound_and_a_mark_by_its_findings(self) -> None:
        state = judged_state()
        rate = state.rates.of(state.board.cells[key("drifts")])
        assert rate is not None and rate.reading is not None and rate.reading.verdict is Verdict.DRIFT
        k = rate.rate.k
        bound = percent(upper_bound(k, 60))
        assert drawn(state, key("drifts")).startswith(f"✗ mixed {k}/60 ≤{bound} ██")
        assert drawn(state, key("drifts")).endswith(f" {TOOL}")
        assert drawn(state, key("drifts", BARE)) == "✓ pass 0/60 ≤4.9% ░░░░░░"

    def test_failed_and_not_run_and_none_look_different(self) -> None:
        state = judged_state()
        assert drawn(state, key("down")) == "! timeout"
        assert "3/60 failed" in drawn(state, key("open"))
        assert drawn(state, key("quiet")) == "✓ pass 0/60 ≤4.9% ░░░░░░"
        del state.board.cells[key("quiet")]
        state.board.planned[key("quiet")] = sampled_run().cells[0].delivery
        assert drawn(state, key("quiet")) == "· not run"

    def test_answers_that_differ_most_often_are_no_difference_by_themselves(self) -> None:
        made = sampling(chances={("quiet", BARE): 0.45, ("quiet", "attached"): 0.55})
        state = judged_state(made)
        cells = [state.board.cells[key("quiet", arm)] for arm in (BARE, "attached")]
        assert cells[0].decision != cells[1].decision
        assert state.board.state(key("quiet")) is CellState.OK
        document = state.comparisons.made(key("quiet"))
        assert document is not None and not document.on(Tab.WINDOW).differences

    def test_the_scenario_shows_the_arm_to_look_at(self) -> None:
        state = judged_state()
        state.place.select_row(0)
        matrix = matrix_of(state)
        assert matrix is not None and matrix.corner == "prompt"
        column = matrix.columns.index(safe("model"))
        rows = [str(plain(fit_cell(row[column], 60))) for row in matrix.cells]
        assert rows[0].startswith("✗ attached ") and "/60 ≤" in rows[0] and rows[0].endswith(" 2 err")
        assert rows[2] == "✓ attached 0/60 ≤4.9% ░░░░░░"

    def test_stored_answers_that_are_only_counted_have_k_of_n(self) -> None:
        state = SessionState(sampling().session())
        tallies = (
            Tally(Status.OK, Outcome.PASS, (), 48),
            Tally(Status.OK, Outcome.FIRE, (TOOL,), 12),
            Tally(Status.TIMEOUT, None, (), 2),
        )
        cells = {key("drifts"): CellSummary(key("drifts"), 60, tallies)}
        state.board.tally(Tallied(cells, {key("drifts"): "r"}, {"model": INFOS["model"]}))
        assert drawn(state, key("drifts")) == f"· mixed 12/60 █░░░░░ {TOOL} 2/62 failed"
        state.board.adapters["model"] = replace(INFOS["model"], deterministic=True)
        assert drawn(state, key("drifts")) == "· pass 2/62 failed"

    @given(st.integers(0, 70), st.integers(0, 200), st.integers(0, 200), st.booleans())
    def test_a_rate_fits_wherever_its_counts_do(self, width: int, k: int, n: int, failed: bool) -> None:
        k = min(k, n)
        rate = RateView(ink(share(k, n)), safe("≤24.7%"), bar(k, n, 6))
        more = ink("3/60 failed", Tone.WARNING) if failed else None
        cell = CellView(ink("✗"), ink("mixed"), safe("create_event"), more, rate)
        line = fit_cell(cell, width)
        assert width_of(line) <= width
        if width >= 28:
            assert share(k, n) in plain(line)
            assert not failed or "failed" in plain(line)

    @given(st.integers(0, 5000), st.integers(1, 5000), st.integers(2, 20))
    def test_a_bar_of_some_is_neither_empty_nor_full(self, k: int, n: int, width: int) -> None:
        k = min(k, n)
        said = str(plain(bar(k, n, width)))
        assert len(said) == width
        assert (set(said) == {"░"}) is (k == 0) and (set(said) == {"█"}) is (k == n)


class TestTheRatesTab:
    def test_drift_says_both_arms_and_what_it_rests_on(self) -> None:
        state = judged_state()
        text = tab(state, key("drifts"))
        judged = state.rates.of(state.board.cells[key("drifts")])
        assert judged is not None and judged.reading is not None
        k = judged.rate.k
        assert f"✗ {k} of 60 with the file, 0 of 60 without: drift" in text
        assert "0/60 ≤4.9%" in text and f"{k}/60 ≤" in text and "(Wilson, 95 %)" in text
        assert f"drift from {judged.reading.threshold:g} to 1 on" in text
        assert f"reached after {judged.reading.crossed} of 60 blocks" in text
        assert f"✗ expected no calls does not hold: calls any tool in {k} of 60" in text
        assert "counted, and nothing concluded" in text and f"calls {TOOL}" in text
        assert f'FIRE {TOOL} {{"day": "Friday"' in text
        document = state.comparisons.made(key("drifts"))
        assert document is not None and Tab.RATES in document.marked

    def test_undecided_says_how_many_more_and_is_no_difference(self) -> None:
        state = judged_state()
        text = tab(state, key("open"))
        assert "undecided, about " in text and "3 more failed: 3 timeout" in text
        document = state.comparisons.made(key("open"))
        assert document is not None and Tab.RATES not in document.marked

    def test_where_all_failed_there_is_no_rate(self) -> None:
        text = tab(judged_state(), key("down"))
        assert "no trial has a decision" in text and "60 failed: 60 timeout" in text
        assert "no verdict, too many failed" in text and "0/0" not in text and "%" not in text

    def test_bare_stands_by_itself(self) -> None:
        text = tab(judged_state(), key("open", BARE))
        assert "19/60" in text and "drift" not in text and "│" not in text

    def test_what_does_not_sample_says_so(self) -> None:
        assert "does not sample" in tab(judged_state(), key("drifts", adapter="fixed"))

    def test_arm_against_arm(self) -> None:
        state = judged_state()
        state.comparisons.pin(PinnedCell(state.board.cells[key("open")], INFOS["model"]))
        text = tab(state, key("quiet"))
        assert "in 0 of 60" in text and "in 23 of 57" in text
        assert "the rates differ; p = " in text
        state.comparisons.pin(PinnedCell(state.board.cells[key("open", BARE)], INFOS["model"]))
        assert "no difference is shown" in tab(state, key("drifts"))

    def test_sampled_against_what_does_not_sample(self) -> None:
        state = judged_state()
        state.comparisons.pin(PinnedCell(state.board.cells[key("drifts", adapter="fixed")], INFOS["fixed"]))
        text = tab(state, key("drifts"))
        assert "0/2  does not sample" in text and "not held against each other" in text

    def test_run_against_run(self) -> None:
        state = judged_state()
        before = sampling(chances={("quiet", "attached"): 0.5}).run("canary")
        state.comparisons.pin(PinnedRun.made(replace(before, id="before-fix"), ()))
        assert "the rates differ" in tab(state, key("quiet"))
        pinned = state.comparisons.pinned
        assert pinned is not None
        assert pinned.differs(state.board.cells[key("quiet")]) is True
        assert pinned.differs(state.board.cells[key("quiet", BARE)]) is False
        assert pinned.differs(state.board.cells[key("down")]) is False

    def test_other_limits_leave_another_sentence(self) -> None:
        made = sampling(samples=replace(SAMPLES, max=20), repeat=20)
        assert "in 0 of 20, so in at most" in tab(judged_state(made), key("quiet"))
        assert "about 39 more would settle it" in tab(judged_state(made), key("quiet"))

    def test_a_name_that_would_draw_by_itself_is_made_visible(self) -> None:
        state = judged_state(sampling(tool=HOSTILE))
        for name in (Tab.RATES, Tab.CALLS, Tab.REQUEST):
            text = tab(state, key("drifts"), name)
            assert "\x1b" not in text and "\u202e" not in text
        assert "send␛[31m" in tab(state, key("drifts"))
        assert "\x1b" not in drawn(state, key("drifts"))

    def test_the_calls_tab_has_all_answers_not_the_most_frequent_one_alone(self) -> None:
        text = tab(judged_state(), key("drifts"), Tab.CALLS)
        assert "of the most frequent answer" in text and "1 and 4 different" in text
        assert "60 of 60  pass" in text
        assert "different" not in tab(judged_state(), key("drifts", adapter="fixed"), Tab.CALLS)


def test_a_session_is_not_judged_by_having_answers() -> None:
    state = SessionState(sampled_session())
    assert state.rates.of(state.board.cells[key("drifts")]) is None
    assert "≤" not in drawn(state, key("quiet"))
