"""What a person sees while a run goes on, on a terminal and in a log."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator

import pytest

from workbench.cli.progress import Progress
from workbench.core.cell import BARE, CellKey, Delivery
from workbench.core.decision import Decision, Outcome, ToolCall
from workbench.core.exchange import Exchange
from workbench.core.relation import Relation
from workbench.core.scenario import Expectation, Samples
from workbench.core.trial import Status, Trial
from workbench.core.turn import bare
from workbench.replay.events import RunFinished, RunStarted, TrialFinished

CALL = Decision(Outcome.FIRE, (ToolCall("send"),))
NO_CALL = Decision(Outcome.PASS)


def delivery(arm: str, adapter: str = "model", samples: bool = True, **more: object) -> Delivery:
    key = CellKey("s", "1", arm, adapter)
    return Delivery(key, "x", bare("x"), samples=Samples() if samples else None, **more)  # type: ignore[arg-type]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Seen:
    """A progress with a clock of its own."""

    def __init__(self, *deliveries: Delivery, stream: io.StringIO | None = None) -> None:
        self.now = 100.0
        self.stream = stream or io.StringIO()
        self.progress = Progress(self.stream, clock=lambda: self.now)
        self.keys = [made.key for made in deliveries]
        self.progress(RunStarted("r", 120, 0, deliveries))

    def trial(
        self, at: int, decision: Decision | None, cost: float | None = None, most: int | None = 120
    ) -> None:
        status = Status.ERROR if decision is None else Status.OK
        exchange = None if cost is None else Exchange("u", "{}", cost=cost)
        self.progress(TrialFinished(self.keys[at], Trial(0, status, decision, exchange=exchange), most))

    def line(self) -> str:
        """The line that the next trial brings, half a minute later."""
        self.now += 30
        self.trial(0, NO_CALL)
        return self.stream.getvalue().splitlines()[-1]


def test_a_sampled_run_shows_live_counts_and_at_most_how_many() -> None:
    seen = Seen(delivery(BARE), delivery("attachment"))
    for _ in range(3):
        seen.trial(1, CALL)
        seen.trial(0, NO_CALL)
    seen.trial(1, None)
    assert seen.line() == (
        "8 of at most 120 trials, 1 failed, 0.3/s, 7 min 0 s left; calls any tool: bare 0/4, attachment 3/3"
    )


def test_what_is_left_shrinks_with_what_is_known() -> None:
    seen = Seen(delivery(BARE), delivery("attachment"))
    seen.trial(1, CALL, most=40)
    seen.now += 30
    seen.trial(0, NO_CALL, most=12)
    assert seen.stream.getvalue().startswith("2 of at most 12 trials")


def test_the_cost_so_far_where_it_is_known() -> None:
    seen = Seen(delivery(BARE))
    seen.trial(0, NO_CALL, cost=0.25)
    seen.trial(0, NO_CALL, cost=0.5)
    assert "$0.75 so far" in seen.line()
    assert "$" not in Seen(delivery(BARE)).line()


def test_a_run_that_does_not_sample_is_as_it_was() -> None:
    seen = Seen(delivery(BARE, samples=False))
    assert seen.line() == "1 of 120 trials, 0.0/s, 59 min 30 s left"


def test_the_event_is_the_one_that_all_arms_are_about() -> None:
    wanted = Expectation(outcome=Outcome.FIRE, tool="send", spelled="fire send")
    seen = Seen(delivery(BARE, expect=wanted), delivery("a", expect=wanted))
    seen.trial(1, Decision(Outcome.FIRE, (ToolCall("other"),)))
    assert "calls send: bare 0/1, a 0/1" in seen.line()
    for second in (delivery("a"), delivery("a", relation=Relation.NO_NEW_TOOLS)):
        seen = Seen(delivery(BARE, expect=wanted), second)
        assert "calls any tool: bare 0/1, a 0/0" in seen.line()


def test_adapters_are_told_apart_and_arms_past_four_are_left_out() -> None:
    seen = Seen(delivery(BARE, "one"), delivery(BARE, "two"))
    assert "one bare 0/1, two bare 0/0" in seen.line()
    seen = Seen(*(delivery(f"arm {number}") for number in range(6)))
    assert seen.line().endswith("arm 3 0/0, ...")


def test_hostile_names_are_shown_as_marks() -> None:
    seen = Seen(delivery("a\x1b]0;x\x07"))
    assert "\x1b" not in seen.line()


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(
        "workbench.cli.live_line.shutil.get_terminal_size", lambda: os.terminal_size((40, 20))
    )
    yield


@pytest.mark.usefixtures("narrow")
def test_on_a_terminal_the_line_is_redrawn_and_never_wraps() -> None:
    stream = Terminal()
    seen = Seen(delivery(BARE), delivery("attachment"), stream=stream)
    for _ in range(5):
        seen.now += 1
        seen.trial(0, NO_CALL)
    drawn = stream.getvalue().split("\r\x1b[2K")
    assert len(drawn) == 6
    assert all(len(line) < 40 for line in drawn)
    seen.progress(RunFinished("r", 1.0, interrupted=False))
    assert stream.getvalue().endswith("\r\x1b[2K")
