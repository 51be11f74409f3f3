"""HAR: what a browser or proxy saw, of which the calls of models are read and no header is kept.

Also an entry by itself: `workbench lanes proxy` writes one on each line.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from typing import Any, ClassVar

from workbench.capture.readers.bodies import called, format_of, streamed_calls, turn_of
from workbench.capture.readers.fields import at, moment, parsed, text
from workbench.capture.sources.record import Read, Record
from workbench.capture.turns import Fault, Skipped

__all__ = ["HarReader", "fits"]


def fits(value: Any) -> bool:
    """Whether a record is a capture, or an entry of one."""
    return isinstance(at(value, "log", "entries"), list) or _is_entry(value)


def _is_entry(value: Any) -> bool:
    return (
        text(at(value, "startedDateTime")) is not None
        and isinstance(at(value, "request", "headers"), list)
        and isinstance(at(value, "response"), dict)
    )


class HarReader:
    """A turn per request whose body is a known provider's; all other traffic is passed over."""

    name: ClassVar[str] = "har"

    def take(self, record: Record) -> Iterable[Read]:
        if not fits(record.value):
            yield Skipped(record.place, Fault.UNKNOWN, "no capture")
            return
        entries = [record.value] if _is_entry(record.value) else record.value["log"]["entries"]
        for entry in entries:
            yield from self._entry(entry, record)

    def end(self) -> Iterable[Read]:
        return ()

    def _entry(self, entry: Any, record: Record) -> Iterable[Read]:
        posted = _body(at(entry, "request", "postData"))
        body = parsed(posted)
        if not isinstance(body, dict):
            if (
                "json" in str(at(entry, "request", "postData", "mimeType"))
                and posted
                and posted.lstrip()[:1] == "{"
            ):
                yield Skipped(record.place, Fault.TORN, "the body of a request is no whole JSON")
            return
        form = format_of(body)
        if form is None:
            return
        answer = _body(at(entry, "response", "content"))
        draft = turn_of(form, body, parsed(answer) if answer else None, Record(body, record.place))
        if draft is None:
            return
        if answer and draft.tools is None:
            names = (
                streamed_calls(answer.encode("utf-8", "replace"))
                if "data:" in answer[:4096]
                else called(answer)
            )
            if names is not None:
                draft.called(*names)
        draft.id = draft.id or text(at(entry, "_id"))
        draft.time = moment(at(entry, "startedDateTime"))
        draft.reader = self.name
        yield draft.turn()


def _body(content: Any) -> str | None:
    """The text of a body; None where there is none, or it is no text."""
    found = text(at(content, "text"))
    if found is None or at(content, "encoding") != "base64":
        return found
    try:
        return base64.b64decode(found, validate=False).decode("utf-8")
    except (binascii.Error, ValueError):
        return None
