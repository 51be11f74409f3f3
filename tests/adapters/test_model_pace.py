"""Whose turn it is: the limits are kept, the line is fair, and nobody who leaves it is missed."""

from __future__ import annotations

import asyncio
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.adapters.calls.asking import Patience
from workbench.adapters.calls.metering import Meter
from workbench.adapters.calls.pace import Pace


@given(st.lists(st.floats(0, 5), min_size=1, max_size=60), st.integers(1, 600))
def test_a_meter_never_lets_more_through_than_its_rate(pauses: list[float], per_minute: int) -> None:
    meter, now, went = Meter(per_minute), 0.0, list[float]()
    for pause in pauses:
        now += pause
        now += meter.wait(now)
        meter.take(now, 1)
        went.append(now)
    each = 60 / per_minute
    for first in range(len(went)):
        for last in range(first, len(went)):
            assert (last - first) * each <= went[last] - went[first] + 1.0 + 1e-6, "but for a second's slack"


def test_a_meter_is_corrected_by_what_was_used() -> None:
    meter = Meter(60)
    meter.take(0.0, 10)
    waited = meter.wait(0.0)
    meter.correct(-8)
    assert meter.wait(0.0) == pytest.approx(waited - 8)
    meter.correct(20)
    assert meter.wait(0.0) == pytest.approx(waited + 12)


async def test_no_more_at_once_than_there_is_room_for_and_first_come_first_served() -> None:
    pace, order, under_way, most = Pace(3), list[int](), 0, 0

    async def call(number: int) -> None:
        nonlocal under_way, most
        turn = await pace.enter(1)
        order.append(number)
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(random.uniform(0, 0.003))
        under_way -= 1
        pace.leave(turn)

    await asyncio.gather(*(call(number) for number in range(40)))
    assert order == list(range(40))
    assert most == 3


async def test_requests_a_minute() -> None:
    loop, pace = asyncio.get_running_loop(), Pace(8, requests_per_minute=1200)
    began = loop.time()
    for _ in range(30):
        pace.leave(await pace.enter(1))
    took = loop.time() - began
    assert took >= 29 * 0.05 - 1.05, "50 ms each, but for a second's slack"


async def test_tokens_a_minute() -> None:
    loop, pace = asyncio.get_running_loop(), Pace(8, tokens_per_minute=60_000)
    began = loop.time()
    for _ in range(4):
        pace.leave(await pace.enter(100), used=500)
    assert loop.time() - began >= 3 * 0.5 - 1.05
    pace.leave(await pace.enter(100), used=None)


async def test_a_complaint_halves_the_room_once_for_those_under_way() -> None:
    pace = Pace(16)
    turns = [await pace.enter(1) for _ in range(16)]
    for turn in turns:
        pace.complained(turn, None)
    assert pace.room == 8, "they began before the room was cut"
    for turn in turns:
        pace.leave(turn)
    again = await pace.enter(1)
    pace.complained(again, None)
    assert pace.room == 4
    pace.leave(again)
    for _ in range(4):
        pace.went_well()
    assert pace.room in (4, 5), "one more for a round without a complaint"
    for _ in range(1000):
        pace.went_well()
    assert pace.room == 16


async def test_there_is_always_room_for_one() -> None:
    pace = Pace(2)
    for _ in range(10):
        turn = await pace.enter(1)
        pace.complained(turn, None)
        pace.leave(turn)
    assert pace.room == 1


async def test_nobody_begins_while_the_service_asks_to_wait() -> None:
    loop, pace = asyncio.get_running_loop(), Pace(4)
    turn = await pace.enter(1)
    pace.complained(turn, 0.1)
    pace.leave(turn)
    began = loop.time()
    await asyncio.gather(pace.enter(1), pace.enter(1))
    assert loop.time() - began >= 0.09


async def test_whoever_gives_up_waiting_leaves_the_line() -> None:
    pace = Pace(1)
    turn = await pace.enter(1)
    waiting = [asyncio.create_task(pace.enter(1)) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    await asyncio.sleep(0)
    pace.leave(turn)
    waiting[1].cancel()  # in the moment in which it was called up
    second = await asyncio.wait_for(waiting[2], 1)
    pace.leave(second)
    assert (await asyncio.gather(*waiting[:2], return_exceptions=True)) != [None, None]
    pace.leave(await asyncio.wait_for(pace.enter(1), 1))


@given(st.integers(1, 60), st.none() | st.floats(0, 100))
def test_patience_is_as_asked_and_never_all_at_once(tried: int, asked: float | None) -> None:
    patience = Patience(first=0.5, longest=20)
    wait = patience.wait(tried, asked)
    if asked is None:
        usual = min(20, 0.5 * 2 ** (tried - 1))
        assert usual / 2 <= wait <= usual
    else:
        assert asked <= wait <= asked + 0.5
