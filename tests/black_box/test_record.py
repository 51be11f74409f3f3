"""`run --record`, and the adapter `recorded` that answers from it: the same run again, with nobody to ask."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command import Bench, Done
from loopback import Asked, Service, answering, chat

SCENARIO = """\
scenario: mail
envelopes: [frame]
prompts:
  - {id: send, text: send an email to Ana, expect: fire send}
  - {id: talk, text: how are you, expect: no calls}
"""
ENVELOPE = """\
envelope: frame
ingress: channel
template: "<m>{text}</m>"
source: {from: "written for a test", status: hand-written}
"""
TABLE = "keywords:\n  - {phrases: [send an email], tool: send}\n"
ROUTER = """\
adapters:
  words: {use: keyword, table: keywords.yaml}
  file: {use: recorded, file: words.jsonl}
  run: {use: recorded, run: last, adapter: words}
"""
MODEL = """\
adapters:
  live:
    use: model
    api: openai-chat
    url: "%s/v1"
    model: m
    temperature: 1
    tools: tools.yaml
    concurrency: 4
  again: {use: recorded, file: live.jsonl}
"""


@pytest.fixture
def work(bench: Bench) -> Bench:
    bench.write("scenarios/mail.yaml", SCENARIO)
    bench.write("envelopes/frame.yaml", ENVELOPE)
    bench.write("keywords.yaml", TABLE)
    bench.write("tools.yaml", "- {name: send, description: Sends.}\n")
    bench.write("workbench.yaml", ROUTER)
    return bench


def told(done: Done, adapter: str) -> list[Any]:
    """All that a report says of an adapter's cells, but for its name."""
    cells = [cell for cell in done.json["cells"] if cell["adapter"] == adapter]
    return [{key: value for key, value in cell.items() if key != "adapter"} for cell in cells]


class TestRouter:
    def test_a_file_and_a_stored_run_answer_as_the_router_did(self, work: Bench) -> None:
        live = work("run", "mail", "--adapter", "words", "--record", "words.jsonl", "--format", "json")
        assert live.code == 0, live.said
        assert "8 trials recorded in words.jsonl" in live.said
        for name in ("file", "run"):
            again = work("run", "mail", "--adapter", name, "--format", "json")
            assert again.code == 0, again.said
            assert told(again, name) == told(live, "words")

    def test_the_last_run_is_the_last_that_has_the_adapter(self, work: Bench) -> None:
        work("run", "mail", "--adapter", "words", "--record", "words.jsonl")
        assert work("run", "mail", "--adapter", "file").code == 0
        assert work("run", "mail", "--adapter", "run").code == 0

    def test_what_was_not_recorded_fails_and_is_never_made_up(self, work: Bench) -> None:
        work("run", "mail#talk", "--adapter", "words", "--record", "words.jsonl")
        some = work("run", "mail", "--adapter", "file", "--format", "json")
        assert {cell["prompt"]: cell["failed"] for cell in some.json["cells"]} == {"send": 2, "talk": 0}
        none = work("run", "mail#send", "--adapter", "file")
        assert none.code == 3
        assert "words.jsonl has no recording of this turn" in none.text
        assert '"send an email to Ana" now' in none.text

    def test_a_changed_envelope_shows_the_line_that_changed(self, work: Bench) -> None:
        work("run", "mail#talk", "--adapter", "words", "--record", "words.jsonl")
        work.write("envelopes/frame.yaml", ENVELOPE.replace("<m>", "<new>"))
        done = work("run", "mail#talk", "--adapter", "file")
        assert '"<m>how are you</m>" then, "<new>how are you</m>" now' in done.text

    def test_it_needs_no_trust(self, work: Bench) -> None:
        work("run", "mail", "--adapter", "words", "--record", "words.jsonl")
        assert "not trusted" not in work("run", "mail", "--adapter", "file").said

    def test_a_run_that_is_not_saved_is_recorded_all_the_same(self, work: Bench) -> None:
        work("run", "mail", "--adapter", "words", "--no-save", "--record", "words.jsonl")
        assert not (work.folder / ".workbench").exists()
        assert work("run", "mail", "--adapter", "file").code == 0

    def test_a_plan_records_nothing(self, work: Bench) -> None:
        assert work("run", "mail", "--adapter", "words", "--plan", "--record", "words.jsonl").code == 0
        assert not (work.folder / "words.jsonl").exists()

    @pytest.mark.parametrize("name", ["no/folder.jsonl", "scenarios"])
    def test_a_place_that_cannot_be_written_is_told_before_the_run(self, work: Bench, name: str) -> None:
        done = work("run", "mail", "--adapter", "words", "--record", name)
        assert (done.code, done.out) == (2, b"")
        assert name in done.said
        assert not (work.folder / ".workbench").exists()

    def test_a_broken_recording_is_a_usage_error_with_its_line(self, work: Bench) -> None:
        work("run", "mail", "--adapter", "words", "--record", "words.jsonl")
        file = work.folder / "words.jsonl"
        file.write_text(file.read_text().replace('"attempt":1', '"attempt":true', 1))
        done = work("run", "mail", "--adapter", "file")
        assert done.code == 2
        assert "words.jsonl:3:1: " in done.said

    def test_a_probe_and_a_list_of_adapters_leave_recordings_in_peace(self, work: Bench) -> None:
        work("run", "mail", "--adapter", "words", "--record", "words.jsonl")
        done = work("probe", "whatever else")
        assert done.code == 0, done.said
        assert "words" in done.text
        assert "recorded" in work("list", "adapters").text


