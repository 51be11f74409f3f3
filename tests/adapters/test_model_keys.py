"""A key goes where it belongs, and stands in nothing that is kept."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest
from model_kit import HURRIED, model
from model_server import ModelServer, every

from workbench.adapters.calls.address import address_problem, is_in_the_clear, is_on_host, joined
from workbench.adapters.calls.secrets import Secrets, vendor_key
from workbench.adapters.model import ModelAdapter
from workbench.adapters.protocol import Place, Request
from workbench.core.errors import WorkbenchError
from workbench.core.trial import Status
from workbench.core.turn import bare
from workbench.files.node import EnvName

KEY = "sk-proj-0123456789abcdefghijKLMN"
OPENAI = "https://api.openai.com/v1"


@pytest.mark.parametrize(
    ("url", "own"),
    [
        ("https://api.openai.com/v1", True),
        ("https://API.openai.com", True),
        ("https://api.openai.com:443/v1/", True),
        ("http://api.openai.com/v1", False),
        ("https://api.openai.com:8443/v1", False),
        ("https://api.openai.com.evil.example/v1", False),
        ("https://evil.example/api.openai.com", False),
        ("https://evil.example?https://api.openai.com", False),
        ("http://127.0.0.1:8080/v1", False),
    ],
)
def test_only_the_vendors_own_host_gets_the_vendors_variable(
    url: str, own: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert is_on_host(url, OPENAI) is own
    assert vendor_key(Secrets("m"), None, url, OPENAI, "OPENAI_API_KEY") == (KEY if own else None)
    named = vendor_key(Secrets("m"), EnvName("OPENAI_API_KEY"), url, OPENAI, "OPENAI_API_KEY")
    assert named == KEY, "where the workspace names it, it goes"


@pytest.mark.parametrize("value", [None, "", "  \n"])
async def test_a_key_that_is_not_there_is_told_before_any_call(
    value: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    if value is not None:
        monkeypatch.setenv("OPENAI_API_KEY", value)
    adapter = ModelAdapter("m", Place(Path()), api="openai-chat", model="x", body={"tools": []})
    with pytest.raises(WorkbenchError, match=r"OPENAI_API_KEY is (not set|empty)") as raised:
        await adapter.open()
    assert raised.value.problems[0].hint == "export OPENAI_API_KEY=… before the run"


async def test_the_vendors_key_does_not_go_to_another_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    async with ModelServer() as server:
        adapter = model(server.url)
        await adapter.decide(Request(bare("hello")))
        await adapter.close()
    assert KEY not in str(server.headers)


async def test_a_named_key_is_sent_and_kept_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    monkeypatch.setenv("MY_TEAM", "team-secret-4711")
    async with ModelServer({"": every(1)}, key=KEY) as server:
        headers = {"X-Team-Token": EnvName("MY_TEAM")}
        adapter = model(server.url, key=EnvName("MY_KEY"), headers=headers)
        kept = [await adapter.decide(Request(bare(f"my key is {KEY}, my team team-secret-4711")))]
        await adapter.close()
        server.key = "another"
        adapter = model(server.url, key=EnvName("MY_KEY"))
        kept.append(await adapter.decide(Request(bare("hello"))))
        await adapter.close()
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert server.headers[0]["X-Team-Token"] == "team-secret-4711"
    assert [answer.status for answer in kept] == [Status.OK, Status.ERROR]
    assert kept[1].fatal
    spelled = str([asdict(answer) for answer in kept]) + str(adapter.fingerprint())
    assert KEY not in spelled
    assert "team-secret-4711" not in spelled
    assert "my team" in spelled, "the rest is kept as it was"


async def test_a_redirect_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    async with ModelServer() as server:
        adapter = model(server.url.replace("/v1", "/moved"), key=EnvName("MY_KEY"))
        answer = await adapter.decide(Request(bare("hello")))
        await adapter.close()
    assert server.bodies == []
    assert answer.status is Status.ERROR
    assert answer.fatal
    assert "redirects to /v1/chat/completions" in str(answer.error)


async def test_no_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    async with ModelServer() as server:
        adapter = model(server.url)
        answer = await adapter.decide(Request(bare("hello")))
        await adapter.close()
    assert answer.status is Status.OK


async def test_a_named_proxy_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_PROXY", "http://me:proxy-password@127.0.0.1:9")
    adapter = model("http://service.example/v1", proxy=EnvName("MY_PROXY"))
    answer = await adapter.decide(Request(bare("hello")))
    await adapter.close()
    assert answer.status is Status.ERROR
    assert answer.fatal
    assert "the proxy 127.0.0.1:9 does not connect" in str(answer.error)
    assert "proxy-password" not in str(answer)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("http://127.0.0.1:1/v1", "nothing answers at 127.0.0.1:1: "),
        ("http://no-such-host.invalid/v1", "no host is called no-such-host.invalid: look at `url`"),
    ],
)
async def test_nobody_there_stops_the_adapter_and_says_what_to_do(url: str, says: str) -> None:
    adapter = model(url, HURRIED)
    answer = await adapter.decide(Request(bare("hello")))
    await adapter.close()
    assert answer.status is Status.ERROR
    assert answer.fatal
    assert says in str(answer.error)
    assert answer.exchange is not None and answer.exchange.tries == HURRIED.tries_of_nobody


async def test_a_proxy_that_is_set_and_not_used_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://10.0.0.1:3128")
    adapter = model("http://no-such-host.invalid/v1", HURRIED)
    answer = await adapter.decide(Request(bare("hello")))
    await adapter.close()
    assert "HTTPS_PROXY is set and is not used unless" in str(answer.error)
    assert "proxy: {env: HTTPS_PROXY}" in str(answer.error)


async def test_plain_text_where_encryption_was_asked_for() -> None:
    async with ModelServer() as server:
        adapter = model(server.url.replace("http:", "https:"), HURRIED)
        answer = await adapter.decide(Request(bare("hello")))
        await adapter.close()
    assert answer.fatal
    assert "no encrypted connection" in str(answer.error)
    assert "write http:// in `url`" in str(answer.error)
    assert server.bodies == []


@pytest.mark.parametrize(
    ("base", "path", "vendor", "wanted"),
    [
        ("http://h:1", "/chat/completions", OPENAI, "http://h:1/v1/chat/completions"),
        ("http://h:1/", "/chat/completions", OPENAI, "http://h:1/v1/chat/completions"),
        ("http://h:1/v1", "/chat/completions", OPENAI, "http://h:1/v1/chat/completions"),
        ("http://h:1/v1/", "/chat/completions", OPENAI, "http://h:1/v1/chat/completions"),
        ("http://h/v1/chat/completions", "/chat/completions", OPENAI, "http://h/v1/chat/completions"),
        ("http://h/openai/v1", "/chat/completions", OPENAI, "http://h/openai/v1/chat/completions"),
        ("http://h/proxy", "/chat/completions", OPENAI, "http://h/proxy/chat/completions"),
        (
            "https://x.openai.azure.com/openai/deployments/d?api-version=1",
            "/chat/completions",
            OPENAI,
            "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=1",
        ),
        ("http://h:11434", "/api/chat", "http://127.0.0.1:11434", "http://h:11434/api/chat"),
        ("http://h:11434/api", "/api/chat", "http://127.0.0.1:11434", "http://h:11434/api/chat"),
        (
            "http://h/v1beta",
            "/models/m:go?alt=sse",
            "https://g/v1beta",
            "http://h/v1beta/models/m:go?alt=sse",
        ),
        ("http://h", "/models/m:go?alt=sse", "https://g/v1beta", "http://h/v1beta/models/m:go?alt=sse"),
    ],
)
def test_a_base_url_may_have_as_much_of_the_path_as_it_likes(
    base: str, path: str, vendor: str, wanted: str
) -> None:
    assert joined(base, path, vendor) == wanted
    assert joined(wanted, path, vendor) == wanted, "what is whole stays as it is"


@pytest.mark.parametrize(
    "url", ["h/v1", "http://", "http://u:p@h/", "http://h/#x", "http://h /", "http://h:0/", "http://h:x"]
)
def test_what_is_no_address(url: str) -> None:
    assert address_problem(url)


def test_an_address() -> None:
    assert address_problem("http://127.0.0.1:8080/v1?a=b") is None
    assert is_in_the_clear("http://api.openai.com/v1", OPENAI)
    assert not is_in_the_clear("http://127.0.0.1/v1", OPENAI)
