"""Files as they are edited on the screen: read, checked, begun anew, and written."""

from __future__ import annotations

from difflib import SequenceMatcher
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tui_written import session_in, written

from workbench.core.errors import WorkbenchError
from workbench.files.envelope import load_envelope
from workbench.files.scenario import load_scenario
from workbench.tui.beginnings import envelope_like, scenario_like, scenario_path, why_not_file
from workbench.tui.drafting import (
    Draft,
    Kind,
    beside,
    check,
    draft_of_file,
    draft_of_prompt,
    new_draft,
    on_disk,
    prompt_at,
    write,
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return written(tmp_path)


def day(root: Path) -> Path:
    return root / "scenarios" / "day.yaml"


@pytest.mark.parametrize(
    "data",
    [
        b"a: 1\nb: 2\n",
        b"a: 1\r\nb: 2\r\n",
        b"\xef\xbb\xbfa: 1\r\nb: 2",
        b"a: 1\r\nb: 2\n",
        b"",
        b"\n\n",
        "a: \u00e9\u2028 \U0001f600\n".encode(),
    ],
)
def test_a_file_that_is_not_changed_is_written_as_it_was(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(data)
    draft = draft_of_file(path, tmp_path)
    assert not draft.would_lose(draft.text)
    write(draft, draft.text)
    assert path.read_bytes() == data


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r")),
    st.sampled_from(["\n", "\r\n"]),
)
def test_line_ends_and_all_characters_survive(tmp_path: Path, text: str, end: str) -> None:
    path = tmp_path / "x.yaml"
    body = text.removeprefix("\ufeff")
    path.write_bytes(body.replace("\n", end).encode())
    draft = draft_of_file(path, tmp_path)
    assert draft.text == body
    write(draft, draft.text + "more\n")
    kept = end if "\n" in body else "\n"
    assert path.read_bytes() == (body + "more\n").replace("\n", kept).encode()


def test_what_cannot_be_edited_here_says_so(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    for data, words in (
        (b"\xff\xfe", "not UTF-8"),
        (b"x" * 30_000, "too big"),
        (b"x\n" * 300_000, "too big"),
    ):
        path.write_bytes(data)
        with pytest.raises(WorkbenchError, match=words):
            draft_of_file(path, tmp_path)
    with pytest.raises(WorkbenchError, match="cannot be read"):
        draft_of_file(tmp_path / "gone.yaml", tmp_path)


def test_a_file_that_someone_else_changed_is_not_written_over(root: Path) -> None:
    draft = draft_of_file(day(root), root)
    day(root).write_text("someone else's")
    with pytest.raises(WorkbenchError, match="changed by someone else"):
        write(draft, "mine")
    assert day(root).read_text() == "someone else's"
    held = draft.held(on_disk(day(root)))
    assert write(held, "mine").saved == "mine"
    assert day(root).read_text() == "mine"


def test_a_new_file_is_not_written_over_one_that_is_there(root: Path) -> None:
    with pytest.raises(WorkbenchError, match="there is one already"):
        write(new_draft(day(root), root, "x"), "x")
    path = beside(day(root))
    assert path.name == "day.yaml.mine"
    path.touch()
    assert beside(day(root)).name == "day.yaml.mine1"


def test_a_lone_surrogate_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(WorkbenchError, match="lone surrogate"):
        write(new_draft(tmp_path / "x.yaml", tmp_path, ""), "\ud800")
    assert not (tmp_path / "x.yaml").exists()


# Checking


def test_errors_come_with_their_place_and_the_prompt_with_its_arms(root: Path) -> None:
    session = session_in(root)
    draft = draft_of_file(day(root), root)
    bad = check(draft, draft.text.replace("envelopes:", "envelops:"), 1, session.draft)
    assert [(p.mark.line, p.hint) for p in bad.problems if p.mark] == [(5, 'did you mean "envelopes"?')]
    good = check(draft, draft.text, 9, session.draft)
    assert good.problems == () and good.prompt is not None and good.prompt.label == "today"
    assert [(d.key.arm, d.key.adapter) for d in good.deliveries] == [
        ("bare", "whole"),
        ("chat", "whole"),
        ("bare", "first"),
        ("chat", "first"),
    ]
    edited = check(draft, draft.text.replace("every morning", "each noon"), 14, session.draft)
    assert edited.prompt is not None and edited.prompt.label == "2"
    assert '<msg from="u1">\neach noon' in edited.deliveries[1].turn.text
    assert "each noon" not in day(root).read_text(), "nothing was written"


def test_what_only_the_plan_knows_is_told_too(root: Path) -> None:
    draft = draft_of_file(day(root), root)
    checked = check(draft, draft.text.replace("[chat]", "[chats]"), 1, session_in(root).draft)
    assert [p.message for p in checked.problems] == ['unknown envelope "chats"']
    assert checked.problems[0].mark is not None and checked.problems[0].mark.line == 5


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("envelopes/chat.yaml", "envelope: chat\ningress: channel\ntemplate: x\n", "no {text}"),
        ("envelopes/chat.yaml", "envelope: other\ningress: channel\ntemplate: '{text}'\n", "named"),
        ("scenarios/keywords.yaml", "keywords: [", "expected|closed|end"),
        ("scenarios/keywords.yaml", "keywords: []\n", None),
        ("scenarios/day.yaml", "prompts: []\n", "scenario"),
        ("scenarios/day.yaml", "", "found nothing"),
        ("workbench.yaml", "adapters: {a: 1, a: 2}\n", "twice|again|duplicate"),
    ],
)
def test_each_kind_of_file_is_read_as_what_it_is(root: Path, name: str, text: str, words: str | None) -> None:
    draft = draft_of_file(root / name, root)
    problems = check(draft, text, 1, None).problems
    assert bool(problems) == (words is not None)
    if words is not None:
        told = " ".join(f"{problem.message} {problem.hint}" for problem in problems)
        assert any(word in told for word in words.split("|")), told


