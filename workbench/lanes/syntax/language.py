"""The languages that the lanes verbs read, by the ending of a file's name."""

from __future__ import annotations

from enum import StrEnum
from pathlib import PurePath

__all__ = ["ENDINGS", "SCRIPTS", "Language", "language_of"]


class Language(StrEnum):
    """The value is the parser's own name for it."""

    PYTHON = "python"
    JAVASCRIPT = "javascript"
    TYPESCRIPT = "typescript"
    TSX = "tsx"
    RUST = "rust"
    GO = "go"


SCRIPTS = frozenset({Language.PYTHON, Language.JAVASCRIPT, Language.TYPESCRIPT, Language.TSX})
"""What agents are mostly written in, and what `writers` and `joins` read."""

ENDINGS = {
    ".py": Language.PYTHON,
    ".pyw": Language.PYTHON,
    ".pyi": Language.PYTHON,
    ".js": Language.JAVASCRIPT,
    ".mjs": Language.JAVASCRIPT,
    ".cjs": Language.JAVASCRIPT,
    ".jsx": Language.JAVASCRIPT,
    ".ts": Language.TYPESCRIPT,
    ".mts": Language.TYPESCRIPT,
    ".cts": Language.TYPESCRIPT,
    ".tsx": Language.TSX,
    ".rs": Language.RUST,
    ".go": Language.GO,
}

_DECLARATIONS = (".d.ts", ".d.mts", ".d.cts", ".pyi")


def language_of(path: PurePath) -> Language | None:
    """None: another kind of file, or one that holds only declarations of types."""
    name = path.name.lower()
    if name.endswith(_DECLARATIONS):
        return None
    return ENDINGS.get(path.suffix.lower())
