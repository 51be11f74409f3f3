"""A service as one adapter asks it: the options that all have, opened for a run and closed after it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

from workbench.adapters.calls.address import address_problem
from workbench.adapters.calls.asking import Asked, Asker, Patience, Reading
from workbench.adapters.calls.pace import Pace
from workbench.adapters.calls.secrets import Secrets
from workbench.adapters.calls.session import Sending, Session
from workbench.adapters.protocol import Answer, Option, OptionType
from workbench.core.claims import Claims
from workbench.core.decision import canonical
from workbench.core.exchange import Exchange
from workbench.core.mask import Masker
from workbench.core.shapes import is_secret_name
from workbench.core.trial import Status
from workbench.files.node import EnvName
from workbench.wire.codec import Reply

__all__ = ["SHARED", "Service", "Settings"]

SHARED = (
    Option("headers", OptionType.MAPPING, "more headers; {env: NAME} takes a variable of yours, unseen"),
    Option("proxy", OptionType.TEXT_OR_ENV, "the proxy to use; none of the environment's is used unasked"),
    Option("requests_per_minute", OptionType.NUMBER, "so many requests a minute at most"),
    Option("concurrency", OptionType.INTEGER, "calls at once", 8),
)

_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_NOT_YOURS = ("content-length", "transfer-encoding", "connection")

Text = str | EnvName
KeyHeaders = Callable[[Secrets], Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Settings:
    """What the options say. `repeatable`: a call that may have been carried out may be made again."""

    url: str
    headers: Mapping[str, Text]
    proxy: Text | None
    requests_per_minute: float | None
    tokens_per_minute: float | None
    concurrency: int
    timeout: float
    repeatable: bool

    def marks(self) -> Mapping[str, str]:
        """What of them a fingerprint tells: where it goes, and the headers that may change an answer."""
        masker = Masker()
        marks = {"url": masker.text(self.url)}
        if self.headers:
            spelled = {
                n: f"{{env: {v.name}}}" if isinstance(v, EnvName) else v for n, v in self.headers.items()
            }
            marks["headers"] = canonical(masker.headers(spelled))
        return marks

    def problems(self) -> list[str]:
        """What is wrong with them, each headed by the option."""
        found = []
        if self.url and (problem := address_problem(self.url)):
            found.append(f"url: {problem}")
        if isinstance(self.proxy, str) and not urlsplit(self.proxy).scheme.startswith("http"):
            found.append(f"proxy: {self.proxy!r} does not begin with http:// or https://")
        for name, value in self.headers.items():
            if not _HEADER.fullmatch(name) or name.lower() in _NOT_YOURS:
                found.append(f"headers.{name}: {name!r} is no header that can be set")
            elif isinstance(value, str) and not (value.isascii() and value.isprintable()):
                found.append(f"headers.{name}: a header's value is printable ASCII")
        numbers = (("requests_per_minute", self.requests_per_minute), ("timeout", self.timeout))
        for name, number in (*numbers, ("tokens_per_minute", self.tokens_per_minute)):
            if number is not None and not (number > 0 and math.isfinite(number)):
                found.append(f"{name}: {number:g} is no number above 0")
        return found


class Service:
    """The connections, the pace and the secrets of one adapter, from `open` to `close`."""

    def __init__(self, name: str, settings: Settings) -> None:
        self._name, self._settings = name, settings
        self._session: Session | None = None
        self._asker: Asker | None = None
        self._pace: Pace | None = None
        self._headers: Mapping[str, str] = {}
        self._named: frozenset[str] = frozenset()
        self._know(())
        self.patience = Patience()

    @property
    def is_open(self) -> bool:
        return self._asker is not None

    @property
    def room(self) -> int:
        """How many calls may be under way at once."""
        return self._settings.concurrency if self._pace is None else self._pace.room

    async def open(self, key_headers: KeyHeaders, known: Iterable[str] = ()) -> None:
        """Reads the secrets; `known` are others to mask. Raises WorkbenchError for a variable not set."""
        await self.close()
        settings, secrets = self._settings, Secrets(self._name)
        said = secrets.headers(settings.headers)
        named = {name.lower() for name in said}
        keyed = {name: value for name, value in key_headers(secrets).items() if name.lower() not in named}
        headers = {**keyed, **said}
        proxy = None if settings.proxy is None else secrets.read(settings.proxy, "proxy")
        self._headers, self._named = headers, frozenset(name.lower() for name in headers)
        self._know((*secrets.values, *_hidden(headers, proxy), *known))
        self._session = Session(proxy=proxy)
        self._pace = pace = Pace(
            settings.concurrency, settings.requests_per_minute, settings.tokens_per_minute
        )
        self._asker = Asker(
            self._session, pace, settings.timeout, self.patience, repeatable=settings.repeatable
        )

    async def ask(
        self,
        url: str,
        body: bytes | None,
        headers: Mapping[str, str],
        reading: Reading,
        *,
        method: str = "POST",
        tokens: float = 0.0,
    ) -> Asked:
        """One question. The workspace's headers stand above those of the format."""
        assert self._asker is not None
        ours = {name: value for name, value in headers.items() if name.lower() not in self._named}
        sending = Sending(url, body, {**ours, **self._headers}, method)
        return await self._asker.ask(sending, reading, tokens)

    async def close(self) -> None:
        """Ends every connection."""
        session, self._session, self._asker = self._session, None, None
        if session is not None:
            await session.close()

    def answer(
        self,
        asked: Asked,
        url: str,
        body: bytes | None,
        *,
        cost: float | None = None,
        reached: float | None = None,
        claims: Claims | None = None,
    ) -> Answer:
        """What came of it as the engine wants it, secrets masked."""
        reply, came = asked.reply, asked.received
        text = None if came is None else _text(came.body)
        received = None if text is None else self._masker.text(text)
        decision = reply.decision if reply.status is Status.OK else None
        if (
            decision is not None and received != text
        ):  # without a secret in the answer, none was read out of it
            decision = self._masker.deep(decision)
        exchange = Exchange(
            url=self._masked(url),
            sent=self._masked(_text(body or b"")),
            received=received,
            http=None if came is None else came.http,
            finish=reply.finish,
            model=reply.model,
            fingerprint=reply.fingerprint,
            usage=reply.usage,
            cost=cost,
            tries=asked.tries,
            reached=reached,
            claims=None if claims is None else self._masker.deep(claims),
        )
        return Answer(
            reply.status,
            decision,
            None if reply.error is None else self._masker.text(reply.error),
            None if reply.raw is None else self._masker.text(reply.raw),
            exchange=exchange,
            fatal=reply.fatal,
            seconds=asked.seconds,
            made=asked.made,
        )

    def unreached(self, url: str, body: bytes | None, claims: Claims | None = None) -> Answer:
        """The answer where no part of the document stands in the body: nothing is asked or paid."""
        error = "no part of the document stands in the body that was built, so it was not sent"
        nothing = Asked(Reply(Status.NOT_REACHED, error=error), None, 0, 0.0)
        return self.answer(nothing, url, body, reached=0.0, claims=claims)

    def _know(self, secrets: tuple[str, ...]) -> None:
        self._masker = Masker(secrets)
        # Few bodies are sent, each of them many times.
        self._masked = lru_cache(maxsize=512)(self._masker.text)


def _text(body: bytes) -> str:
    return body.decode("utf-8", "surrogateescape")


def _hidden(headers: Mapping[str, str], proxy: str | None) -> list[str]:
    """The values that are secrets by their place, and their parts: a key follows a word such as Bearer."""
    values = [value for name, value in headers.items() if is_secret_name(name)]
    found = [*values, *(part for value in values for part in value.split())]
    password = urlsplit(proxy).password if proxy else None
    return [*found, password] if password else found
