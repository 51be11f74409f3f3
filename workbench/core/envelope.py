"""An envelope: the frame that a delivery path puts round a turn. `wrap` and its inverse `unwrap`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from workbench.core.relation import Relation
from workbench.core.turn import Author

__all__ = ["Envelope", "Ingress", "Slot", "SlotKind", "Source", "Transform"]


class Ingress(StrEnum):
    """The delivery paths."""

    CHANNEL = "channel"
    REPLY = "reply"
    MENTION = "mention"
    EMAIL = "email"
    ATTACHMENT = "attachment"
    RAG = "rag"
    HARNESS = "harness"
    TOOL = "tool"
    VOICE = "voice"


class SlotKind(StrEnum):
    """What a slot holds."""

    TEXT = "text"
    NAME = "name"
    TIME = "time"
    NONCE = "nonce"
    PATH = "path"
    NUMBER = "number"
    JSON = "json"
    BASE64 = "base64"


class Transform(StrEnum):
    """What a path does to the words before it frames them."""

    TRIM = "trim"
    COLLAPSE_SPACE = "collapse-space"
    HTML_ESCAPE = "html-escape"
    JSON_ESCAPE = "json-escape"
    SLACK_ESCAPE = "slack-escape"
    QUOTE_PREFIX = "quote-prefix"
    STRIP_MENTION = "strip-mention"
    DROP_TOKEN = "drop-token"
    CRLF = "crlf"
    SOFT_WRAP = "soft-wrap"
    BASE64 = "base64"
    TRUNCATE = "truncate"


@dataclass(frozen=True, slots=True)
class Slot:
    """A transport value of a template; `example` is what replay fills in."""

    name: str
    example: str = ""
    kind: SlotKind = SlotKind.TEXT


@dataclass(frozen=True, slots=True)
class Source:
    """Where an envelope comes from. `status`: captured, provisional or hand-written."""

    origin: str = ""
    turns: int | None = None
    status: str = "hand-written"


@dataclass(frozen=True, slots=True)
class Envelope:
    """`template` holds `{text}` at least once, `{document}` where a file is folded in, and slots.

    `authors` gives slots whose author is not transport. `transforms` apply to the words, in order;
    the number is the length of a truncate, None elsewhere.
    """

    name: str
    ingress: Ingress
    template: str
    slots: Mapping[str, Slot] = field(default_factory=dict)
    authors: Mapping[str, Author] = field(default_factory=dict)
    transforms: tuple[tuple[Transform, int | None], ...] = ()
    relation: Relation | None = None
    source: Source = Source()
    file: str = ""

    @property
    def carries_document(self) -> bool:
        """Whether the template has a place for an attached document."""
        return "{document}" in self.template
