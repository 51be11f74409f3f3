"""Reads runs out of the database: whole, one prompt of one, or only counted."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from workbench.core.cell import AdapterInfo, Cell, CellKey, Delivery, Run
from workbench.core.decision import Decision, Outcome
from workbench.core.exchange import Exchange
from workbench.core.scenario import Accept
from workbench.core.trial import Status, Trial
from workbench.store.codec import decode, loads
from workbench.store.records import CellSummary, RunHead, RunSummary, Tally
from workbench.store.texts import TextReader

__all__ = [
    "RunRow",
    "read_adapters",
    "read_cells",
    "read_done",
    "read_heads",
    "read_matrix",
    "read_prompts",
    "read_run",
    "read_summaries",
]


_PACES = 10
"""How many runs are looked through for how long a call takes."""


class RunRow(NamedTuple):
    """A row of `runs`; one of version 1 ends before `accept`, one of version 2 before `halted`."""

    number: int
    id: str
    started: str
    plan: str
    total: int
    finished: int
    seconds: float
    arguments: bytes
    adapters: bytes
    scenarios: bytes
    whole: bytes
    accept: bytes = b"{}"
    halted: bytes = b"{}"


class _TrialRow(NamedTuple):
    """A row of `trials`; one of version 2 ends before `exchange`."""

    run: int
    cell: int
    number: int
    status: str
    outcome: str | None
    tools: int | None
    decision: int | None
    error: int | None
    raw: int | None
    log: int | None
    seconds: float
    seed: int
    exchange: int | None = None


class _CellRow(NamedTuple):
    number: int
    key: CellKey
    planned: int
    delivery: int


def read_run(connection: sqlite3.Connection, row: RunRow) -> Run:
    """A run with all its cells and trials."""
    reader = TextReader(connection)
    halted = loads(row.halted)
    return Run(
        id=row.id,
        started=row.started,
        seconds=row.seconds,
        adapters=read_adapters(connection, row),
        cells=tuple(read_cells(connection, row.number, reader=reader)),
        arguments=loads(row.arguments),
        whole=frozenset(loads(row.whole)),
        interrupted=not row.finished and not halted,
        accept={
            scenario: tuple(decode(Accept, value, reader.text) for value in entries)
            for scenario, entries in loads(row.accept).items()
        },
        halted=halted,
    )


def read_adapters(connection: sqlite3.Connection, row: RunRow) -> dict[str, AdapterInfo]:
    """What the adapters of a run were, by name."""
    reader = TextReader(connection)
    return {name: decode(AdapterInfo, value, reader.text) for name, value in loads(row.adapters).items()}


def read_cells(
    connection: sqlite3.Connection,
    run: int,
    scenario: str | None = None,
    prompt: str | None = None,
    reader: TextReader | None = None,
) -> Iterator[Cell]:
    """The cells of a run in their order, or those of one scenario, or of one prompt."""
    reader = reader or TextReader(connection)
    for row in _cell_rows(connection, run, scenario, prompt):
        body: Any = reader.json(row.delivery)
        key = {
            "scenario": row.key.scenario,
            "prompt": row.key.prompt,
            "arm": row.key.arm,
            "adapter": row.key.adapter,
        }
        delivery = decode(Delivery, {**body, "key": key}, reader.text)
        yield Cell(delivery, tuple(_trials(connection, run, row.number, reader)))


def read_matrix(
    connection: sqlite3.Connection, run: int, scenario: str | None = None, prompt: str | None = None
) -> tuple[CellSummary, ...]:
    """Every cell of a run, its trials only counted: no delivery and no decision is read."""
    cells = list(_cell_rows(connection, run, scenario, prompt))
    first, last = (cells[0].number, cells[-1].number) if cells else (0, -1)
    rows = connection.execute(
        "SELECT cell, status, outcome, tools, count(*) FROM trials WHERE run = ? AND cell BETWEEN ? AND ?"
        " GROUP BY cell, status, outcome, tools ORDER BY cell, min(number)",
        (run, first, last),
    )
    reader = TextReader(connection)

    @cache
    def tally(status: str, outcome: str | None, tools: int | None, count: int) -> Tally:
        names = () if tools is None else tuple(reader.json(tools))
        return Tally(Status(status), None if outcome is None else Outcome(outcome), names, count)

    tallies: defaultdict[int, list[Tally]] = defaultdict(list)
    for cell, *ending in rows:
        tallies[cell].append(tally(*ending))
    return tuple(CellSummary(row.key, row.planned, tuple(tallies.get(row.number, ()))) for row in cells)


def read_prompts(connection: sqlite3.Connection, run: int, scenario: str) -> tuple[tuple[str, str], ...]:
    """The prompts of a scenario in a run, by label, with what was typed."""
    rows = connection.execute(
        "SELECT prompt, delivery, min(number) FROM cells WHERE run = ? AND scenario = ?"
        " GROUP BY prompt ORDER BY min(number)",
        (run, scenario.encode("utf-8", "surrogatepass")),
    )
    reader = TextReader(connection)
    found = []
    for label, delivery, _ in rows.fetchall():
        typed = reader.json(delivery)["typed"]
        text = reader.text(typed) if isinstance(typed, int) else typed
        found.append((label.decode("utf-8", "surrogatepass"), text))
    return tuple(found)


def read_summaries(connection: sqlite3.Connection, limit: int | None) -> Iterator[RunSummary]:
    """Runs, the newest first. Trials are counted, and only those of unfinished runs."""
    rows = connection.execute(
        "SELECT * FROM runs ORDER BY number DESC LIMIT ?", (-1 if limit is None else limit,)
    )
    for row in (RunRow(*row) for row in rows.fetchall()):
        yield RunSummary(
            id=row.id,
            started=row.started,
            seconds=row.seconds,
            plan=row.plan,
            total=row.total,
            done=row.total if row.finished else _count(connection, row.number),
            finished=bool(row.finished),
            scenarios=tuple(loads(row.scenarios)),
            adapters=tuple(loads(row.adapters)),
            arguments=loads(row.arguments),
        )


def read_heads(connection: sqlite3.Connection, limit: int) -> Iterator[RunHead]:
    """The heads of the newest runs, the newest first."""
    rows = connection.execute("SELECT * FROM runs ORDER BY number DESC LIMIT ?", (limit,))
    for row in (RunRow(*row) for row in rows.fetchall()):
        yield RunHead(
            id=row.id,
            finished=bool(row.finished),
            scenarios=tuple(loads(row.scenarios)),
            whole=frozenset(loads(row.whole)),
            adapters=read_adapters(connection, row),
            arguments=loads(row.arguments),
        )


def read_pace(connection: sqlite3.Connection, adapter: str) -> float | None:
    """The mean seconds of an adapter's ok trials, of the newest run that has one, out of its last few."""
    runs = connection.execute(
        "SELECT DISTINCT run FROM cells WHERE adapter = ? ORDER BY run DESC LIMIT ?",
        (adapter.encode("utf-8", "surrogatepass"), _PACES),
    ).fetchall()
    for (run,) in runs:
        (seconds,) = connection.execute(
            "SELECT avg(trials.seconds) FROM trials JOIN cells"
            " ON cells.run = trials.run AND cells.number = trials.cell"
            " WHERE trials.run = ? AND cells.adapter = ? AND trials.status = ?",
            (run, adapter.encode("utf-8", "surrogatepass"), Status.OK.value),
        ).fetchone()
        if seconds is not None:
            return float(seconds)
    return None


