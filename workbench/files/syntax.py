"""What PyYAML says of broken YAML, in words that tell an author what to do."""

from __future__ import annotations

from typing import Any

from workbench.core.errors import Problem
from workbench.files.problems import shown
from workbench.files.source import Source

__all__ = ["explain"]


def explain(source: Source, error: Any, bracket: int | None = None) -> Problem:
    """One problem from a `MarkedYAMLError`, at the place where the mistake was made.

    `bracket`: where the innermost bracket stands that was open when it was raised.

    PyYAML notices an unclosed quote or bracket, or a key without a colon, only further on.
    """
    problem, context = error.problem or "it cannot be read", error.context or ""
    at = (error.problem_mark or error.context_mark).index
    begun = error.context_mark.index if error.context_mark is not None else at
    if "unexpected end of stream" in problem or "unexpected document" in problem:
        told = _quote_never_closed(source, begun)
    elif bracket is not None and at >= len(source.text.rstrip()):
        told = _never_closed(source, bracket)
    else:
        told = (
            _flow(source, problem, begun, at)
            or _structure(problem, context, begun, at)
            or _character(source, problem, at)
            or (at, f"not YAML: {problem}" + (f" ({context})" if context else ""), None)
        )
    place, message, hint = told
    return Problem(message, source.mark(place), hint)


_Told = tuple[int, str, str | None]
_CLOSING = {"[": "]", "{": "}"}


def _quote_never_closed(source: Source, begun: int) -> _Told:
    sign = source.text[begun : begun + 1]
    return begun, f"the quote {sign} is never closed", f"close it with {sign}, or double it within the text"


def _never_closed(source: Source, bracket: int) -> _Told:
    while source.text[bracket : bracket + 1] not in ("[", "{", ""):  # an anchor stands before it
        bracket += 1
    sign = source.text[bracket : bracket + 1]
    close = _CLOSING.get(sign, "]")
    return bracket, f'"{sign}" is never closed', f'close it with "{close}"; quote text that holds , [ ] {{ }}'


def _flow(source: Source, problem: str, begun: int, at: int) -> _Told | None:
    if "expected ',' or" not in problem:
        return None
    if source.text[at : at + 1] == "?":
        return at, 'a "?" in unquoted text within [ ] or { }', "put the text in quotes"
    if source.mark(at).line != source.mark(begun).line:
        return _never_closed(source, begun)
    close = _CLOSING.get(source.text[begun : begun + 1], "]")
    return at, f'expected "," or "{close}" here', "quote text that holds , : [ ] { } or quotes"


def _structure(problem: str, context: str, begun: int, at: int) -> _Told | None:
    if "mapping values are not allowed" in problem:
        hint = 'quote text that holds ": ", mend the indentation, or give the key before it its own ":"'
        return at, 'a ":" where no key can stand', hint
    if "could not find expected ':'" in problem:
        return (
            begun,
            "a line that is neither a key nor part of a text",
            'write "key: value", or quote the text',
        )
    if "sequence entries are not allowed" in problem:
        return at, 'a "-" where no list can begin', "begin the list on a line of its own, or quote the text"
    if "block mapping" in context or "block collection" in context or "block sequence" in context:
        return at, "this does not belong to what stands before it", "mend the indentation, or quote the text"
    if "nesting depth" in problem:
        return at, "nested too deep", "write it flatter"
    if "document start" in problem:
        return at, "this does not belong to what stands before it", "mend the indentation"
    return None


def _character(source: Source, problem: str, at: int) -> _Told | None:
    char = source.text[at : at + 1]
    if "cannot start any token" in problem:
        if char == "\t":
            return at, "a tab where only spaces may stand", "indent with spaces, or quote the text"
        return at, f"text may not begin with {shown(char)}", "put it in quotes"
    if "alphabetic or numeric" in problem:
        sign = source.text[at - 1 : at] if at and source.text[at - 1] in "*&" else char
        return (
            max(at - 1, 0),
            f"{shown(sign)} begins an alias or an anchor, and none can stand here",
            "quote the text",
        )
    if "node content" in problem:
        return at, f"no value can begin with {shown(char)}", "quote it if it is text"
    if "escape character" in problem:
        # One loader points at the backslash, the other behind it.
        slash = at if char == "\\" else at - 1
        escape = source.text[slash : slash + 2]
        return (
            slash,
            f"the escape {shown(escape)} is unknown",
            r"write \\ for a backslash, or use single quotes",
        )
    if "Unicode character escape" in problem:
        return (
            at,
            "an escape that names no character",
            "write four hexadecimal digits after \\u, eight after \\U",
        )
    if "hex" in problem:
        return (
            at,
            "an escape with too few hexadecimal digits",
            "two stand after \\x, four after \\u, eight after \\U",
        )
    return None
