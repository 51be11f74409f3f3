"""What an explanation says, as a value: the words, where they stand, what restores, and how it is known."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from workbench.core.cell import CellKey
from workbench.core.decision import Decision, Match, Span
from workbench.explain.material import Material
from workbench.explain.parts import Grain
from workbench.explain.question import Way

__all__ = ["Counted", "Ending", "Explanation", "Margin", "Progress", "Rates"]


class Ending(StrEnum):
    """What came of it. The first three name a cause."""

    WORDS = "words"
    PLACE = "place"
    """Length or place: any words would do there."""
    DELIVERY = "delivery"
    """No word that can be taken away: what the user typed is not delivered as typed, or a file came along."""
    NOTHING = "nothing-moves"
    OUT_OF_CALLS = "out-of-calls"
    STOPPED = "stopped"
    NO_ANSWER = "no-answer"


@dataclass(frozen=True, slots=True)
class Margin:
    """A route's margin without one sentence, and how much the sentence adds to it; its score where it has
    no threshold.
    """

    span: Span
    route: str
    value: float
    change: float


@dataclass(frozen=True, slots=True)
class Counted:
    """How often the event happened in the answered draws. `e`: the evidence of the test; None: no test."""

    k: int
    n: int
    failed: int = 0
    e: float | None = None


@dataclass(frozen=True, slots=True)
class Rates:
    """What was drawn of an adapter that samples. None: not drawn."""

    event: str
    bare: Counted
    variant: Counted
    cause: Counted | None = None
    restored: Counted | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """`cause` are the smallest parts found that alone move the decision, `others` further ones that do too.

    `minimal`: without any one part of the size `grain` the cause moves it no more. `removal`: the smallest
    parts to take away for the decision of bare, None where none was found, and then `no_removal` says why.
    `why` says more of an ending that names no words. `best`: as far as a search came that did not end.
    `steady` False: asked anew, the cause was answered differently. All spans are of `material.text`.
    """

    key: CellKey
    typed: str
    material: Material
    ending: Ending
    why: str = ""
    way: Way | None = None
    bare: Decision | None = None
    variant: Decision | None = None
    cause: tuple[Span, ...] = ()
    minimal: bool = False
    grain: Grain | None = None
    others: tuple[tuple[Span, ...], ...] = ()
    removal: tuple[Span, ...] | None = None
    removal_minimal: bool = False
    no_removal: str = ""
    matches: tuple[Match, ...] = ()
    lost_matches: tuple[Match, ...] = ()
    margins: tuple[Margin, ...] = ()
    sentences: int = 0
    rates: Rates | None = None
    steady: bool | None = None
    calls: int = 0
    most: int = 0
    failed: int = 0
    unanswered: int = 0
    used_up: str = ""

    @property
    def names_a_cause(self) -> bool:
        """Whether it says what moved the decision."""
        return self.ending in (Ending.WORDS, Ending.PLACE, Ending.DELIVERY)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search is: `best` are the smallest parts known to move the decision, `head` is how they
    begin, foreign text.
    """

    calls: int
    most: int
    stage: str
    best: tuple[Span, ...]
    characters: int
    head: str = ""
