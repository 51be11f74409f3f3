"""Changes of the registry itself, with real git: stanzas added, altered, moved, lost and merged."""

from __future__ import annotations

import subprocess

import pytest
from command import COMMAND, Bench, Done
from guard_tree import STANZA, TOP, commit, first_commit, git, staged

MEMORY = TOP + STANZA.format(name="memory")


@pytest.fixture
def tree(bench: Bench) -> Bench:
    return first_commit(bench)


def without(field: str, name: str = "scope") -> str:
    lines = STANZA.format(name=name).splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(field))


def told(done: Done) -> list[tuple[str, int, str | None, str]]:
    return [(one["file"], one["line"], one["lane"], one["kind"]) for one in done.json["findings"]]


@pytest.mark.parametrize("field", ["budget", "trust", "injector", "priority", "evicts"])
def test_a_new_stanza_is_complete_though_no_code_names_it(tree: Bench, field: str) -> None:
    tree.write("lanes.toml", MEMORY + "\n" + without(field))
    done = staged(tree)
    assert done.code == 1
    assert done.text == f"lanes.toml:10: error incomplete scope: this stanza has no {field}\n"


def test_a_new_stanza_without_a_name(tree: Bench) -> None:
    tree.write("lanes.toml", MEMORY + without("name"))
    assert told(staged(tree, "--format", "json")) == [("lanes.toml", 9, None, "incomplete")]


def test_a_stanza_made_incomplete_by_taking_a_line_out(tree: Bench) -> None:
    tree.write("src/app.py", "")
    commit(tree)
    tree.write("lanes.toml", TOP + without("trust", "memory"))
    done = staged(tree)
    assert (done.code, done.text) == (1, "lanes.toml:2: error incomplete memory: this stanza has no trust\n")


def test_a_stanza_made_incomplete_that_old_code_names_is_told_at_both_places(tree: Bench) -> None:
    tree.write("lanes.toml", MEMORY.replace("budget = 800", 'budget = "lots"'))
    assert told(staged(tree, "--format", "json")) == [
        ("lanes.toml", 2, "memory", "incomplete"),
        ("src/app.py", 1, "memory", "incomplete"),
    ]


def test_a_stanza_that_was_incomplete_before_is_left_to_check(tree: Bench) -> None:
    tree.write("lanes.toml", MEMORY + without("budget"))
    commit(tree)
    more = STANZA.format(name="late")
    tree.write(
        "lanes.toml",
        f"{TOP}# moved down, and a comment\n{more}{without('budget')}# why\n{STANZA.format(name='memory')}",
    )
    assert staged(tree).code == 0
    altered = without("budget").replace("priority = 2", "priority = 3")
    tree.write("lanes.toml", MEMORY + altered)
    assert told(staged(tree, "--format", "json")) == [("lanes.toml", 9, "scope", "incomplete")]


def test_a_value_of_another_type_is_a_change(tree: Bench) -> None:
    tree.write("src/app.py", "")
    tree.write("lanes.toml", MEMORY.replace("priority = 2", "priority = 1"))
    commit(tree)
    tree.write("lanes.toml", MEMORY.replace("priority = 2", "priority = true"))
    assert staged(tree).text.endswith("this stanza has a wrong priority\n")


def test_of_a_branch(tree: Bench) -> None:
    git(tree.folder, "checkout", "-qb", "work")
    tree.write("lanes.toml", MEMORY + without("budget"))
    commit(tree)
    done = tree("lanes", "guard", "--base", "main")
    assert (done.code, done.text) == (1, "lanes.toml:9: error incomplete scope: this stanza has no budget\n")


def test_the_first_commit_of_a_repository(bench: Bench) -> None:
    git(bench.folder, "init", "-q")
    bench.write("lanes.toml", MEMORY + without("trust"))
    bench.write("app.py", 'emit(lane="memory")\nemit(lane="late")\n')
    done = staged(bench, "--format", "json")
    assert told(done) == [("app.py", 2, "late", "unregistered"), ("lanes.toml", 9, "scope", "incomplete")]


def test_no_registry_is_a_finding_wherever_it_is_asked(bench: Bench) -> None:
    git(bench.folder, "init", "-q")
    bench.write("app.py", "x = 1\n")
    assert staged(bench).code == bench("lanes", "guard", "app.py").code == 0
    bench.write("app.py", 'emit(lane="memory")\n')
    by_git, by_name = staged(bench), bench("lanes", "guard", "app.py")
    assert by_git.code == by_name.code == 1
    assert by_git.text == by_name.text
    assert "app.py:1: error unregistered memory: no lanes.toml above this file" in by_name.text


