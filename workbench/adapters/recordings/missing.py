"""Says of a trial that was not recorded what is different from those that were."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from workbench.adapters.recordings.reading import Recording, Where
from workbench.core.decision import Json, canonical

__all__ = ["missing"]

_LONGEST = 60
_FEW = 4
_AFFORDABLE = 200_000_000  # products of two lengths

Path = tuple[str, ...]


def missing(recording: Recording, where: Where, sent: Json, spelled: Mapping[str, str]) -> str:
    """Why nothing is found, and what to do. `spelled`: all that was sent, by key, as canonical JSON."""
    head = f"{recording.source} has no recording of this"
    again = "record it anew with `workbench run … --record FILE`"
    same = [other for other in recording.trials if other.key == where.key]
    if same:
        arms = tuple(dict.fromkeys(other.arm for other in same))
        if where.arm not in arms:
            return f"{head} on the arm {where.arm}: it was recorded on {_listed(arms)}; {again}"
        count = sum(other.arm == where.arm for other in same)
        return (
            f"{head} for the attempt {where.attempt}: {count:,} were recorded on the arm {where.arm};"
            f" --samples or --repeat asks for fewer, or {again}"
        )
    thing = "body" if recording.recipe is not None else "turn"
    nearest = _nearest(canonical(sent), spelled)
    if nearest is None:
        return f"{head}: it holds no trial; {again}"
    return f"{head} {thing}: {_difference(recording.sent[nearest], sent)}; undo that, or {again}"


def _nearest(spelled: str, known: Mapping[str, str]) -> str | None:
    from rapidfuzz.distance import Indel

    if sum(len(text) for text in known.values()) * len(spelled) > _AFFORDABLE:
        return min(known, key=lambda key: abs(len(known[key]) - len(spelled)))
    return min(known, key=lambda key: Indel.distance(known[key], spelled), default=None)


def _difference(recorded: Json, now: Json) -> str:
    """Which parts differ from the nearest recorded one, and the first line that does."""
    found = list(_leaves(recorded, now, ()))
    parts = tuple(dict.fromkeys(_part(path) for path, _, _ in found))
    path, before, after = found[0]
    if isinstance(before, str) and isinstance(after, str):
        number, before, after = _first_line(before, after)
        place = f"{'.'.join(path)}, line {number}"
    else:
        place = ".".join(path) or "all of it"
    changed = f"against the nearest one {_listed(parts)} changed"
    return f"{changed}; {place}: {_quoted(before)} then, {_quoted(after)} now"


def _part(path: Path) -> str:
    return path[0] if path else "all"


def _leaves(before: Json, after: Json, path: Path) -> Iterator[tuple[Path, Json, Json]]:
    """Where two values differ, as deep inside as both have the same form."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in dict.fromkeys((*before, *after)):
            yield from _leaves(before.get(key), after.get(key), (*path, key))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, (left, right) in enumerate(zip(before, after, strict=True)):
            yield from _leaves(left, right, (*path, str(number)))
    elif canonical(before) != canonical(after):
        yield path, before, after


def _first_line(before: str, after: str) -> tuple[int, str | None, str | None]:
    left, right = before.split("\n"), after.split("\n")
    for number in range(max(len(left), len(right))):
        pair = tuple(lines[number] if number < len(lines) else None for lines in (left, right))
        if pair[0] != pair[1]:
            return number + 1, _from_change(pair[0], pair[1]), _from_change(pair[1], pair[0])
    return 1, before, after


def _from_change(line: str | None, other: str | None) -> str | None:
    """A long line from a little before the place where it differs."""
    if line is None or other is None or len(line) <= _LONGEST:
        return line
    same = next((at for at, (a, b) in enumerate(zip(line, other, strict=False)) if a != b), 0)
    start = max(0, same - _LONGEST // 3)
    return f"…{line[start:]}" if start else line


def _quoted(value: Json) -> str:
    if value is None:
        return "nothing"
    text = f'"{value}"' if isinstance(value, str) else canonical(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_FEW])
    return shown if len(names) <= _FEW else f"{shown} and {len(names) - _FEW} more"
