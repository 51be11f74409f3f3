"""What two arms decided, read, scored, called and matched, in words: the lines of a finding's evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from workbench.core.cell import BARE
from workbench.core.decision import Outcome, ToolCall
from workbench.core.text import SafeText, join, safe
from workbench.core.turn import Author
from workbench.report.authors import place_of, whose
from workbench.report.evidence import Seen, SeenMatch, SeenWindow
from workbench.report.measure import middle, named, pad, quoted, width_of
from workbench.report.writer import Line, Piece, Style, own

__all__ = ["EMPTY", "NOT_REPORTED", "by_arm", "decided", "matched", "outcome_words", "read", "said"]

NOT_REPORTED = safe("not reported")
EMPTY = safe("nothing (empty)")

_MOST_MATCHES = 12
_MOST_TOOLS = 8
_MOST_ANSWERS = 6
_PHRASE = 160
_SAID = 400

_FOUND = {
    "spacing": "found again but for spacing",
    "normal form": "found again in another normal form",
    "case": "found again in other case",
    "punctuation": "found again but for punctuation",
    "pieces": "found again in pieces",
    "nowhere": "found nowhere in what was delivered",
}


def by_arm(rows: Sequence[tuple[SafeText, Line]]) -> list[Line]:
    """Lines headed by the name of their arm, in columns; the name stands once where it repeats."""
    column = max((width_of(arm) for arm, _ in rows), default=0)
    lines: list[Line] = []
    last: SafeText | None = None
    for arm, line in rows:
        head = pad(safe("") if arm == last else arm, column)
        lines.append((Piece(head, "strong"), Piece(safe("  ")), *line))
        last = arm
    return lines


def decided(sides: Sequence[Seen]) -> list[Line]:
    """What each arm decided, in how many of its trials."""
    return by_arm([(named(side.arm), _decision(side)) for side in sides])


def outcome_words(outcome: str | None, statuses: Sequence[str], trials: int) -> SafeText:
    """An outcome; or that nothing came, and why: `failed: timeout`, `not run`."""
    if outcome is not None:
        return named(outcome)
    failed = [named(status) for status in statuses if status != "ok"]
    if not trials and not failed:
        return safe("not run")
    return join((safe("failed: "), join(failed or [safe("no decision")], " and ")))


def read(sides: Sequence[Seen], style: Style) -> list[Line]:
    """How much each arm read, and whose characters those are."""
    amounts = [_amount(side, first=number == 0) for number, side in enumerate(sides)]
    lines: list[Line] = [(Piece(join(amounts, ", ")),)]
    rows: list[tuple[SafeText, Line]] = []
    for side in sides:
        taps = (*side.earlier, side.window) if side.window else side.earlier
        for number, window in enumerate(taps, 1):
            call = f"call {number} of {len(taps)}: " if len(taps) > 1 else ""
            words = SafeText(f"{call}{_window(window)}")
            if side.earlier and window is not side.window:
                words = SafeText(f"{words}: {quoted(window.text, 80, style)}")
            rows.append((named(side.arm), (Piece(words),)))
    return [*lines, *by_arm(rows)]


def matched(sides: Sequence[Seen], style: Style) -> list[Line]:
    """The matched phrases of each arm and their places; nothing where no arm reports them."""
    if all(side.matches is None for side in sides):
        return []
    rows = [(named(side.arm), line) for side in sides for line in _matches(side, style)]
    return by_arm(rows)


def said(sides: Sequence[Seen], style: Style) -> Iterator[tuple[SafeText, list[Line]]]:
    """Errors, notes, flags and what a tapped function says it scanned; each with its label."""
    texts = {
        "error": [(side, side.error) for side in sides],
        "note": [(side, side.note) for side in sides],
        "flags": [(side, ", ".join(side.flags) or None) for side in sides],
        "scanned": [(side, side.scanned) for side in sides],
        "policy": [(side, _handed_on(side)) for side in sides],
    }
    for label, values in texts.items():
        rows = [
            (named(side.arm), (Piece(middle(text, _SAID, style) if text else EMPTY),))
            for side, text in values
            if text is not None
        ]
        if rows:
            yield safe(label), by_arm(rows)


def _handed_on(side: Seen) -> str | None:
    """The policy before an arm's adapter, and what it handed on of the turn."""
    if side.policy is None or side.handed is None:
        return side.policy
    return f"{side.policy} handed on {len(side.handed):,} characters: {side.handed}".removesuffix(": ")


def _decision(side: Seen) -> Line:
    if len(side.answers) > 1:
        return _answered(side)
    word = outcome_words(side.outcome, list(side.statuses), side.trials)
    word = _with_tools(word, side.outcome, side.calls)
    look = "error" if side.outcome is None else "strong"
    return (Piece(word, look), Piece(safe(_trials(side)), "dim"))


