"""`workbench diff` of two cells: arm against arm, adapter against adapter, by the newest stored answers."""

from __future__ import annotations

import json

import pytest
from command import Bench

SCENARIO = """\
scenario: box
prompts:
  - {text: restart the box}
  - {id: call, text: "call me\\e[31m [red]now[/]"}
"""


@pytest.fixture
def box(bench: Bench) -> Bench:
    bench.write(
        "workbench.yaml",
        "adapters:\n  table: {use: keyword, table: all.yaml}\n  first: {use: keyword, table: first.yaml}\n",
    )
    words = (
        "keywords:\n"
        "  - {phrases: [restart the box], tool: ops::restart}\n"
        "  - {phrases: [call me], tool: ops::call}\n"
    )
    bench.write("all.yaml", words)
    bench.write("first.yaml", words + "scan: first-line\n")
    bench.write("envelopes/tagged.yaml", 'envelope: tagged\ningress: channel\ntemplate: "<chat>\\n{text}"\n')
    bench.write("scenarios/box.yaml", SCENARIO)
    assert bench("run", "box", "-q").code == 1
    return bench


def test_two_arms(box: Bench) -> None:
    done = box("diff", "box#call@bare:first", "box#call@tagged:first", "--exit-code")
    assert done.code == 1
    lines = done.text.splitlines()
    assert lines[0].startswith("- box#call@bare:first ") and lines[1].startswith("+ box#call@tagged:first ")
    told = [" ".join(line.split()) for line in lines]
    assert "outcome fire → pass" in told and "tools ops::call → none" in told
    assert "␛[31m [red]now[/]" in done.text and "\x1b" not in done.text


def test_two_adapters_as_json(box: Bench) -> None:
    done = box("diff", "box#1@tagged:first", "box#1@tagged:table", "--format", "json")
    assert done.code == 0
    found = json.loads(done.text)
    assert (found["before"]["adapter"], found["after"]["adapter"]) == ("first", "table")
    assert found["before"]["run"] == found["after"]["run"]
    assert found["differences"][:2] == [
        {"what": "outcome", "before": "pass", "after": "fire"},
        {"what": "tools", "before": "none", "after": "ops::restart"},
    ]
    assert found["summary"] == {"differences": len(found["differences"]), "differs": True}


@pytest.mark.parametrize("prompt", ["call", "2"])
@pytest.mark.parametrize("scenario", ["box", "scenarios/box.yaml"])
def test_a_prompt_goes_by_id_or_number_and_a_scenario_by_name_or_file(
    box: Bench, scenario: str, prompt: str
) -> None:
    done = box("diff", f"{scenario}#{prompt}@bare:first", "box#call@bare:table", "--exit-code")
    assert done.code == 0
    assert done.text.splitlines()[-1] == "nothing differs: fire on both sides"


def test_markdown_quotes_all_of_it(box: Bench) -> None:
    done = box("diff", "box#call@bare:first", "box#call@tagged:first", "--format", "markdown")
    assert "- outcome: `fire` → `pass`" in done.text


@pytest.mark.parametrize(
    ("sides", "words"),
    [
        (("box#call@bare:first", "last"), "a cell and a run cannot be held against each other"),
        (("box#call@taged:first", "box#call@bare:first"), 'did you mean "box#call@tagged:first"?'),
        (("box#call@bare:nobody", "box#call@bare:first"), "no answer of box#call@bare:nobody is stored"),
        (("box#none@bare:first", "box#call@bare:first"), 'has no prompt "none"'),
        (("bx#call@bare:first", "box#call@bare:first"), 'there is no scenario "bx"'),
    ],
)
def test_what_cannot_be_meant_is_told(box: Bench, sides: tuple[str, str], words: str) -> None:
    done = box("diff", *sides)
    assert done.code == 2
    assert words in done.said and not done.text


def test_nothing_is_stored(bench: Bench) -> None:
    bench.write("workbench.yaml", "adapters:\n  table: {use: keyword, table: all.yaml}\n")
    bench.write("all.yaml", "keywords: []\n")
    bench.write("scenarios/box.yaml", SCENARIO)
    done = bench("diff", "box#1@bare:table", "box#call@bare:table")
    assert done.code == 2 and "no answer of box#1@bare:table is stored" in done.said
