"""`lanes check --src`: whether what `emits` says is what the code does."""

from __future__ import annotations

from typing import Any

import pytest
from command import Bench

STANZA = """
[[lane]]
name = "{name}"
injector = "{injector}"
budget = 800
priority = 2
trust = "tool"
evicts = "cut at the budget"
{emits}
"""


def registry(*lanes: str, injector: str = "the assembler") -> str:
    """Lanes as `name` or `name=emits`, in stanzas of nine lines; the first `emits` is on line 10."""
    stanzas = (
        STANZA.format(name=name, injector=injector, emits=f'emits = "{emits}"' if emits else "")
        for name, _, emits in (lane.partition("=") for lane in lanes)
    )
    return f'unit = "chars"\n{"".join(stanzas)}'


def told(bench: Bench, *more: str) -> tuple[int, list[tuple[str, str, str | None, int]], list[str]]:
    done = bench("lanes", "check", "--src", "src", "--format", "json", *more)
    assert done.code in (0, 1), done.said
    findings: list[dict[str, Any]] = done.json["findings"]
    rows = [(one["kind"], one["severity"], one["lane"], one["line"]) for one in findings]
    return done.code, rows, [one["message"] for one in findings]


def test_all_is_as_it_says(bench: Bench) -> None:
    bench.write("lanes.toml", registry("memory=receipt", "scope=log", "skill"))
    bench.write("src/app.py", 'claim("memory", text)\nemit(lane="scope")\n')
    bench.write("src/skill.ts", "emitTurnEvent({ lane: 'skill' });\n")
    done = bench("lanes", "check", "--src", "src")
    assert (done.code, done.text) == (0, "")
    assert "3 lanes, nothing is wrong here and in 2 files of code" in done.said


def test_a_lane_of_none_that_is_written_is_an_error_and_told_once(bench: Bench) -> None:
    bench.write("lanes.toml", registry("memory=none", "scope=none"))
    bench.write("src/app.go", 'package a\n\nfunc f() {\n\tledger.Claim("memory", text)\n}\n')
    code, rows, messages = told(bench)
    assert code == 1
    assert rows == [("emits", "error", "memory", 10), ("emits-none", "warning", "scope", 19)]
    assert messages[0] == 'emits is "none", but it is claimed at src/app.go:4'


def test_a_lane_of_none_that_goes_a_long_way_to_the_log(bench: Bench) -> None:
    bench.write("lanes.toml", registry("memory=none", "scope=none"))
    bench.write(
        "src/app.ts",
        "const pieces: Piece[] = [{ lane: 'memory', text }];\n"
        "class Scope { lane = 'scope' }\n"
        "note(id, pieces);\n"
        "function note(id: string, all: Piece[]) {\n"
        "  for (const one of all) emitTurnEvent({ id, lane: one.lane });\n"
        "}\n",
    )
    code, rows, messages = told(bench)
    assert (code, rows) == (1, [("emits", "error", "memory", 10), ("emits", "warning", "scope", 19)])
    assert messages[0].endswith("it is logged at src/app.ts:1, by way of src/app.ts:5")


def test_a_lane_of_none_in_a_log_may_be_another_word(bench: Bench) -> None:
    bench.write("lanes.toml", registry("memory=none"))
    bench.write("src/app.py", 'print("memory", free())\n')
    assert told(bench)[:2] == (0, [("emits", "warning", "memory", 10)])


def test_a_lane_of_none_that_is_only_said_stays_a_lane_of_none(bench: Bench) -> None:
    bench.write("lanes.toml", registry("memory=none"))
    bench.write("src/app.ts", "type Lane = 'memory';\n")
    assert told(bench)[:2] == (0, [("emits-none", "warning", "memory", 10)])


def test_what_is_not_seen_is_a_warning_that_says_what_is(bench: Bench) -> None:
    bench.write("lanes.toml", registry("memory=receipt", "scope", "skill=log"))
    bench.write(
        "src/app.py", 'emit(lane="memory")\nclaim("scope", text)\nclaim("scope", more)\nx = ["skill"]\n'
    )
    code, rows, messages = told(bench)
    assert code == 0
    assert rows == [
        ("emits", "warning", "memory", 10),
        ("emits", "warning", "scope", 12),
        ("emits", "warning", "skill", 28),
    ]
    assert messages == [
        'emits is "receipt", but a claim with its name is not seen: it is logged at src/app.py:1;'
        ' if that is all, emits = "log"',
        'emits is left out, which is "log", but a log call with its name is not seen:'
        ' it is claimed at src/app.py:2 and 1 more place; if that is all, emits = "receipt"',
        'emits is "log", but a log call with its name is not seen: it is named at src/app.py:4',
    ]


def test_a_lane_that_nothing_names_is_said_apart(bench: Bench) -> None:
    bench.write("lanes.toml", registry("memory=receipt"))
    bench.write("src/app.py", '# claim("memory", text)\nclaim("memory_old", text)\n')
    bench.write("src/tests/app.py", 'claim("memory", text)\n')
    code, rows, messages = told(bench)
    assert (code, rows) == (0, [("unnamed", "warning", "memory", 10)])
    assert messages == ["nothing names it in 1 file of source code; only tests do: src/tests/app.py"]