def answer(asked: Asked) -> tuple[int, str]:
    """Calls in half of the cases, by the length of what was asked before."""
    words = json.loads(asked.body)["messages"][-1]["content"]
    answer.count[words] = answer.count.get(words, 0) + 1  # type: ignore[attr-defined]
    if "send" in words and answer.count[words] % 2:  # type: ignore[attr-defined]
        return 200, chat(None, ("send", {"to": "ana", "n": answer.count[words]}))  # type: ignore[attr-defined]
    if answer.count[words] == 3:  # type: ignore[attr-defined]
        return 200, chat("cut").replace('"stop"', '"length"')
    return 200, chat(f"answer {answer.count[words]}")  # type: ignore[attr-defined]


class TestModel:
    @pytest.fixture
    def live(self, work: Bench) -> Any:
        answer.count = {}  # type: ignore[attr-defined]
        with answering(answer) as service:
            work.write("workbench.yaml", MODEL % service.url)
            yield service

    def record(self, work: Bench, *more: str) -> Done:
        asked = ("--adapter", "live", "--trust", "--record", "live.jsonl", "--format", "json")
        done = work("run", "mail", *asked, *more)
        assert done.code in (0, 1, 4), done.said
        return done

    def test_rates_and_verdicts_come_out_the_same_with_the_service_gone(
        self, work: Bench, live: Service
    ) -> None:
        first = self.record(work, "--samples", "12")
        calls = len(live.asked)
        again = work("run", "mail", "--adapter", "again", "--samples", "12", "--format", "json")
        assert len(live.asked) == calls
        assert again.code == first.code
        assert told(again, "again") == told(first, "live")
        assert any(cell["rates"] for cell in again.json["cells"])
        assert any(cell["statuses"].get("truncated") for cell in again.json["cells"])

    def test_each_body_stands_in_it_once_and_each_trial_on_a_line(self, work: Bench, live: Service) -> None:
        done = self.record(work, "--samples", "6")
        lines = [json.loads(line) for line in (work.folder / "live.jsonl").read_text().splitlines()]
        assert sum("sent" in line for line in lines) == 4  # two prompts, bare and framed
        assert sum("answer" in line for line in lines) == done.json["summary"]["trials"]
        call = lines[0]["adapters"]["live"]["recipe"]["call"]
        assert (call["model"], call["tools"]) == ("m", [{"name": "send", "description": "Sends."}])

    def test_the_recording_of_a_resumed_run_holds_all_of_it(self, work: Bench, live: Service) -> None:
        table = work.folder / "workbench.yaml"
        table.write_text(table.read_text().replace("model: m\n", "model: m\n    max_calls: 10\n"))
        work("run", "mail", "--adapter", "live", "--trust", "--samples", "6", "--record", "live.jsonl")
        part = (work.folder / "live.jsonl").read_text().count('"answer"')
        assert part == 10
        table.write_text(table.read_text().replace("max_calls: 10", "max_calls: 1000"))
        done = self.record(work, "--samples", "6", "--resume")
        whole = (work.folder / "live.jsonl").read_text().count('"answer"')
        assert whole == done.json["summary"]["trials"] == len(live.asked)


def test_a_file_of_another_tool_is_told_with_what_to_do(work: Bench) -> None:
    work.write("words.jsonl", '{"model": "x"}\n')
    done = work("run", "mail", "--adapter", "file")
    assert done.code == 2
    assert "words.jsonl:1:1: adapter file: no recording" in done.said
    assert "--record" in done.said


def test_the_recording_that_ships_says_where_it_comes_from(shipped: Bench) -> None:
    first = Path(shipped.folder, "scenarios/recordings/smollm-canary.jsonl").read_text().split("\n")[0]
    head = json.loads(first)
    assert {"model", "weights", "server", "template", "seed", "sampling", "by"} <= set(head["note"])
    assert head["made"].startswith("20")
    assert (shipped.folder / "scenarios/recordings/chatml-tools.jinja").is_file()
