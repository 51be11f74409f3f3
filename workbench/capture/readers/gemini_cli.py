"""Gemini CLI's telemetry: typed words, what the model was given, and the router's choice, in one file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from workbench.capture.readers import gemini_api
from workbench.capture.readers.fields import at, moment, number, parsed, pick, plain, text
from workbench.capture.readers.gathering import Draft, Gathering
from workbench.capture.readers.messages import Asked
from workbench.capture.readers.otlp import fits as fits_otlp
from workbench.capture.readers.otlp import signals
from workbench.capture.sources.record import Read, Record
from workbench.capture.turns import LogTurn, Place, Who

__all__ = ["GeminiCliReader", "fits"]

_START = "gemini_cli."
_ROUTER = "utility_router"


def fits(value: Any) -> bool:
    """Whether a record is one of its events."""
    return any(name.startswith(_START) for name, _, _ in _events(value))


class GeminiCliReader:
    """Joins by prompt id. Spans, metrics and other events of the file are passed over."""

    name: ClassVar[str] = "gemini-cli"

    def __init__(self) -> None:
        self._open: Gathering[Draft] = Gathering(Draft.weight)

    def take(self, record: Record) -> Iterable[Read]:
        for name, values, time in _events(record.value):
            prompt = plain(values.get("prompt_id"))
            if name.startswith(_START) and prompt is not None:
                yield from self._event(name.removeprefix(_START), values, prompt, time, record.place)

    def end(self) -> Iterable[Read]:
        return (draft.turn() for draft in self._open.rest())

    def _event(
        self, name: str, values: Mapping[str, Any], prompt: str, time: float | None, place: Place
    ) -> Iterator[LogTurn]:
        draft = self._open.get(prompt)
        if name not in ("user_prompt", "api_request", "tool_call", "model_routing", "api_response"):
            return
        if draft is None:
            draft = Draft(place, self.name, id=prompt, time=time, session=plain(values.get("session.id")))
            draft.session = draft.session or prompt.partition("########")[0]
        if name == "user_prompt":
            draft.typed, draft.typed_length = text(values.get("prompt")), number(values.get("prompt_length"))
        elif name == "api_request":
            _request(draft, values)
        elif name == "api_response":
            draft.called()
        elif name == "tool_call":
            draft.called(*filter(None, (text(values.get("function_name")),)))
        else:
            draft.outcome = text(values.get("decision_model"))
        yield from (closed.turn() for closed in self._open.put(prompt, draft))


def _request(draft: Draft, values: Mapping[str, Any]) -> None:
    """The first main request of a prompt is the turn, later ones bring results; a router has its own role.

    Those of subagents, and of a compressor and its like, are nobody's turn.
    """
    role = values.get("role")
    found = _asked(values.get("request_text")) if role in (None, "main", _ROUTER) else None
    if found is None:
        return
    if role == _ROUTER:
        draft.scanned = draft.scanned or found.whole
    elif draft.wrapped is None and found.who is Who.USER:
        draft.asks(found)


def _asked(value: Any) -> Asked | None:
    """The words of a request, kept as JSON of its contents, or as plain text."""
    given = parsed(value)
    if isinstance(given, list):
        given = {"contents": given}
    if isinstance(given, dict) and gemini_api.fits(given):
        return gemini_api.asks(given)
    return Asked((value,)) if isinstance(value, str) else None


def _events(value: Any) -> Iterator[tuple[str, Mapping[str, Any], float | None]]:
    """Name, attributes and time of the events of a record: of an export, or of the tool's own file."""
    if not isinstance(value, dict):
        return
    if fits_otlp(value):
        for signal in signals(value):
            yield signal.name, signal.attributes, signal.start
        return
    attributes = value.get("attributes")
    if isinstance(attributes, dict) and isinstance(name := at(attributes, "event.name"), str):
        time = moment(pick(attributes, ("event.timestamp",))) or moment(pick(value, ("hrTime", "timestamp")))
        yield name, attributes, time
