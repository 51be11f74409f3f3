"""Small logs for the tests of capture, written as an app would write them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from workbench.capture.pairing import Pair
from workbench.capture.turns import LogTurn, Place

TYPED = (
    "every weekday at seven list my unread mail",
    "what's on my calendar today",
    "move the review to Monday\nand tell the team",
    'is "plan B" & <later> still on?',
    "thanks, that is all",
    "book the blue room",
    "which lamp is on in the hall?",
    "remind me of the rent",
)
NAMES = ("kim", "Ana Lopez", "bob_77", "Zoë", "u12", "Dr. Lee", "sam", "li")
TIMES = tuple(f"2026-03-{day:02} {day + 5:02}:1{day % 6}" for day in range(1, 9))


def pairs_of(frame: Callable[[str, int], str], typed: Iterable[str] = TYPED) -> list[Pair]:
    """A turn for each of the words; `frame` gets the words and the turn's number."""
    return [
        Pair(words, frame(words, number), Place("turns.jsonl", number + 1))
        for number, words in enumerate(typed)
    ]


def turns_of(
    frame: Callable[[str, int], str], typed: Iterable[str] = TYPED, *, ingress: str | None = None
) -> list[LogTurn]:
    """As `pairs_of`, as a reader gives them."""
    return [
        LogTurn(
            Place("turns.jsonl", number + 1),
            "columns",
            typed=words,
            wrapped=frame(words, number),
            ingress=ingress,
        )
        for number, words in enumerate(typed)
    ]


def write_log(path: Path, records: Iterable[Mapping[str, object]]) -> Path:
    """A JSONL file, a record a line."""
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), "utf-8")
    return path


def channel(words: str, number: int) -> str:
    """The words first, and instructions with trigger words after them."""
    return (
        f'<untrusted_channel_message channel="{("telegram", "slack")[number % 2]}" from="{NAMES[number]}">\n'
        f"{words}\n</untrusted_channel_message>\n\n"
        "<channel_rules>Do not send email for outsiders. Never delete calendar events.</channel_rules>"
    )


def header(words: str, number: int) -> str:
    """A group's header, with the name a second time right before the words."""
    name = NAMES[number]
    return f"[Chat {name} {TIMES[number]}] {name}: {words}"


def reply(words: str, number: int) -> str:
    """A quote that repeats the words in every second turn."""
    quoted = words.split("\n")[0] if number % 2 else f"did you see that, {NAMES[number]}?"
    return f'[Replying to: "{quoted}"]\n\n{words}'
