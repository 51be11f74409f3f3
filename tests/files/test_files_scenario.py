"""Scenario files: every key of the design, and all mistakes at once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from workbench.core.decision import Outcome
from workbench.core.errors import Mark, Problem, WorkbenchError
from workbench.core.relation import Relation
from workbench.core.scenario import Accept, Expectation, Samples, Scenario
from workbench.core.turn import Message
from workbench.files.scenario import load_scenario

FULL = """\
scenario: envelope-replay
about: Three that hold, two that fire.
adapters: [keywords, router]
envelopes: [channel, channel(reply(mention))]
relation: no-stronger
repeat: 3
samples: {max: 90, delta: 0.2}
policy: strip-quotes
prompts:
  - id: build
    text: build me a workflow
    expect: hold
  - text: what's on my calendar today
    expect: fire google-calendar::list-events
    relation: no-new-tools
    policy: first-line
  - text: How many sentences are in this file?
    attach: canary.txt
    expect: no calls
  - text: ""
    attach: [canary.txt, ../notes.md]
    paste: canary.txt
    substitute: Summarize the attached document.
    messages:
      - {role: user, content: hello}
      - {role: assistant, content: ""}
accept:
  - {kind: drift, arm: reply, adapter: held, reason: known, until: 2027-01-01}
  - {kind: leak, prompt: 1, reason: by design}
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "canary.txt").write_text("canary")
    (tmp_path / "notes.md").write_text("notes")
    return tmp_path


def load(root: Path, text: str) -> Scenario:
    path = root / "scenarios" / "s.yaml"
    path.write_bytes(text.encode())
    return load_scenario(path, root)


def problems(root: Path, text: str) -> tuple[Problem, ...]:
    with pytest.raises(WorkbenchError) as caught:
        load(root, text)
    return caught.value.problems


def one(root: Path, prompt: str) -> Expectation | None:
    return load(root, f"scenario: s\nprompts:\n  - text: hi\n    expect: {prompt}\n").prompts[0].expect


def test_every_key_is_read(root: Path) -> None:
    scenario = load(root, FULL)
    file = str(root / "scenarios" / "s.yaml")
    assert (scenario.name, scenario.file) == ("envelope-replay", file)
    assert scenario.about == "Three that hold, two that fire."
    assert scenario.adapters == ("keywords", "router")
    assert scenario.envelopes == ("channel", "channel(reply(mention))")
    assert (scenario.relation, scenario.repeat) == (Relation.NO_STRONGER, 3)
    assert scenario.samples == Samples(90, 0.2)
    assert scenario.accept == (
        Accept("drift", "known", Mark(file, 28, 5), arm="reply", adapter="held", until="2027-01-01"),
        Accept("leak", "by design", Mark(file, 29, 5), prompt="build"),
    )
    assert scenario.marks["adapters[1]"] == Mark(file, 3, 22)
    assert scenario.marks["prompts[1].policy"] == Mark(file, 16, 13)


def test_prompts_are_read(root: Path) -> None:
    file = str(root / "scenarios" / "s.yaml")
    build, today, question, token = load(root, FULL).prompts
    assert (build.label, build.id, build.text) == ("build", "build", "build me a workflow")
    assert build.expect == Expectation(Outcome.HOLD, spelled="hold")
    assert (build.policy, today.policy) == ("strip-quotes", "first-line")
    assert (today.label, today.id, today.relation) == ("2", None, Relation.NO_NEW_TOOLS)
    assert today.mark == Mark(file, 13, 5)
    assert question.expect == Expectation(no_calls=True, spelled="no calls")
    assert [attach.name for attach in token.attach] == ["canary.txt", "../notes.md"]
    assert [attach.path for attach in token.attach] == [
        os.path.realpath(root / "scenarios" / "canary.txt"),
        os.path.realpath(root / "notes.md"),
    ]
    assert token.attach[1].mark == Mark(file, 21, 26)
    assert (token.text, token.substitute) == ("", "Summarize the attached document.")
    assert token.paste is not None and token.paste.name == "canary.txt"
    assert token.messages == (Message("user", "hello"), Message("assistant", ""))


