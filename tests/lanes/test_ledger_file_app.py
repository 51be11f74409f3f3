"""The ledger within an app: scopes, receipts, and that the app never notices."""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from ledger_receipts import caught

from workbench import ledger
from workbench.ledger import Claim, audit, claim, configure, flush, lane, request, turn, watch

FILE = Path(ledger.__file__)
OLD = ("3.8", "3.9", "3.10")


@pytest.fixture(autouse=True)
def receipts() -> Iterator[list[dict[str, Any]]]:
    with caught() as found:
        yield found


def body(*contents: str) -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "user", "content": text} for text in contents]}


def test_a_receipt_says_whose_every_character_is(receipts: list[dict[str, Any]]) -> None:
    sent = body("memory:\nfacts\n\nhello", "late")
    with turn(17):
        with lane("memory") as parts:
            parts.append("memory:\nfacts")
        claim("user_text", "hello")
        receipt = audit(sent, "https://api.example/v1/chat/completions?key=secret")
    assert receipt == receipts[0]
    assert receipt.pop("time") > 0
    spelled = json.dumps(sent, sort_keys=True, separators=(",", ":"))
    assert receipt == {
        "turn": "17",
        "request": hashlib.sha256(spelled.encode()).hexdigest()[:16],
        "unit": "chars",
        "path": "/v1/chat/completions",
        "format": "openai-chat",
        "sent": 24,
        "owned": 18,
        "dark": 6,
        "double": 0,
        "missing": 0,
        "images": 0,
        "lanes": [
            {"name": "memory", "chars": 13, "start": 0},
            {"name": "user_text", "chars": 5, "start": 15},
        ],
        "elsewhere": [],
        "dark_at": [["messages[0].content+13", 2], ["messages[1].content+0", 4]],
    }


def test_missing_double_counts_and_estimates_are_on_the_receipt() -> None:
    claim("a", "hello", estimate=2)
    claim("b", "hello")
    claim("gone", "something else")
    claim("counted", 3)
    receipt = audit(body("hello, you"))
    assert (receipt["dark"], receipt["double"], receipt["missing"]) == (2, 5, 14)
    assert receipt["lanes"] == [
        {"name": "a", "chars": 5, "start": 0, "estimate": 2},
        {"name": "b", "chars": 5, "start": 0},
        {"name": "gone", "chars": 14, "missing": 14},
        {"name": "counted", "chars": 3},
    ]


def test_a_lane_takes_what_is_added_to_a_list() -> None:
    parts: list[Any] = ["dark"]
    with lane("memory", parts) as same:
        parts.insert(0, "before")
        parts += ["after", {"role": "user", "content": "message"}]
    with lane("nobody", parts):
        pass
    assert same is parts
    assert audit(body("before", "dark", "after", "message"))["lanes"] == [
        {"name": "memory", "chars": 7, "start": 15},
        {"name": "memory", "chars": 6, "start": 0},
        {"name": "memory", "chars": 5, "start": 10},
    ]


def test_tools_messages_and_objects_of_a_library_can_be_claimed() -> None:
    class Message:
        def model_dump(self, **options: Any) -> dict[str, Any]:
            return {"role": "assistant", "content": "said"}

    tools = [
        {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}},
        {"name": "g", "description": "does", "input_schema": {}},
    ]
    system = [{"type": "text", "text": "be short"}]
    for name, value in {"tools": tools, "system": system, "history": [Message()], "user": body("hi")}.items():
        claim(name, value)
    sent = {"system": system, "messages": [Message().model_dump(), *body("hi")["messages"]], "tools": tools}
    assert (audit(sent)["dark"], audit(sent)["missing"]) == (0, 0)


def test_a_turns_claims_hold_for_each_of_its_requests_and_a_side_call_has_its_own() -> None:
    with turn("t"):
        claim("user", "hello")
        first = audit(body("hello"))
        with request("classify-1"):
            claim("classifier", "which kind?")
            side = audit(body("which kind?"))
        claim("tool", "42")
        second = audit(body("hello", "42"))
    after = audit(body("hello"))
    assert [each["dark"] for each in (first, side, second, after)] == [0, 0, 0, 5]
    assert [each["missing"] for each in (first, side, second, after)] == [0, 0, 0, 0]
    assert [each["turn"] for each in (first, side, second, after)] == ["t", "t", "t", None]
    assert side["request"] == "classify-1"


def test_outside_of_a_turn_claims_are_of_the_next_request_and_its_retries() -> None:
    claim("user", "one")
    assert [audit(body("one"))["dark"], audit(body("one"))["dark"]] == [0, 0]
    claim("user", "two")
    second = audit(body("two"))
    assert (second["turn"], second["dark"], second["missing"]) == (None, 0, 0)


