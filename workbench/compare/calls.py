"""Tool calls of two decisions: matched by name, then by arguments. Ids and key order never count."""

from __future__ import annotations

import json
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from itertools import zip_longest

from workbench.compare.runs import EqualRun, equal_runs
from workbench.core.decision import Json, ToolCall, canonical

__all__ = ["CallRow", "Change", "ChangeKind", "call_rows"]

_PAIRS = 2_500  # calls of one name compared all with all; more than that pair in order
_LEAVES = 500  # values of an argument that count for how near two calls are
_LEVELS = 8  # levels of objects handed to deepdiff at once, so that no depth exhausts the stack
_EFFORT = 4_000_000  # characters of arguments compared for one pair; what is left differs as a whole
_ROUND = 2_000


class ChangeKind(StrEnum):
    VALUE = "value changed"
    TYPE = "type changed"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two arguments. `path` such as `items[0].name`; "" is the whole.

    `before` is None where ADDED, `after` is None where REMOVED. Items of a list are counted in the
    baseline's list, added ones in the variant's.
    """

    path: str
    kind: ChangeKind
    before: Json
    after: Json


@dataclass(frozen=True, slots=True)
class CallRow:
    """One call on both sides; None where a side lacks it. Positions count from 0 in their list."""

    name: str
    baseline: ToolCall | None
    variant: ToolCall | None
    baseline_position: int | None
    variant_position: int | None
    changes: tuple[Change, ...] = ()


def call_rows(baseline: Sequence[ToolCall], variant: Sequence[ToolCall]) -> tuple[CallRow, ...]:
    """The fewest differences: equal calls pair first, then calls of one name by nearest arguments.

    In the order of the baseline, then of the variant for calls that only it has. Arguments that are
    not reported on one side are one change of the whole, added or removed.
    """
    pairs = _pairs(baseline, variant)
    rows = [_row(baseline, variant, at, pairs.get(at)) for at in range(len(baseline))]
    paired = set(pairs.values())
    rows += [_row(baseline, variant, None, at) for at in range(len(variant)) if at not in paired]
    return tuple(rows)


def _row(
    baseline: Sequence[ToolCall], variant: Sequence[ToolCall], at: int | None, other: int | None
) -> CallRow:
    before = None if at is None else baseline[at]
    after = None if other is None else variant[other]
    changes = _changes(before.arguments, after.arguments) if before and after else ()
    name = before.name if before else after.name if after else ""
    return CallRow(name, before, after, at, other, changes)


def _pairs(baseline: Sequence[ToolCall], variant: Sequence[ToolCall]) -> dict[int, int]:
    """Positions in the baseline to positions in the variant."""
    spelled = [(call.name, canonical(call.arguments)) for call in baseline]
    others = [(call.name, canonical(call.arguments)) for call in variant]
    pairs = {at: at for at, (one, other) in enumerate(zip(spelled, others, strict=False)) if one == other}
    waiting: dict[tuple[str, str], deque[int]] = defaultdict(deque)
    for at, other in enumerate(others):
        if at not in pairs:
            waiting[other].append(at)
    for at, one in enumerate(spelled):
        if at not in pairs and waiting[one]:
            pairs[at] = waiting[one].popleft()
    paired = set(pairs.values())
    left: dict[str, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for at, call in enumerate(baseline):
        if at not in pairs:
            left[call.name][0].append(at)
    for at, call in enumerate(variant):
        if at not in paired:
            left[call.name][1].append(at)
    for ones, rest in left.values():
        pairs.update(_nearest(baseline, variant, ones, rest))
    return pairs


def _nearest(
    baseline: Sequence[ToolCall], variant: Sequence[ToolCall], ones: Sequence[int], others: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Calls of one name, those with the fewest different values first."""
    if len(ones) * len(others) > _PAIRS or len(ones) == len(others) == 1:
        yield from zip(ones, others, strict=False)
        return
    values = {at: _leaves(baseline[at].arguments) for at in ones}
    other_values = {at: _leaves(variant[at].arguments) for at in others}
    distances = sorted(
        (_distance(values[at], other_values[other]), abs(at - other), at, other)
        for at in ones
        for other in others
    )
    free, other_free = set(ones), set(others)
    for _, _, at, other in distances:
        if at in free and other in other_free:
            free.remove(at)
            other_free.remove(other)
            yield at, other


def _distance(values: Counter[str], others: Counter[str]) -> int:
    return (values - others).total() + (others - values).total()


def _leaves(arguments: Json) -> Counter[str]:
    """The values within an argument, each with its path."""
    found: Counter[str] = Counter()
    waiting: deque[tuple[str, Json]] = deque([("", arguments)])
    while waiting and found.total() < _LEAVES:
        where, value = waiting.popleft()
        members: Sequence[tuple[object, Json]] = ()
        if isinstance(value, Mapping):
            members = list(value.items())[:_LEAVES]
        elif isinstance(value, (list, tuple)):
            members = list(enumerate(value[:_LEAVES]))
        if members:
            waiting.extend((f"{where}\0{key}", member) for key, member in members)
        else:
            found[f"{where}\0{canonical(value)}"] += 1
    return found


class _Missing(Enum):
    """No value, which is another thing than null."""

    MISSING = "missing"


_MISSING = _Missing.MISSING
_Step = str | int
_Member = tuple[tuple[_Step, ...], Json | _Missing, Json | _Missing]


