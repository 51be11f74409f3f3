"""One past turn, judged: whether its router read what its user did not write."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from html import unescape

from workbench.capture.audit.known import BARE, KnownEnvelopes
from workbench.capture.turns import LogTurn

__all__ = ["Judge", "Verdict", "begins_framed", "called", "delivered_text", "lost_words", "read_text"]

RATIO = 4.0
"""Routed text is far above the typed where it is more than so many times as long."""

_FRAME = re.compile(r"\s*(?:<[!/?|\w]|>|\[|\{[\s\"']|---|===|```|#+\s)")
_NO_WORDS = re.compile(r"<@[^>]*>|(?<!\S)[@/]\S+")
_WORD = re.compile(r"\w+")
_ESCAPE = re.compile(r"\\[nrt\"/\\]")
_SAME = 30
"""Code points at the start of routed and typed text that are compared."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known of one turn; None: the log does not say enough.

    `called` None: whether a tool was called was not logged. `framed`: the text that was read begins with
    what the user did not type. `envelope` is the known one that the turn has, `bare` for none, and `unknown`
    says that it has one that is not known. `lost` are typed words that were not in what was read.
    """

    outgrown: bool | None = None
    called: bool | None = None
    framed: bool | None = None
    envelope: str | None = None
    unknown: bool | None = None
    lost: tuple[str, ...] | None = None
    ingress: str | None = None


class Judge:
    """Judges turns by the envelopes that are known, and by how often the typed length is far above."""

    def __init__(self, known: KnownEnvelopes, ratio: float = RATIO) -> None:
        self._known = known
        self.ratio = ratio

    def judge(self, turn: LogTurn) -> Verdict:
        """Every verdict on a turn of a user."""
        envelope, unknown = self._envelope(turn)
        ingress = turn.ingress or (self._known.ingress(envelope) if envelope is not None else None)
        return Verdict(
            outgrown=self.outgrown(turn),
            called=called(turn.tools, turn.outcome),
            framed=begins_framed(read_text(turn) or turn.head, turn.typed, self._known),
            envelope=envelope,
            unknown=unknown,
            lost=lost_words(turn, known=envelope not in (None, BARE)),
            ingress=ingress,
        )

    def like(self, head: str) -> str | None:
        """The known envelope that begins as this text does."""
        return self._known.by_opening(head)

    def outgrown(self, turn: LogTurn) -> bool | None:
        """Whether the text that was read is far longer than what was typed."""
        typed = turn.typed_size
        routed = len(turn.scanned) if turn.scanned is not None else turn.wrapped_size
        return None if typed is None or routed is None else routed > self.ratio * typed

    def _envelope(self, turn: LogTurn) -> tuple[str | None, bool | None]:
        text = delivered_text(turn)
        if text is None or turn.truncated:
            return self._by_head(turn)
        if turn.typed is not None and _squeezed(text) == _squeezed(turn.typed):
            return BARE, False
        name = self._known.fit(text, turn.typed or None)
        if name is not None:
            return name, False
        if turn.typed:
            return None, True
        # Without the typed words a text with no frame to be seen may be all the user's.
        return None, True if _FRAME.match(text) else None

    def _by_head(self, turn: LogTurn) -> tuple[str | None, bool | None]:
        head = turn.wrapped_head
        if head is None:
            return None, None
        if turn.typed_size is not None and turn.typed_size == turn.wrapped_size:
            return BARE, False
        name = self._known.by_opening(head)
        if name is not None:
            return name, False
        return None, True if _FRAME.match(head) else None


def read_text(turn: LogTurn) -> str | None:
    """What the router read: its own word for it, else the text that it was given."""
    return turn.wrapped if turn.scanned is None else turn.scanned


def delivered_text(turn: LogTurn) -> str | None:
    """The whole text of the turn, as far as the log has it."""
    return turn.scanned if turn.wrapped is None else turn.wrapped


def called(tools: tuple[str, ...] | None, outcome: str | None) -> bool | None:
    """Whether a tool was called; None where the log does not say. A hold declines what it names."""
    if outcome is not None and outcome.lower() in ("hold", "held", "pass"):
        return False
    if tools is None:
        return True if outcome is not None and outcome.lower() in ("fire", "fired") else None
    return bool(tools)


def begins_framed(text: str | None, typed: str | None, known: KnownEnvelopes) -> bool | None:
    """Whether a text begins with what the user did not type; by its looks where the words are unknown."""
    if text is None:
        return None
    if typed is not None and typed.strip():
        start = typed.strip()[:_SAME]
        return text.lstrip()[: len(start)] != start
    return _FRAME.match(text) is not None or known.by_opening(text) is not None


def lost_words(turn: LogTurn, *, known: bool) -> tuple[str, ...] | None:
    """Words that were typed and are not in what was read, in order; None where that cannot be told.

    Mentions and tokens such as `@doc:name` are meant to be dropped. `known`: the turn has an envelope that
    is known, which may have spelled the words in another way.
    """
    text, typed = read_text(turn), turn.typed
    if text is None or typed is None or turn.truncated:
        return None
    if typed in text or (known and turn.scanned is None):
        return ()
    words = _words(_NO_WORDS.sub(" ", typed))
    there = Counter(_words(text))
    if not all(there[word] for word in words):
        there += Counter(_words(_ESCAPE.sub(" ", unescape(text))))
    return tuple(word for word in words if not there[word])


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _squeezed(text: str) -> str:
    return " ".join(text.split())
