"""The search for a smallest part: minimal by brute force, in few questions, also where more undoes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.explain.smallest import OutOfCalls, smallest


class Asked:
    """A question that counts how often it was really asked."""

    def __init__(self, holds: Callable[[frozenset[int]], bool], most: int = 10**6) -> None:
        self._holds = holds
        self._most = most
        self.seen: dict[tuple[int, ...], bool] = {}

    async def __call__(self, parts: Sequence[int]) -> bool:
        key = tuple(parts)
        assert list(key) == sorted(key), "parts keep their order"
        if key not in self.seen:
            if len(self.seen) >= self._most:
                raise OutOfCalls
            self.seen[key] = self._holds(frozenset(key))
        return self.seen[key]


def one_minimal(found: Sequence[int], holds: Callable[[frozenset[int]], bool]) -> bool:
    whole = frozenset(found)
    return holds(whole) and not any(holds(whole - {part}) for part in whole)


@given(st.data(), st.integers(1, 60))
async def test_a_cause_is_found_whole(data: st.DataObject, count: int) -> None:
    cause = data.draw(st.frozensets(st.integers(0, count - 1), max_size=6))
    asked = Asked(lambda kept: cause <= kept)
    assert frozenset(await smallest(range(count), asked)) == cause


@given(st.data(), st.integers(1, 9))
async def test_any_question_gets_a_one_minimal_answer(data: st.DataObject, count: int) -> None:
    """Also one in which more text undoes the cause: the truth table is drawn at random."""
    table: dict[frozenset[int], bool] = {}

    def holds(kept: frozenset[int]) -> bool:
        if len(kept) == count:
            return True
        if kept not in table:
            table[kept] = data.draw(st.booleans())
        return table[kept]

    assert one_minimal(await smallest(range(count), Asked(holds)), holds)


@pytest.mark.parametrize("start", [0, 1, 700, 1150, 2296])
async def test_a_run_of_neighbours_takes_few_questions(start: int) -> None:
    cause = frozenset(range(start, start + 3))
    asked = Asked(lambda kept: cause <= kept)
    assert frozenset(await smallest(range(2299), asked)) == cause
    assert len(asked.seen) <= 2 * log2(2299) + 10


async def test_scattered_members_take_a_logarithm_each() -> None:
    cause = frozenset({17, 900, 1500, 2200})
    asked = Asked(lambda kept: cause <= kept)
    assert frozenset(await smallest(range(2299), asked)) == cause
    assert len(asked.seen) <= 4 * (log2(2299) + 2) + 6


async def test_either_of_two_causes_will_do() -> None:
    asked = Asked(lambda kept: {3, 4} <= kept or {90} <= kept)
    assert set(await smallest(range(100), asked)) in ({3, 4}, {90})


async def test_what_needs_nothing_is_empty() -> None:
    assert await smallest(range(50), Asked(lambda kept: True)) == ()


async def test_the_best_so_far_is_told_before_the_calls_run_out() -> None:
    """A cause of five hundred members cannot be had for forty questions; a smaller part than all can."""
    told: list[Sequence[int]] = []
    asked = Asked(lambda kept: len(kept) >= 500, most=40)
    with pytest.raises(OutOfCalls):
        await smallest(range(2299), asked, told.append)
    assert told
    assert 500 <= len(told[-1]) < 2299
    assert [len(parts) for parts in told] == sorted((len(parts) for parts in told), reverse=True)
