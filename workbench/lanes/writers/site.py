"""A writer: one statement that adds text to what a model is sent."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

__all__ = ["Cap", "Confidence", "Site", "SiteKind"]


class SiteKind(StrEnum):
    """How the text gets in. Where a statement does several, the first of these names it."""

    PUSH = "push"  # onto a list of messages, of blocks, or of parts that become a prompt
    CONCAT = "concat"
    JOIN = "join"
    ARGUMENT = "argument"  # system=, instructions= and the like of a call
    ROLE = "role"  # a message written out
    TEMPLATE = "template"
    CONTENT = "content"  # a block of a message's content


class Confidence(IntEnum):
    """How sure it is that a model reads it. Sites of low confidence are shown on demand only."""

    LOW = 1
    MEDIUM = 2
    HIGH = 3


@dataclass(frozen=True, slots=True)
class Cap:
    """A limit in the code: `source` as it is written there; `value` None where it is not a plain number."""

    source: str
    value: int | None
    line: int


@dataclass(frozen=True, slots=True)
class Site:
    """Lines and columns from 1, columns in code points. All strings are foreign, raw.

    `line` is where the text is written, within the statement of `first_line` to `last_line`; `lines` are
    all such lines of the statement. `text` is the statement, cut where it is very long. `ordinal` counts
    equal texts in one function. `late`: why it comes after the prompt was assembled, as in "after assemble()
    in line 30".
    """

    file: str
    line: int
    column: int
    first_line: int
    last_line: int
    lines: tuple[int, ...]
    kind: SiteKind
    confidence: Confidence
    function: str
    text: str
    ordinal: int = 1
    lane: str | None = None
    budget: Cap | None = None
    fence: str | None = None
    late: str | None = None
