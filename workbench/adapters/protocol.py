"""The contract of an adapter: one async method, a turn in, an answer out. Adapters are guests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import ClassVar, Protocol

from workbench.core.cell import BARE
from workbench.core.decision import Decision, Json
from workbench.core.exchange import Exchange
from workbench.core.trial import Status
from workbench.core.turn import Turn

__all__ = ["Adapter", "Answer", "Capabilities", "Option", "OptionType", "Place", "Request"]


class OptionType(StrEnum):
    """How an option is read from YAML."""

    TEXT = "text"
    PATH = "path"  # relative to the workspace; handed over absolute
    NUMBER = "number"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    TEXTS = "list of text"
    MAPPING = "mapping of text"  # values may be {env: NAME}
    CALL = "text, or a mapping of parameter to field"
    VALUE = "any value"  # as JSON would have it
    SECRET = "{env: NAME}"
    TEXT_OR_ENV = "text or {env: NAME}"
    TOOLS = "a file, {python: …} or {mcp: …}"


@dataclass(frozen=True, slots=True)
class Option:
    """One option of an adapter, declared once: YAML key, error message and line in `list adapters`."""

    name: str
    type: OptionType
    help: str
    default: Json = None
    required: bool = False
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What an adapter says of itself. `wraps`: the app itself joins the turn, so envelopes do not apply.

    `bounds_itself`: it keeps to its `timeout` by itself, since a call may wait for its turn before it begins.
    """

    deterministic: bool = True
    reports_window: bool = False
    reports_scores: bool = False
    side_effects: bool = False
    router: bool = True
    wraps: bool = False
    needs_trust: bool = False
    bounds_itself: bool = False
    decides: bool = True  # False: an extractor or a search, which only has a window


@dataclass(frozen=True, slots=True)
class Place:
    """Where an adapter lives: the workspace's root, and whether that is the packaged one."""

    root: Path
    packaged: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """What an adapter gets: never the expectations. `attempt` counts from 1.

    `arm` is for recordings alone, which are kept by it: nothing that decides is told.
    """

    turn: Turn
    attempt: int = 1
    seed: int = 0
    arm: str = BARE


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. Only `ok` has a decision; else `error` says why and `raw` keeps what came.

    `fatal`: no further call of this adapter can succeed, so that none is made. `seconds` is the call's own
    time, without what it waited for its turn; None: all of it. `made` False: nothing was asked (a cap was
    reached), so that there is no trial to keep.
    """

    status: Status
    decision: Decision | None = None
    error: str | None = None
    raw: str | None = None
    log: str = ""
    exchange: Exchange | None = None
    fatal: bool = False
    seconds: float | None = None
    made: bool = True


class Adapter(Protocol):
    """A router, or a model offered tools.

    The class is made by `adapters.registry.build` with the options declared, already typed, as
    keyword arguments, with `name` and `place` first. `decide` may be called up to `concurrency`
    times at once, and never raises for what a guest does; the engine turns anything it does raise
    into a trial with status `error`. `close` leaves nothing running, also after a cancelled `decide`.
    """

    summary: ClassVar[str]
    options: ClassVar[tuple[Option, ...]]

    name: str
    capabilities: Capabilities
    concurrency: int
    timeout: float

    async def open(self) -> None:
        """Make ready. Raises WorkbenchError where the settings cannot work at all."""

    async def decide(self, request: Request) -> Answer:
        """One call. Bounded by `timeout` seconds."""

    async def close(self) -> None:
        """End everything that was started."""

    def fingerprint(self) -> Mapping[str, str]:
        """What identifies the version of what decides: model, threshold, table hash, file hash."""
