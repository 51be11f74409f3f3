"""What changes of a request on its way, and what must not."""

from __future__ import annotations

import pytest

from workbench.core.errors import UsageError
from workbench.lanes.proxy.head import BadMessage, read_head
from workbench.lanes.proxy.refusal import Refused
from workbench.lanes.proxy.rewriting import read_request
from workbench.lanes.proxy.upstream import base_urls, upstream_of

UPSTREAM = upstream_of("https://api.example.com/v1/")


def sent(head: bytes, url: str = "https://api.example.com/v1/") -> bytes:
    return read_request(read_head(head), upstream_of(url)).sent


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (b"/chat?q=a%2Fb&c=%C3%A9+%zz", b"/v1/chat?q=a%2Fb&c=%C3%A9+%zz"),
        (b"//a/../b//", b"/v1//a/../b//"),
        (b"/models/a:generate?key=1;2", b"/v1/models/a:generate?key=1;2"),
        ("/é".encode(), "/v1/é".encode()),
        (b"http://me:1/x?y", b"/v1/x?y"),
        (b"http://me:1?y", b"/v1/?y"),
        (b"*", b"*"),
    ],
)
def test_the_path_is_put_behind_the_upstreams_raw(target: bytes, expected: bytes) -> None:
    assert sent(b"GET %b HTTP/1.1\r\nHost: me:1\r\n\r\n" % target).split(b" ")[1] == expected


def test_order_spelling_and_doubles_of_fields_stay() -> None:
    head = b"POST /a HTTP/1.1\r\nX-B: 2\r\nhOsT: me\r\nx-a: 1\r\nX-B: 1\r\n"
    head += b"Authorization: Bearer k\r\nAccept-Encoding: gzip, br\r\n\r\n"
    assert sent(head) == head.replace(b"hOsT: me", b"hOsT: api.example.com").replace(b"/a", b"/v1/a")


def test_what_is_for_the_neighbour_alone_stays_behind() -> None:
    head = (
        b"GET / HTTP/1.1\r\nHost: me\r\n"
        b"Connection: Upgrade, X-Mine, HTTP2-Settings, keep-alive, Content-Length\r\n"
        b"Upgrade: h2c\r\nHTTP2-Settings: a\r\nX-Mine: 1\r\nProxy-Connection: keep-alive\r\nTE: gzip\r\n"
        b"Content-Length: 0\r\nX-Other: 1\r\n\r\n"
    )
    assert sent(head) == (
        b"GET /v1/ HTTP/1.1\r\nHost: api.example.com\r\nConnection: keep-alive\r\n"
        b"Content-Length: 0\r\nX-Other: 1\r\n\r\n"
    )


def test_an_old_client_without_a_host_gets_one() -> None:
    assert b"\r\nHost: api.example.com\r\n" in sent(b"GET / HTTP/1.0\r\n\r\n")


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: me\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\n\r\n", 501),
        (b"CONNECT api.example.com:443 HTTP/1.1\r\nHost: api.example.com:443\r\n\r\n", 501),
        (b"GET http://elsewhere/ HTTP/1.1\r\nHost: me\r\n\r\n", 421),
        (b"PRI * HTTP/2.0\r\n\r\n", 505),
    ],
)
def test_what_cannot_be_relayed_is_refused(head: bytes, status: int) -> None:
    with pytest.raises(Refused) as refused:
        read_request(read_head(head), UPSTREAM)
    assert refused.value.status == status


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET x HTTP/1.1\r\nHost: a\r\n\r\n",
        b"nonsense\r\n\r\n",
    ],
)
def test_what_is_no_request_is_refused(head: bytes) -> None:
    with pytest.raises(BadMessage):
        read_request(read_head(head), UPSTREAM)


@pytest.mark.parametrize(
    "url",
    ["", "api.example.com", "ftp://a", "http://", "http://a:0", "http://a:x", "http://u:p@a", "http://a?b=1",
     "http://a/ü", "http://a#"],
)  # fmt: skip
def test_what_names_no_host_is_an_error(url: str) -> None:
    with pytest.raises(UsageError, match="--upstream"):
        upstream_of(url)


@pytest.mark.parametrize(
    ("url", "authority"),
    [
        ("https://a", "a"),
        ("https://a:443/", "a"),
        ("https://a:80", "a:80"),
        ("http://[::1]:8080/x", "[::1]:8080"),
        ("http://bücher.example", "xn--bcher-kva.example"),
    ],
)
def test_the_host_as_its_field_names_it(url: str, authority: str) -> None:
    assert upstream_of(url).authority == authority


def test_base_urls_double_no_version() -> None:
    bare = base_urls("http://me", upstream_of("https://api.example.com"))
    assert bare["OPENAI_BASE_URL"] == "http://me/v1"
    assert bare["ANTHROPIC_BASE_URL"] == "http://me"
    versioned = base_urls("http://me", UPSTREAM)
    assert versioned["OPENAI_BASE_URL"] == "http://me"
    assert "ANTHROPIC_BASE_URL" not in versioned
    assert base_urls("http://me", upstream_of("https://a/anthropic"))["ANTHROPIC_BASE_URL"] == "http://me"
