"""What a recorded trial is found by: the body that was sent, or the turn where no body is known."""

from __future__ import annotations

import json
from hashlib import sha256

from workbench.adapters.calls.bodies import as_bytes
from workbench.core.decision import Json, canonical
from workbench.core.mask import Masker
from workbench.core.turn import Turn

__all__ = ["body_sent", "key_of", "read_body", "turn_sent"]


def key_of(sent: Json) -> str:
    """The same for the same JSON, however it is spelled."""
    return sha256(canonical(sent).encode("ascii")).hexdigest()[:32]


def read_body(text: str) -> Json:
    """A body as it was sent, read; one that is no JSON is its text."""
    try:
        body: Json = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return body


def body_sent(body: Json, masker: Masker) -> Json:
    """A body that was not sent, in the form of one that was: secrets masked."""
    return read_body(masker.text(as_bytes(body).decode("utf-8")))


def turn_sent(turn: Turn, masker: Masker) -> Json:
    """All of a turn that an adapter is given, but for where its files lie on this machine."""
    sent: Json = {
        "text": turn.text,
        "typed": turn.typed,
        "regions": [[region.start, region.end, region.author.value] for region in turn.regions],
        "attachments": [{"name": file.name, "text": file.text} for file in turn.attachments],
        "messages": [{"role": message.role, "content": message.content} for message in turn.messages],
    }
    return masker.deep(sent)
