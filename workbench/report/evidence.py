"""The two sides of a finding, read from its evidence. What a side does not say is None: not reported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from workbench.compare.window import Part
from workbench.core.cell import BARE
from workbench.core.decision import Json, Score, Span, ToolCall
from workbench.core.finding import Finding
from workbench.core.turn import Author

__all__ = ["Seen", "SeenAnswer", "SeenMatch", "SeenWindow", "seen"]

_AUTHORS = {author.value: author for author in Author}


@dataclass(frozen=True, slots=True)
class SeenWindow:
    """What was read. `parts` are in order and tell whose characters they are; `spans` are in the turn."""

    text: str
    length: int
    source: str
    spans: tuple[Span, ...] | None = None
    parts: tuple[Part, ...] = ()
    user_coverage: float | None = None
    found: str | None = None
    ambiguous: bool = False
    tap: str | None = None


@dataclass(frozen=True, slots=True)
class SeenMatch:
    """A matched phrase: [start, end) in the turn, in whose words, and on which line of those."""

    rule: str
    text: str | None = None
    start: int | None = None
    end: int | None = None
    author: Author | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class SeenAnswer:
    """One kind of answer of a sampled arm: `count` trials ended so, and these are the calls of one."""

    count: int
    outcome: str
    calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """One arm as a finding shows it. `outcome` None: no trial has a decision.

    `earlier` are the windows of the tap calls before the one that decided. `handed` is what the policy
    handed on, if one stood before the adapter. `answers`, of an arm that was
    sampled: every kind, the most frequent first.
    """

    arm: str
    outcome: str | None = None
    calls: tuple[ToolCall, ...] = ()
    window: SeenWindow | None = None
    earlier: tuple[SeenWindow, ...] = ()
    scores: tuple[Score, ...] | None = None
    matches: tuple[SeenMatch, ...] | None = None
    trials: int = 0
    ok: int = 0
    statuses: Mapping[str, int] = field(default_factory=dict)
    note: str | None = None
    error: str | None = None
    scanned: str | None = None
    flags: tuple[str, ...] = ()
    policy: str | None = None
    handed: str | None = None
    answers: tuple[SeenAnswer, ...] = ()


def seen(finding: Finding) -> tuple[Seen | None, Seen | None]:
    """Baseline and variant of a finding; None where it has no such side."""
    return (
        _side(finding.baseline, BARE) if finding.baseline else None,
        _side(finding.variant, finding.arm or BARE) if finding.variant else None,
    )


def _side(side: Mapping[str, Json], arm: str) -> Seen:
    scores, matches = side.get("scores"), side.get("matches")
    statuses = _mapping(side.get("statuses"))
    windows = [window for item in _items(side.get("windows")) if (window := _window(item))]
    return Seen(
        arm=_text(side.get("arm")) or arm,
        outcome=_text(side.get("outcome")),
        calls=_calls(side),
        window=_window(side.get("window")),
        earlier=tuple(windows[:-1]),
        scores=None if scores is None else tuple(_score(_mapping(item)) for item in _items(scores)),
        matches=None if matches is None else tuple(_match(_mapping(item)) for item in _items(matches)),
        trials=_count(side.get("trials")) or 0,
        ok=_count(side.get("ok")) or 0,
        statuses={name: _count(n) or 0 for name, n in statuses.items()},
        note=_text(side.get("note")),
        error=_text(side.get("error")),
        scanned=_text(side.get("scanned")),
        flags=tuple(flag for flag in _items(side.get("flags")) if isinstance(flag, str)),
        policy=_text(side.get("policy")),
        handed=_text(side.get("handed")),
        answers=tuple(_answer(_mapping(item)) for item in _items(side.get("answers"))),
    )


def _answer(answer: Mapping[str, Json]) -> SeenAnswer:
    return SeenAnswer(_count(answer.get("count")) or 0, _text(answer.get("outcome")) or "", _calls(answer))


def _calls(side: Mapping[str, Json]) -> tuple[ToolCall, ...]:
    """The calls; where only names are told, calls whose arguments are not reported."""
    if "calls" in side:
        calls = [_mapping(item) for item in _items(side["calls"])]
        return tuple(ToolCall(_text(call.get("name")) or "", call.get("arguments")) for call in calls)
    return tuple(ToolCall(_text(name) or "") for name in _items(side.get("tools")))


def _window(value: Json) -> SeenWindow | None:
    if not isinstance(value, Mapping):
        return None
    text = _text(value.get("text")) or ""
    spans = value.get("spans")
    length = _count(value.get("length"))
    return SeenWindow(
        text=text,
        length=len(text) if length is None else length,
        source=_text(value.get("source")) or "",
        spans=None if spans is None else tuple(filter(None, map(_span, _items(spans)))),
        parts=tuple(filter(None, map(_part, _items(value.get("parts"))))),
        user_coverage=_number(value.get("user_coverage")),
        found=_text(value.get("found")),
        ambiguous=value.get("ambiguous") is True,
        tap=_text(value.get("tap")),
    )


def _score(score: Mapping[str, Json]) -> Score:
    value = _number(score.get("value"))
    nan = float("nan")
    return Score(
        _text(score.get("route")) or "",
        nan if value is None else value,
        _number(score.get("threshold")),
        _number(score.get("used")),
    )


def _match(match: Mapping[str, Json]) -> SeenMatch:
    return SeenMatch(
        rule=_text(match.get("rule")) or "",
        text=_text(match.get("text")),
        start=_count(match.get("start")),
        end=_count(match.get("end")),
        author=_author(match.get("author")),
        line=_count(match.get("line")),
    )


def _span(value: Json) -> Span | None:
    bounds = [_count(bound) for bound in _items(value)]
    if len(bounds) < 2 or bounds[0] is None or bounds[1] is None:
        return None
    return (bounds[0], bounds[1])


def _part(value: Json) -> Part | None:
    span, fields = _span(value), _items(value)
    author = _author(fields[2]) if len(fields) > 2 else None
    return Part(*span, author) if span and author else None


def _author(value: Json) -> Author | None:
    return _AUTHORS.get(value) if isinstance(value, str) else None


def _text(value: Json) -> str | None:
    return str(value) if isinstance(value, str) else None


def _count(value: Json) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _number(value: Json) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _items(value: Json) -> Sequence[Json]:
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()


def _mapping(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, Mapping) else {}
