"""Every test of the screen starts from the same terminal: no colour settings, no home of anyone's."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def still_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in (
        "NO_COLOR",
        "FORCE_COLOR",
        "COLUMNS",
        "LINES",
        "TEXTUAL_ANIMATIONS",
        "TEXTUAL_THEME",
        "COLORTERM",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
