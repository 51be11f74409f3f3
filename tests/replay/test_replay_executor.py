"""Adapters opened when they are needed, and closed whatever happens."""

from __future__ import annotations

import asyncio

import pytest
from replay_parts import Scripted, at_once

from workbench.adapters.protocol import Answer, Request
from workbench.core.errors import Problem, WorkbenchError
from workbench.core.trial import Status
from workbench.core.turn import bare
from workbench.replay import executor as module
from workbench.replay.executor import Limit, LocalExecutor

REQUEST = Request(bare("hello"))


async def test_only_what_is_needed_is_opened_and_all_of_it_closed() -> None:
    one, two = Scripted(name="one"), Scripted(name="two")
    async with LocalExecutor({"one": one, "two": two}) as executor:
        assert one.opened == 0
        assert (await executor.run("one", REQUEST)).status is Status.OK
        assert (await executor.run("one", REQUEST)).status is Status.OK
        assert await executor.prepare(["one"]) == {}
        assert (one.opened, two.opened) == (1, 0)
    assert (one.closed, two.closed) == (1, 0)
    await executor.close()
    assert one.closed == 1


async def test_two_at_once_open_it_once() -> None:
    one = Scripted(name="one")
    async with LocalExecutor({"one": one}) as executor:
        await asyncio.gather(*(executor.run("one", REQUEST) for _ in range(5)))
    assert (one.opened, one.closed) == (1, 1)


async def test_a_mistake_of_the_user_is_raised_for_all_adapters_at_once() -> None:
    adapters = {name: Scripted(name=name) for name in ("one", "two", "three")}
    adapters["one"].fail_open = WorkbenchError(Problem("no such file", hint="make it"))
    adapters["three"].fail_open = WorkbenchError(Problem("no such model"))
    async with LocalExecutor(adapters) as executor:
        with pytest.raises(WorkbenchError) as caught:
            await executor.prepare(["one", "two", "three"])
    assert [problem.message for problem in caught.value.problems] == ["no such file", "no such model"]
    assert [adapter.closed for adapter in adapters.values()] == [1, 1, 1]


async def test_a_guest_that_breaks_breaks_its_own_calls_only() -> None:
    adapters = {name: Scripted(name=name) for name in ("good", "broken")}
    adapters["broken"].fail_open = RuntimeError("a bug")
    async with LocalExecutor(adapters) as executor:
        assert await executor.prepare(["good", "broken"]) == {
            "broken": "it cannot be opened: RuntimeError: a bug"
        }
        assert (await executor.run("good", REQUEST)).status is Status.OK
        assert await executor.run("broken", REQUEST) == Answer(
            Status.ERROR, error="it cannot be opened: RuntimeError: a bug"
        )
    assert adapters["broken"].closed == 1


async def test_a_guest_that_is_never_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(Scripted):
        async def open(self) -> None:
            await asyncio.sleep(60)

    monkeypatch.setattr(module, "_OPEN_WITHIN", 0.05)
    slow = Slow(name="slow", timeout=0.05)
    async with LocalExecutor({"slow": slow}) as executor:
        assert await executor.prepare(["slow"]) == {"slow": "it was not ready within 0.05 s"}
    assert slow.closed == 1


async def test_all_are_closed_when_the_block_is_cancelled() -> None:
    async def forever(request: Request) -> Answer:
        await asyncio.sleep(60)
        raise AssertionError

    adapters = {"one": Scripted(forever, "one"), "two": Scripted(at_once, "two")}

    async def block() -> None:
        async with LocalExecutor(adapters) as executor:
            await executor.prepare(["one", "two"])
            await executor.run("one", REQUEST)

    task = asyncio.create_task(block())
    while not adapters["one"].running:
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [adapter.closed for adapter in adapters.values()] == [1, 1]


async def test_one_that_does_not_close_keeps_no_other_from_it(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stuck(Scripted):
        async def close(self) -> None:
            await asyncio.sleep(60)

    monkeypatch.setattr(module, "_CLOSE_WITHIN", 0.05)
    adapters = {"stuck": Stuck(name="stuck"), "loud": Scripted(name="loud"), "good": Scripted(name="good")}
    adapters["loud"].fail_close = RuntimeError("no")
    async with LocalExecutor(adapters) as executor:
        await executor.prepare(list(adapters))
    assert adapters["good"].closed == 1
    assert executor.left == {"stuck": "it did not end within 0.05 s", "loud": "RuntimeError: no"}


def test_a_limit_is_at_least_one_call() -> None:
    executor = LocalExecutor({"one": Scripted(name="one", concurrency=0, timeout=3.0)})
    assert executor.limit("one") == Limit(1, 3.0)
