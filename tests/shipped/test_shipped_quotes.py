"""Commands inside quotations, fences, forwarded and pasted text; and real ones that a quotation hides."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
import yaml
from command import REPOSITORY, Bench

from workbench.core.envelope import wrap
from workbench.core.turn import Author, bare
from workbench.demo.commands import COMMANDS, leading
from workbench.demo.table import HOLD, KEYWORDS, Row
from workbench.files.envelope import load_envelope

QUOTES = ("quoted-command", "quoted-thread", "fenced", "open-fence", "fenced-code", "forwarded", "pasted-log")
IDLE = ("review", "twice", "doctor", "branch", "version", "nothing-typed")


@cache
def report(adapter: str, policy: str) -> Any:
    """The report on the whole scenario by one router, through one policy; each is asked for once."""
    folder = Path(mkdtemp())
    try:
        for name in ("scenarios", "envelopes"):
            shutil.copytree(REPOSITORY / name, folder / name)
        shutil.copy(REPOSITORY / ".workbench.yaml", folder)
        asked = ("quotes-and-code", "--adapter", adapter, "--policy", policy, "--format", "json")
        done = Bench(folder)("run", *asked, "--trust", "--no-save", "--quiet")
        assert done.code in (0, 1), done.said
        return done.json
    finally:
        shutil.rmtree(folder)


def cell(adapter: str, prompt: str, arm: str, policy: str = "none") -> dict[str, Any]:
    (found,) = [
        one for one in report(adapter, policy)["cells"] if (one["prompt"], one["arm"]) == (prompt, arm)
    ]
    return dict(found)


def outcome(adapter: str, prompt: str, arm: str, policy: str = "none") -> str:
    return str(cell(adapter, prompt, arm, policy)["decision"]["outcome"])


def kinds(adapter: str, prompt: str, arm: str, policy: str = "none") -> set[str]:
    found = report(adapter, policy)["findings"]
    return {one["kind"] for one in found if (one["prompt"], one["arm"]) == (prompt, arm)}


class TestWhatSomebodyElseWrote:
    """A router that looks everywhere obeys it; with what stands outside quotes it does not."""

    @pytest.mark.parametrize(
        ("prompt", "arm", "tool"),
        [
            ("review", "quoted-command", "mergebot::merge"),  # k1-13
            ("twice", "fenced", "mergebot::approve"),  # k1-15
            ("twice", "open-fence", "mergebot::approve"),  # k1-15: a fence that is never closed
            ("doctor", "quoted-thread", "dice::roll"),  # k1-17
            ("branch", "fenced-code", "bot::help"),  # k1-26
        ],
    )
    def test_a_quotation_and_a_fence(self, prompt: str, arm: str, tool: str) -> None:
        assert outcome("commands", prompt, "bare") == "pass"
        assert cell("commands", prompt, arm)["tools"][tool] == 2
        assert {"drift", "expectation", "leak"} <= kinds("commands", prompt, arm)
        for policy in ("outside-quotes", "typed-words", "unwrap"):
            assert outcome("commands", prompt, arm, policy) == "pass"
            assert not kinds("commands", prompt, arm, policy) & {"drift", "expectation"}

    def test_the_finding_names_the_line_and_whose_it_is(self) -> None:
        """k1-17: the matched span, its line in the quotation, and its owner."""
        (drift,) = [
            one
            for one in report("commands", "none")["findings"]
            if (one["prompt"], one["arm"], one["kind"]) == ("doctor", "quoted-thread", "drift")
        ]
        (match,) = drift["variant"]["matches"]
        turn = wrap(load_envelope(REPOSITORY / "envelopes/quoted-thread.yaml"), bare("not today, doctor"))
        assert match["author"] == "quoted"
        assert turn.text[match["start"] : match["end"]] == match["text"] == "~r d20"

    def test_a_side_effect_is_known_as_one(self) -> None:
        """k1-13: what fired on the quotation is a tool with side effects."""
        assert next(row for row in COMMANDS if row.tool == "mergebot::merge").side_effects

    def test_a_pasted_line(self) -> None:
        """k1-24: at-signs of a package's scope, a mail address and a path are no file references."""
        assert outcome("commands", "version", "bare") == "pass"
        seen = cell("commands", "version", "pasted-log")
        assert (seen["decision"]["outcome"], seen["tools"]["files::attach"]) == ("fire", 2)
        (match,) = seen["matches"]
        assert match["text"] == "@/etc"
        assert outcome("commands", "version", "pasted-log", "typed-words") == "pass"

    def test_a_forwarded_message(self) -> None:
        """k1-27: no word of the turn is the user's, and nothing may fire."""
        turn = wrap(load_envelope(REPOSITORY / "envelopes/forwarded.yaml"), bare(""))
        assert Author.USER not in {region.author for region in turn.regions}
        assert Author.QUOTED in {region.author for region in turn.regions}
        assert "expectation" in kinds("commands", "nothing-typed", "forwarded")
        assert outcome("commands", "nothing-typed", "forwarded", "typed-words") == "pass"

    @pytest.mark.parametrize("prompt", IDLE)
    def test_typed_words_alone_leave_nothing(self, prompt: str) -> None:
        for arm in ("bare", "quote-link", *QUOTES):
            assert kinds("commands", prompt, arm, "typed-words") == set()


