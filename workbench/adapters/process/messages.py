"""The lines of the worker protocol: what is asked, and which lines of a guest are answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from workbench.adapters.process.lines import cut
from workbench.adapters.protocol import Request

__all__ = ["Garbled", "Said", "read", "request_line"]


@dataclass(frozen=True, slots=True)
class Said:
    """One line with an id, as read. `number` is the id that it names, whatever that is.

    Without a decision and an error it is an answer only to the question that has this very id; any
    other, such as a line of a JSON log, is none.
    """

    number: object
    body: Mapping[str, object]
    raw: str

    @property
    def whole(self) -> bool:
        """Whether it says what an answer says."""
        return bool(self.body.keys() & {"decision", "error"})


@dataclass(frozen=True, slots=True)
class Garbled:
    """A line that looks like an answer and cannot be read."""

    error: str
    raw: str


def request_line(number: int, request: Request) -> bytes:
    """One question, in ASCII, so that lone surrogates and every control character arrive."""
    turn = request.turn
    question = {
        "id": number,
        "turn": {
            "text": turn.text,
            "typed": turn.typed,
            "regions": [[region.start, region.end, region.author.value] for region in turn.regions],
            "attachments": [
                {"name": item.name, "path": item.path, "text": item.text} for item in turn.attachments
            ],
            "messages": [{"role": item.role, "content": item.content} for item in turn.messages],
            "attempt": request.attempt,
            "seed": request.seed,
        },
    }
    return json.dumps(question, ensure_ascii=True).encode("ascii") + b"\n"


def read(line: bytes) -> Said | Garbled | None:
    """An answer, one that cannot be read, or None: a line that is none belongs to the log."""
    line = line.strip(b" \t\r\xef\xbb\xbf")
    if not line.startswith(b"{") or b'"id"' not in line:
        return None
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as problem:
        if not _looks_like_an_answer(line):
            return None
        where = f"byte {problem.start} of the answer is not UTF-8"
        return Garbled(where, cut(line.decode("utf-8", "backslashreplace")))
    try:
        body = json.loads(text)
    except (ValueError, RecursionError) as problem:
        if not _looks_like_an_answer(line):
            return None
        why = "nested too deeply" if isinstance(problem, RecursionError) else str(problem)
        return Garbled(f"the answer is not JSON: {why}", cut(text))
    if not isinstance(body, dict) or "id" not in body:
        return None
    return Said(body["id"], body, cut(text))


def _looks_like_an_answer(line: bytes) -> bool:
    return b'"decision"' in line or b'"error"' in line
