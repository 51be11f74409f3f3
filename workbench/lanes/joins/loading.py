"""Which files of a tree are worth taking apart: those that name a router, or what leads to one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from workbench.lanes.joins import tree as t
from workbench.lanes.joins.likely import likely_routers
from workbench.lanes.joins.program import Program, lower
from workbench.lanes.joins.relevance import Relevance
from workbench.lanes.joins.routers import Routers
from workbench.lanes.syntax.code import Code, Unread, read_code
from workbench.lanes.syntax.excluded import Excluded
from workbench.lanes.syntax.language import Language
from workbench.lanes.syntax.walking import read_tree

__all__ = ["Sources"]

_TELLING = 8  # letters from which a function's name is taken to be its own wherever it stands
_SCANNED = 2_000
_CALL = re.compile(r"([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*){0,3})\s*\(")


class Sources:
    """The files of a tree. `modules` are those that may come to a router; the rest is there to be called."""

    def __init__(self, paths: Sequence[Path], routers: Routers, excluded: Excluded) -> None:
        self.files = 0
        self.unread: list[Unread] = []
        self.modules: list[t.Module] = []
        self._rest: dict[Path, tuple[Path, str, Language]] = {}
        for code in read_tree(paths, excluded=excluded):
            if isinstance(code, Unread):
                self.unread.append(code)
            else:
                self._take(code, routers)
        self.program = Program(self.modules, self._rest, self._load)
        self._take_callers(Relevance(self.program, routers))
        self.modules.sort(key=lambda module: module.file)

    def _take(self, code: Code, routers: Routers) -> None:
        if code.error is not None:
            self.unread.append(Unread(code.name, "does not parse here; the rest was read", code.error))
        if not routers.may_stand_in(code.text):
            self._rest[code.path.resolve()] = (code.path, code.name, code.language)
            self.files += 1
            return
        module = lower(code)
        if isinstance(module, Unread):
            self.unread.append(module)
        else:
            self.modules.append(module)
            self.files += 1

    def _load(self, path: Path) -> t.Module | None:
        """A file that was put aside, for one that imports it."""
        code = read_code(*self._rest[path])
        module = lower(code) if isinstance(code, Code) else None
        return module if isinstance(module, t.Module) else None

    def _take_callers(self, relevance: Relevance) -> None:
        """The files that call across what leads to a router in those that were taken."""
        leading: dict[str, set[str]] = {}
        for module in self.modules:
            for name in relevance.own(module):
                leading.setdefault(name, set()).add(_stem(module))
        named = _any_of(leading)
        if named is None:
            return
        for path in self._rest:
            text = _text(path)
            found = set(named.findall(text))
            if any(len(name) >= _TELLING or any(stem in text for stem in leading[name]) for name in found):
                caller = self.program.at(path)
                if caller is not None:
                    self.modules.append(caller)

    def likely(self, missing: Iterable[str]) -> tuple[str, ...]:
        """Names of called functions that may have been meant, or that look like a router's."""
        called: Counter[str] = Counter()
        for path in [*self._rest, *(module.path for module in self.modules)][:_SCANNED]:
            called.update(_CALL.findall(_text(path)))
        return likely_routers(called, missing)


def _any_of(names: Iterable[str]) -> re.Pattern[str] | None:
    plain = sorted(name for name in names if name.isidentifier())
    return re.compile(rf"(?<![\w$])(?:{'|'.join(plain)})(?![\w$])") if plain else None


def _stem(module: t.Module) -> str:
    """What an import calls the file by."""
    stem = module.path.stem
    return module.path.resolve().parent.name if stem in ("index", "__init__") else stem


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", errors="replace")
    except OSError:
        return ""
