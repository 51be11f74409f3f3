"""Tool calls side by side: paired as a multiset, with the paths that differ, for any arguments."""

from __future__ import annotations

import math
from collections import Counter
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.compare.calls import Change, ChangeKind, call_rows
from workbench.core.decision import Json, ToolCall, canonical

VALUE, TYPE, ADDED, REMOVED = ChangeKind.VALUE, ChangeKind.TYPE, ChangeKind.ADDED, ChangeKind.REMOVED


def changes(before: Json, after: Json) -> list[tuple[str, ChangeKind, Json, Json]]:
    (row,) = call_rows([ToolCall("tool", before)], [ToolCall("tool", after)])
    return [(change.path, change.kind, change.before, change.after) for change in row.changes]


def positions(baseline: list[ToolCall], variant: list[ToolCall]) -> list[tuple[int | None, int | None]]:
    return [(row.baseline_position, row.variant_position) for row in call_rows(baseline, variant)]


def test_ids_and_key_order_do_not_count() -> None:
    (row,) = call_rows(
        [ToolCall("a", {"x": 1, "y": {"p": 1, "q": 2}}, id="1")],
        [ToolCall("a", {"y": {"q": 2, "p": 1}, "x": 1}, id="2")],
    )
    assert row.changes == ()


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"n": 10}, {"n": "10"}, [("n", TYPE, 10, "10")]),
        ({"n": 1}, {"n": 1.0}, [("n", TYPE, 1, 1.0)]),
        ({"n": 1}, {"n": True}, [("n", TYPE, 1, True)]),
        ({"n": 1}, {"n": 1.5}, [("n", VALUE, 1, 1.5)]),
        ({"n": None}, {"n": {}}, [("n", TYPE, None, {})]),
        ({"n": []}, {"n": {}}, [("n", TYPE, [], {})]),
        ({"n": None}, {}, [("n", REMOVED, None, None)]),
        ({}, {"n": None}, [("n", ADDED, None, None)]),
        ({"a": {"b": "x"}}, {"a": {"b": "y"}}, [("a.b", VALUE, "x", "y")]),
        ({"a.b": 1}, {"a.b": 2}, [('["a.b"]', VALUE, 1, 2)]),
        (
            {"a": {"odd key": [0, {"z": 1}]}},
            {"a": {"odd key": [0, {"z": 2}]}},
            [('a["odd key"][1].z', VALUE, 1, 2)],
        ),
        ({"['x']": 1}, {"['x']": 2}, [("[\"['x']\"]", VALUE, 1, 2)]),
        ({'q"\n': 1}, {'q"\n': 2}, [('["q\\"\\n"]', VALUE, 1, 2)]),
        ({"root": {"root": 1}}, {"root": {"root": 2}}, [("root.root", VALUE, 1, 2)]),
        ({"": 1}, {"": 2}, [('[""]', VALUE, 1, 2)]),
        ({"__private": 1}, {"__private": 2}, [("__private", VALUE, 1, 2)]),
        ({"1": "a"}, {"1": "b"}, [('["1"]', VALUE, "a", "b")]),
        ([1, 2], [1, 3], [("[1]", VALUE, 2, 3)]),
        ("a\nb", "a\nc", [("", VALUE, "a\nb", "a\nc")]),
        ({"a": 1}, [1], [("", TYPE, {"a": 1}, [1])]),
        ({"n": math.nan, "m": 1}, {"n": math.nan, "m": 2}, [("m", VALUE, 1, 2)]),
        (
            {"x": {"a": 1, "b": 2, "c": 3, "d": 4}},
            {"x": {"e": 1}},
            [
                ("x.a", REMOVED, 1, None),
                ("x.b", REMOVED, 2, None),
                ("x.c", REMOVED, 3, None),
                ("x.d", REMOVED, 4, None),
                ("x.e", ADDED, None, 1),
            ],
        ),
        (
            {"items": [{"id": 1}, {"id": 2}, {"id": 3}]},
            {"items": [{"id": 2}, {"id": 3, "new": True}]},
            [("items[0]", REMOVED, {"id": 1}, None), ("items[2].new", ADDED, None, True)],
        ),
        ({"l": ["b"]}, {"l": ["a", "b"]}, [("l[0]", ADDED, None, "a")]),
        ({"l": [1, 1, 1]}, {"l": [1]}, [("l[1]", REMOVED, 1, None), ("l[2]", REMOVED, 1, None)]),
    ],
)
def test_changes_and_their_paths(
    before: Json, after: Json, expected: list[tuple[str, ChangeKind, Json, Json]]
) -> None:
    assert changes(before, after) == expected