async def test_turns_of_tasks_do_not_mix(receipts: list[dict[str, Any]]) -> None:
    async def one(number: int) -> None:
        with turn(number):
            claim("user", "x" * number)
            await asyncio.sleep(0.001)
            await asyncio.to_thread(claim, "memory", "m" * number)
            audit(body("x" * number, "m" * number))

    await asyncio.gather(*map(one, range(1, 40)))
    assert sorted(int(each["turn"]) for each in receipts) == list(range(1, 40))
    assert all(each["dark"] == each["missing"] == 0 for each in receipts)


MODEL = "https://x/v1/chat/completions"


@pytest.mark.parametrize(
    ("headers", "raw", "why"),
    [
        ({"Content-Encoding": "gzip"}, b"\x1f\x8b", "the body is compressed: gzip"),
        ({"Content-Type": "multipart/form-data; boundary=x"}, b"--x", "the body is multipart"),
        ({}, iter([b"{}"]), "the body is a stream"),
        ({}, b"{broken", "the body is no JSON"),
        ({}, b"\xff\xfe", "the body is no JSON"),
        ({}, b"[" * 100_000, "the body is no JSON"),
        ({}, b'{"query": "x"}', "a body of no known shape"),
        ({}, None, "the body is a stream"),
    ],
)
def test_what_is_not_measured_is_null_with_the_reason(headers: dict[str, str], raw: Any, why: str) -> None:
    claim("user", "x")
    receipt = audit(SimpleNamespace(method="POST", url=MODEL, headers=headers, body=raw))
    assert receipt["unmeasured"] == why
    assert [receipt[name] for name in ("sent", "owned", "dark", "double", "missing", "images")] == [None] * 6
    assert receipt["lanes"] == []
    other = SimpleNamespace(method="POST", url="https://x/upload", headers=headers, body=raw)
    assert audit(other) == {}


@pytest.mark.parametrize(
    ("method", "path", "sent", "measured"),
    [
        ("GET", "/v1/chat/completions", body("x"), False),
        ("POST", "/v1/embeddings", {"model": "m", "input": "x"}, False),
        ("POST", "/v1/messages/count_tokens", body("x"), False),
        ("POST", "/v1beta/models/m:countTokens", {"contents": []}, False),
        ("POST", "/v1beta/models/m:streamGenerateContent", {"contents": []}, True),
        ("POST", "/my/own/gateway", body("x"), True),
        ("POST", "/my/own/gateway", {"query": "x"}, False),
    ],
)
def test_only_prompts_are_measured(method: str, path: str, sent: Any, measured: bool) -> None:
    raw = json.dumps(sent).encode()
    done = audit(SimpleNamespace(method=method, url=f"https://x{path}", headers={}, body=raw))
    assert bool(done) == measured


def test_sums_that_do_not_agree_are_a_line_and_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object) -> None:
        raise AssertionError("the sum does not agree")

    monkeypatch.setattr(ledger, "account", broken)
    receipt = audit(body("x"))
    assert receipt["unmeasured"] == "AssertionError: the sum does not agree"
    assert receipt["sent"] is None


class Hostile:
    def __getattribute__(self, name: str) -> object:
        raise RuntimeError("hands off")


def test_nothing_that_goes_wrong_reaches_the_app(tmp_path: Path) -> None:
    lost = ledger._Writer.lost
    claim("x", Hostile())
    with lane("x") as parts:
        parts += [Hostile(), object(), None, b"x"]
    assert audit(Hostile()) == {}
    assert type(watch(Hostile())) is Hostile
    with lane("x", 5):  # type: ignore[arg-type]
        pass
    assert ledger._Writer.lost > lost
    configure(to=tmp_path / "none" / "x.jsonl", print_dark=True)
    stdout, sys.stdout = sys.stdout, io.TextIOWrapper(io.BytesIO(), "ascii")
    try:
        sys.stdout.close()
        assert audit(body("x"))["dark"] == 1
    finally:
        sys.stdout = stdout
    configure(to=tmp_path / "none" / "x.jsonl")
    assert audit(body("x"))["dark"] == 1
    assert flush()


def test_a_lane_that_wrote_nothing_is_on_the_receipt_with_nothing() -> None:
    claim("memory", "", estimate=9)
    receipt = audit(body("x"))
    assert receipt["lanes"] == [{"name": "memory", "chars": 0, "estimate": 9}]
    assert (receipt["dark"], receipt["missing"]) == (1, 0)


def test_a_client_that_cannot_be_watched_is_named() -> None:
    with pytest.warns(UserWarning, match="cannot watch a SimpleNamespace"):
        watch(SimpleNamespace())


def test_a_line_for_each_request_is_printed_where_it_is_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    configure(to=lambda receipt: None, print_dark=True)
    claim("user", "hello")
    audit(body("hello"))
    claim("user", "hello")
    claim("again", "hello")
    claim("gö\x1bne", "nowhere")
    audit(body("hello", "late"))
    audit(b"\x1f\x8b", MODEL)
    assert capsys.readouterr().out.splitlines() == [
        "sent=5 owned=5 dark=0",
        "sent=9 owned=5 dark=4 double=5 missing=7('g\\xf6\\x1bne')",
        "not measured: the body is no JSON",
    ]


