"""`lanes guard` in real git repositories: the four trials of the seed, and what a hook meets besides."""

from __future__ import annotations

import shlex
import subprocess

import pytest
import yaml
from command import COMMAND, REPOSITORY, Bench
from guard_tree import STANZA, TOP, first_commit, git, staged


@pytest.fixture
def tree(bench: Bench) -> Bench:
    """A repository with one registered lane that its code names."""
    return first_commit(bench)


def test_an_unregistered_name_is_refused_by_name(tree: Bench) -> None:
    tree.write("src/app.py", 'emit(lane="memory", text=found)\nemit(lane="scope", text=scope)\n')
    done = staged(tree)
    assert done.code == 1
    assert done.text.startswith("src/app.py:2: error unregistered scope: no stanza in lanes.toml")
    assert done.text.count("\n") == 1


def test_a_registered_name_passes(tree: Bench) -> None:
    tree.write("src/app.py", 'emit(lane="memory", text=found)\nemit(lane="scope", text=scope)\n')
    tree.write("lanes.toml", TOP + STANZA.format(name="memory") + STANZA.format(name="scope"))
    done = staged(tree)
    assert (done.code, done.text) == (0, "")
    assert "a writer that names no lane is not seen here" in done.said


@pytest.mark.parametrize("field", ["budget", "trust"])
def test_a_stanza_without_a_budget_or_trust_fails(tree: Bench, field: str) -> None:
    tree.write("src/app.py", 'emit(lane="memory", text=found)\nemit(lane="scope", text=scope)\n')
    stanza = STANZA.format(name="scope")
    lines = [line for line in stanza.splitlines(keepends=True) if not line.startswith(field)]
    tree.write("lanes.toml", TOP + STANZA.format(name="memory") + "".join(lines))
    done = staged(tree)
    assert done.code == 1
    assert f"error incomplete scope: its stanza in lanes.toml has no {field}" in done.text


def test_every_literal_in_the_tree_resolves(tree: Bench) -> None:
    done = tree("lanes", "guard", "src/app.py", "--format", "json")
    assert done.code == 0
    assert done.json == {"workbench": 1, "findings": [], "looked_at": {"files": 1, "names": 1}}


def test_a_writer_that_names_no_lane_passes_and_the_output_says_so(tree: Bench) -> None:
    tree.write(
        "src/late.py", 'def late(messages):\n    messages.append({"role": "system", "content": "x"})\n'
    )
    done = staged(tree)
    assert (done.code, done.text) == (0, "")
    assert "a writer that names no lane is not seen here" in done.said


def test_the_registry_counts_as_it_is_staged_not_as_it_lies_there(tree: Bench) -> None:
    tree.write("src/app.py", 'emit(lane="memory")\nemit(lane="scope")\n')
    git(tree.folder, "add", "-A")
    tree.write("lanes.toml", TOP + STANZA.format(name="memory") + STANZA.format(name="scope"))
    assert tree("lanes", "guard", "--staged").code == 1
    assert staged(tree).code == 0


def test_a_stanza_that_is_taken_out_while_code_names_it(tree: Bench) -> None:
    tree.write("lanes.toml", TOP + STANZA.format(name="other"))
    done = staged(tree)
    assert done.code == 1
    assert done.text.startswith("src/app.py:1: error unregistered memory:")


def test_names_that_were_there_before_are_not_told(tree: Bench) -> None:
    tree.write("src/old.ts", "emit({ lane: 'ghost' })\n")
    git(tree.folder, "add", "-A")
    git(tree.folder, "commit", "-qm", "second")
    tree.write("src/old.ts", "emit({ lane: 'ghost' })\nlog('one more line')\n")
    assert staged(tree).code == 0


def test_the_lines_of_a_branch(tree: Bench) -> None:
    git(tree.folder, "checkout", "-qb", "work")
    tree.write("src/new.go", 'x := Record{Lane: "scope"}\n')
    git(tree.folder, "add", "-A")
    git(tree.folder, "commit", "-qm", "work")
    done = tree("lanes", "guard", "--base", "main")
    assert done.code == 1
    assert done.text.startswith("src/new.go:1: error unregistered scope")
    assert tree("lanes", "guard", "--base", "nowhere").code == 2


def test_from_a_folder_below_and_with_odd_names(tree: Bench) -> None:
    tree.write('src/ä "b".ts', "emit({\n  lane:\n    'scope',\n})\n")
    git(tree.folder, "add", "-A")
    done = Bench(tree.folder / "src")("lanes", "guard", "--staged", "--format", "json")
    assert done.code == 1
    (finding,) = done.json["findings"]
    assert (finding["file"], finding["line"], finding["lane"]) == ('src/ä "b".ts', 3, "scope")


def test_a_registry_nearer_to_the_file_is_the_one_that_counts(tree: Bench) -> None:
    tree.write("apps/one/lanes.toml", TOP + STANZA.format(name="scope"))
    tree.write("apps/one/a.py", 'emit(lane="scope")\n')
    assert staged(tree).code == 0
    git(tree.folder, "rm", "-q", "--cached", "apps/one/lanes.toml")
    (tree.folder / "apps/one/lanes.toml").unlink()
    assert tree("lanes", "guard", "--staged").code == 1


def test_a_folder_is_looked_at_whole(tree: Bench) -> None:
    tree.write("src/deep/late.rs", 'let row = LaneRecord { lane: "scope", chars: 3 };\n')
    tree.write("node_modules/x/index.js", "emit({ lane: 'theirs' })\n")
    done = tree("lanes", "guard", ".", "--format", "json")
    assert (done.code, done.json["looked_at"]) == (1, {"files": 2, "names": 2})
    (finding,) = done.json["findings"]
    assert (finding["file"], finding["lane"]) == ("src/deep/late.rs", "scope")


def test_usage(bench: Bench, tree: Bench) -> None:
    assert tree("lanes", "guard").code == 2
    assert tree("lanes", "guard", "--staged", "src/app.py").code == 2
    assert tree("lanes", "guard", "lanes.toml").code == 2


def test_outside_a_repository(bench: Bench) -> None:
    done = bench("lanes", "guard", "--staged")
    assert done.code == 2
    assert "run it inside a git repository" in done.said


def test_the_hook_for_pre_commit_refuses_a_commit(tree: Bench) -> None:
    (hook,) = yaml.safe_load((REPOSITORY / ".pre-commit-hooks.yaml").read_text())
    assert (hook["id"], hook["pass_filenames"]) == ("workbench-lanes-guard", False)
    entry = hook["entry"].split()
    assert entry[0] == COMMAND.name
    script = tree.folder / ".git/hooks/pre-commit"
    script.write_text(f"#!/bin/sh\nexec {shlex.join([str(COMMAND), *entry[1:]])}\n")
    script.chmod(0o755)
    tree.write("src/app.py", 'emit(lane="scope")\n')
    git(tree.folder, "add", "-A")
    with pytest.raises(subprocess.CalledProcessError) as refused:
        git(tree.folder, "commit", "-qm", "unregistered")
    assert "scope" in refused.value.stderr + refused.value.stdout
    tree.write("lanes.toml", TOP + STANZA.format(name="memory") + STANZA.format(name="scope"))
    git(tree.folder, "add", "-A")
    git(tree.folder, "commit", "-qm", "registered")
