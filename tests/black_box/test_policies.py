"""`workbench policies`, `run --policy` and `policy:` in a scenario, by the real command."""

from __future__ import annotations

from typing import Any

import pytest
from command import Bench, Done

TABLE = "keywords:\n  - {phrases: [send it], tool: mail::send, side_effects: true}\n"
ENVELOPE = """\
envelope: reply
ingress: reply
template: |-
  > {quoted}

  {text}
slots: {quoted: {example: please send it, kind: text}}
regions: {quoted: quoted}
"""
SCENARIO = """\
scenario: s
prompts:
  - {id: idle, text: not now, expect: no calls}
  - {id: real, text: send it, expect: fire mail::send}
  - id: fenced
    text: "run this:\\n```\\nsend it\\n```"
    expect: fire mail::send
"""
MINE = """\
def last_line(text):
    return text.rstrip().rsplit("\\n", 1)[-1]
"""


@pytest.fixture
def mail(bench: Bench) -> Bench:
    bench.write("workbench.yaml", "adapters:\n  table: {use: keyword, table: table.yaml}\n")
    bench.write("table.yaml", TABLE)
    bench.write("envelopes/reply.yaml", ENVELOPE)
    bench.write("scenarios/s.yaml", SCENARIO)
    return bench


def entries(done: Done) -> dict[str, dict[str, Any]]:
    """The policies of the only contest, by name."""
    (contest,) = done.json["contests"]
    return {entry["policy"]: entry for entry in contest["policies"]}


def contest(bench: Bench, *policies: str, trust: bool = False) -> dict[str, dict[str, Any]]:
    asked = [word for policy in policies for word in ("--policy", policy)]
    more = ["--trust"] if trust else []
    done = bench("policies", "s", "--adapter", "table", *asked, *more, "--format", "json", "-q")
    assert done.code == 0, done.said
    return entries(done)


class TestTheContest:
    def test_what_goes_what_comes_and_what_is_lost(self, mail: Bench) -> None:
        found = contest(mail)
        assert next(iter(found)) == "none"
        assert len(found["none"]["left"]) == 5  # a leak for each prompt, and one of them fires
        typed, outside = found["typed-words"], found["outside-quotes"]
        assert (len(typed["gone"]), typed["new"], typed["left"], typed["lost"]) == (5, [], [], [])
        assert [(one["prompt"], one["arm"], one["got"]) for one in outside["lost"]] == [
            ("fenced", "bare", "pass"),
            ("fenced", "reply", "pass"),
        ]
        assert {one["kind"] for one in outside["new"]} == {"expectation", "miss"}

    def test_gone_and_left_are_what_was_there(self, mail: Bench) -> None:
        found = contest(mail)
        there = {one["id"] for one in found["none"]["left"]}
        for entry in found.values():
            gone, left = ({one["id"] for one in entry[part]} for part in ("gone", "left"))
            assert gone | left == there or entry["policy"] == "none"
            assert not gone & left
            assert not {one["id"] for one in entry["new"]} & there
            assert sum(entry["places"].values()) == len(entry["left"]) + len(entry["new"])

    def test_a_function_of_the_users(self, mail: Bench) -> None:
        mail.write("mine.py", MINE)
        asked = ("policies", "s", "--adapter", "table", "--policy", "python:mine:last_line")
        refused = mail(*asked)
        assert refused.code == 2
        assert "not trusted" in refused.said and "python:mine:last_line" in refused.said
        found = contest(mail, "python:mine:last_line", trust=True)["python:mine:last_line"]
        assert [one["prompt"] for one in found["lost"]] == ["fenced", "fenced"]
        assert found["failed"] == 0

    def test_one_that_fails_proves_nothing(self, mail: Bench) -> None:
        mail.write("mine.py", "def cut(text):\n    raise ValueError('no')\n")
        found = contest(mail, "python:mine:cut", trust=True)["python:mine:cut"]
        assert (found["failed"], found["lost"]) == (12, [])
        assert {one["kind"] for one in found["new"]} == {"no-verdict"}
        text = mail(
            "policies", "s", "--adapter", "table", "--policy", "python:mine:cut", "--trust", "-q"
        ).text
        assert "12 trials failed, and prove nothing" in text
        assert "no policy leaves less wrong than the router as it is" in text

    def test_the_text_says_which_leaves_least(self, mail: Bench) -> None:
        done = mail("policies", "s", "--adapter", "table", "-q")
        lines = done.text.splitlines()
        assert lines[-1] == "least wrong: typed-words, 0 of 5 findings left, no command lost"
        assert "  lost s#fenced@bare:table: wants fire mail::send, got pass" in lines

    def test_a_file_is_written_whole_and_stdout_stays_empty(self, mail: Bench) -> None:
        done = mail("policies", "s", "--adapter", "table", "--format", "markdown", "-o", "out.md", "-q")
        assert (done.code, done.out) == (0, b"")
        assert "| `typed-words` | 5 | 0 | 0 | 0 | 0 | 0 | 0 |" in (mail.folder / "out.md").read_text("utf-8")

    def test_nothing_of_it_is_kept(self, mail: Bench) -> None:
        contest(mail)
        assert mail("list", "runs").text == ""

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (("s",), "before one router"),
            (("s", "--adapter", "tabel"), 'did you mean "table"'),
            (("t", "--adapter", "table"), "no scenario"),
            (("s", "--adapter", "table", "--policy", "typed"), 'unknown policy "typed"'),
            (("s", "--adapter", "table", "-o", "no/such/file"), "cannot write"),
        ],
    )
    def test_what_is_wrong_with_the_question(
        self, mail: Bench, arguments: tuple[str, ...], said: str
    ) -> None:
        done = mail("policies", *arguments)
        assert (done.code, done.out) == (2, b"")
        assert said in done.said

    def test_a_router_that_never_answers(self, mail: Bench) -> None:
        mail.write("workbench.yaml", "adapters:\n  table: {use: command, argv: [no-such-program]}\n")
        done = mail("policies", "s", "--adapter", "table", "--policy", "typed-words", "--trust", "-q")
        assert done.code == 3

    def test_hostile_words_stay_words(self, mail: Bench) -> None:
        text = '"`send it` \\e[31m|<b>`"'
        mail.write("scenarios/s.yaml", f"scenario: s\nprompts:\n  - {{text: {text}, expect: fire}}\n")
        for form in ("text", "markdown"):
            done = mail("policies", "scenarios/s.yaml", "--adapter", "table", "--format", form, "-q")
            assert done.code == 0, done.said
            assert b"\x1b" not in done.out
        assert "lost s#1@bare" in mail("policies", "s", "--adapter", "table", "-q").text


