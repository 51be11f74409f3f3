"""Past turns that were routed on what the user did not write: a few distinct ones, to be replayed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from itertools import zip_longest

from workbench.capture.audit.judging import Judge, Verdict
from workbench.capture.audit.known import BARE
from workbench.capture.turns import LogTurn, Place, Skipped, Who

__all__ = ["LONGEST", "Pick", "Picked", "Wrong", "pick_victims"]

LONGEST = 4_000
"""Code points of typed words; what is longer makes no prompt to be read by a person."""


class Wrong(IntEnum):
    """What was wrong with a turn, the worst first."""

    OUTGROWN = 0
    UNREACHED = 1
    FRAMED = 2


@dataclass(frozen=True, slots=True)
class Pick:
    """The words of one victim, nothing private in them, and the envelope in which they came."""

    text: str
    envelope: str
    place: Place
    wrong: Wrong


@dataclass(frozen=True, slots=True)
class Picked:
    """`prompts` are the picks by their words, each envelope once. `turns` are those of users, and `told`
    those of which the log says what was typed and what was read.

    Of the `victims`, `strangers` fit no known envelope, and `unusable` cannot be replayed from their words
    alone: bare or cut short, with a file folded in, without words or with very many.
    """

    prompts: tuple[tuple[Pick, ...], ...]
    turns: int
    told: int
    victims: int
    strangers: int
    unusable: int
    skipped: int

    @property
    def envelopes(self) -> tuple[str, ...]:
        """The envelopes of the picks, in the order in which they come."""
        return tuple(dict.fromkeys(pick.envelope for picks in self.prompts for pick in picks))


def pick_victims(
    items: Iterable[LogTurn | Skipped],
    judge: Judge,
    usable: Callable[[str], bool],
    hide: Callable[[str], str],
    limit: int,
) -> Picked:
    """At most `limit` prompts out of a log, by turns from each envelope and each kind of wrong.

    `usable` says whether words alone can be put into an envelope, `hide` takes out what is private. Only
    the first `limit` of each envelope and kind are kept in memory.
    """
    groups: dict[tuple[Wrong, str], dict[str, Pick]] = {}
    turns = told = victims = strangers = unusable = skipped = 0
    for item in items:
        if isinstance(item, Skipped):
            skipped += 1
            continue
        if item.who is not Who.USER:
            continue
        turns += 1
        verdict = judge.judge(item)
        told += bool(item.typed) and (verdict.outgrown is not None or verdict.framed is not None)
        wrong = _wrong(item, verdict)
        if wrong is None:
            continue
        victims += 1
        if verdict.unknown:
            strangers += 1
            continue
        words, envelope = item.typed or "", verdict.envelope
        if envelope in (None, BARE) or not _is_prompt(item, words) or not usable(envelope):
            unusable += 1
            continue
        group = groups.setdefault((wrong, envelope), {})
        if len(group) < limit:
            text = hide(words)
            group.setdefault(_normal(text), Pick(text, envelope, item.place, wrong))
    prompts = tuple(tuple(picks) for picks in _mixed(groups, limit))
    return Picked(prompts, turns, told, victims, strangers, unusable, skipped)


def _wrong(turn: LogTurn, verdict: Verdict) -> Wrong | None:
    """As an audit counts them: much more read than typed did no harm where no tool was called."""
    if not turn.typed:
        return None
    if verdict.outgrown and verdict.called is not False:
        return Wrong.OUTGROWN
    if verdict.lost:
        return Wrong.UNREACHED
    return Wrong.FRAMED if verdict.framed else None


def _is_prompt(turn: LogTurn, words: str) -> bool:
    if turn.truncated or turn.documents or not words.strip() or len(words) > LONGEST:
        return False
    return not any("\ud800" <= char <= "\udfff" for char in words)


def _normal(text: str) -> str:
    return " ".join(text.split()).casefold()


def _mixed(groups: Mapping[tuple[Wrong, str], Mapping[str, Pick]], limit: int) -> Iterator[list[Pick]]:
    """The picks by their words: one of each group, the worst first, then the next of each."""
    ranked = [list(groups[key].items()) for key in sorted(groups, key=lambda key: key[0])]
    prompts: dict[str, list[Pick]] = {}
    for row in zip_longest(*ranked):
        for found in row:
            if found is None:
                continue
            words, pick = found
            if words not in prompts and len(prompts) < limit:
                prompts[words] = [pick]
            elif words in prompts and all(pick.envelope != other.envelope for other in prompts[words]):
                prompts[words].append(pick)
    yield from prompts.values()