def test_a_registry_that_is_named_and_is_not_there(tree: Bench) -> None:
    tree.write("src/app.py", "x = 1\n")
    for which in (["--staged"], ["--base", "HEAD"], ["src/app.py"]):
        done = tree("lanes", "guard", *which, "--registry", "lanse.toml")
        assert (done.code, done.text) == (2, "")
        assert "lanse.toml" in done.said


def test_a_registry_of_another_name(tree: Bench) -> None:
    git(tree.folder, "mv", "lanes.toml", "prompt.toml")
    commit(tree)
    tree.write("prompt.toml", TOP + without("budget"))
    assert told(staged(tree, "--format", "json", "--registry", "prompt.toml")) == [
        ("prompt.toml", 2, "scope", "incomplete"),
        ("src/app.py", 1, "memory", "unregistered"),
    ]


def test_a_registry_that_is_taken_out(tree: Bench) -> None:
    (tree.folder / "lanes.toml").unlink()
    assert told(staged(tree, "--format", "json")) == [("src/app.py", 1, "memory", "unregistered")]
    named = staged(tree, "--registry", "lanes.toml")
    assert "src/app.py:1: error unregistered memory: lanes.toml is not there" in named.text


def test_a_registry_that_is_moved_away_from_the_code(tree: Bench) -> None:
    tree.write("other/app.py", "x = 1\n")
    git(tree.folder, "mv", "lanes.toml", "other/lanes.toml")
    assert told(staged(tree, "--format", "json")) == [("src/app.py", 1, "memory", "unregistered")]


def test_a_registry_that_is_moved_to_the_code(tree: Bench) -> None:
    tree.write("lanes.toml", MEMORY + without("budget"))
    commit(tree)
    git(tree.folder, "mv", "lanes.toml", "src/lanes.toml")
    assert staged(tree).code == 0


def test_a_nearer_registry_takes_lanes_from_code_below_it(tree: Bench) -> None:
    tree.write("src/lanes.toml", TOP + STANZA.format(name="scope"))
    assert told(staged(tree, "--format", "json")) == [("src/app.py", 1, "memory", "unregistered")]


def test_a_file_that_is_moved_out_of_reach_of_its_stanza(tree: Bench) -> None:
    tree.write("apps/lanes.toml", TOP + STANZA.format(name="scope"))
    commit(tree)
    git(tree.folder, "mv", "src/app.py", "src/main.py")
    assert staged(tree).code == 0
    git(tree.folder, "mv", "src/main.py", "apps/main.py")
    assert told(staged(tree, "--format", "json")) == [("apps/main.py", 1, "memory", "unregistered")]


def test_a_file_with_an_odd_name_that_is_moved(tree: Bench) -> None:
    tree.write("apps/lanes.toml", TOP + STANZA.format(name="scope"))
    git(tree.folder, "mv", "src/app.py", 'src/ä "b".py')
    commit(tree)
    git(tree.folder, "mv", 'src/ä "b".py', 'apps/ä "b".py')
    assert told(staged(tree, "--format", "json")) == [('apps/ä "b".py', 1, "memory", "unregistered")]


def test_a_registry_that_was_broken_is_mended(tree: Bench) -> None:
    tree.write("lanes.toml", "[[lane]\n")
    git(tree.folder, "add", "-A")
    assert tree("lanes", "guard", "--staged").code == 2
    commit(tree)
    tree.write("lanes.toml", MEMORY)
    assert staged(tree).code == 0


def conflict(tree: Bench, theirs: dict[str, str], ours: dict[str, str]) -> None:
    """A merge that waits for its commit, as after a conflict."""
    git(tree.folder, "checkout", "-qb", "theirs")
    for name, text in theirs.items():
        tree.write(name, text)
    commit(tree)
    git(tree.folder, "checkout", "-q", "main")
    for name, text in ours.items():
        tree.write(name, text)
    commit(tree)
    git(tree.folder, "merge", "-q", "--no-commit", "--no-ff", "theirs")


def test_a_merge_answers_only_for_what_neither_side_had(tree: Bench) -> None:
    conflict(
        tree,
        {"src/theirs.py": 'emit(lane="ghost")\n', "lanes.toml": MEMORY + without("budget")},
        {"src/ours.py": "x = 1\n"},
    )
    assert staged(tree).code == 0
    tree.write("src/theirs.py", 'emit(lane="ghost")\nemit(lane="late")\n')
    assert told(staged(tree, "--format", "json")) == [("src/theirs.py", 2, "late", "unregistered")]