class TestARealCommand:
    """The opposite mistake counts as much: k1-18."""

    def test_a_quotation_hides_it_from_a_router_that_looks_at_the_beginning(self) -> None:
        """k1-18: fire bare, pass behind the link; drift is reported with the weight of any other."""
        assert outcome("leading", "summarize", "bare") == "fire"
        assert outcome("leading", "summarize", "quote-link") == "pass"
        assert {"drift", "expectation"} <= kinds("leading", "summarize", "quote-link")
        assert kinds("leading", "summarize", "quote-link", "typed-words") == set()

    def test_it_still_fires_where_the_link_is_looked_past(self) -> None:
        """k1-18: the typed command still fires."""
        for policy in ("none", "outside-quotes", "typed-words", "unwrap"):
            assert outcome("commands", "summarize", "quote-link", policy) == "fire"

    def test_a_filter_on_fences_loses_what_the_user_fenced(self) -> None:
        assert outcome("commands", "own-fence", "bare") == "fire"
        assert outcome("commands", "own-fence", "bare", "outside-quotes") == "pass"
        assert "expectation" in kinds("commands", "own-fence", "bare", "outside-quotes")
        assert outcome("commands", "own-fence", "bare", "typed-words") == "fire"

    def test_a_quotation_of_the_users_own_does_not_hide_the_command(self) -> None:
        assert outcome("leading", "own-quote", "bare") == "pass"
        assert outcome("leading", "own-quote", "bare", "outside-quotes") == "fire"


class TestTheTables:
    def test_the_file_says_what_both_tables_of_the_demo_say(self) -> None:
        read = yaml.safe_load((REPOSITORY / "scenarios" / "commands.yaml").read_text("utf-8"))
        rows = [
            Row(tuple(row["phrases"]), row["tool"], row.get("side_effects", False))
            for row in read["keywords"]
        ]
        assert tuple(rows) == (*COMMANDS, *KEYWORDS)
        assert tuple(read["hold"]) == HOLD

    @pytest.mark.parametrize(
        ("text", "tool"),
        [
            ("/summarize", "thread::summarize"),
            ("  /SUMMARIZE the thread", "thread::summarize"),
            ("\n\n!ask\nmore", "bot::help"),
            ("/summarized", None),
            ("please /summarize", None),
            ("hello\n/summarize", None),
            ("", None),
        ],
    )
    def test_the_router_that_reads_the_beginning(self, text: str, tool: str | None) -> None:
        answer = leading(text)
        assert [call["name"] for call in answer["calls"]] == ([tool] if tool else [])
        assert "".join(text[start:end] for start, end in answer["spans"]) == answer["scanned"]
        for match in answer["matches"]:
            assert text[match["start"] : match["end"]].lower() == match["text"]
