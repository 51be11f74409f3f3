"""Which cells and how many trials a plan has for an adapter that samples."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from replay_parts import attach, info, plan_of, prompt, scenario

from workbench.core.cell import BARE, AdapterInfo
from workbench.core.errors import UsageError
from workbench.core.scenario import Samples

SAMPLER = AdapterInfo("m", "model", deterministic=False, router=False)


def test_an_adapter_that_samples_has_samples_and_no_repeats() -> None:
    both = {"m": SAMPLER, "router": info("router")}
    plan = plan_of(scenario(samples=Samples(30, 0.2), repeat=4), adapters=both, envelopes=["channel"])
    sampled = {d.key.adapter: d.samples for d in plan.deliveries}
    assert sampled == {"m": Samples(30, 0.2), "router": None}
    assert {key.adapter: count for key, count in plan.repeats.items()} == {"m": 30, "router": 4}
    replaced = plan_of(
        scenario(samples=Samples(30, 0.2)), adapters=both, repeat=7, samples=5, envelopes=["channel"]
    )
    assert {d.key.adapter: d.samples for d in replaced.deliveries} == {"m": Samples(5, 0.2), "router": None}
    assert {key.adapter: count for key, count in replaced.repeats.items()} == {"m": 5, "router": 7}
    assert plan.hash != replaced.hash
    assert list(plan.order) == ["router"]


def test_samples_have_a_default_and_a_least() -> None:
    plan = plan_of(adapters={"m": SAMPLER})
    assert set(plan.repeats.values()) == {60}
    with pytest.raises(UsageError, match="--samples 0"):
        plan_of(adapters={"m": SAMPLER}, samples=0)


def test_a_bare_turn_without_a_word_is_not_sent_to_a_model() -> None:
    empty = scenario(prompt("", attach=(attach(),)))
    for known, arms_of in (
        (SAMPLER, ["attached"]),
        (info("m"), [BARE, "attached"]),
        (replace(SAMPLER, router=True), [BARE, "attached"]),
        (replace(SAMPLER, wraps=True), ["attach"]),
    ):
        plan = plan_of(empty, adapters={"m": known}, envelopes=["attached"])
        assert [d.key.arm for d in plan.deliveries] == arms_of
        assert not any("types nothing" in note.message for note in plan.notes)


def test_a_prompt_that_an_adapter_is_not_sent_at_all_is_told_of() -> None:
    made = scenario(prompt(" \n", "empty"), prompt("send it", "full"))
    plan = plan_of(made, adapters={"m": SAMPLER}, envelopes=[])
    assert [d.key.prompt for d in plan.deliveries] == ["full"]
    (note,) = plan.notes
    assert 'prompt "empty" of s types nothing' in note.message


def test_what_asks_for_nothing_is_told_of() -> None:
    def notes(known: AdapterInfo, **choice: Any) -> list[str]:
        plan = plan_of(adapters={"m": known}, arguments=choice, **choice)
        return [note.message.split(" is ")[0] for note in plan.notes]

    assert notes(SAMPLER, repeat=2) == ["--repeat"]
    assert notes(info("m"), samples=2) == ["--samples"]
    assert notes(SAMPLER, samples=2) == notes(info("m"), repeat=2) == []


def test_a_model_behind_which_the_app_joins_the_turn_has_two_arms() -> None:
    made = scenario(prompt(attach=(attach(),)))
    plan = plan_of(made, adapters={"m": replace(SAMPLER, wraps=True)})
    assert [d.key.arm for d in plan.deliveries] == [BARE, "attach"]
    assert all(d.turn.made_by_app and d.samples for d in plan.deliveries)
