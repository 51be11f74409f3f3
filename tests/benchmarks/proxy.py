"""A call through the proxy beside the same call made directly, in turn: python tests/benchmarks/proxy.py

Streamed calls to an upstream in a process of its own, recorded all the while; every byte is compared. One at
a time tells what a call takes longer; 64 at a time, with pauses such as a model makes, what is left of that
under load; and 64 at a time without a pause, on processors that are all busy, what a call costs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

sys.path.append(str(Path(__file__).parents[1] / "lanes" / "proxy"))
from load import calls

LOAD = Path(__file__).parents[1] / "lanes" / "proxy" / "load.py"
COMMAND = Path(sys.executable).parent / "workbench"
MOST = 2.0
"""Milliseconds that a call may take longer."""


@dataclass(frozen=True)
class Kind:
    name: str
    count: int
    at_once: int
    pieces: int
    pause: float


KINDS = (
    Kind("one at a time, no pause", 500, 1, 20, 0.0),
    Kind("one at a time, a piece each 5 ms", 100, 1, 20, 0.005),
    Kind("64 at a time, a piece each 20 ms", 2000, 64, 20, 0.02),
    Kind("64 at a time, no pause", 2000, 64, 20, 0.0),
)


@contextmanager
def upstream(kind: Kind) -> Iterator[int]:
    command = [sys.executable, str(LOAD), str(kind.pieces), str(kind.pause), "0"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None and server.stdin is not None
        yield int(server.stdout.readline())
        server.stdin.close()


@contextmanager
def proxy(port: int, recording: Path) -> Iterator[int]:
    command = [str(COMMAND), "lanes", "proxy", "--upstream", f"http://127.0.0.1:{port}"]
    command += ["--record", str(recording), "--format", "json", "--quiet"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        yield json.loads(running.stdout.readline())["listening"]["port"]
        running.terminate()
        running.stdout.read()


def measured(port: int, kind: Kind) -> tuple[float, float]:
    """Milliseconds of the median call, and of all of them by their number."""
    began = perf_counter()
    taken = asyncio.run(calls(port, kind.count, kind.at_once, kind.pieces))
    whole = (perf_counter() - began) * 1000
    return statistics.median(taken), whole / kind.count


def compared(kind: Kind, rounds: int, folder: Path) -> None:
    found = []
    recording = folder / f"{KINDS.index(kind)}.jsonl"
    with upstream(kind) as port, proxy(port, recording) as through:
        for _ in range(rounds):
            found.append((measured(port, kind), measured(through, kind)))
    lines = recording.read_bytes().splitlines()
    whole = sum(json.loads(line)["_complete"] for line in lines)
    if whole != kind.count * rounds:
        sys.exit(f"{whole:,} of {kind.count * rounds:,} calls are recorded whole")
    direct = statistics.median(base[0] for base, _ in found)
    more = statistics.median(ours[0] - base[0] for base, ours in found)
    cost = statistics.median(ours[1] - base[1] for base, ours in found)
    ratio = statistics.median(ours[0] / base[0] for base, ours in found)
    print(
        f"{more:7.2f} ms more in a call of {direct:.2f} ms ({ratio:.3f} times); {cost:.2f} ms more per call"
        f" overall  (at most {MOST:g})  {kind.name}, {len(lines):,} calls recorded"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            compared(kind, rounds, Path(folder))


if __name__ == "__main__":
    main()
