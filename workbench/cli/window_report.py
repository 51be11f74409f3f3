"""What was found of a window, in words and as JSON: the answer, how sure it is, and every placement."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workbench.core.decision import Json, WindowSource
from workbench.core.text import SafeText, join, safe, visible
from workbench.explain.window import Found, Inferred, Observed, Unknown
from workbench.report.writer import Line, Output, Piece, Style, Writer, glyph, own

__all__ = ["Told", "write_windows"]

_SHOWN = 4
"""Ways of reading that are named where several fit."""


@dataclass(frozen=True, slots=True)
class Told:
    """What came of one adapter. `inferred` None: it never answered, or was stopped.

    `error`: why the last call that has no answer has none.
    """

    adapter: str
    calls: int
    inferred: Inferred | None
    error: str = ""
    stopped: bool = False

    @property
    def unknown(self) -> str | None:
        """Why its window is not known."""
        if self.stopped:
            return "stopped"
        if self.inferred is None:
            return f"it never answered: {self.error}"
        if self.inferred.unknown is None:
            return None
        return self.inferred.unknown.value


def write_windows(form: str, told: Sequence[Told], out: Output, style: Style) -> None:
    """`form` is text or json."""
    if form == "json":
        report = {"workbench": 1, "windows": [_as_json(one) for one in told]}
        out.write(json.dumps(report, indent=2, ensure_ascii=True) + "\n")
        return
    writer = Writer(out, colour=style.colour)
    for number, one in enumerate(told):
        if number:
            writer.line()
        writer.lines(_lines(one, style))


# In words.


def _lines(told: Told, style: Style) -> Iterator[Line]:
    name = Piece(visible(told.adapter), "strong")
    inferred = told.inferred
    if told.unknown is not None or inferred is None:
        yield name, Piece(safe("  window unknown: "), "warning"), Piece(visible(told.unknown or ""))
    else:
        yield name, Piece(safe("  reads ")), Piece(safe(str(inferred.found[0])), "strong")
        yield (Piece(safe(f"  {_sure(inferred)}")),)
    if inferred is not None:
        yield from _left(inferred)
        if told.error:
            yield (Piece(join((safe("  last without an answer: "), visible(told.error))), "warning"),)
        if inferred.phrase:
            filler = f', in filler "{inferred.filler}"' if inferred.filler else ""
            words = (safe('  phrase "'), visible(inferred.phrase), safe(f'"{filler}; '), _calls(told))
            yield (Piece(join(words), "dim"),)
        else:
            yield (Piece(join((safe("  "), _calls(told))), "dim"),)
        yield from _places(inferred.observed, style)


def _calls(told: Told) -> SafeText:
    return safe(f"{told.calls:,} call{'' if told.calls == 1 else 's'}")


def _sure(inferred: Inferred) -> str:
    read, unread = inferred.checks
    share = f"{inferred.agree} of {inferred.agree + len(inferred.against)} placements"
    told = f"{WindowSource.INFERRED.value}: {share} are as this has it"
    if read + unread:
        told += f", {read + unread} of them asked when it stood already ({read} read, {unread} not)"
    if inferred.steady:
        told += f"; {inferred.steady} asked again, and answered the same"
    if inferred.weak:
        told += "; weak, since nearly all came out alike"
    return told


def _left(inferred: Inferred) -> Iterator[Line]:
    """Under an unknown window: the ways that are left, or the one that is least wrong."""
    if inferred.unknown in (Unknown.SEVERAL, Unknown.BUDGET):
        for found in inferred.found[:_SHOWN]:
            yield (Piece(safe(f"  possible: {found}")),)
        if len(inferred.found) > _SHOWN:
            yield (Piece(safe(f"  and {len(inferred.found) - _SHOWN:,} other ways")),)
    elif inferred.unknown is Unknown.CONTRADICTED:
        share = f"{inferred.agree} of {inferred.agree + len(inferred.against)}"
        yield (Piece(safe(f"  nearest: {inferred.found[0]}, which fits {share} placements")),)
        for placement in inferred.against[:_SHOWN]:
            yield (Piece(join((safe("  against it: "), visible(str(placement))))),)
    elif inferred.unknown is Unknown.UNSTEADY and inferred.observed:
        words = f"{inferred.unsteady} of {inferred.steady + inferred.unsteady} turns asked again"
        yield (Piece(safe(f"  {words} were answered in another way")),)
    elif inferred.unknown is Unknown.NO_PHRASE:
        yield (Piece(safe('  give one that fires: workbench probe "TEXT" --window')),)


def _places(observed: Sequence[Observed], style: Style) -> Iterator[Line]:
    """A line for each layout: every place in it, and whether the phrase was read there."""
    by_layout: dict[str, list[Observed]] = {}
    for one in observed:
        by_layout.setdefault(one.placement.layout, []).append(one)
    for layout, places in by_layout.items():
        line = [Piece(safe("    ")), Piece(visible(layout)), Piece(safe(": "))]
        for number, one in enumerate(places):
            if number:
                line.append(Piece(own(" · ", style)))
            mark, look = _mark(one, style)
            line += [Piece(mark, look), Piece(safe(" ")), Piece(visible(one.placement.place))]
        yield tuple(line)


def _mark(one: Observed, style: Style) -> tuple[SafeText, str]:
    if one.read is None:
        return safe("?"), "warning"
    return (glyph("✓", style), "good") if one.read else (glyph("–", style), "dim")


# As JSON.


def _as_json(told: Told) -> dict[str, Json]:
    inferred = told.inferred
    known = inferred is not None and told.unknown is None
    found = inferred.found if inferred is not None else ()
    report: dict[str, Json] = {
        "adapter": told.adapter,
        "source": WindowSource.INFERRED.value if known else None,
        "reads": str(found[0]) if known else None,
        "way": _way(found[0]) if known else None,
        "unknown": told.unknown,
        "possible": [] if known else [{"reads": str(one), **_way(one)} for one in found],
        "calls": told.calls,
        "error": told.error or None,
    }
    if inferred is None:
        return report
    read, unread = inferred.checks
    return {
        **report,
        "phrase": inferred.phrase,
        "filler": inferred.filler,
        "agree": inferred.agree,
        "against": [str(placement) for placement in inferred.against],
        "checks": {"read": read, "not_read": unread},
        "again": {"same": inferred.steady, "different": inferred.unsteady},
        "weak": inferred.weak,
        "placements": [_observed(one) for one in inferred.observed],
    }


def _way(found: Found) -> dict[str, Json]:
    way = found.hypothesis
    n: Json = None
    if found.low is not None and found.high is not None:
        n = {"least": found.low, "most": found.high - 1, "unit": way.unit}
    return {"source": way.source, "outside": list(way.outside), "part": way.part, "n": n}


def _observed(one: Observed) -> dict[str, Json]:
    return {
        "layout": one.placement.layout,
        "place": one.placement.place,
        "read": one.read,
        "check": one.check,
        "error": one.error,
    }
