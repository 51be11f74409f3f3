"""What carries out the commands of a screen, each brought in when it is first asked for: none is drawn."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from workbench.core.errors import Problem
    from workbench.tui.screens.authoring import Authoring
    from workbench.tui.screens.explaining import Explaining
    from workbench.tui.screens.following import LogFollower
    from workbench.tui.screens.main import MainScreen
    from workbench.tui.screens.seeking import Seeking
    from workbench.tui.screens.taking import Taking
    from workbench.tui.screens.upkeep import Upkeep

__all__ = ["Hands"]


class Hands:
    """The helpers of the main screen, which mixes this in."""

    @cached_property
    def authoring(self) -> Authoring:
        """Writes files."""
        from workbench.tui.screens.authoring import Authoring

        return Authoring(cast("MainScreen", self))

    @cached_property
    def taking(self) -> Taking:
        """Takes things along."""
        from workbench.tui.screens.taking import Taking

        return Taking(cast("MainScreen", self))

    @cached_property
    def seeking(self) -> Seeking:
        """Finds."""
        from workbench.tui.screens.seeking import Seeking

        return Seeking(cast("MainScreen", self))

    @cached_property
    def explaining(self) -> Explaining:
        """Asks why."""
        from workbench.tui.screens.explaining import Explaining

        return Explaining(cast("MainScreen", self))

    @cached_property
    def logs(self) -> LogFollower:
        """Follows logs."""
        from workbench.tui.screens.following import LogFollower

        return LogFollower(cast("MainScreen", self))

    @cached_property
    def upkeep(self) -> Upkeep:
        """Runs again, and lets run."""
        from workbench.tui.screens.upkeep import Upkeep

        return Upkeep(cast("MainScreen", self))

    def tell_broken(self, problem: Problem) -> None:
        """Say that a file does not load any more."""
        self.upkeep.tell_broken(problem)
