"""A trial: one call of one adapter on one turn, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from workbench.core.decision import Decision
from workbench.core.exchange import Exchange

__all__ = ["Status", "Trial"]


class Status(StrEnum):
    """How a trial ended. Only `ok` has a decision."""

    OK = "ok"
    ERROR = "error"
    TIMEOUT = "timeout"
    MALFORMED = "malformed"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    NOT_REACHED = "not-reached"


@dataclass(frozen=True, slots=True)
class Trial:
    """`index` counts the trials of its cell from 0. `error` says why it is not ok; `raw` keeps an
    answer that could not be read; `log` keeps what a guest printed. `seconds` is the call's time.
    `exchange` is what went over the wire; None where nothing did.
    """

    index: int
    status: Status
    decision: Decision | None = None
    error: str | None = None
    raw: str | None = None
    log: str = ""
    seconds: float = 0.0
    seed: int = 0
    exchange: Exchange | None = None

    @property
    def ok(self) -> bool:
        return self.status is Status.OK
