"""The gateway's router, four times: as it was, held, carved, and fixed.

Each takes a turn and says what to do with it, what it read to say so, and which words made it.
What sets them apart is which part of the turn they read, and whether they can hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.demo import envelopes, phrases, table

__all__ = ["carved", "fixed", "held", "naive"]


def naive(text: str) -> dict[str, Any]:
    """Fires or passes, and reads all that it is given, whoever wrote it."""
    return _decide(text, at=0, hold=())


def held(text: str) -> dict[str, Any]:
    """Can hold, but takes the first line that is not empty as the query: on a channel, the tag."""
    start, end = _first_line(text, 0, len(text))
    return _decide(text[start:end], at=start)


def carved(text: str) -> dict[str, Any]:
    """Cuts off the frames that it knows, then reads the first line. The next frame fools it again."""
    start, end = _first_line(text, *envelopes.inside(text))
    return _decide(text[start:end], at=start)


def fixed(turn: Mapping[str, Any]) -> dict[str, Any]:
    """Is handed the user's own words beside the turn, and reads nothing else."""
    typed = turn["typed"]
    if not typed.strip():
        return {"outcome": "pass", "calls": [], "scanned": "", "matches": [], "note": "nothing was typed"}
    # It knows where the words stand only if they are the whole turn.
    return _decide(typed, at=0 if turn["text"] == typed else None)


def _decide(query: str, at: int | None, hold: tuple[str, ...] = table.HOLD) -> dict[str, Any]:
    """What the table says to `query`. `at` is where that stands in the turn, None where not known."""
    tools = {phrase: row.tool for row in table.KEYWORDS for phrase in row.phrases}
    asked = phrases.find(tools, query)
    holding = phrases.find(hold, query)
    calls = list(dict.fromkeys(tools[hit.phrase] for hit in asked))
    answer: dict[str, Any] = {
        "outcome": "hold" if holding else "fire" if calls else "pass",
        "calls": [{"name": tool, "arguments": {}} for tool in calls],
        "scanned": query,
        "matches": [_match(hit, query, at) for hit in sorted(asked + holding, key=lambda hit: hit.start)],
    }
    if at is not None:
        answer["spans"] = [[at, at + len(query)]] if query else []
    if holding:
        answer["note"] = f"held for a plan: {holding[0].phrase}"
    return answer


def _match(hit: phrases.Hit, query: str, at: int | None) -> dict[str, Any]:
    match: dict[str, Any] = {"rule": hit.phrase, "text": query[hit.start : hit.end]}
    if at is not None:
        match.update(start=at + hit.start, end=at + hit.end)
    return match


def _first_line(turn: str, start: int, end: int) -> tuple[int, int]:
    """The first line with anything on it within [start, end) of `turn`, without the space round it."""
    for line in turn[start:end].split("\n"):
        words = line.strip()
        if words:
            start += line.index(words)
            return start, start + len(words)
        start += len(line) + 1
    return end, end
