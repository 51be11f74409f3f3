"""A model that loses the question behind a long document: a sweep of lengths shows where (case k3-27)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from command import Bench

LONGEST = 20_000
"""Characters of a body above which this model comments on the document and calls nothing."""

FACT = "The service listens on 8443."
WORDS = (50, 1_000, 6_000)
CALL = {"id": "c1", "type": "function", "function": {"name": "read_config", "arguments": '{"key": "port"}'}}


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        short = len(body) < LONGEST
        message = {"role": "assistant", "content": None if short else "A fine handbook."}
        if short:
            message["tool_calls"] = [CALL]  # type: ignore[assignment]
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if short else "stop"}
        answer = json.dumps({"id": "1", "model": "m", "choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
        pass


@pytest.fixture
def url() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        server.shutdown()


def test_the_length_at_which_the_call_is_lost_is_shown_as_drift(bench: Bench, url: str) -> None:
    bench.write("tools.yaml", "- {name: read_config, description: Read a setting}\n")
    bench.write(
        "workbench.yaml",
        f"adapters:\n  m: {{use: model, api: openai-chat, url: '{url}', model: m, tools: tools.yaml}}\n",
    )
    bench.write(
        "envelopes/page.yaml",
        "envelope: page\ningress: attachment\ntemplate: |-\n  <page>\n  {document}\n  </page>\n  {text}\n",
    )
    scenario = ["scenario: sweep", "prompts:"]
    for count in WORDS:
        half = "handbook " * (count // 2)
        bench.write(f"scenarios/{count}.txt", f"{half}\n{FACT}\n{half}")
        scenario += [
            f"  - id: words-{count}",
            "    text: what port does the service use?",
            f"    attach: {count}.txt",
            "    expect: fire read_config",
        ]
    bench.write("scenarios/sweep.yaml", "\n".join(scenario) + "\n")
    done = bench("run", "sweep", "--trust", "--samples", "30", "--format", "json")
    assert done.code == 1, done.said
    event = {
        cell["prompt"]: (cell["rates"][0]["k"], cell["rates"][0]["n"])
        for cell in done.json["cells"]
        if cell["arm"] == "page"
    }
    assert event["words-50"] == event["words-1000"] == (30, 30)
    assert event["words-6000"][0] == 0 and event["words-6000"][1] >= 4
    drifts = [finding for finding in done.json["findings"] if finding["kind"] == "rate-drift"]
    assert [finding["prompt"] for finding in drifts] == ["words-6000"]
    assert "calls read_config in 0 of" in drifts[0]["headline"]
    text = bench("run", "sweep", "--trust", "--samples", "30", "--no-save").text
    lines = [line for line in text.splitlines() if "calls read_config" in line and "words-" in line]
    assert len([line for line in lines if "30/30 page" in line]) == 2
