"""Which numbers in the words of a stanza show its budget of 8,000 characters exceeded, and which do not."""

from __future__ import annotations

import pytest

from workbench.lanes.check.prose import Said
from workbench.lanes.check.sizes import sizes_above
from workbench.lanes.lane import Unit

BUDGET = 8_000


def told(text: str, key: str | None = None) -> list[str]:
    said = Said(text, 1, key, comment=key != "evicts")
    return [size.text for size in sizes_above(said, BUDGET, {Unit.CHARS})]


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("measured 12k chars last week", "12k chars"),
        ("~ 9.5k characters observed", "9.5k characters"),
        ("capped at 9,000 chars in the code", "9,000 chars"),
        ("14,188 chars logged on 2026-03-01", "14,188 chars"),
        ("peaked at 14,188", "14,188"),
        ("14,188 > 8,000", "14,188"),
        ("14,188/8,000 on the worst turn", "14,188"),
        ("14_188 chars against 8_000", "14_188 chars"),
        ("14188 chars vs the budget of 8000", "14188 chars"),
        ("14,188 exceeds the limit of 8,000", "14,188"),
    ],
)
def test_a_size_above_the_budget(text: str, size: str) -> None:
    assert told(text) == [size]


@pytest.mark.parametrize(
    "text",
    [
        "about 7,900 characters",
        "never more than 8,000 chars",
        "never 14,188 against 8,000",
        "since 2026-11-30, see issue #12345",
        "added in 2026, src/a.py:12000, v12.400.3, 127.0.0.1:18080",
        "keeps 9000 entries, takes 9000 ms",
        "9,000 tokens measured",
        "was 12,000 chars before the change",
        "14,188 against 9,000",
        "see docs/14188/8000",
        "7,000/8,000",
    ],
)
def test_a_number_that_shows_nothing_exceeded(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("drops the oldest above 12,000 chars", ["12,000 chars"]),
        ("beyond 9000 characters the oldest go", ["9000 characters"]),
        ("oldest first, past 8,000 chars", []),
        ("summed up over 3 turns of 9,000 chars", []),
    ],
)
def test_what_is_evicted_above_a_size_may_come_to_it(text: str, sizes: list[str]) -> None:
    assert told(text, "evicts") == sizes
