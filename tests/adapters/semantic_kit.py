"""A small app round semantic-router: an encoder that hashes words, four routes; and who runs it.

`WORKBENCH_TEST_SEMANTIC` names an interpreter with the other version: the two cannot share an environment.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zlib
from importlib.util import find_spec
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from workbench.adapters.protocol import Place
from workbench.adapters.semantic import SemanticAdapter

OTHER = os.environ.get("WORKBENCH_TEST_SEMANTIC", "")
INSTALL = "pip install 'semantic-router==0.1.16' 'litellm!=1.82.7,!=1.82.8,!=1.107.0'"

here = pytest.param(
    sys.executable,
    id="this environment's",
    marks=pytest.mark.skipif(
        find_spec("semantic_router") is None, reason="the extra [semantic] is not installed"
    ),
)
other = pytest.param(
    OTHER,
    id="another environment's",
    marks=[
        pytest.mark.slow,
        pytest.mark.skipif(
            not OTHER, reason=f"WORKBENCH_TEST_SEMANTIC names no interpreter of a venv with: {INSTALL}"
        ),
    ],
)
each_version = pytest.mark.parametrize("python", [here, other])

ROUTES = {
    "send_email": ["send an email to ana", "write a mail", "reply to her message"],
    "create_event": ["put lunch in my calendar", "book a meeting", "plan a review"],
    "web_search": ["search the web for flights", "look up the rate", "find the news"],
    "delete_records": ["delete the old records", "remove these rows", "clear the archive"],
}

ENCODER = """
from semantic_router.encoders import DenseEncoder

from hashing import vector


class Hashing(DenseEncoder):
    name: str = "hashing"

    def __call__(self, docs):
        if any("the encoder's end" in str(doc) for doc in docs):
            raise ValueError("more tokens than the encoder takes")
        return [vector(str(doc)) for doc in docs]
"""

TABLE = "".join(f"- {{name: {name}, utterances: [{', '.join(said)}]}}\n" for name, said in ROUTES.items())


def vector(text: str) -> list[float]:
    """Its words, each at the place of its hash, and a first number so that no text is nothing."""
    found = [0.0] * 64
    found[0] = 0.1
    for word in text.lower().split():
        found[1 + zlib.crc32(word.encode()) % 63] += 1.0
    return found


def likeness(one: str, other: str) -> float:
    """The cosine of two texts."""
    a, b = vector(one), vector(other)
    return sum(x * y for x, y in zip(a, b, strict=True)) / (
        sqrt(sum(x * x for x in a)) * sqrt(sum(y * y for y in b))
    )


HOOK = """
import sys

WATCHED = ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto")


def watch(event, arguments):
    if event in WATCHED:
        with open({file!r}, "a") as out:
            out.write(f"{{event}} {{arguments[1:] if event == 'socket.connect' else arguments}}\\n")


sys.addaudithook(watch)
with open({file!r}, "a") as out:
    out.write("started\\n")
"""
"""A sitecustomize that writes down each try to open a connection or to look up an address."""


def hooked(folder: Path) -> tuple[Path, Path]:
    """A folder for PYTHONPATH whose Pythons are watched, and the file that says what they tried."""
    hooks, file = folder / "hooks", folder / "attempts"
    hooks.mkdir()
    (hooks / "sitecustomize.py").write_text(HOOK.format(file=str(file)), "utf-8")
    return hooks, file


def namespace() -> list[str]:
    """The beginning of a command that runs in a network namespace with nothing in it; skips without one."""
    for alone in (["unshare", "--net"], ["unshare", "--map-root-user", "--net"]):
        if shutil.which("unshare") and not subprocess.run([*alone, "true"], capture_output=True).returncode:
            return alone
    pytest.skip("no network namespace may be made here: unshare --net")


def app(folder: Path, **modules: str) -> Path:
    """The app's files, and modules of the test's own."""
    hashing = Path(__file__).read_text("utf-8")
    body = hashing[hashing.index("def vector(") : hashing.index("def likeness(")]
    (folder / "hashing.py").write_text(f"import zlib\n\n{body}", "utf-8")
    (folder / "encoders.py").write_text(ENCODER, "utf-8")
    (folder / "routes.yaml").write_text(f"routes:\n{TABLE}", "utf-8")
    for name, source in modules.items():
        (folder / f"{name}.py").write_text(source, "utf-8")
    return folder


def semantic(folder: Path, python: str, **options: Any) -> SemanticAdapter:
    """The adapter over the app in `folder`."""
    given: dict[str, Any] = {
        "routes": folder / "routes.yaml",
        "encoder": "encoders:Hashing",
        "threshold": 0.3,
    }
    if "router" in options:
        given = {}
    return SemanticAdapter("router", Place(folder), **{**given, "python": python, "timeout": 120, **options})
