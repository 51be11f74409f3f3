"""Needle in a process of its own: it computes without a pause, and C++ that fails takes its process along.

Started by its path, like the worker beside it, whose pipe it uses. Needle is the only import that is
not of the standard library; its telemetry is off in the environment that this is started with.
"""

# ruff: noqa: PTH100, PTH118, PTH120

from __future__ import annotations

import contextlib
import ctypes
import importlib
import importlib.util
import json
import os
import sys
from typing import Any


def load_worker() -> Any:
    """The worker's module, for its pipe."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "worker.py")
    place = importlib.util.spec_from_file_location("_worker", path)
    assert place is not None and place.loader is not None
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    return module


def load_agent(settings: dict[str, Any]) -> Any:
    """The model with its tools. Without a date of today, so that tomorrow's answer is the same."""
    needle: Any = importlib.import_module("needle")
    return needle.Needle(
        tools=settings["tools"],
        system=settings["system"],
        stateless=True,
        auto_date=False,
        generation=3,
    )


def reason() -> str:
    """What the engine says of its last failure; the package leaves that out."""
    with contextlib.suppress(Exception):
        engine = sys.modules["needle"]._lib(3)
        engine.needle_last_error.restype = ctypes.c_char_p
        said = (engine.needle_last_error() or b"").decode("utf-8", "replace")
        return f" ({said})" if said else ""
    return ""


def main() -> None:
    worker = load_worker()
    pipe = worker.Pipe()
    settings = json.loads(pipe.questions.readline() or b"null")
    if settings is None:
        return
    agent, failure = None, ""
    try:
        agent = load_agent(settings)
    except BaseException as problem:
        told = worker.told(problem) + reason()
        failure = f"Needle cannot be loaded: {told}; it ran under {sys.executable}"
    pipe.send({"worker": "ready"})
    for line in pipe.questions:
        question = json.loads(line)
        answer: dict[str, Any] = {"id": question["id"]}
        if agent is None:
            answer.update(error=failure, fatal=True)
        else:
            try:
                said = agent.complete(question["turn"]["text"], settings["max_tokens"])
                answer["decision"] = {"value": said}
            except Exception as problem:
                answer["error"] = worker.told(problem)
        pipe.send(answer)


if __name__ == "__main__":
    main()
