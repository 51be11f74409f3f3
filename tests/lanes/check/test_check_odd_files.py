"""`lanes check` of registries as they come: other editors, other habits, other spellings of TOML."""

from __future__ import annotations

import pytest
from command import Bench

STANZA = """\
[[lane]]
name = "{name}"
injector = "src/app.py"
budget = 800
priority = 2
trust = "tool"
evicts = "cut at the budget"
"""
GOOD = 'unit = "chars"\n\n' + STANZA.format(name="memory")


def told(bench: Bench, data: bytes | str) -> tuple[int, list[tuple[str | None, int]], list[str]]:
    (bench.folder / "lanes.toml").write_bytes(data.encode() if isinstance(data, str) else data)
    done = bench("lanes", "check", "lanes.toml", "--format", "json")
    found = done.json["findings"]
    return done.code, [(one["lane"], one["line"]) for one in found], [one["message"] for one in found]


@pytest.mark.parametrize(
    "data",
    [
        GOOD.replace("\n", "\r\n"),
        b"\xef\xbb\xbf" + GOOD.encode(),
        GOOD.replace(" = ", "\t=\t"),
        GOOD.replace("name", '"name"').replace("budget", "'budget'"),
        GOOD.replace("800", "0x320").replace("priority = 2", "priority = +2"),
        GOOD.replace('"cut at the budget"', '"""\ncut\nat the budget"""'),
        GOOD + STANZA.format(name="прошлое"),
        'unit = "chars"\nlane = [{name = "memory", injector = "a.py", budget = 8_00, priority = 1,'
        ' trust = "tool", evicts = "cut"}]\n',
        GOOD.rstrip("\n"),
    ],
)
def test_the_same_registry(bench: Bench, data: bytes | str) -> None:
    assert told(bench, data) == (0, [], [])


def test_lanes_that_stand_by_their_names(bench: Bench) -> None:
    code, places, messages = told(
        bench, 'unit = "chars"\n[lane.memory]\nbudget = 3\n[lane.scope]\nbudget = 4\n'
    )
    assert (code, places) == (1, [("memory", 2), ("scope", 4)])
    assert messages[0] == '[lane.memory] is no stanza: write [[lane]], and name = "memory" in it'


def test_lines_of_a_file_with_windows_line_ends(bench: Bench) -> None:
    data = (GOOD + STANZA.format(name="scope").replace("budget = 800", "budget = -1")).replace("\n", "\r\n")
    assert told(bench, data)[:2] == (1, [("scope", 13)])


def test_other_tables_between_the_lanes(bench: Bench) -> None:
    text = GOOD + "[tool.x]\ny = 1\n" + STANZA.format(name="scope").replace('"tool"', '"TOOL"')
    code, places, messages = told(bench, text)
    assert (code, places) == (1, [(None, 10), ("scope", 17)])
    assert messages[1].endswith('did you mean "tool"?')


@pytest.mark.parametrize("budget", ["1e3", "nan", "-1", "1" * 30, "2026-01-01", "[]", '"800"', "true"])
def test_what_is_no_budget(bench: Bench, budget: str) -> None:
    assert told(bench, GOOD.replace("800", budget))[:2] == (1, [("memory", 6)])


def test_no_file_here_is_told_with_what_to_do(bench: Bench) -> None:
    done = bench("lanes", "check")
    assert (done.code, done.text) == (2, "")
    assert "name the file, or write one" in done.said


def test_control_characters_in_a_registry_are_shown_as_marks(bench: Bench) -> None:
    bench.write("lanes.toml", GOOD.replace('"tool"', '"\\u001b[31m\\u202e"'))
    done = bench("lanes", "check")
    assert done.code == 1
    assert "\x1b" not in done.text
    assert "\u202e" not in done.text
