"""Hostile text in every place of a run, through every format: nothing raw, nothing gone, nothing crashes."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_runs import Told, finding_of, told_window, turn_of, written

from workbench.core.cell import AdapterInfo, Cell, CellKey, Delivery, Run
from workbench.core.decision import (
    Decision,
    Json,
    Match,
    Outcome,
    Score,
    ToolCall,
    Window,
    WindowSource,
)
from workbench.core.finding import Finding, Kind, Severity
from workbench.core.text import is_invisible, visible
from workbench.core.trial import Status, Trial
from workbench.core.turn import Author
from workbench.report.formats import FORMATS
from workbench.report.writer import Style

HOSTILE = {
    "markup": "[/bold] [red]x",
    "envelope": "[attachment: notes.pdf] hello",
    "colour": "\x1b[31mred\x1b[0m",
    "title": "\x1b]0;PWNED\x07",
    "clipboard": "\x1b]52;c;aGk=\x1b\\",
    "c1": "\x9b31m\x90q\x9c",
    "bidi": "a\u202eb\u2066c\u2069",
    "zero width": "c\u200ba\u200dl\ufeffx\u00ad",
    "nul": "a\x00b\x7fc",
    "surrogate": "a\ud800b\udfffc",
    "lines": "one\ntwo\rthree\u2028four\x85five",
    "spaces": "a\u00a0b\u2003c \t",
    "variation": "a\ufe0fb\U000e0041c",
    "html": "</code><script>alert('x')</script>&amp;&#27;",
    "cdata": "]]><!ENTITY x><?xml?>",
    "ticks": "````\n# out of the fence",
    "table": "a|b\n|---|---|",
}
STYLES = {
    "piped": Style(),
    "ascii": Style(ascii=True),
    "narrow": Style(width=40),
    "wide": Style(width=160),
}
PLACES = (
    *("scenario", "prompt", "arm", "adapter", "typed", "window", "tool", "argument", "value", "error"),
    *("file", "route", "rule", "phrase", "note", "headline", "command", "evidence", "fingerprint"),
)


def clean(report: str) -> bool:
    return not any(is_invisible(char) for char in report if char != "\n")


def hostile_run(text: str, only: str | None = None) -> tuple[Run, tuple[Finding, ...]]:
    """A run with `text` in every place, or in one of them only."""

    def at(place: str) -> str:
        return f"{place}:{text}:" if only in (None, place) else place

    key = CellKey(*(at(place) for place in ("scenario", "prompt", "arm", "adapter")))
    base = replace(key, arm="bare")
    calls = (ToolCall(at("tool"), {at("argument"): at("value")}), ToolCall(at("tool")))
    scores = (Score(at("route"), 0.7, 0.5), Score("other", 0.2))
    matches = (Match(at("rule"), at("phrase"), 0, 3), Match(at("rule")))
    read = Window(at("window"), WindowSource.REPORTED)
    decision = Decision(Outcome.FIRE, calls, (read,), scores, matches, at("note"), at("note"), (at("note"),))
    turn = turn_of(at("typed"), (at("window"), Author.TRANSPORT), (at("typed"), Author.USER))
    failed = Trial(1, Status.ERROR, error=at("error"), raw=at("error"), log=at("error"))
    trials = (Trial(0, Status.OK, decision), failed)
    cells = tuple(
        Cell(Delivery(cell_key, at("typed"), turn, file=at("file")), trials) for cell_key in (base, key)
    )
    told: list[Json] = [
        {"rule": m.rule, "text": m.text, "start": m.start, "end": m.end, "author": "user", "line": 1}
        for m in matches
    ]
    half = len(at("window")) // 2
    parts = ((0, half, Author.TRANSPORT), (half, len(at("window")), Author.USER))
    variant = Told(key.arm, "fire", told_window(at("window"), *parts), calls, scores, told, 2, 1)  # type: ignore[arg-type]
    variant.note, variant.error = at("note"), at("error")
    variant.statuses = {"ok": 1, "error": 1}
    silent = Told(key.arm, None, None, ok=0, statuses={at("error"): 2}, error=at("error"))
    typed = Told("bare", "hold", told_window(at("typed"), (0, len(at("typed")), Author.USER)))
    more: dict[str, Json] = {
        "typed": at("typed"),
        "file": at("file"),
        "command": at("command"),
        "own": at("evidence"),
        "lists": [at("evidence"), {at("evidence"): [1, at("evidence")]}],
        "arguments": [
            {"tool": at("tool"), "path": at("argument"), "value": at("value"), "authors": ["user"]}
        ],
        "answers": [{"trials": [0], "outcome": "fire", "calls": [at("tool")], "window": at("window")}],
    }
    findings = (
        finding_of(Kind.DRIFT, Severity.ERROR, key, at("headline"), typed, variant, **more),
        finding_of(Kind.LEAK, Severity.WARNING, key, at("headline"), typed, variant, **more),
        finding_of(Kind.NO_VERDICT, Severity.WARNING, base, at("headline"), None, silent, **more),
        finding_of(Kind.UNDECIDED, Severity.WARNING, replace(key, prompt="p"), at("headline"), silent, typed),
    )
    infos = {at("adapter"): AdapterInfo(at("adapter"), "python", at("fingerprint"))}
    return Run(at("note"), at("note"), 1.0, infos, cells, {"argv": [at("evidence")]}), findings


@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)
@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_nothing_raw_comes_out(text: str, name: str, style: Style) -> None:
    run, findings = hostile_run(text)
    assert clean(written(name, run, findings, style))


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_colour_adds_our_own_escapes_and_no_others(text: str) -> None:
    run, findings = hostile_run(text)
    plain = written("text", run, findings, Style(width=160))
    coloured = written("text", run, findings, Style(colour=True, width=160))
    for sgr in sorted({part.split("m")[0] for part in coloured.split("\x1b[")[1:]}):
        assert set(sgr) <= set("0123456789;")
        coloured = coloured.replace(f"\x1b[{sgr}m", "")
    assert coloured == plain


@pytest.mark.parametrize("place", [place for place in PLACES if place != "fingerprint"])
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_nothing_vanishes_from_text(text: str, place: str) -> None:
    """From every place its text comes out, each character as itself or as its mark."""
    run, findings = hostile_run(text, only=place)
    report = written("text", run, findings)
    lines = [visible(line) for line in f"{place}:{text}:".split("\n")]
    quoted = json.dumps(text, ensure_ascii=False)[1:-1]
    whole = (visible(f"{place}:{text}:"), visible(f"{place}:{quoted}:"))
    assert any(words in report for words in whole) or all(line in report for line in lines)


@pytest.mark.parametrize("name", ["junit", "markdown"])
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_nothing_vanishes_from_junit_and_markdown(text: str, name: str) -> None:
    run, findings = hostile_run(text)
    report = written(name, run, findings)
    if name == "junit":
        root = ET.fromstring(report)
        report = "\n".join([value for item in root.iter() for value in item.attrib.values()])
        report += "\n".join(root.itertext())
    for place in ("scenario", "prompt", "arm", "adapter", "tool", "error", "route", "note", "headline"):
        assert visible(f"{place}:{text}:") in report, place


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_json_is_lossless(text: str) -> None:
    run, findings = hostile_run(text)
    report: dict[str, Any] = json.loads(written("json", run, findings))
    cell = report["cells"][1]
    assert cell["typed"] == f"typed:{text}:"
    assert cell["window"]["head"] == f"window:{text}:"[:80]
    assert cell["decision"]["calls"][0]["arguments"] == {f"argument:{text}:": f"value:{text}:"}
    assert cell["errors"][0]["error"] == f"error:{text}:"
    assert report["findings"][0]["evidence"]["command"] == f"command:{text}:"
    assert report["run"]["adapters"] == {
        f"adapter:{text}:": {"use": "python", "fingerprint": f"fingerprint:{text}:"}
    }


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=40), st.sampled_from(list(FORMATS)), st.sampled_from(list(STYLES.values())))
def test_any_text_through_any_format(text: str, name: str, style: Style) -> None:
    run, findings = hostile_run(text)
    report = written(name, run, findings, style)
    assert clean(report)
    if name == "json":
        assert json.loads(report)["cells"][0]["typed"] == f"typed:{text}:"
    if name == "junit":
        ET.fromstring(report)


MEGABYTES = {
    "one word": "x" * 1_000_000,
    "escapes": "\x1b[1m" * 250_000,
    "wide and bidi": "日\u202e" * 500_000,
    "lines": "w \n" * 80_000,
    "words": "word " * 200_000,
}


@pytest.mark.parametrize("line", MEGABYTES.values(), ids=MEGABYTES)
@pytest.mark.parametrize("name", ["text", "markdown", "junit"])
def test_a_megabyte_is_folded(line: str, name: str) -> None:
    """The report stays something that a person reads, and says how much it left out."""
    run, findings = hostile_run(line)
    report = written(name, run, findings, Style(width=120))
    assert len(report) < 600_000
    assert "characters" in report
    assert clean(report)


def test_a_megabyte_is_whole_in_json() -> None:
    run, findings = hostile_run("\x1b" * 1_000_000, only="typed")
    report = json.loads(written("json", run, findings))
    assert len(report["cells"][0]["typed"]) == 1_000_007
