"""The real command, run in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COMMAND = Path(sys.executable).parent / "workbench"
REPOSITORY = Path(__file__).parents[1]


@dataclass(frozen=True)
class Done:
    code: int
    out: bytes
    err: bytes

    @property
    def text(self) -> str:
        return self.out.decode()

    @property
    def said(self) -> str:
        return self.err.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Bench:
    """Runs `workbench` in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
        return path

    def __call__(
        self, *arguments: str, stdin: bytes | None = b"", env: Mapping[str, str] | None = None
    ) -> Done:
        done = subprocess.run(
            [COMMAND, *arguments],
            cwd=self.folder,
            input=stdin,
            capture_output=True,
            env={**os.environ, **(env or {})},
            timeout=120,
        )
        return Done(done.returncode, done.stdout, done.stderr)
