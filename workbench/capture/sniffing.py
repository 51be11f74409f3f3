"""Which format a log is of, told by its content: its first bytes, then its first records."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

from workbench.capture.guessing import cut_length, find_columns
from workbench.capture.readers import (
    bodies,
    claude_code,
    codex,
    columns,
    gemini_cli,
    har,
    langfuse,
    langsmith,
    litellm,
    lm_studio,
    otel,
    promptfoo,
    seed_line,
    transcript,
)
from workbench.capture.sources.csv_rows import delimiter_of
from workbench.capture.sources.json_lines import MARK
from workbench.capture.sources.record import Record, RecordReader
from workbench.capture.sources.tables import MAGIC
from workbench.capture.turns import LogOptions
from workbench.core.errors import Mark, Problem, UsageError, WorkbenchError

__all__ = [
    "SAMPLE",
    "TABLE_READERS",
    "Layout",
    "known",
    "layout_of",
    "reader_names",
    "refuse_reader",
    "sniff",
]

SAMPLE = 200
"""Records that are looked at before the reader is chosen."""

Fits = Callable[[Any], bool]
Make = Callable[[], RecordReader]

TABLE_READERS = ("opencode", "simonw-llm", "promptfoo", "own-runs", "columns")
_BODIES = tuple(form.NAME for form in bodies.FORMATS)

# The first that fits most records is taken, so that what says more of itself comes before what says less.
_READERS: dict[str, tuple[Fits, Make]] = {
    "har": (har.fits, har.HarReader),
    "gemini-cli": (gemini_cli.fits, gemini_cli.GeminiCliReader),
    "otel": (otel.fits, otel.OtelReader),
    "langsmith": (langsmith.fits, langsmith.LangSmithReader),
    "langfuse": (langfuse.fits, langfuse.LangfuseReader),
    "claude-code": (claude_code.fits, claude_code.ClaudeCodeReader),
    "claude-history": (claude_code.fits_history, claude_code.ClaudeHistoryReader),
    "codex": (codex.fits, codex.CodexReader),
    "lm-studio": (lm_studio.fits, lm_studio.LmStudioReader),
    "promptfoo": (promptfoo.fits, promptfoo.PromptfooReader),
    "litellm": (litellm.fits, litellm.LiteLlmReader),
    "seed-line": (seed_line.fits, seed_line.SeedLineReader),
    "transcript": (transcript.fits, transcript.TranscriptReader),
    "bodies": (bodies.fits, bodies.BodyReader),
}
_ALIKE = {"openinference": "otel"}

_FOREIGN = {
    b"PAR1": ("this is Parquet", "`workbench audit` reads it"),
    b"(\xb5/\xfd": ("this is packed with zstd", "unpack it first: zstd -d FILE"),
    b"PK\x03\x04": ("this is a zip archive", "unpack it first"),
    b"\xff\xfe": ("this is UTF-16; expected UTF-8", "convert it: iconv -f UTF-16 -t UTF-8 FILE"),
    b"\xfe\xff": ("this is UTF-16; expected UTF-8", "convert it: iconv -f UTF-16 -t UTF-8 FILE"),
}


# In a cell of a table that has lines of JSON, all quotes are doubled.
_RECORD = re.compile(rb'^\{\s*"(?!")', re.MULTILINE)


class Layout(Enum):
    """How the records of a file are laid out."""

    EMPTY = "empty"
    TABLES = "tables"
    JSON_LINES = "JSON lines"
    DOCUMENT = "document"
    TEXT_LINES = "text lines"
    CSV = "CSV"


def reader_names() -> tuple[str, ...]:
    """Every reader that may be asked for by name."""
    return tuple(dict.fromkeys((*_READERS, *_ALIKE, *_BODIES, *TABLE_READERS)))


def refuse_reader(name: str | None) -> None:
    """Raises UsageError where no reader is called so."""
    if name is not None and name not in reader_names():
        raise UsageError(
            Problem(f"no reader is called {name!r}", hint="there are: " + ", ".join(reader_names()))
        )


def layout_of(head: bytes, path: Path) -> Layout:
    """The layout, from up to a mebibyte of the start. Raises WorkbenchError where it is none that is read."""
    for magic, (what, hint) in _FOREIGN.items():
        if head.startswith(magic):
            raise WorkbenchError(Problem(what, Mark(str(path)), hint))
    if head.startswith(MAGIC):
        return Layout.TABLES
    lines = head.removeprefix(MARK).lstrip()
    if not lines:
        return Layout.EMPTY
    if not lines.strip(b"\0 \t\r\n"):
        return Layout.JSON_LINES  # nothing but an interrupted write: each line of it is listed
    if lines[:1] in b"{[":
        return _json_layout(lines)
    if b"route turn=" in head:
        return Layout.TEXT_LINES
    flows = lines[:12].split(b":")[0].isdigit()  # how each of them begins where a proxy wrote them
    header = lines.split(b"\n", 1)[0]
    columns = (
        not flows and b"\0" not in header and delimiter_of(header.decode("utf-8", "replace")) is not None
    )
    if b"\n{" in head and not (columns and _RECORD.search(lines) is None):
        return Layout.JSON_LINES  # the first line is torn, or was never JSON
    if columns:
        return Layout.CSV
    hint = "export the flows as HAR" if flows else "see `workbench capture --help` for what is read"
    raise WorkbenchError(Problem("no known format of a log is like this file", Mark(str(path)), hint))


def _json_layout(lines: bytes) -> Layout:
    """Lines, where the first one is a record or was torn; else a document, or several spread over lines."""
    first, feed, rest = lines.partition(b"\n")
    try:
        json.loads(first)
        return Layout.JSON_LINES if lines[:1] == b"{" else Layout.DOCUMENT
    except (ValueError, RecursionError):
        pass
    opened = first.rstrip()
    if not feed or opened in (b"{", b"[") or lines[:1] == b"[":
        return Layout.DOCUMENT
    spread = opened.endswith((b"{", b"[", b",")) and rest[:1] in (b" ", b"\t", b'"')
    return Layout.DOCUMENT if spread else Layout.JSON_LINES


def known(records: Sequence[Record]) -> Callable[[], RecordReader] | None:
    """What makes the reader of the format that most of these records are of; None where none is known."""
    counts = {name: sum(fits(record.value) for record in records) for name, (fits, _) in _READERS.items()}
    name = max(counts, key=counts.__getitem__)
    return _READERS[name][1] if counts[name] else None


def sniff(records: Sequence[Record], options: LogOptions, path: Path) -> RecordReader:
    """The reader of a file whose first records these are.

    Raises WorkbenchError where none fits, and no column can be told; UsageError on a name that is unknown.
    """
    refuse_reader(options.reader)
    wanted = _ALIKE.get(options.reader or "", options.reader)
    if wanted in _BODIES:
        return bodies.BodyReader(wanted)
    if wanted in _READERS:
        return _READERS[wanted][1]()
    chosen = {"typed", "wrapped", "scanned"} & options.columns.given().keys()
    if wanted is None and not chosen and (make := known(records)) is not None:
        return make()
    rows = [record.value for record in records if isinstance(record.value, dict)]
    try:
        found = find_columns(rows, options.columns)
    except WorkbenchError as error:
        kind = type(error)
        raise kind([Problem(p.message, p.mark or Mark(str(path)), p.hint) for p in error.problems]) from None
    return columns.ColumnReader(found, cut_length(rows, found))