def test_arguments_not_reported_are_no_empty_arguments() -> None:
    assert changes(None, {}) == [("", ADDED, None, {})]
    assert changes({"a": 1}, None) == [("", REMOVED, {"a": 1}, None)]
    assert changes(None, None) == []


def test_a_call_made_twice_and_once() -> None:
    one = ToolCall("task", {"n": "one"})
    rows = call_rows([one, one], [one])
    assert [(r.baseline_position, r.variant_position, r.changes) for r in rows] == [(0, 0, ()), (1, None, ())]
    rows = call_rows([one], [one, ToolCall("task", {"n": "one"})])
    assert [(r.baseline, r.variant) for r in rows] == [(one, one), (None, one)]


def test_equal_calls_pair_before_all_others() -> None:
    a, b = ToolCall("task", {"n": 1}), ToolCall("task", {"n": 2})
    assert positions([a, b], [b, a]) == [(0, 1), (1, 0)]
    assert positions([a, a], [b, a]) == [(0, 0), (1, 1)]
    assert positions([a], [b, a]) == [(0, 1), (None, 0)]


def test_calls_of_one_name_pair_by_the_nearest_arguments() -> None:
    mail = [
        {"to": "kim", "subject": "plan", "body": "hello"},
        {"to": "lee", "subject": "bill", "body": "please"},
    ]
    changed = [
        {"to": "lee", "subject": "bill", "body": "now"},
        {"to": "kim", "subject": "plan", "body": "hi"},
    ]
    baseline = [ToolCall("send", arguments) for arguments in mail]
    variant = [ToolCall("send", arguments) for arguments in changed]
    assert positions(baseline, variant) == [(0, 1), (1, 0)]
    assert [[c.path for c in row.changes] for row in call_rows(baseline, variant)] == [["body"], ["body"]]


def test_other_tools_do_not_pair() -> None:
    rows = call_rows([ToolCall("a", {"x": 1}), ToolCall("b")], [ToolCall("c", {"x": 1}), ToolCall("b")])
    assert [(r.name, r.baseline_position, r.variant_position) for r in rows] == [
        ("a", 0, None),
        ("b", 1, 1),
        ("c", None, 0),
    ]
    assert call_rows([], []) == ()


values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.floats() | st.text("a.\"'[]_\n1", max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("a.\"'[_ 1", max_size=3), inner, max_size=4)
    ),
    max_leaves=14,
)
calls = st.lists(
    st.builds(
        ToolCall, st.sampled_from(["a", "b"]), st.dictionaries(st.sampled_from("xy"), values, max_size=2)
    ),
    max_size=6,
)


@settings(deadline=None)
@given(calls, calls)
def test_every_call_stands_in_one_row_and_equal_ones_pair(
    baseline: list[ToolCall], variant: list[ToolCall]
) -> None:
    rows = call_rows(baseline, variant)
    assert sorted(r.baseline_position for r in rows if r.baseline_position is not None) == list(
        range(len(baseline))
    )
    assert sorted(r.variant_position for r in rows if r.variant_position is not None) == list(
        range(len(variant))
    )

    def spelled(call: ToolCall) -> tuple[str, str]:
        return call.name, canonical(call.arguments)

    equal = Counter(map(spelled, baseline)) & Counter(map(spelled, variant))
    paired = [row for row in rows if row.baseline and row.variant]
    assert sum(not row.changes for row in paired) == equal.total()
    lone = [row for row in rows if not (row.baseline and row.variant)]
    assert all(not row.changes for row in lone)
    for name in "ab":
        sides = {row.baseline is None for row in lone if row.name == name}
        assert len(sides) <= 1, "calls of one name are left on both sides"


