"""A lane, one writer into a prompt, and the registry of all of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Bound", "Emits", "Lane", "Registry", "Trust", "Unit"]


class Unit(StrEnum):
    """What a budget counts: code points, bytes of UTF-8, or tokens of the model."""

    CHARS = "chars"
    BYTES = "bytes"
    TOKENS = "tokens"


class Trust(StrEnum):
    """Whose words a lane carries."""

    OWNER = "owner"
    TOOL = "tool"
    CHILD = "child"
    POLICY = "policy"
    MODEL = "model"


class Emits(StrEnum):
    """Where the app says of a lane that it was written."""

    LOG = "log"
    RECEIPT = "receipt"
    NONE = "none"


class Bound(StrEnum):
    """A budget that is no number of one turn."""

    SESSION = "session"
    UNCAPPED = "uncapped"


@dataclass(frozen=True, slots=True)
class Lane:
    """One stanza. None: the field is missing, or what stands there is none of its values.

    `unit` is the lane's own, where it overrides the file's. `volatile`: its text is expected to differ
    from request to request. `line` is where the stanza begins, from 1; `notes` are its comments, and
    `budget_note` is the comment on the budget's own line, all without their `#`.
    """

    name: str
    injector: str | None = None
    budget: int | Bound | None = None
    priority: int | None = None
    trust: Trust | None = None
    evicts: str | None = None
    emits: Emits = Emits.LOG
    unit: Unit | None = None
    volatile: bool = False
    line: int = 1
    notes: tuple[str, ...] = ()
    budget_note: str | None = None


@dataclass(frozen=True, slots=True)
class Registry:
    """A `lanes.toml`: its lanes in the order of the file. `unit` None: the file does not say."""

    file: str
    lanes: tuple[Lane, ...]
    unit: Unit | None = None
    schema_version: int | None = None

    def lane(self, name: str) -> Lane | None:
        """The first lane of that name."""
        return next((lane for lane in self.lanes if lane.name == name), None)

    def unit_of(self, lane: Lane) -> Unit:
        """What the lane's budget counts; characters where neither lane nor file says."""
        return lane.unit or self.unit or Unit.CHARS
