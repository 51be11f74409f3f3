"""The document resolver: what a user attached becomes part of the message."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from workbench import ledger

__all__ = ["CARRIER", "join"]

CARRIER = "Give me a short summary of the attached file."
"""Stands in for the user's words when a file came without any. The user never wrote it."""


def join(message: str, paths: Iterable[str]) -> str:
    """`message` with the text of every file behind it. Raises OSError where a file cannot be read."""
    files = [Path(path) for path in paths]
    if not files:
        return message
    parts = [message.strip() or CARRIER]
    parts += [_fold(number, file) for number, file in enumerate(files, start=1)]
    # What stands between the parts is the page's too.
    written = ["\n\n" + part for part in parts[1:]]
    ledger.claim("attached_page", written if message.strip() else [CARRIER, *written])
    return "\n\n".join(parts)


def _fold(number: int, file: Path) -> str:
    body = file.read_text(encoding="utf-8").rstrip("\n")
    card = f"Plain text, {len(body)} characters."
    return f'<document name="{file.name}" id="{number}">\n{card}\n{body}\n</document>'
