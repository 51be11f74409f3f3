"""Window inference: right on routers whose window is known, and "unknown" where there is nothing to know."""

from __future__ import annotations

import re

import pytest
from window_zoo import FIRES, PASSES, PHRASE, ZOO, Router, at_random, found_by

from workbench.core.decision import Decision, Outcome, ToolCall
from workbench.core.turn import Turn
from workbench.explain.asking import Given
from workbench.explain.smallest import OutOfCalls
from workbench.explain.window import Inferred, Tells, Unknown
from workbench.explain.window_filler import FILLERS


def way(inferred: Inferred) -> tuple[object, ...]:
    (found,) = inferred.found
    one = found.hypothesis
    n = (
        found.low
        if found.high is not None and found.low is not None and found.high - found.low == 1
        else None
    )
    return one.source, one.outside, one.part, n


@pytest.mark.parametrize("name", ZOO)
async def test_a_known_window_is_found(name: str) -> None:
    router = Router(ZOO[name].reads)
    inferred = await found_by(router)
    assert inferred.unknown is None, inferred.found
    assert way(inferred) == ZOO[name].way
    assert inferred.against == ()
    assert inferred.unsteady == 0
    assert inferred.steady >= 4
    assert not inferred.weak
    assert sum(inferred.checks) >= 15, "the answer had many chances to be wrong"
    assert router.calls <= 64


@pytest.mark.parametrize("name", ["first 80 characters", "first 512 words", "outside both", "typed words"])
async def test_another_phrase_does_as_well(name: str) -> None:
    router = Router(ZOO[name].reads, "deploy it")
    inferred = await found_by(router, ["what is this?", "deploy it"])
    assert inferred.phrase == "deploy it"
    assert way(inferred) == ZOO[name].way


@pytest.mark.parametrize(
    "text", ["what is on my calendar today?", "my calendar, please", "is it on (my calendar)"]
)
@pytest.mark.parametrize(
    "name", ["first 80 characters", "last 137 characters", "both ends", "first 512 words", "last 128 words"]
)
async def test_of_a_longer_text_the_words_that_count_give_the_number(name: str, text: str) -> None:
    router = Router(ZOO[name].reads, "my calendar")
    inferred = await found_by(router, [text])
    assert inferred.phrase == "my calendar"
    assert way(inferred) == ZOO[name].way


async def test_words_that_do_alone_but_not_beside_others_are_no_phrase() -> None:
    """As scores have it, which sink with every other word."""
    text = "show my calendar for today"

    class Diluted(Router):
        async def __call__(self, turn: Turn) -> Given:
            words = re.findall(r"\w+", turn.text.lower())
            told = sum(word in text.split() for word in words)
            return Given(FIRES if told >= 5 or told > len(words) / 2 else PASSES)

    inferred = await found_by(Diluted(lambda turn: turn.text), [text])
    assert inferred.phrase == text
    assert way(inferred) == ("text", (), "whole", None)


@pytest.mark.parametrize("at", [0, -1])
async def test_a_paragraph_may_be_an_empty_one(at: int) -> None:
    inferred = await found_by(Router(lambda turn: turn.text.split("\n\n")[at]))
    assert way(inferred) == ("text", (), "last paragraph" if at else "first paragraph", None)


@pytest.mark.parametrize("n", [64, 79, 301, 4000])
async def test_any_number_of_characters(n: int) -> None:
    inferred = await found_by(Router(lambda turn: turn.text[:n]))
    assert way(inferred) == ("text", (), "first characters", n)
    assert str(inferred.found[0]) == f"the first {n:,} characters of the turn"


@pytest.mark.parametrize("chance", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("seed", range(8))
async def test_a_router_that_answers_at_random_is_unknown(seed: int, chance: float) -> None:
    assert (await found_by(at_random(seed, chance))).unknown is not None


async def test_a_window_that_is_not_looked_into_is_unknown_and_says_what_speaks_against() -> None:
    inferred = await found_by(Router(lambda turn: "".join(turn.text.split("\n")[1:2]) or turn.text))
    assert inferred.unknown is Unknown.CONTRADICTED
    assert inferred.against
    assert inferred.steady
    assert not inferred.unsteady


async def test_what_cannot_be_told_apart_is_not_asked_about_until_the_calls_run_out() -> None:
    """The phrase may be one token or several, and the window is hardly longer."""
    router = Router(lambda turn: " ".join(turn.text.split()[:7]), "/summarize-it-all")
    inferred = await found_by(router, ["/summarize-it-all"])
    assert router.calls <= 70
    assert inferred.found[0].hypothesis.part == "first tokens"


async def test_a_router_that_wants_the_phrase_alone() -> None:
    inferred = await found_by(Router(lambda turn: turn.text if turn.text == PHRASE else ""))
    assert inferred.unknown is Unknown.SEVERAL
    assert {found.hypothesis.part for found in inferred.found} == {"up to a length"}
    assert {found.low for found in inferred.found} == {len(PHRASE)}


async def test_a_router_that_holds_what_stands_in_prose_has_read_it() -> None:
    class Careful(Router):
        async def __call__(self, turn: Turn) -> Given:
            given = await super().__call__(turn)
            if given.decision == FIRES and turn.text != PHRASE:
                return Given(Decision(Outcome.HOLD, FIRES.calls))
            return given

    inferred = await found_by(Careful(ZOO["first full line"].reads))
    assert way(inferred) == ZOO["first full line"].way


async def test_the_calls_allowed_are_used_up() -> None:
    class Bounded(Router):
        async def __call__(self, turn: Turn) -> Given:
            if self.calls == 14:
                raise OutOfCalls
            return await super().__call__(turn)

    inferred = await found_by(Bounded(ZOO["first 80 characters"].reads))
    assert inferred.unknown is Unknown.BUDGET
    assert any(found.hypothesis.part == "first characters" for found in inferred.found)


@pytest.mark.parametrize(("every", "unknown"), [(2, Unknown.UNANSWERED), (11, None)])
async def test_calls_without_an_answer(every: int, unknown: Unknown | None) -> None:
    """One that fails is made again; where turns fail for good, nothing is concluded from the rest."""

    class Failing(Router):
        async def __call__(self, turn: Turn) -> Given:
            given = await super().__call__(turn)
            fails = len(turn.text) % 2 and self.calls > 4 if every == 2 else not self.calls % every
            return Given(None, "no answer") if fails else given

    inferred = await found_by(Failing(ZOO["first line"].reads))
    assert inferred.unknown is unknown


async def test_without_a_phrase_nothing_is_asked_of_long_turns() -> None:
    router = Router(lambda turn: "")
    inferred = await found_by(router)
    assert inferred.unknown is Unknown.NO_PHRASE
    assert router.calls <= 2 * len(FILLERS)


@pytest.mark.parametrize(
    ("decision", "read"),
    [
        (FIRES, True),
        (PASSES, False),
        (Decision(Outcome.HOLD, FIRES.calls), True),
        (Decision(Outcome.FIRE, (*FIRES.calls, ToolCall("mail"))), True),
        (Decision(Outcome.FIRE, (ToolCall("calendar::list", {"when": "today"}),)), True),
        (Decision(Outcome.FIRE, (ToolCall("mail"),)), None),
        (Decision(Outcome.HOLD), None),
    ],
)
def test_what_a_decision_tells(decision: Decision, read: bool | None) -> None:
    assert Tells(FIRES, PASSES)(decision) is read
