"""Opens logs of any known format, found by looking at their content."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from workbench.capture.databases import follow_tables, read_tables
from workbench.capture.readers import opencode
from workbench.capture.sniffing import SAMPLE, Layout, layout_of, refuse_reader, sniff
from workbench.capture.sources.csv_rows import delimiter_of, read_rows
from workbench.capture.sources.document import follow_document, read_document
from workbench.capture.sources.json_lines import MARK, read_line, read_text
from workbench.capture.sources.lines import Line, LogFile, followed, numbered
from workbench.capture.sources.record import Read, Record, RecordReader
from workbench.capture.turns import AS_FOUND, Fault, LogOptions, LogTurn, Place, Skipped
from workbench.core.errors import Mark, Problem, UsageError, WorkbenchError

__all__ = ["follow_log", "logs_in", "open_log", "open_logs", "open_records"]

_ENDINGS = (
    ".jsonl", ".ndjson", ".json", ".log", ".csv", ".tsv", ".har", ".db", ".sqlite", ".sqlite3",
)  # fmt: skip
_PACKED = (".gz", ".bz2", ".xz")
_SAMPLE_BYTES = 4_000_000
_TELL_EVERY = 2_000
_IDLE = 2
"""How often nothing new has to come before turns that are still open are told as they are."""

Found = Record | Skipped | None


def open_log(path: Path, options: LogOptions = AS_FOUND) -> Iterator[LogTurn | Skipped]:
    """The turns of one file in its order, and what could not be read; in constant memory.

    Raises WorkbenchError where the file cannot be opened or its format is not known.
    """
    refuse_reader(options.reader)
    with LogFile.open(path) as file:
        layout = layout_of(file.peek(), path)
        if layout is Layout.EMPTY:
            return
        if layout is Layout.TABLES and file.packed:
            raise WorkbenchError(Problem("this is a packed database", Mark(str(path)), "unpack it first"))
        if layout is not Layout.TABLES:
            records = _told(_records(file, layout, str(path)), file, options)
            yield from (item for item in _turns(records, options, path) if item is not None)
            return
    yield from read_tables(path, options)


def open_records(path: Path, options: LogOptions = AS_FOUND) -> Iterator[Record | Skipped]:
    """As `open_log`, but the records as they stand in the file, of whatever format.

    Raises WorkbenchError where the file cannot be opened, or its layout is not known or a database's.
    """
    with LogFile.open(path) as file:
        layout = layout_of(file.peek(), path)
        if layout is Layout.TABLES:
            raise WorkbenchError(Problem("this is a database, which holds no records", Mark(str(path))))
        if layout is not Layout.EMPTY:
            records = _told(_records(file, layout, str(path)), file, options)
            yield from (item for item in records if item is not None)


def open_logs(paths: Iterable[Path], options: LogOptions = AS_FOUND) -> Iterator[LogTurn | Skipped]:
    """As `open_log`, over several files; a folder stands for the logs in it.

    Raises WorkbenchError at once where a path leads nowhere. A file within a folder that is no log is a
    skip, one that was named an error.
    """
    paths = list(paths)
    missing = [
        Problem("there is no such file or folder", Mark(str(path))) for path in paths if not path.exists()
    ]
    if missing:
        raise WorkbenchError(missing)
    return chain.from_iterable(_all_of(path, options) for path in paths)


def logs_in(folder: Path) -> Iterator[Path]:
    """The files of a folder that are called as logs are, at any depth, in the order of their names."""
    for where, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            plain = name.lower()
            for packed in _PACKED:
                plain = plain.removesuffix(packed)
            if plain.endswith(_ENDINGS) and (path := Path(where, name)).is_file():
                yield path


def follow_log(path: Path, options: LogOptions = AS_FOUND) -> Iterator[LogTurn | Skipped | None]:
    """As `open_log` without an end: None whenever nothing new has come, for the caller to wait.

    A log that is rotated is read on in its new file. Raises WorkbenchError as `open_log` does, and where
    the file is packed.
    """
    refuse_reader(options.reader)
    while not path.exists() or not path.stat().st_size:
        if not path.parent.exists():
            raise WorkbenchError(Problem("there is no such folder", Mark(str(path.parent))))
        yield None
    with LogFile.open(path) as file:
        layout = layout_of(file.peek(), path)
        if file.packed:
            raise WorkbenchError(Problem("a packed file does not grow", Mark(str(path)), "unpack it first"))
        if layout is not Layout.TABLES:
            records = _followed_records(file, layout, str(path))
            yield from _turns(records, options, path)
            return
    yield from follow_tables(path, options)


def _all_of(path: Path, options: LogOptions) -> Iterator[LogTurn | Skipped]:
    if not path.is_dir():
        yield from open_log(path, options)
        return
    if opencode.is_folder(path):
        yield from opencode.read_folder(path)
        return
    if opencode.is_folder(path / "storage"):
        yield from opencode.read_folder(path / "storage")
        return
    for log in logs_in(path):
        try:
            yield from open_log(log, options)
        except WorkbenchError as error:
            yield Skipped(Place(str(log), 1), Fault.UNKNOWN, error.problems[0].message)


def _turns(records: Iterator[Found], options: LogOptions, path: Path) -> Iterator[Read | None]:
    """Chooses the reader by the first records, then gives it those and all others."""
    first: list[Record | Skipped] = []
    sample: list[Record] = []
    size = 0
    reader: RecordReader | None = None
    for found in records:
        if found is None:
            reader = _early(sample, options, path)
            if reader is not None:
                break
            yield None
            continue
        first.append(found)
        if isinstance(found, Record):
            sample.append(found)
            size += _size(found)
            if len(sample) >= SAMPLE or size > _SAMPLE_BYTES:
                break
    if not sample:
        yield from (found for found in first if isinstance(found, Skipped))  # each line says why
        return
    yield from _driven(reader or sniff(sample, options, path), chain(first, records))


def _early(sample: Sequence[Record], options: LogOptions, path: Path) -> RecordReader | None:
    """The reader of a log that has only begun; None where its first records do not tell it yet."""
    try:
        return sniff(sample, options, path) if sample else None
    except UsageError:
        raise
    except WorkbenchError:
        return None


def _driven(reader: RecordReader, records: Iterable[Found]) -> Iterator[Read | None]:
    idle = 0
    for found in records:
        if isinstance(found, Record):
            idle = 0
            yield from reader.take(found)
        elif found is not None:
            yield found
        else:
            idle += 1
            if idle == _IDLE:
                yield from reader.end()
            yield None
    yield from reader.end()


def _records(file: LogFile, layout: Layout, name: str) -> Iterator[Found]:
    last = 0
    found: Iterator[Found]
    if layout is Layout.DOCUMENT:
        found = read_document(file, name)
    else:
        found = _of_lines(numbered(file), layout, name, file.peek())
    for item in found:
        last = item.place.number if item is not None else last
        yield item
    if file.broken:
        yield Skipped(Place(name, last + 1), Fault.TORN, f"the packed file breaks off: {file.broken}")


def _followed_records(file: LogFile, layout: Layout, name: str) -> Iterator[Found]:
    if layout is Layout.DOCUMENT:
        return follow_document(file, name)
    return _of_lines(followed(file), layout, name, file.peek())


def _of_lines(lines: Iterator[Line | None], layout: Layout, name: str, head: bytes) -> Iterator[Found]:
    if layout is Layout.CSV:
        delimiter = delimiter_of(head.removeprefix(MARK).decode("utf-8", "replace")) or ","
        yield from read_rows(lines, name, delimiter)
        return
    read: Callable[[Line, str], Found] = read_line if layout is Layout.JSON_LINES else read_text
    for line in lines:
        if line is None:
            yield None
        elif (found := read(line, name)) is not None:
            yield found


def _told(records: Iterator[Found], file: LogFile, options: LogOptions) -> Iterator[Found]:
    """The same records, with progress told now and then, and at the end."""
    if options.progress is None:
        yield from records
        return
    for number, found in enumerate(records):
        if number % _TELL_EVERY == 0:
            options.progress(str(file.path), *file.progress())
        yield found
    options.progress(str(file.path), *file.progress())


def _size(record: Record) -> int:
    """About how much text a record of the sample holds."""
    return len(record.value) if isinstance(record.value, str) else len(repr(record.value))
