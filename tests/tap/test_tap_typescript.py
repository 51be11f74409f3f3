"""The TypeScript twin, run by Node: the same lines for the same calls as the Python file."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from command import Bench

import workbench.tap
from workbench.capture.opening import open_log
from workbench.capture.turns import LogTurn

FILE = Path(workbench.tap.__file__).with_suffix(".ts")
NODE = shutil.which("node")
TAP: Any = workbench.tap.tap
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")

# The types that the file uses, and no others: enough to strip them for a Node that does not.
TYPE = (
    r"(?:any\[\]|any|string \| null|string\[\]|string|number|Options|Turn|void|\(\) => T|F|Promise<boolean>)"
)


def stripped(code: str) -> str:
    code = re.sub(r"^export type .*?^};\n|^export type [^\n]*;\n", "", code, flags=re.M | re.S)
    code = re.sub(r"<T>|<F extends [^{]*?=> any>(?=\()", "", code)
    code = re.sub(r"this: any, ", "", code)
    code = re.sub(rf"(?<=[\w)]): (?:{TYPE}|T)(?=[,)=;]| = | \{{| =>)", "", code)
    return re.sub(r" as (?:any|T)\b", "", code)


def run(folder: Path, body: str) -> Any:
    """What the body returns, as JSON; the file beside it as `tap.mjs`."""
    (folder / "tap.mjs").write_text(stripped(FILE.read_text("utf-8")), "utf-8")
    program = (
        "import { tap, turn, flush, dropped, HEAD } from './tap.mjs';\n"
        f"const result = await (async () => {{{body}}})();\nconsole.log(JSON.stringify(result ?? null));\n"
    )
    (folder / "app.mjs").write_text(program, "utf-8")
    assert NODE is not None
    done = subprocess.run([NODE, "app.mjs"], cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def lines(folder: Path, name: str = "routes.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / name).read_text("ascii").splitlines()]


def test_a_call_becomes_the_line_that_python_writes(tmp_path: Path) -> None:
    run(
        tmp_path,
        """
        const route = tap((text) => ({ action: "fire", tools: ["mail::send"] }));
        turn({ id: "t-1", typed: "send it 🎈" }, () => route("<in>\\nsend it 🎈\\n</in>" + "x".repeat(100)));
        return flush();
        """,
    )
    ours = tmp_path / "python.jsonl"
    python: Any = TAP(lambda text: {"action": "fire", "tools": ["mail::send"]}, to=ours)
    with workbench.tap.turn("t-1", typed="send it 🎈"):
        python("<in>\nsend it 🎈\n</in>" + "x" * 100)
    assert workbench.tap.flush()
    (theirs,), (mine,) = lines(tmp_path), lines(tmp_path, "python.jsonl")
    assert list(theirs) == list(mine)
    apart = ("time", "seconds")
    assert {key: theirs[key] for key in theirs if key not in apart} == {
        key: mine[key] for key in mine if key not in apart
    }
    (read,) = open_log(tmp_path / "routes.jsonl")
    assert isinstance(read, LogTurn)
    assert (read.id, read.typed_size, read.wrapped_size, read.tools) == ("t-1", 9, 120, ("mail::send",))


ANSWERS: list[Any] = [
    None, "", [], "hold", "pass", "fire", "mail", ["a", "b"], [{"function": {"name": "f"}}],
    {"outcome": "hold", "tool": "x"}, {"tools": []}, 17, {"name": "n"}, [1], {"calls": [{"name": "c"}]},
]  # fmt: skip


def test_answers_are_read_as_python_reads_them(tmp_path: Path) -> None:
    theirs = run(
        tmp_path,
        f"""
        const found = [];
        for (const answer of {json.dumps(ANSWERS)}) {{
          tap(() => answer, {{ to: (record) => found.push([record.outcome, record.tools]) }})("x");
        }}
        return found;
        """,
    )
    mine: list[list[Any]] = []
    for answer in ANSWERS:
        told = lambda record: mine.append([record["outcome"], record["tools"]])  # noqa: E731
        TAP(lambda text, answer=answer: answer, to=told)("x")
    assert theirs == mine


def test_promises_stay_what_they_are_and_turns_do_not_mix(tmp_path: Path) -> None:
    assert run(
        tmp_path,
        """
        const route = tap(async (text) => { await new Promise((go) => setTimeout(go, 1)); return "mail"; });
        await Promise.all([...Array(50).keys()].map((n) =>
          turn({ id: n, typed: "x".repeat(n) }, () => route("y".repeat(n + 1)))));
        class Special extends Promise {}
        const special = Special.resolve("mail");
        return [await flush(), tap(() => special, { to: "other.jsonl" })("x") === special];
        """,
    ) == [True, True]
    found = {line["turn_id"]: (line["typed_length"], line["routed_length"]) for line in lines(tmp_path)}
    assert found == {str(number): (number, number + 1) for number in range(50)}


def test_errors_of_the_app_go_through_and_are_logged(tmp_path: Path) -> None:
    assert run(
        tmp_path,
        """
        const said = [];
        try { tap(() => { throw new TypeError("no"); })("x"); } catch (error) { said.push(error.message); }
        const later = tap(async () => { throw new RangeError("nor"); });
        try { await later("y"); } catch (error) { said.push(error.message); }
        await flush();
        return said;
        """,
    ) == ["no", "nor"]
    assert [(line["error"], line["head"]) for line in lines(tmp_path)] == [
        ("TypeError", "x"),
        ("RangeError", "y"),
    ]


def test_nothing_that_goes_wrong_reaches_the_app(tmp_path: Path) -> None:
    assert run(
        tmp_path,
        """
        const hostile = new Proxy({}, { get() { throw new Error("hands off"); } });
        const circle = {}; circle.self = circle;
        return [
          tap(() => hostile)("x") === hostile,
          tap(() => "ok", { to() { throw new Error(); } })("x"),
          tap(() => "ok", { to: "none/x.jsonl" })("x"),
          tap(() => "ok", { text() { throw new Error(); } })("x"),
          tap(() => "ok")(circle), tap(() => "ok")("\\ud83d"), tap(() => "ok")(hostile),
          await flush(), dropped() >= 4,
        ];
        """,
    ) == [True, "ok", "ok", "ok", "ok", "ok", "ok", True, True]


def test_a_file_that_stands_still_does_not_hold_the_app(tmp_path: Path) -> None:
    """Lines come faster than they are written: some are dropped and counted, none is torn."""
    kept, lost = run(
        tmp_path,
        """
        const route = tap(() => "mail");
        for (let number = 0; number < 20_000; number++) route("x".repeat(200));
        const lost = dropped();
        await flush(20);
        return [20_000 - lost, lost];
        """,
    )
    assert lost == 10_000
    assert len(lines(tmp_path)) == kept


def test_what_waits_at_the_end_is_written(tmp_path: Path) -> None:
    run(tmp_path, 'const route = tap(() => "mail"); for (let n = 0; n < 5; n++) route("x");')
    assert len(lines(tmp_path)) == 5


def test_attributes_of_a_span(tmp_path: Path) -> None:
    found = run(
        tmp_path,
        """
        const set = {};
        const span = { setAttribute: (key, value) => { set[key] = value; } };
        globalThis[Symbol.for("opentelemetry.js.api.1")] = { context: { active: () => ({ getValue: (key) =>
          key === Symbol.for("OpenTelemetry Context Key SPAN") ? span : undefined }) } };
        tap(() => "mail", { to() {} })("hello");
        delete set["route.seconds"];
        return set;
        """,
    )
    assert found == {
        "route.routed_length": 5,
        "route.head": "hello",
        "route.outcome": "fire",
        "route.tools": ["mail"],
    }


def test_the_command_prints_both_files(bench: Bench) -> None:
    for language, file in (("typescript", FILE), ("python", FILE.with_suffix(".py"))):
        done = bench("tap", language)
        assert done.code == 0
        assert done.out == file.read_bytes()
