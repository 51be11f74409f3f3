"""Names a captured envelope, and the kind of path it came by, from the log's own word or from its frame."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container

from workbench.core.envelope import Envelope, Ingress
from workbench.core.template import parts
from workbench.files.envelope_name import RESERVED

__all__ = ["free_name", "ingress_of", "ingress_said", "name_of_frame"]

_LONGEST = 32
_MOST_WORDS = 3

_SIGNS = (
    (Ingress.EMAIL, r"\bSubject: |wrote:\s|Original Message|Forwarded message"),
    (Ingress.VOICE, r"transcri(?:pt|ption)|\baudio\b|\bvoice\b"),
    (Ingress.REPLY, r"\brepl(?:y|ied|ying)\b|\bquoted?\b|replied_message|thread root|^> "),
    (Ingress.MENTION, r"\A\s*(?:<@|@\w|/\{?\w+\}?@)"),
    (Ingress.ATTACHMENT, r"<(?:file|document|attach)|\battach(?:ed|ment)|file_content|\bContent from\b"),
    (
        Ingress.RAG,
        r"<context>|\bcontext\b.{0,3}information|\[Context\]|Question:|Citation|search_results|<source ",
    ),
    (Ingress.HARNESS, r"system-reminder|environment|\bIDE\b|<info|user_query|current task|<command-"),
    (Ingress.CHANNEL, r"channel|sender|message|chat"),
)
_READ = tuple((ingress, re.compile(signs, re.IGNORECASE | re.MULTILINE)) for ingress, signs in _SIGNS)


def ingress_said(label: str | None) -> Ingress | None:
    """The kind that a log's own word names, if it is one of ours."""
    word = (label or "").strip().lower()
    return Ingress(word) if word in Ingress.__members__.values() else None


def ingress_of(envelope: Envelope) -> Ingress:
    """The likeliest kind of path, by the marks of the frame; `channel` where none tells."""
    if envelope.carries_document:
        is_rag = dict(_READ)[Ingress.RAG].search(envelope.template)
        return Ingress.RAG if is_rag else Ingress.ATTACHMENT
    return next((ingress for ingress, signs in _READ if signs.search(envelope.template)), Ingress.CHANNEL)


def name_of_frame(envelope: Envelope, label: str | None) -> str:
    """The log's own word for the path, if it says more than its kind; else the first words of the frame."""
    if label and ingress_said(label) is None and (slug := _slug(label)):
        return slug
    literals = [part.text for part in parts(envelope.template, frozenset(envelope.slots)) if not part.slot]
    for literal in literals:
        words = re.findall(r"[^\W\d_]{3,}", literal)
        if words and (slug := _slug("-".join(words[:_MOST_WORDS]))):
            return slug
    return envelope.ingress.value


def free_name(wanted: str, taken: Container[str]) -> str:
    """`wanted`, with a number where that is taken."""
    name, number = wanted, 1
    while name in taken or name in RESERVED:
        number += 1
        name = f"{wanted}-{number}"
    return name


def _slug(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:_LONGEST].strip("-")
