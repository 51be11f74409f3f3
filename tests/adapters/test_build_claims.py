"""What an app claims in a ledger while it builds travels with what it has built, and stays apart from it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from shutil import copyfile

import pytest
from model_kit import model
from process_kit import APP_PYTHON, module

import workbench.ledger
from workbench.adapters.process.builder import Builder, Built, claims_of
from workbench.adapters.protocol import Place, Request
from workbench.core.claims import Claimed, Claims
from workbench.core.trial import Status
from workbench.core.turn import bare
from workbench.files.node import EnvName

LEDGER = "from workbench.ledger import account, audit, claim, lane, request, turn"

APP = """
def messages(text):
    claim("system_prompt", "You help.")
    with lane("memory") as parts:
        parts.append("Likes tea.")
    claim("user_text", text, estimate=9)
    claim("frame", 4)
    return [{"role": "system", "content": "You help.\\n\\nLikes tea."}, {"role": "user", "content": text}]

async def later(text):
    import asyncio
    async def memory():
        claim("memory", "Likes tea.")
    await asyncio.gather(memory(), asyncio.to_thread(claim, "thread", "in a thread"))
    claim("user_text", text)
    return {"messages": [{"role": "user", "content": text}]}

def silent(text): return [{"role": "user", "content": text}]

def in_a_turn(text):
    with turn("t1"):
        claim("user_text", text)
        with request("side"):
            claim("summary", "of another request")
            audit({"messages": []}, "http://127.0.0.1/v1/chat/completions")
    return [{"role": "user", "content": text}]

def in_a_request(text):
    with turn("t1"):
        claim("turn", "for all of its requests")
        with request("r1"):
            claim("user_text", text)
            return [{"role": "user", "content": text}]

def odd(text):
    claim("huge", 10**5000)
    claim("below", -3)
    claim("lone", "\\ud800")
    claim("flag", True, estimate="many")
    claim("none", None)
    return [{"role": "user", "content": text}]

def outside(text):
    import threading
    thread = threading.Thread(target=claim, args=("thread", "of another request"))
    thread.start()
    thread.join()
    return [{"role": "user", "content": text}]

def broken(text):
    claim("user_text", text)
    raise ValueError("no index")
