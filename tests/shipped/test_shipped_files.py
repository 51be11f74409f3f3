"""What ships is documentation: every file loads, says where it comes from, and does what it claims."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from workbench.core.envelope import Envelope, Ingress, unwrap, wrap
from workbench.core.scenario import Scenario
from workbench.core.turn import Author, Region, bare, user_spans
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

TYPED = [
    "what's on my calendar today",
    'two lines,\nwith "quotes", a \\ and <tags> & braces {text} {document}',
    "ends with a colon:",
    "日程を見せて 🦀",
]
envelope = pytest.mark.parametrize("envelope", ENVELOPES.values(), ids=ENVELOPES)
scenario = pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS)


class TestEnvelopes:
    def test_there_are_ten_or_more_and_every_ingress_kind_is_among_them(self) -> None:
        assert len(ENVELOPES) >= 10
        assert {envelope.ingress for envelope in ENVELOPES.values()} == set(Ingress)
        assert {"channel", "reply", "attached"} <= set(ENVELOPES)

    @envelope
    def test_each_names_its_source_and_claims_no_capture(self, envelope: Envelope) -> None:
        assert envelope.source.origin
        assert envelope.source.status in ("provisional", "hand-written")

    @envelope
    def test_words_that_are_ours_are_owned_up_to(self, envelope: Envelope) -> None:
        ours = "is ours" in envelope.source.origin
        assert ours == (envelope.source.status == "hand-written")
        assert ours == ("is ours" in Path(envelope.file).read_text(encoding="utf-8").split("template:")[0])

    @envelope
    def test_each_begins_with_a_comment_that_says_what_it_is(self, envelope: Envelope) -> None:
        first = Path(envelope.file).read_text(encoding="utf-8").splitlines()[0]
        assert first.startswith("# ")

    @envelope
    def test_every_declared_slot_stands_in_the_template_with_an_example(self, envelope: Envelope) -> None:
        for name, slot in envelope.slots.items():
            assert f"{{{name}}}" in envelope.template
            assert slot.example

    @envelope
    @pytest.mark.parametrize("typed", TYPED)
    def test_the_words_and_the_document_come_out_as_they_went_in(
        self, envelope: Envelope, typed: str
    ) -> None:
        document = CANARY if envelope.carries_document else None
        turn = wrap(envelope, bare(typed), document)
        found = unwrap(envelope, turn.text)
        assert found is not None
        assert found.document == document
        assert found.slots == {name: slot.example for name, slot in envelope.slots.items()}
        assert found.typed == typed or found.lossy

    @envelope
    def test_the_words_stand_in_a_region_of_the_users_and_nothing_else_does(self, envelope: Envelope) -> None:
        turn = wrap(envelope, bare(TYPED[0]), CANARY)
        assert [turn.text[start:end] for start, end in user_spans(turn)] == [TYPED[0]]

    @envelope
    def test_the_frame_holds_no_phrase_of_the_table(self, envelope: Envelope) -> None:
        assert find([*PHRASES, *table.HOLD], wrap(envelope, bare("hello"), "").text) == []

    def test_a_quote_and_a_history_are_not_the_transports(self) -> None:
        authors = {
            name: {region.author for region in wrap(envelope, bare("hello"), "a page").regions}
            for name, envelope in ENVELOPES.items()
        }
        for name in ("reply", "mail-reply"):
            assert authors[name] == {Author.USER, Author.TRANSPORT, Author.QUOTED}
        assert authors["group-chat"] == {Author.USER, Author.TRANSPORT, Author.HISTORY}
        for name in ("attached", "retrieved"):
            assert authors[name] == {Author.USER, Author.TRANSPORT, Author.ATTACHMENT}

    def test_the_channel_stands_round_the_words(self) -> None:
        turn = wrap(ENVELOPES["channel"], bare("hello"))
        tag = '<untrusted_channel_message channel="chat" from="u1">\n'
        assert turn.text.startswith(f"{tag}hello\n</untrusted_channel_message>\n\n<channel_rules>")
        assert Region(len(tag), len(tag) + 5, Author.USER) in turn.regions

    @pytest.mark.parametrize(
        ("name", "typed", "turn"),
        [
            ("mention", "is a < b & c?", "<@U04BENCH1> is a &lt; b &amp; c?"),
            ("tool-feedback", 'say "no"\n', '{"status":"denied","feedback":"say \\"no\\"\\n"}'),
            ("voice-note", "call ana", "[Audio]\nTranscript:\ncall ana"),
            ("reply", "yes", "> <@ana:example.org> The boat leaves at nine tomorrow.\n\nyes"),
        ],
    )
    def test_an_envelope_gives_exactly_this(self, name: str, typed: str, turn: str) -> None:
        assert wrap(ENVELOPES[name], bare(typed)).text == turn

    def test_space_at_the_end_and_line_ends_of_mail_survive_the_file(self) -> None:
        assert ENVELOPES["retrieved"].template.endswith("\nAnswer: ")
        assert ENVELOPES["retrieved"].template.splitlines()[1] == "-" * 21
        mail = wrap(ENVELOPES["mail-reply"], bare("one\ntwo")).text
        assert mail.startswith("one\r\ntwo\r\n\r\nOn ")
        assert mail.count("\n") == mail.count("\r\n")

    def test_an_attached_file_loses_its_token_and_keeps_its_text(self) -> None:
        turn = wrap(ENVELOPES["attached"], bare("what is in  @doc:notes here"), CANARY)
        assert turn.text.startswith('what is in here\n\n<document name="notes.txt" id="1">\n')
        assert CANARY in turn.text


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