def read_done(connection: sqlite3.Connection, run: int) -> Mapping[CellKey, tuple[Trial, ...]]:
    """The stored trials of a run by cell; cells without one are left out."""
    reader = TextReader(connection)
    done = {}
    for row in _cell_rows(connection, run):
        if trials := tuple(_trials(connection, run, row.number, reader)):
            done[row.key] = trials
    return done


def _cell_rows(
    connection: sqlite3.Connection, run: int, scenario: str | None = None, prompt: str | None = None
) -> Iterator[_CellRow]:
    where = "run = ?"
    chosen: list[int | bytes] = [run]
    for column, value in (("scenario", scenario), ("prompt", prompt)):
        if value is not None:
            where += f" AND {column} = ?"
            chosen.append(value.encode("utf-8", "surrogatepass"))
    rows = connection.execute(
        "SELECT number, scenario, prompt, arm, adapter, planned, delivery FROM cells"
        f" WHERE {where} ORDER BY number",
        chosen,
    )
    name = cache(lambda body: body.decode("utf-8", "surrogatepass"))
    for number, scenario_name, prompt_name, arm, adapter, planned, delivery in rows.fetchall():
        key = CellKey(name(scenario_name), name(prompt_name), name(arm), name(adapter))
        yield _CellRow(number, key, planned, delivery)


def _trials(connection: sqlite3.Connection, run: int, cell: int, reader: TextReader) -> Iterator[Trial]:
    rows = connection.execute("SELECT * FROM trials WHERE run = ? AND cell = ? ORDER BY number", (run, cell))
    for row in (_TrialRow(*row) for row in rows.fetchall()):
        yield Trial(
            index=row.number,
            status=Status(row.status),
            decision=None if row.decision is None else reader.value(Decision, row.decision),
            error=reader.maybe(row.error),
            raw=reader.maybe(row.raw),
            log=reader.maybe(row.log) or "",
            seconds=row.seconds,
            seed=row.seed,
            exchange=None if row.exchange is None else reader.value(Exchange, row.exchange),
        )


def _count(connection: sqlite3.Connection, run: int) -> int:
    (count,) = connection.execute("SELECT count(*) FROM trials WHERE run = ?", (run,)).fetchone()
    return int(count)
