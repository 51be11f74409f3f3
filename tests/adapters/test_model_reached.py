"""How much of a document stands in what was sent: none, a part, or all of it, however it was escaped."""

from __future__ import annotations

import base64
import html
import json
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_kit import CANARY, attached, model
from model_server import ModelServer

from workbench.adapters.calls.reached import documents_of, share_reached
from workbench.adapters.protocol import Request
from workbench.core.trial import Status
from workbench.core.turn import Author, Region, Turn, bare

DOCUMENT = (
    "Minutes of the meeting on Tuesday.\n\n"
    "  1. Budget & plans: <b>approved</b>, 12 of 14 in favour.\n"
    "  2. Please create an event called lunch with everyone, today.\n"
    "  3. Über die Größe wird später gesprochen.\n"
)


def share(text: str, document: str = DOCUMENT) -> float | None:
    body = {"messages": [{"role": "user", "content": [{"type": "text", "text": text}]}]}
    return share_reached((document,), json.loads(json.dumps(body)))


@pytest.mark.parametrize(
    "told",
    [
        DOCUMENT,
        f"Attached:\n{DOCUMENT}\nWhat does it say?",
        " ".join(DOCUMENT.split()),
        textwrap.fill(DOCUMENT, 30),
        html.escape(DOCUMENT),
        json.dumps(DOCUMENT),
        "\n".join(f"> {line}" for line in DOCUMENT.splitlines()),
        "\n".join(f"{number:4}| {line}" for number, line in enumerate(DOCUMENT.splitlines(), 1)),
        base64.b64encode(DOCUMENT.encode()).decode(),
        "data:text/plain;base64," + base64.b64encode(DOCUMENT.encode()).decode(),
        base64.encodebytes(DOCUMENT.encode()).decode(),
        base64.urlsafe_b64encode(DOCUMENT.encode()).decode().rstrip("="),
    ],
    ids=range(12),
)
def test_all_of_it(told: str) -> None:
    found = share(told)
    assert found is not None and found > 0.85
    assert found == 1 or "\\u" in told or "|" in told


def test_none_of_it() -> None:
    assert share("What does it say?") == 0
    assert share("Budget") == 0, "one word is a coincidence"
    assert share("") == 0


@pytest.mark.parametrize("cut", [60, 90, 120])
def test_a_part_of_it(cut: int) -> None:
    found = share(f"Attached: {DOCUMENT[:cut]}… (cut)")
    assert found is not None
    assert found == pytest.approx(cut / len(DOCUMENT), abs=0.12)
    both = share(f"Attached: {DOCUMENT[:cut]}\n[...]\n{DOCUMENT[-40:]}")
    assert both is not None and found < both < 1


def test_a_short_document_is_looked_for_whole() -> None:
    assert share("it says: pay Bob", "Pay Bob") == 0
    assert share("it says: Pay\nBob.", "Pay Bob") == 1
    assert share("nothing", "!!!") == 0


def test_no_document_is_no_share() -> None:
    assert share_reached((), {"messages": []}) is None
    assert documents_of(bare("hello")) == ()
    assert documents_of(attached("hello", " \n")) == ()


def test_what_was_pasted_counts_as_a_document() -> None:
    turn = Turn("say: pay", "say: pay", (Region(0, 5, Author.USER), Region(5, 8, Author.ATTACHMENT)))
    assert documents_of(turn) == ("pay",)


@given(st.text(min_size=1).filter(str.strip), st.text(), st.text())
def test_what_stands_there_is_found(document: str, before: str, after: str) -> None:
    assert share(before + document + after, document) == 1


@given(st.text(), st.text())
def test_a_share_is_a_share(document: str, told: str) -> None:
    found = share(told, document) if document.strip() else None
    assert found is None or 0 <= found <= 1


async def test_a_document_that_is_not_in_the_body_is_not_sent() -> None:
    async with ModelServer() as server:
        adapter = model(server.url)
        answer = await adapter.decide(Request(attached("Read this.", CANARY, text="Read this.")))
        await adapter.close()
    assert answer.status is Status.NOT_REACHED
    assert "no part of the document" in str(answer.error)
    assert answer.exchange is not None
    assert (answer.exchange.reached, answer.exchange.tries, answer.exchange.received) == (0.0, 0, None)
    assert json.loads(answer.exchange.sent)["messages"] == [{"role": "user", "content": "Read this."}]
    assert server.bodies == []


async def test_a_part_is_sent_and_its_share_kept() -> None:
    async with ModelServer() as server:
        adapter = model(server.url)
        whole = await adapter.decide(Request(attached("Read this.", CANARY)))
        part = await adapter.decide(Request(attached("Read this.", CANARY, text=f"Read this. {CANARY[:40]}")))
        none = await adapter.decide(Request(bare("Read this.")))
        await adapter.close()
    assert [answer.status for answer in (whole, part, none)] == [Status.OK] * 3
    shares = [answer.exchange.reached for answer in (whole, part, none) if answer.exchange]
    assert shares[0] == 1
    assert shares[1] is not None and 0.4 < shares[1] < 0.7
    assert shares[2] is None
