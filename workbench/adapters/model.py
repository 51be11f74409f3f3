"""A language model behind a provider's API, offered tools: what it would call, never carried out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, ClassVar

from workbench.adapters.budget import Caps, Estimate
from workbench.adapters.calls.address import is_in_the_clear, is_on_host, joined
from workbench.adapters.calls.asking import Patience
from workbench.adapters.calls.bodies import as_bytes
from workbench.adapters.calls.classifying import routes_of
from workbench.adapters.calls.conversation import Conversation
from workbench.adapters.calls.instructions import instructions
from workbench.adapters.calls.modelled import Modelled
from workbench.adapters.calls.reached import documents_of, share_reached
from workbench.adapters.calls.secrets import Secrets, vendor_key
from workbench.adapters.calls.service import Service
from workbench.adapters.calls.spending import price_of
from workbench.adapters.calls.wording import advised
from workbench.adapters.model_options import OPTIONS, ModelOptions
from workbench.adapters.process.builder import Builder
from workbench.adapters.protocol import Answer, Capabilities, Option, Place, Request
from workbench.adapters.recordings.recipe import Recipe
from workbench.adapters.tools.offered import tools_of
from workbench.adapters.tools.source import ToolFile, source_marks, tools_hash
from workbench.core.claims import Claims
from workbench.core.decision import canonical
from workbench.core.errors import Problem, WorkbenchError
from workbench.core.exchange import Usage
from workbench.core.mask import Masker
from workbench.core.tool import Tool
from workbench.core.trial import Status
from workbench.core.turn import Turn, bare
from workbench.files.tools import ANY_VENDOR, load_tools
from workbench.wire.codec import ModelCall
from workbench.wire.registry import codec

__all__ = ["ModelAdapter"]

_BYTES_A_TOKEN = 4
_USUAL_ANSWER = 200
"""Tokens of an answer, as long as none is known."""


_SPOKEN = ("messages", "contents", "input")
"""Where the formats have their messages."""

_MOST_KEPT = 64 * 1024 * 1024
"""Bytes of bodies that are kept ready."""


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A call in the provider's format. `keys` are the body's. `routed`: what a classifier is to route.
    `reached`: see Exchange.
    """

    url: str
    headers: Mapping[str, str]
    body: bytes
    keys: frozenset[str]
    reading: Modelled
    routed: str | None
    reached: float | None

    @property
    def tokens(self) -> int:
        """What goes in, about."""
        return len(self.body) // _BYTES_A_TOKEN