def test_a_line_belongs_to_the_prompt_above_it(root: Path) -> None:
    scenario = load_scenario(day(root), root)
    labels = [getattr(prompt_at(scenario, line), "label", None) for line in (1, 8, 11, 12, 99)]
    assert labels == ["today", "today", "today", "2", "2"]


# Beginnings


def test_a_new_prompt_comes_behind_the_chosen_one_with_nothing_else_changed(root: Path) -> None:
    draft = draft_of_prompt(day(root), root, "today")
    assert draft.before == day(root).read_bytes(), "nothing is written yet"
    old, new = day(root).read_text().split("\n"), draft.text.split("\n")
    steps = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    assert [tag for tag, *_ in steps] == ["equal", "insert", "equal"]
    line = new[draft.line - 1]
    assert line[draft.column - 1 :].startswith("what's on my calendar today")
    loaded = check(draft, draft.text, draft.line, session_in(root).draft)
    assert loaded.problems == () and loaded.prompt is not None and loaded.prompt.id == "today-2"
    assert not draft.would_lose(draft.text) and draft.would_lose(draft.text + "x")


def test_a_new_prompt_keeps_the_line_ends_of_its_file(tmp_path: Path) -> None:
    root = written(tmp_path, day=("\ufeff" + "scenario: day\nprompts:\n  - text: a\n").replace("\n", "\r\n"))
    draft = draft_of_prompt(day(root), root, "1")
    assert "\r" not in draft.text
    data = day(root).read_bytes()
    write(draft, draft.text)
    assert day(root).read_bytes().startswith(data) and day(root).read_bytes().count(b"\r\n") > 3
    assert b"\n" not in day(root).read_bytes().replace(b"\r\n", b"")


def test_a_new_scenario_has_the_settings_and_the_prompt_of_the_chosen_one(root: Path) -> None:
    scenario = load_scenario(day(root), root)
    draft = scenario_like("night", root, scenario, scenario.prompts[1])
    assert draft.path == scenario_path(root, "night") and draft.kind is Kind.SCENARIO
    assert draft.before is None and not draft.path.exists()
    write(draft, draft.text)
    made = load_scenario(draft.path, root)
    assert (made.name, made.envelopes, made.prompts[0].text) == ("night", ("chat",), scenario.prompts[1].text)
    assert (
        draft.text.split("\n")[draft.line - 1][draft.column - 1 :]
        == '"every morning\\ntell me of my calendar"'
    )
    assert why_not_file(draft.path) == "there is a scenario file of that name already"


def test_without_a_chosen_one_there_is_an_example(root: Path) -> None:
    draft = scenario_like("first", root, None, None)
    assert check(draft, draft.text, 1, session_in(root).draft).problems == ()
    with pytest.raises(WorkbenchError, match="cannot name"):
        scenario_like("../evil", root, None, None)


def test_a_new_envelope_is_like_the_chosen_arm_but_claims_no_source_of_it(root: Path) -> None:
    draft = envelope_like("chat-2", root, "chat(reply)")
    write(draft, draft.text)
    made, old = load_envelope(draft.path), load_envelope(root / "envelopes" / "chat.yaml")
    assert (made.template, made.slots, made.ingress) == (old.template, old.slots, old.ingress)
    assert (made.source.origin, made.source.status) == ("after chat", "hand-written")
    assert draft.kind is Kind.ENVELOPE


@pytest.mark.parametrize("arm", ["bare", None, "gone", "[b]", "attach"])
def test_an_arm_that_is_no_envelope_gives_an_example(root: Path, arm: str | None) -> None:
    draft: Draft = envelope_like("fresh", root, arm)
    assert check(draft, draft.text, 1, None).problems == ()
