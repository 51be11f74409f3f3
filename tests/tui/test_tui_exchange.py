"""The request tab of a model: the bodies of one trial, laid out, aligned, and nothing of them changed."""

from __future__ import annotations

import json
import re
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_tui_page import lines_of
from tui_sampled import judged_state, key

from workbench.core.cell import BARE, Cell, CellKey
from workbench.core.exchange import Exchange, Usage
from workbench.core.trial import Status, Trial
from workbench.tui.state import SessionState
from workbench.tui.view.exchange import laid_out, shown_trial
from workbench.tui.view.tabs import Tab

DRIFTS = key("drifts")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def request(state: SessionState, cell: CellKey = DRIFTS) -> str:
    document = state.comparisons.made(cell)
    assert document is not None
    return "\n".join(lines_of(document.on(Tab.REQUEST), 140))


def with_exchange(exchange: Exchange | None, status: Status = Status.ERROR) -> SessionState:
    """One failed trial, with this for its exchange."""
    state = judged_state()
    cell = state.board.cells[key("drifts")]
    state.board.cells[key("drifts")] = Cell(cell.delivery, (Trial(0, status, exchange=exchange),))
    return state


def test_it_shows_the_first_trial_that_called_a_tool() -> None:
    state = judged_state()
    cell = state.board.cells[key("drifts")]
    shown = shown_trial(cell)
    assert shown is not None and shown.decision is not None and shown.decision.called
    first = next(n for n, t in enumerate(cell.trials, start=1) if t.decision and t.decision.called)
    text = request(state)
    assert f"trial {first} of 60: the first that called a tool" in text
    assert "trial 1 of 60: the first; none called a tool" in text


def test_all_that_is_known_of_it_is_said() -> None:
    text = request(judged_state())
    for words in (
        "to http://127.0.0.1:8080/v1/chat/completions",
        "status HTTP 200",
        "model smollm-135m",
        "finish reason tool_calls",
        "tokens 700 in, 20 out",
        "cost $0.000500",
        "document all of it is in the body",
    ):
        assert words in text
    assert "tries" not in text and "fingerprint" not in text


def test_three_kinds_of_nothing() -> None:
    def exchange(received: str | None) -> Exchange:
        return Exchange("http://x", "{}", received, usage=Usage(), tries=4, reached=0.004)

    nothing, empty = request(with_exchange(exchange(None))), request(with_exchange(exchange("")))
    assert "an empty body" in empty and "an empty body" not in nothing
    assert "nothing" in nothing.split("─ received")[1]
    assert "tokens not reported" in nothing and "tries 4, the last is shown" in nothing
    assert "document 1 % of it is in the body" in nothing
    assert "no request is known of this side" in request(with_exchange(None))


def test_what_was_played_back_went_nowhere() -> None:
    played = with_exchange(Exchange("", "{}", "{}", usage=Usage()))
    assert not re.search(r"^.{5} +to *(│|$)", request(played), re.M)
    assert " to http://x" in request(with_exchange(Exchange("http://x", "{}", "{}")))


def test_bare_by_itself() -> None:
    assert "│" not in request(judged_state(), key("drifts", BARE))


@given(JSON)
def test_only_blanks_are_added_to_json(value: object) -> None:
    body = json.dumps(value)
    out = laid_out(body)
    assert json.loads(out) == value
    strings = re.compile(r'"(?:[^"\\]|\\.)*"')
    assert strings.findall(out) == strings.findall(body)
    assert re.sub(r"\s", "", strings.sub("", out)) == re.sub(r"\s", "", strings.sub("", body))


@pytest.mark.parametrize(
    "body",
    [
        '{"a": 1.00, "a": 1e999, "b": 12345678901234567890, "c": "\\u00e9"}',
        '[{}, [], {"deep": [[[1]]]}]',
    ],
)
def test_every_value_is_spelled_as_it_was(body: str) -> None:
    assert re.sub(r"\s", "", laid_out(body)) == re.sub(r"\s", "", body)
    assert "\n" in laid_out(body)


@pytest.mark.parametrize(
    "body", ["", "data: {}\n\ndata: [DONE]", '{"half": ', "{a: 1}", "[" * 100_000, '"text"']
)
def test_what_is_no_json_stands_as_it_came(body: str) -> None:
    assert laid_out(body) == body


def test_bytes_that_are_no_text_and_control_characters_are_drawn_safely() -> None:
    text = request(
        with_exchange(Exchange("http://\x1b[1m", "\udcff\x1b]0;x\x07", '{"a": "\x7f\u202e"}', 500))
    )
    assert not set("\x1b\x07\u202e\x7f") & set(text)
    assert not any("\ud800" <= char <= "\udfff" for char in text)
    assert "HTTP 500" in text


def test_a_megabyte_is_laid_out_and_only_what_is_looked_at_is_drawn() -> None:
    messages = [{"role": "user", "content": f"line {n} " + "x" * 80} for n in range(10_000)]
    state = judged_state()
    for arm in (BARE, "attached"):
        cell = state.board.cells[key("drifts", arm)]
        body = json.dumps({"messages": messages, "arm": arm})
        trial = cell.trials[0]
        assert trial.exchange is not None
        trials = (replace(trial, exchange=replace(trial.exchange, sent=body)),)
        state.board.cells[key("drifts", arm)] = Cell(cell.delivery, trials)
    assert state.comparisons.is_heavy(key("drifts"))
    began = time.process_time()
    document = state.comparisons.made(key("drifts"))
    assert document is not None
    assert time.process_time() - began < 5
    rows = document.on(Tab.REQUEST).rows
    assert len(rows) < 100, "equal lines are folded, unmade"
