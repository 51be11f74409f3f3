"""Frames that code puts around a message: a tag, a bracketed header, a quotation above it."""

from __future__ import annotations

import re

from workbench.lanes.joins.wordlist import word_set

__all__ = ["HOLE", "note_of", "wrapper_of"]

HOLE = "\0"
"""Stands in a literal for what is filled in; the message is what `wrapper_of` cuts the text at."""

_OPEN = re.compile(r"<([A-Za-z][\w.:-]*)(?:\s[^<>]*)?>")
_BRACKET = re.compile(
    r"(?:\A|\n)\s*\[(?:attachments?|attached|files?|documents?|channel|from|via|sent|forwarded|reply|replying|quoted?"
    r"|in reply|voice|context|sender|transcript|image|untrusted|external|system)\b[^\]\n]*\]",
    re.IGNORECASE,
)
_NOTE = re.compile(
    r"\s*\[(?:the )?(?:user|sender)(?: has)? (?:sent|attached|uploaded|shared|forwarded)\b[^\]\n]{0,60}|"
    r"\s*\[(?:attachments?|attached|replying to|in reply to|forwarded|quoted)\b[^\]\n]{0,60}",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"(?:\A|\n)> ?[^\n]*\n")
_HEADED = re.compile(
    r"(?:begin|start of) (?:untrusted |external |user |channel )*(?:message|content|input|text)|"
    r"(?:\A|\n)\s*(?:new )?message (?:received )?(?:from|via|on) [^\n]*:",
    re.IGNORECASE,
)
_ENVELOPE = re.compile(
    r"untrusted|channel|envelope|message|document|attach|context|quote|external|transport|user|inbound|incoming",
    re.IGNORECASE,
)
_HTML = word_set(
    """
    a abbr address article aside b big blockquote body br button center cite code col dd del details
    div dl dt em figure font footer form h1 h2 h3 h4 h5 h6 head header hr html i img input ins kbd
    label li link main mark meta nav ol option p pre prosody q s samp script section select small
    span speak strike strong style sub summary sup svg table tbody td textarea tfoot th thead time
    title tr tt u ul var video voice break emphasis
    """
)


def note_of(text: str) -> str | None:
    """How a note begins that tells of what was attached, where a text is one; None: it is not."""
    found = _NOTE.match(text)
    return found[0].replace(HOLE, "…") if found is not None else None


def wrapper_of(before: str, after: str) -> str | None:
    """How the frame begins that stands around a message, between two texts; None without one."""
    for found in _OPEN.finditer(before):
        name = found[1]
        if name.lower() in _HTML or f"</{name}" in before[found.end() :]:
            continue
        if f"</{name}" in after or (_ENVELOPE.search(name) and not before[found.end() :].strip()):
            return found[0]
    for pattern in (_BRACKET, _QUOTED, _HEADED):
        header = pattern.search(before)
        if header is not None:
            return header[0].strip()
    return None
