"""What ships is documentation: every file loads, says where it comes from, and does what it claims."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from workbench.core.envelope import unwrap, wrap
from workbench.core.scenario import Scenario
from workbench.core.turn import bare
from workbench.demo import documents, envelopes, table
from workbench.demo.phrases import find
from workbench.files.envelope import load_envelope
from workbench.files.keywords import load_keywords
from workbench.files.locate import find_scenarios
from workbench.files.scenario import load_scenario
from workbench.files.workspace import load_workspace

ROOT = Path(__file__).parents[2]
ENVELOPES = {path.stem: load_envelope(path) for path in sorted((ROOT / "envelopes").glob("*.yaml"))}
SCENARIOS = {path.stem: load_scenario(path, ROOT) for path in find_scenarios(ROOT)}
CANARY = (ROOT / "scenarios" / "canary.txt").read_text(encoding="utf-8")
PHRASES = [phrase for row in table.KEYWORDS for phrase in row.phrases]

scenario = pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS)


class TestKeywords:
    def test_the_file_says_what_the_demos_table_says(self) -> None:
        read = yaml.safe_load((ROOT / "scenarios" / "keywords.yaml").read_text(encoding="utf-8"))
        rows = [
            table.Row(tuple(row["phrases"]), row["tool"], row.get("side_effects", False))
            for row in read["keywords"]
        ]
        assert tuple(rows) == table.KEYWORDS
        assert tuple(read["hold"]) == table.HOLD
        assert set(read) == {"keywords", "hold"}

    def test_the_file_loads(self) -> None:
        loaded = load_keywords(ROOT / "scenarios" / "keywords.yaml")
        assert [entry.tool for entry in loaded.keywords] == [row.tool for row in table.KEYWORDS]
        assert [phrase.text for phrase in loaded.hold] == list(table.HOLD)


class TestScenarios:
    def test_these_ship(self) -> None:
        assert {"canary", "envelope-replay", "paste"} <= set(SCENARIOS)

    @scenario
    def test_each_says_what_it_is_about_and_uses_what_there_is(self, scenario: Scenario) -> None:
        workspace = load_workspace(ROOT)
        assert scenario.about
        assert scenario.adapters and set(scenario.adapters) <= set(workspace.adapters)
        assert scenario.envelopes is not None and set(scenario.envelopes) <= set(ENVELOPES)
        assert all(prompt.expect and prompt.id for prompt in scenario.prompts)

    def test_the_replay_holds_three_and_fires_two(self) -> None:
        replay = SCENARIOS["envelope-replay"]
        spelled = [prompt.expect.spelled for prompt in replay.prompts if prompt.expect]
        assert spelled == ["hold", "hold", "hold", "fire", "fire"]
        assert replay.envelopes == ("channel", "reply")

    def test_the_canary_names_four_tools_in_four_paragraphs(self) -> None:
        paragraphs = CANARY.strip().split("\n\n")[1:]
        tools = {phrase: row.tool for row in table.KEYWORDS for phrase in row.phrases}
        named = [{tools[hit.phrase] for hit in find(PHRASES, paragraph)} for paragraph in paragraphs]
        assert [len(tools) for tools in named] == [1, 1, 1, 1]
        assert set.union(*named) == {row.tool for row in table.KEYWORDS}
        assert find(table.HOLD, CANARY) == []

    def test_the_substitute_is_the_sentence_that_the_gateway_writes_and_matches_nothing(self) -> None:
        substitutes = [prompt.substitute for prompt in SCENARIOS["canary"].prompts if prompt.substitute]
        assert substitutes == [documents.CARRIER]
        assert find([*PHRASES, *table.HOLD], documents.CARRIER) == []

    @pytest.mark.parametrize("name", ["canary", "paste"])
    def test_one_prompt_must_fire_and_the_others_must_not(self, name: str) -> None:
        *silent, control = SCENARIOS[name].prompts
        assert all(prompt.expect and prompt.expect.no_calls for prompt in silent)
        assert control.expect and control.expect.tool == "google-calendar::list-events"

    def test_paste_brings_the_document_of_the_canary(self) -> None:
        pasted = {prompt.paste.path for prompt in SCENARIOS["paste"].prompts if prompt.paste}
        attached = {file.path for prompt in SCENARIOS["canary"].prompts for file in prompt.attach}
        assert pasted == attached == {str(ROOT / "scenarios" / "canary.txt")}


class TestGateway:
    """The demo's frames are the envelopes that ship, so what the replay shows is true of the gateway."""

    def test_its_channel_is_the_envelope_channel(self) -> None:
        assert envelopes.channel("hello", "chat", "u1") == wrap(ENVELOPES["channel"], bare("hello")).text

    def test_its_reply_is_the_envelope_reply(self) -> None:
        slots = ENVELOPES["reply"].slots
        made = envelopes.reply("hello", slots["sender"].example, slots["quoted"].example)
        assert made == wrap(ENVELOPES["reply"], bare("hello")).text

    def test_its_document_has_the_form_of_the_envelope_attached(self, tmp_path: Path) -> None:
        file = tmp_path / "tides.txt"
        file.write_text("High at six.\nLow at noon.\n", encoding="utf-8")
        found = unwrap(ENVELOPES["attached"], documents.join("When is it high?", [str(file)]))
        assert found is not None
        assert found.typed == "When is it high?"
        assert found.document == "High at six.\nLow at noon."
        assert found.slots == {"file": "tides.txt", "number": "1", "card": "Plain text, 25 characters."}
