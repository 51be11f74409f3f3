"""The baseline: one line for a writer, the same whatever moves, and each fault of the file with its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.errors import WorkbenchError
from workbench.files.source import Source
from workbench.lanes.writers.baseline import Known, baseline_text, known_of, parse_baseline
from workbench.lanes.writers.site import Confidence, Site, SiteKind

HEAD = '{"workbench": 1, "baseline": "writers"}\n'
LINE = '{"file": "a.py", "function": "f", "kind": "push", "text": "x"}\n'


def site(
    file: str = "src/a.py", line: int = 4, text: str = "messages.append(x)", function: str = "f"
) -> Site:
    return Site(file, line, 1, line, line, (line,), SiteKind.PUSH, Confidence.HIGH, function, text)


entries = st.builds(
    Known,
    st.text(min_size=1),
    st.text(),
    st.sampled_from([kind.value for kind in SiteKind]),
    st.text(),
    st.integers(1, 1_000),
)


@given(st.sets(entries))
def test_what_is_written_is_read_back(known: set[Known]) -> None:
    text = baseline_text(known)
    assert text.isascii()
    assert text.count("\n") == len(known) + 1
    assert set(parse_baseline(Source("b.jsonl", text))) == known
    assert baseline_text(parse_baseline(Source("b.jsonl", text))) == text


def test_one_writer_is_one_line_and_lines_are_sorted() -> None:
    text = baseline_text([Known("b.py", "g", "join", "t"), Known("a.py", "f", "push", "t", 2)])
    assert text == (
        HEAD
        + '{"file": "a.py", "function": "f", "kind": "push", "text": "t", "ordinal": 2}\n'
        + '{"file": "b.py", "function": "g", "kind": "join", "text": "t"}\n'
    )


def test_lines_and_white_space_are_no_part_of_what_a_writer_is() -> None:
    before = known_of([site(line=4, text="messages.append(\n    x\n)")], Path.cwd())
    after = known_of([site(line=90, text="messages.append( x )")], Path.cwd())
    assert list(before) == list(after)
    assert [one.fingerprint for one in before] == [one.fingerprint for one in after]


def test_equal_ones_are_counted_and_others_are_not_confused() -> None:
    sites = [site(line=1), site(line=2), site(line=3, function="g"), site(file="src/b.py")]
    known = known_of(sites, Path.cwd())
    assert [one.ordinal for one in known] == [1, 2, 1, 1]
    assert len({one.fingerprint for one in known}) == 4
    assert list(known.values()) == sites


def test_a_long_text_is_kept_short_and_told_from_another_with_the_same_head() -> None:
    one, other = (known_of([site(text="x" * 5_000 + end)], Path.cwd()) for end in "ab")
    (first,), (second,) = one, other
    assert first != second
    assert len(first.text) < 250


def test_files_are_relative_to_the_baselines_folder(tmp_path: Path) -> None:
    inside = site(file=str(tmp_path / "src" / "a.py"))
    assert [one.file for one in known_of([inside], tmp_path)] == ["src/a.py"]
    assert [one.file for one in known_of([inside], tmp_path / "ci")] == ["../src/a.py"]


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("", (1, 1), "no baseline of writers"),
        ("[]\n", (1, 1), "no baseline of writers"),
        ('{"workbench": 1}\n', (1, 1), "no baseline of writers"),
        ('{"workbench": 2, "baseline": "writers"}\n', (1, 1), "version 2: 1 is the one"),
        ('{"workbench": true, "baseline": "writers"}\n', (1, 1), "version true"),
        ("<<<<<<< HEAD\n", (1, 1), "merge conflict"),
        (HEAD + LINE + "=======\n", (3, 1), "merge conflict"),
        (HEAD + '{"file": "a.py",,}\n', (2, 17), "no JSON: "),
        (HEAD + "[1]\n", (2, 1), "is no object"),
        (HEAD + LINE + LINE, (3, 1), "the same writer as in line 2"),
        (HEAD + LINE.replace('"x"', "3"), (2, 1), "text is 3: text is expected"),
        (HEAD + LINE.replace("push", "psh"), (2, 1), 'unknown kind "psh"'),
        (HEAD + LINE.replace("function", "fonction"), (2, 1), 'unknown key "fonction"'),
        (HEAD + LINE.replace(', "text": "x"', ""), (2, 1), 'the key "text" is missing'),
        (HEAD + LINE.replace("}", ', "ordinal": 0}'), (2, 1), "ordinal is 0"),
        (HEAD + "[" * 100_000 + "\n", (2, 1), "no JSON"),
    ],
)
def test_a_broken_file_is_told_with_its_place(text: str, where: tuple[int, int], message: str) -> None:
    with pytest.raises(WorkbenchError) as caught:
        parse_baseline(Source("b.jsonl", text))
    (problem,) = caught.value.problems
    assert problem.mark is not None
    assert (problem.mark.file, problem.mark.line, problem.mark.column) == ("b.jsonl", *where)
    assert message in problem.message


def test_all_faults_come_at_once_and_empty_lines_are_none() -> None:
    with pytest.raises(WorkbenchError) as caught:
        parse_baseline(Source("b.jsonl", HEAD + "\n{\n\n7\n"))
    assert [problem.mark.line for problem in caught.value.problems if problem.mark] == [3, 5]


@given(st.text())
def test_any_other_text_is_an_error_with_places(text: str) -> None:
    if not text.strip():
        assert parse_baseline(Source("b.jsonl", HEAD + text)) == ()
        return
    with pytest.raises(WorkbenchError) as caught:  # no short text is an object with all four keys
        parse_baseline(Source("b.jsonl", HEAD + text))
    assert all(problem.mark is not None and problem.mark.line > 1 for problem in caught.value.problems)
