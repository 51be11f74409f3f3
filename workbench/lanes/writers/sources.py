"""Which files of a source tree writers are looked for in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from workbench.lanes.syntax.code import Code, Unread, read_code, require_parser
from workbench.lanes.syntax.excluded import NOTHING, Excluded
from workbench.lanes.syntax.language import ENDINGS, Language, language_of
from workbench.lanes.syntax.walking import walk

__all__ = ["read_sources"]

_TEST_FOLDERS = frozenset(
    (
        "test",
        "tests",
        "__tests__",
        "testing",
        "spec",
        "specs",
        "__mocks__",
        "mocks",
        "fixtures",
        "testdata",
        "e2e",
    )
)
_TEST_NAME = re.compile(
    r"\A(?:mock|fake|stub)s?\.(?:py|go|rs|[cm]?[jt]sx?)\Z"
    r"|(?:\Atest_.*|.*_tests?|\Aconftest|\Atests?)\.(?:py|go|rs)\Z"
    r"|.*\.(?:test|spec|stories|e2e|mock)s?\.[cm]?[jt]sx?\Z"
)


def read_sources(paths: Sequence[Path], excluded: Excluded = NOTHING) -> Iterator[Code | Unread]:
    """Every file of the five languages, parsed. Tests are left out unless they are given by name, and so is
    compiled JavaScript that has its source, or the same as a module, beside it. Raises WorkbenchError as
    `read_tree` does."""
    require_parser()
    named = {path for path in paths if not path.is_dir()}
    tops = [path for path in paths if path.is_dir()]
    for found in list(walk(paths, frozenset(Language), excluded)):
        if isinstance(found, Unread):
            yield found
        elif found in named or not (_is_test(found, tops) or _is_compiled(found)):
            language = language_of(found) or ENDINGS[found.suffix.lower()]
            yield read_code(found, found.as_posix(), language)


def _is_test(path: Path, tops: Sequence[Path]) -> bool:
    if _TEST_NAME.match(path.name):
        return True
    inside = next((path.relative_to(top) for top in tops if path.is_relative_to(top)), path)
    return any(part in _TEST_FOLDERS for part in inside.parts[:-1])


def _is_compiled(path: Path) -> bool:
    """Whether the same code stands beside it as it was written, or as a module."""
    if path.suffix not in (".js", ".jsx", ".mjs", ".cjs"):
        return False
    twins = (".ts", ".tsx", ".mts", ".cts", *((".mjs",) if path.suffix in (".js", ".cjs") else ()))
    return any(path.with_suffix(ending).exists() for ending in twins)
