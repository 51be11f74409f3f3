"""What `--exclude` leaves out of a walk: a line of a `.gitignore`, from here or from the source."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from workbench.core.errors import UsageError
from workbench.lanes.syntax.excluded import Excluded
from workbench.lanes.syntax.language import Language
from workbench.lanes.syntax.walking import walk

PYTHON = (Language.PYTHON,)
FILES = (
    "app.py",
    "app_test.py",
    "src/a.py",
    "src/gen/a.py",
    "src/gen/deep/b.py",
    "tests/a.py",
    "src/tests/c.py",
)


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in FILES:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def left(source: Path, *globs: str) -> set[str]:
    return names([source], globs)


def names(sources: Sequence[Path], globs: Sequence[str]) -> set[str]:
    found = (path for path in walk(sources, PYTHON, Excluded.of(globs)) if isinstance(path, Path))
    return {path.resolve().relative_to(Path().resolve()).as_posix() for path in found}


@pytest.mark.parametrize(
    ("globs", "out"),
    [
        (["*_test.py"], {"app_test.py"}),
        (["tests/"], {"tests/a.py", "src/tests/c.py"}),
        (["/tests"], {"tests/a.py"}),
        (["./tests/"], {"tests/a.py", "src/tests/c.py"}),
        (["src/gen/**"], {"src/gen/a.py", "src/gen/deep/b.py"}),
        (["src/gen/*.py"], {"src/gen/a.py"}),
        (["**/a.py"], {"src/a.py", "src/gen/a.py", "tests/a.py"}),
        (["a.py", "!tests/a.py"], {"src/a.py", "src/gen/a.py"}),
        (["tests/", "!tests/a.py"], {"tests/a.py", "src/tests/c.py"}),
        (["app.py/"], set()),
        (["gen"], {"src/gen/a.py", "src/gen/deep/b.py"}),
        (["ge"], set()),
    ],
)
def test_globs(tree: Path, globs: list[str], out: set[str]) -> None:
    assert left(Path(), *globs) == set(FILES) - out
    assert left(tree, *globs) == set(FILES) - out


def test_paths_count_from_the_source_as_well(tree: Path) -> None:
    below = {"src/a.py", "src/gen/a.py", "src/gen/deep/b.py", "src/tests/c.py"}
    assert (
        left(Path("src"), "/gen")
        == left(Path("src"), "src/gen")
        == below
        - {
            "src/gen/a.py",
            "src/gen/deep/b.py",
        }
    )


def test_a_file_given_by_name_is_left_out_too(tree: Path) -> None:
    """A hook hands over every changed file by its name."""
    given = [Path("app.py"), Path("tests/a.py")]
    assert names(given, ["tests/"]) == {"app.py"}


@pytest.mark.parametrize("glob", ["", "  ", "/", "#x", "!", "[z-a]"])
def test_what_is_no_glob(glob: str) -> None:
    with pytest.raises(UsageError, match="is no glob"):
        Excluded.of([glob])
