"""A capture drawn: by ingress what was found and is doubtful, then what fitted nothing; or as JSON."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from workbench.capture.captured import Captured, Form, Misfit, News
from workbench.capture.redaction import masked
from workbench.capture.shelving import Act, Shelved
from workbench.core.decision import Json
from workbench.core.text import SafeText, join, safe, visible, visible_lines
from workbench.report.writer import Output, Piece, Style, Writer, glyph

__all__ = ["write_captured"]

_MOST_PLACES = 5
_MOST_SKIPPED = 10
_MOST_LINES = 12


def write_captured(captured: Captured, done: Sequence[Shelved], form: str, out: Output, style: Style) -> None:
    """The capture in the format named: text or json."""
    if form == "json":
        out.write(json.dumps(_view(captured, done), ensure_ascii=True, indent=1) + "\n")
        return
    writer = Writer(out, colour=style.colour)
    writer.line(safe(", ".join(_counts(captured))))
    by_ingress: defaultdict[str, list[Shelved]] = defaultdict(list)
    for one in done:
        by_ingress[one.form.envelope.ingress.value].append(one)
    for ingress, shelved in sorted(by_ingress.items()):
        turns = sum(one.form.turns for one in shelved)
        writer.line()
        writer.line(
            Piece(safe(ingress), "strong"),
            safe(f": {_number(turns, 'turn')}, {_share(turns, captured)} of all"),
        )
        for one in shelved:
            for line in _form(one, captured, style):
                writer.line(*line)
    for line in (*_misfits(captured.misfits, style), *_skipped(captured)):
        writer.line(*line)


def _counts(captured: Captured) -> Iterator[str]:
    yield _number(captured.turns, "turn")
    framed = sum(form.turns for form in captured.forms)
    yield f"{framed:,} given back by {_number(len(captured.forms), 'envelope')}"
    if captured.bare:
        yield f"{captured.bare:,} handed on as typed"
    if captured.machine:
        yield f"{captured.machine:,} made by no user"
    if captured.wordless:
        yield f"{captured.wordless:,} without words of a user (machine-made)"
    if captured.cut:
        yield f"{captured.cut:,} cut short by the log"
    for half, count in sorted(captured.alone.items()):
        yield f"{count:,} alone ({half})"
    if captured.misfits:
        yield f"{len(captured.misfits):,} fitted nothing"


_NEWS = {
    News.NEW: "a new form",
    News.KNOWN: "known",
    News.CHANGED: "CHANGED",
    News.GROWN: "made anew of more turns",
}


def _form(one: Shelved, captured: Captured, style: Style) -> Iterator[list[Piece | SafeText]]:
    form = one.form
    envelope = form.envelope
    name = visible(envelope.name)
    news = _NEWS[form.news]
    if form.was and form.was != envelope.name:
        news = f"{news}: {visible(form.was)} had this place, and does not fit these turns"
    status = "" if envelope.source.status == "captured" else f", {envelope.source.status}"
    yield [
        safe("  "),
        Piece(name, "strong"),
        safe(f"  {_number(form.turns, 'turn')} ({_share(form.turns, captured)}), {news}{status}"),
    ]
    if form.news is not News.KNOWN:
        for line in _template(envelope.template):
            yield [safe("    "), Piece(glyph("│", style), "dim"), safe(" "), line]
        if envelope.transforms:
            yield [safe("    words: " + ", ".join(name.value for name, _ in envelope.transforms))]
        yield [safe(f"    read {form.held_out} of {form.folds} turns that were left out")]
    for doubt in form.doubts:
        yield [safe("    "), Piece(join((safe("doubt: "), visible(doubt))), "warning")]
    what = join((safe(one.act.value), safe(" "), visible(str(_near(one.path)))))
    if one.why:
        what = join((what, safe(": "), visible(one.why)))
    yield [safe("    "), Piece(what, "error" if one.act is Act.REFUSED else "good")]


def _near(path: Path) -> Path:
    """As a person here would write it."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _template(template: str) -> Iterator[SafeText]:
    lines = visible_lines(template)
    half = _MOST_LINES // 2
    if len(lines) <= _MOST_LINES:
        yield from lines
        return
    yield from lines[:half]
    yield safe(f"({len(lines) - 2 * half} more lines)")
    yield from lines[-half:]


def _misfits(misfits: Sequence[Misfit], style: Style) -> Iterator[list[Piece | SafeText]]:
    by_reason: defaultdict[str, list[Misfit]] = defaultdict(list)
    for misfit in misfits:
        by_reason[misfit.reason].append(misfit)
    if by_reason:
        yield []
        yield [Piece(safe(f"{_number(len(misfits), 'turn')} fitted nothing"), "strong")]
    for reason, those in sorted(by_reason.items(), key=lambda item: -len(item[1])):
        yield [safe("  "), visible(reason)]
        places = [visible(str(misfit.place)) for misfit in those[:_MOST_PLACES]]
        more = f" and {len(those) - _MOST_PLACES:,} more" if len(those) > _MOST_PLACES else ""
        yield [safe("    "), join(places, ", "), safe(more)]


def _skipped(captured: Captured) -> Iterator[list[Piece | SafeText]]:
    if not captured.skipped:
        return
    yield []
    yield [Piece(safe(f"{_number(len(captured.skipped), 'piece')} could not be read"), "strong")]
    for skipped in captured.skipped[:_MOST_SKIPPED]:
        yield [safe("  "), visible(f"{skipped.place}: {masked(skipped.reason)}")]
    if len(captured.skipped) > _MOST_SKIPPED:
        counts = Counter(skipped.fault.value for skipped in captured.skipped)
        listed = ", ".join(f"{count:,} {fault}" for fault, count in sorted(counts.items()))
        yield [safe(f"  in all: {listed}")]


def _share(turns: int, captured: Captured) -> str:
    return f"{turns / captured.turns:.0%}" if captured.turns else "0%"


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}" + ("" if count == 1 else "s")


def _view(captured: Captured, done: Sequence[Shelved]) -> Json:
    return {
        "turns": captured.turns,
        "bare": captured.bare,
        "machine": captured.machine,
        "wordless": captured.wordless,
        "cut": captured.cut,
        "alone": dict(captured.alone),
        "envelopes": [_shelved_view(one, captured) for one in done],
        "misfits": [
            {"place": str(misfit.place), "reason": misfit.reason, "ingress": misfit.label}
            for misfit in captured.misfits
        ],
        "skipped": [
            {"place": str(skipped.place), "fault": skipped.fault.value, "detail": masked(skipped.detail)}
            for skipped in captured.skipped
        ],
    }


def _shelved_view(one: Shelved, captured: Captured) -> Json:
    form: Form = one.form
    envelope = form.envelope
    return {
        "envelope": envelope.name,
        "ingress": envelope.ingress.value,
        "news": form.news.value,
        "was": form.was,
        "turns": form.turns,
        "share": round(form.turns / captured.turns, 4) if captured.turns else None,
        "status": envelope.source.status,
        "template": envelope.template,
        "transform": [name.value for name, _ in envelope.transforms],
        "held_out": [form.held_out, form.folds],
        "doubts": list(form.doubts),
        "file": str(one.path),
        "act": one.act.value,
        "why": one.why or None,
    }
