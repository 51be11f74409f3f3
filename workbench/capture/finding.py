"""Finds the typed words in what was made of them, step by step further from the letter, or says why not."""

from __future__ import annotations

import base64
import binascii
import html
import json
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum

from workbench.capture.chains import Chain, chain_of, said
from workbench.capture.pairing import Pair
from workbench.core.decision import Span

__all__ = ["Found", "Rung", "find_words"]


class Rung(Enum):
    """How the words were found. Only those of `EXACT` and `TRANSFORMED` can be given back exactly."""

    EXACT = "as typed"
    TRANSFORMED = "after a transform"
    CANONICAL = "but for case, white space, quotation marks or invisible characters"
    DECODED = "after decoding"
    REDUCED = "without tokens and mentions"
    ALIGNED = "in pieces"
    ABSENT = "not found"


@dataclass(frozen=True, slots=True)
class Found:
    """`reason` says in our own words what stands between the words and the turn.

    `changed`: some of them stand there, so that this is the turn that they went into.
    """

    rung: Rung
    reason: str = ""
    chain: Chain = ()
    spans: tuple[Span, ...] = ()
    changed: bool = False

    @property
    def exact(self) -> bool:
        return self.rung in (Rung.EXACT, Rung.TRANSFORMED)


_ENOUGH_ALIGNED = 0.6
_SOME_ALIGNED = 0.25
_MOST_ALIGNED = 20_000


def find_words(pair: Pair) -> Found:
    """Where the words stand, by the first rung of the ladder that reaches them."""
    found = chain_of(pair)
    if found:
        chain, spans = found
        return Found(Rung.TRANSFORMED if chain else Rung.EXACT, said(chain), chain, spans)
    words, text = pair.typed, pair.wrapped
    if _canonical(words) in _canonical(text):
        return Found(Rung.CANONICAL, _differences(words, text), changed=True)
    for view, decode in _VIEWS.items():
        if _canonical(words) in _canonical(decode(text)):
            reason = f"they stand there {view}, in a way that no transform gives back"
            return Found(Rung.DECODED, reason, changed=True)
    reduced = _canonical(_TOKENS.sub(" ", words))
    if reduced and any(reduced in _canonical(_TOKENS.sub(" ", decode(text))) for decode in _READ.values()):
        return Found(Rung.REDUCED, "only without their tokens, mentions and links", changed=True)
    share = _aligned(words, text)
    if share >= _ENOUGH_ALIGNED:
        return Found(Rung.ALIGNED, f"{share:.0%} of them stand there, edited in place", changed=True)
    return Found(
        Rung.ABSENT,
        f"{share:.0%} of them stand there in their order" if share else "none of them stands there",
        changed=share >= _SOME_ALIGNED,
    )


_ALIKE = str.maketrans(
    {
        "’": "'",
        "‘": "'",
        "“": '"',
        "”": '"',
        "–": "-",
        "—": "-",
        "\u2026": "...",
        "\u00a0": " ",
        "\u202f": " ",
    }
)
_HIDDEN = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\u00ad]")
_DASHES = re.compile("--+")
_LINK = re.compile(r"<([a-z][a-z0-9+.-]*:[^<>|\s]+)(?:\|[^<>]*)?>")
_TOKENS = re.compile(r"<[@#!][^<>\s]*>|(?<!\w)[@#/][\w:./-]+|\[@[^\]]*\]\([^)]*\)|[a-z]+://\S+")


def _canonical(text: str) -> str:
    """Case, white space, typographic marks, invisible characters and angle links do not count."""
    text = unicodedata.normalize("NFKC", _HIDDEN.sub("", _LINK.sub(r"\1", text)).translate(_ALIKE))
    return " ".join(_DASHES.sub("-", text.casefold()).split())


def _differences(words: str, text: str) -> str:
    """Which characters a canonical reading took for others."""
    kinds = {
        "no-break spaces": "\u00a0" in text or "\u202f" in text,
        "links in angle brackets": _LINK.search(text) is not None and _LINK.search(words) is None,
        "invisible characters": _HIDDEN.search(text) is not None and _HIDDEN.search(words) is None,
        "typographic marks": any(mark in text and mark not in words for mark in "’‘“”–—…"),
    }
    named = [kind for kind, stands in kinds.items() if stands]
    return "they differ by " + (", ".join(named) or "case or white space")


def _from_json(text: str) -> str:
    return re.sub(r'"((?:[^"\\]|\\.)*)"', lambda found: _string(found[0]), text)


def _string(quoted: str) -> str:
    try:
        return str(json.loads(quoted, strict=False))
    except ValueError:
        return quoted


_ENCODED = re.compile(r"[A-Za-z0-9+/]{40,}={0,2}")


def _from_base64(text: str) -> str:
    def decoded(found: re.Match[str]) -> str:
        try:
            return base64.b64decode(found[0], validate=True).decode("utf-8", "replace")
        except (binascii.Error, ValueError):
            return found[0]

    return _ENCODED.sub(decoded, re.sub(r"(?<=[A-Za-z0-9+/]{60})\r?\n(?=[A-Za-z0-9+/])", "", text))


_VIEWS: dict[str, Callable[[str], str]] = {
    "escaped for HTML or XML": html.unescape,
    "escaped for JSON": _from_json,
    "escaped for JSON twice": lambda text: _from_json(_from_json(text)),
    "behind a mark on each line": lambda text: re.sub(r"(?m)^[ \t]*(?:>|#|\||\*)+ ?", "", text),
    "in base64": _from_base64,
    "with marks for white space": lambda text: re.sub("[\ue000-\uf8ff]+", " ", text),
}
_READ: dict[str, Callable[[str], str]] = {"as they are": str, **_VIEWS}


def _aligned(words: str, text: str) -> float:
    """The share of the words' tokens that stand in the text in their order, close together."""
    wanted = re.findall(r"\w+|[^\w\s]", words.casefold())
    given = re.findall(r"\w+|[^\w\s]", text.casefold()[:_MOST_ALIGNED])
    if not wanted or not given:
        return 0.0
    blocks = [
        block
        for block in SequenceMatcher(None, wanted, given, autojunk=False).get_matching_blocks()
        if block.size
    ]
    if not blocks or blocks[-1].b + blocks[-1].size - blocks[0].b > 3 * len(wanted) + 12:
        return max((block.size for block in blocks), default=0) / len(wanted)
    return sum(block.size for block in blocks) / len(wanted)
