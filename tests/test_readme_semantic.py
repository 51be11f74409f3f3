"""The README's table of four routes is what semantic-router scores today, in a real small model.

`python tests/test_readme_semantic.py` writes it anew. The scores of int8 weights differ a little from
processor to processor, so that they are held against the table with some room, and the words without.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from command import COMMAND, REPOSITORY
from semantic_model import needs_the_model

README = REPOSITORY / "README.md"
WORKSPACE = REPOSITORY / "scenarios" / "semantic"
BLOCK = re.compile(r"<!-- semantic -->\n.*<!-- /semantic -->", re.DOTALL)
ROWS = {
    ("question", "bare"): "the question",
    ("question", "attached"): "the question, with the file",
    ("bare-file", "substitute"): "the app's sentence in its place",
    ("bare-file", "attached"): "the file alone",
    ("typed", "bare"): "the file's four commands, typed",
    ("mail", "bare"): "a command to send a mail",
    ("mail", "attached"): "the same, with the file",
}
ROOM = 0.02


def report(workspace: Path) -> dict[str, Any]:
    """The run of the scenario, as JSON."""
    done = subprocess.run(
        [COMMAND, "run", "semantic", "--trust", "--no-save", "--quiet", "--format", "json"],
        cwd=workspace,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 1, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def table(cells: Iterable[Mapping[str, Any]]) -> str:
    """The block as it stands in the README."""
    by_place = {(cell["prompt"], cell["arm"]): cell for cell in cells}
    routes = [score["route"] for score in by_place["question", "bare"]["scores"]]
    lines = [f"| | read | route | {' | '.join(routes)} |", f"|---|---|---|{'---|' * len(routes)}"]
    for place, words in ROWS.items():
        cell = by_place[place]
        called = [call["name"] for call in cell["decision"]["calls"]]
        route = f"**{called[0]}**" if called else "none"
        scores = " | ".join(map(spelled, cell["scores"]))
        lines.append(f"| {words} | {cell['window']['length']} | {route} | {scores} |")
    return "<!-- semantic -->\n{}\n<!-- /semantic -->".format("\n".join(lines))


def spelled(score: Mapping[str, Any]) -> str:
    """What the library went by, and the mean over all utterances; a route that it never saw has 0."""
    used = score.get("used", score["value"])
    return f"{f'{used:.3f}' if used else 'unseen'} ({score['value']:.3f})"


def parted(block: str) -> tuple[str, list[float]]:
    """The words, and the means over all utterances: which five are the nearest may hang by a digit."""
    score = r"-?\d\.\d{3}"
    words = re.sub(rf"(?:{score}|unseen) \({score}\)", "#", block)
    return words, list(map(float, re.findall(rf"\(({score})\)", block)))


@needs_the_model
def test_the_table_is_fresh() -> None:
    found = BLOCK.search(README.read_text("utf-8"))
    assert found
    words, numbers = parted(found[0])
    words_today, numbers_today = parted(table(report(WORKSPACE)["cells"]))
    assert words == words_today, "run: python tests/test_readme_semantic.py"
    assert numbers_today == pytest.approx(numbers, abs=ROOM)


def test_the_table_has_every_route_of_the_file() -> None:
    found = BLOCK.search(README.read_text("utf-8"))
    assert found
    names = re.findall(r"name: (\w+)", (WORKSPACE / "scenarios" / "routes.yaml").read_text("utf-8"))
    assert found[0].splitlines()[1] == f"| | read | route | {' | '.join(names)} |"
    assert len(names) == 4


if __name__ == "__main__":
    text = README.read_text("utf-8")
    today = table(report(WORKSPACE)["cells"])
    README.write_text(BLOCK.sub(lambda _: today, text), "utf-8")
    sys.stderr.write(today + "\n")
