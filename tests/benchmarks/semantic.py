"""One decision of the adapter semantic-router against the library alone: python tests/benchmarks/semantic.py

One after the other, on turns of the canary's kind, in this environment's version of the library. The
adapter's time has the way to the guest and back in it. Once with the real small encoder, which is what a
decision costs, and once with one that hashes words, where the way is most of it.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "adapters"))

from semantic_kit import app

from workbench.adapters.protocol import Place, Request
from workbench.adapters.semantic import SemanticAdapter
from workbench.core.turn import bare
from workbench.files.routes import load_routes

SHIPPED = Path(__file__).parents[2] / "scenarios" / "semantic"
ROUNDS = 9
TURNS = 60
THRESHOLD = 0.27
GOAL = 1.1


def library(folder: Path, encoder: str) -> Callable[[str], object]:
    """The router as an app would have it, in this process."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # before the first import: nothing is fetched
    sys.path.insert(0, str(folder))
    semantic_router: Any = importlib.import_module("semantic_router")
    module, _, name = encoder.partition(":")
    made = getattr(importlib.import_module(module), name)()
    routes = load_routes(SHIPPED / "scenarios" / "routes.yaml").routes
    listed = [semantic_router.Route(name=route.name, utterances=list(route.utterances)) for route in routes]
    if hasattr(semantic_router, "IndexedRouter"):
        return semantic_router.IndexedRouter(  # type: ignore[no-any-return]
            encoder=made, routes=listed, confidence_threshold=THRESHOLD
        )
    made.score_threshold = THRESHOLD
    return semantic_router.SemanticRouter(  # type: ignore[no-any-return]
        encoder=made, routes=listed, auto_sync="local"
    )


def texts() -> list[str]:
    """Questions alone, and with the file behind them."""
    file = (SHIPPED / "scenarios" / "notes.txt").read_text("utf-8")
    questions = [f"How many sentences are in part {number} of this file?" for number in range(TURNS)]
    return [f"{text}\n\n{file}" if number % 2 else text for number, text in enumerate(questions)]


def measured(encoder: str) -> tuple[float, float, float]:
    """The ratio, and milliseconds per decision of adapter and library, of each turn the best round.

    Whatever else the machine does makes a round longer, never shorter.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = app(Path(name))
        shutil.copy(SHIPPED / "minilm.py", folder)
        adapter = SemanticAdapter(
            "router",
            Place(folder),
            routes=SHIPPED / "scenarios" / "routes.yaml",
            encoder=encoder,
            threshold=THRESHOLD,
            python=sys.executable,
            timeout=120,
        )
        alone = library(folder, encoder)
        with asyncio.Runner() as runner:
            best = [runner.run(best_of(adapter, alone, text, rounds=ROUNDS)) for text in texts()]
            runner.run(adapter.close())
    ours, theirs = (sum(times) * 1000 / TURNS for times in zip(*best, strict=True))
    return ours / theirs, ours, theirs


async def best_of(
    adapter: SemanticAdapter, alone: Callable[[str], object], text: str, *, rounds: int
) -> tuple[float, float]:
    """Seconds of the best of several decisions about one turn, the two sides in turn."""
    request, found = Request(bare(text)), []
    for _ in range(rounds + 1):
        began = time.perf_counter()
        answer = await adapter.decide(request)
        between = time.perf_counter()
        alone(text)
        found.append((between - began, time.perf_counter() - between))
        assert answer.decision is not None, answer.error
    ours, theirs = zip(*found[1:], strict=True)
    return min(ours), min(theirs)


def main() -> None:
    for encoder, goal in (
        ("minilm:MiniLM", f"at most {GOAL}"),
        ("encoders:Hashing", "no goal: the way there"),
    ):
        ratio, ours, alone = measured(encoder)
        print(f"{encoder:18} {ratio:.3f} times the library alone ({goal}): {ours:.2f} ms, {alone:.2f} ms")


if __name__ == "__main__":
    main()
