"""A streamed response put together: its last event holds it whole, and what was streamed must agree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.core.decision import canonical
from workbench.wire.draft import MISSING, Draft
from workbench.wire.events import Event
from workbench.wire.openai_responses import gathered
from workbench.wire.streamed import ReportedError, event_object, is_done
from workbench.wire.strict import NotJson, mapping, parse, strings

__all__ = ["ResponseFold"]

_LAST = frozenset({"response.completed", "response.incomplete", "response.failed", "response.cancelled"})
_CALLS = ("function_call", "custom_tool_call")
_ARGUMENTS = {
    "response.function_call_arguments": ("arguments", "arguments"),
    "response.custom_tool_call_input": ("input", "input"),
}


class ResponseFold:
    """The events of one streamed response."""

    def __init__(self) -> None:
        self._items: dict[Any, dict[str, Any]] = {}  # by place in the output
        self._pieces: dict[Any, list[str]] = {}  # arguments of calls
        self._said: dict[Any, list[str]] = {}  # text of messages
        self._refused: dict[Any, list[str]] = {}
        self._begun: Mapping[str, Any] = {}
        self._last: Mapping[str, Any] | None = None
        self._twice = False
        self._before: tuple[int, str] | None = None  # number and data of the event before

    @property
    def ended(self) -> bool:
        return self._last is not None

    def take(self, event: Event) -> None:
        if is_done(event):
            return
        value = event_object(event)
        if self._repeated(value.get("sequence_number"), event.data):
            return
        kind = strings(value.get("type")) or event.name
        if kind == "error":
            raise ReportedError(value)
        if kind in _LAST:
            self._last = mapping(value.get("response"))
            if self._last.get("error"):
                raise ReportedError(self._last["error"])
        elif kind == "response.created":
            self._begun = mapping(value.get("response"))
        elif kind in ("response.output_item.added", "response.output_item.done"):
            self._items[_place(value)] = dict(mapping(value.get("item")))
            if kind.endswith("done"):
                self._pieces.pop(_place(value), None)
        elif kind == "response.output_text.delta":
            self._said.setdefault(_place(value), []).append(str(value.get("delta") or ""))
        elif kind == "response.refusal.delta":
            self._refused.setdefault(_place(value), []).append(str(value.get("delta") or ""))
        else:
            self._arguments(kind, value)

    def _repeated(self, number: Any, data: str) -> bool:
        """Whether an event came a second time: numbers count up, but from servers that leave them at 0."""
        if not isinstance(number, int) or number <= 0:
            return False
        same = self._before == (number, data)
        self._twice |= same
        self._before = (number, data)
        return same

    def _arguments(self, kind: str, value: Mapping[str, Any]) -> None:
        stem, _, part = kind.rpartition(".")
        if stem not in _ARGUMENTS:
            return
        whole, key = _ARGUMENTS[stem]
        place = _place(value)
        if part == "delta":
            self._pieces.setdefault(place, []).append(str(value.get("delta") or ""))
        elif part == "done" and isinstance(value.get(whole), str):
            self._pieces.pop(place, None)
            self._items.setdefault(place, {"type": "function_call"})[key] = value[whole]

    def draft(self) -> Draft:
        """What came so far."""
        streamed = self._streamed()
        answer = self._last if self._last is not None else self._begun
        if not answer.get("output") and (streamed or self._last is None):
            answer = {**answer, "output": streamed}
        draft = gathered(answer)
        if self._twice:
            draft.flag("an event came twice; it is read once")
        ours, theirs = _spelled(streamed), _spelled(answer.get("output"))
        if ours and ours != theirs:
            draft.problems.append("the calls that were streamed are not those of the last event")
        return draft

    def _streamed(self) -> list[dict[str, Any]]:
        """The items as they were streamed."""
        found: dict[Any, dict[str, Any]] = {place: dict(item) for place, item in self._items.items()}
        for place, pieces in self._pieces.items():
            item = found.setdefault(place, {"type": "function_call"})
            item["input" if item.get("type") == "custom_tool_call" else "arguments"] = "".join(pieces)
        for place, said in self._said.items():
            item = found.setdefault(place, {"type": "message"})
            if not item.get("content"):
                item["content"] = "".join(said)
        for place, refused in self._refused.items():
            item = found.setdefault(place, {"type": "message"})
            if not item.get("content"):
                item["content"] = [{"type": "refusal", "refusal": "".join(refused)}]
        if self._last is not None:
            for item in found.values():  # what it was when it began says nothing of its end
                if item.get("status") == "in_progress":
                    del item["status"]
        known = all(isinstance(place, int) for place in found)
        return [found[place] for place in (sorted(found) if known else found)]


def _place(value: Mapping[str, Any]) -> int | str:
    """What tells one item's events from another's: its place in the output, else its id."""
    index = value.get("output_index")
    if isinstance(index, int) and not isinstance(index, bool):
        return index
    return strings(value.get("item_id")) or strings(mapping(value.get("item")).get("id")) or ""


def _spelled(items: Any) -> list[tuple[Any, Any]]:
    """Name and arguments of each call, to be compared."""
    found = []
    for item in items if isinstance(items, list) else []:
        if mapping(item).get("type") in _CALLS:
            arguments = item.get("arguments", item.get("input", MISSING))
            found.append((item.get("name", MISSING), _meant(arguments)))
    return found


def _meant(arguments: Any) -> Any:
    """Arguments without the blanks that a server may spell in one place, and leave out in another."""
    try:
        return canonical(parse(arguments)) if isinstance(arguments, str) else arguments
    except NotJson:
        return arguments
