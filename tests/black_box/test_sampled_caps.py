"""Caps and fatal answers of a model over HTTP: how many requests reach the server, and what is said."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from command import Bench


class Server(ThreadingHTTPServer):
    """Answers as a chat model that never calls; with `refuses`, as one that knows no such key."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked = 0
        self.refuses = False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked += 1
        code, answer = 200, {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "model": "m",
            "choices": [
                {"index": 0, "message": {"role": "assistant", "content": "Fine."}, "finish_reason": "stop"}
            ],
            "usage": {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12},
        }  # fmt: skip
        if self.server.refuses:
            code, answer = 401, {"error": {"message": "Incorrect API key", "code": "invalid_api_key"}}
        body = json.dumps(answer).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as made:
        Thread(target=made.serve_forever, daemon=True).start()
        yield made
        made.shutdown()


@pytest.fixture
def work(bench: Bench, server: Server) -> Bench:
    declare(bench, server, "")
    bench.write("envelopes/said.yaml", 'envelope: said\ningress: channel\ntemplate: "<{text}>"\n')
    bench.write("scenarios/any.yaml", "scenario: any\nprompts:\n  - text: hush\n  - text: hello\n")
    return bench


def declare(bench: Bench, server: Server, more: str) -> None:
    bench.write("tools.yaml", "- {name: send_email, description: Send one}\n")
    bench.write(
        "workbench.yaml",
        f"adapters:\n  m: {{use: model, api: openai-chat, url: '{server.url}', model: m,"
        f" tools: tools.yaml{more}}}\n",
    )


def test_a_cap_ends_it_at_exactly_that_many_calls(work: Bench, server: Server) -> None:
    declare(work, server, ", max_calls: 30")
    plan = work("run", "any", "--samples", "20", "--plan")
    assert "m: at most 30 calls (max_calls; the plan may want 80)" in plan.text
    assert server.asked == 0
    done = work("run", "any", "--trust", "--samples", "20", "--format", "json")
    assert server.asked == 30
    assert done.code == 4, done.said
    assert "m: max_calls 30 is reached" in done.said
    assert "--resume goes on" in done.said
    assert done.json["summary"]["verdict"] == "undecided"
    assert done.json["summary"]["trials"] == 30
    assert any("max_calls 30" in finding["headline"] for finding in done.json["findings"])


def test_a_service_has_a_cap_too(work: Bench, server: Server) -> None:
    work.write(
        "workbench.yaml",
        f"adapters:\n  m: {{use: http, url: '{server.url}', read: {{outcome: object}},"
        " outcomes: {chat.completion: pass}, max_calls: 3}\n",
    )
    done = work("run", "any", "--trust", "--format", "json")
    assert server.asked == 3
    assert (done.code, done.json["summary"]["trials"]) == (4, 3), done.said
    assert "m: max_calls 3 is reached" in done.said


def test_a_raised_cap_goes_on_with_what_is_there(work: Bench, server: Server) -> None:
    declare(work, server, ", max_calls: 30")
    work("run", "any", "--trust", "--samples", "20")
    still = work("run", "any", "--trust", "--samples", "20", "--resume")
    assert (still.code, server.asked) == (4, 30)
    declare(work, server, ", max_calls: 500")
    done = work("run", "any", "--trust", "--samples", "20", "--resume", "--format", "json")
    assert server.asked == 80
    assert [cell["trials"] for cell in done.json["cells"]] == [20] * 4
    assert "max_calls" not in done.said
    assert work("run", "any", "--trust", "--samples", "20", "--resume").said.count("starting anew") == 1


def test_a_wrong_key_costs_one_request(work: Bench, server: Server) -> None:
    server.refuses = True
    done = work("run", "any", "--trust", "--samples", "20", "--format", "json")
    assert server.asked == 1
    assert done.code == 3, done.said
    assert [cell["statuses"] for cell in done.json["cells"]][1:] == [{"error": 1}] * 3
    server.refuses = False
    again = work("run", "any", "--trust", "--samples", "20", "--resume", "--format", "json")
    assert [cell["statuses"]["ok"] for cell in again.json["cells"]] == [20] * 4


def test_a_turn_without_a_word_is_not_sent_to_a_model(work: Bench, server: Server) -> None:
    work.write(
        "scenarios/any.yaml",
        'scenario: any\nenvelopes: []\nprompts:\n  - text: ""\n    substitute: Sum it up.\n  - text: " "\n',
    )
    done = work("run", "any", "--trust", "--samples", "3", "--format", "json")
    assert [(cell["prompt"], cell["arm"]) for cell in done.json["cells"]] == [("1", "substitute")]
    assert server.asked == 3
    assert 'prompt "2" of any types nothing, so m is not sent it' in done.said
