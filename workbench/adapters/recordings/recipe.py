"""How the body of a call follows from its turn: enough to tell, without the adapter, what it would send."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from workbench.adapters.calls.conversation import Conversation
from workbench.core.decision import Json
from workbench.core.turn import Turn
from workbench.wire.codec import ModelCall
from workbench.wire.registry import codec

__all__ = ["HasRecipe", "Recipe"]


@dataclass(frozen=True, slots=True)
class Recipe:
    """A wire format by its name, and the call without its messages."""

    api: str
    call: ModelCall
    seeded: bool = False

    def body(self, turn: Turn, seed: int) -> Json:
        """The body that would be sent. Raises WorkbenchError where the format cannot say it."""
        conversation = Conversation(self.call, self.seeded)
        return dict(codec(self.api).request(conversation.call(turn, seed)).body)


@runtime_checkable
class HasRecipe(Protocol):
    """An adapter whose bodies follow from the turn alone."""

    def recipe(self) -> Recipe | None:
        """None where something else has a say in them, such as the user's own pipeline."""
