"""Who wrote a region, in a letter."""

from __future__ import annotations

from workbench.core.turn import Author


def test_every_author_has_a_letter_of_its_own() -> None:
    letters = [author.letter for author in Author]
    assert len(set(letters)) == len(letters)
    assert all(len(letter) == 1 and letter.islower() for letter in letters)
