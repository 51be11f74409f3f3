"""The option `system`: a model's instructions, or the file that they stand in."""

from __future__ import annotations

import re
from pathlib import Path

from workbench.core.errors import WorkbenchError

__all__ = ["instructions"]

_FILE = re.compile(r"\S*(?:/\S*|\.(?:md|txt|text|prompt|j2|jinja2?|yaml|yml|xml|html?))", re.IGNORECASE)


def instructions(said: str, root: Path) -> str:
    """The text of a file of the workspace, where one is named, else `said` itself.

    One word with a slash, or with the suffix of a text, names a file, which then has to be there. Raises
    WorkbenchError.
    """
    path = root / Path(said).expanduser() if _may_be_path(said) else None
    if path is None or not path.is_file():
        if _FILE.fullmatch(said):
            raise WorkbenchError(f"system: there is no file {path}")
        return said
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise WorkbenchError(f"system: {path} is not UTF-8 at byte {error.start}") from None
    except OSError as error:
        raise WorkbenchError(f"system: {path} cannot be read: {error.strerror}") from None


def _may_be_path(said: str) -> bool:
    return "\n" not in said and "\0" not in said and len(said.encode("utf-8", "replace")) < 256