def _changes(before: Json, after: Json) -> tuple[Change, ...]:
    """All differences, in the order of their paths."""
    if before is None or after is None:
        if before is after:
            return ()
        return (Change("", ChangeKind.ADDED if before is None else ChangeKind.REMOVED, before, after),)
    found: list[tuple[tuple[_Step, ...], Change]] = []
    waiting: deque[_Member] = deque([((), before, after)])
    effort = _EFFORT
    while waiting:
        steps, one, other = waiting.popleft()
        spelled = _Spelled()
        members = _members(one, other, spelled) if effort > 0 else None
        if members is None:
            if (change := _change(steps, one, other)) is not None:
                found.append((steps, change))
            continue
        waiting.extend(((*steps, *more), left, right) for more, left, right in members)
        effort -= _ROUND + spelled.length
    found.sort(key=lambda item: [(isinstance(step, str), step) for step in item[0]])
    return tuple(change for _, change in found)


def _members(one: Json | _Missing, other: Json | _Missing, spelled: _Spelled) -> Iterator[_Member] | None:
    """What differs within two objects or two lists; None where they are no such pair."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return _objects(one, other, spelled)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return _lists(one, other, spelled)
    return None


def _change(steps: Sequence[_Step], before: Json | _Missing, after: Json | _Missing) -> Change | None:
    if before is _MISSING or after is _MISSING:
        kind = ChangeKind.ADDED if before is _MISSING else ChangeKind.REMOVED
        return Change(
            _path(steps), kind, None if before is _MISSING else before, None if after is _MISSING else after
        )
    if canonical(before) == canonical(after):
        return None
    return Change(_path(steps), _kind(before, after), before, after)


def _kind(before: Json, after: Json) -> ChangeKind:
    """Numbers are one type, but 1 and 1.0 are two types of one value."""
    if _is_number(before) and _is_number(after):
        return ChangeKind.TYPE if type(before) is not type(after) and before == after else ChangeKind.VALUE
    if type(before) is type(after) or (isinstance(before, Mapping) and isinstance(after, Mapping)):
        return ChangeKind.VALUE
    return ChangeKind.TYPE


def _is_number(value: Json) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


class _Spelled:
    """A short name for each value, the same for equal ones: deepdiff never sees what a model wrote."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._known: dict[int, str] = {}  # by identity: the values outlive this
        self.length = 0

    def __call__(self, value: Json) -> str:
        name = self._known.get(id(value))
        if name is None:
            spelled = canonical(value)
            self.length += len(spelled)
            name = self._known[id(value)] = self._names.setdefault(spelled, str(len(self._names)))
        return name


def _objects(one: Mapping[str, Json], other: Mapping[str, Json], spelled: _Spelled) -> Iterator[_Member]:
    """The members of two objects that differ, down to lists and to `_LEVELS`."""
    from deepdiff import DeepDiff

    same = {key for key in one.keys() & other.keys() if spelled(one[key]) == spelled(other[key])}
    tree = DeepDiff(
        _skeleton({key: value for key, value in one.items() if key not in same}, spelled),
        _skeleton({key: value for key, value in other.items() if key not in same}, spelled),
        view="tree",
        ignore_private_variables=False,  # else keys that begin with two underscores are left out
        threshold_to_diff_deeper=0,  # else objects with few keys in common differ as a whole
    )
    for levels in tree.values():
        for level in levels:
            steps = tuple(level.path(output_format="list"))
            yield steps, _at(one, steps), _at(other, steps)


def _skeleton(value: Json, spelled: _Spelled, levels: int = _LEVELS) -> object:
    """Objects as they are; all else, and what is deeper, by its short name."""
    if isinstance(value, Mapping) and levels:
        return {key: _skeleton(member, spelled, levels - 1) for key, member in value.items()}
    return spelled(value)


def _at(value: Json | _Missing, steps: Sequence[_Step]) -> Json | _Missing:
    for step in steps:
        value = value.get(str(step), _MISSING) if isinstance(value, Mapping) else _MISSING
    return value


def _lists(one: Sequence[Json], other: Sequence[Json], spelled: _Spelled) -> Iterator[_Member]:
    """The items of two lists that differ, and those that one has alone.

    Not deepdiff's: it compares lists of objects by index, and takes minutes over long repetitive ones.
    """
    a, b = [spelled(item) for item in one], [spelled(item) for item in other]
    done_a = done_b = 0
    for run in (*equal_runs(a, b), EqualRun(len(a), len(b), 0)):
        for at, other_at in zip_longest(range(done_a, run.baseline), range(done_b, run.variant)):
            if at is None:
                yield (other_at,), _MISSING, other[other_at]
            elif other_at is None:
                yield (at,), one[at], _MISSING
            else:
                yield (at,), one[at], other[other_at]
        done_a, done_b = run.baseline + run.length, run.variant + run.length


def _path(steps: Sequence[_Step]) -> str:
    """Keys that are plain names after a point, any other one as JSON in brackets."""
    parts: list[str] = []
    for step in steps:
        if isinstance(step, int):
            parts.append(f"[{step}]")
        elif step.isidentifier():
            parts.append(f".{step}" if parts else step)
        else:
            parts.append(f"[{json.dumps(step, ensure_ascii=False)}]")
    return "".join(parts)
