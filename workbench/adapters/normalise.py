"""The one place where what a guest answered becomes a decision. Nothing is repaired silently."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from workbench.core.decision import (
    Decision,
    Json,
    Match,
    Outcome,
    Score,
    Span,
    ToolCall,
    Window,
    WindowSource,
    canonical,
)

__all__ = ["Normalised", "normalise"]

_OUTCOMES = {outcome.value: outcome for outcome in Outcome}
_CALL_KEYS = ("calls", "tool_calls", "tools", "tool")
_FULL_SHAPE = frozenset({"outcome", "calls", "scanned", "spans", "scores", "matches", "note"})


@dataclass(frozen=True, slots=True)
class Normalised:
    """`decision` None: it could not be read, and `error` says why. `raw` is the answer as JSON."""

    decision: Decision | None
    error: str | None
    raw: str


DEEPEST = 100
"""Levels of lists and mappings that an answer may have; nothing real comes near."""


class _Unreadable(Exception):
    """The answer is no decision in any accepted shape."""


@dataclass(slots=True)
class _Notes:
    """What was unusual about an answer that could be read."""

    flags: list[str] = field(default_factory=list)

    def add(self, flag: str) -> None:
        if flag not in self.flags:
            self.flags.append(flag)


def normalise(raw: object, *, returns: str = "decision", turn: str | None = None) -> Normalised:
    """Read `raw`, any JSON value, as a decision.

    `returns="window"`: a returned string is the scan window itself. `turn` is the text that was
    sent; it serves answers that report spans and no scanned text.
    """
    spelled = canonical(raw)
    notes = _Notes()
    if _deeper_than(raw, DEEPEST):
        return Normalised(None, f"nested deeper than {DEEPEST} levels", spelled)
    try:
        decision = _window_alone(raw) if returns == "window" else _read(raw, turn, notes)
    except _Unreadable as unreadable:
        return Normalised(None, str(unreadable), spelled)
    full = isinstance(raw, Mapping) and set(raw) <= _FULL_SHAPE and not notes.flags
    kept = None if full else spelled
    return Normalised(
        Decision(
            outcome=decision.outcome,
            calls=decision.calls,
            windows=decision.windows,
            scores=decision.scores,
            matches=decision.matches,
            note=decision.note,
            flags=tuple(notes.flags),
            raw=kept,
        ),
        None,
        spelled,
    )


def _window_alone(raw: object) -> Decision:
    if isinstance(raw, Mapping) and set(raw) <= {"outcome", "scanned"}:
        raw = raw.get("scanned")
    if not isinstance(raw, str):
        raise _Unreadable(f"returns: window wants a string, not {_kind(raw)}")
    return Decision(Outcome.PASS, windows=(Window(raw, WindowSource.REPORTED),))


def _read(raw: object, turn: str | None, notes: _Notes) -> Decision:
    if raw is None or raw == "" or raw == []:
        return Decision(Outcome.PASS)
    if isinstance(raw, str):
        outcome = _outcome_word(raw, notes)
        return Decision(outcome) if outcome else Decision(Outcome.FIRE, (ToolCall(raw),))
    if isinstance(raw, Mapping):
        return _read_mapping(raw, turn, notes)
    if _is_list(raw):
        return Decision(Outcome.FIRE, _calls(raw, notes))
    raise _Unreadable(f"{_kind(raw)} is no decision; expected fire, hold, pass, a tool's name, or a mapping")


def _read_mapping(raw: Mapping[str, object], turn: str | None, notes: _Notes) -> Decision:
    said = raw.get("outcome", raw.get("action"))
    named = [key for key in _CALL_KEYS if key in raw]
    call_key = next((key for key in named if raw[key] is not None), named[0] if named else None)
    if said is None and call_key is None:
        if "name" in raw or "function" in raw:
            calls = _calls([raw], notes) if raw.get("name") or raw.get("function") else ()
            return Decision(Outcome.FIRE if calls else Outcome.PASS, calls)
        known = "outcome (or action), calls (or tool)"
        raise _Unreadable(
            f"a mapping without {known}; it has {', '.join(map(str, list(raw)[:8])) or 'no key'}"
        )
    calls = _calls_of(raw, call_key, notes)
    if said is None:
        outcome: Outcome | None = Outcome.FIRE if calls else Outcome.PASS
    elif isinstance(said, str):
        outcome = _outcome_word(said, notes)
        if outcome is None:
            raise _Unreadable(f"outcome {said!r} is none of fire, hold, pass")
    else:
        raise _Unreadable(f"outcome is {_kind(said)}, not one of fire, hold, pass")
    assert outcome is not None
    if outcome is Outcome.PASS and calls:
        notes.add("pass with calls")
    note = raw.get("note")
    if note is not None and not isinstance(note, str):
        notes.add("note is no text")
        note = canonical(note)
    return Decision(
        outcome,
        calls,
        windows=_windows(raw, turn, notes),
        scores=_scores(raw.get("scores"), notes),
        matches=_matches(raw.get("matches"), notes),
        note=note,
    )


def _outcome_word(word: str, notes: _Notes) -> Outcome | None:
    outcome = _OUTCOMES.get(word)
    if outcome is None and (outcome := _OUTCOMES.get(word.strip().lower())):
        notes.add(f"outcome written {word!r}")
    return outcome


def _calls_of(raw: Mapping[str, object], key: str | None, notes: _Notes) -> tuple[ToolCall, ...]:
    value = raw.get(key) if key else None
    if value is None or value == "":
        return ()
    if key == "tool" and isinstance(value, str):
        return (ToolCall(value, _json(raw.get("arguments", raw.get("args")))),)
    return _calls(value if _is_list(value) else [value], notes)


def _calls(value: object, notes: _Notes) -> tuple[ToolCall, ...]:
    assert isinstance(value, Sequence)
    return tuple(_call(item, notes) for item in value)


def _call(item: object, notes: _Notes) -> ToolCall:
    if isinstance(item, str) and item:
        return ToolCall(item)
    if not isinstance(item, Mapping):
        raise _Unreadable(f"a call is {_kind(item)}; expected a tool's name or an object with a name")
    inner = item.get("function")
    body = inner if isinstance(inner, Mapping) else item
    name = body.get("name")
    if not isinstance(name, str) or not name:
        raise _Unreadable("a call without a name")
    arguments = body.get("arguments", body.get("args"))
    if isinstance(inner, Mapping) and isinstance(arguments, str):
        arguments = _parsed(arguments, notes)
    call_id = item.get("id")
    return ToolCall(name, _json(arguments), call_id if isinstance(call_id, str) else None)


def _parsed(text: str, notes: _Notes) -> object:
    """Arguments that came as JSON text, as the chat formats send them; kept as text if they are none."""
    if not text.strip():
        notes.add("arguments empty")
        return {}
    try:
        return json.loads(text)
    except ValueError:
        notes.add("arguments are no JSON")
        return text


def _windows(raw: Mapping[str, object], turn: str | None, notes: _Notes) -> tuple[Window, ...] | None:
    spans = _spans(raw.get("spans"), turn, notes)
    scanned = raw.get("scanned")
    if isinstance(scanned, str):
        return (Window(scanned, WindowSource.REPORTED, spans),)
    if scanned is not None:
        notes.add(f"scanned is {_kind(scanned)}, not text")
        return None
    if spans is not None and turn is not None:
        text = "".join(turn[start:end] for start, end in spans)
        return (Window(text, WindowSource.REPORTED, spans),)
    return None


def _spans(value: object, turn: str | None, notes: _Notes) -> tuple[Span, ...] | None:
    """Claimed spans, in order; None, with a flag, if any is no span of the turn."""
    if value is None:
        return None
    spans: list[Span] = []
    for item in value if isinstance(value, Sequence) and not isinstance(value, str) else [None]:
        pair = tuple(item) if _is_list(item) and isinstance(item, Sequence) else ()
        if len(pair) != 2 or not all(type(edge) is int for edge in pair):
            notes.add("spans are no list of [start, end]")
            return None
        start, end = pair
        if not 0 <= start <= end or (turn is not None and end > len(turn)):
            notes.add(f"span [{start}, {end}] is outside the turn")
            return None
        spans.append((start, end))
    return tuple(spans)


def _scores(value: object, notes: _Notes) -> tuple[Score, ...] | None:
    if value is None:
        return None
    if isinstance(value, Mapping):
        value = [{"route": route, "value": number} for route, number in value.items()]
    if not _is_list(value):
        notes.add(f"scores are {_kind(value)}, not a list")
        return None
    assert isinstance(value, Sequence)
    scores = []
    for item in value:
        if _is_list(item) and isinstance(item, Sequence) and len(item) == 2:
            item = {"route": item[0], "value": item[1]}
        route = item.get("route", item.get("name")) if isinstance(item, Mapping) else None
        number = (
            _number(item.get("value", item.get("score", item.get("confidence"))))
            if isinstance(item, Mapping)
            else None
        )
        if not isinstance(route, str) or number is None:
            notes.add(f"score unreadable: {canonical(item)[:80]}")
            continue
        assert isinstance(item, Mapping)
        scores.append(Score(route, number, _number(item.get("threshold")), _number(item.get("used"))))
    return tuple(scores)


def _matches(value: object, notes: _Notes) -> tuple[Match, ...] | None:
    if value is None:
        return None
    if not _is_list(value):
        notes.add(f"matches are {_kind(value)}, not a list")
        return None
    assert isinstance(value, Sequence)
    matches = []
    for item in value:
        if isinstance(item, str):
            item = {"rule": item}
        if not isinstance(item, Mapping) or not isinstance(item.get("rule", item.get("text")), str):
            notes.add(f"match unreadable: {canonical(item)[:80]}")
            continue
        text, start, end = item.get("text"), item.get("start"), item.get("end")
        placed = type(start) is int and type(end) is int and 0 <= start <= end
        matches.append(
            Match(
                item.get("rule", text),
                text if isinstance(text, str) else None,
                start if placed else None,
                end if placed else None,
            )
        )
    return tuple(matches)


def _number(value: object) -> float | None:
    """A finite number; None for anything else, true and false included."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _json(value: object) -> Json:
    """A JSON value as it came; it was read from JSON, so only the type is narrowed."""
    return value  # type: ignore[return-value]


def _deeper_than(value: object, levels: int) -> bool:
    """Whether lists and mappings nest deeper; told without recursion, which such a value would exhaust."""
    layer: list[object] = [value]
    for _ in range(levels + 1):
        inner: list[object] = []
        for item in layer:
            if isinstance(item, Mapping):
                inner.extend(item.values())
            elif _is_list(item):
                inner.extend(item)  # type: ignore[arg-type]
        if not inner:
            return False
        layer = inner
    return True


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _kind(value: object) -> str:
    if value is None:
        return "nothing (null)"
    names = {bool: "a boolean", int: "a number", float: "a number", str: "text"}
    if isinstance(value, Mapping):
        return "a mapping"
    return names.get(type(value), "a list" if _is_list(value) else f"a {type(value).__name__}")
