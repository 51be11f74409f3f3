"""The table of writers: cut to a terminal, whole elsewhere, and the line number is never what is cut."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.cli.lanes_writers_text import table
from workbench.lanes.syntax.excluded import NOTHING
from workbench.lanes.writers.site import Cap, Confidence, Site, SiteKind
from workbench.lanes.writers.survey import Survey
from workbench.report.measure import width_of
from workbench.report.writer import Style


def survey_of(*sites: Site) -> Survey:
    return Survey((), NOTHING, None, sites, sites, (), 1)


def site(file: str = "src/app/handlers/incoming.py", function: str = "handle", line: int = 1_234) -> Site:
    cap = Cap("MAX_INCOMING_PAGE_CHARS", 20_000, 3)
    return Site(
        *(
            file,
            line,
            5,
            line,
            line,
            (line,),
            SiteKind.PUSH,
            Confidence.HIGH,
            function,
            "messages.append(page)",
        ),
        budget=cap,
        fence="<untrusted_page_content>",
        late="after assemble_the_whole_context() in line 1200",
    )


def rows(found: Survey, style: Style) -> list[str]:
    lines = [str(line) for line in table(found, (), style)]
    return lines[: lines.index("")]


def test_piped_nothing_is_cut() -> None:
    head, row = rows(survey_of(site()), Style())
    assert head.split() == ["site", "kind", "function", "lane", "budget", "fence", "late", "stanza"]
    for cell in ("src/app/handlers/incoming.py:1234:5", "20,000 MAX_INCOMING_PAGE_CHARS", "in line 1200"):
        assert cell in row


@pytest.mark.parametrize("width", [60, 80, 120, 160])
def test_on_a_terminal_a_line_is_one_line_and_keeps_its_line_number(width: int) -> None:
    lines = rows(survey_of(site(), site(line=7)), Style(width=width))
    assert all(len(line) <= width for line in lines)
    assert re.match(r"\S*:1234:5  push", lines[1])
    assert ("stanza" in lines[0].split()) == (width >= 120)


@given(st.text(min_size=1, max_size=60), st.text(max_size=60), st.integers(50, 200))
def test_no_name_makes_a_line_longer_than_the_terminal(file: str, function: str, width: int) -> None:
    assert all(
        width_of(line) <= width
        for line in list(table(survey_of(site(file, function)), (), Style(width=width)))[:2]
    )


def test_without_a_glyph_for_what_is_left_out_there_is_a_plain_one() -> None:
    lines = rows(survey_of(site()), Style(width=60, ascii=True))
    assert all(line.isascii() for line in lines)
    assert "..." in lines[1]
