"""What a site says of itself: its function, its words, its lane, its limit, its fence, its lateness."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from workbench.lanes.writers.candidate import Candidate
from workbench.lanes.writers.caps import Caps
from workbench.lanes.writers.composing import composed, operands
from workbench.lanes.writers.fences import fence_of
from workbench.lanes.writers.kinds import ASSIGNS, LISTS, RECORDS
from workbench.lanes.writers.lateness import Lateness, target_of
from workbench.lanes.writers.naming import lane_of
from workbench.lanes.writers.reading import Key, Reading
from workbench.lanes.writers.shape import assigned
from workbench.lanes.writers.site import Cap, Site, SiteKind

__all__ = ["Dressing"]

_ORDER = list(SiteKind)
_LONGEST = 4_000  # characters of a statement that are looked at
_NAME = re.compile(r"(?<![\w.'\"`])[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*(?!\w*\()")


@dataclass
class Dressing:
    """One file's."""

    reading: Reading
    known: Collection[str]
    caps: Caps
    lateness: Lateness
    given: dict[Key, list[int]]

    @classmethod
    def of(cls, reading: Reading, known: Collection[str]) -> Dressing:
        given: dict[Key, list[int]] = {}
        for at, kind in enumerate(reading.tree.kinds):
            if kind in ASSIGNS:
                got = assigned(reading.tree.nodes[at])
                if got is not None:
                    given.setdefault(reading.key(at, got[0]), []).append(at)
        return cls(reading, known, Caps.of(reading.code), Lateness.of(reading), given)

    def site(self, statement: int, found: list[Candidate]) -> Site:
        """The site of a statement, whose text is first written where the first of the best kind stands."""
        tree = self.reading.tree
        node = tree.nodes[statement]
        where = node.range()
        kind = min((one.kind for one in found), key=_ORDER.index)
        first = min(one.at for one in found if one.kind is kind)
        place = self.reading.code.place(tree.nodes[first])
        text = tree.head(statement, _LONGEST)
        late = (self.lateness.of_site(one.at) for one in found)
        return Site(
            file=place.file,
            line=place.line,
            column=place.column,
            first_line=where.start.line + 1,
            last_line=where.end.line + 1,
            lines=tuple(sorted({tree.line(one.at) for one in found})),
            kind=kind,
            confidence=max(one.confidence for one in found),
            function=tree.function_name(statement),
            text=text,
            lane=lane_of(tree, statement, text, self.known) or self._claimed(statement, found),
            budget=self._budget(statement, text),
            fence=fence_of(text),
            late=next((why for why in late if why is not None), None),
        )

    def _claimed(self, statement: int, found: list[Candidate]) -> str | None:
        """The lane that what is written to was claimed for, else the one of what is written, else that of
        the function's result; several are none."""
        reading = self.reading
        targets = (target_of(reading.tree, one.at) for one in found)
        lanes = {reading.lanes.get(reading.key(statement, name)) for name in targets if name} - {None}
        if not lanes:
            names = [name for one in found for name in operands(reading.tree.nodes[one.at])]
            lanes = {reading.lanes.get(reading.key(statement, name)) for name in names} - {None}
        if not lanes:
            function = reading.tree.name_of(reading.function_of(statement))
            lanes = {reading.lanes_of_functions.get(function or "")}
        return lanes.pop() if len(lanes) == 1 else None

    def _budget(self, statement: int, text: str) -> Cap | None:
        """In the statement, else where one of its names was given its value, else in the question before it
        whether there is room."""
        tree = self.reading.tree
        found = self.caps.within(text, tree.line(statement))
        if found is not None:
            return found
        names = list(dict.fromkeys(_NAME.findall(text)))
        for name in names:
            for at in reversed(self.given.get(self.reading.key(statement, name), ())):
                if at < statement and self._is_whole(at):
                    found = self.caps.within(tree.head(at, _LONGEST), tree.line(at))
                    if found is not None:
                        return found
        return self.caps.asked(tree.lines, tree.line(statement), names)

    def _is_whole(self, at: int) -> bool:
        """Whether what is assigned is one text, so that its limit is that of the name."""
        got = assigned(self.reading.tree.nodes[at])
        return got is not None and composed(got[1]) is None and got[1].kind() not in RECORDS | LISTS
