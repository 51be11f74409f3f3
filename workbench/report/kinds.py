"""What only some kinds of finding carry: the evidence that is a list of its own, each item as one line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from workbench.core.decision import Json
from workbench.core.finding import Finding
from workbench.core.text import SafeText, join, safe
from workbench.core.turn import Author
from workbench.report.authors import place_of
from workbench.report.measure import middle, named
from workbench.report.plain import spelled
from workbench.report.rate_evidence import rate_evidence
from workbench.report.tables import number
from workbench.report.writer import Line, Piece, Style, own

__all__ = ["own_evidence"]

_VALUE = 300
_MOST_ITEMS = 12

# Evidence that the headline, the two sides or a line of its own tells already.
_TOLD = frozenset(
    {
        *("typed", "file", "line", "command", "relation", "expect", "why", "wrong", "of", "read"),
        *("foreign", "authors", "lacking_spans", "not_reached", "failed", "crossed", "top_two"),
        *("changes", "cells", "trials"),
        # told by `rate_evidence`
        *("event", "verdict", "method", "rates", "difference", "delta", "only_a_rise", "arms", "e"),
        *("threshold", "blocks", "planned", "p", "beside", "expectation", "drift", "k", "n", "more"),
        *("counted_as_calls", "low", "high", "bound_method", "max_rate", "min_rate"),
        *("distinct", "temperature", "at_least_once"),
    }
)


def own_evidence(findings: Sequence[Finding], style: Style) -> Iterator[tuple[SafeText, list[Line]]]:
    """Each piece of evidence with its label, once, unless it stands in the headline or elsewhere."""
    shown: set[str] = set()
    yield from rate_evidence(findings, style)
    for finding in findings:
        for key, value in finding.evidence.items():
            if key in _TOLD or value is None:
                continue
            told = f"{key}\0{spelled(value)}"
            lines = [] if told in shown else list(_lines(key, value, finding.headline, style))
            shown.add(told)
            if lines:
                yield named(key.replace("_", " ")), lines


def _lines(key: str, value: Json, headline: str, style: Style) -> Iterator[Line]:
    items = list(value) if isinstance(value, Sequence) and not isinstance(value, str) else [value]
    for item in items[:_MOST_ITEMS]:
        if isinstance(item, Mapping) and key in _SPECIAL:
            yield (Piece(_SPECIAL[key](item, style)),)
        else:
            words = item if isinstance(item, str) else spelled(item)
            if words and words not in headline:
                yield (Piece(middle(words, _VALUE, style)),)
    if len(items) > _MOST_ITEMS:
        yield (Piece(safe(f"and {len(items) - _MOST_ITEMS:,} more"), "dim"),)


def _argument(item: Mapping[str, Json], style: Style) -> SafeText:
    """An argument whose value stands in text that the user did not write."""
    tool, path = (named(str(item.get(key, ""))) for key in ("tool", "path"))
    words = [SafeText(f"{tool} {path} = {middle(spelled(item.get('value')), _VALUE, style)}")]
    words.append(SafeText(f", bare {middle(spelled(item.get('before')), _VALUE, style)}"))
    authors, spans = item.get("authors"), item.get("spans")
    for author in Author:
        if isinstance(authors, Sequence) and author.value in authors:
            words.append(SafeText(f", {place_of(author)}"))
    for span in spans if isinstance(spans, Sequence) else ():
        if isinstance(span, Sequence) and len(span) == 2:
            words.append(own(f" at {spelled(span[0])}–{spelled(span[1])}", style))
    return join(words)


def _answer(item: Mapping[str, Json], style: Style) -> SafeText:
    """One of several answers to one turn: in which trials, what, and from which window."""
    trials, calls, window = item.get("trials"), item.get("calls"), item.get("window")
    numbers = [n + 1 for n in trials if isinstance(n, int)] if isinstance(trials, Sequence) else []
    words = [safe(f"trial {', '.join(map(str, numbers))}: "), named(str(item.get("outcome")))]
    if calls:
        words.append(SafeText(f" {middle(spelled(calls), _VALUE, style)}"))
    if isinstance(window, str):
        words.append(SafeText(f', read {len(window):,} characters "{middle(window, 80, style)}"'))
    if item.get("scores"):
        words.append(SafeText(f", scores {middle(spelled(item.get('scores')), _VALUE, style)}"))
    return join(words)


def _flip(item: Mapping[str, Json], style: Style) -> SafeText:
    """How little would change the decision of one arm."""
    arm, route, how = (named(str(item.get(key, ""))) for key in ("arm", "route", "how"))
    distance = item.get("distance")
    far = number(float(distance)) if isinstance(distance, int | float) else safe("?")
    return SafeText(f"{arm}: by {far}, {route} {how}")


_SPECIAL: Mapping[str, Callable[[Mapping[str, Json], Style], SafeText]] = {
    "arguments": _argument,
    "answers": _answer,
    "flips": _flip,
}
