"""What a model is sent for a turn, in no provider's words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from workbench.core.decision import Json
from workbench.core.turn import Turn
from workbench.wire.asking import merged
from workbench.wire.codec import ModelCall

__all__ = ["Conversation"]


@dataclass(frozen=True, slots=True)
class Conversation:
    """`template` is the call without messages. `seeded`: each call carries its trial's seed."""

    template: ModelCall
    seeded: bool = False

    def call(self, turn: Turn, seed: int) -> ModelCall:
        """A fresh conversation: the earlier messages of the prompt, then the turn."""
        messages: tuple[Mapping[str, Json], ...] = tuple(
            {"role": message.role, "content": message.content} for message in turn.messages
        ) or ({"role": "user", "content": turn.text},)
        return replace(self.template, messages=messages, seed=self._seed(seed))

    def built(
        self, messages: tuple[Mapping[str, Json], ...] | None, body: Mapping[str, Json] | None, seed: int
    ) -> ModelCall:
        """What the user's own pipeline made: messages, or a body whose keys stand above all others."""
        call = replace(self.template, messages=messages or (), verbatim=True, seed=self._seed(seed))
        return call if body is None else replace(call, body=merged(call.body, body))

    def _seed(self, seed: int) -> int | None:
        return seed if self.seeded else None
