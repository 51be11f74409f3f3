"""semantic-router under the app's own interpreter: asked once per turn, watched while it decides.

Started by its path, like the worker beside it, whose pipe it uses. The library, its encoder and what
those bring are the only imports that are not of the standard library.
"""

# ruff: noqa: PTH100, PTH109, PTH118, PTH120

from __future__ import annotations

import importlib.util
import json
import os
import sys
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))


def beside(name: str) -> Any:
    """A module from the file beside this one."""
    place = importlib.util.spec_from_file_location("_" + name, os.path.join(HERE, name + ".py"))
    assert place is not None and place.loader is not None
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    return module


def answered(question: dict[str, Any], decide: Any, told: Any) -> dict[str, Any]:
    """The line that answers one question; what the library or the encoder raises is its error."""
    try:
        return {"id": question["id"], **decide(question["turn"]["text"])}
    except BaseException as problem:
        return {"id": question["id"], "error": told(problem)}


def main() -> None:
    worker = beside("worker")
    routers = beside("semantic_routers")
    reading = beside("semantic_reading")
    pipe = worker.Pipe()
    settings = json.loads(pipe.questions.readline() or b"null")
    if settings is None:
        return
    if sys.path and os.path.abspath(sys.path[0]) == HERE:
        del sys.path[0]
    sys.path.insert(0, os.getcwd())
    sys.argv = ["semantic-router"]
    decide, failure = None, ""
    try:
        router = routers.load(settings, worker.find)
        decide = reading.with_window(router.decide, router.encoder)
    except BaseException as problem:
        failure = f"cannot load the router: {worker.told(problem)}; it ran under "
        failure += f"Python {sys.version.split()[0]} at {sys.executable} (the key `python` names another)"
        if getattr(problem, "name", None) == "semantic_router":
            failure += "; install semantic-router there"
    pipe.send({"worker": "ready"})
    for line in pipe.questions:
        question = json.loads(line)
        if decide is None:
            pipe.send({"id": question["id"], "error": failure, "fatal": True})
        else:
            pipe.send(answered(question, decide, worker.told))


if __name__ == "__main__":
    main()
