"""What comes in during one turn of the loop is handled in one go."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from workbench.replay.batches import Batches


async def test_what_comes_in_one_turn_is_one_batch_in_order() -> None:
    handled: list[list[int]] = []
    batches = Batches[int](lambda items: handled.append(list(items)))
    await asyncio.gather(*(batches.put(number) for number in range(5)))
    await batches.put(5)
    assert handled == [[0, 1, 2, 3, 4], [5]]


async def test_nobody_goes_on_before_the_batch_is_handled() -> None:
    handled: list[int] = []
    batches = Batches[int](handled.extend)

    async def put(number: int) -> bool:
        await batches.put(number)
        return number in handled

    assert await asyncio.gather(*(put(number) for number in range(3))) == [True] * 3


async def test_a_failure_reaches_everyone_in_the_batch_and_none_after_it() -> None:
    def fails(items: Sequence[int]) -> None:
        if 1 in items:
            raise LookupError("full")

    batches = Batches[int](fails)
    told = await asyncio.gather(*(batches.put(number) for number in range(3)), return_exceptions=True)
    assert [type(error) for error in told] == [LookupError] * 3
    await batches.put(7)


async def test_one_who_leaves_takes_nobody_with_them_and_is_handled_all_the_same() -> None:
    handled: list[int] = []
    batches = Batches[int](handled.extend)
    leaving, staying = (asyncio.create_task(batches.put(number)) for number in range(2))
    await asyncio.sleep(0)
    leaving.cancel()
    await staying
    with pytest.raises(asyncio.CancelledError):
        await leaving
    assert handled == [0, 1]


async def test_a_flush_handles_what_is_there_at_once() -> None:
    handled: list[int] = []
    batches = Batches[int](handled.extend)
    task = asyncio.create_task(batches.put(1))
    await asyncio.sleep(0)
    batches.flush()
    assert handled == [1]
    await task
    batches.flush()
    assert handled == [1]
