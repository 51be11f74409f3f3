"""A tool as a model is offered it. Never executed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from workbench.core.decision import Json

__all__ = ["Tool"]


@dataclass(frozen=True, slots=True)
class Tool:
    """`parameters` is a JSON Schema of an object; None: the tool takes none that it declares."""

    name: str
    description: str = ""
    parameters: Mapping[str, Json] | None = None
