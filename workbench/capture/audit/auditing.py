"""An audit of logs of any kind: read turn by turn, or asked by queries where a store can answer them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

from workbench.capture.audit.joining import joined
from workbench.capture.audit.judging import Judge
from workbench.capture.audit.known import KnownEnvelopes
from workbench.capture.audit.replaying import Past
from workbench.capture.audit.request import Request
from workbench.capture.audit.result import Audit
from workbench.capture.audit.stores.asking import audit_store
from workbench.capture.audit.stores.database import DatabaseStore, is_url
from workbench.capture.audit.stores.duck import DuckStore, Laid
from workbench.capture.audit.stores.store import Store
from workbench.capture.audit.tally import Tally
from workbench.capture.opening import logs_in, open_log, open_logs
from workbench.capture.turns import LogTurn
from workbench.core.errors import Mark, Problem, UsageError, WorkbenchError

__all__ = ["LARGE", "audit_logs"]

LARGE = 64_000_000
"""Bytes from which on a file of plain columns is asked by queries, where DuckDB is there."""

_PARQUET = b"PAR1"
_LOOKED_AT = 200


def audit_logs(logs: Sequence[str], request: Request, large: int = LARGE) -> tuple[Audit, Past]:
    """What was found in the logs, and turns of them to replay.

    Raises WorkbenchError where one cannot be read, UsageError where it cannot be asked so.
    """
    urls = [log for log in logs if is_url(log)]
    parquet = [] if urls else _parquet_files(logs)
    if (urls and len(logs) > 1) or (parquet and any(_has_other_logs(log) for log in logs)):
        raise UsageError(
            Problem(
                "a database or Parquet is audited without other logs beside it", hint="one after the other"
            )
        )
    if urls:
        options = request.options
        return _asked(DatabaseStore(urls[0], options.table, options.columns), request)
    if parquet:
        return _asked(DuckStore(parquet, Laid.PARQUET), request)
    laid = _large_columns(logs, request, large)
    if laid is not None:
        try:
            return _asked(DuckStore([Path(logs[0])], laid), request)
        except WorkbenchError:
            pass  # a line of it is torn: read one by one, what is wrong is listed and the rest is used
    return _streamed(logs, request)


def _asked(store: Store, request: Request) -> tuple[Audit, Past]:
    with closing(store):
        return audit_store(store, request)


def _streamed(logs: Sequence[str], request: Request) -> tuple[Audit, Past]:
    known = KnownEnvelopes(request.envelopes)
    tally = Tally(Judge(known, request.ratio), len(known), head=request.head)
    past = Past(request.past)
    for item in joined(open_logs([Path(log) for log in logs], request.options)):
        verdict = tally.take(item)
        if verdict is not None and isinstance(item, LogTurn):
            past.take(item, outgrown=verdict.outgrown is True)
    return tally.result(logs), past


def _parquet_files(logs: Sequence[str]) -> list[Path]:
    found: list[Path] = []
    for path in map(Path, logs):
        inside = sorted(path.rglob("*.parquet")) if path.is_dir() else [path]
        found += [file for file in inside if file.is_file() and _begins(file, _PARQUET)]
    return found


def _has_other_logs(log: str) -> bool:
    path = Path(log)
    return next(logs_in(path), None) is not None if path.is_dir() else not _begins(path, _PARQUET)


def _begins(path: Path, magic: bytes) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(magic)) == magic
    except OSError as error:
        raise WorkbenchError(Problem(f"cannot read it: {error.strerror}", Mark(str(path)))) from None


def _large_columns(logs: Sequence[str], request: Request, large: int) -> Laid | None:
    """How a single large file of plain columns is laid out; None where it is to be read one by one."""
    path = Path(logs[0])
    if len(logs) > 1 or not path.is_file() or path.stat().st_size < large or request.options.reader:
        return None
    if find_spec("duckdb") is None:
        return None
    with closing(open_log(path, request.options)) as turns:  # type: ignore[type-var]
        found = list(islice(turns, _LOOKED_AT))
    if not all(isinstance(item, LogTurn) and item.reader == "columns" for item in found):
        return None
    with path.open("rb") as file:
        start = file.read(3).removeprefix(b"\xef\xbb\xbf")
    return Laid.JSON_LINES if start[:1] == b"{" else Laid.CSV if start[:1] != b"[" else None
