"""What an answer holds, gathered in one shape for all formats, and what it comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from workbench.core.decision import Decision, Json, Outcome, ToolCall
from workbench.core.exchange import Usage
from workbench.core.trial import Status
from workbench.wire.codec import Reply
from workbench.wire.leaks import flags_of
from workbench.wire.strict import NotJson, kind_of, parse, spell

__all__ = [
    "DECLINES",
    "HOSTED",
    "MISSING",
    "ROUTE",
    "Draft",
    "Ending",
    "FoundCall",
    "conclude",
    "count",
    "failed_reply",
    "usage",
]

DECLINES: Mapping[str, Outcome] = {
    "none": Outcome.PASS,
    "nothing": Outcome.PASS,
    "pass": Outcome.PASS,
    "hold": Outcome.HOLD,
}
"""Routes of a classifier that call no tool, in any case of letters."""

HOSTED = "a call of a tool that the provider runs itself"
"""The flag of a call that needs nobody to carry it out. The model picked that tool all the same."""

ROUTE = "route"
"""The one key of a classifier's answer."""


class Ending(Enum):
    """What a finish reason says."""

    DONE = auto()
    CALLS = auto()  # it ended in order to call tools
    CUT = auto()  # a limit was reached
    REFUSED = auto()  # the model or a filter would not
    BROKEN = auto()  # the model wrote a call that its server could not read
    FAILED = auto()  # it ended for a fault of the server


class Missing(Enum):
    """A value that the answer has no key for, as against null."""

    MISSING = auto()


MISSING = Missing.MISSING


@dataclass(slots=True)
class FoundCall:
    """A call as it came. `arguments`: text that holds JSON, or the value itself.

    `item` is a second id, where the format has one. `free`: a custom tool's, whose input is any text.
    """

    name: Any = MISSING
    arguments: Any = MISSING
    id: str | None = None
    item: str | None = None
    free: bool = False

    def shown(self) -> dict[str, Any]:
        """The call as JSON, without what did not come."""
        parts = {"id": self.id, "item": self.item}
        kept: dict[str, Any] = {key: value for key, value in parts.items() if value is not None}
        if self.name is not MISSING:
            kept["name"] = self.name
        if self.arguments is not MISSING:
            kept["arguments"] = self.arguments
        return kept


@dataclass(slots=True)
class Draft:
    """One answer, read but not judged. `problems` make it malformed. `finish` None: not reported.

    `expects`: whether the format sends arguments as JSON text or as an object; None where both may come.
    """

    expects: type[str] | type[dict[str, Any]] | None = None

    calls: list[FoundCall] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    refusal: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    finish: str | None = None
    model: str | None = None
    fingerprint: str | None = None
    usage: Usage | None = None

    def flag(self, words: str) -> None:
        """Note what is unusual, once."""
        if words not in self.flags:
            self.flags.append(words)

    def add_text(self, value: Any, parts: list[str] | None = None) -> None:
        """More of the text, or of `parts`; null and nothing are none."""
        if isinstance(value, str):
            (self.text if parts is None else parts).append(value)
        elif value is not None:
            self.problems.append(f"content is {kind_of(value)}, not text")


def usage(counts: Any, given: str, made: str, cached: int | None = None) -> Usage | None:
    """Token counts by the keys of a format; None where there are none."""
    if not isinstance(counts, dict):
        return None
    return Usage(count(counts.get(given)), count(counts.get(made)), cached)


