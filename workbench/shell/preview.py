"""What a keyword table makes of a line while it is typed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from workbench.adapters.keyword import KeywordRouter
from workbench.core.decision import Outcome, Span
from workbench.core.errors import WorkbenchError
from workbench.core.turn import bare
from workbench.files.keywords import KeywordTable, load_keywords, phrase_key
from workbench.files.problems import Problems
from workbench.files.workspace import AdapterSpec, Workspace

__all__ = ["Glance", "Preview", "keyword_preview"]

_LONGEST = 100_000
"""Characters above which a line is not looked at with every key."""

_KNOWN = 8
"""Texts of which the answer is kept: each is asked for several times while one line is drawn."""


@dataclass(frozen=True, slots=True)
class Glance:
    """The decision, and where phrases stand that fire, and that hold."""

    outcome: Outcome
    tools: tuple[str, ...] = ()
    note: str | None = None
    fires: tuple[Span, ...] = ()
    holds: tuple[Span, ...] = ()


class Preview:
    """Reads the table anew when its file has changed. A table that is broken leaves the last one."""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self.problem: str | None = None
        self._path = path
        self._stamp: tuple[int, int] | None = None
        self._router: KeywordRouter | None = None
        self._holds: frozenset[str] = frozenset()
        self._known: dict[str, Glance] = {}

    def look(self, text: str) -> Glance | None:
        """What the table does with `text` alone; None where there is no table, or far too much text."""
        self._read()
        if self._router is None or len(text) > _LONGEST:
            return None
        if text not in self._known:
            if len(self._known) >= _KNOWN:
                self._known.clear()
            self._known[text] = self._glance(self._router, text)
        return self._known[text]

    @property
    def stamp(self) -> tuple[int, int] | None:
        """What changes with the table's file."""
        return self._stamp

    def _glance(self, router: KeywordRouter, text: str) -> Glance:
        decision = router.decide(bare(text))
        fires: list[Span] = []
        holds: list[Span] = []
        for match in decision.matches or ():
            if match.start is not None and match.end is not None:
                into = holds if phrase_key(match.rule) in self._holds else fires
                into.append((match.start, match.end))
        tools = tuple(dict.fromkeys(decision.tools))
        return Glance(decision.outcome, tools, decision.note, tuple(fires), tuple(holds))

    def _read(self) -> None:
        try:
            status = self._path.stat()
        except OSError as error:
            self.problem = error.strerror or str(error)
            return
        stamp = (status.st_mtime_ns, status.st_size)
        if stamp == self._stamp:
            return
        self._stamp = stamp
        try:
            self._take(load_keywords(self._path))
            self.problem = None
        except WorkbenchError as error:
            self.problem = str(error.problems[0])

    def _take(self, table: KeywordTable) -> None:
        self._router = KeywordRouter(table)
        self._holds = frozenset(phrase_key(phrase.text) for phrase in table.hold)
        self._known.clear()


def keyword_preview(workspace: Workspace, chosen: tuple[str, ...]) -> Preview | None:
    """The preview of the first keyword adapter among those chosen, else of the workspace; None without."""
    specs = [workspace.adapters[name] for name in (*chosen, *workspace.adapters)]
    for spec in specs:
        path = _table(spec, workspace.root)
        if path is not None:
            return Preview(spec.name, path)
    return None


def _table(spec: AdapterSpec, root: Path) -> Path | None:
    node = spec.options.get("table") if spec.use == "keyword" else None
    path = node.path(Problems(), root) if node is not None else None
    return None if path is None else Path(path)
