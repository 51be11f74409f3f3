"""An explanation in words, for the command line and the screen alike: headings, doubts, evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workbench.core.decision import Match, Span
from workbench.core.text import SafeText, join, safe, visible
from workbench.explain.explanation import Counted, Ending, Explanation

__all__ = [
    "asked",
    "counted",
    "doubts",
    "heading",
    "matched",
    "place",
    "reason",
    "shown_spans",
    "size",
    "words_of",
]

_MATCHES = 12
_TEXT = 80

_HEADINGS = {
    Ending.WORDS: "The words that moved it",
    Ending.PLACE: "Length or place moved it, not words",
    Ending.DELIVERY: "The delivery itself moved it",
    Ending.NOTHING: "Nothing moved",
    Ending.OUT_OF_CALLS: "Out of calls; the best so far",
    Ending.STOPPED: "Stopped; the best so far",
    Ending.NO_ANSWER: "No answer",
}


def heading(found: Explanation) -> SafeText:
    """What came of it, in a few words."""
    return safe(_HEADINGS[found.ending])


def size(found: Explanation) -> SafeText:
    """How large the cause is, and whether less would do; empty where no words are the cause."""
    if not found.cause or found.ending is Ending.DELIVERY:
        return safe("")
    characters = sum(end - start for start, end in found.cause)
    whole = sum(end - start for start, end in found.material.foreign)
    parts = f"{len(found.cause)} places, " if len(found.cause) > 1 else ""
    if found.minimal and found.grain is not None:
        least = f"no {found.grain.value} of it can be spared"
    elif found.ending is Ending.PLACE:
        least = "a run that is shorter at an end will not do"
    else:
        least = "it may not be the smallest"
    return safe(f"{parts}{characters:,} of {whole:,} characters that the user did not write; {least}")


def reason(found: Explanation) -> Iterator[SafeText]:
    """What there is to say of an ending; what an adapter gave as its reason is made visible."""
    for line in found.why.split("\n") if found.why else ():
        yield visible(line)
    if found.ending is Ending.PLACE:
        yield safe(
            "with an x for every letter of them it moves as well: it counts how long they are, or where"
        )


def doubts(found: Explanation) -> Iterator[SafeText]:
    """What speaks against it."""
    if found.steady is False:
        yield safe("asked once more, this part was decided on differently: the adapter is not steady")
    if found.unanswered:
        were = "question had" if found.unanswered == 1 else "questions had"
        yield safe(f"{found.unanswered} {were} no answer, and so the part may be larger than need be")


def shown_spans(found: Explanation, spans: Sequence[Span]) -> tuple[Span, ...]:
    """Spans as they are shown: without the blanks behind them, unless they are nothing else."""
    shown = []
    for start, end in spans:
        text = found.material.text[start:end].rstrip(" ")
        shown.append((start, start + len(text)) if text else (start, end))
    return tuple(shown)


def words_of(found: Explanation) -> SafeText:
    """The parts of the cause between quotation marks; empty where none was found."""
    texts = (found.material.text[start:end] for start, end in shown_spans(found, found.cause))
    return join((SafeText(f'"{visible(text.strip())}"') for text in texts), ", ")


def place(found: Explanation, span: Span) -> SafeText:
    """Where a span begins: the line, of the file where it stands in one."""
    inside = found.material.attachment_of(span)
    if inside is not None and found.material.turn.made_by_app:
        name, (start, _) = inside
        file = next(one for one in found.material.turn.attachments if one.name == name)
        line = file.text.count("\n", 0, start) + 1
        return SafeText(f"{visible(name)} line {line}")
    line = found.material.text.count("\n", 0, span[0]) + 1
    return safe(f"line {line}")


def counted(found: Explanation, side: Counted) -> SafeText:
    """`calls any tool 3/20, 1 failed, e = 40`: never a share by itself."""
    event = visible(found.rates.event) if found.rates is not None else safe("it happened")
    failed = f", {side.failed:,} failed" if side.failed else ""
    evidence = f", e = {side.e:.4g}" if side.e is not None else ""
    return SafeText(f"{event} {side.k}/{side.n}{failed}{evidence}")


def matched(matches: Sequence[Match]) -> SafeText:
    """The matched phrases; a rule is named where it is called otherwise."""
    said = [_match(match) for match in matches[:_MATCHES]]
    more = (safe(f"and {len(matches) - _MATCHES} more"),) if len(matches) > _MATCHES else ()
    return join((*said, *more), ", ")


def _match(match: Match) -> SafeText:
    if match.text is None:
        return visible(match.rule[:_TEXT])
    text = SafeText(f'"{visible(match.text[:_TEXT])}"')
    if match.rule.casefold() == match.text.casefold():
        return text
    return SafeText(f"{visible(match.rule[:_TEXT])} {text}")


def asked(found: Explanation) -> SafeText:
    """The calls that it took, and what ended them."""
    failed = f", {found.failed:,} of them failed" if found.failed else ""
    used_up = f"; {visible(found.used_up)}" if found.used_up else ""
    return SafeText(f"asked {found.calls:,} of at most {found.most:,} calls{failed}{used_up}")
