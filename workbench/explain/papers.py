"""Files for an app that reads attachments from disk: each changed one in a folder of its own, for a while."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from types import TracebackType

from workbench.core.turn import Attachment, Turn

__all__ = ["Papers"]


class Papers:
    """Puts changed attachments on disk under their own file names; all are gone at the end of the block."""

    def __init__(self, original: Turn) -> None:
        self._original = {file.path: file.text for file in original.attachments}
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._written: dict[tuple[str, bytes], str] = {}

    def __enter__(self) -> Papers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._folder is not None:
            self._folder.cleanup()

    def laid_out(self, turn: Turn) -> Turn:
        """The turn with paths that hold what its attachments say."""
        if all(self._original.get(file.path) == file.text for file in turn.attachments):
            return turn
        return replace(turn, attachments=tuple(self._lying(file) for file in turn.attachments))

    def _lying(self, file: Attachment) -> Attachment:
        """The file with a path that holds its text; what was written once is not written again."""
        if self._original.get(file.path) == file.text:
            return file
        data = file.text.encode("utf-8", "surrogatepass")
        mark = (file.path, sha256(data).digest())
        if mark not in self._written:
            self._written[mark] = self._write(Path(file.path).name, data)
        return replace(file, path=self._written[mark])

    def _write(self, name: str, data: bytes) -> str:
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="workbench-explain-")
        path = Path(self._folder.name) / str(len(self._written)) / name
        path.parent.mkdir()
        path.write_bytes(data)
        return str(path)
