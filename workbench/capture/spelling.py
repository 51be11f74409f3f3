"""An envelope as the text of its file, with a stamp that tells whether a hand has changed it since."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from workbench.capture.captured import Form
from workbench.capture.redaction import masked
from workbench.core.envelope import Envelope, Slot, SlotKind
from workbench.core.errors import Problem, WorkbenchError
from workbench.core.mask import MASK
from workbench.core.template import DOCUMENT, TEXT
from workbench.core.text import visible
from workbench.files.edit.spell import double_quoted, is_block, literal, spelled
from workbench.files.envelope import read_envelope
from workbench.files.source import source_of

__all__ = ["is_ours", "spell_form"]

_STAMP = re.compile(r"^# stamp: ([0-9a-f]{16})\n", re.MULTILINE)


def spell_form(form: Form, path: Path) -> str:
    """The whole file of a captured envelope, which reads as that envelope.

    Raises WorkbenchError where it would hold something private, or would read otherwise.
    """
    envelope = form.envelope
    comment, body = ("".join(f"{line}\n" for line in lines) for lines in (_comment(form), _body(envelope)))
    text = f"{comment}# stamp: {_sum(comment + body)}\n{body}"
    read = read_envelope(source_of(text, str(path)))
    if read.template != envelope.template or read.transforms != envelope.transforms:
        raise WorkbenchError(Problem(f"{envelope.name} cannot be written such that it reads the same"))
    if any(masked(part) != part for part in (_blanked(text, envelope), _blanked(read.template, envelope))):
        hint = "nothing was written; write it by hand, without what is private"
        raise WorkbenchError(Problem(f"{envelope.name} would hold something private", hint=hint))
    return text


def _blanked(text: str, envelope: Envelope) -> str:
    """A slot is no secret, though it stands where one did."""
    for name in (TEXT, DOCUMENT, *envelope.slots):
        text = text.replace(f"{{{name}}}", MASK)
    return text


def is_ours(text: str) -> bool:
    """Whether a file stands as `spell_form` wrote it."""
    text = text.replace("\r\n", "\n")
    found = _STAMP.search(text)
    return found is not None and found[1] == _sum(text[: found.start()] + text[found.end() :])


def _sum(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _comment(form: Form) -> list[str]:
    lines = ["Captured from logs; the values of its slots are made up unless they were asked for."]
    if form.was and form.was != form.envelope.name:
        lines.append(f"It was {visible(form.was)} before, which newer turns do not fit.")
    lines += [f"Doubt: {visible(doubt)}." for doubt in form.doubts]
    lines.append("While the stamp holds, a newer capture may write this file anew; once edited, it stays.")
    return [f"# {masked(line)}" for line in lines]


def _body(envelope: Envelope) -> list[str]:
    lines = [
        f"envelope: {spelled(envelope.name, flow=False)}",
        f"ingress: {envelope.ingress.value}",
        *_template(envelope.template),
    ]
    if envelope.slots:
        lines += ["slots:", *(f"  {_slot(slot)}" for slot in envelope.slots.values())]
    if envelope.authors:
        pairs = ", ".join(f"{name}: {author.value}" for name, author in envelope.authors.items())
        lines.append(f"regions: {{{pairs}}}")
    if envelope.transforms:
        steps = (
            f"{{{name.value}: {number}}}" if number else name.value for name, number in envelope.transforms
        )
        lines.append(f"transform: [{', '.join(steps)}]")
    source = envelope.source
    lines += ["source:", f"  from: {spelled(masked(source.origin), flow=False)}"]
    if source.turns is not None:
        lines.append(f"  turns: {source.turns}")
    return [*lines, f"  status: {source.status}"]


def _template(template: str) -> list[str]:
    if not is_block(template):
        return [f"template: {double_quoted(template)}"]
    header, lines = literal(template, 2)
    return [f"template: {header}", *lines]


def _slot(slot: Slot) -> str:
    kind = "" if slot.kind is SlotKind.TEXT else f", kind: {slot.kind.value}"
    return f"{slot.name}: {{example: {spelled(slot.example, flow=True)}{kind}}}"
