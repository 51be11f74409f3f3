"""An audit drawn: text, Markdown, or all of it as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from workbench.capture.audit.remedy import LINES, WITH_TOOLS
from workbench.capture.audit.result import Audit, Kind, Replayed
from workbench.cli.audit_json import audit_view
from workbench.core.text import SafeText, join, safe, visible
from workbench.report.as_markdown import code_span
from workbench.report.measure import pad, width_of
from workbench.report.writer import Output, Piece, Style, Writer

__all__ = ["write_audit"]

_UNKNOWN = safe("-")
_TOOLS_GAP = "which tools were called"


@dataclass(frozen=True, slots=True)
class _Cell:
    """`foreign`: out of a log, so that Markdown gets it as code."""

    text: SafeText
    foreign: bool = False
    number: bool = False


@dataclass(frozen=True, slots=True)
class _Section:
    """`bad`: something is wrong. `header` and `rows` are a table; `after` and `quoted` stand below it."""

    title: SafeText
    bad: bool = False
    header: tuple[str, ...] = ()
    rows: tuple[tuple[_Cell, ...], ...] = ()
    after: tuple[SafeText, ...] = ()
    quoted: tuple[SafeText, ...] = ()
    code: tuple[tuple[str, str], ...] = ()


def write_audit(audit: Audit, form: str, out: Output, style: Style) -> None:
    """The audit in the format named: text, json or markdown."""
    if form == "json":
        out.write(json.dumps(audit_view(audit), ensure_ascii=True, indent=1) + "\n")
        return
    writer = Writer(out, colour=style.colour)
    draw = _draw_markdown if form == "markdown" else _draw_text
    for number, section in enumerate(_sections(audit)):
        if number:
            writer.line()
        draw(writer, section)


def _sections(audit: Audit) -> Iterator[_Section]:
    yield _Section(_read(audit), after=tuple(_remarks(audit)), quoted=tuple(_skips(audit)))
    if not audit.turns:
        return
    if "outgrown" in audit.only:
        yield _growth(audit)
    if "framing" in audit.only:
        yield _heads(audit)
    if "tools" in audit.only and audit.uses:
        yield _uses(audit)
    if "one-by-one" in audit.only:
        yield _strangers(audit)
        yield _losses(audit)
    if audit.replayed is not None:
        yield _replayed(audit.replayed)
    if audit.gaps:
        yield _gaps(audit)


def _read(audit: Audit) -> SafeText:
    others = sum(audit.others.values())
    listed = ", ".join(f"{count:,} {who}" for who, count in sorted(audit.others.items()))
    apart = f"; {others:,} records that no user typed left out ({listed})" if others else ""
    skipped = f"; {_count(audit.skipped, 'piece')} could not be read" if audit.skipped else ""
    return safe(f"{_count(audit.turns, 'turn')} of {_count(len(audit.logs), 'log')}{apart}{skipped}")


def _skips(audit: Audit) -> Iterator[SafeText]:
    yield from map(visible, audit.skips)
    if audit.skipped > len(audit.skips):
        yield safe(f"and {audit.skipped - len(audit.skips):,} more")
    yield from map(visible, audit.notes)


def _remarks(audit: Audit) -> Iterator[SafeText]:
    if 0 < audit.looked_at < audit.turns:
        yield safe(f"{audit.looked_at:,} of the turns were read one by one, the others counted by queries")
    if audit.floor:
        yield safe(f"counts of heads and tools may be too low by up to {audit.floor:,}: there are so many")


def _growth(audit: Audit) -> _Section:
    asked, found = audit.asked.get(Kind.OUTGROWN, 0), audit.found.get(Kind.OUTGROWN, 0)
    far = f"ROUTED FAR ABOVE TYPED (more than {audit.ratio:g} times as long)"
    if not asked:
        return _Section(safe(f"{far}: cannot be told"), after=(safe("no turn has both lengths"),))
    with_tool = "" if audit.tools_unknown == found else " with a tool called"
    after = []
    if audit.tools_unknown:
        after.append(safe(f"of {audit.tools_unknown:,} of them it is not logged whether a tool was called"))
    if audit.uncalled:
        after.append(safe(f"{audit.uncalled:,} more are as long and called no tool"))
    if found > len(audit.victims):
        after.append(safe(f"the {len(audit.victims):,} longest are shown"))
    rows = tuple(
        (
            _foreign(victim.id or victim.place),
            _number(victim.typed_size),
            _number(victim.routed_size),
            _foreign(None if victim.tools is None else ", ".join(victim.tools)),
            _foreign(victim.ingress),
            _foreign(victim.head),
        )
        for victim in audit.victims
    )
    header = ("turn", "typed", "routed", "tools", "ingress", "routed text begins")
    title = safe(f"{far}{with_tool}: {found:,} of {_count(asked, 'turn')}")
    return _Section(title, bool(found), header, rows, tuple(after))


def _heads(audit: Audit) -> _Section:
    asked = audit.asked.get(Kind.FRAMING, 0)
    if not asked:
        return _Section(safe("HEADS OF WHAT WAS ROUTED: cannot be told"), after=(safe("no turn has a head"),))
    framed = [head for head in audit.heads if head.is_framing]
    rows = tuple(
        (
            _Cell(safe("FRAMING" if head.is_framing else "")),
            _number(head.turns),
            _Cell(safe(f"{head.turns / asked:.0%}"), number=True),
            _foreign(head.head),
        )
        for head in audit.heads
    )
    words = f"{len(framed)} of the {len(audit.heads)} most frequent begin with framing, not with typed words"
    title = safe(f"HEADS OF WHAT WAS ROUTED: {words}")
    return _Section(title, bool(framed), ("", "turns", "share", "head"), rows)


def _uses(audit: Audit) -> _Section:
    rows = tuple(
        (_foreign(use.tool), _foreign(use.ingress), _number(use.outgrown), _number(use.turns))
        for use in audit.uses
    )
    bad = any(use.outgrown for use in audit.uses)
    title = safe("TOOLS CALLED, by ingress: on turns routed far above typed, and on all")
    return _Section(title, bad, ("tool", "ingress", "far above", "all"), rows)


def _strangers(audit: Audit) -> _Section:
    asked, found = audit.asked.get(Kind.UNKNOWN, 0), audit.found.get(Kind.UNKNOWN, 0)
    name = f"NO KNOWN ENVELOPE (of {_count(audit.envelopes, 'envelope')} here)"
    if not asked:
        return _Section(
            safe(f"{name}: cannot be told"), after=(safe("no turn has a text or a head to compare"),)
        )
    rows = tuple(
        (_number(one.turns), _foreign(one.id or one.place), _foreign(one.like), _foreign(one.head))
        for one in audit.strangers
    )
    after = (safe("`workbench capture` makes envelopes of logs that have both texts"),) if found else ()
    title = safe(f"{name}: {found:,} of {_count(asked, 'turn')}")
    return _Section(title, bool(found), ("turns", "first", "begins like", "begins"), rows, after)


def _losses(audit: Audit) -> _Section:
    asked, found = audit.asked.get(Kind.UNREACHED, 0), audit.found.get(Kind.UNREACHED, 0)
    name = "TYPED WORDS THAT NEVER REACHED THE ROUTER"
    if not asked:
        return _Section(safe(f"{name}: cannot be told"), after=(safe("no turn has both texts whole"),))
    rows = tuple(
        (
            _foreign(loss.id or loss.place),
            _number(loss.words),
            _foreign(" ".join(loss.lost)),
            _foreign(loss.typed),
        )
        for loss in audit.losses
    )
    header = ("turn", "words", "lost", "typed")
    return _Section(safe(f"{name}: {found:,} of {_count(asked, 'turn')}"), bool(found), header, rows)


def _replayed(replayed: Replayed) -> _Section:
    name = safe(f"REPLAYED THROUGH {visible(replayed.adapter)}")
    if not replayed.turns:
        said = safe("no turn has both texts, differing from one another")
        return _Section(safe(f"{name}: nothing to replay"), after=(said,))
    failed = f", {replayed.failed:,} without an answer" if replayed.failed else ""
    quoted = () if replayed.why is None else (visible(f"the first reason: {replayed.why}"),)
    rows = tuple(
        (
            _foreign(drift.id or drift.place),
            _foreign(drift.bare),
            _foreign(drift.routed),
            _foreign(drift.typed),
            _foreign(drift.head),
        )
        for drift in replayed.drifts
    )
    words = (
        f"{replayed.drifted:,} of {_count(replayed.turns, 'turn')} decided otherwise than on the typed words"
    )
    header = ("turn", "typed words", "as routed", "typed", "routed text begins")
    return _Section(safe(f"{name}: {words}{failed}"), bool(replayed.drifted), header, rows, quoted=quoted)


def _gaps(audit: Audit) -> _Section:
    lacking = tuple(safe(f"no turn says {gap.what}: {gap.question} stays unknown") for gap in audit.gaps)
    tools_alone = all(gap.what == _TOOLS_GAP for gap in audit.gaps)
    where = "after" if tools_alone else "before"
    add = safe(f"Add one line at the call of your router, {where} anything else is done:")
    title = safe("NOT LOGGED, and that is the finding")
    lines = tuple((WITH_TOOLS if tools_alone else LINES).items())
    return _Section(title, True, after=(*lacking, add), code=lines)


def _draw_text(writer: Writer, section: _Section) -> None:
    writer.line(Piece(section.title, "strong error" if section.bad else "strong"))
    rows = [tuple(_Cell(safe(name)) for name in section.header), *section.rows] if section.rows else []
    widths = (
        [max(width_of(row[at].text) for row in rows) for at in range(len(section.header))] if rows else []
    )
    for number, row in enumerate(rows):
        cells = [
            _aligned(cell, width, section.rows[0][at].number)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        line = SafeText(join(cells, "  ").rstrip())
        writer.line(safe("  "), Piece(line, "dim" if number == 0 else ""))
    for said in (*section.after, *section.quoted):
        writer.line(safe("  "), said)
    for language, code in section.code:
        writer.line(safe(f"  {language.ljust(11)} "), safe(code))


def _aligned(cell: _Cell, width: int, right: bool) -> SafeText:
    return SafeText(cell.text.rjust(width)) if right else pad(cell.text, width)


def _draw_markdown(writer: Writer, section: _Section) -> None:
    writer.line(safe("### "), section.title)
    if section.rows:
        writer.line()
        writer.line(safe(f"| {' | '.join(section.header)} |"))
        marks = ["--:" if cell.number else "---" for cell in section.rows[0]]
        writer.line(safe(f"|{'|'.join(marks)}|"))
        for row in section.rows:
            writer.line(SafeText(f"| {join([_markdown(cell) for cell in row], ' | ')} |"))
    if section.after or section.quoted:
        writer.line()
    for said in (*section.after, *map(code_span, section.quoted)):
        writer.line(safe("- "), said)
    for language, code in section.code:
        writer.line()
        writer.line(safe(f"{language}:"))
        writer.line(safe("```"))
        writer.line(safe(code))
        writer.line(safe("```"))


def _markdown(cell: _Cell) -> SafeText:
    if not cell.foreign or cell.text == _UNKNOWN:
        return cell.text
    return SafeText(code_span(cell.text).replace("|", "\\|"))


def _foreign(text: str | None) -> _Cell:
    """A text of a log; a dash where it is not known, and said so where it is known to be empty."""
    return _Cell(_UNKNOWN) if text is None else _Cell(visible(text) or safe("(none)"), foreign=True)


def _number(count: int) -> _Cell:
    return _Cell(safe(f"{count:,}"), number=True)


def _count(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' * (count != 1)}"
