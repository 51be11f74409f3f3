"""A service on this machine that answers what a test wants, and remembers what it was sent."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

__all__ = ["Asked", "Service", "answering", "chat"]


@dataclass(frozen=True)
class Asked:
    """One request, as it came."""

    path: str
    headers: dict[str, str]
    body: str

    @property
    def whole(self) -> str:
        return "\n".join(
            (self.path, *(f"{name}: {value}" for name, value in self.headers.items()), self.body)
        )


Answering = Callable[[Asked], tuple[int, str]]


@dataclass
class Service:
    url: str
    asked: list[Asked] = field(default_factory=list)


@contextmanager
def answering(answer: Answering) -> Iterator[Service]:
    """The service, as long as it is wanted. `answer` gives a status and a JSON body."""
    asked: list[Asked] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode("utf-8")
            request = Asked(self.path, dict(self.headers.items()), body)
            asked.append(request)
            status, text = answer(request)
            content = text.encode("utf-8")
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield Service(f"http://127.0.0.1:{server.server_port}", asked)
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


def chat(text: str | None = None, *calls: tuple[str, object]) -> str:
    """An answer in the form of OpenAI's chat completions."""
    made = [
        {"id": f"c{n}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        for n, (name, arguments) in enumerate(calls)
    ]
    message = {"role": "assistant", "content": text, **({"tool_calls": made} if made else {})}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if made else "stop"}
    usage = {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12}
    return json.dumps({"id": "x", "model": "m-1", "choices": [choice], "usage": usage})
