"""Any service that takes and answers JSON: what is sent and where the answer stands is said in YAML."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from workbench.adapters.budget import DETERMINISTIC, MAX_CALLS, Caps
from workbench.adapters.calls.asking import Patience
from workbench.adapters.calls.bodies import as_bytes
from workbench.adapters.calls.filling import fields_in, fill, filling_problems
from workbench.adapters.calls.picking import Picked, picking_of
from workbench.adapters.calls.reached import documents_of, share_reached
from workbench.adapters.calls.secrets import Secrets
from workbench.adapters.calls.service import SHARED, Service, Settings, Text
from workbench.adapters.protocol import Answer, Capabilities, Option, OptionType, Place, Request
from workbench.core.decision import Json, canonical
from workbench.core.errors import Problem, WorkbenchError
from workbench.core.mask import Masker
from workbench.files.node import EnvName

__all__ = ["HttpAdapter"]

_METHODS = ("POST", "PUT", "GET")
_SEND: Json = {"text": "{turn}"}
_WHOLE = frozenset({"turn", "text", "messages"})
"""Fields that hold the turn as the workbench joins it."""

_HANDED_OVER = frozenset({"documents", "paths"})


class HttpAdapter:
    """One request per turn. A service that is sent words and files apart joins them itself, as apps do."""

    summary: ClassVar[str] = "a service that takes and answers JSON"
    options: ClassVar[tuple[Option, ...]] = (
        Option("url", OptionType.TEXT, "where the service is", required=True),
        Option(
            "method",
            OptionType.TEXT,
            "how it is asked; GET takes `send` as a query",
            "POST",
            choices=_METHODS,
        ),
        Option(
            "send",
            OptionType.VALUE,
            'what is sent, any structure; "{turn}", "{typed}", "{documents}", "{paths}" and "{messages}" in'
            " its texts are filled in",
            {"text": "{turn}"},
        ),
        Option(
            "read",
            OptionType.VALUE,
            "where the answer stands: a path, or paths by field, such as {outcome: data.action, tool:"
            ' "data.tools[0].name"}; without it the whole answer',
        ),
        Option("outcomes", OptionType.MAPPING, "the service's own words: which mean fire, hold or pass"),
        Option("key", OptionType.SECRET, "sent as `Authorization: Bearer`"),
        *SHARED,
        Option("timeout", OptionType.NUMBER, "seconds for one answer", 10),
        DETERMINISTIC,
        MAX_CALLS,
    )

    def __init__(
        self,
        name: str,
        place: Place,
        *,
        url: str,
        method: str = "POST",
        send: Json = None,
        read: Json = None,
        outcomes: Mapping[str, Text] | None = None,
        key: EnvName | None = None,
        headers: Mapping[str, Text] | None = None,
        proxy: Text | None = None,
        requests_per_minute: float | None = None,
        concurrency: int = 8,
        timeout: float = 10.0,
        deterministic: bool = True,
        max_calls: int | None = None,
    ) -> None:
        self.name, self.concurrency, self.timeout = name, concurrency, timeout
        self.per_minute = requests_per_minute
        self.caps = Caps(max_calls)
        self._url, self._method, self._key = url, method, key
        self._send = _SEND if send is None else send
        words = {word: meant for word, meant in (outcomes or {}).items() if isinstance(meant, str)}
        self._picking, problems = picking_of(read, words)
        settings = Settings(
            url, headers or {}, proxy, requests_per_minute, None, concurrency, timeout, repeatable=False
        )
        problems += [*settings.problems(), *self._problems(outcomes or {})]
        if problems:
            raise WorkbenchError([Problem(problem) for problem in problems])
        fields = fields_in(self._send)
        self._by_path = "paths" in fields
        self.capabilities = Capabilities(
            deterministic=deterministic,
            reports_window="window" in self._picking.paths,
            reports_scores="scores" in self._picking.paths,
            wraps=bool(fields & _HANDED_OVER) and not fields & _WHOLE,
            needs_trust=True,
            bounds_itself=True,
            decides=self._picking.decides,
        )
        self._service = Service(name, settings)
        self._marks = {
            **settings.marks(),
            "method": method,
            "send": canonical(Masker().deep(self._send)),
            "read": canonical(read),
            "outcomes": canonical(words),
        }

    @property
    def patience(self) -> Patience:
        """How often a call is tried; it holds from the next `open`."""
        return self._service.patience

    @patience.setter
    def patience(self, patience: Patience) -> None:
        self._service.patience = patience

    async def open(self) -> None:
        """Reads keys and headers. Raises WorkbenchError for a variable that is not set."""
        await self._service.open(self._key_headers)

    async def decide(self, request: Request) -> Answer:
        """One request, and another only where the first was surely not carried out."""
        if not self._service.is_open:
            await self.open()
        turn = request.turn
        filled = fill(self._send, turn)
        url, body = self._url, None
        headers = {"Accept": "application/json"}
        if self._method == "GET":
            url = _with_query(url, filled)
        else:
            body = as_bytes(filled)
            headers["Content-Type"] = "application/json"
        share = None if self._by_path else share_reached(documents_of(turn), filled)
        if share == 0:
            return self._service.unreached(url, body)
        asked = await self._service.ask(
            url, body, headers, Picked(self._picking, turn.text), method=self._method
        )
        return self._service.answer(asked, url, body, reached=share)

    async def close(self) -> None:
        """Ends every connection."""
        await self._service.close()

    def fingerprint(self) -> Mapping[str, str]:
        """What is sent, where to, and how the answer is read."""
        return self._marks

    def _key_headers(self, secrets: Secrets) -> Mapping[str, str]:
        return {} if self._key is None else {"Authorization": f"Bearer {secrets.read(self._key, 'key')}"}

    def _problems(self, outcomes: Mapping[str, Text]) -> list[str]:
        found = [f"send: {problem}" for problem in filling_problems(self._send)]
        if not found and not fields_in(self._send):
            found.append('send: it has no place for the turn; expected e.g. {text: "{turn}"}')
        if self._method == "GET" and not isinstance(self._send, Mapping):
            found.append("send: with GET it is a mapping, which becomes the query")
        for word, meant in outcomes.items():
            if meant not in ("fire", "hold", "pass"):
                found.append(f"outcomes.{word}: expected one of fire, hold, pass, found {meant!r}")
        return found


def _with_query(url: str, values: Json) -> str:
    """The URL with the values as its query: a list as a repeated name, anything but text as JSON."""
    assert isinstance(values, Mapping)
    pairs = parse_qsl(urlsplit(url).query, keep_blank_values=True)
    for name, value in values.items():
        for item in value if isinstance(value, list | tuple) else (value,):
            if item is not None:
                pairs.append((name, item if isinstance(item, str) else canonical(item)))
    return urlunsplit(urlsplit(url)._replace(query=urlencode(pairs, errors="surrogatepass")))
