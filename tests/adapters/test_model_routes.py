"""A model as a classifier, and a model behind the user's own pipeline."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from model_kit import CANARY, HURRIED, attached, model
from model_server import ModelServer, every

from workbench.adapters.model import ModelAdapter
from workbench.adapters.protocol import Place, Request
from workbench.core.decision import Outcome, WindowSource
from workbench.core.exchange import Usage
from workbench.core.trial import Status
from workbench.core.turn import Message, Turn, bare


class Classifier:
    """A provider whose model always picks the same route."""

    def __init__(self, route: str) -> None:
        self.route = route
        self.bodies: list[Any] = []

    async def __aenter__(self) -> Classifier:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", self._chat)
        self._runner = web.AppRunner(app)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        assert site._server is not None
        port = site._server.sockets[0].getsockname()[1]  # type: ignore[attr-defined]
        self.url = f"http://127.0.0.1:{port}/v1"
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._runner.cleanup()

    async def _chat(self, request: web.Request) -> web.Response:
        self.bodies.append(await request.json())
        message = {"role": "assistant", "content": json.dumps({"route": self.route})}
        return web.json_response(
            {"model": "mock-1", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
        )


LIST = ["calendar", "email", "hold", "none"]
MAPPED = {"calendar": "fire", "email": "fire", "workflow": "hold", "chat": "pass"}


@pytest.mark.parametrize(
    ("routes", "picked", "outcome", "tools"),
    [
        (LIST, "calendar", Outcome.FIRE, ("calendar",)),
        (LIST, "hold", Outcome.HOLD, ()),
        (LIST, "none", Outcome.PASS, ()),
        (MAPPED, "email", Outcome.FIRE, ("email",)),
        (MAPPED, "workflow", Outcome.HOLD, ("workflow",)),
        (MAPPED, "chat", Outcome.PASS, ()),
    ],
)
async def test_a_route_is_a_decision(
    routes: Any, picked: str, outcome: Outcome, tools: tuple[str, ...]
) -> None:
    async with Classifier(picked) as server:
        adapter = model(server.url, classify=routes, body=None)
        answer = await adapter.decide(Request(bare("lunch at noon")))
        await adapter.close()
    assert answer.status is Status.OK
    assert answer.decision is not None
    assert (answer.decision.outcome, answer.decision.tools) == (outcome, tools)
    window = answer.decision.window
    assert window is not None
    assert (window.text, window.source) == ("lunch at noon", WindowSource.CAPTURED)
    (body,) = server.bodies
    assert "tools" not in body
    assert list(routes) == body["response_format"]["json_schema"]["schema"]["properties"]["route"]["enum"]


async def test_a_route_that_was_not_offered_is_malformed() -> None:
    async with Classifier("weather") as server:
        adapter = model(server.url, classify=LIST, body=None)
        answer = await adapter.decide(Request(bare("lunch at noon")))
        await adapter.close()
    assert (answer.status, answer.decision) == (Status.MALFORMED, None)
    assert "weather" in str(answer.error)


async def test_a_classifier_is_a_router_that_samples() -> None:
    able = model("http://127.0.0.1:1", classify=LIST, body=None).capabilities
    assert able.router
    assert able.reports_window
    assert not able.deterministic


PIPELINE = textwrap.dedent(
    """
    def messages(typed, documents):
        return [{"role": "user", "content": [{"type": "text", "text": t}]} for t in (*documents, typed)]

    def capped(typed, documents):
        return [{"role": "user", "content": typed + " " + " ".join(d[:30] for d in documents)}]

    def body(text):
        return {"messages": [{"role": "user", "content": "from my app: " + text}], "temperature": 0.25,
                "tools": [{"type": "function", "function": {"name": "mine"}}]}

    def without(typed):
        return [{"role": "user", "content": typed}]

    def broken(text):
        raise RuntimeError("no index")
    """
)


def built(url: str, folder: Path, function: str, **more: Any) -> ModelAdapter:
    (folder / "app.py").write_text(PIPELINE)
    given: dict[str, Any] = {"build": f"app:{function}", "call": {"typed": "typed", "documents": "documents"}}
    return model(url, HURRIED, folder, **{**given, **more})


async def test_what_the_pipeline_built_is_what_is_sent(tmp_path: Path) -> None:
    async with ModelServer({"": every(1)}) as server:
        adapter = built(server.url, tmp_path, "messages")
        assert adapter.capabilities.wraps
        answer = await adapter.decide(Request(attached("Read this.", CANARY, text="Read this.")))
        await adapter.close()
    assert answer.status is Status.OK, answer.error
    assert [part["content"][0]["text"] for part in server.bodies[0]["messages"]] == [CANARY, "Read this."]
    assert answer.exchange is not None and answer.exchange.reached == 1


async def test_a_pipeline_that_caps_or_leaves_the_document_out(tmp_path: Path) -> None:
    async with ModelServer() as server:
        turn = attached("Read this.", CANARY, text="Read this.")
        adapter = built(server.url, tmp_path, "capped")
        part = await adapter.decide(Request(turn))
        await adapter.close()
        adapter = built(server.url, tmp_path, "without", call={"typed": "typed"})
        none = await adapter.decide(Request(turn))
        await adapter.close()
    assert part.status is Status.OK
    assert part.exchange is not None and part.exchange.reached is not None
    assert 0.2 < part.exchange.reached < 0.6
    assert none.status is Status.NOT_REACHED
    assert len(server.bodies) == 1


async def test_a_whole_body_stands_above_the_options(tmp_path: Path) -> None:
    async with ModelServer({"": every(1)}) as server:
        adapter = built(server.url, tmp_path, "body", call="text", temperature=1.0, max_tokens=9)
        answer = await adapter.decide(Request(bare("hello")))
        await adapter.close()
    (body,) = server.bodies
    assert body["messages"] == [{"role": "user", "content": "from my app: hello"}]
    assert (body["temperature"], body["max_tokens"], body["model"]) == (0.25, 9, "mock-1")
    assert answer.decision is not None and answer.decision.called == ("mine",)


async def test_a_pipeline_that_breaks_is_an_error_and_costs_nothing(tmp_path: Path) -> None:
    async with ModelServer() as server:
        adapter = built(server.url, tmp_path, "broken", call="text")
        answer = await adapter.decide(Request(bare("hello")))
        await adapter.close()
    assert answer.status is Status.ERROR
    assert "no index" in str(answer.error)
    assert server.bodies == []


async def test_a_conversation_is_fresh_and_has_its_earlier_messages() -> None:
    async with ModelServer() as server:
        adapter = model(server.url)
        messages = (Message("user", "hi"), Message("assistant", "hello"), Message("user", "send it"))
        for _ in range(2):
            await adapter.decide(Request(Turn("send it", "send it", (), messages=messages)))
        await adapter.close()
    told = [{"role": m.role, "content": m.content} for m in messages]
    assert [body["messages"] for body in server.bodies] == [told, told]


async def test_what_went_over_the_wire_is_kept() -> None:
    async with ModelServer({"": every(1)}) as server:
        adapter = model(server.url, price={"input": 1, "output": 10}, seed=True)
        answer = await adapter.decide(Request(bare("Größe \ud800 \U0001f600"), seed=42))
        await adapter.close()
    kept = answer.exchange
    assert kept is not None
    assert json.loads(kept.sent) == server.bodies[0]
    assert server.bodies[0]["messages"][0]["content"] == "Größe \ud800 \U0001f600"
    assert server.bodies[0]["seed"] == 42
    assert json.loads(kept.received or "")["id"] == "answer-0"
    assert (kept.http, kept.finish, kept.model, kept.fingerprint) == (200, "tool_calls", "mock-1", "fp_1")
    assert kept.usage == Usage(100, 20)
    assert kept.cost == pytest.approx(0.0003)
    assert kept.url == server.url + "/chat/completions"


async def test_a_cap_that_cannot_be_kept_to_stops_after_one_call() -> None:
    async with Classifier("email") as server:  # it does not say what it used
        adapter = model(server.url, classify=LIST, body=None, price={"input": 1, "output": 1}, max_cost=5.0)
        first = await adapter.decide(Request(bare("hello")))
        second = await adapter.decide(Request(bare("hello")))
        await adapter.close()
    assert (first.status, first.made) == (Status.OK, True)
    assert (second.fatal, second.made) == (True, False)
    assert "does not say what a call used" in str(second.error)
    assert len(server.bodies) == 1


async def test_tools_of_a_file_are_offered(tmp_path: Path) -> None:
    from workbench.adapters.tools.source import ToolFile

    (tmp_path / "tools.yaml").write_text(
        "[{name: create_event, description: d, parameters: {type: object}}]\n"
    )
    async with ModelServer({"": every(1)}) as server:
        adapter = ModelAdapter(
            "m",
            Place(tmp_path),
            api="openai-chat",
            model="mock-1",
            url=server.url,
            tools=ToolFile(tmp_path / "tools.yaml"),
        )
        answer = await adapter.decide(Request(bare("hello")))
        await adapter.close()
    assert answer.decision is not None and answer.decision.called == ("create_event",)
