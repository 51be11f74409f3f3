"""The ways of reading against plain slices, and the turns that are made to tell them apart."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.envelope import Envelope, Ingress, Slot, SlotKind, wrap
from workbench.core.turn import bare
from workbench.explain.window_belief import Belief, Candidate
from workbench.explain.window_filler import FILLERS, Filler
from workbench.explain.window_hypotheses import Hypothesis, hypotheses
from workbench.explain.window_placements import MOST, Layouts
from workbench.explain.window_readers import MEASURES, NEVER, SELECTIONS

PHRASE = "check my calendar"
LAYOUTS = Layouts(PHRASE, FILLERS[0])
SURROUND = st.text("ab. \n!", max_size=40)

SLICES: dict[str, Callable[[str, int], str]] = {
    "first characters": lambda text, n: text[:n],
    "last characters": lambda text, n: text[len(text) - n :] if n < len(text) else text,
    "both ends": lambda text, n: f"{text[:n]}\0{text[max(0, len(text) - n) :]}",
    "first lines": lambda text, n: "\n".join(text.split("\n")[:n]),
    "last lines": lambda text, n: "\n".join(text.split("\n")[-n:]),
    "up to a length": lambda text, n: text if len(text) <= n else "",
}


@given(SURROUND, SURROUND, st.integers(1, 110), st.sampled_from(sorted(SLICES)))
def test_what_a_number_must_be_is_what_a_slice_needs(before: str, after: str, n: int, part: str) -> None:
    text = f"{before}{PHRASE}{after}"
    low, high = MEASURES[part](text, PHRASE)
    assert low == high
    assert (n >= low) == (PHRASE in SLICES[part](text, n))


@given(SURROUND, SURROUND, st.integers(1, 40))
def test_tokens_are_at_least_the_words(before: str, after: str, n: int) -> None:
    text = f"{before} {PHRASE} {after}"
    low, high = MEASURES["first tokens"](text, PHRASE)
    assert (n >= low) == (PHRASE in " ".join(text.split()[:n]))
    assert high >= low


@given(SURROUND, SURROUND, st.sampled_from(sorted(SELECTIONS)))
def test_a_selection_reads_it_or_not_or_leaves_it_open(before: str, after: str, part: str) -> None:
    text = f"{before}\n{PHRASE}\n{after}"
    needs = MEASURES[part](text, PHRASE)
    read = {any(PHRASE in chunk for chunk in reader(text)) for reader in SELECTIONS[part]}
    assert needs == ((0, NEVER) if len(read) == 2 else (0, 0) if True in read else (NEVER, NEVER))


@pytest.mark.parametrize("filler", FILLERS, ids=lambda filler: filler.name)
@pytest.mark.parametrize("long", [False, True])
def test_fillers_have_the_shape_asked_for(filler: Filler, long: bool) -> None:
    for number in (1, 2, 17, 300):
        assert len(filler.characters(number, long=long)) == number
        assert len(filler.words(number, long=long).split()) == number
    assert not filler.holds(PHRASE)
    assert filler.holds(filler.sentence(3).lower())


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("long", [False, True])
def test_the_phrase_stands_where_it_is_said_to(last: bool, long: bool) -> None:
    for n in (len(PHRASE), 80, 2000, MOST):
        text = LAYOUTS.at_character(n, last=last, long=long).turn.text
        assert len(text) == MOST
        at = text.index(PHRASE)
        assert (len(text) - at if last else at + len(PHRASE)) == n
    for n in (3, 50, 512):
        before, _, after = LAYOUTS.at_word(n, last=last, long=long).turn.text.partition(PHRASE)
        assert len((after if last else before).split()) + 3 == n
    for n in (1, 7, 400):
        lines = LAYOUTS.at_line(n, last=last).turn.text.split("\n")
        assert lines[-n if last else n - 1] == PHRASE


@given(st.integers(60, 3000))
def test_a_turn_of_sentences_is_as_long_as_was_asked(length: int) -> None:
    text = LAYOUTS.of_length(length).turn.text
    assert len(text) == length
    assert f" {PHRASE}. " in text


def framed(transforms: str = "") -> Envelope:
    slots = {"who": Slot("who", "someone", SlotKind.NAME), "id": Slot("id", "7", SlotKind.NUMBER)}
    return Envelope("tag", Ingress.CHANNEL, '<in from="{who}" id="{id}">\n{text}\n</in>', slots)


def test_each_turn_holds_the_phrase_once_and_is_made_once() -> None:
    placements = LAYOUTS.fixed([("tag", [framed()])])
    assert len({placement.turn for placement in placements}) == len(placements)
    for placement in placements:
        fields = (placement.turn.text, placement.turn.typed, *(m.content for m in placement.turn.messages))
        assert max(field.count(PHRASE) for field in fields) == 1, str(placement)


def test_of_an_envelope_the_words_and_the_slots_that_others_fill() -> None:
    places = {p.place: p.turn for p in LAYOUTS.fixed([("tag", [framed()])]) if p.layout == "envelope tag"}
    assert "slot id" not in places
    assert f'from="{PHRASE}"' in places["slot who"].text
    assert places["slot who"].typed == places["slot who"].text.split("\n", 1)[1].removesuffix("\n</in>")
    assert places["all that is typed"].text == wrap(framed(), bare(PHRASE)).text


def test_a_phrase_that_a_transform_hides_is_not_placed() -> None:
    from workbench.core.transform import Transform

    hiding = Envelope("b", Ingress.CHANNEL, "{text}", transforms=((Transform.BASE64, None),))
    assert not [p for p in LAYOUTS.fixed([("b", [hiding])]) if p.layout == "envelope b"]


def test_any_two_ways_without_a_number_are_told_apart() -> None:
    """Some turn is surely read by the one and surely not by the other."""
    placements = LAYOUTS.fixed([("tag", [framed()])])
    plain = [one for one in hypotheses() if one.unit is None]
    read = {one: [one.needs(placement.turn, PHRASE) for placement in placements] for one in plain}

    def apart(one: Hypothesis, other: Hypothesis) -> bool:
        return any({a, b} == {(0, 0), (NEVER, NEVER)} for a, b in zip(read[one], read[other], strict=True))

    assert [(a.says("N"), b.says("N")) for a, b in combinations(plain, 2) if not apart(a, b)] == []


@given(st.integers(1, 15_999), st.data())
def test_what_is_true_survives_every_answer(n: int, data: st.DataObject) -> None:
    """The interval of an N that is there always holds it, and halving comes to it in few steps."""
    (way,) = [h for h in hypotheses() if (h.source, h.outside, h.part) == ("text", (), "first characters")]
    candidate = Candidate(way, way.least, way.limit)
    for _ in range(16):
        if candidate.settled:
            break
        middle = candidate.middle()
        assert candidate.low < middle < candidate.high
        need = data.draw(st.sampled_from([middle, middle, 1, 15_999]))
        candidate.take((need, need), n >= need)
        assert candidate.low <= n < candidate.high
    while not candidate.settled:
        candidate.take((candidate.middle(),) * 2, n >= candidate.middle())
    assert (candidate.low, candidate.high) == (n, n + 1)


@given(st.integers(1, 5000), st.integers(1, 5000))
def test_chances_are_shares_of_what_is_possible(need: int, more: int) -> None:
    (way,) = [h for h in hypotheses() if (h.source, h.outside, h.part) == ("text", (), "first tokens")]
    candidate = Candidate(way, 100, 2000)
    sure, maybe = candidate.chances((need, need + more))
    assert 0 <= sure <= sure + maybe <= 1 + 1e-9
    foretold = candidate.predicts((need, need + more))
    assert (sure == 1) == (foretold is True)
    assert (sure + maybe == 0) == (foretold is False)


def test_the_first_question_splits_what_is_possible_well() -> None:
    belief = Belief.over(hypotheses(), PHRASE)
    before = sum(candidate.hypothesis.weight for candidate in belief.alive)
    placement = belief.best(LAYOUTS.fixed(), LAYOUTS, ())
    assert placement is not None
    sides = []
    for read in (True, False):
        after = Belief.over(hypotheses(), PHRASE)
        after.take(placement, read)
        sides.append(sum(candidate.hypothesis.weight for candidate in after.alive) / before)
    assert max(sides) < 0.8


def test_nothing_is_asked_where_nothing_would_be_told() -> None:
    belief = Belief.over([hypotheses()[0]], PHRASE)
    assert belief.best(LAYOUTS.fixed(), LAYOUTS, ()) is None
