"""The scenarios that ship, run by the real command: every router of the demo shows the bug it stands for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from command import Bench, Done

from workbench.demo.gateway import LOG_VARIABLE

WORKFLOWS = ["build", "morning", "whenever"]
TAG = '<untrusted_channel_message channel="chat" from="u1">'
TOOLS = {
    "click": "browser::open-session",
    "send an email": "gmail::message_send",
    "delete the records": "crm::delete-records",
    "calendar event": "google-calendar::list-events",
}


def run(bench: Bench, *arguments: str, log: Path | None = None) -> Done:
    env = {LOG_VARIABLE: str(log)} if log else None
    done = bench("run", *arguments, "--format", "json", "--trust", "--no-save", "--quiet", env=env)
    assert done.code in (0, 1), done.said
    return done


def findings(done: Done, **wanted: str) -> list[dict[str, Any]]:
    """The findings of a report whose fields have these values."""
    found: list[dict[str, Any]] = done.json["findings"]
    return [one for one in found if all(one[field] == value for field, value in wanted.items())]


def cells(done: Done, **wanted: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = done.json["cells"]
    return [one for one in found if all(one[field] == value for field, value in wanted.items())]


def outcomes(done: Done, arm: str) -> list[str]:
    return [cell["decision"]["outcome"] for cell in cells(done, arm=arm)]


class TestEnvelopeReplay:
    def test_naive_fires_on_workflows(self, shipped: Bench) -> None:
        done = run(shipped, "scenarios/envelope-replay.yaml", "--adapter", "naive")
        assert done.code == 1
        fired = findings(done, kind="expectation", arm="bare")
        assert [one["prompt"] for one in fired] == WORKFLOWS
        assert [one["headline"].startswith("FIRED ON WORKFLOW") for one in fired] == [True, True, False]
        assert findings(done, kind="drift") == []

    def test_held_holds_bare_and_reads_the_tag_on_a_channel(self, shipped: Bench) -> None:
        done = run(shipped, "scenarios/envelope-replay.yaml", "--adapter", "held")
        assert done.code == 1
        assert outcomes(done, "bare") == ["hold", "hold", "hold", "fire", "fire"]
        assert outcomes(done, "channel") == ["pass"] * 5
        for kind in ("drift", "miss"):
            assert [one["prompt"] for one in findings(done, kind=kind, arm="channel")][:3] == WORKFLOWS
        assert {cell["window"]["head"] for cell in cells(done, arm="channel")} == {TAG}

    def test_fixed_is_right_on_every_arm_and_reads_the_users_words_alone(self, shipped: Bench) -> None:
        done = run(shipped, "scenarios/envelope-replay.yaml", "--adapter", "fixed")
        assert (done.code, done.json["findings"]) == (0, [])
        for cell in cells(done):
            assert (cell["window"]["user_coverage"], cell["window"]["foreign_share"]) == (1, 0)

    @pytest.mark.parametrize("name", ["channel", "reply"])
    def test_carved_passes_where_it_knows_the_envelope(self, shipped: Bench, name: str) -> None:
        done = run(shipped, "scenarios/envelope-replay.yaml", "--adapter", "carved", "--envelope", name)
        assert (done.code, done.json["findings"]) == (0, [])
        assert outcomes(done, name) == outcomes(done, "bare") == ["hold", "hold", "hold", "fire", "fire"]

    def test_carved_fails_on_an_envelope_it_was_not_told_of(self, shipped: Bench) -> None:
        name = "group-chat"
        done = run(shipped, "scenarios/envelope-replay.yaml", "--adapter", "carved", "--envelope", name)
        assert done.code == 1
        assert len(findings(done, kind="drift", arm=name)) == 5
        assert len(findings(done, kind="miss", arm=name)) == 5

    def test_fixed_is_right_on_all_envelopes_that_ship(self, shipped: Bench) -> None:
        names = sorted(path.stem for path in (shipped.folder / "envelopes").glob("*.yaml"))
        asked = [argument for name in names for argument in ("--envelope", name)]
        done = run(shipped, "envelope-replay", "canary", "--adapter", "fixed", *asked)
        assert (done.code, findings(done, severity="error")) == (0, [])
        assert {cell["arm"] for cell in cells(done)} == {"bare", "substitute", *names}


class TestCanary:
    def test_naive_drifts_on_what_the_document_names(self, shipped: Bench) -> None:
        done = run(shipped, "scenarios/canary.yaml", "--adapter", "naive")
        assert done.code == 1
        drift = findings(done, kind="drift")
        assert [one["prompt"] for one in drift] == ["question", "bare-file", "control"]
        assert {one["arm"] for one in drift} == {"attached"}
        assert all(one["headline"].startswith("ATTACHMENT DRIFT") for one in drift)
        [bare] = cells(done, prompt="question", arm="bare")
        [attached] = cells(done, prompt="question", arm="attached")
        assert bare["window"]["length"] == len(bare["typed"])
        assert attached["window"]["length"] > 10 * bare["window"]["length"]
        assert attached["tools"] == dict.fromkeys(TOOLS.values(), 2)

    def test_the_substitute_alone_changes_nothing(self, shipped: Bench) -> None:
        done = run(shipped, "scenarios/canary.yaml", "--adapter", "naive", "--adapter", "fixed")
        assert outcomes(done, "substitute") == ["pass", "pass"]
        assert findings(done, arm="substitute") == []

    def test_the_gateway_drifts_and_takes_no_step_after_its_router(
        self, shipped: Bench, tmp_path: Path
    ) -> None:
        log = tmp_path / "steps.log"
        done = run(shipped, "scenarios/canary.yaml", "--adapter", "entry", log=log)
        assert done.code == 1
        assert [one["arm"] for one in findings(done, kind="drift")] == ["attach"] * 3
        assert {cell["window"]["source"] for cell in cells(done)} == {"captured"}
        steps = [line.split()[0] for line in log.read_text(encoding="utf-8").splitlines()]
        assert steps == ["message", "routing"] * 12  # 3 prompts, 2 arms, 2 trials

    def test_fixed_is_not_moved_and_still_fires_with_the_file_beside_it(self, shipped: Bench) -> None:
        done = run(shipped, "scenarios/canary.yaml", "--adapter", "fixed")
        assert (done.code, done.json["findings"]) == (0, [])
        [control] = cells(done, prompt="control", arm="attached")
        assert control["tools"] == {"google-calendar::list-events": 2}


class TestPaste:
    @pytest.mark.parametrize("adapter", ["keywords", "fixed"])
    def test_a_pasted_page_fools_a_router_that_reads_what_was_typed(
        self, shipped: Bench, adapter: str
    ) -> None:
        done = run(shipped, "scenarios/paste.yaml", "--adapter", adapter)
        assert done.code == 1
        [drift] = findings(done, kind="drift")
        assert drift["headline"].startswith("PASTE DRIFT")
        assert (drift["prompt"], drift["arm"]) == ("question", "paste")
        [pasted] = cells(done, arm="paste")
        assert set(pasted["tools"]) == set(TOOLS.values())


def test_the_report_says_which_phrase_matched_and_where_in_the_document(shipped: Bench) -> None:
    done = shipped("run", "canary#question", "--adapter", "naive", "--trust", "--no-save", "--quiet")
    document = (shipped.folder / "scenarios" / "canary.txt").read_text(encoding="utf-8")
    for phrase in TOOLS:
        assert phrase in document
        [line] = [line for line in done.text.splitlines() if f'"{phrase}" at ' in line]
        assert "in the attachment" in line
