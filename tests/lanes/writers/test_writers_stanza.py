"""Proposed stanzas: the number that the code has, guesses that say so, and valid whatever it is called."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.finding import Severity
from workbench.core.text import is_invisible
from workbench.files.source import Source
from workbench.lanes.check.checking import check_sheet
from workbench.lanes.lane import Lane, Registry, Trust, Unit
from workbench.lanes.sheet import read_sheet
from workbench.lanes.writers.site import Cap, Confidence, Site, SiteKind
from workbench.lanes.writers.stanza import HEAD, propose


def site(**fields: Any) -> Site:
    line = fields.pop("line", 4)
    whole: dict[str, Any] = {
        "file": "src/page.ts",
        "line": line,
        "column": 3,
        "first_line": line,
        "last_line": line,
        "lines": (line,),
        "kind": SiteKind.PUSH,
        "confidence": Confidence.HIGH,
        "function": "buildPageContext",
        "text": "messages.push(page)",
    }
    return Site(**{**whole, **fields})


def lanes_of(*sites: Site, registry: Registry | None = None) -> list[dict[str, Any]]:
    """The stanzas as a reader of TOML has them."""
    proposed = propose(sites, registry, Path.cwd())
    text = "\n".join(dict.fromkeys(str(stanza.toml()) for stanza in proposed.values()))
    return list(tomllib.loads(text).get("lane", []))


def faults(*sites: Site) -> list[str]:
    proposed = propose(sites, None, Path.cwd())
    text = HEAD + "\n".join(dict.fromkeys(str(stanza.toml()) for stanza in proposed.values()))
    return [
        fault.message
        for fault in check_sheet(read_sheet(Source("lanes.toml", text)))
        if fault.severity is Severity.ERROR
    ]


def test_the_private_budget_is_the_budget() -> None:
    (lane,) = lanes_of(site(budget=Cap("MAX_PAGE_CHARS", 20_000, 4), fence="<page_text>"))
    assert lane == {
        "name": "page_text",
        "injector": "src/page.ts buildPageContext",
        "budget": 20_000,
        "priority": 3,
        "trust": "tool",
        "evicts": "cut at the budget",
    }


def test_what_is_not_known_is_said_and_not_made_up() -> None:
    (stanza,) = propose([site(file="src/x.py", function="<module>", text="p += q")], None, Path()).values()
    text = stanza.toml()
    assert 'budget = "uncapped" # no limit was found near it' in text
    assert "priority = 3 # not known" in text
    assert 'trust = "tool" # not known, so the least trusted' in text
    assert 'evicts = "never: nothing near it cuts" # guessed' in text


def test_a_limit_without_a_number_is_named_and_left_to_be_written() -> None:
    (stanza,) = propose([site(budget=Cap("opts.maxChars", None, 9))], None, Path()).values()
    assert 'budget = "uncapped" # bounded by opts.maxChars, line 9: write its number here' in stanza.toml()


def test_a_limit_in_another_unit_says_so() -> None:
    (lane,) = lanes_of(site(budget=Cap("MAX_CONTEXT_TOKENS", 500, 2)))
    assert (lane["budget"], lane["unit"]) == (500, "tokens")
    registry = Registry("lanes.toml", (), Unit.TOKENS)
    assert "unit" not in lanes_of(site(budget=Cap("MAX_TOKENS", 500, 2)), registry=registry)[0]
    assert lanes_of(site(budget=Cap("MAX_CHARS", 500, 2)), registry=registry)[0]["unit"] == "chars"


def test_sites_of_one_function_share_a_stanza_with_the_largest_limit() -> None:
    sites = [site(line=4, budget=Cap("SMALL", 100, 1)), site(line=9, budget=Cap("LARGE", 900, 2))]
    proposed = propose(sites, None, Path())
    (stanza,) = set(proposed.values())
    assert (stanza.budget, stanza.sites) == (900, tuple(sites))
    assert "# LARGE, line 2, the largest of several" in stanza.toml()


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"fence": "<active_context>"}, "active_context"),
        ({"text": "out += '\\n\\n## Recent Memory\\n' + found"}, "recent_memory"),
        ({"text": "messages.push({ role: 'system', content: rollingSummary })"}, "rolling_summary"),
        ({"text": "systemPrompt += scope;"}, "scope"),
        ({"text": "messages.push({ role: 'user', content: text })"}, "page_context"),
        ({"function": "<module>"}, "page"),
        ({"function": "Agent.addNotes"}, "notes"),
    ],
)
def test_a_lane_is_named_after_what_is_put_in(fields: dict[str, Any], name: str) -> None:
    assert lanes_of(site(**fields))[0]["name"] == name


def test_a_lane_that_the_code_names_keeps_its_name_and_a_registered_one_needs_nothing() -> None:
    registry = Registry("lanes.toml", (Lane("memory"),), Unit.CHARS)
    named = [site(lane="memory"), site(lane="scope", line=7), site(lane="scope", file="src/b.ts")]
    (lane,) = lanes_of(*named, registry=registry)
    assert lane["name"] == "scope"


def test_no_two_lanes_get_one_name() -> None:
    registry = Registry("lanes.toml", (Lane("page_context"),), Unit.CHARS)
    sites = [site(), site(file="src/b.ts"), site(file="lib/b.ts"), site(lane="b_page_context")]
    names = [lane["name"] for lane in lanes_of(*sites, registry=registry)]
    assert len(set(names)) == 4
    assert "page_context" not in names


@pytest.mark.parametrize(
    ("words", "trust"),
    [
        ("userQuestion", Trust.OWNER),
        ("toolResults", Trust.TOOL),
        ("rollingSummary", Trust.MODEL),
        ("subagentReport", Trust.CHILD),
        ("houseRules", Trust.POLICY),
    ],
)
def test_trust_is_guessed_from_a_name_and_tells_which(words: str, trust: Trust) -> None:
    (stanza,) = propose([site(function=words, text="p += q")], None, Path()).values()
    assert stanza.trust is trust
    assert stanza.told is not None and stanza.told in words.lower()
    assert f'# guessed from "{stanza.told}"' in stanza.toml()


# What the check reads numbers and judgements out of, and what could end a string or a comment.
NASTY = (
    "max 999999 chars",
    "measured 5,000,000 bytes",
    "MAX_9",
    "tokens",
    " ",
    "`",
    '"',
    "#",
    "\n",
    "\\",
    "]]",
    "/x.py",
)
foreign = st.text(max_size=60) | st.lists(st.sampled_from(NASTY), max_size=6).map("".join)
# A file that is called as a size, "max 9 chars.py", is one to the check.
files = foreign.filter(lambda name: bool(name) and not any(char.isdigit() for char in name))
caps = st.none() | st.builds(Cap, foreign, st.none() | st.integers(0, 10**9), st.integers(1, 10**6))


@given(
    st.lists(
        st.builds(
            site,
            file=files,
            line=st.integers(1, 10**6),
            function=foreign,
            text=foreign,
            lane=st.none() | foreign,
            budget=caps,
            fence=st.none() | foreign,
        ),
        min_size=1,
        max_size=6,
        unique_by=lambda one: (one.file, one.line),
    )
)
def test_no_foreign_text_makes_a_stanza_that_the_check_refuses(sites: list[Site]) -> None:
    assert faults(*sites) == []
    text = "".join(stanza.toml() for stanza in propose(sites, None, Path.cwd()).values())
    assert not any(is_invisible(char) for char in text.replace("\n", ""))
