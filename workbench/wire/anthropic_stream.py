"""A streamed message put together block by block; a block's pieces are parsed once, when it is whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.wire.anthropic import gathered
from workbench.wire.draft import Draft
from workbench.wire.events import Event
from workbench.wire.streamed import event_object, is_done
from workbench.wire.strict import mapping, strings

__all__ = ["MessageFold"]


@dataclass(slots=True)
class _Block:
    start: Mapping[str, Any]
    pieces: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    open: bool = True

    def whole(self) -> dict[str, Any]:
        """The block as it would stand in a message that was not streamed."""
        block = dict(self.start)
        if self.text:
            block["text"] = str(block.get("text") or "") + "".join(self.text)
        joined = "".join(self.pieces)
        if joined.strip():
            block["input"] = joined
        return block


class MessageFold:
    """The events of one streamed message."""

    def __init__(self) -> None:
        self._message: dict[str, Any] = {}
        self._usage: dict[str, Any] = {}
        self._blocks: dict[int, _Block] = {}
        self._problems: list[str] = []
        self._flags: list[str] = []
        self._stopped = False

    @property
    def ended(self) -> bool:
        return self._stopped or self._message.get("stop_reason") is not None

    def take(self, event: Event) -> None:
        if is_done(event):
            return
        value = event_object(event)
        kind = strings(value.get("type")) or event.name
        if kind == "message_start":
            started = mapping(value.get("message"))
            self._message = {**started, **self._message}
            self._usage |= mapping(started.get("usage"))
        elif kind == "content_block_start":
            self._start(value)
        elif kind == "content_block_delta":
            self._delta(value)
        elif kind == "content_block_stop":
            block = self._blocks.get(_index(value))
            if block is not None:
                block.open = False
        elif kind == "message_delta":
            self._message |= {k: v for k, v in mapping(value.get("delta")).items() if v is not None}
            self._usage |= {k: v for k, v in mapping(value.get("usage")).items() if v is not None}
        elif kind == "message_stop":
            self._stopped = True

    def draft(self) -> Draft:
        """What came so far."""
        blocks = [self._blocks[index] for index in sorted(self._blocks)]
        draft = gathered(
            {**self._message, "content": [block.whole() for block in blocks], "usage": self._usage or None}
        )
        draft.expects = None  # pieces of text, or an object that came with the block's start
        draft.problems.extend(self._problems)
        if self.ended and any(block.open for block in blocks):
            draft.problems.append("a block was never closed")
        for flag in self._flags:
            draft.flag(flag)
        return draft

    def _start(self, value: Mapping[str, Any]) -> None:
        index, start = _index(value), mapping(value.get("content_block"))
        known = self._blocks.get(index)
        if known is None:
            self._blocks[index] = _Block(start)
        elif known.start == start and not known.pieces and not known.text:
            self._flags.append("an event came twice; it is read once")
        else:
            self._problems.append(f"block {index} began twice")

    def _delta(self, value: Mapping[str, Any]) -> None:
        block, delta = self._blocks.get(_index(value)), mapping(value.get("delta"))
        kind = delta.get("type")
        if kind not in ("input_json_delta", "text_delta"):
            return  # hidden reasoning, signatures, citations
        key = "partial_json" if kind == "input_json_delta" else "text"
        piece = delta.get(key)
        if block is None:
            self._problems.append(f"a piece came for block {_index(value)}, which had not begun")
            block = self._blocks[_index(value)] = _Block(
                {"type": "tool_use" if kind == "input_json_delta" else "text"}
            )
        elif not block.open:
            self._problems.append(f"a piece came for block {_index(value)}, which was closed")
        if not isinstance(piece, str):
            self._problems.append(f"a piece of block {_index(value)} is no text")
        else:
            (block.pieces if kind == "input_json_delta" else block.text).append(piece)


def _index(value: Mapping[str, Any]) -> int:
    """The block's number; -1 where none is told."""
    index = value.get("index")
    return index if isinstance(index, int) and not isinstance(index, bool) else -1
