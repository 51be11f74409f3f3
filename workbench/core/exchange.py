"""What went over the wire for one trial of a model or a service."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.core.claims import Claims

__all__ = ["Exchange", "Usage"]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them. None: not reported."""

    input: int | None = None
    output: int | None = None
    cached: int | None = None


@dataclass(frozen=True, slots=True)
class Exchange:
    """The last of `tries` requests, and its answer. Secrets are masked, all else is exact.

    `sent` and `received` are bodies; bytes that are no UTF-8 stand as lone surrogates. `received` None:
    nothing came; "" is an empty body. `finish`, `model` and `fingerprint` are as the provider spells
    them. `cost` is in US dollars, None where no price is known. `reached` is the share, 0 to 1, of the
    attached documents' characters that stands in the body sent; None where no document came. `claims` is
    what the app that built the body says who wrote it; None where nothing was reported, or no app built it.
    """

    url: str
    sent: str
    received: str | None = None
    http: int | None = None
    finish: str | None = None
    model: str | None = None
    fingerprint: str | None = None
    usage: Usage | None = None
    cost: float | None = None
    tries: int = 1
    reached: float | None = None
    claims: Claims | None = None