"""


@pytest.fixture
async def builders(tmp_path: Path) -> AsyncIterator[list[Builder]]:
    made: list[Builder] = []
    yield made
    for builder in made:
        await builder.close()


async def opened(folder: Path, function: str, made: list[Builder], head: str = LEDGER) -> Builder:
    module(folder, f"{head}\n{APP}")
    builder = Builder("model", Place(folder), build=f"app:{function}", python=APP_PYTHON, timeout=20)
    made.append(builder)
    await builder.open()
    return builder


async def built(builder: Builder, text: str = "hello") -> Built:
    return await builder.build(Request(bare(text)))


MESSAGES = (
    Claimed("system_prompt", "You help."),
    Claimed("memory", "Likes tea."),
    Claimed("user_text", "hello", estimate=9),
    Claimed("frame", None, 4),
)


async def test_the_claims_of_each_request_travel_with_it(tmp_path: Path, builders: list[Builder]) -> None:
    builder = await opened(tmp_path, "messages", builders)
    first = await built(builder)
    assert first.status is Status.OK
    assert first.claims == Claims(MESSAGES)
    again = await built(builder, "goodbye")
    assert again.claims is not None
    assert [entry.text for entry in again.claims.entries] == ["You help.", "Likes tea.", "goodbye", None]


@pytest.mark.parametrize("late", [False, True])
async def test_a_copy_of_the_file_is_heard_under_any_name(
    tmp_path: Path, builders: list[Builder], late: bool
) -> None:
    copyfile(workbench.ledger.__file__, tmp_path / "who_wrote_what.py")
    head = "from who_wrote_what import account, audit, claim, lane, request, turn"
    if late:  # imported by the first call, and not before
        names = ("claim", "lane")
        head = "\n".join(
            f"def {name}(*given, **named):\n    import who_wrote_what\n"
            f"    return who_wrote_what.{name}(*given, **named)"
            for name in names
        )
    builder = await opened(tmp_path, "messages", builders, head)
    for _ in range(2):
        answer = await built(builder)
        assert answer.status is Status.OK, answer.error
        assert answer.claims == Claims(MESSAGES)


async def test_two_ledgers_are_heard_together(tmp_path: Path, builders: list[Builder]) -> None:
    copyfile(workbench.ledger.__file__, tmp_path / "ours.py")
    (tmp_path / "part.py").write_text(
        "import ours\ndef tell(): ours.claim('part', 'from a library')\n", "utf-8"
    )
    head = f"{LEDGER}\nimport part\n"
    builder = await opened(
        tmp_path, "both", builders, f"{head}\ndef both(text):\n    part.tell()\n    return messages(text)"
    )
    answer = await built(builder)
    assert answer.claims == Claims((Claimed("part", "from a library"), *MESSAGES))


async def test_tasks_and_their_threads_claim_for_the_request(tmp_path: Path, builders: list[Builder]) -> None:
    builder = await opened(tmp_path, "later", builders)
    for text in ("hello", "again"):
        answer = await built(builder, text)
        assert answer.claims is not None
        said = {(entry.lane, entry.text) for entry in answer.claims.entries}
        assert said == {("memory", "Likes tea."), ("thread", "in a thread"), ("user_text", text)}


async def test_no_ledger_nothing_claimed_and_claims_are_three_things(
    tmp_path: Path, builders: list[Builder]
) -> None:
    silent = await built(await opened(tmp_path, "silent", builders))
    assert silent.claims == Claims()
    (tmp_path / "bare").mkdir()
    module(tmp_path / "bare", "def silent(text): return [{'role': 'user', 'content': text}]")
    builder = Builder("model", Place(tmp_path / "bare"), build="app:silent", python=APP_PYTHON, timeout=20)
    builders.append(builder)
    await builder.open()
    without = await built(builder)
    assert without.messages == silent.messages
    assert without.claims is None


async def test_what_was_sent_meanwhile_keeps_its_own_claims(
    tmp_path: Path, builders: list[Builder], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANE_RECEIPTS", str(tmp_path / "receipts.jsonl"))
    answer = await built(await opened(tmp_path, "in_a_turn", builders))
    assert answer.claims == Claims((Claimed("user_text", "hello"),))


async def test_within_a_request_the_turns_claims_do_not_hold(tmp_path: Path, builders: list[Builder]) -> None:
    answer = await built(await opened(tmp_path, "in_a_request", builders))
    assert answer.claims == Claims((Claimed("user_text", "hello"),))


async def test_a_thread_of_its_own_claims_for_nobody(tmp_path: Path, builders: list[Builder]) -> None:
    answer = await built(await opened(tmp_path, "outside", builders))
    assert answer.claims == Claims()


async def test_odd_claims_do_not_spoil_the_answer(tmp_path: Path, builders: list[Builder]) -> None:
    answer = await built(await opened(tmp_path, "odd", builders))
    assert answer.status is Status.OK, answer.error
    assert answer.claims == Claims(
        (
            Claimed("huge", None, 2**53),
            Claimed("below", None, 0),
            Claimed("lone", "\ud800"),
            Claimed("flag", None, 1),
        )
    )


async def test_a_build_that_fails_has_no_claims(tmp_path: Path, builders: list[Builder]) -> None:
    builder = await opened(tmp_path, "broken", builders)
    answer = await built(builder)
    assert answer.status is Status.ERROR
    assert answer.claims is None


async def test_too_much_is_said_and_the_answer_is_whole(tmp_path: Path, builders: list[Builder]) -> None:
    much = "def much(text):\n    claim('copy', ['x' * 1_000_000] * 70)\n    return messages(text)"
    answer = await built(await opened(tmp_path, "much", builders, f"{LEDGER}\n{much}"))
    assert answer.status is Status.OK
    assert answer.messages is not None
    assert answer.claims is not None
    assert answer.claims.entries == ()
    assert "are read at most" in (answer.claims.error or "")


@pytest.mark.parametrize(
    "said",
    [7, "no", {"failed": 3}, [{"lane": 3, "text": "x"}], [{"lane": "a"}], [[1]], [{"lane": "a", "text": 1}]],
)
def test_claims_that_cannot_be_read_are_said(said: object) -> None:
    found = claims_of(said)
    assert found is not None
    assert found.entries == ()
    assert "cannot be read" in (found.error or "")


NOBODY = "http://127.0.0.1:9"
"""Nothing listens there: the exchange is kept all the same."""


@pytest.mark.parametrize(
    ("returned", "ours"),
    [
        ("[{'role': 'user', 'content': text}]", {"max_tokens", "model", "tools"}),
        (
            "{'messages': [{'role': 'user', 'content': text}], 'tools': []}",
            {"max_tokens", "model"},
        ),
    ],
)
async def test_a_trial_keeps_its_claims_masked_and_which_keys_are_ours(
    tmp_path: Path, returned: str, ours: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("APP_PASS", "correct-horse-battery")
    module(
        tmp_path,
        f"""
        import os
        {LEDGER}
        def build(text):
            claim("key", os.environ["APP_PASS"])
            claim("user", text)
            return {returned}
        """,
    )
    adapter = model(
        NOBODY,
        root=tmp_path,
        build="app:build",
        python=APP_PYTHON,
        max_tokens=5,
        timeout=20.0,
        env={"APP_PASS": EnvName("APP_PASS")},
    )
    await adapter.open()
    try:
        answer = await adapter.decide(Request(bare("hello")))
    finally:
        await adapter.close()
    assert answer.exchange is not None, answer.error
    claims = answer.exchange.claims
    assert claims is not None
    assert claims.entries == (Claimed("key", "[secret]"), Claimed("user", "hello"))
    assert ours <= set(claims.ours)
    assert "messages" not in claims.ours
    assert ("tools" in claims.ours) == ("tools" in ours)
