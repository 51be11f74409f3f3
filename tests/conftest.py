"""Every test has a home of its own and a clean environment; none reaches the network."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from command import REPOSITORY, Bench
from hypothesis import settings

from workbench.store.store import Store

# A run in the background ignores Ctrl-C, and every program that a test starts would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A gate says the same of the same tree: it draws the same examples each time. Runs by hand draw new ones.
settings.register_profile("gate", derandomize=True, database=None, print_blob=True)

_SCRUBBED = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "VIRTUAL_ENV", "PYTHONIOENCODING", "PYTHONPATH")
_PREFIXES = ("XDG_", "TEXTUAL", "WORKBENCH", "LC_")


@pytest.fixture(autouse=True)
def hermetic(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home folder, and nothing of this user's settings; returns the home."""
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name in _SCRUBBED or name.startswith(_PREFIXES):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("WORKBENCH_PLUGINS", "none")
    return home


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """The real command in an empty folder."""
    folder = tmp_path / "work"
    folder.mkdir()
    return Bench(folder)


@pytest.fixture
def shipped(tmp_path: Path) -> Bench:
    """The real command in a copy of what ships: scenarios, envelopes and the workspace file."""
    folder = tmp_path / "shipped"
    folder.mkdir()
    for name in ("scenarios", "envelopes"):
        shutil.copytree(REPOSITORY / name, folder / name)
    shutil.copy(REPOSITORY / ".workbench.yaml", folder)
    return Bench(folder)


@pytest.fixture
def store() -> Iterator[Store]:
    """A store of runs that is gone after the test."""
    with Store.temporary() as made:
        yield made


@pytest.fixture
def url() -> Iterator[str]:
    """A mock model provider in a process of its own."""
    command = [sys.executable, str(REPOSITORY / "tests" / "model_server.py")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None and server.stdout is not None
        yield server.stdout.readline().strip()
        server.stdin.close()
