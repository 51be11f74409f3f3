"""An explanation in the making: what is known at any moment, so that it can be told when it ends early."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from workbench.core.cell import Delivery
from workbench.core.decision import Span
from workbench.explain.asking import Asker
from workbench.explain.explanation import Ending, Explanation, Progress
from workbench.explain.material import Material
from workbench.explain.parts import Grain, joined

__all__ = ["Draft", "Tell"]

Tell = Callable[[Progress], None]

_HEAD = 80
_FIXED = ("key", "typed", "material", "calls", "most", "failed")


@dataclass
class Draft:
    """Fields are put into `said` under their names in Explanation. `stage` says what is being looked for."""

    delivery: Delivery
    material: Material
    asker: Asker | None
    tell: Tell = lambda progress: None
    stage: str = "asking what differs"
    best: tuple[Span, ...] = ()
    said: dict[str, Any] = field(default_factory=dict)

    def say(self, **facts: Any) -> None:
        """Set fields of the explanation."""
        unknown = set(facts) - {one.name for one in fields(Explanation)} - set(_FIXED)
        assert not unknown, unknown
        self.said.update(facts)

    def better(self, parts: Sequence[Span]) -> None:
        """A smaller cause was seen to hold."""
        self.best = joined(parts)
        self.report()

    def begin(self, stage: str) -> None:
        self.stage = stage
        self.report()

    def level(self, grain: Grain) -> None:
        self.begin(f"looking at {grain.value}s")

    def report(self) -> None:
        """Tell how far it is."""
        calls = self.asker.calls if self.asker else 0
        most = self.asker.most if self.asker else 0
        characters = sum(end - start for start, end in self.best)
        head = ""
        if self.best:
            start, end = self.best[0]
            head = self.material.text[start : min(end, start + _HEAD)]
        self.tell(Progress(calls, most, self.stage, self.best, characters, head))

    @property
    def named(self) -> bool:
        """Whether the ending is known: what is still asked only adds to it."""
        return "ending" in self.said

    def cut_short(self, ending: Ending, why: str) -> None:
        """It ends here. A cause that is found stays found; only what was to come after it is lacking."""
        if self.named:
            if self.said.get("removal") is None and not self.said.get("no_removal"):
                self.say(no_removal=f"{why} before it was found")
            self.say(used_up=why)
            return
        self.say(ending=ending, why=why, cause=self.best, used_up=why)

    def finished(self) -> Explanation:
        """What is known now."""
        asker = self.asker
        return Explanation(
            key=self.delivery.key,
            typed=self.delivery.typed,
            material=self.material,
            calls=asker.calls if asker else 0,
            most=asker.most if asker else 0,
            failed=asker.failed if asker else 0,
            **self.said,
        )
