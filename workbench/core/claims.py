"""What an app says that it wrote into one request to a model, lane by lane."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Claimed", "Claims"]


@dataclass(frozen=True, slots=True)
class Claimed:
    """A lane wrote this text, or so many characters. `estimate` is what the writer itself expected."""

    lane: str
    text: str | None = None
    chars: int | None = None
    estimate: int | None = None


@dataclass(frozen=True, slots=True)
class Claims:
    """All claims of one request, in the order in which they were made; none at all is a report too.

    `error` says why they could not be had, where they could not. `ours` are the keys of the body that the
    workbench wrote itself, beside what the app had built.
    """

    entries: tuple[Claimed, ...] = ()
    error: str | None = None
    ours: tuple[str, ...] = ()
