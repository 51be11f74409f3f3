"""A streamed Gemini answer put together: every event is a small answer of its own."""

from __future__ import annotations

from workbench.wire.draft import Draft
from workbench.wire.events import Event
from workbench.wire.gemini import take_answer
from workbench.wire.streamed import event_object, is_done

__all__ = ["ContentFold"]


class ContentFold:
    """The events of one streamed answer."""

    def __init__(self) -> None:
        self._draft = Draft(dict)
        self._before: str | None = None

    @property
    def ended(self) -> bool:
        return self._draft.finish is not None or bool(self._draft.refusal)

    def take(self, event: Event) -> None:
        if is_done(event):
            return
        value = event_object(event)
        # Two calls that are the same come with counts that grow, so what is alike to the byte came twice.
        counted = "usageMetadata" in value
        if counted and event.data == self._before:
            self._draft.flag("an event came twice; it is read once")
            return
        self._before = event.data
        take_answer(self._draft, value)

    def draft(self) -> Draft:
        """What came so far."""
        return self._draft
