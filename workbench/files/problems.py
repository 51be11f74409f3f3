"""What is wrong with a file is collected, and told at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from workbench.core.errors import Mark, Problem, WorkbenchError

__all__ = ["Problems", "check_keys", "nearest", "shown", "slip", "suggestion"]

_CLOSE = 0.6  # the share of a word that must be right for it to count as a slip of the pen
_SHOWN = 60
_LISTED = 20


class Problems:
    """Collects problems while reading goes on; `check` raises them all, in the order of the file."""

    def __init__(self) -> None:
        self._found: dict[Problem, None] = {}

    def __len__(self) -> int:
        return len(self._found)

    def add(self, mark: Mark | None, message: str, hint: str | None = None) -> None:
        """Note one problem. The same one at the same place counts once."""
        self._found[Problem(message, mark, hint)] = None

    def extend(self, problems: Iterable[Problem]) -> None:
        self._found.update(dict.fromkeys(problems))

    def ordered(self) -> tuple[Problem, ...]:
        """Those without a place first, then by file, line and column."""
        return tuple(sorted(self._found, key=lambda problem: problem.mark or Mark("", 0, 0)))

    def check(self) -> None:
        """Raises WorkbenchError if there is any problem."""
        if self._found:
            raise WorkbenchError(self.ordered())


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that `word` is most likely a slip of; None where none is close."""
    from rapidfuzz.distance import OSA, Indel

    def closeness(candidate: str) -> float:
        """Swapped letters count little in the first measure, letters left out or added in the second."""
        pair = _folded(word), _folded(candidate)
        return max(OSA.normalized_similarity(*pair), Indel.normalized_similarity(*pair) - 0.1)

    best = max(known, key=closeness, default=None)
    return best if best is not None and closeness(best) >= _CLOSE else None


def _folded(word: str) -> str:
    return word.casefold().replace("_", "-").replace(" ", "-")


def slip(word: str, known: Iterable[str]) -> str | None:
    """A hint that names the nearest known word; None where none is close."""
    near = nearest(word, known)
    return None if near is None else f'did you mean "{near}"?'


def suggestion(word: str, known: Iterable[str]) -> str:
    """A hint: the nearest known word, or all of them."""
    words = list(known)
    near = slip(word, words)
    if near is not None:
        return near
    if not words:
        return "none is known here"
    return "known here: " + ", ".join(words[:_LISTED]) + (" and more" if len(words) > _LISTED else "")


def shown(value: str) -> str:
    """A value in quotes for a message, cut where it is long."""
    return f'"{value}"' if len(value) <= _SHOWN else f'"{value[:_SHOWN]}…"'


def check_keys(
    problems: Problems,
    where: Mark,
    found: Mapping[str, Mark],
    known: Collection[str],
    required: Collection[str] = (),
) -> None:
    """Complain of keys that are unknown, and, at `where`, of required ones that are missing.

    A missing key beside an unknown one that is a slip of it is one mistake, and told once.
    """
    missing = [key for key in required if key not in found]
    for key, mark in found.items():
        if key not in known:
            free = [word for word in known if word not in found]
            meant = nearest(key, missing) or nearest(key, free)
            hint = suggestion(key, known) if meant is None else f'did you mean "{meant}"?'
            problems.add(mark, f"unknown key {shown(key)}", hint)
            if meant in missing:
                missing.remove(meant)
    for key in missing:
        problems.add(where, f'the key "{key}" is missing', "required: " + ", ".join(required))
