"""The tap: what an app's routing call logs, and that the app never notices."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from workbench import tap as tapping
from workbench.tap import flush, tap, turn

FILE = Path(tapping.__file__)


def lines(path: Path) -> list[dict[str, Any]]:
    assert flush()
    return [json.loads(line) for line in path.read_text("ascii").splitlines()]


def test_a_call_becomes_a_line(tmp_path: Path) -> None:
    log = tmp_path / "routes.jsonl"

    def route(text: str) -> dict[str, object]:
        return {"action": "fire", "tools": ["mail::send"]}

    tapped = tap(route, to=log)
    with turn("t-1", typed="send it"):
        assert tapped("<in>\nsend it\n</in>") == {"action": "fire", "tools": ["mail::send"]}
    (line,) = lines(log)
    assert line["seconds"] >= 0
    assert {key: line[key] for key in line if key not in ("seconds", "time")} == {
        "turn_id": "t-1",
        "typed_length": 7,
        "routed_length": 18,
        "head": "<in>\nsend it\n</in>",
        "outcome": "fire",
        "tools": ["mail::send"],
    }


def test_what_is_not_known_is_null_and_not_zero(tmp_path: Path) -> None:
    log = tmp_path / "routes.jsonl"

    def route(number: int) -> object:
        return object()

    tap(route, to=log)(3)
    (line,) = lines(log)
    unknown = ("turn_id", "typed_length", "routed_length", "head", "outcome", "tools")
    assert [line[key] for key in unknown] == [None] * 6


def test_arguments_are_found_by_name_and_text_is_kept_only_when_asked(tmp_path: Path) -> None:
    log = tmp_path / "routes.jsonl"

    @tap(to=log, text="routed", typed="user", turn_id="number", keep_text=True)
    def route(number: int, user: str, routed: str) -> None:
        return None

    route(7, "hi", routed="[chat] hi")
    (line,) = lines(log)
    assert (line["turn_id"], line["typed"], line["routed"]) == ("7", "hi", "[chat] hi")
    assert (line["outcome"], line["tools"]) == ("pass", [])


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        (None, ("pass", [])),
        ("hold", ("hold", [])),
        ("mail", ("fire", ["mail"])),
        (["a", "b"], ("fire", ["a", "b"])),
        ([{"function": {"name": "f"}}], ("fire", ["f"])),
        ({"outcome": "hold", "tool": "x"}, ("hold", ["x"])),
        ({"tools": []}, (None, [])),
        (17, (None, None)),
    ],
)
def test_answers_are_read_as_far_as_they_say(tmp_path: Path, answer: object, read: object) -> None:
    log = tmp_path / "routes.jsonl"
    tap(lambda text: answer, to=log)("x")
    (line,) = lines(log)
    assert (line["outcome"], line["tools"]) == read


async def test_a_coroutine_stays_one_and_turns_do_not_mix(tmp_path: Path) -> None:
    log = tmp_path / "routes.jsonl"

    @tap(to=log)
    async def route(text: str) -> str:
        await asyncio.sleep(0.001)
        return "mail"

    async def one(number: int) -> None:
        with turn(f"t-{number}", typed="x" * number):
            assert await route("y" * (number + 1)) == "mail"

    await asyncio.gather(*map(one, range(50)))
    found = {line["turn_id"]: (line["typed_length"], line["routed_length"]) for line in lines(log)}
    assert found == {f"t-{number}": (number, number + 1) for number in range(50)}


def test_an_error_of_the_app_goes_through_and_is_logged(tmp_path: Path) -> None:
    log = tmp_path / "routes.jsonl"

    def route(text: str) -> None:
        raise KeyError(text)

    with pytest.raises(KeyError):
        tap(route, to=log)("x")
    (line,) = lines(log)
    assert (line["error"], line["outcome"], line["head"]) == ("KeyError", "pass", "x")


class Hostile:
    """An answer that breaks whoever looks at it."""

    def __getattribute__(self, name: str) -> object:
        raise RuntimeError("hands off")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("hands off")


def test_nothing_that_goes_wrong_reaches_the_app(tmp_path: Path) -> None:
    def broken(record: dict[str, object]) -> None:
        raise RuntimeError

    answer = Hostile()
    assert tap(lambda text: answer, to=tmp_path / "x.jsonl")("x") is answer
    assert tap(lambda text: "ok", to=broken)("x") == "ok"
    assert tap(lambda text: "ok", to=tmp_path / "none" / "x.jsonl")("x") == "ok"
    assert tap(lambda *a, **k: "ok", to=tmp_path / "x.jsonl")("\ud83d", **{"\x00": b"\xff"}) == "ok"
    assert flush()


def test_a_disk_that_stands_still_does_not_hold_the_app(tmp_path: Path) -> None:
    """A pipe that nobody reads: lines wait, then are dropped and counted."""
    program = f"""
import sys, time; sys.path.insert(0, {str(FILE.parent)!r})
import tap
route = tap.tap(lambda text: "mail", to={str(tmp_path / "pipe")!r})
began = time.perf_counter()
for number in range(20_000):
    route("x")
took = time.perf_counter() - began
print(tap._Writer.lost > 5_000, took < 20)
import os; os._exit(0)
"""
    os.mkfifo(tmp_path / "pipe")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout == "True True\n", done.stderr


def test_lines_of_threads_and_children_are_whole(tmp_path: Path) -> None:
    log = tmp_path / "routes.jsonl"
    route: Callable[[str], str] = tap(lambda text: "mail", to=log)
    threads = [threading.Thread(target=lambda: [route("x" * 300) for _ in range(200)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    program = f"""
import os, sys; sys.path.insert(0, {str(FILE.parent)!r})
import tap
route = tap.tap(lambda text: "mail", to={str(log)!r})
route("parent")
pid = os.fork()
for _ in range(100): route("y" * 300)
if pid: os.waitpid(pid, 0)
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", program], check=True, timeout=60)
    for thread in threads:
        thread.join()
    assert len(lines(log)) == 4 * 200 + 1 + 2 * 100


def test_the_file_stands_alone_on_old_interpreters() -> None:
    """Nothing but the standard library, and nothing newer than 3.8."""
    import ast

    tree = ast.parse(FILE.read_text("utf-8"), feature_version=(3, 8))
    names = {a.name for node in ast.walk(tree) if isinstance(node, ast.Import) for a in node.names}
    others = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert others == ["__future__"]
    assert {name.partition(".")[0] for name in names} <= set(sys.stdlib_module_names)
