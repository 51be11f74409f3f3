"""What is asked of an audit."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.capture.audit.result import QUESTIONS
from workbench.capture.turns import AS_FOUND, LogOptions
from workbench.core.envelope import Envelope

__all__ = ["Request"]


@dataclass(frozen=True, slots=True)
class Request:
    """`look` and `only` are for stores: how many turns are read one by one, and which questions are asked.

    `past` is how many turns are kept to be replayed; `head` the code points by which heads are grouped.
    """

    envelopes: tuple[Envelope, ...] = ()
    options: LogOptions = AS_FOUND
    ratio: float = 4.0
    head: int = 30
    look: int = 20_000
    past: int = 0
    only: frozenset[str] = QUESTIONS