@settings(deadline=None)
@given(values, values)
def test_changes_turn_one_argument_into_the_other(before: Json, after: Json) -> None:
    """Objects only: the places in a list move with what is added before them."""
    first, second = {"k": before, "same": [1]}, {"k": after, "same": [1]}
    (row,) = call_rows([ToolCall("t", first)], [ToolCall("t", second)])
    assert bool(row.changes) is (canonical(first) != canonical(second))
    assert len({(change.path, change.kind) for change in row.changes}) == len(row.changes)
    for change in row.changes:
        assert change.path.startswith("k")
        assert (change.kind is ADDED) <= (change.before is None)
        assert (change.kind is REMOVED) <= (change.after is None)
        if change.kind in (VALUE, TYPE):
            assert canonical(change.before) != canonical(change.after)


flat = st.dictionaries(
    st.text("a.\"'[_ 1", max_size=3), st.integers(0, 3) | st.sampled_from(["x", "1"]), max_size=6
)


@settings(deadline=None)
@given(flat, flat)
def test_objects_agree_with_a_plain_comparison(before: dict[str, Json], after: dict[str, Json]) -> None:
    (row,) = call_rows([ToolCall("t", {"k": before})], [ToolCall("t", {"k": after})])
    found = Counter(
        (change.kind, canonical(change.before), canonical(change.after)) for change in row.changes
    )
    expected: Counter[tuple[ChangeKind, str, str]] = Counter()
    for key in before.keys() | after.keys():
        one, other = canonical(before.get(key)), canonical(after.get(key))
        if key not in after:
            expected[REMOVED, one, "null"] += 1
        elif key not in before:
            expected[ADDED, "null", other] += 1
        elif one != other:
            same = type(before[key]) is type(after[key])
            expected[VALUE if same else TYPE, one, other] += 1
    assert found == expected


def nested(depth: int, leaf: Json, lists: bool) -> Json:
    value = leaf
    for level in range(depth):
        value = [value] if lists and level % 2 else {"k": value}
    return value


HOSTILE: dict[str, tuple[Json, Json]] = {
    "deep objects": (nested(5_000, 1, lists=False), nested(20_000, 2, lists=False)),
    "deep lists": (nested(5_000, 1, lists=True), nested(20_000, 2, lists=True)),
    "deep and shallow": (nested(5_000, 1, lists=False), {"k": 1}),
    "a million characters": ({"s": "x\n" * 500_000}, {"s": "y\n" * 500_000}),
    "many items": ({"l": list(range(50_000))}, {"l": list(range(1, 50_001))}),
    "repetitive items": ({"l": ["1", "2"] * 1_500}, {"l": ["2", "1", "1"] * 1_000}),
    "many objects": (
        {"l": [{"a": n} for n in range(3_000)]},
        {"l": [{"a": n, "b": 1} for n in range(3_000)]},
    ),
    "many keys": ({f"k{n}": n for n in range(10_000)}, {f"k{n}": n + 1 for n in range(10_000)}),
    "a key of a million characters": ({"k" * 1_000_000: 1}, {"k" * 1_000_000: 2}),
    "surrogates": ({"\ud800": "\udfff"}, {"\ud800": "\ud800"}),
}


@pytest.mark.parametrize(("before", "after"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_arguments_neither_crash_nor_hang(before: Json, after: Json) -> None:
    start = process_time()
    (row,) = call_rows([ToolCall("t", before)], [ToolCall("t", after)])
    assert row.changes
    assert process_time() - start < 15


def test_a_difference_a_few_hundred_levels_down_is_named() -> None:
    (row,) = call_rows([ToolCall("t", nested(300, 1, True))], [ToolCall("t", nested(300, 2, True))])
    (change,) = row.changes
    assert change == Change(change.path, VALUE, 1, 2)
    assert change.path.count("k") == 150 and change.path.count("[0]") == 150


def test_many_calls_of_one_name_are_quick() -> None:
    start = process_time()
    rows = call_rows(
        [ToolCall("t", {"n": n, "s": "x" * 50}) for n in range(600)],
        [ToolCall("t", {"n": -n, "s": "x" * 50}) for n in range(600)],
    )
    assert len(rows) == 600
    assert process_time() - start < 15
