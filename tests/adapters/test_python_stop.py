"""An app is stopped once its router has returned, whether it lets itself be stopped or not."""

from __future__ import annotations

import textwrap
import time
from pathlib import Path

import pytest
from process_kit import captured, decided, left, noted, run

from workbench.core.decision import Outcome


async def test_one_process_serves_every_trial_of_an_app_that_lets_itself_be_stopped(tmp_path: Path) -> None:
    answers = await run(
        tmp_path,
        """
        def route(text): return "fire"
        def handle(message):
            try:
                with open("log", "a") as log:
                    return route(message)
            except Exception as problem:
                open("ran", "w").close()
            finally:
                log.close()
        """,
        *"abcdef",
    )
    assert [decided(answer).window for answer in answers] == [
        captured(("app:route", text))[0] for text in "abcdef"
    ]
    assert len(noted(tmp_path)) == 1
    assert not (tmp_path / "ran").exists()
    assert left(tmp_path) == []


# Apps that will not be stopped: none may get as far as the line that writes `ran`.
SWALLOWS = {
    "bare except": """
        def handle(message):
            try:
                found = route(message)
            except:
                found = None
            open("ran", "w").close()
        """,
    "within the clause": """
        def handle(message):
            try:
                return route(message)
            except BaseException as problem:
                open("ran", "w").close()
        """,
    "on one line": """
        def handle(message):
            try: return route(message)
            except: open("ran", "w").close()
        """,
    "in a caller": """
        def inner(message):
            try:
                return route(message)
            except BaseException:
                return None
        def handle(message):
            found = inner(message)
            open("ran", "w").close()
        """,
    "suppress": """
        import contextlib
        def handle(message):
            with contextlib.suppress(BaseException):
                route(message)
            open("ran", "w").close()
        """,
    "return in finally": """
        def inner(message):
            try:
                return route(message)
            finally:
                return None
        def handle(message):
            inner(message)
            open("ran", "w").close()
        """,
    "gather": """
        import asyncio
        async def one(message):
            return route(message)
        async def handle(message):
            await asyncio.gather(one(message), return_exceptions=True)
            open("ran", "w").close()
        """,
    "loop": """
        def handle(message):
            while True:
                try:
                    route(message)
                except BaseException:
                    continue
        """,
    "another thread": """
        import concurrent.futures, time
        def handle(message):
            with concurrent.futures.ThreadPoolExecutor() as pool:
                try:
                    pool.submit(route, message).result()
                except BaseException:
                    time.sleep(600)
            open("ran", "w").close()
        """,
}


@pytest.mark.parametrize("name", SWALLOWS)
async def test_an_app_that_swallows_the_stop_is_killed_and_its_answer_counts(
    tmp_path: Path, name: str
) -> None:
    start = time.monotonic()
    source = 'def route(text): return "fire"\n' + textwrap.dedent(SWALLOWS[name])
    answers = await run(tmp_path, source, "a", "b", "c")
    assert time.monotonic() - start < 8
    assert [decided(answer).window for answer in answers] == [
        captured(("app:route", text))[0] for text in "abc"
    ]
    assert not (tmp_path / "ran").exists()
    assert left(tmp_path) == []


# Apps that let themselves be stopped, each in its own way: one process for all trials, nothing runs after.
STOPPED = {
    "coroutines": """
        import asyncio
        async def route(text):
            await asyncio.sleep(0)
            return "fire"
        async def handle(message):
            found = await route(message)
            open("ran", "w").close()
        """,
    "a task": """
        import asyncio
        async def route(text): return "fire"
        async def handle(message):
            found = await asyncio.create_task(route(message))
            open("ran", "w").close()
        """,
    "a time limit": """
        import asyncio
        async def route(text): return "fire"
        async def handle(message):
            found = await asyncio.wait_for(route(message), 5)
            open("ran", "w").close()
        """,
    "a thread": """
        import asyncio, functools
        def route(text): return "fire"
        async def handle(message):
            loop = asyncio.get_running_loop()
            found = await loop.run_in_executor(None, functools.partial(route, message))
            open("ran", "w").close()
        """,
    "a pool": """
        import concurrent.futures
        def route(text): return "fire"
        def handle(message):
            with concurrent.futures.ThreadPoolExecutor() as pool:
                found = pool.submit(route, message).result()
            open("ran", "w").close()
        """,
    "its own loop": """
        import asyncio
        async def route(text): return "fire"
        async def chat(message):
            found = await route(message)
            open("ran", "w").close()
        def handle(message):
            return asyncio.run(chat(message))
        """,
    "a generator": """
        def route(text): return "fire"
        def handle(message):
            yield "thinking"
            yield route(message)
            open("ran", "w").close()
        """,
    "a coroutine handed on": """
        async def inner(text): return "fire"
        def route(text): return inner(text)
        async def handle(message):
            found = await route(message)
            open("ran", "w").close()
        """,
    "clauses that raise again": """
        def route(text): return "fire"
        def handle(message):
            try:
                return route(message)
            except BaseException as problem:
                note = str(problem)
                raise
        """,
}


@pytest.mark.parametrize("name", STOPPED)
async def test_an_app_is_stopped_however_it_calls_its_router(tmp_path: Path, name: str) -> None:
    answers = await run(tmp_path, STOPPED[name], "a", "b", "c")
    assert [decided(answer).window for answer in answers] == [
        captured(("app:route", text))[0] for text in "abc"
    ]
    assert not (tmp_path / "ran").exists()
    assert len(noted(tmp_path)) == 1
    assert left(tmp_path) == []


async def test_what_a_stopped_app_began_beside_its_router_does_not_go_on(tmp_path: Path) -> None:
    answers = await run(
        tmp_path,
        """
        import asyncio
        async def route(text): return "fire"
        async def tool():
            await asyncio.sleep(0.05)
            open("ran", "w").close()
        async def handle(message):
            task = asyncio.create_task(tool())
            await asyncio.sleep(0)
            await route(message)
            await task
        """,
        "a",
        "b",
        "c",
    )
    assert [decided(answer).outcome for answer in answers] == [Outcome.FIRE] * 3
    assert not (tmp_path / "ran").exists()
