"""Which routers a program may have, for one who named none that it calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from workbench.lanes.joins.routers import guesses

__all__ = ["likely_routers"]

_MOST = 8


def likely_routers(called: Mapping[str, int], missing: Iterable[str]) -> tuple[str, ...]:
    """Last parts of the names `called`, with how often: first those spelled nearly as a missing one, then
    what looks like a router's, most often called first."""
    lasts: Counter[str] = Counter()
    guessed: Counter[str] = Counter()
    for name, times in called.items():
        last = name.rsplit(".", 1)[-1]
        lasts[last] += times
        if guesses(name):
            guessed[last] += times
    near = [close for name in missing for close in get_close_matches(name, lasts, 3, 0.8)]
    often = [name for name, _ in guessed.most_common(_MOST)]
    return tuple(dict.fromkeys([*near, *often]))[:_MOST]
