"""A registry file as it is written: every value with its place, every comment with what it is about."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from workbench.core.errors import Mark, Problem, WorkbenchError
from workbench.files.source import Source
from workbench.lanes.toml_places import Statement, What, statements

__all__ = ["Entry", "Note", "Sheet", "Stanza", "read_sheet"]

LANE = "lane"
_PLACE = re.compile(r"\s+at line \d+ col \d+\Z")
_LINE = re.compile(r"at line (\d+)")
_LANE_HEADER = re.compile(r"\s*\[\s*lane\s*\]")


@dataclass(frozen=True, slots=True)
class Note:
    """A comment without its `#`. `key`: whose line it stands behind; None on a line of its own."""

    text: str
    line: int
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """What stands at a key, as Python has it: str, int, float, bool, date, list or dict."""

    value: object
    mark: Mark


@dataclass(frozen=True, slots=True)
class Stanza:
    """One lane as written. `array` is False where `[lane]` stands in place of `[[lane]]`."""

    mark: Mark
    entries: Mapping[str, Entry]
    notes: tuple[Note, ...] = ()
    array: bool = True


@dataclass(frozen=True, slots=True)
class Sheet:
    """A whole file. `head` are the comments before the first lane.

    `misfit`: what stands at `lane` where that is no table and no list of them.
    """

    file: str
    top: Mapping[str, Entry]
    stanzas: tuple[Stanza, ...]
    head: tuple[Note, ...] = ()
    misfit: Entry | None = None


def read_sheet(source: Source) -> Sheet:
    """The sheet of a file. Raises WorkbenchError with the place where it is no TOML."""
    values = _values(source)
    found = statements(source.text)
    top: dict[str, Entry] = {}
    below = False
    for one in found:
        below = below or one.what in (What.TABLE, What.ARRAY)
        if one.key and one.key[0] != LANE and not (below and one.what is What.ENTRY):
            top.setdefault(one.key[0], Entry(values[one.key[0]], source.mark(one.start)))
    lanes = values.get(LANE)
    head = tuple(
        Note(one.comment or "", source.mark(one.start).line)
        for one in found[: next((at for at, one in enumerate(found) if one.key[:1] == (LANE,)), len(found))]
        if one.what is What.COMMENT
    )
    if lanes is None:
        return Sheet(source.file, top, (), head)
    drafts = _drafts(source, found)
    rows: Sequence[object] = lanes if isinstance(lanes, list) else [lanes]
    if not all(isinstance(row, dict) for row in rows) or len(drafts) != len(rows):
        where = next(one for one in found if one.key[:1] == (LANE,))
        return Sheet(source.file, top, (), head, Entry(lanes, source.mark(where.start)))
    stanzas = tuple(
        draft.stanza(row, isinstance(lanes, list))
        for draft, row in zip(drafts, rows, strict=True)
        if isinstance(row, dict)
    )
    return Sheet(source.file, top, stanzas, head)


@dataclass(slots=True)
class _Draft:
    mark: Mark
    marks: dict[str, Mark] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)

    def stanza(self, row: Mapping[str, object], array: bool) -> Stanza:
        entries = {key: Entry(value, self.marks.get(key, self.mark)) for key, value in row.items()}
        return Stanza(self.mark, entries, tuple(sorted(self.notes, key=lambda note: note.line)), array)


def _drafts(source: Source, found: Sequence[Statement]) -> list[_Draft]:
    """Where each stanza and its keys stand, and the comments that belong to it."""
    drafts: list[_Draft] = []
    table: tuple[str, ...] = ()
    for at, one in enumerate(found):
        if one.what is What.COMMENT:
            owner = _owner(source, found, at)
            if owner is not None and owner.what is not What.ARRAY and drafts and table[:1] == (LANE,):
                drafts[-1].notes.append(_note(source, one))
            continue
        if one.what is not What.ENTRY:
            table = one.key
        whole = table + one.key if one.what is What.ENTRY else one.key
        if whole[:1] != (LANE,):
            continue
        if one.what is What.ENTRY and len(whole) == 1 and one.elements:
            drafts.extend(_elements(source, one))
        elif (one.what is What.ARRAY and whole == (LANE,)) or not drafts:
            drafts.append(_Draft(source.mark(one.start), notes=_above(source, found, at)))
        if drafts and len(whole) > 1:
            drafts[-1].marks.setdefault(whole[1], source.mark(one.start))
        if drafts and one.comment is not None:
            key = whole[1] if len(whole) > 1 else None
            drafts[-1].notes.append(Note(one.comment, source.mark(one.start).line, key))
    return drafts


def _elements(source: Source, one: Statement) -> list[_Draft]:
    drafts = [_Draft(source.mark(start)) for start in one.elements]
    for offset, text in one.inside:
        owner = max((at for at, start in enumerate(one.elements) if start < offset), default=0)
        drafts[owner].notes.append(Note(text, source.mark(offset).line))
    return drafts


def _owner(source: Source, found: Sequence[Statement], at: int) -> Statement | None:
    """The statement that a comment on its own line is about; None where blank lines part it from both.

    Directly above a header it is about what follows; elsewhere within a stanza, about that one.
    """
    after = _neighbour(source, found, at, 1)
    if after is not None and after.what is not What.ENTRY:
        return after
    before = _neighbour(source, found, at, -1)
    if before is not None:
        return before
    return after


def _neighbour(source: Source, found: Sequence[Statement], at: int, step: int) -> Statement | None:
    """The next statement that is no comment, without a blank line between."""
    while 0 <= at + step < len(found):
        first, second = sorted((at, at + step))
        if source.mark(found[second].start).line - source.mark(found[first].end).line > 1:
            return None
        at += step
        if found[at].what is not What.COMMENT:
            return found[at]
    return None


def _above(source: Source, found: Sequence[Statement], at: int) -> list[Note]:
    """The comments directly above a header."""
    notes: list[Note] = []
    line = source.mark(found[at].start).line
    while at and found[at - 1].what is What.COMMENT and source.mark(found[at - 1].start).line == line - 1:
        at, line = at - 1, line - 1
        notes.insert(0, _note(source, found[at]))
    return notes


def _note(source: Source, one: Statement) -> Note:
    return Note(one.comment or "", source.mark(one.start).line)


def _values(source: Source) -> dict[str, object]:
    import tomlkit
    from tomlkit.exceptions import ParseError, TOMLKitError

    try:
        values: dict[str, object] = tomlkit.parse(source.text).unwrap()
        return values
    except (TOMLKitError, ValueError, RecursionError) as error:
        message = _PLACE.sub("", str(error)) or type(error).__name__
        if isinstance(error, ParseError) and "already exists" not in message:
            mark = Mark(source.file, error.line, error.col + 1)
        else:
            mark = _repeated(source)
    raise WorkbenchError(Problem(f"not TOML: {message}", mark, _advice(source, mark)))


def _repeated(source: Source) -> Mark:
    """The line of what was said twice: tomlkit tells no place, or the one where the next table begins."""
    line = 1
    try:
        tomllib.loads(source.text)
    except (ValueError, RecursionError) as error:
        told = _LINE.search(str(error))
        line = int(told[1]) if told else 1
    written = source.text.split("\n")[line - 1]
    return Mark(source.file, line, len(written) - len(written.lstrip()) + 1)


def _advice(source: Source, mark: Mark) -> str:
    lines = source.text.split("\n")
    if mark.line <= len(lines) and _LANE_HEADER.match(lines[mark.line - 1]):
        return "each lane begins with [[lane]], in two brackets"
    return "mend it, and check again: nothing else of the file was looked at"
