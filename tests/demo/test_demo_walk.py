"""The walk's captions, held against what happens: every step is run, and every claim is looked up in it."""

from __future__ import annotations

import asyncio
import os
import re
from functools import cache
from pathlib import Path

import pytest

from workbench.cli.bench import Bench
from workbench.cli.telling import explained_sentence, explained_step, rated_sentences, run_step
from workbench.compare.events import declared_event
from workbench.compare.findings import find
from workbench.compare.rates import Verdict, readings
from workbench.compare.window import place
from workbench.core.cell import CellKey, Run
from workbench.core.decision import Decision
from workbench.core.finding import Finding, Severity
from workbench.core.turn import Author
from workbench.demo.walk import CLOSING, RATE, STEPS, Shown, Spot, Step
from workbench.files.workspace import load_workspace, packaged_root
from workbench.store.store import Store

NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
OUTCOMES = {"pass": "pass", "fire": "fire", "hold": "hold"}

step = pytest.mark.parametrize("step", STEPS, ids=[step.title for step in STEPS])
claim = pytest.mark.parametrize(
    ("step", "shown"),
    [(step, shown) for step in STEPS for shown in step.shown],
    ids=[f"{step.title}: {CellKey(*shown.at)}" for step in STEPS for shown in step.shown],
)


@cache
def ran(step: Step) -> tuple[Run, tuple[Finding, ...]]:
    """A step as the command runs it, and what is found in that."""
    bench = Bench(load_workspace(packaged_root(), packaged=True), Path(os.path.realpath(Path.cwd())))
    with Store.temporary() as store:
        run = asyncio.run(run_step(bench, step, store))
    return run, find(run)


def errors(step: Step, key: CellKey) -> list[str]:
    """The headlines of a cell's error findings."""
    return [
        finding.headline
        for finding in ran(step)[1]
        if finding.severity is Severity.ERROR
        and (finding.scenario, finding.prompt, finding.arm, finding.adapter)
        == (key.scenario, key.prompt, key.arm, key.adapter)
    ]


@claim
def test_what_a_step_says_of_a_cell_is_so(step: Step, shown: Shown) -> None:
    cell = ran(step)[0].cell(CellKey(*shown.at))
    assert cell is not None and cell.failed == 0
    assert dict(cell.outcomes) == {shown.outcome: len(cell.trials)}
    seen = decision(step, shown.at)
    assert seen.tools == shown.tools
    if shown.matched is not None:
        assert seen.matches is not None
        assert tuple(match.rule for match in seen.matches) == shown.matched
    assert seen.window is not None and seen.window.text.startswith(shown.read)


@claim
def test_it_names_all_error_findings_of_a_cell(step: Step, shown: Shown) -> None:
    found = errors(step, CellKey(*shown.at))
    assert len(found) == len(shown.headed)
    for headline, words in zip(found, shown.headed, strict=True):
        assert headline.startswith(words)


@step
def test_the_cell_to_stand_on_is_one_of_those_it_tells_of(step: Step) -> None:
    counted = {step.at} if step.counted else set()
    assert step.at in {shown.at for shown in step.shown} | {rated.at for rated in step.rated} | counted


@step
def test_every_adapter_and_outcome_that_a_caption_names_is_shown(step: Step) -> None:
    said = " ".join(step.caption)
    adapters = set(load_workspace(packaged_root()).adapters) & set(re.findall(r"[a-z]+", said))
    assert adapters == {shown.at.adapter for shown in step.shown}
    told = {word for word in OUTCOMES if re.search(rf"\b{word}(s|es)?\b", said)}
    outcomes = {shown.outcome for shown in step.shown}
    # What a cell does unseen beside the point needs no word, but no word may lack its cell.
    assert told <= outcomes


@step
def test_every_phrase_that_a_caption_quotes_was_matched(step: Step) -> None:
    quoted = re.findall(r'"([^"]+)"', " ".join(step.caption))
    matched = {phrase for shown in step.shown for phrase in shown.matched or ()}
    assert set(quoted) <= matched


@step
def test_every_number_of_tools_is_right(step: Step) -> None:
    counts = re.findall(r"\b(\w+) tools", " ".join(step.caption))
    fired = {len(shown.tools) for shown in step.shown if shown.outcome == "fire"}
    assert {NUMBERS[word] for word in counts} <= fired


