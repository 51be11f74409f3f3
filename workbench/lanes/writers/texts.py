"""Prompts as text: what is assigned, grown, pushed onto parts, and returned."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from workbench.lanes.writers.candidate import Candidate
from workbench.lanes.writers.composing import called, composed, operands
from workbench.lanes.writers.kinds import ASSIGNS, CALLS, FUNCTIONS, GROWS, LAMBDAS, LISTS, NAMES, RECORDS
from workbench.lanes.writers.reading import PUSHES, WRITES, Reading, results
from workbench.lanes.writers.shape import (
    arguments,
    assigned,
    callee,
    grows,
    is_code,
    literal,
    named,
    receiver,
    stripped,
)
from workbench.lanes.writers.site import Confidence, SiteKind
from workbench.lanes.writers.words import is_message, is_prompt, is_stream, last_name, snake

if TYPE_CHECKING:
    from ast_grep_py import SgNode

__all__ = ["texts"]

_CONTENT = re.compile(r"(.+?)(?:\??\.|\[['\"])(?:content|text)(?:['\"]\])?\Z")
_WRITING = ASSIGNS | GROWS | CALLS | FUNCTIONS | LAMBDAS | {"macro_invocation", "return_statement"}
_REPORT = re.compile(
    r"(?:^|_)(?:report|usage|status|stats|statistics|dashboard|diagnos\w*|html|table)(?:_|$)"
)
_QUOTED = re.compile(r"\A[rbfRBF]*['\"`]+[^\w\s{}]*\$?\{[^{}]*\}[^\w\s]*['\"`]+\Z")
_MARKUP = re.compile(
    r"\A[rbfRBF]*['\"`]+\s*</?(?:table|tr|td|th|div|span|p|ul|ol|li|html|body|head|a|b|i|h[1-6]|br|img|pre|code|section)\b"
    r"|\A[rbfRBF]*['\"`]+\s*\[(?:bold|dim|italic|red|green|yellow|cyan|blue|magenta)\b"
)
_TURN = re.compile(
    r"(?:\w+_)?(?:message|msg|input|inp|body|text|content|query|question|turn|words)(?:_(?:text|body|content|str))?"
)
_ADDRESS = re.compile(r"(?:\w*_)?(?:url|uri|path|id|html|title|label)")
_CONSTANT = re.compile(r"[A-Z][A-Z0-9_]*")
_PATH = re.compile(r"\A[rbfRBF]*['\"`](?:[\w.~@:%{}$()?=&*-]*/[\w./~@:%{}$()?=&*-]*|\$?\{[^{}]*\})['\"`]\Z")


def texts(reading: Reading, at: int) -> Iterator[Candidate]:
    """What the node at this place adds to a text that is or becomes a prompt."""
    kind, node = reading.tree.kinds[at], reading.tree.nodes[at]
    if kind not in _WRITING or _is_report(reading, at):
        return
    if kind in GROWS or (kind == "assignment_statement" and grows(node)):  # Go has one kind for both
        yield from _growth(reading, at, node)
    elif kind in ASSIGNS:
        yield from _assignment(reading, at, node)
    elif kind in CALLS:
        yield from _part(reading, at, node)
    elif kind == "macro_invocation":
        yield from _written(reading, at, node)
    for result in results(node):
        yield from _result(reading, at, result)


def _is_no_prompt(text: str) -> bool:
    """A path, one name alone or between quotes, or a piece of a page."""
    return any(pattern.match(text) for pattern in (_PATH, _QUOTED, _MARKUP))


def _is_report(reading: Reading, at: int) -> bool:
    """Whether the function around it tells a person about prompts."""
    name = reading.tree.name_of(reading.function_of(at))
    return name is not None and _REPORT.search(snake(name)) is not None


def _strength(reading: Reading, at: int, target: str) -> Confidence | None:
    """How surely what is put in this place reaches a model; None: it does not."""
    said = is_prompt(target)
    owned = _message_content(reading, target)
    if owned is not None:
        return owned
    if reading.is_asked(at, target):
        return Confidence.LOW
    if said == 2:
        if reading.person and reading.reach < 2:
            return Confidence.LOW
        return Confidence.MEDIUM if reading.reach == 0 else Confidence.HIGH
    if said == 1:
        if reading.makes_prompt(at) or (reading.reach and not reading.person):
            return Confidence.HIGH if reading.reach == 2 else Confidence.MEDIUM
        sure = reading.reach == 2 or (reading.is_part(at, target) and not reading.person)
        return Confidence.MEDIUM if sure else Confidence.LOW
    if reading.is_part(at, target) and not _ADDRESS.fullmatch(snake(last_name(target))):
        return Confidence.HIGH if reading.makes_prompt(at) == 2 else Confidence.MEDIUM
    return None


def _is_stream(target: str, value: SgNode) -> bool:
    """Whether a reply is put together as it comes in; what goes into a prompt by name is none."""
    one = value.kind() not in LISTS | RECORDS
    return one and is_prompt(target) == 0 and is_stream(value.text()[:300])


def _message_content(reading: Reading, target: str) -> Confidence | None:
    """How surely `messages[-1]["content"]` is a message's text; None: it is another place."""
    found = _CONTENT.match(target)
    if found is None or not is_message(found[1]) or (reading.reach == 0 and "[" not in found[1]):
        return None
    return Confidence.HIGH if reading.reach == 2 else Confidence.MEDIUM