def _answered(side: Seen) -> Line:
    """Every kind of answer of a sampled arm, with how often it came."""
    told = [
        SafeText(f"{answer.count} {_with_tools(named(answer.outcome), answer.outcome, answer.calls)}")
        for answer in side.answers[:_MOST_ANSWERS]
    ]
    rest = side.answers[_MOST_ANSWERS:]
    if rest:
        told.append(safe(f"{sum(answer.count for answer in rest):,} otherwise"))
    return (Piece(join(told, ", "), "strong"), Piece(safe(_trials(side)), "dim"))


def _with_tools(word: SafeText, outcome: str | None, calls: Sequence[ToolCall]) -> SafeText:
    tools = Counter(call.name for call in calls)
    names = [SafeText(f"{named(tool)}{f' x{n}' if n > 1 else ''}") for tool, n in tools.items()]
    if len(names) > _MOST_TOOLS:
        names[_MOST_TOOLS:] = [safe(f"{len(names) - _MOST_TOOLS:,} more")]
    if names:
        between = safe(", declined " if outcome == Outcome.HOLD else " ")
        return join((word, between, join(names, ", ")))
    return join((word, safe(", no tool named"))) if outcome == Outcome.FIRE else word


def _trials(side: Seen) -> str:
    failed = side.trials - side.ok
    if not side.trials or not side.ok:
        return f"  ({side.trials} of {side.trials} trials)" if side.trials else ""
    words = f"  ({side.trials} trial{'s' if side.trials > 1 else ''}"
    return f"{words}, {failed} failed)" if failed else f"{words})"


def _amount(side: Seen, *, first: bool) -> SafeText:
    if side.window is None:
        words = NOT_REPORTED if side.outcome is not None else safe("failed")
        return SafeText(f"{words} on {named(side.arm)}")
    if side.window.length == 0:
        words = EMPTY
    else:
        words = safe(f"{side.window.length:,}{_characters(side.window.length) if first else ''}")
    return join((words, safe(" "), _delivery(side)))


def _characters(count: int) -> str:
    return " character" if count == 1 else " characters"


def _delivery(side: Seen) -> SafeText:
    """How the arm was delivered, as the end of a sentence."""
    parts = side.window.parts if side.window else ()
    if side.arm == BARE:
        return safe("bare")
    if side.arm == "attach":
        return safe("with the file")
    if side.arm == "paste":
        return safe("with the file pasted")
    if side.arm == "substitute":
        return safe("as the app's own sentence")
    if any(part.author is Author.ATTACHMENT for part in parts):
        return SafeText(f"with the file, on {named(side.arm)}")
    return SafeText(f"on {named(side.arm)}")


def _window(window: SeenWindow) -> SafeText:
    """How a window is known, whose characters it holds, and how much of the typed words."""
    words = [named(window.source)] if window.source else []
    if window.tap:
        words.append(SafeText(f"at {named(window.tap)}"))
    owners: Counter[Author] = Counter()
    for part in window.parts:
        owners[part.author] += part.end - part.start
    words += [SafeText(f"{n:,} {whose(author)}") for author, n in owners.most_common()]
    if not window.text:
        words.append(EMPTY)
    words.append(_coverage(window.user_coverage))
    if window.found in _FOUND:
        words.append(safe(_FOUND[window.found]))
    if window.ambiguous:
        words.append(safe("could stand in several places, with other authors"))
    return join(words, ", ")


def _coverage(share: float | None) -> SafeText:
    if share is None:
        return safe("nothing was typed")
    if share >= 1:
        return safe("holds all that was typed")
    if share <= 0:
        return safe("holds nothing that was typed")
    percent = int(share * 100)
    return safe(f"holds {f'{percent} %' if percent else 'less than 1 %'} of what was typed")


def _matches(side: Seen, style: Style) -> Iterator[Line]:
    if side.matches is None:
        yield (Piece(NOT_REPORTED if side.outcome is not None else safe("failed"), "dim"),)
    elif not side.matches:
        yield (Piece(EMPTY, "dim"),)
    else:
        for match in side.matches[:_MOST_MATCHES]:
            yield (Piece(_match(match, style)),)
        more = len(side.matches) - _MOST_MATCHES
        if more > 0:
            yield (Piece(safe(f"and {more:,} more"), "dim"),)


def _match(match: SeenMatch, style: Style) -> SafeText:
    rule = SafeText(f"rule {middle(match.rule, _PHRASE, style)}")
    words = [rule if match.text is None else quoted(match.text, _PHRASE, style)]
    if match.start is not None and match.end is not None:
        words.append(own(f" at {match.start}–{match.end}", style))
    if match.author is not None:
        words.append(SafeText(f", {place_of(match.author)}"))
        if match.line is not None and (match.line > 1 or match.author is not Author.USER):
            words.append(safe(f", line {match.line}"))
    if match.text is not None and match.rule and match.rule != match.text:
        words.append(SafeText(f"  ({rule})"))
    return join(words)
