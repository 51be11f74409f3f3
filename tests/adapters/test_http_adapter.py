"""Any JSON service: what it is sent, how its answer is read, and what becomes of its failures."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from workbench.adapters import registry
from workbench.adapters.calls.asking import Patience
from workbench.adapters.http import HttpAdapter
from workbench.adapters.protocol import Adapter, Answer, Place, Request
from workbench.core.decision import Outcome, ToolCall, WindowSource
from workbench.core.errors import WorkbenchError
from workbench.core.trial import Status
from workbench.core.turn import Attachment, Message, Turn, bare
from workbench.files.node import EnvName
from workbench.files.workspace import load_workspace

PLACE = Place(Path())
Reply = Callable[[web.Request], web.StreamResponse]


class Service:
    """Answers as a test says, and keeps what it was asked."""

    def __init__(self) -> None:
        self.reply: Any = {"outcome": "pass"}
        self.bodies: list[Any] = []
        self.requests: list[web.Request] = []

    async def start(self) -> None:
        app = web.Application()
        app.router.add_route("*", "/route", self._route)
        self.runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self.runner.setup()
        site = web.TCPSite(self.runner, "127.0.0.1", 0)
        await site.start()
        assert site._server is not None
        self.url = f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}/route"  # type: ignore[attr-defined]

    async def _route(self, request: web.Request) -> web.StreamResponse:
        text = await request.text()
        self.requests.append(request)
        self.bodies.append(json.loads(text) if text else None)
        if callable(self.reply):
            answer = self.reply(request)
            assert isinstance(answer, web.StreamResponse)
            return answer
        return web.json_response(self.reply)


@pytest.fixture
async def service() -> AsyncIterator[Service]:
    made = Service()
    await made.start()
    yield made
    await made.runner.cleanup()


async def ask(service: Service, turn: Turn | str = "hello", **options: Any) -> Answer:
    adapter = HttpAdapter("s", PLACE, url=service.url, **options)
    adapter.patience = Patience(first=0.01)
    try:
        return await adapter.decide(Request(bare(turn) if isinstance(turn, str) else turn))
    finally:
        await adapter.close()


FULL = Turn(
    "Read {typed} this.",
    "{turn}",
    (),
    attachments=(Attachment("a.txt", "/w/a.txt", "first {paths}"), Attachment("b.txt", "/w/b.txt", "second")),
    messages=(Message("assistant", "hi"), Message("user", "Read {typed} this.")),
)


async def test_the_structure_is_filled_and_what_is_put_in_is_never_read_again(service: Service) -> None:
    send = {
        "text": "{turn}",
        "said": "user: {typed}!",
        "files": "{paths}",
        "texts": "{documents}",
        "joined": "<{documents}>",
        "chat": "{messages}",
        "deep": [{"again": "{text}"}, 7, True, None, 1.5],
        "{turn}": "a key is no template",
        "brace": "{ turn } {} {Turn}",
    }
    await ask(service, FULL, send=send)
    assert service.bodies == [
        {
            "text": "Read {typed} this.",
            "said": "user: {turn}!",
            "files": ["/w/a.txt", "/w/b.txt"],
            "texts": ["first {paths}", "second"],
            "joined": "<first {paths}\n\nsecond>",
            "chat": [
                {"role": "assistant", "content": "hi"},
                {"role": "user", "content": "Read {typed} this."},
            ],
            "deep": [{"again": "Read {typed} this."}, 7, True, None, 1.5],
            "{turn}": "a key is no template",
            "brace": "{ turn } {} {Turn}",
        }
    ]


async def test_without_a_structure_the_text_is_sent(service: Service) -> None:
    await ask(service, "Größe \ud800")
    assert service.bodies == [{"text": "Größe \ud800"}]
    assert service.requests[0].method == "POST"


async def test_get_puts_the_structure_into_the_query(service: Service) -> None:
    adapter_url = service.url
    service.url = adapter_url + "?v=1"
    answer = await ask(service, "a&b=c d", method="GET", send={"q": "{turn}", "n": 3, "tags": ["x", "y"]})
    assert answer.status is Status.OK
    query = service.requests[0].query
    assert (query["v"], query["q"], query["n"], query.getall("tags")) == ("1", "a&b=c d", "3", ["x", "y"])
    assert service.bodies == [None]


READ = {
    "outcome": "data.action",
    "tool": "data.tools[0].name",
    "arguments": "data.tools[0].args",
    "window": "data.scanned",
    "scores": "data.scores",
    "note": "data.why",
}


async def test_an_answer_is_read_by_paths(service: Service) -> None:
    service.reply = {
        "data": {
            "action": "fire",
            "tools": [{"name": "send", "args": {"to": "bob"}}, {"name": "other"}],
            "scanned": "hello",
            "scores": {"send": 0.7},
            "why": "it says so",
        }
    }
    answer = await ask(service, read=READ)
    decision = answer.decision
    assert decision is not None
    assert (decision.outcome, decision.calls) == (Outcome.FIRE, (ToolCall("send", {"to": "bob"}),))
    assert decision.window is not None
    assert (decision.window.text, decision.window.source) == ("hello", WindowSource.REPORTED)
    assert decision.scores is not None and decision.scores[0].value == 0.7
    assert decision.note == "it says so"


@pytest.mark.parametrize(
    ("reply", "outcome", "tools"),
    [
        ({"data": {"action": "hold", "tools": [{"name": "send"}]}}, Outcome.HOLD, ("send",)),
        ({"data": {"action": "pass", "tools": []}}, Outcome.PASS, ()),
        ({"data": {"action": "pass"}}, Outcome.PASS, ()),
        ({"data": {"tools": [{"name": "send"}]}}, Outcome.FIRE, ("send",)),
        ({"data": {"tools": []}}, Outcome.PASS, ()),
        ({"data": {"tools": None}}, Outcome.PASS, ()),
        ({"data": {"tools": [{"name": None}]}}, Outcome.PASS, ()),
        ({"data": None}, Outcome.PASS, ()),
    ],
)
async def test_what_is_reported_empty_is_a_pass(
    service: Service, reply: Any, outcome: Outcome, tools: tuple[str, ...]
) -> None:
    service.reply = reply
    answer = await ask(service, read=READ)
    assert answer.decision is not None, answer.error
    assert (answer.decision.outcome, answer.decision.tools) == (outcome, tools)
    assert answer.decision.windows is None, "not reported"
    assert answer.decision.scores is None


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        ({"other": 1}, "neither data.action nor data.tools[0].name is in the answer"),
        ([], "neither data.action"),
        ({"data": {"action": "go", "tools": []}}, "outcome 'go' is none of fire, hold, pass"),
        ({"data": {"action": 3}}, "outcome is a number"),
        ({"data": {"tools": [{"name": 7}]}}, "a call is a number"),
    ],
)
async def test_what_is_not_reported_is_malformed(service: Service, reply: Any, says: str) -> None:
    service.reply = reply
    answer = await ask(service, read=READ)
    assert (answer.status, answer.decision) == (Status.MALFORMED, None)
    assert says in str(answer.error)
    assert json.loads(answer.raw or "") == reply


async def test_every_tool_with_its_own_arguments(service: Service) -> None:
    service.reply = {"tools": [{"name": "a", "args": {"x": 1}}, {"name": "b"}, {"name": "c", "args": {}}]}
    read = {"tools": "tools[*].name", "arguments": "tools[*].args"}
    answer = await ask(service, read=read)
    assert answer.decision is not None
    assert answer.decision.calls == (ToolCall("a", {"x": 1}), ToolCall("b"), ToolCall("c", {}))


async def test_tools_may_be_objects(service: Service) -> None:
    service.reply = {"calls": [{"name": "a", "arguments": {"x": 1}}]}
    answer = await ask(service, read={"tools": "calls"})
    assert answer.decision is not None
    assert answer.decision.calls == (ToolCall("a", {"x": 1}),)


async def test_the_services_own_words(service: Service) -> None:
    service.reply = {"action": "execute", "tool": "send"}
    read = {"outcome": "action", "tool": "tool"}
    answer = await ask(service, read=read, outcomes={"execute": "fire", "skip": "pass"})
    assert answer.decision is not None and answer.decision.called == ("send",)
    service.reply = {"action": "skip"}
    answer = await ask(service, read=read, outcomes={"execute": "fire", "skip": "pass"})
    assert answer.decision is not None and answer.decision.outcome is Outcome.PASS


async def test_without_paths_the_whole_answer_is_judged(service: Service) -> None:
    service.reply = "send"
    answer = await ask(service)
    assert answer.decision is not None and answer.decision.called == ("send",)
    service.reply = {"result": {"outcome": "hold", "scanned": "he", "spans": [[0, 2]]}}
    answer = await ask(service, read="result")
    assert answer.decision is not None and answer.decision.outcome is Outcome.HOLD
    assert answer.decision.window is not None and answer.decision.window.spans == ((0, 2),)
    answer = await ask(service, read="nowhere")
    assert answer.status is Status.MALFORMED


async def test_a_service_that_only_searches_has_a_window_alone(service: Service) -> None:
    service.reply = {"query": "hello"}
    adapter = HttpAdapter("s", PLACE, url=service.url, read={"window": "query"})
    assert not adapter.capabilities.decides
    answer = await adapter.decide(Request(bare("hello")))
    await adapter.close()
    assert answer.decision is not None and answer.decision.window is not None
    assert answer.decision.window.text == "hello"


def replied(http: int, text: str = "", kind: str = "application/json", **headers: str) -> Reply:
    return lambda request: web.Response(status=http, text=text, content_type=kind, headers=headers)


@pytest.mark.parametrize(
    ("reply", "status", "says"),
    [
        (replied(500, '{"detail": "no index"}'), Status.ERROR, 'HTTP 500: {"detail": "no index"}'),
        (replied(404, "Not Found", "text/plain"), Status.ERROR, "HTTP 404: Not Found"),
        (replied(422, "\x1b[31mbad", "text/plain"), Status.ERROR, "HTTP 422: ␛[31mbad"),
        (
            replied(200, "<html>", "text/html"),
            Status.MALFORMED,
            "the answer (text/html; charset=utf-8) is no JSON",
        ),
        (replied(200, '{"outcome": "fi'), Status.MALFORMED, "is no JSON"),
        (replied(200, ""), Status.MALFORMED, "the answer is empty"),
        (replied(200, "[" * 5000), Status.MALFORMED, "is no JSON"),
        (
            replied(307, "", Location="http://elsewhere.example/"),
            Status.ERROR,
            "redirects to http://elsewhere",
        ),
    ],
)
async def test_a_failure_is_asked_once(service: Service, reply: Reply, status: Status, says: str) -> None:
    service.reply = reply
    answer = await ask(service)
    assert (answer.status, answer.decision) == (status, None)
    assert says in str(answer.error)
    assert len(service.bodies) == 1
    assert answer.exchange is not None and answer.exchange.http is not None


async def test_204_is_a_pass(service: Service) -> None:
    service.reply = replied(204)
    answer = await ask(service)
    assert answer.decision is not None and answer.decision.outcome is Outcome.PASS


@pytest.mark.parametrize("http", [429, 503, 529])
async def test_a_busy_service_is_asked_again(service: Service, http: int) -> None:
    turns = iter(
        [replied(http, "busy", **{"Retry-After": "0"}), replied(http, "busy"), replied(200, '"send"')]
    )
    service.reply = lambda request: next(turns)(request)
    answer = await ask(service)
    assert answer.status is Status.OK
    assert answer.exchange is not None and answer.exchange.tries == 3


async def test_what_may_have_been_done_is_not_done_again(service: Service) -> None:
    def cut(request: web.Request) -> web.StreamResponse:
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    service.reply = cut
    answer = await ask(service)
    assert answer.status is Status.ERROR
    assert "closed the connection without an answer" in str(answer.error)
    assert len(service.bodies) == 1


@pytest.mark.parametrize("http", [401, 403])
async def test_a_service_that_turns_us_away_is_not_asked_on(service: Service, http: int) -> None:
    service.reply = replied(http, "who are you?", "text/plain")
    answer = await ask(service)
    assert answer.fatal
    assert "name a key with `key: {env: NAME}`" in str(answer.error)


async def test_a_key_is_sent_and_kept_nowhere(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERVICE_KEY", "a-secret-of-ours-1")
    service.reply = {"outcome": "fire", "calls": [{"name": "a-secret-of-ours-1"}]}
    answer = await ask(service, "a-secret-of-ours-1", key=EnvName("SERVICE_KEY"))
    assert service.requests[0].headers["Authorization"] == "Bearer a-secret-of-ours-1"
    assert answer.status is Status.OK
    assert "a-secret-of-ours-1" not in str(asdict(answer))


async def test_the_workspaces_headers_stand_above_ours(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SERVICE_KEY", "a-secret-of-ours-1")
    headers = {"authorization": "Basic eDp5", "CONTENT-TYPE": "application/vnd.x+json", "X-More": "1"}
    await ask(service, key=EnvName("SERVICE_KEY"), headers=headers)
    told = service.requests[0].headers
    assert told.getall("Authorization") == ["Basic eDp5"]
    assert told.getall("Content-Type") == ["application/vnd.x+json"]
    assert told["X-More"] == "1"


async def test_a_service_that_does_not_answer(service: Service) -> None:
    import asyncio

    async def never(request: web.Request) -> web.StreamResponse:
        await asyncio.sleep(5)
        return web.Response()

    app = web.Application()
    app.router.add_post("/slow", never)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    assert site._server is not None
    service.url = f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}/slow"  # type: ignore[attr-defined]
    answer = await ask(service, timeout=0.1)
    await runner.cleanup()
    assert answer.status is Status.TIMEOUT
    assert "within 0.1 s" in str(answer.error)


def test_a_service_that_is_sent_words_and_files_apart_joins_them_itself() -> None:
    def wraps(send: Any) -> bool:
        return HttpAdapter("s", PLACE, url="http://h/", send=send).capabilities.wraps

    assert wraps({"message": "{typed}", "files": "{paths}"})
    assert wraps({"message": "{typed}", "files": "{documents}"})
    assert not wraps({"text": "{turn}", "files": "{paths}"})
    assert not wraps({"chat": "{messages}"})
    assert not wraps(None)


def test_it_is_deterministic_unless_said() -> None:
    assert HttpAdapter("s", PLACE, url="http://h/").capabilities.deterministic
    able = HttpAdapter("s", PLACE, url="http://h/", deterministic=False).capabilities
    assert not able.deterministic
    assert able.router
    assert able.needs_trust


def built(folder: Path, options: str) -> Adapter:
    (folder / "workbench.yaml").write_text(f"adapters:\n  a: {{use: http, {options}}}\n")
    return registry.build(load_workspace(folder).adapters["a"], Place(folder))


@pytest.mark.parametrize(
    ("options", "says", "at"),
    [
        ("send: {text: '{turn}'}", 'the key "url" is missing', "a:"),
        ("url: 'h/route'", "url: 'h/route' does not begin with http", "'h/route'"),
        ("url: 'http://h', send: {text: {turn}}", "text: {turn} is a mapping here", "{turn}"),
        ("url: 'http://h', send: {text: '{tern}'}", "send: {tern} is no field", "{text"),
        ("url: 'http://h', send: {text: hello}", "send: it has no place for the turn", "{text"),
        ("url: 'http://h', send: {text: 'a {messages}'}", "send: {messages} is a list", "{text"),
        ("url: 'http://h', send: ['{turn}'], method: GET", "send: with GET it is a mapping", "['{turn}"),
        ("url: 'http://h', read: {tool: 'a..b'}", "read.tool: 'a..b' cannot be read from", "'a..b'"),
        ("url: 'http://h', read: {tol: a}", "read.tol: 'tol' is no field", "a}"),
        ("url: 'http://h', read: {arguments: a}", "read.arguments: arguments belong to a tool", "a}"),
        ("url: 'http://h', outcomes: {go: run}", "outcomes.go: expected one of fire, hold, pass", "run"),
        ("url: 'http://h', method: DELETE", "method: expected one of", "DELETE"),
    ],
)
def test_a_wrong_option_is_told_at_its_place(tmp_path: Path, options: str, says: str, at: str) -> None:
    with pytest.raises(WorkbenchError) as raised:
        built(tmp_path, options)
    (problem,) = raised.value.problems
    assert says in problem.message
    assert problem.mark is not None
    line = (tmp_path / "workbench.yaml").read_text().splitlines()[1]
    found = [place for place in range(len(line)) if line.startswith(at, place)]
    assert problem.mark.column - 1 in found


def test_the_design_s_example_is_built(tmp_path: Path) -> None:
    options = (
        'url: "http://127.0.0.1:8000/route", send: {text: "{turn}"}, read: {outcome: data.action,'
        ' tool: "data.tools[0].name", window: data.scanned}'
    )
    adapter = built(tmp_path, options)
    assert (adapter.concurrency, adapter.timeout) == (8, 10)
    assert adapter.capabilities.reports_window
