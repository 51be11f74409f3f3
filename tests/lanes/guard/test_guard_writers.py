"""The known limit of the guard: a writer that never names a lane passes it, and `lanes writers` has it."""

from __future__ import annotations

import pytest
from command import Bench
from guard_tree import commit, first_commit, staged

LATE = """\
import openai


def late(messages, scope):
    messages.append({"role": "system", "content": scope})
    return openai.chat.completions.create(messages=messages)
"""


@pytest.fixture
def tree(bench: Bench) -> Bench:
    return first_commit(bench)


def test_a_writer_that_names_no_lane_passes_the_guard_and_is_found_by_writers(tree: Bench) -> None:
    pytest.importorskip("ast_grep_py")
    tree("lanes", "writers", "src", "--write-baseline", "known.jsonl")
    commit(tree)
    tree.write("src/late.py", LATE)
    passed = staged(tree)
    assert (passed.code, passed.text) == (0, "")
    assert "a writer that names no lane is not seen here: `workbench lanes writers` finds it" in passed.said

    found = tree("lanes", "writers", "src", "--format", "json")
    assert found.code == 0
    (fault,) = found.json["findings"]
    assert (fault["kind"], fault["lane"], fault["file"], fault["line"]) == ("writer", None, "src/late.py", 5)
    assert "it names no lane" in fault["message"]

    refused = tree("lanes", "writers", "src", "--baseline", "known.jsonl")
    assert refused.code == 1
    assert refused.text.startswith("src/late.py:5: error new-writer: push in late is not in the baseline")
    assert "it names no lane" in refused.text


def test_once_it_names_one_the_guard_sees_it_and_writers_has_it_registered(tree: Bench) -> None:
    pytest.importorskip("ast_grep_py")
    tree.write("src/late.py", LATE.replace('"content": scope', '"content": scope, "lane": "scope"'))
    assert "error unregistered scope" in staged(tree).text
    stanzas = tree("lanes", "writers", "src", "--stanzas").text
    tree.write("lanes.toml", (tree.folder / "lanes.toml").read_text() + stanzas)
    assert staged(tree).code == 0
    assert tree("lanes", "writers", "src", "--format", "json").json["findings"] == []
