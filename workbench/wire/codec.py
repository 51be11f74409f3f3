"""What every provider format has to say: a body out, a decision in, streaming or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from workbench.core.decision import Decision, Json
from workbench.core.exchange import Usage
from workbench.core.tool import Tool
from workbench.core.trial import Status

__all__ = ["Codec", "ModelCall", "Reply", "StreamReader", "WireRequest"]


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call of a model, in no provider's words.

    `messages` hold `role` and `content` as text; with `verbatim` they are what the user's own pipeline
    built, in the provider's shape, and go into the body untouched. `routes`, of a classifier: the model
    picks one of them by structured output and is offered no tools. `body` is passed through, last: its
    mappings are merged into ours, any other value replaces ours. `compatible`: the server is not the
    vendor's own and only speaks its format, so that it gets the older spelling where there are two.
    """

    model: str
    messages: tuple[Mapping[str, Json], ...]
    verbatim: bool = False
    system: str | None = None
    tools: tuple[Tool, ...] = ()
    tool_choice: str | None = None
    routes: tuple[str, ...] = ()
    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    stream: bool = False
    body: Mapping[str, Json] = field(default_factory=dict)
    compatible: bool = False


@dataclass(frozen=True, slots=True)
class WireRequest:
    """`path` is added to the base URL. `headers` hold no key; `body` is JSON."""

    path: str
    body: Mapping[str, Json]
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer, read. Only `ok` has a decision; else `error` says why and `raw` what could not be read.

    A decision's note is the model's text, its `raw` the calls as they came. The tokens of `usage` that went
    in hold the cached ones, and those that came out hold hidden reasoning, in every format.

    `again`: the same call may succeed later (overloaded, a limit). `fatal`: no call of this adapter can
    succeed (a key that is not accepted, a model that does not exist). `wait` is in seconds.
    """

    status: Status
    decision: Decision | None = None
    error: str | None = None
    raw: str | None = None
    finish: str | None = None
    model: str | None = None
    fingerprint: str | None = None
    usage: Usage | None = None
    again: bool = False
    fatal: bool = False
    wait: float | None = None


class StreamReader(Protocol):
    """Reads one streamed answer. Any split of the stream into chunks gives the same reply."""

    def feed(self, chunk: bytes) -> None:
        """More of the body. Never raises for what stands in it."""

    def end(self) -> Reply:
        """The body has ended, or broken off."""


class Codec(Protocol):
    """One wire format."""

    name: ClassVar[str]
    base: ClassVar[str]
    """The vendor's own base URL; empty where there is none."""
    key_variable: ClassVar[str | None]
    """The environment variable of the vendor's key, sent to the vendor's own host only."""
    tool_names: ClassVar[str]
    """The expression that the vendor's own host wants each tool's name to match as a whole."""

    def request(self, call: ModelCall) -> WireRequest:
        """What is to be sent. Raises WorkbenchError where the format has no words for `call`."""

    def authorise(self, key: str) -> Mapping[str, str]:
        """The headers that carry a key."""

    def read(self, http: int, headers: Mapping[str, str], body: bytes, routes: Sequence[str] = ()) -> Reply:
        """A whole answer, also one that reports an error. Never raises for what stands in it.

        `routes` are those of the call: the answer is read as one of them.
        """

    def stream(self, http: int, headers: Mapping[str, str], routes: Sequence[str] = ()) -> StreamReader:
        """A reader for a streamed answer; `routes` as for `read`."""
