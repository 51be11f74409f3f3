"""Every wire format goes to its own path, with the key in its own header, from a bare base URL."""

from __future__ import annotations

from pathlib import Path

import pytest
from aiohttp import web
from model_kit import HURRIED

from workbench.adapters.model import ModelAdapter
from workbench.adapters.protocol import Place, Request
from workbench.adapters.tools.source import ToolFile
from workbench.core.trial import Status
from workbench.core.turn import bare
from workbench.files.node import EnvName


@pytest.mark.parametrize(
    ("api", "stream", "path", "header"),
    [
        ("openai-chat", False, "/v1/chat/completions", "Authorization"),
        ("openai-chat", True, "/v1/chat/completions", "Authorization"),
        ("openai-responses", False, "/v1/responses", "Authorization"),
        ("anthropic", False, "/v1/messages", "x-api-key"),
        ("gemini", False, "/v1beta/models/m:generateContent", "x-goog-api-key"),
        ("gemini", True, "/v1beta/models/m:streamGenerateContent?alt=sse", "x-goog-api-key"),
        ("ollama", False, "/api/chat", "Authorization"),
    ],
)
async def test_where_a_call_goes(
    api: str, stream: bool, path: str, header: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "a-key-of-ours-123")
    (tmp_path / "t.yaml").write_text("[{name: send, description: d, parameters: {type: object}}]\n")
    asked: list[web.Request] = []

    async def answer(request: web.Request) -> web.Response:
        asked.append(request)
        return web.json_response({"error": {"message": "no such thing"}}, status=400)

    app = web.Application()
    app.router.add_route("*", "/{tail:.*}", answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    assert site._server is not None
    url = f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}"  # type: ignore[attr-defined]
    adapter = ModelAdapter(
        "m",
        Place(tmp_path),
        api=api,
        model="m",
        url=url,
        stream=stream,
        tools=ToolFile(tmp_path / "t.yaml"),
        key=EnvName("MY_KEY"),
        max_tokens=50,
    )
    adapter.patience = HURRIED
    told = await adapter.decide(Request(bare("hello")))
    await adapter.close()
    await runner.cleanup()
    assert told.status is Status.ERROR
    assert "no such thing" in str(told.error)
    (request,) = asked
    assert (request.method, request.path_qs) == ("POST", path)
    assert request.headers[header].removeprefix("Bearer ") == "a-key-of-ours-123"
    assert told.exchange is not None and told.exchange.url == url + path
