"""A call's arguments, and what the call came to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from workbench.lanes.joins import tree as t
from workbench.lanes.joins.state import State
from workbench.lanes.joins.value import Value

__all__ = ["Called", "Given"]


class Given:
    """The arguments of one call, evaluated."""

    def __init__(self, call: t.Call, values: Sequence[Value]) -> None:
        self.call = call
        self.values = list(values)
        self.positional: list[Value] = []
        self.named: dict[str, Value] = {}
        self.open = False
        for arg, value in zip(call.args, values, strict=True):
            if arg.spread:
                if value.listed:
                    self.positional += value.fields.values()
                elif value.fields:
                    self.named.update(value.fields)
                else:
                    self.open = True
            elif arg.name is not None:
                self.named[arg.name] = value
            else:
                self.positional.append(value)

    def all(self) -> list[Value]:
        return [*self.positional, *self.named.values()]

    def key(self) -> tuple[object, ...]:
        """Two calls at one place whose keys are alike are alike."""
        return (*(value.key() for value in self.values), self.open)


@dataclass(frozen=True, slots=True)
class Called:
    """What one call came to: its value, the object after it, and what it holds in its own names.

    `given` is kept so that what its key names stays what it is. `value` None: it was not followed.
    """

    given: Given
    value: Value | None = None
    after: Value | None = None
    last: State | None = None
    taken: Mapping[str, Value] = field(default_factory=dict)
