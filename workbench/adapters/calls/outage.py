"""A call that came to nothing on its way: what happened, in words, and what to do about it."""

from __future__ import annotations

import os
import socket
import ssl
from dataclasses import dataclass
from urllib.parse import urlsplit

import aiohttp

__all__ = ["Outage", "outage_of"]

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Outage(Exception):
    """`sent`: the request may have been carried out. `hopeless`: it will not go better the next time.

    `nobody`: the service was not there at all.
    """

    def __init__(self, words: str, *, sent: bool, hopeless: bool = False, nobody: bool = False) -> None:
        super().__init__(words)
        self.sent, self.hopeless, self.nobody = sent, hopeless, nobody


@dataclass(frozen=True, slots=True)
class _Way:
    """The way of a call: where to, and through which proxy."""

    url: str
    proxy: str | None

    @property
    def host(self) -> str:
        parts = urlsplit(self.proxy or self.url)
        return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)

    @property
    def proxy_hint(self) -> str:
        """That a proxy of the environment is not used, where there is one and it would matter."""
        if self.proxy or urlsplit(self.url).hostname in _LOOPBACK:
            return ""
        names = ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy")
        name = next((name for name in names if os.environ.get(name)), None)
        return (
            f"; {name} is set and is not used unless the adapter says `proxy: {{env: {name}}}`"
            if name
            else ""
        )


def outage_of(error: Exception, url: str, proxy: str | None = None) -> Outage:
    """What an error of the HTTP client means."""
    way = _Way(url, proxy)
    if isinstance(error, aiohttp.ClientConnectorCertificateError | aiohttp.ClientConnectorSSLError):
        return _encryption(error, way)
    if isinstance(error, aiohttp.ClientProxyConnectionError | aiohttp.ClientHttpProxyError):
        said = f"HTTP {error.status}" if isinstance(error, aiohttp.ClientHttpProxyError) else _system(error)
        words = f"the proxy {way.host} does not connect: {said}; look at the adapter's `proxy`"
        return Outage(words, sent=False, nobody=True)
    if isinstance(error, aiohttp.ClientConnectorDNSError | socket.gaierror):
        words = f"no host is called {urlsplit(way.proxy or url).hostname}: look at `url`, and at the network"
        return Outage(words + way.proxy_hint, sent=False, nobody=True)
    if isinstance(error, aiohttp.ClientConnectorError):
        words = (
            f"nothing answers at {way.host}: {_system(error)}; is the service running, and is `url` right?"
        )
        return Outage(words + way.proxy_hint, sent=False, nobody=True)
    if isinstance(error, aiohttp.ServerDisconnectedError | aiohttp.ClientOSError | ConnectionError):
        words = f"{way.host} closed the connection without an answer: {_system(error)}"
        return Outage(words, sent=True)
    if isinstance(error, aiohttp.ClientPayloadError):
        return Outage(f"{way.host} broke its answer off", sent=True)
    if isinstance(error, aiohttp.ClientResponseError):
        return Outage(f"{way.host} does not speak HTTP: {error.message}", sent=True)
    return Outage(f"{type(error).__name__}: {error}", sent=True, hopeless=True)


def _encryption(error: aiohttp.ClientSSLError, way: _Way) -> Outage:
    cause = error.__cause__ or error
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        cause = error.certificate_error
    said = getattr(cause, "verify_message", "") or getattr(cause, "reason", "") or str(cause)
    if isinstance(cause, ssl.CertificateError):
        hint = "SSL_CERT_FILE=… names a file with the authority that your network or service uses"
        return Outage(
            f"the certificate of {way.host} is not accepted: {said}; {hint}", sent=False, hopeless=True
        )
    hint = "does the service speak https there? else write http:// in `url`"
    return Outage(f"no encrypted connection to {way.host}: {said}; {hint}", sent=False, hopeless=True)


def _system(error: Exception) -> str:
    """What the system said."""
    inner = getattr(error, "os_error", None) or error
    words = getattr(inner, "strerror", None) or str(inner) or type(inner).__name__
    return str(words)
