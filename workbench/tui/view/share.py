"""Rates in a few cells of the terminal: `12/60 ≤30%` and a bar. Never 0 %, and never a bare percentage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.text import SafeText, safe
from workbench.tui.view.ink import Line, Piece, Tone, ink

if TYPE_CHECKING:
    from workbench.tui.judging import JudgedRate

__all__ = ["bar", "bound", "share", "share_tone"]


def share(k: int, n: int) -> SafeText:
    """`k/n`: so often, of so many trials that have a decision."""
    return safe(f"{k}/{n}")


def share_tone(k: int) -> Tone:
    """What happens at all stands out; what never did is as quiet as a pass."""
    return Tone.FIRE if k else Tone.PASS


def bound(judged: JudgedRate | None) -> SafeText:
    """`≤bound`, or `≥bound` of what is wanted; empty before it is judged, and without any answer."""
    if judged is None or not judged.rate.n:
        return SafeText("")
    from workbench.compare.rate_limits import percent

    rate = judged.rate
    return safe(f"≥{percent(rate.floor)}" if judged.wanted else f"≤{percent(rate.bound)}")


def bar(k: int, n: int, width: int) -> Line:
    """The rate as a bar. One that is neither none nor all is never drawn as if it were."""
    full = round(width * k / n) if n else 0
    if 0 < k < n:
        full = min(max(full, 1), width - 1)
    filled: tuple[Piece, ...] = (ink("█" * full, Tone.FIRE),) if full else ()
    return (*filled, ink("░" * (width - full), Tone.HATCH)) if full < width else filled