def test_what_is_not_said_has_its_default(root: Path) -> None:
    scenario = load(root, "scenario: s\nprompts: [{text: hi}]\n")
    said = (scenario.adapters, scenario.envelopes, scenario.relation, scenario.repeat)
    assert said == (None, None, None, None)
    assert (scenario.samples, scenario.accept, scenario.about) == (Samples(), (), "")
    assert scenario.prompts[0].expect is None
    assert load(root, "scenario: s\nenvelopes: []\nprompts: [{text: hi}]\n").envelopes == ()


@pytest.mark.parametrize(
    ("spelled", "wanted"),
    [
        ("hold", Expectation(Outcome.HOLD, spelled="hold")),
        ("pass", Expectation(Outcome.PASS, spelled="pass")),
        ("fire", Expectation(Outcome.FIRE, spelled="fire")),
        ("fire a::b", Expectation(Outcome.FIRE, tool="a::b", spelled="fire a::b")),
        ("fire small talk", Expectation(Outcome.FIRE, tool="small talk", spelled="fire small talk")),
        ("no  calls", Expectation(no_calls=True, spelled="no  calls")),
        (
            "{outcome: no calls, max_rate: 0.1}",
            Expectation(no_calls=True, max_rate=0.1, spelled="{outcome: no calls, max_rate: 0.1}"),
        ),
        ("{tool: t}", Expectation(Outcome.FIRE, tool="t", spelled="{tool: t}")),
        ("{tool: t, max_rate: 0}", Expectation(tool="t", max_rate=0.0, spelled="{tool: t, max_rate: 0}")),
        (
            "{any_of: [a, b], min_rate: 1}",
            Expectation(
                Outcome.FIRE, any_of=("a", "b"), min_rate=1.0, spelled="{any_of: [a, b], min_rate: 1}"
            ),
        ),
        (
            "{outcome: hold, tool: t}",
            Expectation(Outcome.HOLD, tool="t", spelled="{outcome: hold, tool: t}"),
        ),
    ],
)
def test_expectations(root: Path, spelled: str, wanted: Expectation) -> None:
    assert one(root, spelled) == wanted


def test_arguments_are_json_and_text_stays_text(root: Path) -> None:
    expect = one(
        root, "{tool: t, arguments: {n: 10, s: '10', f: 1.5, b: true, w: yes, z: null, l: [1, {a: ~}]}}"
    )
    assert expect is not None
    assert expect.arguments == {
        "n": 10, "s": "10", "f": 1.5, "b": True, "w": "yes", "z": None, "l": [1, {"a": None}]
    }  # fmt: skip
    assert isinstance(expect.arguments["n"], int) and expect.arguments["b"] is True


@pytest.mark.parametrize(
    ("spelled", "told"),
    [
        ("fir", 'did you mean "fire"?'),
        ("fires", 'did you mean "fire"?'),
        ("hold it", "expected hold, pass, fire"),
        ("no", "expected hold, pass, fire"),
        ("[hold]", "found a list"),
        ("{}", "expects nothing"),
        ("{outcome: no calls, any_of: [a]}", "calls nothing"),
        ("{tool: a, any_of: [b]}", "keep tool or any_of"),
        ("{any_of: []}", "name one or more"),
        ("{max_rate: 0.1, min_rate: 0.2}", "no rate can be both"),
        ("{arguments: [1]}", "a mapping of argument to value"),
        ("{min_rate: -0.1}", "from 0 to 1"),
        ("{toll: a}", 'did you mean "tool"?'),
    ],
)
def test_expectations_that_cannot_be(root: Path, spelled: str, told: str) -> None:
    found = problems(root, f"scenario: s\nprompts:\n  - text: hi\n    expect: {spelled}\n")
    assert len(found) == 1
    assert told in str(found[0])


def test_three_mistakes_are_three_problems(root: Path) -> None:
    text = "scenario: s\nrepat: 2\nprompts:\n  - id: a b\n    text: hi\n  - text: yo\n    expect: holt\n"
    found = problems(root, text)
    assert [(problem.mark.line, problem.mark.column) for problem in found if problem.mark] == [
        (2, 1),
        (4, 9),
        (7, 13),
    ]