def test_receipts_of_threads_and_children_are_whole_lines(tmp_path: Path) -> None:
    log = tmp_path / "receipts.jsonl"
    program = f"""
import os, sys, threading; sys.path.insert(0, {str(FILE.parent)!r})
import ledger
def many():
    for number in range(100):
        with ledger.turn(number):
            ledger.claim("ü", "x" * 300)
            ledger.audit({{"messages": [{{"role": "user", "content": "x" * 300}}]}})
threads = [threading.Thread(target=many) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
ledger.flush()
pid = os.fork()
many()
if pid: os.waitpid(pid, 0)
"""
    environment = {**os.environ, "LANE_RECEIPTS": str(log)}
    subprocess.run([sys.executable, "-W", "ignore", "-c", program], check=True, timeout=60, env=environment)
    lines = [json.loads(line) for line in log.read_text("ascii").splitlines()]
    assert len(lines) == 600
    assert {(each["dark"], each["lanes"][0]["name"]) for each in lines} == {(0, "ü")}


def test_a_disk_that_stands_still_does_not_hold_the_app(tmp_path: Path) -> None:
    """A pipe that nobody reads: receipts wait, then are dropped and counted."""
    os.mkfifo(tmp_path / "pipe")
    program = f"""
import os, sys; sys.path.insert(0, {str(FILE.parent)!r})
import ledger
ledger.configure(to={str(tmp_path / "pipe")!r})
for number in range(12_000):
    ledger.audit({{"messages": []}})
print(ledger._Writer.lost > 1_000, flush=True)
os._exit(0)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout == "True\n", done.stderr


PROGRAM = """
import json, sys
import ledger
found = []
ledger.configure(to=found.append, print_dark=True)
with ledger.turn("t"):
    with ledger.lane("memory") as parts:
        parts.append("facts\\r\\n")
    ledger.claim("user", "h\\u00e9llo")
    contents = [{"parts": [{"text": parts[0] + "h\\u00e9llo"}]}]
    body = {"contents": contents, "systemInstruction": {"parts": [{"text": "S"}]}}
    ledger.audit(json.dumps(body))
    ledger.claim("system", 1)
    ledger.audit(body)
print(json.dumps(found[0]["lanes"]))
"""


def old_interpreters() -> list[str]:
    """Those on this machine, by asking each to run."""
    found = []
    for version in OLD:
        for path in dict.fromkeys(os.environ.get("PATH", "").split(os.pathsep)):
            name = Path(path) / f"python{version}"
            try:
                done = subprocess.run([name, "-c", "print(7)"], capture_output=True, timeout=20)
            except (OSError, subprocess.TimeoutExpired):
                continue
            if done.stdout == b"7\n":
                found.append(str(name))
                break
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    return found or [str(each) for version in OLD for each in sorted(root.glob(f"{version}.*/bin/python"))]


def test_the_file_runs_alone_on_old_interpreters(tmp_path: Path) -> None:
    """Copied into an empty folder, without anything installed."""
    (tmp_path / "ledger.py").write_text(FILE.read_text("utf-8"), "utf-8")
    (tmp_path / "app.py").write_text(PROGRAM, "utf-8")
    interpreters = [sys.executable, *old_interpreters()]
    for interpreter in interpreters:
        done = subprocess.run(
            [interpreter, "-S", "app.py"], cwd=tmp_path, capture_output=True, text=True, timeout=60
        )
        assert done.stdout.splitlines() == [
            "sent=13 owned=12 dark=1",
            "sent=13 owned=13 dark=0",
            '[{"name": "memory", "chars": 7, "start": 0}, {"name": "user", "chars": 5, "start": 7}]',
        ], (interpreter, done.stderr)
    print("ran on", len(interpreters), "interpreters")


def test_the_file_is_standard_library_and_nothing_newer_than_3_8() -> None:
    import ast

    tree = ast.parse(FILE.read_text("utf-8"), feature_version=(3, 8))
    names = {a.name for node in ast.walk(tree) if isinstance(node, ast.Import) for a in node.names}
    assert [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)] == ["__future__"]
    assert {name.partition(".")[0] for name in names} <= set(sys.stdlib_module_names)


def test_the_command_prints_the_file_for_copying(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "workbench", "tap", "ledger"], capture_output=True, text=True, check=True
    )
    copy = tmp_path / "copied_ledger.py"
    copy.write_text(done.stdout, "utf-8")
    spec = spec_from_file_location("copied_ledger", copy)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["copied_ledger"] = module
    try:
        spec.loader.exec_module(module)
        assert module.account(module.readable(body("x")), [module.Claim("a", "x")]).dark == 0
        assert Claim._fields == module.Claim._fields
    finally:
        del sys.modules["copied_ledger"]


def test_threads_of_their_own_have_no_turn(receipts: list[dict[str, Any]]) -> None:
    with turn("t"):
        thread = threading.Thread(target=lambda: audit(body("x")))
        thread.start()
        thread.join()
    assert [each["turn"] for each in receipts] == [None]
