"""What is to be said against a captured envelope, in our own words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from workbench.capture.learning import ENOUGH, Learned
from workbench.capture.pairing import Pair
from workbench.core.envelope import Envelope, Transform, unwrap
from workbench.core.escaping import TABLES

__all__ = ["SEVERAL", "doubts_of", "stands_in_list"]

SEVERAL = "several user texts in one turn"

_LOOKED_AT = 200
_ESCAPES = frozenset(map(Transform, TABLES))
_PER_LINE = frozenset(
    {
        *(Transform.QUOTE_PREFIX, Transform.QUOTE_PREFIX_BARE, Transform.INDENT_2, Transform.INDENT_4),
        *(Transform.INDENT_ALL_2, Transform.INDENT_ALL_4, Transform.BR, Transform.BR_SLASH),
        *(Transform.BR_SPACE_SLASH, Transform.NL2BR),
    }
)
_TOLD_BY_FRAME = {
    Transform.SLACK_ESCAPE: ("&<>", "& < or >"),
    Transform.CSV_ESCAPE: ('"', "a quote"),
    **dict.fromkeys(_PER_LINE, ("\n", "a second line")),
}
_TAGS, _QUOTES = "&<>", '"\\'
_MARGIN = re.compile(r"\s+|\s*[>|#*/-]+\s*")
"""Before the words on their line: what a path may repeat before each line of them."""


def doubts_of(learned: Learned, envelope: Envelope, pairs: Sequence[Pair]) -> Iterator[str]:
    """Doubts by how many turns there were, how they were read, and what their words did not show."""
    few = pairs[:_LOOKED_AT]
    if len(pairs) < ENOUGH:
        yield f"made of {len(pairs)} turns; {ENOUGH} are wanted before it is believed"
    if learned.held_out < learned.folds:
        missed = learned.folds - learned.held_out
        yield f"{missed} of {learned.folds} turns, each left out, did not fit what the others gave"
    ambiguous = sum(_is_ambiguous(envelope, pair) for pair in few)
    if ambiguous:
        yield f"{ambiguous} turns can be split in another way too; the words were told from the log"
    if sum(map(stands_in_list, few)) * 2 > len(few):
        yield f"lines like the words' own stand beside them: {SEVERAL}, or a history"
    if unseen := _unseen(envelope, pairs):
        yield f"no words held {unseen}: what this path does to them is not known"
    for name, _ in envelope.transforms:
        characters, what = _TOLD_BY_FRAME.get(name, ("", ""))
        if what and not any(set(characters) & set(pair.typed) for pair in pairs):
            yield f"{name.value} is told by the frame alone: no words held {what}"
    if envelope.loses:
        yield f"the path loses {'; '.join(envelope.loses)}"


def stands_in_list(pair: Pair) -> bool:
    """Whether other lines begin as the words' own does."""
    at = pair.wrapped.rfind(pair.typed)
    if at < 0:
        return False
    line = pair.wrapped.rfind("\n", 0, at) + 1
    beginning = pair.wrapped[line:at]
    if len(beginning.strip()) < 2:
        return False
    others = pair.wrapped[:line].split("\n") + pair.wrapped[at + len(pair.typed) :].split("\n")[1:]
    return any(other.startswith(beginning) for other in others)


def _unseen(envelope: Envelope, pairs: Sequence[Pair]) -> str:
    """What such a frame often changes in the words, and no words had: tags, quotes, further lines."""
    before, _, after = envelope.template.partition("{text}")
    before = before.rpartition("\n")[2]
    often = {
        "& < or >": (_TAGS, "<" in envelope.template),
        "a quote": (_QUOTES, before.endswith('"') and after.startswith('"')),
        "a second line": ("\n", before.endswith(">") or bool(_MARGIN.fullmatch(before))),
    }
    if any(name in _ESCAPES for name, _ in envelope.transforms):
        del often["& < or >"], often["a quote"]
    if any(name in _PER_LINE for name, _ in envelope.transforms):
        del often["a second line"]
    seen = {character for pair in pairs for character in pair.typed}
    return ", and none held ".join(
        what for what, (characters, wanted) in often.items() if wanted and seen.isdisjoint(characters)
    )


def _is_ambiguous(envelope: Envelope, pair: Pair) -> bool:
    found = unwrap(envelope, pair.wrapped)
    return found is not None and found.ambiguous
