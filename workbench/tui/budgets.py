"""The budgets that lanes are held against: the workspace's registry, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.lanes.lane import Registry

__all__ = ["NO_BUDGETS", "Budgets"]


@dataclass(frozen=True, slots=True)
class Budgets:
    """`registry` None: there is no `lanes.toml`, or `problem` says, in words that may be foreign, why it
    cannot be read."""

    registry: Registry | None = None
    problem: str | None = None


NO_BUDGETS = Budgets()
