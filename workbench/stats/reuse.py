"""What a rate says of several uses in a row, without the bias of raising it to a power."""

from __future__ import annotations

from math import comb

__all__ = ["all_of", "any_of"]


def all_of(c: int, n: int, k: int) -> float | None:
    """The chance that k uses are all right where c of n were: C(c,k)/C(n,k). None where n is below k."""
    _check(c, n, k)
    return comb(c, k) / comb(n, k) if k <= n else None


def any_of(c: int, n: int, k: int) -> float | None:
    """The chance that one of k uses, at least, is one of the c of n. None where n is below k."""
    _check(c, n, k)
    return 1 - comb(n - c, k) / comb(n, k) if k <= n else None


def _check(c: int, n: int, k: int) -> None:
    if not 0 <= c <= n or k < 1:
        raise ValueError(f"{c} of {n}, in {k} uses: no such counts")
