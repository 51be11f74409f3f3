"""The chosen row through a change of the files: a renamed prompt, a file that breaks and is mended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from workbench.core.scenario import Scenario
from workbench.tui.place import Place, RowKind, TreeRow

__all__ = ["Following"]


class Following:
    """Remembers which scenario each file held, and which row was left when its file broke."""

    def __init__(self, scenarios: Iterable[Scenario]) -> None:
        self._files = {scenario.name: scenario.file for scenario in scenarios}
        self._left: TreeRow | None = None

    def follow(
        self, place: Place, moved: Mapping[str, Mapping[str, str]], scenarios: Iterable[Scenario]
    ) -> None:
        """The files were read anew; `moved` gives, by scenario, the labels of prompts then and now."""
        self._files |= {scenario.name: scenario.file for scenario in scenarios}
        here = place.here
        place.relist()
        if here is None:
            return
        if here.prompt is not None and here.name in moved:
            here = here._replace(prompt=moved[here.name].get(here.prompt, ""))
        wanted = here if here in place.rows else self._elsewhere(here, place.rows)
        if wanted in place.rows:
            place.row = place.rows.index(wanted)

    def _elsewhere(self, here: TreeRow, rows: tuple[TreeRow, ...]) -> TreeRow | None:
        """The row of a file that does not load any more; once it does, the row that was left for it."""
        if here.kind is not RowKind.FILE:
            self._left = here
            return TreeRow(RowKind.FILE, self._files.get(here.name, ""))
        again = [row for row in rows if self._files.get(row.name) == here.name]
        return self._left if self._left in again else next(iter(again), None)
