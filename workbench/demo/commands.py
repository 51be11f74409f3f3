"""A bot's router that obeys a command only where a message begins with it: behind a quotation it is missed.

scenarios/commands.yaml has the same commands for the built-in keyword router, which finds them anywhere.
"""

from __future__ import annotations

import re
from typing import Any

from workbench.demo import table

__all__ = ["COMMANDS", "leading"]

COMMANDS = (
    table.Row(("/mergebot merge",), "mergebot::merge", side_effects=True),
    table.Row(("mergebot r+",), "mergebot::approve", side_effects=True),
    table.Row(("/summarize",), "thread::summarize"),
    table.Row(("~r d20",), "dice::roll"),
    table.Row(("!ask",), "bot::help"),
    table.Row(("@/etc", "@/home"), "files::attach"),
    table.Row(("cancel every meeting",), "google-calendar::cancel-events", side_effects=True),
)


def leading(text: str) -> dict[str, Any]:
    """Fires the command that the message begins with, else passes; reads the first line and no further."""
    start = len(text) - len(text.lstrip())
    end = text.find("\n", start)
    line = text[start:] if end < 0 else text[start:end]
    answer: dict[str, Any] = {"outcome": "pass", "calls": [], "scanned": line, "matches": []}
    answer["spans"] = [[start, start + len(line)]] if line else []
    for row in COMMANDS:
        for phrase in row.phrases:
            if re.match(re.escape(phrase) + r"(?!\w)", line, re.IGNORECASE):
                match = {"rule": phrase, "text": phrase, "start": start, "end": start + len(phrase)}
                answer.update(outcome="fire", calls=[{"name": row.tool, "arguments": {}}], matches=[match])
                return answer
    return answer