def _assignment(reading: Reading, at: int, node: SgNode) -> Iterator[Candidate]:
    got = assigned(node)
    if got is None:
        return
    target, value = got
    kind = composed(value) or _parts_of(reading, at, target, value)
    streams = _is_stream(target, value) and not _has_paragraphs(value)
    if kind is None or streams or _is_no_prompt(value.text()[:300]):
        return
    confidence = _strength(reading, at, target)
    if confidence is None and _joins_a_turn(reading, target, value):
        confidence = Confidence.MEDIUM
    if confidence is not None and _is_constant(reading, at, target, value):
        confidence = Confidence.LOW
    elif confidence is Confidence.LOW and _is_of_lines(reading, value):
        confidence = Confidence.MEDIUM
    if confidence is not None:
        yield Candidate(at, kind, confidence)


def _joins_a_turn(reading: Reading, target: str, value: SgNode) -> bool:
    """`message = f"{note}\\n\\n{message}"`, where models are spoken of: what the user said, with more."""
    if not reading.reach or reading.person or not _TURN.fullmatch(snake(last_name(target))):
        return False
    names = {snake(last_name(name)) for name in operands(value)}
    turns = {name for name in names if _TURN.fullmatch(name)}
    return len(names) > 1 and bool(turns) and _has_paragraphs(value)


def _has_paragraphs(value: SgNode) -> bool:
    return re.search(r"\\n\\n|\n[ \t]*\n", value.text()[:2_000]) is not None


def _is_constant(reading: Reading, at: int, target: str, value: SgNode) -> bool:
    """`SYSTEM_PROMPT = f"... {OTHER_CONSTANT}"` at the top of a file."""
    if reading.tree.functions[at] >= 0 or not _CONSTANT.fullmatch(target):
        return False
    return all(_CONSTANT.fullmatch(last_name(name)) for name in operands(value)) and not any(called(value))


def _is_of_lines(reading: Reading, value: SgNode) -> bool:
    """A `prompt` of several lines is no question to a person, even where nothing else speaks of a model."""
    return not reading.person and re.search(r"\\n|\n\s*\S", value.text()[:2_000]) is not None


