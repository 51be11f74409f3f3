"""Which names an app's source holds as literals: a lane that is never named is never written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from workbench.lanes.syntax.language import ENDINGS
from workbench.lanes.syntax.walking import walk

__all__ = ["names_in"]

_LITERAL = re.compile(r"""["'`]([A-Za-z_][\w.:/-]{0,99})["'`]""")


def names_in(sources: Iterable[Path]) -> frozenset[str]:
    """Every quoted word in these folders and files of source code; unreadable ones are left out.

    Raises WorkbenchError where one is not there.
    """
    found: set[str] = set()
    for path in walk(list(sources), frozenset(ENDINGS.values())):
        if isinstance(path, Path):
            try:
                found.update(_LITERAL.findall(path.read_text(encoding="utf-8", errors="replace")))
            except OSError:
                continue
    return frozenset(found)
