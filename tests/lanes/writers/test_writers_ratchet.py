"""New, gone, moved, renamed, altered; and what was not read is not judged."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.lanes.syntax.excluded import Excluded
from workbench.lanes.writers.baseline import Known, known_of
from workbench.lanes.writers.ratchet import Change, Scope, compare
from workbench.lanes.writers.site import Confidence, Site, SiteKind


def site(file: str, function: str, text: str, line: int = 1) -> Site:
    return Site(file, line, 1, line, line, (line,), SiteKind.PUSH, Confidence.HIGH, function, text)


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with sources to be in scope; the working folder."""
    (tmp_path / "src" / "deep").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def change(before: Sequence[Site], after: Sequence[Site], scope: Scope) -> Change:
    now = known_of(after, scope.folder)
    return compare(known_of(before, scope.folder), now, now, scope)


def test_nothing_changed_where_only_lines_moved(tree: Path) -> None:
    sites = [site("src/a.py", "f", "x", 3), site("src/a.py", "f", "x", 4), site("src/a.py", "g", "y", 9)]
    moved = [site("src/a.py", one.function, one.text, one.line + 40) for one in sites]
    found = change(sites, moved, Scope(tree, [Path("src")]))
    assert (found.new, found.gone, len(found.kept), found.aside) == ((), (), 3, ())


def test_a_new_one_and_a_gone_one(tree: Path) -> None:
    found = change([site("src/a.py", "f", "x")], [site("src/b.py", "g", "y")], Scope(tree, [Path("src")]))
    assert [(one.known.file, one.was) for one in found.new] == [("src/b.py", None)]
    assert [(one.known.file, one.now) for one in found.gone] == [("src/a.py", None)]


def test_one_more_of_the_same_is_new(tree: Path) -> None:
    one, two = site("src/a.py", "f", "x", 1), site("src/a.py", "f", "x", 2)
    found = change([one], [one, two], Scope(tree, [Path("src")]))
    assert [(fresh.site.line, fresh.known.ordinal) for fresh in found.new] == [(2, 2)]
    assert found.gone == ()


@pytest.mark.parametrize(
    ("file", "function", "text"),
    [("src/b.py", "f", "x"), ("src/a.py", "g", "x"), ("src/b.py", "g", "x"), ("src/a.py", "f", "x + 1")],
)
def test_what_moved_or_was_altered_is_still_both_and_each_knows_the_other(
    tree: Path, file: str, function: str, text: str
) -> None:
    found = change([site("src/a.py", "f", "x")], [site(file, function, text, 7)], Scope(tree, [Path("src")]))
    (fresh,), (gone,) = found.new, found.gone
    assert fresh.was == gone.known == Known("src/a.py", "f", "push", "x")
    assert gone.now is fresh


def test_of_several_the_most_alike_is_the_one(tree: Path) -> None:
    before = [site("src/a.py", "f", "x"), site("src/a.py", "g", "x")]
    after = [site("src/b.py", "g", "x"), site("src/b.py", "f", "x")]
    found = change(before, after, Scope(tree, [Path("src")]))
    assert [(one.known.function, one.was and one.was.function) for one in found.new] == [
        ("g", "g"),
        ("f", "f"),
    ]


@pytest.mark.parametrize(
    "scope",
    [
        {"sources": [Path("src/deep")]},
        {"sources": [Path("src")], "unread": ["src/a.py"]},
        {"sources": [Path("src")], "excluded": Excluded.of(["a.py"])},
        {"sources": [Path("src")], "excluded": Excluded.of(["src/"])},
    ],
)
def test_what_was_not_read_is_not_gone(tree: Path, scope: dict[str, object]) -> None:
    found = change([site("src/a.py", "f", "x")], [], Scope(tree, **scope))  # type: ignore[arg-type]
    assert found.gone == ()
    assert [one.file for one in found.aside] == ["src/a.py"]


def test_a_deleted_file_below_a_source_is_gone(tree: Path) -> None:
    found = change([site("src/deep/a.py", "f", "x")], [], Scope(tree, [Path("src")]))
    assert [one.known.file for one in found.gone] == ["src/deep/a.py"]


def test_low_confidence_keeps_what_the_baseline_has_and_adds_nothing(tree: Path) -> None:
    one, other = site("src/a.py", "f", "x"), site("src/a.py", "f", "y")
    there = known_of([one, other], tree)
    found = compare(known_of([one], tree), {}, there, Scope(tree, [Path("src")]))
    assert (found.new, found.gone, [known.text for known in found.kept]) == ((), (), ["x"])


names = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from("fg"), st.sampled_from("xyz")), max_size=12
)


@given(names, names)
def test_every_writer_is_exactly_one_of_kept_new_and_gone(
    before: list[tuple[str, str, str]], after: list[tuple[str, str, str]]
) -> None:
    olds = known_of([site(f"src/{file}.py", function, text) for file, function, text in before], Path.cwd())
    news = known_of([site(f"src/{file}.py", function, text) for file, function, text in after], Path.cwd())
    found = compare(olds, news, news, Scope(Path.cwd(), [Path("workbench").absolute().parent]))
    assert {*found.kept, *(one.known for one in found.new)} == set(news)
    assert {*found.kept, *(one.known for one in found.gone)} == set(olds)
    assert len(found.kept) + len(found.new) == len(news)
    pairs = [one.was for one in found.new if one.was is not None]
    assert len(pairs) == len(set(pairs)) == sum(one.now is not None for one in found.gone)
