"""Markdown: read back with a CommonMark parser, foreign text stands in code and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from report_runs import Told, cell_of, finding_of, run_of, seed_run, told_window, written

from workbench.core.cell import CellKey
from workbench.core.decision import Decision, Outcome
from workbench.core.finding import Kind, Severity
from workbench.core.text import visible
from workbench.core.turn import Author, bare
from workbench.report.as_markdown import code_span, fence

HOSTILE = [
    "`",
    "``` \n```\n# out",
    "a|b\n|---|---|",
    "</code></pre><script>alert(1)</script>",
    "[click](javascript:x)",
    "![x](http://localhost/x.png)",
    "@everyone #12",
    "\\`",
    "**bold** _it_ ~~gone~~",
    "<!-- hidden",
    "- item\n1. item\n> quote",
    " leading and trailing ",
    "`` ` ``` ````",
]


def tokens(text: str) -> Iterator[Token]:
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        yield token
        yield from token.children or ()


def prose(text: str) -> str:
    """All that stands outside of code."""
    return "".join(token.content for token in tokens(text) if token.type == "text")


@pytest.mark.parametrize("text", [*HOSTILE, "", " ", "  ", "plain"])
def test_a_code_span_cannot_be_ended_from_inside(text: str) -> None:
    span = code_span(visible(text))
    inline = [token for token in tokens(f"before {span} after") if token.type == "code_inline"]
    if text:
        assert [token.content for token in inline] == [visible(text)]
    else:
        assert span == "*nothing (empty)*"


@given(st.text(alphabet=st.sampled_from("`~ab| \\<>"), min_size=1))
def test_any_code_span_comes_back(text: str) -> None:
    parsed = list(tokens(f"x {code_span(visible(text))} y"))
    assert [token.content for token in parsed if token.type == "code_inline"] == [text]
    assert prose(f"x {code_span(visible(text))} y") == "x  y"


def hostile_report(text: str) -> str:
    key = CellKey(f"sc {text}", f"id {text}", f"arm {text}", f"ad {text}")
    variant = Told(key.arm, "pass", told_window(text, (0, len(text), Author.USER)), note=text, error=text)
    finding = finding_of(
        *(Kind.DRIFT, Severity.ERROR, key, f"HEAD {text}", Told("bare", "hold"), variant),
        typed=text,
        file=text,
        command=text,
        other=text,
    )
    cell = cell_of(key, bare(text), Decision(Outcome.PASS, note=text))
    return written("markdown", run_of([cell]), [finding])


@pytest.mark.parametrize("text", HOSTILE)
def test_foreign_text_stands_in_code_only(text: str) -> None:
    report = hostile_report(text)
    kinds = {token.type for token in tokens(report)}
    assert kinds.isdisjoint(
        {"html_block", "html_inline", "link_open", "image", "table_open", "strong_open", "code_block", "hr"}
    )
    assert "HEAD" not in prose(report)
    code = "".join(token.content for token in tokens(report) if token.type in ("code_inline", "fence"))
    assert code.count(visible(text).strip()) >= 8
    words = re.sub(r"[\d.,:()×·→✗✓!> -]", "", prose(report))
    assert words == "errordriftAgain"


@settings(max_examples=50)
@given(st.text(alphabet=st.characters(codec="utf-8") | st.sampled_from("`~|\n<>[]()*_#\\"), max_size=60))
def test_any_text_leaves_the_shape_of_the_report_alone(text: str) -> None:
    shape = [token.type for token in tokens(hostile_report("x")) if token.type != "softbreak"]
    other = [token.type for token in tokens(hostile_report(text or "x")) if token.type != "softbreak"]
    assert other == shape


def test_a_fence_is_longer_than_any_run_inside() -> None:
    assert fence([visible("a"), visible("````")]) == "`````"
    assert fence([visible("a")]) == "```"


def test_the_summary_and_every_prompt_stand_first() -> None:
    run, findings = seed_run()
    lines = written("markdown", run, findings).splitlines()
    assert lines[1].startswith("> `FAILED  3 errors, 3 warnings")
    assert lines[3] == "### `envelope-replay`"
    assert lines[5].startswith("- ✗ `build` `build me a workflow")
    assert lines[5].endswith("→ `held: hold, but pass on channel`")


def test_a_pasted_diff_shows_its_signs_in_the_first_column() -> None:
    run, findings = seed_run()
    report = written("markdown", run, findings)
    assert "\n```diff\n" in report
    assert '\n+ T   │ <untrusted_channel_message channel="chat" from="u1">\n' in report
