"""`lanes check` prints what is wrong in a registry, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from command import Bench

GOOD = """\
schema_version = 1
unit = "chars"

[[lane]]
name = "memory"
injector = "src/memory.ts assemble"
budget = 2000
priority = 1
trust = "owner"
evicts = "lowest-ranked first"
"""


def stanza(**fields: str) -> str:
    whole = {
        "name": '"extra"',
        "injector": '"src/extra.ts write"',
        "budget": "800",
        "priority": "2",
        "trust": '"tool"',
        "evicts": '"cut at the budget with a marker"',
    }
    whole.update(fields)
    lines = "".join(f"{key} = {value}\n" for key, value in whole.items() if value != "left out")
    return f"{GOOD}\n[[lane]]\n{lines}"


def told(bench: Bench, text: str, *more: str) -> tuple[int, list[tuple[Any, ...]]]:
    bench.write("lanes.toml", text)
    done = bench("lanes", "check", "lanes.toml", "--format", "json", *more)
    findings = done.json["findings"]
    return done.code, [(f["kind"], f["severity"], f["lane"], f["line"]) for f in findings]


def test_a_clean_file_prints_nothing(bench: Bench) -> None:
    bench.write("lanes.toml", GOOD)
    done = bench("lanes", "check")
    assert (done.code, done.text) == (0, "")
    assert "1 lane, nothing is wrong" in done.said


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"budget": '"1500"'}, "field"),
        ({"budget": "-1"}, "field"),
        ({"budget": "1.5"}, "field"),
        ({"budget": "true"}, "field"),
        ({"budget": "left out"}, "field"),
        ({"budget": '"uncapped"', "evicts": '"never"'}, "uncapped"),
        ({"priority": "7"}, "field"),
        ({"trust": '"Owner"'}, "field"),
        ({"trust": "left out"}, "field"),
        ({"evicts": '""'}, "field"),
        ({"injector": "left out"}, "field"),
        ({"emits": '"sometimes"'}, "field"),
        ({"name": '"memory"'}, "duplicate"),
        ({"budget": "800  # chars; receipts recorded 1,200-character rows"}, "over-budget"),
    ],
)
def test_errors(bench: Bench, fields: dict[str, str], kind: str) -> None:
    code, found = told(bench, stanza(**fields))
    assert code == 1
    assert {(one[0], one[1]) for one in found} == {(kind, "error")}


@pytest.mark.parametrize(
    "fields",
    [
        {"budget": '"session"'},
        {"budget": '"uncapped"  # what the user typed; capping it would censor the question'},
        {"budget": "800  # chars, MAX_EXTRA: 800 since 2026-08-30, at most 20 turns, 80% of the window"},
        {"emits": '"receipt"'},
        {"unit": '"tokens"'},
        {"volatile": "true"},
    ],
)
def test_what_is_right_is_not_told(bench: Bench, fields: dict[str, str]) -> None:
    assert told(bench, stanza(**fields)) == (0, [])


def test_the_unit_is_one_warning_for_the_file_and_names_no_lane(bench: Bench) -> None:
    """k4-15: budgets without a unit, and a note that shows one exceeded."""
    text = stanza(
        name='"doc_attach"',
        budget="8000  # chars",
        emits='"log"  # 14,188 chars logged the moment one was attached',
    ).replace('unit = "chars"\n', "")
    code, found = told(bench, f"# budget - tokens per turn\n{text}")
    assert code == 1
    assert [one[:3] for one in found] == [
        ("unit", "warning", None),
        ("over-budget", "error", "doc_attach"),
    ]
    bench.write("lanes.toml", text)
    assert "6,188 above the budget of 8,000" in bench("lanes", "check").text


def test_lanes_that_nothing_writes_and_that_nothing_reaches(bench: Bench) -> None:
    code, found = told(bench, stanza(emits='"none"  # DEAD: zero mentions in the source'))
    assert (code, [one[:3] for one in found]) == (0, [("emits-none", "warning", "extra")])
    code, found = told(
        bench, stanza(emits='"log"  # UNREACHABLE: its only caller sits behind a removed toggle')
    )
    assert (code, [one[:3] for one in found]) == (0, [("unreachable", "warning", "extra")])


def test_injectors_are_looked_for_below_the_root(bench: Bench) -> None:
    bench.write("src/memory.ts", "")
    assert told(bench, GOOD, "--root", ".") == (0, [])
    code, found = told(bench, stanza(), "--root", ".")
    assert (code, [one[:3] for one in found]) == (1, [("injector", "error", "extra")])


def test_broken_toml_is_told_with_its_place(bench: Bench) -> None:
    bench.write("lanes.toml", GOOD + "budget = = 3\n")
    done = bench("lanes", "check")
    assert (done.code, done.text) == (2, "")
    assert "lanes.toml:11:" in done.said


def test_a_root_that_is_no_folder(bench: Bench) -> None:
    bench.write("lanes.toml", GOOD)
    assert bench("lanes", "check", "--root", "nowhere").code == 2