def _parts_of(reading: Reading, at: int, target: str, value: SgNode) -> SiteKind | None:
    """A list of texts that becomes a prompt, where they are not all constants."""
    if value.kind() not in ("list", "array") or not (reading.is_part(at, target) or is_prompt(target) == 2):
        return None
    inside = [stripped(one) for one in value.children() if is_code(one)]
    written = any(composed(one) is not None or one.kind() in NAMES | CALLS for one in inside)
    return SiteKind.PUSH if written and not any(one.kind() in RECORDS for one in inside) else None


def _growth(reading: Reading, at: int, node: SgNode) -> Iterator[Candidate]:
    left, right = node.field("left"), node.field("right")
    if left is None or right is None or not grows(node):
        return
    target = named(left)
    value = stripped(right)
    if _is_stream(target, value) or _is_number(value):
        return
    if reading.is_chat(at, target) >= 2 and not composed(value) and literal(value) is None:
        if reading.is_chat(at, target) == 3 or reading.reach == 2:
            yield Candidate(at, SiteKind.PUSH, Confidence.MEDIUM)
        return
    confidence = _strength(reading, at, target)
    if confidence is not None:
        pushes = value.kind() in ("list", "array", "list_comprehension", "generator_expression")
        yield Candidate(at, SiteKind.PUSH if pushes else SiteKind.CONCAT, confidence)


def _is_number(value: SgNode) -> bool:
    if value.kind() in CALLS:
        return (
            re.search(r"token|count|length|size|cost|estimate|\A(?:len|int|sum)\Z", callee(value), re.I)
            is not None
        )
    return value.kind() in ("integer", "number", "float", "int_literal", "integer_literal")


def _part(reading: Reading, at: int, call: SgNode) -> Iterator[Candidate]:
    """`parts.push(x)` where the join of parts becomes a prompt; `prompt.push_str(x)`."""
    given = arguments(call)
    name = callee(call)
    if not given:
        return
    if name in ("fmt.Fprintf", "fmt.Fprint", "fmt.Fprintln", "append", "io.WriteString") and len(given) > 1:
        target, value = named(given[0]).lstrip("&"), given[-1]
    else:
        found = receiver(call)
        if found is None or found[1] not in PUSHES | WRITES:
            return
        target, value = named(found[0]), given[-1]
    if _is_stream(target, value) or _MARKUP.match(value.text()[:80]) or literal(value) == "":
        return
    confidence = _strength(reading, at, target)
    if _is_text_on_system(target, value):
        confidence = max(confidence or Confidence.LOW, Confidence.MEDIUM)
    if confidence is Confidence.MEDIUM and reading.is_helper(at) and not _is_text(value):
        confidence = Confidence.LOW
    if confidence is not None:
        yield Candidate(at, SiteKind.PUSH, confidence)


def _is_text(value: SgNode) -> bool:
    value = stripped(value)
    return literal(value) is not None or composed(value) is not None


def _is_text_on_system(target: str, value: SgNode) -> bool:
    return "." in target and snake(last_name(target)) in ("system", "system_prompt") and _is_text(value)


def _written(reading: Reading, at: int, macro: SgNode) -> Iterator[Candidate]:
    """`write!(prompt, ...)`."""
    name = macro.field("macro")
    if name is None or name.text() not in ("write", "writeln"):
        return
    found = re.match(r"\w+!\s*[(\[{]\s*&?(?:mut\s+)?([\w.]+)\s*,", macro.text()[:300])
    confidence = _strength(reading, at, found[1]) if found else None
    if confidence is not None:
        yield Candidate(at, SiteKind.PUSH, confidence)


def _result(reading: Reading, at: int, result: SgNode) -> Iterator[Candidate]:
    made = reading.makes_prompt(at)
    kind = composed(result) if made or reading.extends_prompt(result) else None
    if kind is not None and not _is_no_prompt(result.text()[:300]):
        sure = made == 2 and reading.reach == 2
        yield Candidate(
            reading.tree.number_of(result, at), kind, Confidence.HIGH if sure else Confidence.MEDIUM
        )
