"""A streamed chat completion put together: text, and pieces of calls by their index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.wire.calls import add_content
from workbench.wire.draft import MISSING, Draft, FoundCall
from workbench.wire.events import Event
from workbench.wire.openai_chat import take_facts
from workbench.wire.streamed import event_object, is_done
from workbench.wire.strict import kind_of, mapping, strings

__all__ = ["ChatFold"]


@dataclass(slots=True)
class _Open:
    """A call of which more pieces may come. `index` None: the stream gave none."""

    index: int | None
    id: str | None = None
    name: str | None = None
    pieces: list[str] = field(default_factory=list)
    whole: Any = MISSING  # arguments that came as an object
    free: bool = False

    def found(self) -> FoundCall:
        arguments = "".join(self.pieces) if self.pieces else self.whole
        return FoundCall(MISSING if self.name is None else self.name, arguments, self.id, free=self.free)


class ChatFold:
    """The events of one streamed completion."""

    def __init__(self) -> None:
        self._draft = Draft(str)
        self._calls: list[_Open] = []
        self._legacy: _Open | None = None
        self._done = self._chosen = False

    @property
    def ended(self) -> bool:
        return self._done or self._draft.finish is not None

    def take(self, event: Event) -> None:
        if is_done(event):
            self._done = True
            return
        value = event_object(event)
        take_facts(self._draft, value)
        choices = value.get("choices")
        if choices is not None and not isinstance(choices, list):
            self._draft.problems.append(f"choices is {kind_of(choices)}; expected a list")
            return
        for choice in choices or []:
            self._choice(mapping(choice))

    def draft(self) -> Draft:
        """What came so far. Called at the end; once the stream is done, no choice at all is a problem."""
        draft = self._draft
        if self._done and not self._chosen:
            draft.problems.append("no choice came")
        indexes = [call.index for call in self._calls]
        ordered = self._calls
        if None not in indexes and len(set(indexes)) == len(indexes):
            ordered = sorted(self._calls, key=lambda call: call.index or 0)
        older = [self._legacy] if self._legacy is not None else []
        draft.calls = [call.found() for call in (*ordered, *older)]
        return draft

    def _choice(self, choice: Mapping[str, Any]) -> None:
        if choice.get("index") not in (None, 0):
            self._draft.flag("several choices came; the first is read")
            return
        self._chosen = True
        self._draft.finish = strings(choice.get("finish_reason")) or self._draft.finish
        delta = choice.get("delta")
        if delta is None and "message" in choice:
            self._draft.problems.append("an event has a message where a delta was expected")
        if not isinstance(delta, dict):
            return
        add_content(self._draft, delta.get("content"))
        self._draft.add_text(delta.get("refusal"), self._draft.refusal)
        pieces = delta.get("tool_calls")
        if pieces is not None and not isinstance(pieces, list):
            self._draft.problems.append(f"tool_calls is {kind_of(pieces)}; expected a list")
            return
        for piece in pieces or []:
            self._piece(piece)
        if delta.get("function_call") is not None:
            self._draft.flag("a call in the older shape, function_call")
            self._legacy = self._legacy or _Open(None)
            self._add(self._legacy, mapping(delta["function_call"]), "arguments")

    def _piece(self, piece: Any) -> None:
        if not isinstance(piece, dict):
            self._draft.problems.append(f"a piece of a call is {kind_of(piece)}; expected an object")
            self._calls.append(_Open(None, whole=piece))
            return
        free = isinstance(piece.get("custom"), dict)
        body = mapping(piece.get("custom") if free else piece.get("function"))
        call_id = strings(piece.get("id"))
        call = self._call_of(piece.get("index"), call_id, strings(body.get("name")))
        call.id = call.id or call_id
        call.free = call.free or free
        self._add(call, body, "input" if free else "arguments")

    def _call_of(self, index: Any, call_id: str | None, name: str | None) -> _Open:
        """The call that a piece belongs to; a new one where it begins one, or where that cannot be told."""
        if isinstance(index, int) and not isinstance(index, bool):
            same = [call for call in self._calls if call.index == index]
            if same and (call_id is None or same[-1].id in (None, call_id)):
                return same[-1]
            if same:
                self._draft.flag("several calls came under one index; told apart by their ids")
            return self._begin(index)
        if index is not None:
            self._draft.problems.append(f"the index of a piece is {kind_of(index)}; expected a number")
        self._draft.flag("no index came with the pieces of calls; inferred")
        if call_id is not None:
            known = [call for call in self._calls if call.id == call_id]
            return known[-1] if known else self._begin(None)
        if name is None and len(self._calls) == 1:
            return self._calls[0]
        if name is None and self._calls:
            self._draft.problems.append("a piece without index and id could belong to several calls")
        return self._begin(None)

    def _begin(self, index: int | None) -> _Open:
        self._calls.append(_Open(index))
        return self._calls[-1]

    def _add(self, call: _Open, body: Mapping[str, Any], key: str) -> None:
        name, more = body.get("name"), body.get(key)
        if name is not None and not isinstance(name, str):
            self._draft.problems.append(f"the name of a call is {kind_of(name)}; expected text")
        elif name and call.name is None:
            call.name = name
        elif name and name != call.name:
            self._draft.problems.append(f"the name of one call came as {call.name} and as {name}")
        if isinstance(more, str):
            call.pieces.append(more)
        elif more is not None:
            if call.whole is not MISSING and call.whole != more:
                self._draft.problems.append("the arguments of one call came twice, and differ")
            call.whole = more
        if call.pieces and call.whole is not MISSING:
            self._draft.problems.append("the arguments of one call came as text and as an object")