def count(value: Any) -> int | None:
    """A whole number of at least 0, else None."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def conclude(draft: Draft, endings: Mapping[str, Ending], routes: Sequence[str], raw: str) -> Reply:
    """What a draft comes to. `raw` is the whole answer, kept where no part of it can be pointed at."""
    ending = endings.get(draft.finish) if draft.finish is not None else None
    pieces = spell([call.shown() for call in draft.calls]) if draft.calls else None
    said = f" (finish reason: {draft.finish})" if draft.finish is not None else ""
    text = "".join(draft.text)
    if ending is Ending.CUT:
        return failed_reply(draft, Status.TRUNCATED, f"the answer was cut at a limit{said}", pieces or text)
    if ending is Ending.REFUSED or draft.refusal:
        why = "".join(draft.refusal) or "the model or a filter refused"
        return failed_reply(draft, Status.REFUSED, why + said, pieces or text)
    if ending is Ending.FAILED:
        return failed_reply(draft, Status.ERROR, f"the server ended the answer{said}", raw, again=True)
    calls = [_call(call, number, draft) for number, call in enumerate(draft.calls, 1)]
    if ending is Ending.BROKEN:
        draft.problems.insert(0, f"the server could not read the call that the model wrote{said}")
    elif ending is Ending.CALLS and not calls and not routes:
        draft.problems.append(f"it ended in order to call tools, and no call came{said}")
    if draft.problems:
        return failed_reply(draft, Status.MALFORMED, "; ".join(draft.problems), pieces or raw)
    if ending is None and draft.finish and not calls and not routes:
        return failed_reply(draft, Status.ERROR, f"it ended for a reason that is not known{said}", raw)
    if draft.finish is None:
        draft.flag("finish reason not reported")
    elif ending is None:
        draft.flag(f"finish reason not known: {draft.finish}")
    if routes:
        return _routed(draft, calls, routes, text)
    return _decided(draft, tuple(call for call in calls if call), text, pieces)


def failed_reply(draft: Draft, status: Status, error: str, raw: str, *, again: bool = False) -> Reply:
    """An answer without a decision, with what is known of it all the same."""
    return Reply(
        status,
        error=error,
        raw=raw,
        finish=draft.finish,
        model=draft.model,
        fingerprint=draft.fingerprint,
        usage=draft.usage,
        again=again,
    )


def _ok(draft: Draft, decision: Decision) -> Reply:
    return Reply(
        Status.OK,
        decision,
        finish=draft.finish,
        model=draft.model,
        fingerprint=draft.fingerprint,
        usage=draft.usage,
    )


def _decided(draft: Draft, calls: tuple[ToolCall, ...], text: str, pieces: str | None) -> Reply:
    for flag in flags_of(text):
        draft.flag(flag)
    if not calls and not text.strip():
        draft.flag("the answer is empty")
    outcome = Outcome.FIRE if calls else Outcome.PASS
    return _ok(draft, Decision(outcome, calls, note=text or None, flags=tuple(draft.flags), raw=pieces))


def _call(call: FoundCall, number: int, draft: Draft) -> ToolCall | None:
    """A call that is complete; None, with a problem noted, where it is not."""
    named = isinstance(call.name, str) and bool(call.name.strip())
    where = f"call {number}" + (f" ({call.name})" if named else "")
    if not named:
        found = "" if call.name in (MISSING, "", None) else f": it is {kind_of(call.name)}"
        draft.problems.append(f"{where} has no name{found}")
    arguments, problem = _free(call, draft) if call.free else _arguments(call.arguments, draft)
    if problem is not None:
        draft.problems.append(f"{where}: arguments {problem}")
    if not named or problem is not None:
        return None
    return ToolCall(call.name, arguments, call.id)


def _free(call: FoundCall, draft: Draft) -> tuple[Json, None]:
    draft.flag("a custom tool's input, which is any text")
    return None if call.arguments is MISSING else call.arguments, None


def _arguments(value: Any, draft: Draft) -> tuple[Json, str | None]:
    """The arguments as an object, or what is wrong with them."""
    if value is MISSING or value is None or (isinstance(value, str) and not value.strip()):
        draft.flag(f"arguments {'missing' if value is MISSING else 'null' if value is None else 'empty'}")
        return {}, None
    if draft.expects is not None and isinstance(value, str | dict) and not isinstance(value, draft.expects):
        came, wanted = ("text", "an object") if isinstance(value, str) else ("an object", "text")
        draft.flag(f"arguments came as {came}, not as {wanted}")
    if isinstance(value, str):
        try:
            value = parse(value)
        except NotJson as error:
            return None, f"cannot be read: {error}"
        if isinstance(value, str):
            return None, "are text within JSON text: encoded twice"
    if not isinstance(value, dict):
        return None, f"are {kind_of(value)}; expected an object"
    return value, None


def _routed(draft: Draft, calls: Sequence[object], routes: Sequence[str], text: str) -> Reply:
    """The answer of a classifier: one of the routes, spelled exactly."""
    try:
        value = parse(text)
    except NotJson as error:
        value, problem = None, f"the answer cannot be read: {error}"
    else:
        problem = "" if isinstance(value, dict) and ROUTE in value else f'expected {{"{ROUTE}": …}}'
    if calls:
        problem = "a call came where a route was asked for"
    chosen = value.get(ROUTE) if isinstance(value, dict) else None
    if not problem and chosen not in routes:
        problem = f"{spell(chosen)} is none of the routes"
    if problem or not isinstance(chosen, str):
        return failed_reply(draft, Status.MALFORMED, problem, text)
    for key in value:
        if key != ROUTE:
            draft.flag(f"the answer has another key: {key}")
    outcome = DECLINES.get(chosen.casefold(), Outcome.FIRE)
    named = (ToolCall(chosen),) if outcome is Outcome.FIRE else ()
    return _ok(draft, Decision(outcome, named, flags=tuple(draft.flags), raw=text))
