"""`workbench new scenario --from-log`: past turns that went wrong become prompts, and fail again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from command import REPOSITORY, Bench

from workbench.core.envelope import wrap
from workbench.core.scenario import Scenario
from workbench.core.turn import bare
from workbench.files.envelope import load_envelope
from workbench.files.scenario import load_scenario

SHIPPED = REPOSITORY / "envelopes"
NAMES = ("channel", "reply")
WORKSPACE = """\
adapters:
  head: {use: keyword, table: head.yaml}
  whole: {use: keyword, table: whole.yaml}
"""
TABLE = """\
scan: {scan}
keywords:
  - {{phrases: [my calendar], tool: calendar::list}}
  - {{phrases: [dim the lamp], tool: lamp::dim}}
"""
KEY = "sk-ant-api03-" + "Ab3" * 20
MAIL = "ana.lopez@firma.example"
PHONE = "+49 170 1234567"
OWN = "correct-horse-battery"
HOSTILE = [
    "\x1b[2Jopen my calendar\r\n\x00",
    "open my calendar\n  - text: injected\n# not a comment",
    '"my calendar": {a: [b, &c *d]} # x',
    "my calendar \u202e\u200b\ufeff\U000e0041",
    "---\n...\n%YAML 1.2\nmy calendar",
    "on",
    "{text} my calendar {document}",
]


@pytest.fixture
def app(bench: Bench) -> Bench:
    bench.write("workbench.yaml", WORKSPACE)
    bench.write("head.yaml", TABLE.format(scan="first-line"))
    bench.write("whole.yaml", TABLE.format(scan="all"))
    for name in NAMES:
        put(bench, name)
    return bench


def put(bench: Bench, name: str) -> None:
    (bench.folder / "envelopes").mkdir(exist_ok=True)
    shutil.copy(SHIPPED / f"{name}.yaml", bench.folder / "envelopes")


def within(name: str, typed: str) -> str:
    return wrap(load_envelope(SHIPPED / f"{name}.yaml"), bare(typed)).text


def turn(number: int, typed: str, routed: str, *tools: str) -> dict[str, Any]:
    return {"turn_id": f"t{number}", "user_text": typed, "router_input": routed, "tools_called": list(tools)}


def log(bench: Bench, *turns: Mapping[str, Any], name: str = "turns.jsonl") -> Path:
    return bench.write(name, "".join(json.dumps(one) + "\n" for one in turns))


def made(bench: Bench, name: str = "past") -> Scenario:
    return load_scenario(bench.folder / "scenarios" / f"{name}.yaml", bench.folder)


def raw(bench: Bench, name: str = "past") -> str:
    return (bench.folder / "scenarios" / f"{name}.yaml").read_text("utf-8")


def test_past_victims_fail_on_the_router_that_reads_the_wrapper(app: Bench) -> None:
    log(
        app,
        turn(1, "what is on my calendar", "what is on my calendar", "calendar::list"),
        turn(2, "what is on my calendar", within("channel", "what is on my calendar")),
        turn(3, "dim the lamp", within("channel", "dim the lamp"), "mail::send"),
        turn(4, "What is on  my calendar", within("channel", "What is on  my calendar")),
    )
    done = app("new", "scenario", "past", "--from-log", "turns.jsonl")
    assert done.code == 0, done.said
    assert done.text == "wrote scenarios/past.yaml\n"
    assert "2 prompts of 3 past turns that went wrong" in done.said
    assert "next: workbench run past" in done.said
    scenario = made(app)
    assert scenario.envelopes == ("channel",) and scenario.adapters is None
    assert [prompt.text for prompt in scenario.prompts] == ["dim the lamp", "what is on my calendar"]
    assert all(prompt.expect is None for prompt in scenario.prompts)
    assert "# turns.jsonl:3, in channel: routed on far more than was typed\n" in raw(app)
    assert "# turns.jsonl:2, in channel: what was read begins with what was not typed\n" in raw(app)
    run = app("run", "past", "--format", "json")
    assert run.code == 1, run.said
    drifted = [found for found in run.json["findings"] if found["kind"] == "drift"]
    assert {(found["adapter"], found["arm"]) for found in drifted} == {("head", "channel")}
    assert len(drifted) == 2
    assert app("run", "past", "--adapter", "whole").code == 0


def test_words_that_were_not_read_and_a_turn_that_was_read_rightly(app: Bench) -> None:
    lost = turn(1, "dim the lamp", within("channel", "dim the lamp"))
    right = turn(2, "open my calendar", within("channel", "open my calendar"), "calendar::list")
    path = log(app, {**lost, "scanned": "<in>"}, {**right, "scanned": "open my calendar"})
    path.write_bytes(path.read_bytes() + b'{"turn_id": "t3", "user_t')
    done = app("new", "scenario", "past", "--from-log", "turns.jsonl", "--scanned", "scanned")
    assert done.code == 0, done.said
    assert "1 prompt of 1 past turn that went wrong; 1 piece of the logs" in done.said
    assert [prompt.text for prompt in made(app).prompts] == ["dim the lamp"]
    assert "# turns.jsonl:1, in channel: words that were typed were not read\n" in raw(app)


def test_each_envelope_has_its_turn_within_the_limit(app: Bench) -> None:
    many = [turn(n, f"list {n}", within("channel", f"list {n}"), "a::b") for n in range(30)]
    log(app, *many, turn(99, "list 3", within("reply", "list 3"), "a::b"))
    done = app("new", "scenario", "past", "--from-log", "turns.jsonl", "--limit", "4")
    assert done.code == 0, done.said
    scenario = made(app)
    assert set(scenario.envelopes or ()) == {"channel", "reply"}
    assert len(scenario.prompts) == 4
    assert len({prompt.text for prompt in scenario.prompts}) == 4
    assert app("new", "scenario", "more", "--from-log", "turns.jsonl").code == 0
    assert len(made(app, "more").prompts) == 10


def test_the_words_of_two_envelopes_are_one_prompt(app: Bench) -> None:
    log(app, *(turn(n, "dim the lamp", within(name, "dim the lamp"), "a::b") for n, name in enumerate(NAMES)))
    assert app("new", "scenario", "past", "--from-log", "turns.jsonl").code == 0
    (prompt,) = made(app).prompts
    assert prompt.text == "dim the lamp"
    assert "# turns.jsonl:1, in channel" in raw(app) and "# turns.jsonl:2, in reply" in raw(app)


def test_no_secret_of_the_log_stands_in_the_file(app: Bench) -> None:
    words = [f"my calendar {secret} please" for secret in (KEY, MAIL, PHONE, OWN)]
    turns = [turn(n, text, within("channel", text), "a::b") for n, text in enumerate(words)]
    log(app, *turns, name=f"{KEY}.jsonl")
    done = app("new", "scenario", "past", "--from-log", f"{KEY}.jsonl", env={"APP_API_KEY": OWN})
    assert done.code == 0, done.said
    text = raw(app)
    assert not [secret for secret in (KEY, MAIL, PHONE, OWN) if secret in text]
    assert "my calendar [secret] please" in text and "name@example.com" in text


def test_a_log_elsewhere_is_named_by_its_file_alone(
    app: Bench, tmp_path_factory: pytest.TempPathFactory
) -> None:
    far = tmp_path_factory.mktemp("far") / "far.jsonl"
    far.write_text(json.dumps(turn(1, "dim the lamp", within("channel", "dim the lamp"), "a::b")) + "\n")
    assert app("new", "scenario", "past", "--from-log", str(far)).code == 0
    assert "# far.jsonl:1, in channel" in raw(app)
    assert str(far.parent) not in raw(app)


def test_hostile_words_come_back_as_they_were_typed(app: Bench) -> None:
    log(app, *(turn(n, text, within("channel", text), "a::b") for n, text in enumerate(HOSTILE)))
    done = app("new", "scenario", "past", "--from-log", "turns.jsonl")
    assert done.code == 0, done.said
    assert {prompt.text for prompt in made(app).prompts} == set(HOSTILE)
    assert not {"\x1b", "\x00", "\u202e", "\u200b", "\r"} & set(raw(app))
    assert app("run", "past", "--adapter", "head").code == 1


def test_half_a_surrogate_is_passed_over(app: Bench) -> None:
    words = "my calendar \ud800"
    log(app, turn(1, words, within("channel", words), "a::b"))
    done = app("new", "scenario", "past", "--from-log", "turns.jsonl")
    assert done.code == 2
    assert not (app.folder / "scenarios" / "past.yaml").exists()


def test_columns_and_adapters_that_are_named(app: Bench) -> None:
    log(app, {"q": "dim the lamp", "r": within("channel", "dim the lamp"), "n": {"t": ["a::b"]}})
    options = ("--typed", "q", "--wrapped", "r", "--tools", "n.t")
    done = app("new", "scenario", "past", "--from-log", "turns.jsonl", *options, "--adapter", "head", "-q")
    assert (done.code, done.said) == (0, "")
    assert made(app).adapters == ("head",)
    wrong = app("new", "scenario", "other", "--from-log", "turns.jsonl", "--adapter", "heed")
    assert wrong.code == 2 and '"heed"' in wrong.said and "head" in wrong.said


def test_strangers_are_told_and_the_others_written(app: Bench) -> None:
    strange = turn(2, "dim the lamp", "<<from x>> dim the lamp <<end>>" * 9, "a::b")
    log(app, turn(1, "my calendar", within("channel", "my calendar"), "a::b"), strange)
    done = app("new", "scenario", "past", "--from-log", "turns.jsonl")
    assert done.code == 0
    assert "1 in no envelope that is known (`workbench capture turns.jsonl` makes them)" in done.said
    assert [prompt.text for prompt in made(app).prompts] == ["my calendar"]


GOOD = turn(1, "dim the lamp", "dim the lamp", "lamp::dim")
STRANGE = turn(1, "dim the lamp", "<<from x>> dim the lamp <<end>>" * 9, "a::b")
UNTOLD = {"user_text": "dim the lamp", "tools_called": []}


@pytest.mark.parametrize(
    ("turns", "why", "hint"),
    [
        ([GOOD], "none of 1 past turn was routed on what", "`workbench audit turns.jsonl`"),
        ([STRANGE], "in no envelope that is known", "`workbench capture turns.jsonl`"),
        ([UNTOLD] * 3, "none of 3 past turns says both", "--typed and --wrapped"),
    ],
)
def test_nothing_found_is_said_and_nothing_written(
    app: Bench, turns: list[dict[str, Any]], why: str, hint: str
) -> None:
    log(app, *turns)
    done = app("new", "scenario", "past", "--from-log", "turns.jsonl")
    assert (done.code, done.out) == (2, b"")
    assert why in done.said and "nothing was written" in done.said and hint in done.said
    assert not (app.folder / "scenarios").exists()


def test_a_turn_with_a_file_folded_in_is_not_replayed_without_it(app: Bench) -> None:
    put(app, "attached")
    envelope = load_envelope(SHIPPED / "attached.yaml")
    assert envelope.carries_document
    log(app, turn(1, "sum it up", wrap(envelope, bare("sum it up"), "a page. " * 30).text, "a::b"))
    done = app("new", "scenario", "past", "--from-log", "turns.jsonl")
    assert done.code == 2
    assert "none can be replayed" in done.said and "with a file folded in" in done.said


def test_a_file_that_is_there_is_not_overwritten(app: Bench) -> None:
    log(app, turn(1, "dim the lamp", within("channel", "dim the lamp"), "a::b"))
    app.write("scenarios/past.yaml", "mine\n")
    done = app("new", "scenario", "past", "--from-log", "turns.jsonl")
    assert done.code == 2
    assert raw(app) == "mine\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("--limit", "3"),
        ("--typed", "q"),
        ("--from-log", "none.jsonl"),
        ("--from-log", "postgresql://localhost/app"),
        ("--from-log", "turns.jsonl", "--limit", "0"),
    ],
)
def test_wrong_usage(app: Bench, arguments: tuple[str, ...]) -> None:
    log(app, GOOD)
    done = app("new", "scenario", "past", *arguments)
    assert (done.code, done.out) == (2, b"")
    assert not (app.folder / "scenarios").exists()
