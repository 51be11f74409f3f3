"""A sampled run by a plain loop over the same calls, the two in turn: python tests/benchmarks/sampling.py

2,000 calls of 50 ms, 32 at a time, to a server in a process of its own. What counts is the time from the
first request to the last answer, as the server sees it; the time of the whole process stands beside it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import aiohttp

CALLS, AT_ONCE, DELAY = 2000, 32, 0.05
PROMPTS, SAMPLES = 20, 50
MOST = 1.15

TOOL = {
    "name": "create_event",
    "description": "Create an event in the calendar.",
    "parameters": {"type": "object", "properties": {"title": {"type": "string"}}},
}
ENVELOPE = (
    'envelope: channel\ningress: channel\ntemplate: |-\n  <message from="u1">\n  {text}\n  </message>\n'
)


def workspace(folder: Path, url: str) -> None:
    """Prompts bare and in one envelope, as many trials as there are calls."""
    tools = f"[{json.dumps(TOOL)}]"
    (folder / "tools.yaml").write_text(tools)
    (folder / "workbench.yaml").write_text(
        "adapters:\n"
        f"  m: {{use: model, api: openai-chat, url: '{url}', model: mock-1, tools: tools.yaml,"
        f" concurrency: {AT_ONCE}}}\n"
    )
    for name in ("scenarios", "envelopes"):
        (folder / name).mkdir()
    (folder / "envelopes" / "channel.yaml").write_text(ENVELOPE)
    prompts = "".join(f"  - text: Put lunch number {number} into my calendar.\n" for number in range(PROMPTS))
    samples = f"samples: {{max: {SAMPLES}, delta: 0.1}}"
    (folder / "scenarios" / "s.yaml").write_text(f"scenario: s\n{samples}\nprompts:\n{prompts}")


async def plain(url: str) -> None:
    """The same calls by the client alone."""
    left = iter(range(CALLS))
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=AT_ONCE)) as client:

        async def worker() -> None:
            for number in left:
                text = f"Put lunch number {number % PROMPTS} into my calendar."
                body = {
                    "model": "mock-1",
                    "messages": [{"role": "user", "content": text}],
                    "tools": [{"type": "function", "function": TOOL}],
                }
                async with client.post(f"{url}/chat/completions", json=body) as response:
                    await response.json()

        await asyncio.gather(*(worker() for _ in range(AT_ONCE)))


@contextmanager
def served() -> Iterator[str]:
    """The mock provider, in a process of its own."""
    program = Path(__file__).parents[1] / "model_server.py"
    command = [sys.executable, str(program), "--delay", str(DELAY)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None and server.stdin is not None
        yield server.stdout.readline().strip()
        server.stdin.close()


def measured(url: str) -> dict[str, Any]:
    """What the server saw since it was last asked."""
    with urllib.request.urlopen(url.replace("/v1", "/measured")) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def ours(url: str, *more: str) -> tuple[float, float]:
    """Seconds of a run as the server sees it, and of its whole process."""
    with tempfile.TemporaryDirectory() as folder:
        workspace(Path(folder), url)
        command = [str(Path(sys.executable).parent / "workbench"), "run", "--trust", *more]
        began = time.perf_counter()
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
        whole = time.perf_counter() - began
    seen = measured(url)
    if seen["calls"] != CALLS:
        sys.exit(f"{seen['calls']} calls, not {CALLS}:\n{done.stdout.decode()}{done.stderr.decode()}")
    return seen["seconds"], whole


def loop(url: str) -> float:
    """Seconds of the plain loop, in a process of its own, as the server sees it."""
    subprocess.run([sys.executable, __file__, "--plain", url], check=True)
    return float(measured(url)["seconds"])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--plain", metavar="URL", help="only the plain loop, against this server")
    arguments = parser.parse_args()
    if arguments.plain:
        asyncio.run(plain(arguments.plain))
        return
    os.environ.setdefault("WORKBENCH_PLUGINS", "none")
    with served() as url:
        measured(url)
        rounds = []
        for _ in range(arguments.rounds):
            base = loop(url)
            seconds, whole = ours(url)
            rounds.append((seconds / base, seconds, base, whole))
            print(f"        run {seconds:.2f} s, loop {base:.2f} s, whole process {whole:.2f} s")
    ideal = CALLS * DELAY / AT_ONCE
    print(f"{statistics.median(each[0] for each in rounds):6.3f}  (at most {MOST:g})  by a plain loop")
    print(
        f"{statistics.median(each[3] / each[2] for each in rounds):6.3f}  the whole process, by the same loop"
    )
    print(f"{ideal:6.2f}  seconds would be ideal")


if __name__ == "__main__":
    main()
