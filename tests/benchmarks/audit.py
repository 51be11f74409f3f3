"""The length and head queries of an audit by the same queries in DuckDB by hand, the two in turn, on a
generated Parquet file. Run it by hand: python tests/benchmarks/audit.py [ROWS] (10,000,000)
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import duckdb

from workbench.capture.audit.auditing import audit_logs
from workbench.capture.audit.request import Request
from workbench.capture.audit.result import Audit, Kind

ROUNDS = 7
LIMIT = 1.2

LENGTHS = """
SELECT turn_id, length(user_text) AS typed, length(router_input) AS routed, tools_called FROM {file}
WHERE length(router_input) > 4 * length(user_text) AND tools_called IS NOT NULL ORDER BY routed DESC LIMIT 20
"""
HEADS = """
SELECT substr(router_input, 1, 30) AS head, count(*) AS n FROM {file} GROUP BY head ORDER BY n DESC LIMIT 10
"""
ROWS = """
COPY (
    SELECT 't' || i AS turn_id, typed AS user_text,
        CASE WHEN chance < 6 THEN typed
             WHEN chance < 8 THEN '<untrusted_channel_message channel="chat" from="u' || h % 97 || '">'
                 || chr(10) || typed || chr(10) || '</untrusted_channel_message>'
             WHEN chance < 9 THEN '> earlier words ' || h % 1000 || chr(10) || chr(10) || typed
             ELSE typed || chr(10) || '<document>' || repeat('page ' || h % 77 || ' ', (h % 60)::INT) END
            AS router_input,
        CASE h % 3 WHEN 0 THEN 'calendar::list' WHEN 1 THEN NULL ELSE 'mail::send' END AS tools_called
    FROM (
        SELECT i, hash(i) AS h, hash(i) % 10 AS chance,
            ['what is on my calendar', 'dim the lamp', 'send it to the team', 'hello'][1 + (h % 4)::INT]
                || ' ' || h % 1000 AS typed
        FROM range({rows}) AS numbers(i)
    )
) TO '{file}' (FORMAT parquet)
"""


def by_hand(file: Path) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    with duckdb.connect() as connection:
        return tuple(  # type: ignore[return-value]
            connection.execute(query.format(file=f"'{file}'")).fetchall() for query in (LENGTHS, HEADS)
        )


def by_us(file: Path) -> Audit:
    return audit_logs([str(file)], Request(only=frozenset({"outgrown", "framing"})))[0]


def ratio(file: Path) -> float:
    """The median over rounds of our time by that of the queries by hand, run right after one another."""

    def seconds(call: Callable[[Path], object]) -> float:
        began = time.perf_counter()
        call(file)
        return time.perf_counter() - began

    return statistics.median(seconds(by_us) / seconds(by_hand) for _ in range(ROUNDS))


def same(file: Path) -> bool:
    """Whether both say the same."""
    (lengths, heads), ours = by_hand(file), by_us(file)
    return (
        sorted(row[2] for row in lengths) == sorted(victim.routed_size for victim in ours.victims)  # type: ignore[type-var]
        and [row[1] for row in heads] == [head.turns for head in ours.heads]
        and ours.found[Kind.OUTGROWN] >= len(lengths)
    )


def main() -> int:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "turns.parquet")
        with duckdb.connect() as connection:
            connection.execute(ROWS.format(rows=rows, file=file))
        if not same(file):
            print("the audit and the queries by hand do not say the same")
            return 1
        found = ratio(file)
    verdict = "ok" if found <= LIMIT else "TOO SLOW"
    print(f"length and head queries over {rows:,} rows, by hand: {found:.2f} (at most {LIMIT})  {verdict}")
    return int(found > LIMIT)


if __name__ == "__main__":
    raise SystemExit(main())
