"""The recipes that ship, run by the real command; and services that answer as their documentation says."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from command import REPOSITORY, Bench, Done

__all__ = ["GALLERY", "Recipe", "cut_off", "recipe", "served"]

GALLERY = REPOSITORY / "scenarios" / "gallery"


class Recipe:
    """One recipe in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.bench = Bench(folder)

    def run(self, *asked: str, env: dict[str, str] | None = None) -> Done:
        done = self.bench("run", *asked, "--trust", "--no-save", "-q", "--format", "json", env=env)
        assert done.code in (0, 1), done.said
        return done


def recipe(name: str, tmp_path: Path) -> Recipe:
    """A copy of the recipe."""
    folder = tmp_path / name
    shutil.copytree(GALLERY / name, folder, ignore=shutil.ignore_patterns("__pycache__", ".workbench"))
    return Recipe(folder)


def cells(done: Done, **wanted: str) -> list[dict[str, Any]]:
    return [one for one in done.json["cells"] if all(one[key] == value for key, value in wanted.items())]


def cell(done: Done, **wanted: str) -> dict[str, Any]:
    (found,) = cells(done, **wanted)
    return found


def decided(done: Done, **wanted: str) -> tuple[str, list[str]]:
    """Outcome and tools of one cell."""
    decision = cell(done, **wanted)["decision"]
    return decision["outcome"], [call["name"] for call in decision["calls"]]


def kinds(done: Done, **wanted: str) -> set[str]:
    found = done.json["findings"]
    return {one["kind"] for one in found if all(one[key] == value for key, value in wanted.items())}


@cache
def cut_off() -> tuple[str, ...] | None:
    """What puts a command into a network namespace with nothing in it; None where that cannot be done."""
    words = ("unshare", "--net", "--map-root-user")
    probe = (
        "import socket\n"
        "try: socket.create_connection(('192.0.2.1', 9), 1)\n"
        "except OSError as error: print(error.errno)\n"
    )
    try:
        done = subprocess.run(
            [*words, sys.executable, "-c", probe], capture_output=True, text=True, timeout=20
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return words if done.stdout.strip() == "101" else None  # 101: the network is unreachable


@contextmanager
def served(path: str, answer: Callable[[dict[str, Any]], Any]) -> Iterator[tuple[str, list[Any]]]:
    """A service on loopback that takes JSON at one path; yields its address and what it was asked."""
    asked: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            asked.append(json.loads(body))
            known = self.path == path
            said = json.dumps(answer(asked[-1]) if known else {"detail": "Not Found"}).encode()
            self.send_response(200 if known else 404)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Nothing is logged."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()
