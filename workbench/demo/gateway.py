"""The gateway's entry point: from a message and its files to tools and the model."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from workbench.demo import documents, envelopes, router

__all__ = ["LOG_VARIABLE", "STEPS", "handle"]

LOG_VARIABLE = "WORKBENCH_DEMO_LOG"
"""The environment variable that may name a file to which every step is appended as well."""

STEPS: list[str] = []
"""What the gateway did, in order. A tool or a model is never called, only noted down here."""


def handle(
    message: str, files: Iterable[str] = (), channel: str = "", sender: str = "u1", quoted: str = ""
) -> str:
    """Answer one message.

    `files` are paths of what the user attached, `channel` names the chat channel that it came
    over, `quoted` is the earlier message that it answers. Raises OSError for an unreadable file.
    """
    _step(f"message of {len(message)} characters")
    message = documents.join(message, files)
    if quoted:
        message = envelopes.reply(message, sender, quoted)
    if channel:
        message = envelopes.channel(message, channel, sender)
    _step(f"routing {len(message)} characters")
    # The bug: by now `message` is no longer what the user wrote.
    decision = router.naive(message)
    for call in decision["calls"]:
        _step(f"tool {call['name']}")
    _step(f"model given {len(message)} characters")
    return f"tools: {len(decision['calls'])}, then the model"


def _step(what: str) -> None:
    STEPS.append(what)
    path = os.environ.get(LOG_VARIABLE)
    if path:
        with Path(path).open("a", encoding="utf-8") as log:
            log.write(what + "\n")
