"""A router that reads one JSON line a turn and answers with one: `python3 router.py loose|whole`."""

import json
import re
import sys
import unicodedata
from pathlib import Path

# Scripts that are written without blanks: beside them any place may be the edge of a word.
UNSPACED = ("CJK ", "HIRAGANA ", "KATAKANA ", "THAI ", "LAO ", "KHMER ", "MYANMAR ")


def is_word(char):
    """Whether a pattern may not end beside this character."""
    return (char.isalnum() or char in "_-") and not unicodedata.name(char, "").startswith(UNSPACED)


def has_edges(text, start, end):
    """Whether [start, end) begins and ends where words do; a sign at its end is an edge itself."""
    before = start == 0 or not (is_word(text[start]) and is_word(text[start - 1]))
    after = end == len(text) or not is_word(text[end])
    return before and after


def route(text, table, whole):
    """Every match, the longer of two at one place; each tool once."""
    found = []
    for row in table["patterns"]:
        for match in re.finditer(row["pattern"], text, re.IGNORECASE):
            if not whole or has_edges(text, *match.span()):
                found.append((match.start(), -match.end(), row["tool"], match.group()))
    found.sort()
    if whole:
        found = [one for n, one in enumerate(found) if not n or one[0] >= -found[n - 1][1]]
    tools = list(dict.fromkeys(tool for _, _, tool, _ in found))
    return {
        "outcome": "fire" if tools else "pass",
        "calls": [{"name": tool} for tool in tools],
        "scanned": text,
        "spans": [[0, len(text)]] if text else [],
        "scores": [{"route": tool, "value": table["confidence"]} for tool in tools],
        "matches": [
            {"rule": tool, "text": words, "start": start, "end": -end} for start, end, tool, words in found
        ],
    }


def main():
    table = json.loads(Path(__file__).with_name("table.json").read_text("utf-8"))
    for line in sys.stdin:
        asked = json.loads(line)
        decision = route(asked["turn"]["text"], table, whole=sys.argv[1] == "whole")
        print(json.dumps({"id": asked["id"], "decision": decision}), flush=True)


if __name__ == "__main__":
    main()
