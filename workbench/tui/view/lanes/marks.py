"""The letter and the colour of each lane, the same on both sides and in every part of the tab."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from string import ascii_lowercase, ascii_uppercase, digits

from workbench.core.text import SafeText, join, safe
from workbench.tui.view.ink import Tone

__all__ = ["DARK", "Marks"]

DARK = safe("?")
"""Stands in the margin beside text that no lane owns."""

MANY = safe("*")
"""Stands for every lane for which no letter is left."""

TONES = (
    Tone.TRANSPORT,
    Tone.QUOTED,
    Tone.TOOL,
    Tone.APP,
    Tone.HISTORY,
    Tone.ATTACHMENT,
    Tone.SYNTHETIC,
    Tone.PASS,
)


class Marks:
    """Letters of lanes: a capital of the name where one is free, else any that is."""

    def __init__(self, lanes: Iterable[str]) -> None:
        self.names = tuple(dict.fromkeys(lanes))
        self._letters: Mapping[str, SafeText] = _letters(self.names)
        self._tones = {name: TONES[number % len(TONES)] for number, name in enumerate(self.names)}

    def letter(self, lane: str | None) -> SafeText:
        """One cell wide; None: dark."""
        return DARK if lane is None else self._letters.get(lane, MANY)

    def tone(self, lane: str | None) -> Tone:
        return Tone.WARNING if lane is None else self._tones.get(lane, Tone.PLAIN)

    def initials(self, lanes: Iterable[str | None], most: int) -> SafeText:
        """The letters of a line's lanes in their order; a `+` last where there are more than fit.

        What is dark is never among those left out.
        """
        letters = list(dict.fromkeys(map(self.letter, lanes)))
        if len(letters) <= most:
            return join(letters)
        kept = letters[: most - 1]
        if DARK in letters and DARK not in kept:
            kept[-1] = DARK
        return join((*kept, safe("+")))


def _letters(names: tuple[str, ...]) -> dict[str, SafeText]:
    given: dict[str, SafeText] = {}
    free = dict.fromkeys(ascii_uppercase + ascii_lowercase + digits)
    for name in names:
        own = [char for char in name.upper() if char in ascii_uppercase]
        letter = next((char for char in (*own, *free) if char in free), None)
        if letter is not None:
            del free[letter]
            given[name] = safe(letter)
    return given
