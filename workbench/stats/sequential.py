"""A test of two rates that may be looked at after every pair, and may be the reason to stop."""

from __future__ import annotations

from math import exp, log

__all__ = ["EProcess"]

_PRIOR = 0.18  # of each rate, both ways: Beta(.18, .18)
_MOST = 700.0  # the logarithm of the highest value that is told apart


class EProcess:
    """Evidence that two rates differ, gathered pair by pair, after Turner, Ly and Grünwald (2024).

    Each pair, one trial of either arm, is bet on with what was learned from those before it. If the
    rates are equal, `value` ever reaches 1/alpha with a probability of at most alpha, however often it is
    looked at. `rise` True: evidence that the variant's rate is the higher one; where the pairs so far
    point the other way nothing is bet, so that a variant with a lower rate gathers none either.
    """

    __slots__ = ("_bare", "_variant", "log_value", "pairs", "rise")

    def __init__(self, *, rise: bool = False) -> None:
        self.rise = rise
        self.pairs = 0
        self.log_value = 0.0
        self._bare = self._variant = 0

    @property
    def value(self) -> float:
        """How many times better than even: 1 is no evidence, 20 is enough for a level of 0.05."""
        return exp(min(self.log_value, _MOST))

    def add(self, bare: bool, variant: bool) -> None:
        """One more pair: whether the event happened on either side."""
        weight = self.pairs + 2 * _PRIOR
        ours, theirs = (self._bare + _PRIOR) / weight, (self._variant + _PRIOR) / weight
        if not self.rise or theirs > ours:
            both = (ours + theirs) / 2
            self.log_value += log(ours / both if bare else (1 - ours) / (1 - both))
            self.log_value += log(theirs / both if variant else (1 - theirs) / (1 - both))
        self.pairs += 1
        self._bare += bare
        self._variant += variant
