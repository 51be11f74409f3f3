"""Walking a source tree: every file that somebody wrote, in order, and none twice."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from workbench.core.errors import Mark, Problem, WorkbenchError
from workbench.lanes.syntax.code import Code, Unread, read_code, require_parser
from workbench.lanes.syntax.excluded import NOTHING, Excluded
from workbench.lanes.syntax.ignored import FOLDERS, Rules, is_vendored
from workbench.lanes.syntax.language import ENDINGS, SCRIPTS, Language, language_of

__all__ = ["read_tree", "walk"]


def read_tree(
    sources: Sequence[Path], languages: Collection[Language] = SCRIPTS, excluded: Excluded = NOTHING
) -> Iterator[Code | Unread]:
    """Every file of these languages in the folders and files given, parsed, in the order of their names.

    A file whose tree has an error comes as Code with `error` set. Raises WorkbenchError, before the first
    one, where a source is not there, is a file of another language, or the parser is not installed.
    """
    require_parser()
    found = list(walk(sources, languages, excluded))
    return (
        one if isinstance(one, Unread) else read_code(one, one.as_posix(), _language(one)) for one in found
    )


def walk(
    sources: Sequence[Path], languages: Collection[Language] = SCRIPTS, excluded: Excluded = NOTHING
) -> Iterator[Path | Unread]:
    """The files alone. A file given by name is read even where a folder's walk would pass it by.

    Folders skip what `.gitignore` names, FOLDERS, minified files, and symbolic links. What is `excluded`,
    by its path from the working folder or from its source, is not even read where it is given by name.
    Raises WorkbenchError as `read_tree` does, but not for the parser.
    """
    _check(sources, languages)
    seen: set[Path] = set()
    for source in sources:
        top = source if source.is_dir() else source.parent
        for one in _below(source, languages, excluded) if source.is_dir() else (source,):
            if isinstance(one, Path) and excluded.covers(one, top):
                continue
            if isinstance(one, Unread):
                yield one
            elif (real := one.resolve()) not in seen:
                seen.add(real)
                yield one


def _check(sources: Sequence[Path], languages: Collection[Language]) -> None:
    problems = []
    for source in sources:
        if not source.exists():
            problems.append(Problem("no such file or folder", Mark(str(source))))
        elif not source.is_dir() and _given(source) not in languages:
            endings = " ".join(ending for ending, language in ENDINGS.items() if language in languages)
            problems.append(
                Problem("not source code that this verb reads", Mark(str(source)), f"expected {endings}")
            )
    if problems:
        raise WorkbenchError(problems)


def _given(path: Path) -> Language | None:
    """A file named by the user may be one of declarations only."""
    return language_of(path) or ENDINGS.get(path.suffix.lower())


def _language(path: Path) -> Language:
    language = _given(path)
    assert language is not None, path
    return language


def _below(top: Path, languages: Collection[Language], excluded: Excluded) -> Iterator[Path | Unread]:
    real = top.resolve()
    waiting: list[tuple[Path, Path, Rules]] = [(top, real, Rules.above(real))]
    while waiting:
        folder, real, rules = waiting.pop()
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            yield Unread(folder.as_posix(), f"cannot be read: {error.strerror or error}")
            continue
        rules = rules.within(real)
        folders = []
        for entry in entries:
            if entry.is_symlink():
                continue
            is_folder = entry.is_dir(follow_symlinks=False)
            if is_folder:
                inner = folder / entry.name
                if not _skipped(entry, real, rules) and not excluded.covers(inner, top, True):
                    folders.append((inner, real / entry.name, rules))
            elif _wanted(entry.name, languages) and not rules.ignore(real / entry.name, False):
                yield folder / entry.name
        waiting.extend(reversed(folders))


def _wanted(name: str, languages: Collection[Language]) -> bool:
    return language_of(Path(name)) in languages and not is_vendored(name)


def _skipped(entry: os.DirEntry[str], parent: Path, rules: Rules) -> bool:
    if entry.name in FOLDERS or rules.ignore(parent / entry.name, True):
        return True
    return Path(entry.path, "pyvenv.cfg").is_file()
