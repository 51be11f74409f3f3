"""The view models of list, matrix, status and notices."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tui_made import BROKEN, MadePlan, Workspace, workspace

from workbench.core.cell import BARE, AdapterInfo, Cell, CellKey
from workbench.core.finding import Finding, Kind, Severity
from workbench.core.text import SafeText
from workbench.core.trial import Status, Trial
from workbench.replay.events import AdapterBroken, RunFinished, RunStarted, TrialFinished
from workbench.tui.state import SessionState
from workbench.tui.verdicts import Counts
from workbench.tui.view.cells import width_of
from workbench.tui.view.document import Document
from workbench.tui.view.fitting import column_widths, fit_cell
from workbench.tui.view.headline import headline
from workbench.tui.view.ink import plain
from workbench.tui.view.matrix import matrix_of, short_tool
from workbench.tui.view.notice import notice_of
from workbench.tui.view.page import Page
from workbench.tui.view.status import duration, status_line
from workbench.tui.view.tree import in_words, mark, tree_line


def fresh(*ran: str) -> tuple[Workspace, SessionState]:
    made = workspace()
    state = SessionState(made.session(made.run(*ran) if ran else None, BROKEN))
    for scenario in made.scenarios:
        state.planned(scenario.name, made.plan(scenario.name, None, None, None))
    return made, state


def text_of(document: Document, width: int = 100) -> str:
    page = Page(document, width, split=False)
    return "\n".join(plain(page.line(y)).rstrip() for y in range(page.height))


@pytest.mark.parametrize(
    ("counts", "sign", "words"),
    [
        (Counts(), "·", ["not run"]),
        (Counts(not_run=3), "·", ["not run"]),
        (Counts(ok=2, not_run=3), "·", ["3 not run"]),
        (Counts(ok=2), "✓", ["ok"]),
        (Counts(ok=2, failed=1), "!", ["1 failed"]),
        (Counts(ok=2, warnings=1), "!", ["1 warn"]),
        (Counts(ok=2, errors=4, warnings=1, failed=2), "✗", ["4 err", "1 warn", "2 failed"]),
        (Counts(ok=2, running=1), "…", ["1 running"]),
    ],
)
def test_marks_never_stand_without_words(counts: Counts, sign: str, words: list[str]) -> None:
    assert mark(counts).text == sign
    assert [piece.text for piece in in_words(counts)] == words


def test_list_rows_are_exactly_as_wide_as_asked() -> None:
    _, state = fresh("envelope-replay")
    for width in (20, 26, 34, 60):
        for row in state.place.rows:
            assert width_of(tree_line(state, row, width)) == width


def test_list_rows_name_what_they_stand_for() -> None:
    _, state = fresh("envelope-replay")
    rows = [str(plain(tree_line(state, row, 60))) for row in state.place.rows]
    assert rows[0].startswith("▾ ✗ envelope-replay") and "16 err" in rows[0]
    assert rows[1].startswith("  ✗ build  build me a workflow")
    assert "nothing typed" in rows[8]
    assert rows[9].startswith("▾ · paste") and rows[9].endswith("not run")
    assert rows[11].startswith("  ! broken.yaml") and rows[11].endswith("2 err")


def test_matrix_cells_say_their_outcome_in_a_word() -> None:
    _, state = fresh("envelope-replay")
    matrix = matrix_of(state)
    assert matrix is not None
    assert matrix.rows == ("bare", "channel", "reply")
    assert matrix.columns == ("naive", "held", "fixed", "remote")
    said = [[str(plain(fit_cell(cell, 40))) for cell in row] for row in matrix.cells]
    assert said[0] == ["✗ FIRE list-events", "✓ hold list-events", "✓ hold list-events", "✓ pass"]
    assert said[1] == ["✗ FIRE list-events", "✗ pass", "✓ hold list-events", "! timeout"]


def test_three_kinds_of_nothing_and_running_have_words_of_their_own() -> None:
    _, state = fresh()
    state.place.select_row(len(state.place.rows) - 2)
    matrix = matrix_of(state)
    assert matrix is not None and matrix.cells[0][0].word.text == "not run"
    key = CellKey("paste", "1", "reply", "naive")
    delivery = state.board.planned[key]
    state.apply(RunStarted("r", 2, 0, (delivery,)), 0.0)
    assert [c.word.text for c in (matrix_of(state) or matrix).cells[1]] == ["running", *["not run"] * 3]
    state.apply(TrialFinished(key, Trial(0, Status.MALFORMED, error="no JSON")), 0.0)
    assert (matrix_of(state) or matrix).cells[1][0].word.text == "running 1"
    state.apply(RunFinished("r", 1.0, interrupted=True), 0.0)
    assert (matrix_of(state) or matrix).cells[1][0].word.text == "malformed"


def test_an_adapter_without_such_an_arm_says_so() -> None:
    made, state = fresh()
    plan = made.plan("paste", None, None, None)
    kept = tuple(d for d in plan.deliveries if (d.key.arm, d.key.adapter) != ("reply", "held"))
    state.planned("paste", MadePlan(kept, plan.adapters))
    state.place.go_to(CellKey("paste", "1", "reply", "held"))
    matrix = matrix_of(state)
    assert matrix is not None
    assert plain(fit_cell(matrix.cells[1][1], 20)).strip() == "no arm"
    assert "held gets no delivery reply of this prompt" in text_of(notice_of(state))
    state.board.adapters["held"] = AdapterInfo("held", "python", wraps=True)
    assert "envelopes do not apply" in text_of(notice_of(state))
    joined = next(d for d in kept if d.key.adapter == "held")
    state.planned(
        "paste", MadePlan((*kept, replace(joined, key=replace(joined.key, arm="attach"))), plan.adapters)
    )
    state.place.go_to(CellKey("paste", "1", "attach", "naive"))
    assert "the app itself joins the file" in text_of(notice_of(state))


def test_an_adapter_that_cannot_be_called_is_marked_and_says_why() -> None:
    made, state = fresh()
    plan = made.plan("envelope-replay", "build", None, None)
    state.apply(RunStarted("r", 0, 0, plan.deliveries[:1]), 0.0)
    state.apply(AdapterBroken("held", "no such module: app"), 0.0)
    matrix = matrix_of(state)
    assert matrix is not None and matrix.columns == ("naive", "! held", "fixed", "remote")
    assert "! held cannot be called: no such module: app" in text_of(notice_of(state))


def test_some_failures_and_disagreement_are_counted_in_the_cell() -> None:
    made, state = fresh("paste")
    key = CellKey("paste", "1", "reply", "naive")
    state.place.go_to(key)
    cell = state.board.cells[key]
    mixed = replace(cell, trials=(cell.trials[0], Trial(1, Status.TIMEOUT)))
    state.board.cells[key] = mixed
    matrix = matrix_of(state)
    assert matrix is not None
    assert plain(fit_cell(matrix.cells[1][0], 40)) == "✓ pass 1/2 failed"
    fired = made.answer(made.plan("envelope-replay", "today", "bare", "naive").deliveries[0], 1)
    state.board.cells[key] = replace(cell, trials=(cell.trials[0], fired))
    matrix = matrix_of(state)
    assert matrix is not None
    assert plain(fit_cell(matrix.cells[1][0], 40)) == "✓ pass 1/2"


def test_a_scenario_row_sums_up_each_prompt() -> None:
    _, state = fresh("envelope-replay")
    state.place.select_row(0)
    matrix = matrix_of(state)
    assert matrix is not None
    assert matrix.rows == ("build", "2", "3", "today", "5")
    assert plain(fit_cell(matrix.cells[0][0], 40)) == "✗ FIRE 3 err"
    assert plain(fit_cell(matrix.cells[0][2], 40)) == "✓ hold"


def test_a_scenario_row_says_how_bare_failed() -> None:
    _, state = fresh("envelope-replay")
    state.place.select_row(0)
    key = CellKey("envelope-replay", "build", BARE, "naive")
    cell = state.board.cells[key]
    state.board.cells[key] = Cell(cell.delivery, (Trial(0, Status.TIMEOUT, error="slow"),))
    matrix = matrix_of(state)
    assert matrix is not None
    words = plain(fit_cell(matrix.cells[0][matrix.columns.index(key.adapter)], 40))
    assert words == "✗ timeout 3 err"


@pytest.mark.parametrize(
    "head", ["FIRED ON WORKFLOW", "ENVELOPE DRIFT", "NO VERDICT", "EXPECTED", "MISS", "STALE ACCEPT"]
)
def test_a_headline_begins_with_its_head_alone(head: str) -> None:
    finding = Finding(Kind.DRIFT, Severity.ERROR, "s", "p", "a", "b", f"{head} [channel] 'words': and more")
    first, rest = headline(finding)
    assert (first.text, rest.text) == (head, " [channel] 'words': and more")


def test_columns_give_way_to_each_other_but_never_lose_their_word() -> None:
    _, state = fresh("envelope-replay")
    matrix = matrix_of(state)
    assert matrix is not None
    for width in range(20, 140):
        _, widths = column_widths(matrix, width)
        for row in matrix.cells:
            for cell, size in zip(row, widths, strict=True):
                line = fit_cell(cell, size)
                assert width_of(line) <= size
                assert cell.word.text in plain(line)
    _, roomy = column_widths(matrix, 140)
    assert all("list-events" in plain(fit_cell(row[1], roomy[1])) for row in matrix.cells[:1])


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("google-calendar::list-events", "list-events"),
        ("gmail.send", "send"),
        ("mcp__files__read", "read"),
        ("plain", "plain"),
        ("::", "::"),
        ("a::\x1b[31m", "␛[31m"),
    ],
)
def test_tools_are_named_by_their_last_part(name: str, short: str) -> None:
    assert short_tool(name) == short
    assert isinstance(short_tool(name), SafeText)


def test_the_status_tells_the_run() -> None:
    made, state = fresh("envelope-replay")
    assert plain(status_line(state, 100)).startswith(" gateway  16 err")
    state.begin()
    assert "starting" in plain(status_line(state, 100))
    plan = made.plan("paste", None, None, None)
    state.apply(RunStarted("r", 16, 0, plan.deliveries), 0.0)
    state.apply(TrialFinished(plan.deliveries[0].key, Trial(0, Status.ERROR)), 2.0)
    line = plain(status_line(state, 120))
    assert "running" in line and "1 of 16, 1 failed, 0.5/s, 30 s left" in line
    state.stopping()
    assert "stopping" in plain(status_line(state, 120))
    state.apply(RunFinished("r", 2.0, interrupted=True), 2.0)
    assert "stopped after 1 trials in 2.0 s, 1 failed" in plain(status_line(state, 120))


def test_the_status_names_a_workspace_that_is_not_trusted_and_bad_files() -> None:
    made = workspace()
    state = SessionState(replace(made.session(None, BROKEN), trusted=False))
    line = plain(status_line(state, 100))
    assert "not trusted" in line and "1 bad file" in line


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.04, "0.0 s"), (9.94, "9.9 s"), (12.4, "12 s"), (200, "3 min 20 s"), (7500, "2 h 5 min")],
)
def test_durations_are_for_people(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_each_state_has_words_of_its_own() -> None:
    made, state = fresh()
    not_run = text_of(notice_of(state))
    assert "Not run yet: r runs this cell" in not_run
    assert "the turn that will be sent" in not_run and "untrusted_channel_message" in not_run
    state.place.select_row(0)
    assert "R runs the whole scenario" in text_of(notice_of(state))
    state.place.select_row(len(state.place.rows) - 1)
    broken = text_of(notice_of(state))
    assert "scenarios/broken.yaml:3:1" in broken and "→ did you mean `adapters`?" in broken
    assert "scenarios/broken.yaml:5:10" in broken
    made.scenarios = ()
    assert "no scenarios yet" in text_of(notice_of(SessionState(made.session())))
    untrusted = SessionState(replace(workspace().session(), trusted=False))
    assert "`workbench trust`" in text_of(notice_of(untrusted))


def test_a_scenario_that_cannot_be_run_shows_its_problems() -> None:
    _, state = fresh()
    state.unplannable("envelope-replay", BROKEN)
    assert "cannot be run as it stands" in text_of(notice_of(state))
    state.place.select_row(0)
    assert "unknown key `adaptors`" in text_of(notice_of(state))


def test_a_scenario_lists_its_findings_or_says_that_there_are_none() -> None:
    _, state = fresh("envelope-replay", "paste")
    state.place.select_row(0)
    said = text_of(notice_of(state), 160)
    assert "60 cells: 55 answered, 5 failed, 0 not run" in said
    assert "✗ build · channel · held  ENVELOPE DRIFT hold → pass" in said
    state.judged(())
    state.place.select_row(len(state.place.rows) - 3)
    assert "Nothing was found wrong" in text_of(notice_of(state))


def test_a_run_that_did_not_take_place_says_why() -> None:
    _, state = fresh()
    state.begin()
    state.ended(None, BROKEN[:1])
    assert "The last run did not take place" in text_of(notice_of(state))
    assert "did not run: unknown key" in plain(status_line(state, 120))


def test_nothing_is_fine_before_it_has_been_judged() -> None:
    _, state = fresh("envelope-replay")
    keys = [CellKey("envelope-replay", "build", arm, "fixed") for arm in ("bare", "channel")]
    state.apply(RunStarted("r", 2, 0, tuple(state.board.planned[key] for key in keys)), 0.0)
    for key in keys:
        trial = state.board.cells[key].trials[0]
        state.apply(TrialFinished(key, trial), 0.0)
    state.apply(RunFinished("r", 1.0, interrupted=False), 0.0)
    state.ended(None)
    matrix = matrix_of(state)
    assert matrix is not None
    column = matrix.columns.index("fixed")
    assert [row[column].mark.text for row in matrix.cells] == ["·", "·", "✓"]
    state.place.select_row(0)
    said = text_of(notice_of(state))
    assert "being looked through for findings" in said and "Nothing was found wrong" not in said
    assert "judging" in plain(status_line(state, 200))
    state.to_judge()
    state.judged(())
    assert "judging" not in plain(status_line(state, 200))
    assert "Nothing was found wrong" in text_of(notice_of(state))


def test_a_running_cell_counts_its_trials() -> None:
    _, state = fresh()
    key = state.place.key
    assert key is not None
    state.apply(RunStarted("r", 2, 0, (state.board.planned[key],)), 0.0)
    assert "Running: 0 trials so far" in text_of(notice_of(state))
    state.place.select_row(0)
    said = text_of(notice_of(state))
    assert "1 under way" in said and "Running: s stops the run" in said and "Nothing has been run" not in said