class ModelAdapter:
    """One fresh conversation per call. Takes the options of `OPTIONS` as keyword arguments."""

    summary: ClassVar[str] = "a language model behind a provider's API, offered tools that are never run"
    options: ClassVar[tuple[Option, ...]] = OPTIONS

    def __init__(self, name: str, place: Place, **said: Any) -> None:
        options = ModelOptions(**said)
        self.name, self.concurrency, self.timeout = name, options.concurrency, options.timeout
        self.per_minute = options.requests_per_minute
        self.caps = Caps(options.max_calls, options.max_cost)
        self._options, self._place = options, place
        self._codec = codec(options.api)
        self._base = options.url or self._codec.base
        settings = options.settings(self._base)
        self._price, problems = price_of(options.price)
        self._routes, more = routes_of(options.classify)
        problems += [*more, *settings.problems(), *options.problems()]
        if is_in_the_clear(self._base, self._codec.base):
            problems.append(
                "url: the vendor's own host is asked over https, or the key could be read on the way"
            )
        if problems:
            raise WorkbenchError([Problem(problem) for problem in problems])
        self._service = Service(name, settings)
        self._builder = self._made_builder()
        source = options.tools
        self._tools = (
            load_tools(source.path, self._names_of_tools()) if isinstance(source, ToolFile) else None
        )
        self._conversation = Conversation(self._template(), options.seed)
        self._known: dict[int, tuple[Turn, _Prepared]] = {}
        self._kept = 0
        self._uncounted = self._keyed = False
        self.capabilities = Capabilities(
            deterministic=False,
            reports_window=self._routes is not None,
            router=self._routes is not None,
            wraps=self._builder is not None,
            needs_trust=True,
            bounds_itself=True,
        )

    @property
    def patience(self) -> Patience:
        """How often a call is tried; it holds from the next `open`."""
        return self._service.patience

    @patience.setter
    def patience(self, patience: Patience) -> None:
        self._service.patience = patience

    @property
    def room(self) -> int:
        """How many calls the provider has room for, as far as is known."""
        return self._service.room

    async def open(self) -> None:
        """Reads the key, and fetches the tools. Raises WorkbenchError where either cannot be had."""
        if self._builder is not None:
            await self._builder.open()
        known = self._builder.masker.secrets if self._builder is not None else ()
        await self._service.open(self._key_headers, known)
        if self._options.tools is not None and self._tools is None:
            self._offer(await self._fetched())
        if self._builder is None:
            self._prepared(self._conversation.call(bare(""), 0), bare(""))  # told now, not in every trial

    async def decide(self, request: Request) -> Answer:
        """One answer of the model; what is safe to be asked again is."""
        if not self._service.is_open:
            await self.open()
        if self._uncounted:
            error = "max_cost cannot be kept to: the provider does not say what a call used"
            return Answer(Status.ERROR, error=error, fatal=True, made=False)
        if self._builder is None:
            return await self._answer(self._ready(request.turn, request.seed))
        built = await self._builder.build(request)
        if built.status is not Status.OK:
            return Answer(built.status, error=built.error, raw=built.raw, log=built.log)
        call = self._conversation.built(built.messages, built.body, request.seed)
        prepared = self._prepared(call, request.turn)
        claims = built.claims
        if claims is not None:
            ours = prepared.keys.difference(_SPOKEN if built.body is None else built.body)
            claims = replace(claims, ours=tuple(sorted(ours)))
        return replace(await self._answer(prepared, claims), log=built.log)

    async def close(self) -> None:
        """Ends every connection, and the user's pipeline."""
        await self._service.close()
        if self._builder is not None:
            await self._builder.close()

    def fingerprint(self) -> Mapping[str, str]:
        """What is asked of what, and with what: no key, no price, no pace."""
        options, call = self._options, self._conversation.template
        marks = {"api": options.api, **options.settings(self._base).marks(), "model": options.model}
        said = {name: getattr(options, name) for name in _SAID if getattr(options, name) not in (None, False)}
        marks |= {name: canonical(value) for name, value in Masker().deep(said).items()}
        if call.system is not None:
            marks["system"] = sha256(call.system.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        if self._tools is not None:
            marks["tools"] = tools_hash(self._tools)
        elif options.tools is not None:
            marks.update(source_marks(options.tools, self._place, options.cwd))
        return marks if self._builder is None else {**marks, **self._builder.marks()}

    @property
    def instructions(self) -> str | None:
        """The system text that is sent; None for none."""
        return self._conversation.template.system

    def body_of(self, turn: Turn, seed: int = 0) -> bytes:
        """What would be sent for a turn, as long as no pipeline of the user's makes it."""
        return self._ready(turn, seed).body

    def recipe(self) -> Recipe | None:
        """How a body follows from its turn; None where the user's pipeline has a say in it."""
        if self._builder is not None:
            return None
        return Recipe(self._options.api, self._conversation.template, self._options.seed)

    def estimate(self, turn: Turn) -> Estimate:
        """What a call with that turn takes, about; unknown where programs have a say in it."""
        if self._builder is not None or (self._options.tools is not None and self._tools is None):
            return Estimate()
        into = self._ready(turn, 0).tokens
        out = min(self._options.max_tokens or _USUAL_ANSWER, _USUAL_ANSWER)
        cost = self._price.of(Usage(into, out)) if self._price is not None else None
        return Estimate(into + out, cost)

    async def _answer(self, prepared: _Prepared, claims: Claims | None = None) -> Answer:
        if prepared.reached == 0:
            return self._service.unreached(prepared.url, prepared.body, claims)
        asked = await self._service.ask(
            prepared.url,
            prepared.body,
            prepared.headers,
            prepared.reading,
            tokens=prepared.tokens + min(self._options.max_tokens or _USUAL_ANSWER, _USUAL_ANSWER),
        )
        http = None if asked.received is None else asked.received.http
        reply = advised(asked.reply, http, keyed=self._keyed)
        if self._routes is not None and reply.decision is not None:
            reply = replace(reply, decision=self._routes.decided(reply.decision, prepared.routed))
        cost = self._price.of(reply.usage) if self._price is not None else None
        self._uncounted = self.caps.max_cost is not None and cost is None and reply.status is Status.OK
        return self._service.answer(
            replace(asked, reply=reply),
            prepared.url,
            prepared.body,
            cost=cost,
            reached=prepared.reached,
            claims=claims,
        )

    def _ready(self, turn: Turn, seed: int) -> _Prepared:
        """What is sent for a turn: the same each time, but for the seed where that is sent."""
        if self._options.seed:
            return self._prepared(self._conversation.call(turn, seed), turn)
        known = self._known.get(id(turn))
        if known is not None and known[0] is turn:
            return known[1]
        prepared = self._prepared(self._conversation.call(turn, seed), turn)
        if self._kept < _MOST_KEPT:
            self._kept += len(prepared.body)
            self._known[id(turn)] = (turn, prepared)
        return prepared

    def _prepared(self, call: ModelCall, turn: Turn) -> _Prepared:
        wire = self._codec.request(call)
        streams = wire.body.get("stream", call.stream) is True
        kind = "text/event-stream" if streams else "application/json"
        return _Prepared(
            url=joined(self._base, wire.path, self._codec.base),
            headers={"Content-Type": "application/json", "Accept": kind, **wire.headers},
            body=as_bytes(wire.body),
            keys=frozenset(wire.body),
            reading=Modelled(self._codec, streams, self._routes.names if self._routes else ()),
            routed=_last_words(call) if call.verbatim else turn.text,
            reached=share_reached(documents_of(turn), wire.body),
        )

    def _template(self) -> ModelCall:
        options = self._options
        return ModelCall(
            model=options.model,
            messages=(),
            system=None if options.system is None else instructions(options.system, self._place.root),
            tools=self._tools or (),
            tool_choice=options.tool_choice,
            routes=self._routes.names if self._routes else (),
            temperature=options.temperature,
            max_tokens=options.max_tokens,
            stream=options.stream,
            body=options.body if isinstance(options.body, Mapping) else {},
            compatible=not is_on_host(self._base, self._codec.base),
        )

    def _names_of_tools(self) -> str:
        """The names that are taken. What the vendor's own host takes is no rule for another server."""
        elsewhere = self._codec.base and not is_on_host(self._base, self._codec.base)
        return ANY_VENDOR if elsewhere else self._codec.tool_names

    def _offer(self, tools: tuple[Tool, ...]) -> None:
        self._tools = tools
        self._known.clear()
        template = replace(self._conversation.template, tools=tools)
        self._conversation = replace(self._conversation, template=template)

    async def _fetched(self) -> tuple[Tool, ...]:
        options = self._options
        assert options.tools is not None
        return await tools_of(
            options.tools,
            self._place,
            name=self.name,
            python=options.python,
            env=options.env,
            cwd=options.cwd,
            timeout=options.timeout,
            drop=options.private(),
        )

    def _made_builder(self) -> Builder | None:
        options = self._options
        if options.build is None:
            return None
        return Builder(
            self.name,
            self._place,
            build=options.build,
            call="text" if options.call is None else options.call,
            python=options.python,
            env=options.env,
            cwd=options.cwd,
            timeout=options.timeout,
            restart=options.restart or "run",
            drop=options.private(),
        )

    def _key_headers(self, secrets: Secrets) -> Mapping[str, str]:
        key = vendor_key(secrets, self._options.key, self._base, self._codec.base, self._codec.key_variable)
        self._keyed = key is not None
        return {} if key is None else self._codec.authorise(key)


_SAID = ("temperature", "tool_choice", "max_tokens", "seed", "stream", "body", "classify")
"""The options that change what is asked, beside those with a mark of their own."""


def _last_words(call: ModelCall) -> str | None:
    """The last that the user says in messages of the user's own making, where they hold it as text."""
    words = [message.get("content") for message in call.messages if message.get("role") == "user"]
    return words[-1] if words and isinstance(words[-1], str) else None
