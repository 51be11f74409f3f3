"""What changes of a request on its way: where it goes, and what is between two neighbours only."""

from __future__ import annotations

import re
from dataclasses import dataclass

from workbench.lanes.proxy.head import BadMessage, Field, Head
from workbench.lanes.proxy.refusal import Refused
from workbench.lanes.proxy.upstream import Upstream

__all__ = ["Request", "read_request"]

_LINE = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+) ([^\s]+) (HTTP/1\.[01])")
_ABSOLUTE = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]*://([^/?#]*)")
_OF_THE_CONNECTION = frozenset({b"close", b"keep-alive"})
"""What a Connection field may say on: both connections live and end together, so that it stays true."""
_NEVER = frozenset({b"upgrade", b"http2-settings", b"proxy-connection"})
_TE = b"te"
_REVERSE = "this is a reverse proxy for one host: set the app's base URL to it"
_ALWAYS = _OF_THE_CONNECTION | {_TE, b"host", b"content-length", b"transfer-encoding"}


@dataclass(frozen=True, slots=True)
class Request:
    """The head as it came, and as it is sent on. `target` is what the upstream is asked for."""

    method: bytes
    target: bytes
    head: Head
    sent: bytes


def read_request(head: Head, upstream: Upstream) -> Request:
    """Raises Refused with what the client has to be told, BadMessage where it is no request."""
    found = _LINE.fullmatch(head.line)
    if found is None:
        if head.line.endswith((b"HTTP/2.0", b"HTTP/3.0")):
            raise Refused(505, "this proxy speaks HTTP/1.1")
        raise BadMessage("the first line is no request of HTTP/1.1")
    method, target, version = found.groups()
    _refuse(method, head)
    hosts = head.values(b"host")
    if len(hosts) > 1 or (not hosts and version == b"HTTP/1.1"):
        raise BadMessage("a request needs one Host")
    if target != b"*":
        target = upstream.path.encode("ascii") + _own(target, hosts)
    fields = _fields(head, upstream.authority.encode("ascii"), has_host=bool(hosts))
    lines = [b"%b %b %b" % (method, target, version), *(b"%b: %b" % field for field in fields), b"", b""]
    return Request(method, target, head, b"\r\n".join(lines))


def _refuse(method: bytes, head: Head) -> None:
    if method == b"CONNECT":
        raise Refused(501, f"{_REVERSE}, not HTTPS_PROXY")
    if b"websocket" in head.tokens(b"upgrade"):
        raise Refused(501, "no websocket is relayed: let the app use HTTP, or call the upstream directly")


def _own(target: bytes, hosts: list[bytes]) -> bytes:
    """Path and query, not a byte of them changed."""
    if target.startswith(b"/"):
        return target
    absolute = _ABSOLUTE.match(target)
    if absolute is None:
        raise BadMessage("what is asked for begins with no slash")
    if hosts and absolute[1].lower() != hosts[0].lower():
        raise Refused(421, f"{_REVERSE}, not HTTP_PROXY")
    rest = target[absolute.end() :]
    return rest if rest.startswith(b"/") else b"/" + rest


def _fields(head: Head, authority: bytes, *, has_host: bool) -> list[Field]:
    """In their order, each spelled as it was, without what the sender meant for its neighbour alone."""
    named = frozenset(head.tokens(b"connection"))
    te = [token for token in head.tokens(_TE) if token.partition(b";")[0] == b"trailers"]
    dropped = (named - _ALWAYS) | _NEVER
    kept = [] if has_host else [(b"Host", authority)]
    for name, value in head.fields:
        match name.lower():
            case b"host":
                kept.append((name, authority))
            case b"connection":
                said = [
                    token
                    for part in value.split(b",")
                    if (token := part.strip()).lower() in _OF_THE_CONNECTION or (token.lower() == _TE and te)
                ]
                if said:
                    kept.append((name, b", ".join(said)))
            case b"te":
                if te:
                    kept.append((name, b"trailers"))
            case lower if lower not in dropped:
                kept.append((name, value))
    return kept
