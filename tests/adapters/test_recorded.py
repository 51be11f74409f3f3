"""What was recorded is answered again, by body or turn, arm and attempt; else an error says why."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from workbench.adapters.protocol import Answer, Place, Request
from workbench.adapters.recorded import RecordedAdapter
from workbench.adapters.recordings.keys import read_body
from workbench.adapters.recordings.recipe import Recipe
from workbench.adapters.recordings.writing import write_recording
from workbench.core.cell import AdapterInfo, Cell, CellKey, Delivery, Run
from workbench.core.claims import Claimed, Claims
from workbench.core.decision import (
    Decision,
    Match,
    Outcome,
    Score,
    ToolCall,
    Window,
    WindowSource,
    canonical,
)
from workbench.core.errors import Mark, WorkbenchError
from workbench.core.exchange import Exchange, Usage
from workbench.core.mask import MASK, Masker
from workbench.core.tool import Tool
from workbench.core.trial import Status, Trial
from workbench.core.turn import Attachment, Message, Turn, bare
from workbench.wire.codec import ModelCall

WORDS = "what's on my calendar\ntoday?"
SEND = Tool("send", "Send an email.", {"type": "object", "properties": {"to": {"type": "string"}}})
CALL = ModelCall("small", (), system="Be brief.", tools=(SEND,), temperature=1.0, max_tokens=64)
RECIPE = Recipe("openai-chat", replace(CALL, compatible=True))

FIRE = Decision(
    Outcome.FIRE,
    (ToolCall("send", {"to": "ana", "n": 1.0}, "c1"), ToolCall("send")),
    windows=(Window("wörds \ud800", WindowSource.REPORTED, ((0, 5),)),),
    scores=(Score("send", 0.5, 0.25),),
    matches=(Match("send an", "send an", 1, 8),),
    note="x" * 300,
    flags=("odd",),
    raw="[…]",
)
ENDINGS = (
    Trial(0, Status.OK, FIRE, seconds=0.25),
    Trial(1, Status.OK, Decision(Outcome.PASS, windows=())),
    Trial(2, Status.MALFORMED, error="not JSON", raw='{"a":'),
    Trial(3, Status.TIMEOUT, error="too long", log="said"),
    Trial(4, Status.NOT_REACHED, error="never called"),
)


class Model:
    """As much of an adapter as a recording asks for."""

    def recipe(self) -> Recipe:
        return RECIPE


def run_of(turn: Turn, trials: tuple[Trial, ...], arm: str = "bare", **info: bool) -> Run:
    delivery = Delivery(CellKey("mine", "1", arm, "router"), turn.typed, turn)
    adapters = {"router": AdapterInfo("router", "python", "v1", **info)}
    return Run("20260101-000000-abcd", "2026-01-01T00:00:00+00:00", 1.0, adapters, (Cell(delivery, trials),))


def sent_by_model(turn: Turn) -> str:
    return json.dumps(RECIPE.body(turn, 0), indent=1)


def recorded(file: Path, **options: object) -> RecordedAdapter:
    return RecordedAdapter("again", Place(file.parent), file=str(file), **options)  # type: ignore[arg-type]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "run.jsonl"


def by_turn(file: Path, turn: Turn | None = None, **info: bool) -> RecordedAdapter:
    write_recording(file, run_of(turn or bare(WORDS), ENDINGS, "bare", **info), {}, Masker())
    return recorded(file)


def by_body(file: Path, turn: Turn | None = None) -> RecordedAdapter:
    turn = turn or bare(WORDS)
    exchange = Exchange(
        "http://127.0.0.1/v1",
        sent_by_model(turn),
        "{}",
        finish="stop",
        model="small-1",
        usage=Usage(10, 3, None),
        reached=1.0,
    )
    trials = tuple(replace(trial, exchange=exchange) for trial in ENDINGS)
    run = run_of(turn, trials, deterministic=False, router=False)
    write_recording(file, run, {"router": Model()}, Masker())  # type: ignore[dict-item]
    return recorded(file)


async def ask(adapter: RecordedAdapter, turn: Turn, attempt: int = 1, arm: str = "bare") -> Answer:
    await adapter.open()
    return await adapter.decide(Request(turn, attempt, 7, arm))


class TestAnswers:
    @pytest.mark.parametrize("made", [by_turn, by_body])
    async def test_each_attempt_ends_as_it_did(self, file: Path, made: object) -> None:
        adapter = made(file)  # type: ignore[operator]
        for trial in ENDINGS:
            answer = await ask(adapter, bare(WORDS), trial.index + 1)
            assert (answer.status, answer.decision, answer.error) == (
                trial.status,
                trial.decision,
                trial.error,
            )
            assert (answer.raw, answer.seconds) == (trial.raw, trial.seconds)

    async def test_a_body_that_a_pipeline_made_is_told_again(self, file: Path) -> None:
        bodies = ('{"n": 1, "text": "a"}', "no JSON", '{"n": 1, "text": "a"}')
        trials = tuple(
            Trial(number, Status.OK, FIRE, exchange=Exchange("", body)) for number, body in enumerate(bodies)
        )
        write_recording(file, run_of(bare(WORDS), (*trials, Trial(3, Status.OK, FIRE))), {}, Masker())
        adapter = recorded(file)
        for number, body in enumerate(bodies, 1):
            exchange = (await ask(adapter, bare(WORDS), number)).exchange
            assert exchange is not None and read_body(exchange.sent) == read_body(canonical(read_body(body)))
        assert (await ask(adapter, bare(WORDS), 4)).exchange is None
        sent = [line for line in file.read_text().splitlines() if '"sent":' in line]
        assert len(sent) == 3  # each once: the turn, and two bodies
        missed = await ask(adapter, bare("other"))
        assert "of this turn" in (missed.error or "")

    async def test_who_says_to_have_written_it_is_told_again(self, file: Path) -> None:
        memory = Claims(
            (Claimed("memory", "wörds \ud800"), Claimed("tools", chars=7, estimate=9)), ours=("model",)
        )
        said = (memory, memory, Claims(), Claims(error="it failed"), None)
        trials = tuple(
            Trial(number, Status.OK, FIRE, exchange=Exchange("", "{}", claims=claims))
            for number, claims in enumerate(said)
        )
        write_recording(file, run_of(bare(WORDS), trials), {}, Masker())
        for number, claims in enumerate(said, 1):
            exchange = (await ask(recorded(file), bare(WORDS), number)).exchange
            assert exchange is not None and exchange.claims == claims
        assert file.read_text().count('"memory"') == 1

    async def test_claims_that_cannot_be_read_are_told_with_their_line(self, file: Path) -> None:
        claims = Claims((Claimed("memory", "text"),))
        trial = Trial(0, Status.OK, FIRE, exchange=Exchange("", "{}", claims=claims))
        write_recording(file, run_of(bare(WORDS), (trial,)), {}, Masker())
        file.write_text(file.read_text().replace('"lane":"memory"', '"lane":7'))
        with pytest.raises(WorkbenchError) as caught:
            await recorded(file).open()
        [problem] = caught.value.problems
        assert problem.mark == Mark(str(file), 5) and "no claim of a recording" in problem.message

    async def test_a_body_that_is_not_told_is_an_error(self, file: Path) -> None:
        trial = Trial(0, Status.OK, FIRE, exchange=Exchange("", "{}"))
        write_recording(file, run_of(bare(WORDS), (trial,)), {}, Masker())
        lines = file.read_text().splitlines()
        file.write_text("\n".join((*lines[:2], lines[3])) + "\n")
        with pytest.raises(WorkbenchError, match="not told above this line"):
            await recorded(file).open()

    async def test_what_went_over_the_wire_is_told_again(self, file: Path) -> None:
        exchange = (await ask(by_body(file), bare(WORDS))).exchange
        assert exchange is not None
        assert json.loads(exchange.sent) == json.loads(sent_by_model(bare(WORDS)))
        assert (exchange.finish, exchange.model, exchange.usage) == ("stop", "small-1", Usage(10, 3, None))
        assert exchange.reached == 1.0

    async def test_a_router_has_no_exchange(self, file: Path) -> None:
        assert (await ask(by_turn(file), bare(WORDS))).exchange is None

    async def test_where_files_lie_on_a_machine_does_not_count(self, file: Path) -> None:
        there = replace(bare(WORDS), attachments=(Attachment("a.txt", "/there/a.txt", "page"),))
        here = replace(there, attachments=(Attachment("a.txt", "/here/a.txt", "page"),))
        assert (await ask(by_turn(file, there), here)).decision == FIRE

    async def test_a_model_is_asked_by_its_body_whatever_else_the_turn_says(self, file: Path) -> None:
        other = replace(bare(WORDS), typed="other words", pieces=(), regions=())
        assert (await ask(by_body(file), other)).decision == FIRE
        assert (await ask(by_turn(file), other)).status is Status.ERROR

    def test_it_says_of_itself_what_the_recorded_adapter_said(self, file: Path) -> None:
        sampled = by_body(file).capabilities
        assert (sampled.deterministic, sampled.router, sampled.needs_trust) == (False, False, False)
        router = by_turn(file, wraps=True).capabilities
        assert (router.deterministic, router.router, router.wraps) == (True, True, True)

    def test_its_fingerprint_is_that_of_the_file(self, file: Path) -> None:
        marks = by_turn(file).fingerprint()
        assert marks["was"] == "v1"
        file.write_bytes(file.read_bytes() + b"\n")
        assert recorded(file).fingerprint()["recording"] != marks["recording"]

    async def test_a_recording_of_a_recording_is_one(self, file: Path) -> None:
        adapter = by_body(file)
        answer = await ask(adapter, bare(WORDS))
        trial = Trial(
            0, answer.status, answer.decision, exchange=answer.exchange, seconds=answer.seconds or 0
        )
        second = file.with_name("second.jsonl")
        write_recording(
            second, run_of(bare(WORDS), (trial,), deterministic=False), {"router": adapter}, Masker()
        )
        assert (await ask(recorded(second), bare(WORDS))).decision == FIRE

    async def test_of_two_alike_the_first_stands(self, file: Path) -> None:
        by_turn(file)
        lines = file.read_text().splitlines()
        file.write_text("\n".join([*lines, lines[3].replace('"attempt":2', '"attempt":1')]) + "\n")
        assert (await ask(recorded(file), bare(WORDS))).decision == FIRE


class TestMisses:
    @pytest.mark.parametrize("made", [by_turn, by_body])
    async def test_an_attempt_too_many(self, file: Path, made: object) -> None:
        answer = await ask(made(file), bare(WORDS), 6)  # type: ignore[operator]
        assert answer.status is Status.ERROR and answer.decision is None
        assert "attempt 6: 5 were recorded on the arm bare" in (answer.error or "")
        assert "--record" in (answer.error or "")

    async def test_another_arm(self, file: Path) -> None:
        answer = await ask(by_body(file), bare(WORDS), arm="attached")
        assert "on the arm attached: it was recorded on bare" in (answer.error or "")

    async def test_other_words_show_the_first_line_that_differs(self, file: Path) -> None:
        answer = await ask(by_body(file), bare(WORDS.replace("today", "tomorrow")))
        assert answer.status is Status.ERROR
        assert "no recording of this body" in (answer.error or "")
        assert 'messages changed; messages.1.content, line 2: "today?" then, "tomorrow?" now' in (
            answer.error or ""
        )

    async def test_other_tools_show_which(self, file: Path) -> None:
        adapter = by_body(file)
        text = file.read_text().replace("Send an email.", "Send a letter.", 1)  # in the recipe alone
        file.write_text(text)
        answer = await ask(recorded(file), bare(WORDS))
        assert adapter.recipe() != recorded(file).recipe()
        assert (
            'tools changed; tools.0.function.description, line 1: "Send an email." then, "Send a letter." now'
            in (answer.error or "")
        )

    async def test_a_long_line_is_shown_where_it_differs(self, file: Path) -> None:
        start, words = "a" * 5000, "b" * 5000
        answer = await ask(by_turn(file, bare(start + "X" + words)), bare(start + "Y" + words))
        assert "Xbb" in (answer.error or "") and "Ybb" in (answer.error or "")
        assert len(answer.error or "") < 600

    async def test_the_nearest_is_the_one_that_is_compared(self, file: Path) -> None:
        run = run_of(bare("one two three"), ENDINGS[:1])
        cells = (*run.cells, *run_of(bare("quite another text"), ENDINGS[:1]).cells)
        write_recording(file, replace(run, cells=cells), {}, Masker())
        answer = await ask(recorded(file), bare("quite another test"))
        assert '"quite another text" then, "quite another test" now' in (answer.error or "")

    async def test_an_earlier_message_counts(self, file: Path) -> None:
        turn = replace(bare(WORDS), messages=(Message("user", "hello"), Message("user", WORDS)))
        by_turn(file, turn)
        assert (await ask(recorded(file), turn)).decision == FIRE
        assert (await ask(recorded(file), bare(WORDS))).status is Status.ERROR

    async def test_an_empty_recording_holds_nothing(self, file: Path) -> None:
        write_recording(file, run_of(bare(WORDS), ()), {}, Masker())
        answer = await ask(recorded(file), bare(WORDS))
        assert "it holds no trial" in (answer.error or "")


class TestFiles:
    def problems(self, file: Path, **options: object) -> list[str]:
        with pytest.raises(WorkbenchError) as caught:
            recorded(file, **options).fingerprint()
        return [str(problem) for problem in caught.value.problems]

    def changed(self, file: Path, number: int, change: Mapping[str, str] | bytes) -> None:
        by_turn(file)
        lines = file.read_bytes().split(b"\n")
        if isinstance(change, bytes):
            lines[number - 1] = change
        else:
            for before, after in change.items():
                assert before.encode() in lines[number - 1]
                lines[number - 1] = lines[number - 1].replace(before.encode(), after.encode())
        file.write_bytes(b"\n".join(lines))

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            (b"{", "no JSON"),
            (b"[]", "no JSON object"),
            (b"\xff\xfe", "no UTF-8 at byte 0"),
            ({'"attempt":1': '"attempt":0'}, "attempt 0"),
            ({'"attempt":1': '"attempt":"1"'}, "expected a number from 1"),
            ({'"status":"ok"': '"status":"fine"'}, "fine"),
            ({'"status":"ok"': '"status":"error"'}, "error with a decision"),
            ({'"outcome":"fire"': '"outcome":"burn"'}, "burn"),
            ({'"name":"send"': '"name":7'}, "7"),
            ({'"value":0.5': '"value":"much"'}, "text where a number is wanted"),
            ({'"arm":"bare",': ""}, "arm"),
            ({'"key":"': '"key":"0'}, "what was sent is not told above this line"),
        ],
    )  # fmt: skip
    def test_a_line_that_is_none_is_told_with_its_place(
        self, file: Path, change: Mapping[str, str] | bytes, said: str
    ) -> None:
        self.changed(file, 3, change)
        [problem] = self.problems(file)
        assert problem.startswith(f"{file}:3:1: ")
        assert said in problem
        assert "--record" in problem

    def test_all_bad_lines_are_told_at_once_up_to_a_number(self, file: Path) -> None:
        by_turn(file)
        file.write_bytes(file.read_bytes() + b"{\n" * 30)
        problems = self.problems(file)
        assert len(problems) == 21
        assert "10 more lines" in problems[-1]

    @pytest.mark.parametrize("content", [b"", b"hello\n", b"{}\n", b'{"workbench_recording":2}\n'])
    def test_what_is_no_recording_is_told_at_once(self, file: Path, content: bytes) -> None:
        file.write_bytes(content)
        [problem] = self.problems(file)
        assert problem.startswith(f"{file}:1:1: no recording: ")

    def test_a_file_that_is_not_there(self, file: Path) -> None:
        [problem] = self.problems(file)
        assert "cannot be read: No such file" in problem

    def test_whose_answers_is_asked_where_there_are_several(self, file: Path) -> None:
        run = run_of(bare(WORDS), ENDINGS)
        more = {**run.adapters, "other": AdapterInfo("other", "keyword")}
        write_recording(file, replace(run, adapters=more), {}, Masker())
        [problem] = self.problems(file)
        assert "name one of: router, other" in problem
        [problem] = self.problems(file, adapter="ruoter")
        assert "router" in problem
        assert recorded(file, adapter="router").fingerprint()["of"] == "python router"

    @pytest.mark.parametrize(
        "options",
        [{}, {"file": "x", "run": "last", "adapter": "a"}, {"run": "last"}],
        ids=["none", "both", "whose"],
    )
    def test_options_that_do_not_go_together(self, tmp_path: Path, options: Mapping[str, str]) -> None:
        with pytest.raises(WorkbenchError, match=r"expected either|needs `adapter`"):
            RecordedAdapter("again", Place(tmp_path), **options)  # type: ignore[arg-type]

    def test_a_run_that_is_not_stored(self, tmp_path: Path) -> None:
        with pytest.raises(WorkbenchError, match="no run is stored here"):
            RecordedAdapter("again", Place(tmp_path), run="last", adapter="router")


class TestWriting:
    def test_each_thing_sent_stands_in_it_once_and_every_line_is_ascii_json(self, file: Path) -> None:
        by_turn(file)
        lines = [json.loads(line) for line in file.read_bytes().decode("ascii").splitlines()]
        assert [sorted(line)[:2] for line in lines[1:2]] == [["key", "sent"]]
        assert len(lines) == 2 + len(ENDINGS)

    def test_it_says_what_made_it(self, file: Path) -> None:
        by_body(file)
        head = json.loads(file.read_text().split("\n")[0])
        assert (head["made"], head["run"]) == ("2026-01-01T00:00:00+00:00", "20260101-000000-abcd")
        call = head["adapters"]["router"]["recipe"]["call"]
        assert (call["model"], call["system"], call["tools"][0]["name"]) == ("small", "Be brief.", "send")

    async def test_no_secret_stands_in_it_and_it_is_found_all_the_same(self, file: Path) -> None:
        known, shaped = "correct-horse-battery", "sk-" + "proj-aB3dE6gH9jK2mN5pQ8"
        turn = bare(f"use {shaped} for it")
        decision = Decision(Outcome.FIRE, (ToolCall("login", {"with": known, "password": "hunter2"}),))
        trials = (
            Trial(0, Status.OK, decision),
            Trial(1, Status.ERROR, error=f"401: {known}", raw=f"Authorization: Bearer {shaped}"),
        )
        write_recording(file, run_of(turn, trials), {}, Masker([known]))
        text = file.read_text()
        for secret in (known, shaped, "hunter2"):
            assert secret not in text
        answer = await ask(recorded(file), turn)
        assert answer.decision is not None
        assert answer.decision.calls[0].arguments == {"with": MASK, "password": MASK}

    def test_a_recording_is_replaced_as_a_whole_or_not_at_all(self, file: Path) -> None:
        by_turn(file)
        before = file.read_bytes()
        broken = Trial(0, Status.OK, Decision(Outcome.FIRE, (ToolCall(7),)))  # type: ignore[arg-type]
        with pytest.raises(ValueError):
            write_recording(file, run_of(bare(WORDS), (broken,)), {}, Masker())
        assert file.read_bytes() == before
        assert [path.name for path in file.parent.iterdir()] == [file.name]

    def test_a_folder_that_is_not_there_is_told(self, tmp_path: Path) -> None:
        with pytest.raises(WorkbenchError, match="the recording cannot be written"):
            write_recording(tmp_path / "no" / "r.jsonl", run_of(bare(WORDS), ()), {}, Masker())
