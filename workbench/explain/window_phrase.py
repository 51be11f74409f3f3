"""A phrase that an adapter answers in a way of its own, and neutral text: both tried alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from workbench.core.decision import Decision, Outcome
from workbench.core.scenario import Expectation, Scenario
from workbench.explain.window import Ask, Tells, Unknown
from workbench.explain.window_filler import FILLERS
from workbench.explain.window_placements import Layouts
from workbench.files.keywords import KeywordTable

__all__ = ["Chosen", "candidates", "choose"]

_LONGEST = 80
"""Characters of a phrase: a longer one would not fit into a short window."""

_MARKS = re.compile(r"^\W+|\W+$")

_TRIED = 12
_TWICE = 2


@dataclass(frozen=True, slots=True)
class Chosen:
    """The phrase among its filler, and how to tell whether it was read; or why there is none."""

    layouts: Layouts | None = None
    tells: Tells | None = None
    unknown: Unknown | None = None


def candidates(scenarios: Iterable[Scenario], tables: Iterable[KeywordTable]) -> tuple[str, ...]:
    """Phrases worth trying: prompts that are to fire, then phrases of tables, then other prompts."""
    prompts = [prompt for scenario in scenarios for prompt in scenario.prompts]
    wanted = [prompt.text for prompt in prompts if prompt.expect and _asks_for_a_call(prompt.expect)]
    listed = [entry.phrases[0].text for table in tables for entry in table.keywords if entry.phrases]
    others = [prompt.text for prompt in prompts]
    return tuple(filter(_usable, dict.fromkeys((*sorted(wanted, key=len), *listed, *others))))


async def choose(ask: Ask, phrases: Sequence[str]) -> Chosen:
    """The first phrase that fires and the first filler that comes to something else, each seen twice.

    A phrase that only holds is taken where none fires. Raises what `ask` raises.
    """
    alone: dict[str, Decision] = {}
    for filler in FILLERS:
        layouts = Layouts("", filler)
        given = await ask(layouts.without())
        if given.decision is None:
            continue
        neutral = given.decision
        if neutral.outcome is not Outcome.PASS and filler is not FILLERS[-1]:
            continue
        usable = [phrase for phrase in phrases[:_TRIED] if not filler.holds(phrase)]
        for phrase in usable:
            if phrase not in alone:
                found = await ask(Layouts(phrase, filler).alone().turn)
                if found.decision is None:
                    continue
                alone[phrase] = found.decision
            if alone[phrase].outcome is Outcome.FIRE and _differ(alone[phrase], neutral):
                break
        for phrase in _best_first({one: alone[one] for one in usable if one in alone}, neutral):
            chosen = await _confirmed(ask, Layouts(phrase, filler), Tells(alone[phrase], neutral))
            return chosen if chosen.unknown else await _shortened(ask, Layouts(phrase, filler), chosen)
    return Chosen(unknown=Unknown.NO_PHRASE)


async def _confirmed(ask: Ask, layouts: Layouts, tells: Tells) -> Chosen:
    """Both once more: what is answered now so and now so cannot be followed."""
    for turn, wanted in ((layouts.without(), False), (layouts.alone().turn, True)):
        for _ in range(_TWICE - 1):
            given = await ask(turn)
            if given.decision is None or tells(given.decision) is not wanted:
                return Chosen(layouts, tells, Unknown.UNSTEADY)
    return Chosen(layouts, tells)


async def _shortened(ask: Ask, layouts: Layouts, chosen: Chosen) -> Chosen:
    """With the fewest words that do: of more, a window that cuts some off seems longer than it is.

    Not where they are not read beside other text as the whole phrase is: scores sink with every word.
    """
    if chosen.tells is None:
        return chosen
    least, found = await _fewest(ask, layouts, chosen.tells.phrase)
    if least.phrase == layouts.phrase:
        return chosen
    tells = Tells(found, chosen.tells.filler)
    for long, short in zip(layouts.two_sentences(), least.two_sentences(), strict=True):
        whole, part = await ask(long.turn), await ask(short.turn)
        if whole.decision is None or part.decision is None:
            return chosen
        if chosen.tells(whole.decision) is not tells(part.decision):
            return chosen
    return Chosen(least, tells)


async def _fewest(ask: Ask, layouts: Layouts, wanted: Decision) -> tuple[Layouts, Decision]:
    """Words left out at the end, then at the beginning, last the marks at the edges; and what is decided."""
    least, found = layouts, wanted
    for shorter in (_without_last, _without_first, _without_marks):
        while (phrase := shorter(least.phrase)) and phrase != least.phrase:
            tried = Layouts(phrase, layouts.filler)
            decision = None if layouts.filler.holds(phrase) else (await ask(tried.alone().turn)).decision
            if decision is None or _differ(decision, wanted):
                break
            least, found = tried, decision
    return least, found


def _without_last(phrase: str) -> str:
    return phrase.rpartition(" ")[0].rstrip()


def _without_first(phrase: str) -> str:
    return phrase.partition(" ")[2].lstrip()


def _without_marks(phrase: str) -> str:
    return _MARKS.sub("", phrase)


def _best_first(alone: dict[str, Decision], neutral: Decision) -> Iterator[str]:
    differing = [phrase for phrase, decision in alone.items() if _differ(decision, neutral)]
    yield from (phrase for phrase in differing if alone[phrase].outcome is Outcome.FIRE)
    yield from (phrase for phrase in differing if alone[phrase].outcome is not Outcome.FIRE)


def _differ(one: Decision, other: Decision) -> bool:
    return (one.outcome, sorted(one.tools)) != (other.outcome, sorted(other.tools))


def _asks_for_a_call(expect: Expectation) -> bool:
    named = expect.tool or expect.any_of or expect.arguments is not None
    return expect.outcome is Outcome.FIRE or (expect.outcome is None and bool(named))


def _usable(phrase: str) -> bool:
    """One short line without what a list of parts, a tag or a quote would spell in another way."""
    plain = (
        phrase.isprintable() and phrase == phrase.strip() and not any(mark in phrase for mark in '"\\<>`&')
    )
    return plain and 0 < len(phrase) <= _LONGEST
