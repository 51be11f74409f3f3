"""A short conversation with the gateway, for the ledger: the requests that it sends, and their receipts."""

from __future__ import annotations

from typing import Any, NamedTuple

from workbench import ledger
from workbench.demo import gateway

__all__ = ["FILE_TURN", "QUESTION", "Sent", "talk"]

URL = "http://127.0.0.1/v1/chat/completions"
"""Where a client would send the requests. Nothing is asked."""

QUESTION = "How many paragraphs does this file have?"
FILE_TURN = "t2"
"""What is asked about the file, and on which turn."""


class Sent(NamedTuple):
    """A request's body, and what the ledger said of it when it was sent."""

    body: dict[str, Any]
    receipt: dict[str, Any]


def talk(page: str) -> list[Sent]:
    """Three turns: a plain message, one with the file `page`, one over a channel that answers another.

    Raises OSError where the file cannot be read.
    """
    sent: list[Sent] = []

    def audit(body: dict[str, Any]) -> None:
        sent.append(Sent(body, ledger.audit(body, URL)))

    ledger.configure(to=lambda receipt: None)  # they are kept here, and in no file
    gateway.HOOKS.append(audit)
    try:
        gateway.handle("What is on my calendar on Friday?", turn="t1")
        gateway.handle(QUESTION, [page], turn=FILE_TURN)
        workflow = "build me a workflow that checks my calendar and email"
        gateway.handle(workflow, channel="chat", sender="ana", quoted="Is the calendar connected?", turn="t3")
    finally:
        gateway.HOOKS.remove(audit)
        ledger.configure()
    return sent