class TestWhatElseTheCaptionsSay:
    """Claims that are not about one cell's decision."""

    def test_the_page_is_read_with_the_file_and_fixed_reads_what_was_typed(self) -> None:
        canary = STEPS[0]
        for arm, adapter in (("attached", "naive"), ("attach", "entry")):
            assert Author.ATTACHMENT in authors(canary, canary.at._replace(arm=arm, adapter=adapter))
        assert authors(canary, canary.at._replace(adapter="fixed")) == {Author.USER}

    def test_the_words_that_did_it_are_the_phrases_of_the_page(self) -> None:
        words = STEPS[1]
        bench = Bench(load_workspace(packaged_root(), packaged=True), Path(os.path.realpath(Path.cwd())))
        found = asyncio.run(explained_step(bench, words))
        assert found.minimal and found.names_a_cause
        told = explained_sentence(words, found)
        quoted = re.findall(r'"([^"]+)"', told)
        # A phrase may be cut where less of it still fires the tool.
        for phrase, matched in zip(quoted, words.shown[0].matched or (), strict=True):
            assert set(phrase.split()) & set(matched.split())
        assert f"{found.calls} calls" in told

    def test_the_tag_is_all_that_held_reads_on_the_channel(self) -> None:
        envelope = STEPS[2]
        assert authors(envelope, envelope.at) == {Author.TRANSPORT}
        assert authors(envelope, envelope.at._replace(arm="bare")) == {Author.USER}

    def test_held_names_the_tool_that_naive_calls(self) -> None:
        hold = STEPS[3]
        called, named = decision(hold, hold.at), decision(hold, hold.at._replace(adapter="held"))
        assert named.tools == called.called
        assert named.called == ()

    def test_nothing_that_is_shown_closes_the_hole(self) -> None:
        hole = STEPS[4]
        for name in ran(hole)[0].adapters:
            assert decision(hole, hole.at._replace(adapter=name)).called

    def test_the_fix_is_shown_on_every_prompt_and_arm_and_has_no_finding(self) -> None:
        run, found = ran(STEPS[5])
        assert {cell.key for cell in run.cells} == {CellKey(*shown.at) for shown in STEPS[5].shown}
        assert found == ()


def decision(step: Step, at: Spot) -> Decision:
    cell = ran(step)[0].cell(CellKey(*at))
    assert cell is not None and cell.decision is not None
    return cell.decision


def authors(step: Step, at: Spot) -> set[Author]:
    """Who wrote what a cell read, white space aside."""
    cell, window = ran(step)[0].cell(CellKey(*at)), decision(step, at).window
    assert cell is not None and window is not None
    placed = place(window, cell.delivery.turn, cell.delivery.typed)
    return {part.author for part in placed.parts if placed.text[part.start : part.end].strip()}


class TestRates:
    """The step with a model that samples, from the recording that ships."""

    sampled = next(step for step in STEPS if step.rated)

    def test_every_number_is_one_of_the_run(self) -> None:
        run = ran(self.sampled)[0]
        told = rated_sentences(self.sampled, run)
        assert len(told) == len(self.sampled.rated)
        for rated, sentence in zip(self.sampled.rated, told, strict=True):
            here = run.cell(CellKey(*rated.at))
            bare = run.cell(CellKey(*rated.at._replace(arm="bare")))
            assert here is not None and bare is not None
            event = declared_event(here.delivery)
            for cell in (here, bare):
                k = sum(event.happened(trial.decision) for trial in cell.ok if trial.decision)
                assert f"{k} of {len(cell.ok)}" in sentence
            reading = readings(run)[here.key]
            assert reading.words in sentence

    def test_no_number_stands_in_the_walk_itself(self) -> None:
        sentences = [*self.sampled.caption, *(rated.sentence for rated in self.sampled.rated)]
        assert not re.search(r"\d", " ".join(sentences))
        assert all(rated.sentence.count(RATE) == 1 for rated in self.sampled.rated)

    def test_one_of_the_two_is_drift_and_one_is_not_settled(self) -> None:
        known = readings(ran(self.sampled)[0])
        verdicts = [known[CellKey(*rated.at)].verdict for rated in self.sampled.rated]
        assert verdicts == [Verdict.DRIFT, Verdict.UNDECIDED]


@step
def test_a_caption_is_short_and_whole_sentences(step: Step) -> None:
    sentences = (*step.caption, *(rated.sentence for rated in step.rated), *filter(None, [step.counted]))
    assert 2 <= sum(len(re.findall(r"[.!?](?:\s|$)", text)) for text in sentences) <= 4
    assert all(text.endswith(".") for text in sentences)
    assert len(" ".join(sentences)) <= 300


def test_the_closing_names_verbs_that_there_are() -> None:
    import contextlib
    import io

    from workbench.cli.parser import build_parser

    assert len(CLOSING) == 3
    verbs = re.findall(r"workbench (\w+)", " ".join(CLOSING))
    assert set(verbs) == {"new", "run"}
    for verb in verbs:
        with contextlib.redirect_stdout(io.StringIO()), pytest.raises(SystemExit) as left:
            build_parser().parse_args([verb, "--help"])
        assert left.value.code == 0
