"""The envelopes that a workspace knows, and which of them a past turn came in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from workbench.core import transform
from workbench.core.envelope import Envelope, unwrap, ways
from workbench.core.match import could_match
from workbench.core.template import Part, parts

__all__ = ["BARE", "KnownEnvelopes"]

BARE = "bare"
_DEEPEST = 3
_TELLING = 4
_LONGEST = 400_000
"""Texts beyond that are looked at by their start alone."""


@dataclass(slots=True)
class _Form:
    """`opening` is what each turn in it begins with; `telling`: its marks are no accident.

    `by_example`: it has no mark at all, and was not captured.
    """

    envelope: Envelope
    parts: tuple[Part, ...]
    opening: str
    telling: bool
    by_example: bool


class KnownEnvelopes:
    """Tells the envelope of a text. What came last is tried first: logs are of few kinds."""

    def __init__(self, envelopes: Iterable[Envelope] = ()) -> None:
        self._forms = [_form(envelope) for envelope in envelopes]
        self._ingress = {form.envelope.name: form.envelope.ingress.value for form in self._forms}
        self.by_opening = lru_cache(4096)(self._by_opening)
        """The envelope that a text begins like, where that begins with a mark of its own."""

    def __len__(self) -> int:
        return len(self._forms)

    def ingress(self, name: str) -> str | None:
        """The delivery path of an envelope, or of the outer one where they are nested."""
        return self._ingress.get(name.partition("(")[0])

    def fit(self, text: str, typed: str | None = None) -> str | None:
        """The name of the envelope that the text has, nested ones as `outer(inner)`; else None.

        With the typed words only an envelope that gives them back; without, one whose marks are telling.
        One without any mark, which nobody captured, is known by its example: any two lines would be it.
        """
        if len(text) > _LONGEST:
            return self._by_opening(text)
        return self._fit(text, typed, _DEEPEST)

    def _fit(self, text: str, typed: str | None, depth: int) -> str | None:
        possible = [form for form in self._forms if could_match(form.parts, text)]
        if typed is None:
            possible = [form for form in possible if form.telling]
        for form in possible:
            if _gives(form, text, typed):
                self._first(form)
                return form.envelope.name
        if typed is None or depth == 1:
            return None
        for form in possible:
            outer = unwrap(form.envelope, text)
            if outer is not None and form.telling and len(outer.typed) < len(text):
                inner = self._fit(outer.typed, typed, depth - 1)
                if inner is not None:
                    return f"{form.envelope.name}({inner})"
        return None

    def _first(self, form: _Form) -> None:
        if self._forms[0] is not form:
            self._forms.remove(form)
            self._forms.insert(0, form)

    def _by_opening(self, text: str) -> str | None:
        start = text.lstrip()
        for form in self._forms:
            mark = form.opening
            if _marks(mark) >= _TELLING and (
                start.startswith(mark)
                or (len(start) < len(mark) and mark.startswith(start) and _marks(start) >= _TELLING)
            ):
                return form.envelope.name
        return None


def _form(envelope: Envelope) -> _Form:
    found = parts(envelope.template, frozenset(envelope.slots))
    opening = found[0].text.lstrip() if found and not found[0].slot else ""
    literals = sum(_marks(part.text) for part in found if not part.slot)
    telling = bool(opening.strip()) or literals >= _TELLING
    by_example = not literals and bool(envelope.slots) and envelope.source.status != "captured"
    return _Form(envelope, found, opening, telling, by_example)


def _marks(text: str) -> int:
    return sum(not char.isspace() for char in text)


def _gives(form: _Form, text: str, typed: str | None) -> bool:
    envelope = form.envelope
    if typed is None:
        return unwrap(envelope, text) is not None
    found = next(ways(envelope, text, _wanted(envelope, typed)), None)
    if found is None or not form.by_example:
        return found is not None
    return all(value == envelope.slots[name].example for name, value in found.slots.items())


def _wanted(envelope: Envelope, typed: str) -> Callable[[str], bool]:
    """Whether words are those that were typed, but for what the envelope is declared to lose."""
    steps = envelope.transforms
    if not steps:
        words = typed.strip()
        return lambda found: found == typed or found.strip() == words
    left = transform.apply_to_text(steps, typed)
    return lambda found: found == typed or transform.apply_to_text(steps, found) == left