class TestRun:
    def test_a_run_through_a_policy(self, mail: Bench) -> None:
        plain = mail("run", "s", "-q", "--format", "json")
        done = mail("run", "s", "--policy", "typed-words", "-q", "--format", "json")
        assert (plain.code, done.code) == (1, 0)
        (cell,) = [c for c in done.json["cells"] if (c["prompt"], c["arm"]) == ("idle", "reply")]
        assert (cell["policy"], cell["handed"]) == ("typed-words", "not now")
        assert cell["window"]["spans"] == [[18, 25]]
        assert cell["window"]["foreign_share"] == 0
        assert "policy" not in plain.json["cells"][0]

    def test_a_finding_says_what_was_handed_on_and_how_to_see_it_again(self, mail: Bench) -> None:
        done = mail("run", "s", "--policy", "outside-quotes", "-q")
        assert done.code == 1
        assert "outside-quotes handed on 9 characters: run this:" in done.text
        assert "--policy outside-quotes" in done.text

    def test_a_scenario_names_its_own(self, mail: Bench) -> None:
        mail.write("scenarios/s.yaml", SCENARIO.replace("prompts:", "policy: typed-words\nprompts:"))
        assert mail("run", "s", "-q").code == 0
        assert mail("run", "s", "--policy", "none", "-q").code == 1

    def test_a_prompt_comes_before_its_scenario(self, mail: Bench) -> None:
        own = SCENARIO.replace("text: not now", "text: not now, policy: none")
        mail.write("scenarios/s.yaml", own.replace("prompts:", "policy: typed-words\nprompts:"))
        done = mail("run", "s", "-q", "--format", "json")
        assert {one["prompt"] for one in done.json["findings"]} == {"idle"}

    def test_a_wrong_name_is_told_with_its_place(self, mail: Bench) -> None:
        mail.write("scenarios/s.yaml", SCENARIO.replace("prompts:", "policy: typed-word\nprompts:"))
        done = mail("run", "s")
        assert done.code == 2
        assert 'scenarios/s.yaml:2:9: unknown policy "typed-word"' in done.said

    def test_a_strangers_scenario_runs_no_function_of_the_system(self, mail: Bench) -> None:
        mail.write("scenarios/s.yaml", SCENARIO.replace("prompts:", 'policy: "python:os:remove"\nprompts:'))
        done = mail("run", "s", "--trust")
        assert done.code == 2
        assert "not in the workspace" in done.said

    def test_what_failed_is_run_again_through_a_policy(self, mail: Bench) -> None:
        assert mail("run", "s", "-q").code == 1
        assert mail("run", "s", "--policy", "typed-words", "-q").code == 0
        # The trial of a fix is not the newest answer of the router as it is.
        again = mail("run", "s", "--only-failing", "-q", "--format", "json")
        assert again.code == 1

    def test_a_recording_answers_turns_that_are_delivered(self, mail: Bench) -> None:
        done = mail("run", "s", "--policy", "typed-words", "--record", "answers.jsonl", "-q")
        assert done.code == 2
        assert "--record does not go with a policy (typed-words)" in done.said
        assert not (mail.folder / "answers.jsonl").exists()
