"""What calls cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from workbench.core.exchange import Usage

__all__ = ["Price", "price_of"]

_MILLION = 1_000_000
_KEYS = ("input", "output", "cached")
_WANTED = "expected {input: 0.25, output: 2}, in US dollars for a million tokens"


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens. `cached` is the price of input that the provider had kept."""

    input: float
    output: float
    cached: float | None = None

    def of(self, usage: Usage | None) -> float | None:
        """What a call cost; None where the provider does not say what it used."""
        if usage is None or usage.input is None or usage.output is None:
            return None
        kept = min(usage.cached or 0, usage.input) if self.cached is not None else 0
        dollars = (usage.input - kept) * self.input + usage.output * self.output
        return (dollars + kept * (self.cached or 0.0)) / _MILLION


def price_of(value: object) -> tuple[Price | None, list[str]]:
    """The price that an option says, and what is wrong with it."""
    if value is None:
        return None, []
    if not isinstance(value, Mapping):
        return None, [f"price: {_WANTED}"]
    problems = [f"price.{key}: no such price is known; {_WANTED}" for key in value if key not in _KEYS]
    numbers: dict[str, float] = {}
    for key in _KEYS:
        number = value.get(key)
        if isinstance(number, bool) or not isinstance(number, int | float) or number < 0:
            if key in value:
                problems.append(f"price.{key}: {_WANTED}")
            elif key != "cached":
                problems.append(f"price: {key} is missing; {_WANTED}")
        else:
            numbers[key] = float(number)
    return (None, problems) if problems else (Price(**numbers), [])
