"""The gateway's one assembler: a request to the model, put together from lanes that each claim their text.

lanes.toml beside this file declares the lanes.
"""

from __future__ import annotations

from typing import Any

from workbench import ledger
from workbench.demo import table

__all__ = ["MEMORIES", "MEMORY_BUDGET", "assemble"]

RULES = "You are the assistant of a small office. Answer in one paragraph. Call a tool only if asked to.\n"

MEMORIES = (
    "The calendar has no meetings on Friday after three.",
    "Email to customers is signed by the whole office.",
    "A workflow is always shown to Ana before it runs.",
    "A file with more than one page gets a summary of its paragraphs first.",
)
"""What the gateway remembers of its user."""

MEMORY_BUDGET = 200


def assemble(message: str) -> dict[str, Any]:
    """The body of a request to a chat model, for a message with everything that was joined to it."""
    section = _connections()
    # The bug: the section is a part of the bootstrap, which is claimed as a whole; so it is counted twice.
    ledger.claim("connections", section)
    bootstrap = RULES + section
    ledger.claim("bootstrap", bootstrap)
    memory = _recalled(message)
    ledger.claim("memory", memory)
    tools = [_tool(row) for row in table.KEYWORDS]
    ledger.claim("tools", tools)
    return {
        "model": "office-small",
        "messages": [
            {"role": "system", "content": bootstrap + memory},
            {"role": "user", "content": message},
        ],
        "tools": tools,
    }


def _connections() -> str:
    services = dict.fromkeys(row.tool.split("::")[0] for row in table.KEYWORDS)
    return "\n## Connected\n" + "".join(f"- {service}\n" for service in services)


def _recalled(message: str) -> str:
    """The memories that share a longer word with the message, as many as the budget has room for."""
    words = {word for word in message.lower().split() if len(word) > 4}
    recalled = "\n## Remembered\n"
    for memory in MEMORIES:
        if words & set(memory.lower().split()) and len(recalled) + len(memory) < MEMORY_BUDGET:
            recalled += memory + "\n"
    return recalled


def _tool(row: table.Row) -> dict[str, Any]:
    name = row.tool.replace("::", "__")
    about = "For requests such as: {}.".format(", ".join(row.phrases))
    return {"type": "function", "function": {"name": name, "description": about}}
