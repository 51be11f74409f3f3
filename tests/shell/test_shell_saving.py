"""`/save` writes what was sent, loads again, and leaves what stands there."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shell_parts import shipped_copy

from workbench.core.errors import UsageError, WorkbenchError
from workbench.files.scenario import load_scenario
from workbench.files.workspace import load_workspace
from workbench.shell.delivery import Settings
from workbench.shell.paste import Draft
from workbench.shell.session import Session


@pytest.fixture
def session(tmp_path: Path) -> Session:
    root = shipped_copy(tmp_path)
    made = Session(load_workspace(root), root.resolve(), Settings(()))
    made.choose_adapters(("held", "fixed"))
    return made


def save(session: Session, draft: Draft, name: str = "mine") -> str:
    session.handle(draft)
    return session.handle(Draft(f"/save {name}")).talk[0]


def test_a_new_file(session: Session) -> None:
    session.choose_envelopes(["channel", "channel(reply)"])
    said = save(session, Draft("check my calendar: now #1"))
    assert said == "made scenarios/mine.yaml; `workbench run 'mine#check-my-calendar'` runs it"
    scenario = load_scenario(session.cwd / "scenarios/mine.yaml", session.cwd)
    assert scenario.adapters == ("held", "fixed")
    assert scenario.envelopes == ("channel", "channel(reply)")
    assert [prompt.text for prompt in scenario.prompts] == ["check my calendar: now #1"]


def test_nothing_is_saved_before_a_prompt(session: Session) -> None:
    with pytest.raises(UsageError, match="no prompt was sent yet"):
        session.handle(Draft("/save mine"))


def test_it_is_saved_as_it_was_sent(session: Session) -> None:
    session.attach(["scenarios/canary.txt"])
    session.handle(Draft("How many?"))
    session.attach([])
    session.handle(Draft("/save mine"))
    scenario = load_scenario(session.cwd / "scenarios/mine.yaml", session.cwd)
    assert [file.name for file in scenario.prompts[0].attach] == ["canary.txt"]
    assert scenario.envelopes is None, "those that carry the file"


def test_a_second_prompt_leaves_the_first_and_its_comments(session: Session) -> None:
    path = session.cwd / "scenarios/envelope-replay.yaml"
    before = path.read_text()
    assert save(session, Draft("one more"), "envelope-replay").startswith("added to")
    after = path.read_text()
    assert after.startswith(before.rstrip("\n"))
    assert load_scenario(path, session.cwd).prompts[-1].text == "one more"


def test_a_broken_file_is_left(session: Session) -> None:
    path = session.cwd / "scenarios/broken.yaml"
    path.write_text("scenario: broken\nprompts: [\n")
    with pytest.raises(WorkbenchError):
        save(session, Draft("see One click", ((4, 13),)), "broken")
    assert path.read_text() == "scenario: broken\nprompts: [\n"
    assert not list(path.parent.glob("*paste-*")), "nor is a file left beside it"


def test_a_paste_goes_into_a_file_of_its_own(session: Session) -> None:
    draft = Draft("sum this: One\nclick. thanks", ((10, 20),))
    assert "what was pasted in mine-paste-1.txt" in save(session, draft)
    prompt = load_scenario(session.cwd / "scenarios/mine.yaml", session.cwd).prompts[0]
    assert prompt.text == "sum this:  thanks"
    assert prompt.paste is not None
    assert Path(prompt.paste.path).read_text() == "One\nclick."
    assert "mine-paste-2.txt" in save(session, draft)
    assert len(load_scenario(session.cwd / "scenarios/mine.yaml", session.cwd).prompts) == 2


def test_a_file_from_elsewhere_is_refused(session: Session, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "a.txt"
    outside.write_text("x")
    session.attach([str(outside)])
    with pytest.raises(UsageError, match="lies outside the workspace"):
        save(session, Draft("read it"))
    assert not (session.cwd / "scenarios/mine.yaml").exists()


@pytest.mark.parametrize("name", ["../x", "a/b", "'a b'", "'#'", ".hidden", "''"])
def test_names_that_are_none(session: Session, name: str) -> None:
    with pytest.raises(UsageError, match="cannot name a scenario"):
        save(session, Draft("x"), name)


def test_a_name_with_its_ending(session: Session) -> None:
    save(session, Draft("x"), "mine.yaml")
    assert (session.cwd / "scenarios/mine.yaml").is_file()


@pytest.fixture(scope="module")
def root() -> Path:
    folder = Path(tempfile.mkdtemp()).resolve()
    (folder / "workbench.yaml").write_text("adapters: {table: {use: keyword, table: t.yaml}}\n")
    return folder


texts = st.one_of(
    st.text(min_size=1),
    st.text("ab \n\t:#-'\"[]{}\\|>&*!%@`,?\x00\x85\u2028\u202e\ud800é", min_size=1),
    st.sampled_from(["yes", "null", "~", "1.5", "2026-01-01", "- a", "a: b", "a #b", "\n", "x\n", " x\n y"]),
).filter(lambda text: text.strip() and not text.startswith("/"))


@settings(deadline=None)
@given(st.lists(texts, min_size=1, max_size=3))
def test_every_prompt_comes_back_as_it_was(root: Path, prompts: list[str]) -> None:
    session = Session(load_workspace(root), root, Settings(("table",)))
    path = root / "scenarios/all.yaml"
    path.unlink(missing_ok=True)
    for text in prompts:
        save(session, Draft(text), "all")
    assert [prompt.text for prompt in load_scenario(path, root).prompts] == prompts
