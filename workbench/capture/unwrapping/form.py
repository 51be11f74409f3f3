"""An envelope as the printed functions know it: marks and slots, what to undo, and turns to test with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from workbench.capture.unwrapping.standalone import split_turn
from workbench.core.envelope import Envelope, SlotKind, ends_last, wrap
from workbench.core.errors import Mark, Problem, WorkbenchError
from workbench.core.template import TEXT, parts
from workbench.core.transform import Transform, apply_to_text, undo
from workbench.core.turn import bare

__all__ = ["SLOT_IS", "STOP_GAP", "Example", "Form", "Slot", "form_of", "outline_of", "warning"]

Slot = tuple[str, bool, bool, str]
"""As `split_turn` takes it: name, whether it is one line, whether it ends last, mark behind it."""

SLOT_IS = "Of each slot: its name, whether it is one line, whether it ends last, and the mark behind it."
STOP_GAP = "A stop-gap, until the app carries the user's words beside the turn."

_UNDONE: dict[Transform, str] = {
    Transform.HTML_ESCAPE: "from_html",
    Transform.HTML_ESCAPE_39: "from_html",
    Transform.HTML_ESCAPE_34: "from_html",
    Transform.XML_ESCAPE: "from_html",
    Transform.ATTRIBUTE_ESCAPE: "from_html",
    Transform.SLACK_ESCAPE: "from_html",
    Transform.JSON_ESCAPE: "from_json",
    Transform.JSON_ASCII: "from_json",
    Transform.URL_ENCODE: "from_link",
    Transform.PERCENT_ENCODE: "from_link",
    Transform.FORM_ENCODE: "from_form",
    Transform.CSV_ESCAPE: "from_csv",
    Transform.SQL_ESCAPE: "from_sql",
    Transform.BASE64: "from_base64",
    Transform.QUOTE_PREFIX: "from_quote",
    Transform.QUOTE_PREFIX_BARE: "from_quote",
    Transform.INDENT_2: "from_indent2",
    Transform.INDENT_ALL_2: "from_indent2",
    Transform.INDENT_4: "from_indent4",
    Transform.INDENT_ALL_4: "from_indent4",
    Transform.BR: "from_br",
    Transform.BR_SLASH: "from_br",
    Transform.BR_SPACE_SLASH: "from_br",
    Transform.NL2BR: "from_br",
    Transform.CRLF: "from_crlf",
    Transform.SOFT_WRAP: "from_soft_wrap",
}
"""Transforms that something undoes, and by which of the standalone functions."""

_ANY = (SlotKind.TEXT, SlotKind.JSON, SlotKind.BASE64)

_WORDS = (
    "what is on today?",
    "",
    'two lines:\n\nthe second has "quotes", a \\ and <tags> & more',
    "ends with a line feed\n",
    "\U0001f980 \u05e9\u05dc\u05d5\u05dd",
)
_PAGE = "A page that came with it.\n\nIts second paragraph."


@dataclass(frozen=True, slots=True)
class Example:
    """A turn, and the words that are to come out of it; None: it is no turn of this envelope."""

    turn: str
    typed: str | None


@dataclass(frozen=True, slots=True)
class Form:
    """`head` stands before the first slot. `undone` are names of standalone functions, in order of use.

    `borrowed` says that a text by somebody else stands in the frame, which may hold its marks as well.
    """

    name: str
    head: str
    slots: tuple[Slot, ...]
    undone: tuple[str, ...]
    loses: tuple[str, ...]
    borrowed: bool
    examples: tuple[Example, ...] = ()

    def typed(self, turn: str) -> str | None:
        """What the printed function will say of a turn, transforms not yet undone."""
        values = split_turn(turn, self.head, self.slots)
        return None if values is None else values[TEXT]


def warning(form: Form) -> list[str]:
    """What the printed function cannot do, in lines; empty where there is nothing to say."""
    lines: list[str] = []
    if form.loses:
        lines += ["", "The path has lost, and nothing brings back:", *(f"- {loss}" for loss in form.loses)]
    if form.borrowed:
        lines += [
            "",
            "Somebody else's text stands in this frame and may hold the frame's own marks. Then a part of it",
            "is taken for the user's, or the other way round: only words carried beside the turn are safe.",
        ]
    return lines


def form_of(envelope: Envelope) -> Form:
    """The form of an envelope. Raises WorkbenchError where no mark tells its words apart."""
    form = outline_of(envelope)
    examples = tuple(_examples(envelope, form))
    if all(example.typed is None for example in examples):
        message = f"no mark tells the words of {envelope.name} from what stands beside them"
        hint = "have the app carry the typed words beside the turn; nothing can be cut out of this one"
        raise WorkbenchError(Problem(message, Mark(envelope.file) if envelope.file else None, hint))
    return replace(form, examples=examples)


def outline_of(envelope: Envelope) -> Form:
    """The form without its examples, also where the words cannot be told for certain."""
    pieces = parts(envelope.template, frozenset(envelope.slots))
    last = ends_last(envelope, pieces)
    head, slots = "", list[Slot]()
    for piece in pieces:
        if piece.slot:
            slot = envelope.slots.get(piece.text)
            one_line = slot is not None and slot.kind not in _ANY
            slots.append((piece.text, one_line, piece.text in last, ""))
        elif slots:
            slots[-1] = (*slots[-1][:3], piece.text)
        else:
            head = piece.text
    return Form(
        envelope.name,
        head,
        tuple(slots),
        undone=tuple(_UNDONE[step] for step, _ in reversed(envelope.transforms) if step in _UNDONE),
        loses=envelope.loses,
        borrowed=any(not one_line and name != TEXT for name, one_line, _, _ in slots),
    )


def _examples(envelope: Envelope, form: Form) -> Iterator[Example]:
    """Turns that this form takes apart as they were put together, the plainest first."""
    marks = [mark for _, _, _, mark in form.slots if mark] or [form.head]
    page = _PAGE if envelope.carries_document else None
    made: set[str] = set()
    for words in (*_WORDS, *(f"before{mark}after" for mark in dict.fromkeys(marks))):
        turn = wrap(envelope, bare(words), page).text
        stands = apply_to_text(envelope.transforms, words)
        if form.typed(turn) == stands and turn not in made:
            made.add(turn)
            yield Example(turn, undo(envelope.transforms, stands))
    for other in ("what is on today?", ""):
        if form.typed(other) is None:
            yield Example(other, None)