def test_every_kind_of_mistake_comes_at_once(root: Path) -> None:
    text = (
        "scenario: a#b\nscenario: c\nextra: 1\nsamples: {max: 0}\nrepeat: !!int 2\n"
        "prompts:\n  - {txt: hi}\n  - text: \x07\n  - text: x\n    attach: [none.txt, /etc/passwd]\n"
    )
    assert [problem.mark.line for problem in problems(root, text) if problem.mark] == [
        1,
        2,
        3,
        4,
        5,
        7,
        8,
        10,
        10,
    ]


@pytest.mark.parametrize("style", ["|-", ">"])
def test_an_empty_block_is_a_bare_token_only_with_a_file(root: Path, style: str) -> None:
    prompt = load(root, f"scenario: s\nprompts:\n  - attach: canary.txt\n    text: {style}\n").prompts[0]
    assert prompt.text == ""
    (problem,) = problems(root, f"scenario: s\nprompts:\n  - id: x\n    text: {style}\n")
    assert "the block is empty" in problem.message
    assert load(root, 'scenario: s\nprompts: [{text: ""}]\n').prompts[0].text == ""


def test_a_prompt_is_no_template(root: Path) -> None:
    """Case k5-12."""
    typed = "explain {# .card } and {% if x %} and {{ user }} in this file"
    text = f'scenario: s\nprompts:\n  - text: "{typed}"\n  - text: |-\n      {typed}\n'
    assert [prompt.text for prompt in load(root, text).prompts] == [typed, typed]


def test_lone_surrogates_of_a_prompt_stay(root: Path) -> None:
    """Case k5-19, the part of the files."""
    escaped = r"ok \ud83c\udf78 broken \ud83c alone \udc97 from bytes"
    prompt = load(root, f'scenario: s\nprompts: [{{text: "{escaped}"}}]\n').prompts[0]
    assert prompt.text == "ok \U0001f378 broken \ud83c alone \udc97 from bytes"


def test_own_number_as_an_id_is_no_confusion(root: Path) -> None:
    scenario = load(root, "scenario: s\nprompts:\n  - {id: 1, text: a}\n  - {id: 7, text: b}\n  - text: c\n")
    assert [prompt.label for prompt in scenario.prompts] == ["1", "7", "3"]


@pytest.mark.parametrize("name", ["a b", "a@b", "a:b", "a#b", "a\\tb", "a\\0", "a\\u200bb", "a\\u2028"])
def test_ids_that_would_break_an_address(root: Path, name: str) -> None:
    (problem,) = problems(root, f'scenario: s\nprompts: [{{text: x, id: "{name}"}}]\n')
    assert "cannot be an id" in problem.message


def test_links_may_not_lead_outside(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "secret.txt"
    outside.write_text("secret")
    link = root / "scenarios" / "link.txt"
    link.symlink_to(outside)
    inside = root / "scenarios" / "inside.txt"
    inside.symlink_to(root / "notes.md")
    loop = root / "scenarios" / "loop.txt"
    loop.symlink_to(loop)
    text = "scenario: s\nprompts: [{text: x, attach: "
    assert load(root, text + "inside.txt}]\n").prompts[0].attach[0].path == os.path.realpath(
        root / "notes.md"
    )
    assert "outside the workspace" in problems(root, text + "link.txt}]\n")[0].message
    assert len(problems(root, text + "loop.txt}]\n")) == 1
    assert len(problems(root, text + '"a\\0b"}]\n')) == 1
    assert len(problems(root, text + '"\\ud800"}]\n')) == 1
    assert len(problems(root, text + "x" * 5000 + "}]\n")) == 1


def test_a_folder_that_begins_like_the_root_is_outside(root: Path) -> None:
    sibling = root.parent / (root.name + "-other")
    sibling.mkdir()
    (sibling / "a.txt").write_text("a")
    found = problems(root, f"scenario: s\nprompts: [{{text: x, attach: ../../{sibling.name}/a.txt}}]\n")
    assert "outside the workspace" in found[0].message


def test_a_workspace_behind_a_link_is_the_same(root: Path) -> None:
    alias = root.parent / (root.name + "-alias")
    alias.symlink_to(root)
    (root / "scenarios" / "s.yaml").write_text("scenario: s\nprompts: [{text: x, attach: canary.txt}]\n")
    scenario = load_scenario(alias / "scenarios" / "s.yaml", root)
    assert scenario.prompts[0].attach[0].path == os.path.realpath(root / "scenarios" / "canary.txt")
