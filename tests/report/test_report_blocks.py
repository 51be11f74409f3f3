"""Findings folded for people, and every prompt on one line."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from report_runs import CREATE, LIST, Told, cell_of, finding_of, run_of, written

from workbench.core.cell import Cell, CellKey
from workbench.core.decision import Decision, Outcome
from workbench.core.finding import Finding, Kind, Severity
from workbench.core.text import SafeText
from workbench.core.trial import Status
from workbench.core.turn import bare
from workbench.report.blocks import blocks
from workbench.report.prompts import prompt_lines, results
from workbench.report.writer import Style

HOLD, PASS = Decision(Outcome.HOLD), Decision(Outcome.PASS)
FIRE_A, FIRE_B = Decision(Outcome.FIRE, (LIST,)), Decision(Outcome.FIRE, (CREATE,))


def drift(prompt: str, *, arm: str = "channel", after: str = "pass", adapter: str = "a") -> Finding:
    key = CellKey("s", prompt, arm, adapter)
    return finding_of(
        Kind.DRIFT, Severity.ERROR, key, f"DRIFT {prompt}", Told("bare", "hold"), Told(arm, after)
    )


def miss(prompt: str, *, arm: str = "channel") -> Finding:
    key = CellKey("s", prompt, arm, "a")
    return finding_of(Kind.MISS, Severity.WARNING, key, "MISS", Told("bare", "hold"), Told(arm, "pass"))


def silence(prompt: str, arm: str, error: str) -> Finding:
    key = CellKey("s", prompt, arm, "a")
    told = Told(arm, None, ok=0, statuses={"timeout": 2}, error=error)
    return finding_of(Kind.NO_VERDICT, Severity.WARNING, key, f"NO VERDICT {arm}", None, told)


def labels(findings: Sequence[Finding]) -> list[tuple[str | None, tuple[str, ...]]]:
    return [(block.first.prompt, block.alike) for block in blocks(findings)]


def test_alike_findings_of_several_prompts_are_one_block() -> None:
    assert labels([drift("1"), drift("2"), drift("3")]) == [("1", ("2", "3"))]


@pytest.mark.parametrize("other", [{"arm": "reply"}, {"after": "fire"}, {"adapter": "b"}])
def test_other_arms_outcomes_and_adapters_are_not_alike(other: dict[str, str]) -> None:
    assert labels([drift("1"), drift("2", **other)]) == [("1", ()), ("2", ())]


def test_the_findings_of_a_cell_are_one_block_worst_first() -> None:
    found = blocks([miss("1"), drift("1"), miss("2"), drift("2")])
    assert [[f.kind for f in block.findings] for block in found] == [[Kind.DRIFT, Kind.MISS]]
    assert found[0].alike == ("2",)


def test_errors_stand_before_warnings() -> None:
    found = blocks([miss("1", arm="reply"), drift("2")])
    assert [block.first.kind for block in found] == [Kind.DRIFT, Kind.MISS]


def test_other_findings_beside_it_make_a_cell_another_one() -> None:
    assert labels([drift("1"), miss("1"), drift("2")]) == [("1", ()), ("2", ())]


def test_an_adapter_that_does_not_answer_is_told_once() -> None:
    told = [silence("1", "bare", "gone"), silence("1", "reply", "gone"), silence("2", "bare", "gone")]
    assert labels(told) == [("1", ("1@reply", "2"))]
    assert len(blocks([*told, silence("3", "bare", "another error")])) == 2


def test_no_finding_is_lost() -> None:
    findings = [drift(str(n), arm=arm) for n in range(5) for arm in ("x", "y")] + [miss("1", arm="x")]
    found = blocks(findings)
    assert sum(len(block.findings) * (1 + len(block.alike)) for block in found) == len(findings)


def told(*cells: Cell, names_arms: bool = True) -> str:
    (line,) = prompt_lines(run_of(cells), ())["s"]
    return " | ".join(f"{adapters}: {result}" for adapters, result in results(line, names_arms=names_arms))


def arm(name: str, *answers: Decision | Status, adapter: str = "a") -> Cell:
    return cell_of(CellKey("s", "1", name, adapter), bare("x"), *answers)


def test_one_arm() -> None:
    assert told(arm("bare", HOLD)) == "a: hold"


def test_arms_that_agree() -> None:
    assert told(arm("bare", HOLD), arm("x", HOLD)) == "a: hold on both arms"
    assert told(arm("bare", HOLD), arm("x", HOLD), arm("y", HOLD)) == "a: hold on all 3 arms"


def test_arms_that_differ_are_named() -> None:
    cells = [arm("bare", HOLD), arm("x", PASS), arm("y", HOLD), arm("z", FIRE_A)]
    assert told(*cells) == f"a: hold, but pass on x; fire {LIST.name} on z"
    assert told(*cells, names_arms=False) == "a: hold, 2 of 4 arms differ"


def test_many_arms_are_counted() -> None:
    cells = [arm("bare", HOLD), *(arm(f"x{n}", PASS) for n in range(5))]
    assert told(*cells) == "a: hold, but pass on 5 of 6 arms"


def test_tools_are_named() -> None:
    assert told(arm("bare", FIRE_A), arm("x", FIRE_A)) == f"a: fire {LIST.name} on both arms"
    assert told(arm("bare", FIRE_A), arm("x", FIRE_B)) == f"a: fire {LIST.name}, but fire {CREATE.name} on x"


def test_adapters_that_agree_are_told_together() -> None:
    cells = [arm("bare", HOLD, adapter=name) for name in ("a", "b")] + [arm("bare", PASS, adapter="c")]
    assert told(*cells) == "a, b: hold | c: pass"


def test_failed_not_run_and_unstable_are_words_of_their_own() -> None:
    assert told(arm("bare", Status.TIMEOUT)) == "a: failed: timeout"
    assert told(arm("bare", Status.TIMEOUT, Status.ERROR)) == "a: failed: timeout and error"
    assert told(arm("bare")) == "a: not run"
    assert told(arm("bare", HOLD, Status.ERROR)) == "a: hold (1 of 2 failed)"
    assert told(arm("bare", HOLD, PASS, PASS)) == "a: hold 1/3 pass 2/3"


def test_two_failures_are_no_agreement_with_an_answer() -> None:
    assert told(arm("bare", Status.ERROR), arm("x", HOLD)) == "a: failed: error, but hold on x"


@pytest.mark.parametrize("width", [40, 60, 80, 100, 120, None])
def test_every_prompt_is_one_line_and_fits(width: int | None) -> None:
    adapters = [f"adapter-{n}" for n in range(6)]
    cells = [
        cell_of(CellKey("s", str(n), name, adapter), bare(f"prompt {n} " + "word " * 40), answer)
        for n in (1, 2, 3)
        for adapter, answer in zip(adapters, [HOLD, PASS, FIRE_A, FIRE_B, HOLD, PASS], strict=True)
        for name in ("bare", "channel")
    ]
    lines = written("text", run_of(cells), style=Style(width=width)).splitlines()
    assert lines[0] == "s"
    assert [line.split()[1] for line in lines[1:4]] == ["1", "2", "3"]
    if width is not None:
        assert all(len(line) <= width for line in lines[:4])


def test_marks_say_the_worst_finding() -> None:
    cells = [cell_of(CellKey("s", str(n), "channel", "a"), bare("x"), HOLD) for n in range(1, 5)]
    findings = [drift("1"), miss("1"), miss("2"), silence("3", "channel", "gone")]
    lines = prompt_lines(run_of(cells), findings)["s"]
    text = written("text", run_of(cells), findings)
    assert [line.worst for line in lines] == [Severity.ERROR, Severity.WARNING, Severity.WARNING, None]
    assert [line.split()[0] for line in text.splitlines()[1:5]] == ["✗", "!", "?", "✓"]
    ascii_text = written("text", run_of(cells), findings, Style(ascii=True))
    assert [line.split()[0] for line in ascii_text.splitlines()[1:5]] == ["x", "!", "?", "."]


def test_results_are_safe() -> None:
    line = prompt_lines(run_of([arm("bare\x1b", HOLD, adapter="a\u202e")]), ())["s"][0]
    assert all(isinstance(part, SafeText) for pair in results(line) for part in pair)
