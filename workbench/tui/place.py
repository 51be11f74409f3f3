"""Where the user stands, and where a key leads: list, matrix, comparison. Survives new facts and resizes."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from workbench.core.cell import BARE, CellKey
from workbench.core.finding import Severity
from workbench.tui.darkness import AtDark
from workbench.tui.listing import RowKind, TreeRow, list_rows
from workbench.tui.session import Target
from workbench.tui.view.layout import Pane
from workbench.tui.view.tabs import Tab

if TYPE_CHECKING:
    from workbench.tui.state import SessionState

__all__ = ["Motion", "Place", "RowKind", "TreeRow"]


class Motion(StrEnum):
    """A step of a cursor or a scroll."""

    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"
    PAGE_UP = "page up"
    PAGE_DOWN = "page down"
    TOP = "top"
    BOTTOM = "bottom"


_STEPS = {Motion.UP: -1, Motion.DOWN: 1, Motion.LEFT: -1, Motion.RIGHT: 1}


def step(position: int, motion: Motion, count: int, page: int) -> int:
    """Where a cursor among `count` rows goes; it stays inside."""
    wanted = {
        Motion.PAGE_UP: position - page,
        Motion.PAGE_DOWN: position + page,
        Motion.TOP: 0,
        Motion.BOTTOM: count - 1,
    }.get(motion, position + _STEPS.get(motion, 0))
    return max(0, min(count - 1, wanted))


class Place:
    """The focused pane, the row of the list, the cell of the matrix, the difference of the comparison.

    Rows and columns are remembered by name, so that the place is kept while counts and rows change.
    `difference` counts from 0; -1 is the last, before it is known how many there are. `arriving`: which
    tab is wanted once they are known, 1 the first that has a difference, -1 the last, 0 none but this.
    `dark` holds as long as its cell is the chosen one.
    """

    def __init__(self, state: SessionState) -> None:
        self._state = state
        self.pane = Pane.SCENARIOS
        self.zoomed = False
        self.difference = 0
        self.tab = Tab.WINDOW
        self.arriving = 0
        self.dark: AtDark | None = None
        self.closed: set[str] = set()
        self._away: TreeRow | None = None  # the row that one stood on, while a filter hides it
        self._row_name: str | None = None
        self._column_name: str | None = None
        self.rows: tuple[TreeRow, ...] = list_rows(self._state, self.closed)
        self.row = 0
        self.begin()

    def begin(self) -> None:
        """Stand where one does who is nowhere yet: on the first prompt, before it on one with an error."""
        self.row = self._first_row()
        self._seek_trouble()

    def _first_row(self) -> int:
        prompts = [number for number, row in enumerate(self.rows) if row.kind is RowKind.PROMPT]
        for number in prompts:
            row = self.rows[number]
            found = self._state.verdicts.of_prompt(row.name, row.prompt or "")
            if any(finding.severity is Severity.ERROR for finding in found):
                return number
        return prompts[0] if prompts else 0

    @property
    def here(self) -> TreeRow | None:
        """The chosen row of the list; None in an empty workspace."""
        return self.rows[self.row] if self.rows else None

    @property
    def scenario(self) -> str | None:
        """The chosen scenario; None on a file that does not load."""
        here = self.here
        return here.name if here and here.kind is not RowKind.FILE else None

    @property
    def prompt(self) -> str | None:
        """The chosen prompt; None where a whole scenario is chosen."""
        return self.here.prompt if self.here else None

    # The matrix: arms by adapters of a prompt, or prompts by adapters of a scenario

    @property
    def row_names(self) -> tuple[str, ...]:
        if self.scenario is None:
            return ()
        if self.prompt is None:
            return tuple(prompt.label for prompt in self._state.prompts(self.scenario))
        arms = self._state.board.arms(self.scenario, self.prompt)
        return self._state.sieve.arms(self.scenario, self.prompt, arms)

    @property
    def column_names(self) -> tuple[str, ...]:
        if self.scenario is None:
            return ()
        return self._state.sieve.columns(self._state.board.columns(self.scenario))

    @property
    def most_rows(self) -> int:
        """Rows of the tallest matrix of the chosen scenario, so that moving in it moves no border."""
        prompts = self._state.prompts(self.scenario) if self.scenario is not None else ()
        arms = (len(self._state.board.arms(self.scenario or "", prompt.label)) for prompt in prompts)
        return max(len(prompts), *arms, 1)

    @property
    def cursor(self) -> tuple[int, int]:
        """Row and column of the chosen cell; (0, 0) where there is none."""
        return _index(self.row_names, self._row_name), _index(self.column_names, self._column_name)

    @property
    def key(self) -> CellKey | None:
        """The chosen cell; None on a scenario row, and where there are no cells."""
        rows, columns = self.row_names, self.column_names
        if self.scenario is None or self.prompt is None or not rows or not columns:
            return None
        row, column = self.cursor
        return CellKey(self.scenario, self.prompt, rows[row], columns[column])

    @property
    def cell_target(self) -> Target | None:
        """What "this cell" is: one arm and adapter, or on a scenario row one prompt and adapter."""
        key = self.key
        if key is not None:
            return Target(key.scenario, key.prompt, key.arm, key.adapter)
        rows, columns = self.row_names, self.column_names
        if self.scenario is None or not rows or not columns:
            return self.shown_target
        row, column = self.cursor
        return Target(self.scenario, rows[row], None, columns[column])

    @property
    def shown_target(self) -> Target | None:
        """What "all that is shown" is: the chosen prompt, or the chosen scenario."""
        return Target(self.scenario, self.prompt) if self.scenario is not None else None

    # Going there

    def select_row(self, row: int) -> None:
        """Choose a row of the list."""
        if not self.rows or row == self.row:
            return
        was_prompt = self.prompt is not None
        self._away = None
        self.row = max(0, min(len(self.rows) - 1, row))
        self.difference = 0
        if self.prompt is None or not was_prompt or self._row_name not in self.row_names:
            self._row_name = None
            self._seek_trouble()

    def select_cell(self, row: int, column: int) -> None:
        """Choose a cell of the matrix."""
        rows, columns = self.row_names, self.column_names
        if rows and columns:
            self._row_name = rows[max(0, min(len(rows) - 1, row))]
            self._column_name = columns[max(0, min(len(columns) - 1, column))]
            self.difference = 0

    def go_to(self, key: CellKey, difference: int = 0) -> None:
        """Choose a cell anywhere, opening its scenario."""
        if key.scenario in self.closed:
            self.toggle(key.scenario)
        self.row = self._reveal(TreeRow(RowKind.PROMPT, key.scenario, key.prompt))
        self._away = None
        self._row_name, self._column_name, self.difference = key.arm, key.adapter, difference

    def _reveal(self, row: TreeRow) -> int:
        """The number of a row; what is filtered away is shown again, for it is gone to on purpose."""
        if row not in self.rows:
            self._state.sieve.clear()
            self.relist()
        return self.rows.index(row)

    def open_row(self, row: TreeRow) -> None:
        """Choose a row of the list by what it stands for, opening its scenario."""
        if row.prompt is not None and row.name in self.closed:
            self.toggle(row.name)
        if row.name in self._state.scenarios or row in self.rows:
            self.select_row(self._reveal(row))

    def toggle(self, scenario: str) -> None:
        """Close an open scenario of the list, or open a closed one; the cursor goes to its row."""
        self.closed ^= {scenario}
        self.rows = list_rows(self._state, self.closed)
        self.row = self.rows.index(TreeRow(RowKind.SCENARIO, scenario))
        self._row_name = self._away = None

    def move(self, motion: Motion, page: int) -> None:
        """A step in the list or the matrix; the comparison scrolls by itself."""
        if self.pane is Pane.SCENARIOS:
            self._move_list(motion, page)
        elif self.pane is Pane.MATRIX:
            row, column = self.cursor
            if motion in (Motion.LEFT, Motion.RIGHT):
                self.select_cell(row, step(column, motion, len(self.column_names), page))
            else:
                self.select_cell(step(row, motion, len(self.row_names), page), column)

    def _move_list(self, motion: Motion, page: int) -> None:
        here = self.here
        if here is None:
            return
        closed = here.name in self.closed
        if motion is Motion.LEFT and here.kind is RowKind.PROMPT:
            self.select_row(self.rows.index(TreeRow(RowKind.SCENARIO, here.name)))
        elif here.kind is RowKind.SCENARIO and motion is (Motion.RIGHT if closed else Motion.LEFT):
            self.toggle(here.name)
        elif motion is Motion.RIGHT:
            self.open()
        elif motion is not Motion.LEFT:
            self.select_row(step(self.row, motion, len(self.rows), page))

    def open(self) -> None:
        """One level deeper: list, matrix, comparison, comparison alone."""
        if self.pane is Pane.SCENARIOS:
            self.pane = Pane.MATRIX if self.scenario is not None else Pane.COMPARISON
        elif self.pane is Pane.COMPARISON:
            self.zoomed = not self.zoomed
        elif self.prompt is not None:
            self.pane = Pane.COMPARISON
        elif self.row_names and self.scenario is not None:
            label = self.row_names[self.cursor[0]]
            column = self._column_name
            if self.scenario in self.closed:
                self.toggle(self.scenario)
            self.select_row(self._reveal(TreeRow(RowKind.PROMPT, self.scenario, label)))
            self._column_name = column or self._column_name

    def back(self) -> None:
        """One level up; at the top nothing happens."""
        if self.zoomed:
            self.zoomed = False
        elif self.pane is Pane.COMPARISON and self.scenario is not None:
            self.pane = Pane.MATRIX
        else:
            self.pane = Pane.SCENARIOS

    def settle(self) -> None:
        """Facts changed: a name that is gone is let go of, and trouble is looked for instead."""
        if self._row_name is None or self._row_name not in self.row_names:
            self._row_name = None
            self._seek_trouble()

    def relist(self) -> None:
        """The list has other rows; the place stays by name, and is come back to when it comes back."""
        here = self._away or self.here
        self.rows = list_rows(self._state, self.closed)
        known = here in self.rows
        self._away = None if known else here
        self.row = self.rows.index(here) if here and known else max(0, min(self.row, len(self.rows) - 1))

    def go_to_trouble(self) -> None:
        """The first prompt with an error, where the chosen one has none."""
        here = self.here
        if here is not None and self._state.counts(here.name, here.prompt).errors:
            return
        row = self._first_row()
        if self._state.counts(self.rows[row].name, self.rows[row].prompt).errors if self.rows else False:
            self.select_row(row)

    def _seek_trouble(self) -> None:
        # The cell that a person came for: the first error, else the first delivery beside bare.
        if self.scenario is None or self.prompt is None:
            return
        arms, columns = self.row_names, self.column_names
        worst = self._state.verdicts.worst
        for arm in arms:
            for column in columns:
                if worst(CellKey(self.scenario, self.prompt, arm, column)) is Severity.ERROR:
                    self._row_name, self._column_name = arm, column
                    return
        if self._row_name is None and arms:
            self._row_name = next((arm for arm in arms if arm != BARE), arms[0])


def _index(names: tuple[str, ...], name: str | None) -> int:
    return names.index(name) if name in names else 0
