"""Scenario files edited in place: what was asked for changes, and every other byte stays."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workbench.core.decision import Outcome
from workbench.core.errors import Mark, WorkbenchError
from workbench.core.relation import Relation
from workbench.core.scenario import Accept, Attach, Expectation, Prompt, Scenario
from workbench.core.turn import Message
from workbench.files.edit.page import Page, open_page
from workbench.files.edit.scenario import accept, add_prompt, free_id, freeze, set_text

HOLD = Expectation(Outcome.HOLD)
NOWHERE = Mark("")

COMMENTED = """\
# what this is about
scenario: s   # its name

prompts:
  # the first
  - id: build   # an id
    text: build me a workflow   # typed
    expect: hold   # for now

  # the second
  - {text: go, expect: fire}   # in braces
  - text: |  # a block
      two
      lines

    # a comment behind the block
  - text: "in quotes"
    expect:   # a mapping
      outcome: fire   # outcome
      tool: t
  - text: last
# the end
"""


def page(root: Path, text: str) -> Page:
    path = root / "scenarios" / "s.yaml"
    path.parent.mkdir(exist_ok=True)
    (path.parent / "canary.txt").write_text("canary")
    path.write_bytes(text.encode())
    return open_page(path, root)


def changed(before: str, after: str) -> tuple[str, str]:
    """What differs: the part of each text between their common start and end."""
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return before[start : len(before) - end], after[start : len(after) - end]


@pytest.mark.parametrize(
    ("label", "expect", "old", "new"),
    [
        ("build", Expectation(Outcome.PASS), "hold", "pass"),
        ("build", Expectation(no_calls=True), "hold", "no calls"),
        ("2", Expectation(Outcome.PASS), "fire", "pass"),
        ("2", Expectation(Outcome.FIRE, tool="a::b"), "", " a::b"),
        ("3", HOLD, "", "    expect: hold\n"),
        ("5", HOLD, "", "    expect: hold\n"),
    ],
)
def test_an_expectation_is_set(tmp_path: Path, label: str, expect: Expectation, old: str, new: str) -> None:
    made = page(tmp_path, COMMENTED)
    text = freeze(made, label, expect)
    assert changed(COMMENTED, text) == (old, new)
    assert page(tmp_path, text).scenario.prompts[made.prompt(label)[0]].expect == replace(
        expect, spelled=new.strip().removeprefix("expect: ") if not expect.tool else "fire a::b"
    )


def test_a_mapping_gives_way_to_a_word(tmp_path: Path) -> None:
    text = freeze(page(tmp_path, COMMENTED), "4", HOLD)
    assert text == COMMENTED.replace(
        "expect:   # a mapping\n      outcome: fire   # outcome\n      tool: t\n",
        "expect: hold   # a mapping\n",
    )


def test_an_expectation_comes_right_behind_a_block(tmp_path: Path) -> None:
    text = freeze(page(tmp_path, COMMENTED), "3", HOLD)
    assert "      lines\n    expect: hold\n\n    # a comment behind the block\n" in text


@pytest.mark.parametrize(
    ("expect", "spelled"),
    [
        (Expectation(Outcome.FIRE), "fire"),
        (Expectation(Outcome.FIRE, tool="odd: name"), '"fire odd: name"'),
        (Expectation(Outcome.FIRE, tool=" a"), '{outcome: fire, tool: " a"}'),
        (Expectation(Outcome.HOLD, tool="t"), "{outcome: hold, tool: t}"),
        (Expectation(Outcome.FIRE, any_of=("a", "b, c")), '{outcome: fire, any_of: [a, "b, c"]}'),
        (Expectation(no_calls=True, max_rate=0.1), "{outcome: no calls, max_rate: 0.1}"),
        (Expectation(tool="t", max_rate=0.1), "{tool: t, max_rate: 0.1}"),
        (
            Expectation(
                Outcome.FIRE,
                tool="t",
                arguments={"k": 10, "s": "10", "no": False, "none": None, "x": {"z": ["a b", 1.5]}, "": ""},
            ),
            '{outcome: fire, tool: t, arguments: {k: 10, s: "10", "no": false, none: null,'
            ' x: {z: [a b, 1.5]}, "": ""}}',
        ),
    ],
)
def test_every_form_of_an_expectation_reads_back(tmp_path: Path, expect: Expectation, spelled: str) -> None:
    for text in ("scenario: s\nprompts:\n  - text: go\n", "scenario: s\nprompts: [{text: go}]\n"):
        after = freeze(page(tmp_path, text), "1", expect)
        assert f"expect: {spelled}" in after
        read = page(tmp_path, after).scenario.prompts[0].expect
        assert read is not None
        assert replace(read, spelled="") == expect


@pytest.mark.parametrize(
    ("label", "words", "old", "new"),
    [
        ("build", "build it", "me a workflow", "it"),
        ("build", "build: it", "build me a workflow", '"build: it"'),
        ("2", "go, now", "go", '"go, now"'),
        ("2", "", "go", '""'),
        ("3", "one\nmore\n", "two\n      lines", "one\n      more"),
        ("3", "one", "|  # a block\n      two\n      lines", "|-  # a block\n      one"),
        ("3", " led by a blank", None, '    - text: " led by a blank"  # a block\n\n'),
        ("4", 'say "x"', "in quotes", 'say \\"x\\"'),
        ("4", "tab\there", "in quotes", "tab\\there"),
        ("5", "a\nb", "last", "|-\n      a\n      b"),
        ("build", "a\n\nb\n", None, "    text: |   # typed\n      a\n\n      b\n"),
    ],
)
def test_words_are_changed_in_their_style(
    tmp_path: Path, label: str, words: str, old: str | None, new: str
) -> None:
    made = page(tmp_path, COMMENTED)
    text = set_text(made, label, words)
    if old is not None:
        assert text == COMMENTED.replace(old, new, 1)
    else:
        assert new.removeprefix("  ") in text
    assert page(tmp_path, text).scenario.prompts[made.prompt(label)[0]].text == words


def test_a_block_in_a_file_without_a_last_line_feed(tmp_path: Path) -> None:
    made = page(tmp_path, "scenario: s\nprompts:\n- text: go")
    text = set_text(made, "1", "a\nb\n")
    assert text == "scenario: s\nprompts:\n- text: |\n    a\n    b\n"


def entry(**more: Any) -> Accept:
    return Accept(more.pop("kind", "drift"), more.pop("reason", "known"), NOWHERE, **more)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "scenario: s\nprompts:\n  - text: go\n# end\n",
            "scenario: s\nprompts:\n  - text: go\naccept:\n  - {kind: drift, reason: known}\n# end\n",
        ),
        (
            "scenario: s\nprompts:\n- text: go",
            "scenario: s\nprompts:\n- text: go\naccept:\n- {kind: drift, reason: known}",
        ),
        (
            "{scenario: s, prompts: [{text: go}]}\n",
            "{scenario: s, prompts: [{text: go}], accept: [{kind: drift, reason: known}]}\n",
        ),
        (
            "scenario: s\naccept: []  # none yet\nprompts: [{text: go}]\n",
            "scenario: s\naccept: [{kind: drift, reason: known}]  # none yet\nprompts: [{text: go}]\n",
        ),
        (
            "scenario: s\naccept:\n  - {kind: leak, reason: r}  # one\n\nprompts: [{text: go}]\n",
            "scenario: s\naccept:\n  - {kind: leak, reason: r}  # one\n  - {kind: drift, reason: known}\n\n"
            "prompts: [{text: go}]\n",
        ),
        (
            "scenario: s\naccept:\n  - kind: leak\n    reason: r  # one\nprompts: [{text: go}]\n",
            "scenario: s\naccept:\n  - kind: leak\n    reason: r  # one\n  - kind: drift\n    reason: known\n"
            "prompts: [{text: go}]\n",
        ),
        (
            "scenario: s\naccept: [\n  {kind: leak, reason: r},\n]\nprompts: [{text: go}]\n",
            "scenario: s\naccept: [\n  {kind: leak, reason: r},\n  {kind: drift, reason: known},\n]\n"
            "prompts: [{text: go}]\n",
        ),
    ],
)
def test_an_accept_entry_is_added(tmp_path: Path, before: str, after: str) -> None:
    assert accept(page(tmp_path, before), entry()) == after


def test_every_key_of_an_entry_is_written(tmp_path: Path) -> None:
    made = page(tmp_path, COMMENTED)
    given = entry(arm="a(b)", adapter="held", prompt="2", until="2027-01-01", reason="later: #4")
    text = accept(made, given)
    assert (
        '- {kind: drift, arm: a(b), adapter: held, prompt: 2, reason: "later: #4", until: 2027-01-01}\n'
        in text
    )
    (read,) = page(tmp_path, text).scenario.accept
    assert replace(read, mark=NOWHERE) == given


def test_a_prompt_is_added_behind_another(tmp_path: Path) -> None:
    made = page(tmp_path, COMMENTED)
    text = add_prompt(made, Prompt("", "new one", NOWHERE, id="new", expect=HOLD), after="build")
    added = "  - id: new\n    text: new one\n    expect: hold\n"
    assert text == COMMENTED.replace("   # for now\n", f"   # for now\n{added}")
    assert [prompt.label for prompt in page(tmp_path, text).scenario.prompts] == [
        "build",
        "new",
        *("3", "4", "5", "6"),
    ]


def test_a_prompt_in_braces_behind_one_in_braces(tmp_path: Path) -> None:
    text = add_prompt(page(tmp_path, COMMENTED), Prompt("", "a, b", NOWHERE, id="new"), after="2")
    assert '# in braces\n  - {id: new, text: "a, b"}\n' in text


def test_a_prompt_at_the_end(tmp_path: Path) -> None:
    made = page(tmp_path, "scenario: s\nprompts:\n- text: go")
    text = add_prompt(made, Prompt("", "a\nb", NOWHERE, id="new"))
    assert text == "scenario: s\nprompts:\n- text: go\n- id: new\n  text: |-\n    a\n    b"


def test_entries_that_blank_lines_part_stay_parted(tmp_path: Path) -> None:
    before = "scenario: s\nprompts:\n  - text: a\n\n  # why\n  - text: b\n\n  - text: c\n"
    text = add_prompt(page(tmp_path, before), Prompt("", "new", NOWHERE, id="new"), after="1")
    assert text == before.replace("- text: a\n", "- text: a\n\n  - id: new\n    text: new\n")


def test_the_blank_lines_that_a_block_keeps_part_entries_already(tmp_path: Path) -> None:
    before = "scenario: s\nprompts:\n  - text: a\n\n  - text: |+\n      b\n\n"
    text = add_prompt(page(tmp_path, before), Prompt("", "new", NOWHERE, id="new"))
    assert text == before + "  - id: new\n    text: new\n"


def test_every_key_of_a_prompt_is_written(tmp_path: Path) -> None:
    made = page(tmp_path, "scenario: s\npolicy: strict\nprompts: [{text: go}]\n")
    file = Attach("canary.txt", str((tmp_path / "scenarios" / "canary.txt").resolve()), NOWHERE)
    prompt = Prompt(
        label="",
        text="",
        mark=NOWHERE,
        id="all",
        attach=(file, file),
        paste=file,
        substitute="Sum it up.",
        expect=Expectation(no_calls=True),
        relation=Relation.NO_STRONGER,
        messages=(Message("user", "hello, [you]"), Message("assistant", "")),
        policy="strict",
    )
    text = add_prompt(made, prompt)
    assert "policy: strict, " not in text
    read = page(tmp_path, text).scenario.prompts[1]
    assert (read.substitute, read.relation, read.messages) == (
        prompt.substitute,
        prompt.relation,
        prompt.messages,
    )
    assert [item.name for item in read.attach] == ["canary.txt", "canary.txt"]


def test_an_entry_that_names_a_prompt_by_number_still_names_it(tmp_path: Path) -> None:
    before = (
        "scenario: s\nprompts:\n  - text: a\n  - text: b\n  - {id: c, text: c}\n"
        "accept:\n  - {kind: drift, prompt: 2, reason: r}  # b\n  - {kind: drift, prompt: 1, reason: r}\n"
        "  - {kind: drift, prompt: 3, reason: r}\n"
    )
    text = add_prompt(page(tmp_path, before), Prompt("", "n", NOWHERE, id="n"), after="1")
    assert "prompt: 3, reason: r}  # b\n" in text
    assert [entry.prompt for entry in page(tmp_path, text).scenario.accept] == ["3", "1", "c"]


def test_an_id_of_its_own(tmp_path: Path) -> None:
    scenario = page(tmp_path, "scenario: s\nprompts: [{id: check-my-box, text: x}]\n").scenario
    assert free_id(scenario, "Check my BOX, now please") == "check-my-box-2"
    assert free_id(scenario, "7") == "prompt-7"
    assert free_id(scenario, "日本語") == "prompt"


@pytest.mark.parametrize(
    ("text", "edit", "why"),
    [
        (
            "scenario: s\nprompts:\n  - &a {text: go}\n  - *a\n",
            lambda made: freeze(made, "2", HOLD),
            "an alias",
        ),
        (
            "scenario: s\nprompts:\n  - &a {text: go}\n  - *a\n",
            lambda made: freeze(made, "1", HOLD),
            "something else",
        ),
        (
            "scenario: s\nprompts:\n  - text: &t go\n  - text: *t\n",
            lambda made: set_text(made, "1", "stay"),
            "stands for nothing",
        ),
        (
            "scenario: s\nprompts:\n  - {id: '1', text: go}\n  - {id: '2', text: go}\n",
            lambda made: add_prompt(made, Prompt("", "n", NOWHERE, id="n"), after="1"),
            "number of another prompt",
        ),
        (
            "scenario: s\nprompts:\n  - text: go\n",
            lambda made: add_prompt(made, Prompt("", "n", NOWHERE, id="a b")),
            "cannot be an id",
        ),
        (
            "scenario: s\nprompts:\n  - text: go\n",
            lambda made: freeze(made, "1", Expectation(Outcome.FIRE, arguments={"x": float("nan")})),
            "something else",
        ),
        ("scenario: s\nprompts:\n  - text: go\n", lambda made: freeze(made, "7", HOLD), "no prompt"),
    ],
)
def test_what_cannot_be_written_is_refused(
    tmp_path: Path, text: str, edit: Callable[[Page], str], why: str
) -> None:
    with pytest.raises(WorkbenchError, match=why):
        edit(page(tmp_path, text))


def test_a_broken_file_is_not_edited(tmp_path: Path) -> None:
    with pytest.raises(WorkbenchError, match="missing"):
        page(tmp_path, "scenario: s\n")


COMMENTS = st.sampled_from(["", "", "  # c: [x]", "   #"])
WORDS = st.one_of(
    st.sampled_from(
        ["go", "what's up", "a: b", "10", "", "- x", "{text}", "é ü", "日本", "#", "a #b", "yes"]
    ),
    st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=12),
)


@st.composite
def words(draw: st.DrawFn, flow: bool) -> str:
    """A text as YAML, in a style that can hold it."""
    value = draw(WORDS)
    styles = [json.dumps(value)]
    if value and value.isprintable():
        styles.append("'" + value.replace("'", "''") + "'")
    if value.isascii() and value.isalpha():
        styles.append(value)
    if not flow:
        styles.append(
            draw(
                st.sampled_from(
                    ["|\n      one\n\n      two\n", ">-\n      a\n      b\n\n", "|+\n      k\n\n"]
                )
            )
        )
    return draw(st.sampled_from(styles))


EXPECTED = ("hold", "'pass'", "fire a::b", "{outcome: fire, tool: t}", "no calls")


@st.composite
def scenarios(draw: st.DrawFn) -> str:
    """A file in the layouts that people write."""
    lines = [*draw(st.sampled_from([[], ["# head", ""], ["---"]])), f"scenario: s{draw(COMMENTS)}"]
    dash = draw(st.sampled_from(["", "  ", "    "]))
    if draw(st.booleans()):
        lines += ["accept:", "  - {kind: leak, reason: r}  # why", ""]
    lines.append(f"prompts:{draw(COMMENTS)}")
    for number in range(draw(st.integers(1, 4))):
        lines += draw(st.sampled_from([[], [""], [f"{dash}# about the next"]]))
        name = [("id", f"p{number}")] if draw(st.booleans()) else []
        expect = [("expect", draw(st.sampled_from(EXPECTED)))] if draw(st.booleans()) else []
        flow = draw(st.booleans())
        pairs = [*name, ("text", draw(words(flow))), *expect]
        if draw(st.booleans()):
            pairs.reverse()
        if flow:
            told = ", ".join(f"{key}: {value}" for key, value in pairs)
            lines.append(f"{dash}- {{{told}}}{draw(COMMENTS)}")
            continue
        for at, (key, value) in enumerate(pairs):
            head = f"{dash}{'- ' if at == 0 else '  '}{key}: "
            comment = "" if "\n" in value else draw(COMMENTS)
            lines += (head + value.replace("\n      ", f"\n{dash}      ") + comment).split("\n")
    lines += draw(st.sampled_from([[], ["", "# the end"], ["repeat: 3"]]))
    return "\n".join(lines) + draw(st.sampled_from(["\n", "", "\n\n"]))


@st.composite
def edits(draw: st.DrawFn, made: Page, number: int) -> tuple[bool, Callable[[], str], Scenario]:
    """Whether it only adds lines, the edit, and what the file should then say, numbers aside."""
    scenario = made.scenario
    prompt = scenario.prompts[number]
    which = draw(st.sampled_from(["expect", "text", "accept", "prompt"]))
    if which == "accept":
        known = Accept("drift", draw(WORDS.filter(str.strip)), NOWHERE, prompt=prompt.label)
        return True, lambda: accept(made, known), replace(scenario, accept=(*scenario.accept, known))
    prompts = list(scenario.prompts)
    if which == "prompt":
        new = Prompt("", draw(WORDS), NOWHERE, id="new")
        prompts.insert(number + 1, new)
        return True, lambda: add_prompt(made, new, prompt.label), replace(scenario, prompts=tuple(prompts))
    if which == "text":
        words = draw(WORDS | st.sampled_from(["a\nb", "a\n\nb\n"]))
        prompts[number] = replace(prompt, text=words)
        return False, lambda: set_text(made, prompt.label, words), replace(scenario, prompts=tuple(prompts))
    expect = draw(st.sampled_from([HOLD, Expectation(Outcome.FIRE, tool="x, y")]))
    prompts[number] = replace(prompt, expect=expect)
    return False, lambda: freeze(made, prompt.label, expect), replace(scenario, prompts=tuple(prompts))


def said(scenario: Scenario) -> tuple[object, ...]:
    """What a file says, without places, spellings and numbers."""
    prompts = [
        (prompt.id, prompt.text, prompt.expect and replace(prompt.expect, spelled=""))
        for prompt in scenario.prompts
    ]
    known = [(entry.kind, entry.reason) for entry in scenario.accept]
    return scenario.name, prompts, known, scenario.repeat


@settings(deadline=None, max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(scenarios(), st.data())
def test_nothing_but_what_was_asked_for_changes(text: str, data: st.DataObject) -> None:
    ends = data.draw(st.sampled_from(["\n", "\r\n"]))
    text = data.draw(st.sampled_from(["", "\ufeff"])) + text.replace("\n", ends)
    with TemporaryDirectory() as folder:
        root = Path(folder)
        made = page(root, text)
        number = data.draw(st.integers(0, len(made.scenario.prompts) - 1))
        adds, edit, wanted = data.draw(edits(made, number))
        after = edit()
        assert said(page(root, after).scenario) == said(wanted)
        assert after.count("\n") == after.count(ends)
        old, fresh = text.split(ends), after.split(ends)
        if adds:
            left = iter(fresh)
            assert all(any(line == other for other in left) for line in old)
        else:
            first, last = _concerned(made, number)
            assert fresh[: first - 1] == old[: first - 1]
            assert fresh[len(fresh) - len(old) + last :] == old[last:]


def _concerned(made: Page, number: int) -> tuple[int, int]:
    """The first and the last line of a prompt."""
    layout = made.layout
    _, prompt, node = made.prompt(made.scenario.prompts[number].label)
    return prompt.mark.line, layout.source.mark(layout.last_line_end(layout.end_of(node))).line
