"""Scenarios by folder, path, name and prompt."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.errors import UsageError, WorkbenchError
from workbench.files.documents import Documents
from workbench.files.glimpse import glimpse
from workbench.files.locate import find_scenarios, resolve

ONE = "scenario: canary\nprompts:\n  - {id: question, text: a}\n  - text: b\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "w" / "scenarios"
    folder.mkdir(parents=True)
    (folder / "canary.yaml").write_text(ONE)
    (folder / "other-file.yml").write_text('# note\n---\n{"scenario": replay, prompts: [{text: a}]}\n')
    (folder / "broken.yaml").write_text("'scenario' : broken\nprompts: [\n")
    (folder / "indented.yaml").write_text(
        "\ufeff\n  # note\n  scenario: deep\n  prompts: [{text: a}]\n", "utf-8"
    )
    (folder / "keywords.yaml").write_text("keywords: []\nhold: ['scenario: x']\n")
    (folder / "routes.yaml").write_text("- name: scenario\n  scenario: no\n")
    (folder / "tools.yaml").write_text("tools: |\n  scenario: not at the top\n")
    (folder / "latin.yaml").write_bytes(b"keywords: \xff\n")
    (folder / "notes.txt").write_text(ONE)
    (folder / ".swap.yaml").write_text(ONE)
    return tmp_path / "w"


def test_scenarios_are_told_from_other_files(root: Path) -> None:
    names = [path.name for path in find_scenarios(root)]
    assert names == ["broken.yaml", "canary.yaml", "indented.yaml", "latin.yaml", "other-file.yml"]
    assert find_scenarios(root / "scenarios") == []


def test_scenarios_in_folders_of_the_folder_are_found(root: Path) -> None:
    folder = root / "scenarios"
    for name in ("night/late", "night/recordings", ".old", "recordings", "night"):
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / "one.yaml").write_text(ONE.replace("canary", f"in {name}"))
    (root / "elsewhere").mkdir()
    (root / "elsewhere" / "far.yaml").write_text(ONE)
    (folder / "link").symlink_to(root / "elsewhere")
    (folder / "loop").symlink_to(folder)
    found = [path.relative_to(folder).as_posix() for path in find_scenarios(root)]
    assert [name for name in found if "/" in name] == ["night/late/one.yaml", "night/one.yaml"]
    assert len(found) == 7
    assert resolve("in night/late", root, root)[0] == folder / "night" / "late" / "one.yaml"
    assert resolve("in night#2", root, root) == (folder / "night" / "one.yaml", "2")
    assert resolve("scenarios/night/one.yaml", root, root)[0] == folder / "night" / "one.yaml"
    (folder / "night" / "two.yaml").write_text(ONE)
    with pytest.raises(UsageError, match=r'2 scenarios are named "canary": canary\.yaml, night/two\.yaml'):
        resolve("canary", root, root)


def test_a_glimpse_tells_the_names_that_are_plain_to_see(root: Path) -> None:
    folder = root / "scenarios"
    (folder / "deep").mkdir()
    (folder / "deep" / "a.yaml").write_bytes(b"# a note\r\nscenario: by day  \r\nprompts: [\r\n")
    (folder / "late.yaml").write_text("about: x\n" * 9000 + ONE.replace("canary", "late"))
    odd = ("'quoted'", "a # note", "&a b", "*a", "|", "", "a: b", "é", "[a]", "a\n  b")
    for number, line in enumerate(odd):
        (folder / f"odd{number}.yaml").write_text(f"scenario: {line}\n", "utf-8")
    seen = glimpse(root)
    assert seen.pop("a", None) is not None, "a second line of a name is not looked for"
    assert seen == {"canary": folder / "canary.yaml", "by day": folder / "deep" / "a.yaml"}
    (folder / "double.yaml").write_text(ONE)
    assert glimpse(root)["canary"] == folder / "canary.yaml"
    assert glimpse(root / "nowhere") == {}


@pytest.mark.parametrize(
    ("argument", "file", "label"),
    [
        ("canary", "canary.yaml", None),
        ("canary#question", "canary.yaml", "question"),
        ("canary#1", "canary.yaml", "question"),
        ("canary#2", "canary.yaml", "2"),
        ("replay", "other-file.yml", None),
        ("other-file", "other-file.yml", None),
        ("deep#1", "indented.yaml", "1"),
        ("broken", "broken.yaml", None),
        ("scenarios/canary.yaml", "canary.yaml", None),
        ("scenarios/canary.yaml#2", "canary.yaml", "2"),
        ("./scenarios/../scenarios/canary.yaml", "canary.yaml", None),
    ],
)
def test_what_a_command_line_names(root: Path, argument: str, file: str, label: str | None) -> None:
    assert resolve(argument, root, root) == (root / "scenarios" / file, label)
    # A path may be relative to the workspace too.
    assert resolve(argument, root, root.parent) == (root / "scenarios" / file, label)


@pytest.mark.parametrize(
    "text", ["scenaro: s\nprompts:\n  - text: a\n", "prompts: [\n", "a: b: c\n", "text: *hi*\n"]
)
def test_a_file_that_is_broken_or_misnamed_is_not_passed_over(root: Path, text: str) -> None:
    (root / "scenarios" / "odd.yaml").write_text(text)
    assert "odd.yaml" in [path.name for path in find_scenarios(root)]


def test_paths_are_relative_to_where_one_stands_first(root: Path) -> None:
    here = root.parent / "here"
    here.mkdir()
    (here / "canary.yaml").write_text(ONE)
    (here / "a#b.yaml").write_text(ONE)
    assert resolve("canary.yaml", root, here) == (here / "canary.yaml", None)
    assert resolve("canary", root, here) == (root / "scenarios" / "canary.yaml", None)
    assert resolve("a#b.yaml", root, here) == (here / "a#b.yaml", None)
    assert resolve("a#b.yaml#2", root, here) == (here / "a#b.yaml", "2")
    assert resolve(str(here / "canary.yaml"), root, root) == (here / "canary.yaml", None)


@pytest.mark.parametrize(
    ("argument", "told"),
    [
        ("canry", 'did you mean "canary"?'),
        ("canry#1", 'no scenario "canry"'),
        ("canary#quest", 'has no prompt "quest"'),
        ("canary#qestion", 'did you mean "question"?'),
        ("canary#3", 'has no prompt "3"'),
        ("canary#", 'has no prompt ""'),
        ("", "no scenario"),
        ("scenarios", "no scenario"),
        ("none.yaml", "no scenario"),
        ("a\0b", "no scenario"),
        ("x" * 5000, "no scenario"),
        ("keywords", "no scenario"),
    ],
)
def test_what_is_not_there(root: Path, argument: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        resolve(argument, root, root)
    assert told in str(caught.value)


def test_a_prompt_of_a_broken_scenario_tells_what_is_broken(root: Path) -> None:
    with pytest.raises(WorkbenchError) as caught:
        resolve("broken#1", root, root)
    assert "never closed" in str(caught.value)


def test_one_name_for_two_scenarios_is_told(root: Path) -> None:
    (root / "scenarios" / "second.yaml").write_text(ONE)
    with pytest.raises(UsageError, match="2 scenarios are named"):
        resolve("canary", root, root)
    assert resolve("second", root, root)[0].name == "second.yaml"


def test_what_a_file_says_of_itself_comes_before_its_own_name(root: Path) -> None:
    (root / "scenarios" / "replay.yaml").write_text("scenario: else\nprompts: [{text: a}]\n")
    assert resolve("replay", root, root)[0].name == "other-file.yml"


def test_documents_are_read_once_and_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "page.txt"
    path.write_bytes("\ufeffone\r\ntwo\0\x1b[1m\u2028".encode())
    documents = Documents()
    assert documents.read(str(path)) == "one\r\ntwo\0\x1b[1m\u2028"
    path.write_text("changed")
    assert documents.read(str(path)).startswith("one")
    assert Documents().read(str(path)) == "changed"


def test_a_document_that_is_no_text_is_told_with_its_byte(tmp_path: Path) -> None:
    path = tmp_path / "page.pdf"
    path.write_bytes(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    with pytest.raises(WorkbenchError) as caught:
        Documents().read(str(path))
    assert str(caught.value) == (
        f"{path}:2:2: not UTF-8: byte 0xe2 at offset 10 "
        "(attach plain text: convert the file, or save it as UTF-8)"
    )
    with pytest.raises(WorkbenchError, match="No such file"):
        Documents().read(str(tmp_path / "none"))
