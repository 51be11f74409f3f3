"""Attached files as text, each read once."""

from __future__ import annotations

from pathlib import Path

from workbench.core.errors import Problem, WorkbenchError
from workbench.files.source import decode, read_bytes

__all__ = ["Documents"]

_LIMIT = 256 * 1024 * 1024
_HINT = "attach plain text: convert the file, or save it as UTF-8"


class Documents:
    """Reads files, each path once however many prompts name it."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def read(self, path: str) -> str:
        """The text of a file, code point for code point, line ends too.

        Only a byte order mark is left out: it is the file's, no part of the document. Raises
        WorkbenchError, with the byte's offset and place, where the file cannot be read or is not UTF-8.
        """
        text = self._texts.get(path)
        if text is None:
            text = self._texts[path] = _read(path)
        return text


def _read(path: str) -> str:
    data = read_bytes(Path(path), _LIMIT)
    try:
        return decode(data, path).removeprefix("\ufeff")
    except WorkbenchError as error:
        told = error.problems[0]
        raise WorkbenchError(Problem(told.message, told.mark, _HINT)) from None
