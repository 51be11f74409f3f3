"""Envelope files, and the names under which envelopes are nested."""

from __future__ import annotations

import re
from pathlib import Path

from workbench.core.envelope import Envelope, Ingress, Slot, SlotKind, Source
from workbench.core.errors import Mark
from workbench.core.relation import Relation
from workbench.core.template import DOCUMENT, TEXT, names
from workbench.core.transform import Transform
from workbench.core.turn import Author
from workbench.files.envelope_name import NAME, NAME_RULE, RESERVED, parse_envelope_name
from workbench.files.examples import example_fits
from workbench.files.fields import Fields, read_fields
from workbench.files.folder import yaml_files
from workbench.files.node import Node, NodeKind
from workbench.files.parse import parse
from workbench.files.problems import Problems, nearest, shown, suggestion
from workbench.files.source import Source as Text
from workbench.files.source import read_source

__all__ = ["RESERVED", "load_envelope", "load_envelopes", "parse_envelope_name", "read_envelope"]

_KNOWN = ("envelope", "ingress", "template", "slots", "regions", "transform", "relation", "source")
_REQUIRED = ("envelope", "ingress", "template")
_STATUSES = ("captured", "provisional", "hand-written")
_SLOT_NAME = re.compile(r"[a-z][a-z0-9_]*")
_OWN = (TEXT, DOCUMENT)


def load_envelopes(root: Path) -> dict[str, Path]:
    """The envelope files of a workspace by name, which is the file's without its ending.

    Nothing is read yet. Raises WorkbenchError where two files have one name.
    """
    named: dict[str, Path] = {}
    problems = Problems()
    for file in yaml_files(root / "envelopes"):
        if file.stem in named:
            message = f"{named[file.stem].name} and {file.name} are two envelopes of one name"
            problems.add(Mark(str(file)), message, "keep one of them")
        named[file.stem] = file
    problems.check()
    return named


def load_envelope(path: Path) -> Envelope:
    """One envelope file. Raises WorkbenchError with all that is wrong with it."""
    return read_envelope(read_source(path))


def read_envelope(source: Text) -> Envelope:
    """`load_envelope` of a text that may not be saved yet; its file's name must be the envelope's."""
    problems = Problems()
    fields = read_fields(parse(source, problems), problems, _KNOWN, _REQUIRED)
    slots = _slots(fields)
    steps = [_step(node, problems) for node in fields.listed("transform")]
    envelope = Envelope(
        name=_name(fields, Path(source.file)),
        ingress=fields.choice("ingress", Ingress) or Ingress.CHANNEL,
        template=_template(fields, slots),
        slots=slots,
        authors=_authors(fields, slots),
        transforms=tuple(step for step in steps if step is not None),
        relation=fields.choice("relation", Relation),
        source=_source(fields),
        file=source.file,
    )
    problems.check()
    return envelope


def _name(fields: Fields, path: Path) -> str:
    name, node = fields.word("envelope"), fields.get("envelope")
    if name is None or node is None:
        return ""
    if not NAME.fullmatch(name):
        node.complain(fields.problems, f"{shown(name)} cannot name an envelope", NAME_RULE)
    elif name in RESERVED:
        node.complain(
            fields.problems, f'"{name}" is reserved', "an arm has that name: " + ", ".join(RESERVED)
        )
    elif name != path.stem:
        hint = f'rename the file to "{name}{path.suffix}", or the envelope to {shown(path.stem)}'
        node.complain(fields.problems, f'"{name}" stands in a file named {shown(path.name)}', hint)
    return name


def _slots(fields: Fields) -> dict[str, Slot]:
    node, problems = fields.get("slots"), fields.problems
    slots: dict[str, Slot] = {}
    for key, value in node.entries(problems, "a mapping of slots") if node is not None else ():
        slot = _slot(key.value, value, problems)
        if key.value in _OWN:
            problems.add(
                key.mark, f"{{{key.value}}} is no slot of yours", "it is always there: take this away"
            )
        elif not _SLOT_NAME.fullmatch(key.value):
            hint = 'lower-case letters, digits and "_", the first a letter'
            problems.add(key.mark, f"{shown(key.value)} cannot name a slot", hint)
        else:
            slots[key.value] = slot
    return slots


def _slot(name: str, node: Node, problems: Problems) -> Slot:
    fields = read_fields(node, problems, ("example", "kind"))
    kind = fields.choice("kind", SlotKind) or SlotKind.TEXT
    example, given = fields.text("example"), fields.get("example")
    if example is not None and given is not None and not example_fits(kind, example):
        given.expected(problems, f"an example of the kind {kind.value}")
    return Slot(name, example or "", kind)


def _template(fields: Fields, slots: dict[str, Slot]) -> str:
    """The template; complains of slots that are not declared, and of those that are not used."""
    template, node, problems = fields.text("template"), fields.get("template"), fields.problems
    if template is None or node is None:
        return ""
    used = names(template)
    lacking = [name for name in (TEXT, *slots) if name not in used]
    for name in used:
        if name not in slots and name not in _OWN:
            meant = nearest(name, lacking)
            hint = f"did you mean {{{meant}}}?" if meant else f"declare it: slots: {{{name}: {{example: …}}}}"
            problems.add(node.find(f"{{{name}}}"), f"the slot {{{name}}} is not declared", hint)
            if meant in lacking:
                lacking.remove(meant)
    declared = fields.get("slots")
    places = {key.value: key.mark for key, _ in declared.pairs} if declared is not None else {}
    for name in lacking:
        if name == TEXT:
            node.complain(problems, "there is no {text}", "put {text} where the user's words stand")
        else:
            problems.add(places[name], f"the slot {{{name}}} is not in the template", "use it, or drop it")
    return template


def _authors(fields: Fields, slots: dict[str, Slot]) -> dict[str, Author]:
    """Authors by slot; the document has one too."""
    own = (DOCUMENT, *slots) if "{document}" in (fields.text("template") or "") else tuple(slots)
    node, problems = fields.get("regions"), fields.problems
    authors: dict[str, Author] = {}
    for key, value in node.entries(problems, "a mapping of slot to author") if node is not None else ():
        author = value.choice(problems, Author)
        if key.value not in own:
            message = f"{shown(key.value)} is no slot of this envelope"
            problems.add(key.mark, message, suggestion(key.value, own))
        elif author is not None:
            authors[key.value] = author
    return authors


def _step(node: Node, problems: Problems) -> tuple[Transform, int | None] | None:
    """A transform by its name, or `{truncate: LENGTH}`."""
    if node.kind is NodeKind.MAPPING:
        fields = read_fields(node, problems, ("truncate",), ("truncate",))
        length = fields.integer("truncate", 1)
        return None if length is None else (Transform.TRUNCATE, length)
    if node.kind is NodeKind.TEXT and node.value == Transform.TRUNCATE:
        node.complain(problems, "truncate needs a length", "write {truncate: 280}")
        return None
    chosen = node.choice(problems, Transform)
    return None if chosen is None else (chosen, None)


def _source(fields: Fields) -> Source:
    node = fields.get("source")
    if node is None:
        return Source()
    given = read_fields(node, fields.problems, ("from", "turns", "status"))
    status = given.option("status", _STATUSES) or _STATUSES[-1]
    return Source(given.text("from") or "", given.integer("turns", 0), status)