def test_a_merge_that_brings_a_name_to_where_its_stanza_went(tree: Bench) -> None:
    """Both sides are right, each for itself: one takes a lane out, the other begins to name it."""
    tree.write("lanes.toml", MEMORY + STANZA.format(name="scope"))
    commit(tree)
    conflict(tree, {"src/theirs.py": 'emit(lane="scope")\n'}, {"lanes.toml": MEMORY})
    assert told(staged(tree, "--format", "json")) == [("src/theirs.py", 1, "scope", "unregistered")]


def test_what_is_excluded(tree: Bench) -> None:
    tree.write("src/app_test.py", 'emit(lane="fake")\n')
    tree.write("tests/lanes.toml", without("budget"))
    assert staged(tree).code == 1
    out = ("--exclude", "*_test.py", "--exclude", "tests/")
    assert staged(tree, *out).code == 0
    assert Bench(tree.folder / "src")("lanes", "guard", "--staged", *out).code == 0
    assert tree("lanes", "guard", ".").code == tree("lanes", "guard", "src/app_test.py").code == 1
    assert tree("lanes", "guard", ".", *out).code == tree("lanes", "guard", "src/app_test.py", *out).code == 0
    assert tree("lanes", "guard", ".", "--exclude", "").code == 2


def test_a_commit_of_named_files_alone(tree: Bench) -> None:
    """`git commit FILE` hands its hook an index of its own."""
    hook = tree.folder / ".git/hooks/pre-commit"
    hook.write_text(f"#!/bin/sh\nexec '{COMMAND}' lanes guard --staged\n")
    hook.chmod(0o755)
    tree.write("src/other.py", "x = 1\n")
    commit(tree)
    tree.write("src/app.py", 'emit(lane="ghost")\n')
    tree.write("src/other.py", "x = 2\n")
    git(tree.folder, "add", "-A")
    git(tree.folder, "commit", "-qm", "other", "src/other.py")
    with pytest.raises(subprocess.CalledProcessError):
        git(tree.folder, "commit", "-qm", "app", "src/app.py")


def test_a_merge_without_conflicts_asks_its_own_hook(tree: Bench) -> None:
    hook = tree.folder / ".git/hooks/pre-merge-commit"
    hook.write_text(f"#!/bin/sh\nexec '{COMMAND}' lanes guard --staged\n")
    hook.chmod(0o755)
    tree.write("lanes.toml", MEMORY + STANZA.format(name="scope"))
    commit(tree)
    git(tree.folder, "checkout", "-qb", "theirs")
    tree.write("src/theirs.py", 'emit(lane="ghost")\n')
    commit(tree)
    git(tree.folder, "checkout", "-q", "main")
    tree.write("src/ours.py", "x = 1\n")
    commit(tree)
    git(tree.folder, "merge", "-q", "--no-edit", "theirs")
    git(tree.folder, "checkout", "-qb", "more")
    tree.write("src/more.py", 'emit(lane="scope")\n')
    commit(tree)
    git(tree.folder, "checkout", "-q", "main")
    tree.write("lanes.toml", MEMORY)
    commit(tree)
    with pytest.raises(subprocess.CalledProcessError) as refused:
        git(tree.folder, "merge", "-q", "--no-edit", "more")
    assert "src/more.py:1: error unregistered scope" in refused.value.stderr + refused.value.stdout


def test_a_registry_behind_a_symbolic_link(tree: Bench) -> None:
    git(tree.folder, "mv", "lanes.toml", "src/prompt.toml")
    (tree.folder / "lanes.toml").symlink_to("src/prompt.toml")
    assert staged(tree).code == 0
    commit(tree)
    assert tree("lanes", "guard", "--base", "HEAD").code == 0
    tree.write("src/app.py", 'emit(lane="memory")\nemit(lane="scope")\n')
    assert told(staged(tree, "--format", "json")) == [("src/app.py", 2, "scope", "unregistered")]


def test_declarations_given_by_name(tree: Bench) -> None:
    tree.write("src/app.pyi", "lane: str = 'scope'\n")
    tree.write("src/app.d.ts", "declare const x: { lane: 'late' };\n")
    done = tree("lanes", "guard", "src/app.pyi", "src/app.d.ts", "--format", "json")
    assert [(file, lane) for file, _, lane, _ in told(done)] == [
        ("src/app.d.ts", "late"),
        ("src/app.pyi", "scope"),
    ]
