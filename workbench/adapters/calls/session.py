"""One connection pool of one adapter: a request out, the exact bytes back. Nothing else is contacted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import aiohttp
from yarl import URL

from workbench.adapters.calls.outage import Outage, outage_of

__all__ = ["MOST_BYTES", "Arriving", "Feed", "Received", "Sending", "Session"]

MOST_BYTES = 32 * 1024 * 1024
"""An answer of more is no answer."""


@dataclass(frozen=True, slots=True)
class Sending:
    """One request, ready to go. `url` and `headers` may hold secrets."""

    url: str
    body: bytes | None
    headers: Mapping[str, str]
    method: str = "POST"


@dataclass(frozen=True, slots=True)
class Received:
    """What came of one answer. Names of headers are in lower case."""

    http: int
    headers: Mapping[str, str]
    body: bytes


Feed = Callable[[bytes], None]
Listen = Callable[[int, Mapping[str, str]], Feed | None]
"""Called with status and headers; what it returns is given the body, piece by piece."""


class Arriving:
    """An answer on its way: it holds what came so far, also when the rest never comes."""

    __slots__ = ("_feed", "_headers", "_http", "_listen", "_pieces", "_size")

    def __init__(self, listen: Listen | None = None) -> None:
        self._listen = listen
        self._feed: Feed | None = None
        self._http: int | None = None
        self._headers: Mapping[str, str] = {}
        self._pieces: list[bytes] = []
        self._size = 0

    @property
    def received(self) -> Received | None:
        """What came so far; None where not even a status did."""
        if self._http is None:
            return None
        pieces = self._pieces
        return Received(self._http, self._headers, pieces[0] if len(pieces) == 1 else b"".join(pieces))

    def begin(self, http: int, headers: Mapping[str, str]) -> None:
        """Status and headers are there."""
        self._http, self._headers = http, headers
        if self._listen is not None:
            self._feed = self._listen(http, headers)

    def add(self, piece: bytes) -> None:
        """More of the body. Raises Outage where it is too much."""
        self._size += len(piece)
        if self._size > MOST_BYTES:
            raise Outage(
                f"the answer is longer than {MOST_BYTES} bytes, so it was cut off", sent=True, hopeless=True
            )
        self._pieces.append(piece)
        if self._feed is not None:
            self._feed(piece)


class Session:
    """No redirect is followed, no proxy of the environment is used, no cookie is kept, no netrc is read."""

    def __init__(self, *, proxy: str | None = None) -> None:
        self._proxy = proxy
        self._client: aiohttp.ClientSession | None = None

    async def send(self, sending: Sending, arriving: Arriving) -> None:
        """Puts the answer into `arriving`. Raises Outage where there is none, or not all of it."""
        client = self._client or self._open()
        try:
            response = await client.request(
                sending.method,
                URL(sending.url, encoded=True),
                data=sending.body,
                headers=sending.headers,
                allow_redirects=False,
                proxy=self._proxy,
            )
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise outage_of(error, sending.url, self._proxy) from error
        try:
            arriving.begin(response.status, {name.lower(): value for name, value in response.headers.items()})
            content = response.content
            while piece := await content.readany():
                arriving.add(piece)
        except (aiohttp.ClientError, OSError) as error:
            raise outage_of(error, sending.url, self._proxy) from error
        finally:
            response.release()

    async def close(self) -> None:
        """Ends every connection."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    def _open(self) -> aiohttp.ClientSession:
        self._client = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0),  # the pace is kept elsewhere
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=None),
            cookie_jar=aiohttp.DummyCookieJar(),
            trust_env=False,
        )
        return self._client
