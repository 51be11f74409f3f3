"""A comparison as a file of its own: SVG, HTML and Markdown of the same lines that the screen draws."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from workbench.core.text import SafeText
from workbench.tui.view.cells import width_of
from workbench.tui.view.ink import Ground, Line, Piece, Tone, plain
from workbench.tui.view.page import Page
from workbench.tui.view.paper import Document

__all__ = ["LONGEST", "WIDTH", "Picture", "as_html", "as_markdown", "as_svg", "picture"]

WIDTH = 160
LONGEST = 5_000
"""Lines of an exported comparison; what comes after them is counted and left out."""

_BOLD = {Tone.STRONG, Tone.HEADING, Tone.KEY, Tone.FIRE, Tone.HOLD, Tone.USER}
_CELL = 8.4  # width of a cell and height of a line in pixels, for letters of 14
_LINE = 19
_MARGIN = 16


@dataclass(frozen=True, slots=True)
class Picture:
    """Lines of one width under a title. `colours` are those of tones and grounds, by the theme's names."""

    title: SafeText
    lines: tuple[Line, ...]
    colours: Mapping[str, str]
    left_out: int = 0


def picture(
    document: Document,
    title: SafeText,
    colours: Mapping[str, str],
    *,
    split: bool,
    unfolded: bool,
    context: int = 0,
) -> Picture:
    """Every line of a document, in 160 cells, or in 100 where one side stands below the other."""
    # There is no key to press on it.
    page = Page(replace(document, opens=SafeText("")), WIDTH if split else 100, split, unfolded, context)
    header = page.header()
    shown = min(page.height, LONGEST)
    lines = tuple(page.line(y) for y in range(shown))
    return Picture(title, (() if header is None else (header,)) + lines, colours, page.height - shown)


def as_html(shown: Picture) -> str:
    """A page by itself: no script, nothing loaded."""
    rows = "\n".join("".join(_span(piece) for piece in line).rstrip() for line in shown.lines)
    title = html.escape(shown.title)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{title}</title>\n<style>\n{_style(shown, 'color')}\n</style>\n</head>\n<body>\n"
        f"<h1>{title}</h1>\n<pre>\n{rows}\n</pre>\n{_rest(shown, '<p>', '</p>')}</body>\n</html>\n"
    )


def as_svg(shown: Picture) -> str:
    """A picture in a monospaced face; every piece has its place and length, whatever face that is."""
    cells = max([width_of(line) for line in shown.lines] + [len(shown.title), 20])
    width, height = cells * _CELL + 2 * _MARGIN, (len(shown.lines) + 3) * _LINE + 2 * _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
        f'viewBox="0 0 {width:.0f} {height}">',
        f"<style>\n{_style(shown, 'fill')}\n</style>",
        f'<rect class="page" width="{width:.0f}" height="{height}"/>',
        f'<text class="t-strong" x="{_MARGIN}" y="{_MARGIN + 14}">{html.escape(shown.title)}</text>',
    ]
    for number, line in enumerate(shown.lines):
        parts += _svg_line(line, _MARGIN + (number + 2) * _LINE)
    if shown.left_out:
        at = _MARGIN + (len(shown.lines) + 2) * _LINE
        parts.append(f'<text class="t-muted" x="{_MARGIN}" y="{at}">{_rest(shown, "", "").strip()}</text>')
    return "\n".join((*parts, "</svg>")) + "\n"


def as_markdown(shown: Picture) -> str:
    """The lines as a block of kind diff, whose fence no run of backticks in them can end."""
    rows = [str(plain(line)).rstrip() for line in shown.lines]
    longest = max((len(run) for row in rows for run in re.findall("`+", row)), default=0)
    fence = "`" * max(3, longest + 1)
    inner = max((len(run) for run in re.findall("`+", shown.title)), default=0)
    ticks = "`" * (inner + 1)
    body = "\n".join(rows)
    return f"### {ticks} {shown.title} {ticks}\n\n{fence}diff\n{body}\n{fence}\n{_rest(shown, chr(10), '')}"


def _rest(shown: Picture, before: str, after: str) -> str:
    return f"{before}and {shown.left_out:,} more lines{after}\n" if shown.left_out else ""


def _classes(piece: Piece) -> str:
    ground = "" if piece.ground is Ground.NONE else f" g-{piece.ground}"
    return f"t-{piece.tone}{ground}"


def _span(piece: Piece) -> str:
    text = html.escape(piece.text)
    if not piece.text.strip() and piece.ground is Ground.NONE:
        return text
    return f'<span class="{_classes(piece)}">{text}</span>'


def _svg_line(line: Line, baseline: int) -> Iterator[str]:
    at = 0
    for piece in line:
        size = width_of((piece,))
        x, length = _MARGIN + at * _CELL, size * _CELL
        at += size
        if piece.ground not in (Ground.NONE, Ground.UNREAD):
            yield (
                f'<rect class="b-{piece.ground}" x="{x:.1f}" y="{baseline - 14}" '
                f'width="{length:.1f}" height="{_LINE}"/>'
            )
        if piece.text.strip():
            yield (
                f'<text class="{_classes(piece)}" x="{x:.1f}" y="{baseline}" textLength="{length:.1f}" '
                f'lengthAdjust="spacingAndGlyphs" xml:space="preserve">{html.escape(piece.text)}</text>'
            )


def _style(shown: Picture, kind: str) -> str:
    """The rules of tones and grounds. `kind` is what colours letters: `color` in HTML, `fill` in SVG."""
    colours, html_page = shown.colours, kind == "color"
    face = "font: 14px/1.36 ui-monospace, Menlo, Consolas, monospace"
    rules = [
        f"body {{ background: {colours['background']}; color: {colours['ink-plain']}; {face}; }}\n"
        "h1 { font-size: 14px; } pre { font: inherit; }"
        if html_page
        else f"text {{ {face}; }} .page {{ fill: {colours['background']}; }}"
    ]
    for tone in Tone:
        bold = " font-weight: bold;" if tone in _BOLD else ""
        rules.append(f".t-{tone} {{ {kind}: {colours[f'ink-{tone}']};{bold} }}")
    for ground in Ground:
        if ground in (Ground.NONE, Ground.UNREAD):
            continue
        name = "g" if html_page else "b"
        what = "background" if html_page else "fill"
        rules.append(f".{name}-{ground} {{ {what}: {colours[f'ground-{ground}']}; }}")
    rules.append(f".g-{Ground.UNREAD} {{ opacity: 0.55; }}")
    rules.append(f".g-{Ground.DOUBLE} {{ text-decoration: underline; }}")
    return "\n".join(rules)