def test_what_is_excluded_is_not_seen(bench: Bench) -> None:
    bench.write("lanes.toml", registry("memory=none"))
    bench.write("src/app.py", "x = 1\n")
    bench.write("src/old/app.py", 'claim("memory", text)\n')
    assert told(bench)[0] == 1
    assert told(bench, "--exclude", "old/")[0] == 0
    assert bench("lanes", "check", "--exclude", "old/").code == 2


def test_rows_beside_the_findings(bench: Bench) -> None:
    bench.write("lanes.toml", registry("memory"))
    bench.write("src/app.py", 'NAME = "memory"\nlog.info(NAME)\n')
    done = bench("lanes", "check", "--src", "src", "--format", "json").json
    assert (done["lanes"], done["files"]) == (1, 1)
    place = {"file": "src/app.py", "line": 2}
    seen = {"how": "log", "file": "src/app.py", "line": 1, "certain": False, "by": place}
    assert done["emits"] == [{"lane": "memory", "says": "log", "seen": [seen]}]


def test_an_injector_that_logs_its_size(bench: Bench) -> None:
    bench.write("src/memory.ts", "export function load() {\n  console.log(text.length);\n}\n")
    bench.write("lanes.toml", registry("memory", injector="src/memory.ts"))
    assert told(bench)[:2] == (0, [])
    bench.write("src/memory.ts", "export function load() {\n  console.log('ready');\n}\n")
    assert told(bench)[1] == [("unnamed", "warning", "memory", 3)]


def test_a_size_in_a_file_of_several_lanes_is_nobodys(bench: Bench) -> None:
    code = "function load() { console.log(text.length) }\nfunction other() { return 1 }\n"
    bench.write("src/llm.ts", code)
    bench.write("lanes.toml", registry("memory", "scope", injector="src/llm.ts"))
    assert [row[0] for row in told(bench)[1]] == ["unnamed", "unnamed"]
    bench.write("lanes.toml", registry("memory", "scope", injector="src/llm.ts:load"))
    assert told(bench)[1] == []
    bench.write("lanes.toml", registry("memory", "scope", injector="src/llm.ts:other"))
    assert [row[0] for row in told(bench)[1]] == ["unnamed", "unnamed"]


@pytest.mark.parametrize(
    ("injector", "severity"),
    [
        ("src/app.ts:loadMemory", "error"),
        ("src/app.ts::loadMemory", "error"),
        ("app.ts#loadMemory (late)", "error"),
        ("src/app.ts:Memory.loadMemory", "error"),
        ("src/app.ts loadMemory → assemble", "warning"),
        ("`src/app.ts` load_memory()", None),  # not directly behind the file
        ("src/app.ts load()", "warning"),
        ("src/app.ts assemble", None),
        ("src/app.ts:assemble", None),
        ("src/app.ts (consumed in the provider)", None),
        ("src/app.ts reads memory", None),
        ("src/app.ts:12", None),
        ("src/other.ts:loadMemory", None),  # --root tells of paths
        ("src/broken.ts:loadMemory", None),
    ],
)
def test_functions_that_an_injector_spells(bench: Bench, injector: str, severity: str | None) -> None:
    bench.write("src/app.ts", "export function assemble() { claim('memory', text) }\n")
    bench.write("src/broken.ts", "export function (((\n")
    bench.write("lanes.toml", registry("memory=receipt", injector=injector))
    found = [one for one in told(bench)[1] if one[0] != "skipped"]
    assert found == ([] if severity is None else [("injector", severity, "memory", 5)])


def test_what_could_not_be_read_is_told(bench: Bench) -> None:
    bench.write("lanes.toml", registry("memory=receipt"))
    bench.write("src/app.py", 'claim("memory", text)\n')
    (bench.folder / "src/latin.py").write_bytes(b'x = "\xe4"\n')
    done = bench("lanes", "check", "--src", "src")
    assert (done.code, done.text) == (0, "src/latin.py: warning skipped: not UTF-8: byte 5\n")


def test_a_source_that_is_not_there_or_empty(bench: Bench) -> None:
    bench.write("lanes.toml", registry("memory"))
    done = bench("lanes", "check", "--src", "src")
    assert (done.code, done.text) == (2, "")
    bench.write("src/notes.md", "memory\n")
    done = bench("lanes", "check", "--src", "src")
    assert (done.code, done.text) == (2, "")
    assert "no source code" in done.said


def test_a_wrong_value_of_emits_is_told_once(bench: Bench) -> None:
    bench.write("lanes.toml", registry("memory=sometimes"))
    bench.write("src/app.py", "x = 1\n")
    assert [row[0] for row in told(bench)[1]] == ["field"]


def test_without_the_parser_only_src_is_missed(bench: Bench) -> None:
    bench.write("lanes.toml", registry("memory"))
    bench.write("src/app.py", 'emit(lane="memory")\n')
    bench.write("blocked/ast_grep_py.py", 'raise ImportError("not here")\n')
    without = {"PYTHONPATH": str(bench.folder / "blocked")}
    assert bench("lanes", "check", env=without).code == 0
    done = bench("lanes", "check", "--src", "src", env=without)
    assert (done.code, done.text) == (2, "")
    assert "pip install 'route-workbench[code]'" in done.said
