"""What is not passed on, and what the app is told of it."""

from __future__ import annotations

import json
from http import HTTPStatus

__all__ = ["Refused", "own_answer"]


class Refused(Exception):
    """A request that is not passed on. `status` and the words are for the client."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


def own_answer(status: int, why: str) -> tuple[bytes, bytes]:
    """Head and body, in the form in which the clients of model providers read an error."""
    told = {"error": {"message": f"workbench lanes proxy: {why}", "type": "workbench_proxy_error"}}
    body = json.dumps(told).encode("ascii")
    phrase = HTTPStatus(status).phrase.encode("ascii")
    head = (
        b"HTTP/1.1 %d %b\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
    )
    return head % (status, phrase, len(body)), body
