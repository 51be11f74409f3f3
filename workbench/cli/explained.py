"""An explanation as text for a person: the whole turn with the cause marked in place, then what is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workbench.cli.explained_json import as_json
from workbench.compare.window import Part
from workbench.core.cell import BARE
from workbench.core.decision import Decision, Match, Outcome, Span
from workbench.core.finding import Finding, Kind
from workbench.core.text import SafeText, join, safe, visible
from workbench.explain import wording
from workbench.explain.explanation import Ending, Explanation
from workbench.explain.question import Way
from workbench.report.authors import LETTERS, whose
from workbench.report.evidence import Seen, SeenMatch, SeenWindow
from workbench.report.measure import middle, named, pad, quoted, width_of
from workbench.report.panes import pane_lines
from workbench.report.plain import dumped, spelled
from workbench.report.tables import number, signed
from workbench.report.writer import Line, Output, Piece, Style, Writer

__all__ = ["write_explanation"]

_WORDS = 240
_PARTS = 12
_MARGINS = 5

_INSTEAD = {
    Kind.LEAK: "the finding is about what was read, not what was decided: its report shows the window",
    Kind.MISS: "the finding is about what was not read, not what was decided: its report shows the window",
    Kind.EXPECTATION: "bare is decided on alike: the words typed alone are what it does not hold for",
    Kind.UNSTABLE: "the finding is about an adapter that answers the same turn differently",
}


def write_explanation(
    format_: str, found: Explanation, finding: Finding | None, out: Output, style: Style
) -> None:
    """The explanation as `text` or `json`. `finding` is what it was asked for, None where a cell was."""
    writer = Writer(out, colour=style.colour)
    if format_ == "json":
        writer.line(dumped(as_json(found, finding)))
        return
    for block in (_head(found, style), _moved(found, finding, style), _turn(found, style)):
        writer.lines(block)
    for block in (_undo(found, style), _evidence(found, style), _calls(found)):
        writer.lines(block)


def _head(found: Explanation, style: Style) -> Iterator[Line]:
    yield (Piece(visible(str(found.key)), "strong"),)
    yield (Piece(safe("  typed  "), "dim"), Piece(quoted(found.typed, _WORDS, style)))
    arms = (BARE, found.key.arm) if found.key.arm != BARE else (BARE,)
    column = max(width_of(named(arm)) for arm in arms)
    for arm, decision in zip(arms, (found.bare, found.variant), strict=False):
        counted = None
        if found.rates is not None:
            counted = found.rates.bare if arm == BARE else found.rates.variant
        if counted is None and decision is None:
            continue
        words = (
            wording.counted(found, counted) if counted is not None else _decided(decision, found.way, style)
        )
        yield (Piece(safe("  ")), Piece(pad(named(arm), column), "strong"), Piece(safe("  ")), Piece(words))


def _decided(decision: Decision | None, way: Way | None, style: Style) -> SafeText:
    if decision is None:
        return safe("no decision")
    calls = [
        SafeText(f"{named(call.name)}{middle(spelled(call.arguments), 120, style)}")
        if way is Way.ARGUMENTS
        else named(call.name)
        for call in decision.calls
    ]
    verb = {Outcome.FIRE: "fire", Outcome.HOLD: "hold", Outcome.PASS: "pass"}[decision.outcome]
    listed = ", ".join(calls[:8]) + (f" and {len(calls) - 8} more" if len(calls) > 8 else "")
    return SafeText(f"{verb} {listed}".strip())


def _moved(found: Explanation, finding: Finding | None, style: Style) -> Iterator[Line]:
    told = wording.size(found)
    line = Piece(SafeText(wording.heading(found).upper()), "error" if found.names_a_cause else "warning")
    yield (line, *((Piece(safe("  ")), Piece(told, "dim")) if told else ()))
    for sentence in wording.reason(found):
        yield (Piece(safe("  ")), Piece(sentence))
    if found.ending is Ending.NOTHING:
        instead = _INSTEAD.get(finding.accepts or finding.kind) if finding is not None else None
        if instead is None and found.key.arm != BARE:
            instead = "what was read may still differ: `workbench run` shows it"
        if instead is not None:
            yield (Piece(safe("  ")), Piece(safe(instead)))
    for doubt in wording.doubts(found):
        yield (Piece(safe("  ")), Piece(doubt, "warning"))


def _turn(found: Explanation, style: Style) -> Iterator[Line]:
    """The turn, the cause marked with `^` under it; then its words alone."""
    if not found.cause:
        return
    material = found.material
    whole = ((0, len(material.text)),)
    parts = tuple(Part(region.start, region.end, region.author) for region in material.regions)
    window = SeenWindow(material.text, len(material.text), "", whole, parts)
    marks = tuple(
        SeenMatch("cause", None, start, end) for start, end in wording.shown_spans(found, found.cause)
    )
    taken = wording.shown_spans(found, found.removal or ())
    yield ()
    yield from pane_lines(None, Seen(found.key.arm, window=window, matches=marks), style, 2, taken)
    if taken:
        signs = "    ^ moves it, x taken away brings back what bare decides"
        yield (Piece(safe(signs), "dim"),)
    yield ()
    yield from _words(found, found.cause, style, "strong")
    for other in found.others:
        yield (Piece(safe("and by itself too")),)
        yield from _words(found, other, style, "strong")


def _words(found: Explanation, spans: Sequence[Span], style: Style, look: str) -> Iterator[Line]:
    """Each place on a line: whose words, where, and what they say."""
    for start, end in wording.shown_spans(found, spans[:_PARTS]):
        author = found.material.author_at(start)
        where = wording.place(found, (start, end))
        head = SafeText(f"  {LETTERS[author]} {where}, {whose(author)}: ")
        yield (Piece(head, "dim"), Piece(quoted(found.material.text[start:end], _WORDS, style), look))
    if len(spans) > _PARTS:
        yield (Piece(safe(f"  and {len(spans) - _PARTS:,} more places"), "dim"),)


def _undo(found: Explanation, style: Style) -> Iterator[Line]:
    if found.removal is not None:
        least = "; less will not do" if found.removal_minimal else "; less may do"
        characters = sum(end - start for start, end in found.removal)
        yield ()
        yield (
            Piece(safe("TAKEN AWAY, IT IS DECIDED ON AS BARE IS"), "good"),
            Piece(safe(f"  {characters:,} characters{least}"), "dim"),
        )
        yield from _words(found, found.removal, style, "")
    elif found.no_removal:
        yield ()
        yield (Piece(safe("NO REMOVAL THAT RESTORES IT"), "warning"),)
        yield (Piece(safe("  ")), Piece(visible(found.no_removal)))


def _evidence(found: Explanation, style: Style) -> Iterator[Line]:
    if found.rates is not None:
        for name, counted in (("with it alone", found.rates.cause), ("without it", found.rates.restored)):
            if counted is not None:
                yield (Piece(safe(f"{name}: ")), Piece(wording.counted(found, counted)))
    yield from _matched(found.matches, "matched there")
    yield from _matched(found.lost_matches, "matched in bare and not here")
    if found.margins:
        asked, route = len(found.margins), visible(found.margins[0].route)
        yield (
            Piece(safe(f"what a sentence adds to the margin of {route}, {asked} of {found.sentences} asked")),
        )
        for margin in found.margins[:_MARGINS]:
            words = quoted(found.material.text[slice(*margin.span)].strip(), 100, style)
            yield (
                Piece(safe(f"  {signed(margin.change)}  without it {number(margin.value)}  ")),
                Piece(words),
            )


def _matched(matches: Sequence[Match], head: str) -> Iterator[Line]:
    if matches:
        yield (Piece(safe(f"{head}: ")), Piece(wording.matched(matches)))


def _calls(found: Explanation) -> Iterator[Line]:
    more = safe("; --calls allows more") if found.used_up and found.calls >= found.most else safe("")
    yield (Piece(join((wording.asked(found), more)), "dim"),)
