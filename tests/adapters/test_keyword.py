"""The keyword table as a router: hold before fire, what is scanned, prose and guesses."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.adapters.keyword import KeywordAdapter, scan_span
from workbench.adapters.protocol import Place, Request
from workbench.core.decision import Decision, Outcome
from workbench.core.errors import WorkbenchError
from workbench.core.turn import bare
from workbench.files.keywords import Scan

TABLE = """
keywords:
  - {phrases: [my calendar, calendar event], tool: cal::list}
  - {phrases: [send an email, email to], tool: mail::send, side_effects: true}
hold: [every morning, workflow]
"""


async def decide(tmp_path: Path, text: str, more: str = "") -> Decision:
    table = tmp_path / "table.yaml"
    table.write_text(TABLE + more)
    answer = await KeywordAdapter("k", Place(tmp_path), table=str(table)).decide(Request(bare(text)))
    assert answer.decision is not None
    return answer.decision


@pytest.mark.parametrize(
    ("text", "outcome", "tools"),
    [
        ("what is on my calendar", Outcome.FIRE, ("cal::list",)),
        ("Send an  EMAIL about my calendar", Outcome.FIRE, ("mail::send", "cal::list")),
        ("my calendar and my calendar", Outcome.FIRE, ("cal::list",)),
        ("a workflow for my calendar", Outcome.HOLD, ("cal::list",)),
        ("every morning sing", Outcome.HOLD, ()),
        ("my calendars", Outcome.PASS, ()),
        ("", Outcome.PASS, ()),
    ],
)
async def test_outcome(tmp_path: Path, text: str, outcome: Outcome, tools: tuple[str, ...]) -> None:
    decision = await decide(tmp_path, text)
    assert (decision.outcome, decision.tools) == (outcome, tools)
    assert decision.window is not None
    assert decision.window.text == text
    assert decision.scores is None


async def test_matches_stand_where_they_say(tmp_path: Path) -> None:
    text = "> quoted\nplease put My\n calendar into a workflow"
    decision = await decide(tmp_path, text)
    assert decision.matches is not None
    assert [(m.rule, m.text) for m in decision.matches] == [
        ("my calendar", "My\n calendar"),
        ("workflow", "workflow"),
    ]
    for match in decision.matches:
        assert text[match.start : match.end] == match.text
    assert decision.note == 'hold phrase "workflow"'


@pytest.mark.parametrize(
    ("scan", "window"),
    [
        (Scan.ALL, "\n  \nfirst my calendar\r\nmiddle\nlast send an email\n\n"),
        (Scan.LAST_MESSAGE, "\n  \nfirst my calendar\r\nmiddle\nlast send an email\n\n"),
        (Scan.FIRST_LINE, "first my calendar"),
        (Scan.LAST_LINE, "last send an email"),
    ],
)
async def test_scan(tmp_path: Path, scan: Scan, window: str) -> None:
    text = "\n  \nfirst my calendar\r\nmiddle\nlast send an email\n\n"
    start, end = scan_span(text, scan)
    assert text[start:end] == window
    decision = await decide(tmp_path, text, f"scan: {scan.value}\n")
    assert decision.window is not None
    assert (decision.window.text, decision.window.spans) == (window, ((start, end),))


@pytest.mark.parametrize("text", ["", "\n \n"])
@pytest.mark.parametrize("scan", [Scan.FIRST_LINE, Scan.LAST_LINE])
def test_no_line_is_an_empty_window(text: str, scan: Scan) -> None:
    assert scan_span(text, scan) == (0, 0)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("my calendar please", Outcome.FIRE),
        ("please show my calendar", Outcome.FIRE),
        ("please show my calendar now", Outcome.HOLD),
        ("Hello. My calendar is full", Outcome.FIRE),
    ],
)
async def test_prose(tmp_path: Path, text: str, outcome: Outcome) -> None:
    assert (await decide(tmp_path, text, "prose: hold\n")).outcome is outcome
    assert (await decide(tmp_path, text)).outcome is Outcome.FIRE


async def test_guessed(tmp_path: Path) -> None:
    assert (await decide(tmp_path, "send an email", "guessed: hold\n")).outcome is Outcome.HOLD
    assert (await decide(tmp_path, "my calendar", "guessed: hold\n")).outcome is Outcome.FIRE


async def test_the_fingerprint_is_the_tables(tmp_path: Path) -> None:
    table = tmp_path / "table.yaml"
    table.write_text(TABLE)
    first = KeywordAdapter("k", Place(tmp_path), table=str(table)).fingerprint()
    table.write_text(TABLE + "prose: hold\n")
    assert KeywordAdapter("k", Place(tmp_path), table=str(table)).fingerprint() != first


def test_a_broken_table_is_told_at_its_place(tmp_path: Path) -> None:
    table = tmp_path / "table.yaml"
    table.write_text("keywords:\n  - {phrases: [a]}\n")
    with pytest.raises(WorkbenchError) as raised:
        KeywordAdapter("k", Place(tmp_path), table=str(table))
    (problem,) = raised.value.problems
    assert problem.mark is not None
    assert (problem.mark.line, problem.mark.column) == (2, 5)
