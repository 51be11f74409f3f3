"""A provider with a bad line: rates as with a good one, no answer lost, none paid twice."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from model_kit import CANARY, HURRIED, model, rate, sampled
from model_server import DOUBLED_PIECES, FAULTS, ModelServer, every, one_in

from workbench.adapters.calls.asking import Patience
from workbench.adapters.protocol import Request
from workbench.core.trial import Status
from workbench.core.turn import bare

CALLS = {CANARY[:20]: every(2), "": every(5)}


def rates_of(cells: object) -> dict[str, tuple[int, int]]:
    return {cell.key.arm: rate(cell) for cell in cells}  # type: ignore[attr-defined]


@pytest.mark.parametrize("stream", [False, True])
async def test_final_rates_are_those_without_faults(tmp_path: Path, stream: bool) -> None:
    async with ModelServer(CALLS) as good:
        clean = await sampled(model(good.url, stream=stream), tmp_path / "good", samples=20)
    async with ModelServer(CALLS, faults=one_in(3)) as bad:
        run = await sampled(model(bad.url, stream=stream, timeout=0.5), tmp_path / "bad", samples=20)
    assert rates_of(run.cells) == rates_of(clean.cells) == {"bare": (4, 20), "file": (10, 20)}
    assert set(bad.seen) == set(FAULTS)
    kept = [json.loads(line) for line in _ids(run.cells)]
    assert sorted(kept) == sorted(set(kept)), "an answer counts twice"
    assert set(kept) == set(bad.answered), "an answer that was given was not kept"


def _ids(cells: object) -> list[str]:
    """The id that the provider gave each answer that is kept."""
    found = []
    for cell in cells:  # type: ignore[attr-defined]
        for trial in cell.ok:
            text = trial.exchange.received
            body = text.partition("data: ")[2].partition("\n")[0] if text.startswith("data:") else text
            found.append(json.dumps(json.loads(body)["id"]))
    return found


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("fault", FAULTS)
async def test_one_fault_costs_nothing_but_time(fault: str, stream: bool) -> None:
    async with ModelServer({"": every(1)}, faults=iter([fault])) as server:
        adapter = model(server.url, stream=stream, timeout=0.3)
        answer = await adapter.decide(Request(bare("hello")))
        await adapter.close()
    assert answer.exchange is not None
    if fault == "stall":
        # What may be answered, and paid, any moment is not asked for again here: the block draws anew.
        assert (answer.status, answer.exchange.tries) == (Status.TIMEOUT, 1)
        assert answer.seconds is not None and answer.seconds < 2
        return
    whole = fault == "doubled-event" and stream
    assert (answer.status, answer.exchange.tries) == (Status.OK, 1 if whole else 2)
    assert answer.decision is not None and answer.decision.called == ("create_event",)
    assert answer.decision.calls[0].arguments == {"title": "lunch"}
    assert len(server.answered) == 1


async def test_pieces_that_came_twice_are_no_other_arguments() -> None:
    async with ModelServer({"": every(1)}, faults=iter([DOUBLED_PIECES])) as server:
        adapter = model(server.url, stream=True)
        answer = await adapter.decide(Request(bare("hello")))
        await adapter.close()
    assert (answer.status, answer.decision) == (Status.MALFORMED, None)
    assert answer.raw and "lunch" in answer.raw
    assert len(server.bodies) == 1, "an answer that came whole is not asked for again"


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        ("429", Status.ERROR),
        ("500", Status.ERROR),
        ("529", Status.ERROR),
        ("reset", Status.ERROR),
        ("wrong-type", Status.ERROR),
        ("200-error", Status.ERROR),
        ("half-json", Status.MALFORMED),
        ("half-event", Status.MALFORMED),
    ],
)
async def test_a_fault_that_stays_ends_as_what_it_is(fault: str, status: Status) -> None:
    async with ModelServer(faults=one_in(1, [fault])) as server:
        adapter = model(server.url, Patience(tries=3, tries_of_complaint=4, first=0.001, longest=0.002))
        answer = await adapter.decide(Request(bare("hello")))
        await adapter.close()
    assert answer.status is status
    assert answer.decision is None and answer.error
    assert not answer.fatal
    assert len(server.bodies) == (4 if fault in ("429", "529") else 3)
    assert answer.exchange is not None and answer.exchange.tries == len(server.bodies)


async def test_a_key_that_is_not_accepted_stops_the_adapter_after_one_call(tmp_path: Path) -> None:
    async with ModelServer(key="right") as server:
        run = await sampled(model(server.url, concurrency=8), tmp_path, samples=20)
    assert len(server.bodies) == 1
    errors = {trial.error for cell in run.cells for trial in cell.trials}
    assert len(errors) == 1
    assert "no key was sent: name one with `key: {env: NAME}`" in str(errors)


async def test_a_model_that_is_not_known_stops_the_adapter_after_one_call(tmp_path: Path) -> None:
    async with ModelServer(model="another") as server:
        run = await sampled(model(server.url, concurrency=8), tmp_path, samples=20)
    assert len(server.bodies) == 1
    assert all("does not exist" in str(trial.error) for cell in run.cells for trial in cell.trials)


async def test_an_hour_is_not_waited_for(tmp_path: Path) -> None:
    patience = Patience(most_asked=0.01)
    async with ModelServer(faults=one_in(1, ["429-after"])) as server:
        run = await sampled(model(server.url, patience), tmp_path, samples=20)
    assert len(server.bodies) == 1
    assert not any(cell.trials for cell in run.cells), "there is no answer to keep"
    assert "asks to wait" in run.halted["m"]


async def test_overload_makes_room_smaller_and_grows_it_again() -> None:
    async with ModelServer(faults=iter(["429"] * 4), delay=0.01) as server:
        adapter = model(server.url, HURRIED, concurrency=8)
        await asyncio.gather(*(adapter.decide(Request(bare(str(n)))) for n in range(8)))
        small = adapter.room
        await asyncio.gather(*(adapter.decide(Request(bare(str(n)))) for n in range(60)))
        assert small <= 5 < adapter.room
        await adapter.close()


async def test_a_provider_with_less_room_than_we_have_is_served_what_it_can_take() -> None:
    async with ModelServer(delay=0.005, room=4) as server:
        adapter = model(server.url, concurrency=32)
        answers = await asyncio.gather(*(adapter.decide(Request(bare(str(n)))) for n in range(300)))
        await adapter.close()
    assert {answer.status for answer in answers} == {Status.OK}
    assert len(server.answered) == 300
    assert server.seen["full"] < 150, "it complains now and then, not all the time"


async def test_waiting_is_no_part_of_a_call() -> None:
    async with ModelServer(delay=0.05) as server:
        adapter = model(server.url, requests_per_minute=400)
        answers = await asyncio.gather(*(adapter.decide(Request(bare(str(n)))) for n in range(12)))
        await adapter.close()
    assert server.most <= 8
    assert all(answer.seconds is not None and 0.04 < answer.seconds < 0.5 for answer in answers)
