"""What the printed functions are made of: standard library only, for 3.8 and newer, copied out by name."""

from __future__ import annotations

import base64
import html
import json
import re
import urllib.parse
from collections.abc import Sequence

__all__ = ["split_turn"]


def split_turn(turn: str, head: str, slots: Sequence[tuple[str, bool, bool, str]]) -> dict[str, str] | None:
    """The values of the slots, or None where the turn has another form; in linear time.

    `head` stands before the first slot. A slot is its name, whether its value is one line, whether it
    ends at the last place where it could, and the mark behind it. Slots of one name have one value.
    """
    places = mark_places(turn, len(head), slots)
    if not turn.startswith(head) or not places[0]:
        return None
    names = [name for name, _, _, _ in slots]
    again = next((at for at, name in enumerate(names) if name in names[at + 1 :]), -1)
    for skipped in range(100 if again >= 0 else 1):
        values: dict[str, str] = {}
        start = len(head)
        for number, (name, one_line, last, mark) in enumerate(slots):
            feed = turn.find("\n", start) if one_line else -1
            ends = [at for at in places[number] if start <= at and (feed < 0 or at <= feed)]
            if name in values:
                end = start + len(values[name])
                ends = [at for at in ends if at == end and turn.startswith(values[name], start)]
            after = names[number + 1] if number + 1 < len(names) else ""
            if after in values:
                copy, size = values[after], len(mark)
                fitting = set(places[number + 1])
                ends = [
                    at for at in ends if at + size + len(copy) in fitting and turn.startswith(copy, at + size)
                ]
            if last:
                ends.reverse()
            if number == again:
                ends = ends[skipped:]
            if not ends:
                break
            values[name] = turn[start : ends[0]]
            start = ends[0] + len(mark)
        else:
            return values
    return None


def mark_places(turn: str, first: int, slots: Sequence[tuple[str, bool, bool, str]]) -> list[list[int]]:
    """For each slot, where the mark behind it can stand so that all that follows still fits."""
    end = len(turn) - len(slots[-1][3])
    after = [end] if end >= first and turn.endswith(slots[-1][3]) else []
    places = [after]
    for number in range(len(slots) - 1, 0, -1):
        mark, one_line = slots[number - 1][3], slots[number][1]
        found: list[int] = []
        nearest, feed, seen = len(after), len(turn), len(turn)
        at = turn.rfind(mark) if after else -1
        while at >= first:
            start = at + len(mark)
            while nearest and after[nearest - 1] >= start:
                nearest -= 1
            next_feed = turn.find("\n", start, seen)
            feed, seen = (feed if next_feed < 0 else next_feed), start
            if nearest < len(after) and (not one_line or after[nearest] <= feed):
                found.append(at)
            at = turn.rfind(mark, 0, at + len(mark) - 1) if at else -1
        found.reverse()
        after = found
        places.insert(0, after)
    return places


def from_html(text: str) -> str:
    return html.unescape(text)


def from_json(text: str) -> str:
    try:
        return str(json.loads('"' + text + '"', strict=False))
    except ValueError:
        return text


def from_link(text: str) -> str:
    try:
        return urllib.parse.unquote(text, errors="surrogatepass")
    except UnicodeDecodeError:
        return text


def from_form(text: str) -> str:
    try:
        return urllib.parse.unquote_plus(text, errors="surrogatepass")
    except UnicodeDecodeError:
        return text


def from_csv(text: str) -> str:
    return text.replace('""', '"')


def from_sql(text: str) -> str:
    return text.replace("''", "'")


def from_indent2(text: str) -> str:
    return re.sub("\n {1,2}", "\n", text)


def from_indent4(text: str) -> str:
    return re.sub("\n {1,4}", "\n", text)


def from_br(text: str) -> str:
    return re.sub("<br ?/?>\n?", "\n", text)


def from_base64(text: str) -> str:
    try:
        return base64.b64decode("".join(text.split()), validate=True).decode("utf-8", "surrogatepass")
    except ValueError:
        return text


def from_quote(text: str) -> str:
    return "\n".join(re.sub("^> ?", "", line) for line in text.split("\n"))


def from_crlf(text: str) -> str:
    return text.replace("\r\n", "\n")


def from_soft_wrap(text: str) -> str:
    lines = text.split("\n")
    joined = lines[:1]
    for number in range(1, len(lines)):
        before, line = lines[number - 1], lines[number]
        joined.append(" " if len(before) + 1 + len(line.split(" ", 1)[0]) > 78 else "\n")
        joined.append(line)
    return "".join(joined)
