"""New files: a scenario, an envelope, a workspace; short, commented, and running as they are."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from workbench.core.envelope import Ingress, wrap
from workbench.core.errors import Problem, UsageError, WorkbenchError
from workbench.core.scenario import Scenario
from workbench.core.turn import bare
from workbench.files.edit.marking import Marked
from workbench.files.edit.spell import double_quoted, is_block, literal, spelled, spelled_json
from workbench.files.envelope import read_envelope
from workbench.files.problems import shown
from workbench.files.scenario import read_scenario
from workbench.files.source import source_of

__all__ = ["WORKSPACE", "envelope_from", "new_envelope", "new_scenario", "scenario_from"]

_DOCUMENT = (Ingress.ATTACHMENT, Ingress.RAG)
_FILE_NAME = re.compile(r"[^\W_][\w .()+-]*")

_SCENARIO = """\
# Which question does this scenario answer? Every prompt is sent bare, and then in each envelope: a
# decision that changes with the envelope is the router's fault.
scenario: {name}
about: One that must fire, and one that must call nothing.
# adapters: [table]        # all of the workspace unless they are named
# envelopes: [chat]        # all that carry what the prompt needs, unless they are named; [] is bare only
prompts:
  # A router that never fires would pass everything else.
  - id: fires
    text: what's on my calendar today
    expect: fire               # or: fire TOOL, hold, pass, no calls

  - id: stays
    text: how was your weekend?
    expect: no calls
"""

_REPLAYED = """\
# Past turns that went wrong, their words sent bare and in the envelopes they came in. Nothing is expected
# by name: a decision that changes with the envelope fails.
scenario: {name}
about: Past turns that were routed on what the user did not write.
{adapters}envelopes: {envelopes}
prompts:
{prompts}"""

_ENVELOPE = """\
# What a delivery path puts round the words. {{text}} is where they stand; what changes from turn to turn
# is a slot, with the example that replay fills in.
envelope: {name}
ingress: {ingress}
template: |-
  <message from="{{sender}}">
{body}
  </message>
slots:
  sender: {{example: u1, kind: name}}
# transform: [trim]        # what the path does to the words first
source:
  from: written by hand
  status: hand-written
"""

_CAPTURED = """\
# Made from one turn: {{text}} is where the words stood. What else changes from turn to turn (a name, a
# time, an id) should be a slot: write {{sender}} in its place, and its example below.
envelope: {name}
ingress: {ingress}
template: {template}
{slots}{transform}source:
  from: {origin}
  turns: 1
  status: captured
"""

WORKSPACE: Mapping[str, str] = {
    "workbench.yaml": """\
# The workspace: what decides about each prompt. `workbench list adapters` shows every kind and its keys.
adapters:
  # A table of phrases. It starts no program, so it needs no trust.
  table: {use: keyword, table: scenarios/keywords.yaml}

  # Your router as a function: text in, decision out, under your app's own interpreter.
  # router: {use: python, target: "yourapp.routing:route"}

  # Your whole app, watched where it calls its router, and stopped there.
  # app: {use: python, entry: "yourapp.chat:handle", tap: ["yourapp.routing:route"], call: text}

  # A program in any language: a JSON line in, a JSON line out.
  # probe: {use: command, argv: [node, router-probe.js]}
""",
    "scenarios/keywords.yaml": """\
# The table of the adapter `table`: any phrase of a row asks for its tool.
keywords:
  - {phrases: [my calendar, calendar event], tool: calendar::list-events}
  - {phrases: [send an email, email to], tool: mail::send, side_effects: true}

# Whoever says one of these describes a schedule: the router matches, and declines to act.
hold: [every morning, whenever, workflow]

# Which part of the turn is read. With first-line a chat's tag hides the words: try it.
scan: all
""",
    "scenarios/first.yaml": _SCENARIO.format(name="first"),
    "envelopes/chat.yaml": _ENVELOPE.format(name="chat", ingress="channel", body="  {text}"),
}
"""The files of a new workspace, by their path in it."""


def new_scenario(name: str, path: Path, root: Path) -> str:
    """The text of a scenario to begin with. Raises WorkbenchError where it cannot have that name."""
    _require_file_name(name, "a scenario")
    text = _SCENARIO.format(name=spelled(name, flow=False))
    _read_back(text, name, path, root)
    return text


def scenario_from(
    name: str,
    path: Path,
    root: Path,
    *,
    adapters: Sequence[str],
    envelopes: Sequence[str],
    prompts: Sequence[tuple[str, Sequence[str]]],
) -> str:
    """The text of a scenario of these words, each with notes that are safe to show, one a line.

    No adapters: all of the workspace. Raises WorkbenchError where it would not be read as meant.
    """
    _require_file_name(name, "a scenario")
    lines = [
        "".join((*(f"  # {note}\n" for note in notes), f"  - text: {spelled(words, flow=False)}\n"))
        for words, notes in prompts
    ]
    text = _REPLAYED.format(
        name=spelled(name, flow=False),
        adapters=f"adapters: {spelled_json(list(adapters))}\n" if adapters else "",
        envelopes=spelled_json(list(envelopes)),
        prompts="\n".join(lines),
    )
    read = _read_back(text, name, path, root)
    if [prompt.text for prompt in read.prompts] != [words for words, _ in prompts]:
        raise WorkbenchError("no scenario can be written that reads as these words")
    return text


def _read_back(text: str, name: str, path: Path, root: Path) -> Scenario:
    read = read_scenario(source_of(text, str(path)), root)
    if read.name != name:
        raise WorkbenchError(f"{shown(name)} cannot name a scenario")
    return read


def new_envelope(name: str, path: Path, ingress: Ingress) -> str:
    """The text of an envelope to begin with. Raises WorkbenchError where it cannot have that name."""
    _require_file_name(name, "an envelope")
    body = "  {text}\n\n  {document}" if ingress in _DOCUMENT else "  {text}"
    text = _ENVELOPE.format(name=spelled(name, flow=False), ingress=ingress.value, body=body)
    read_envelope(source_of(text, str(path)))
    return text


def envelope_from(
    name: str, path: Path, ingress: Ingress, marked: Marked, wrapped: str, typed: str, origin: str
) -> str:
    """The text of an envelope that makes `wrapped` of `typed`, exactly, or WorkbenchError is raised."""
    _require_file_name(name, "an envelope")
    slots = "".join(
        f"  {slot}: {{example: {spelled(example, flow=True)}}}\n" for slot, example in marked.slots.items()
    )
    text = _CAPTURED.format(
        name=spelled(name, flow=False),
        ingress=ingress.value,
        template=_block(marked.template),
        slots=f"slots:\n{slots}" if slots else "",
        transform=f"transform: [{marked.transform.value}]\n" if marked.transform else "",
        origin=spelled(origin, flow=False),
    )
    envelope = read_envelope(source_of(text, str(path)))
    if wrap(envelope, bare(typed)).text != wrapped:
        raise WorkbenchError(
            Problem("no envelope can be made that gives this very turn", hint="write it by hand")
        )
    return text


def _block(text: str) -> str:
    if not is_block(text):
        return double_quoted(text)
    header, lines = literal(text, 2)
    return "\n".join((header, *lines))


def _require_file_name(name: str, what: str) -> None:
    if not _FILE_NAME.fullmatch(name):
        hint = "letters, digits, blanks and . _ + - ( ), the first a letter or a digit"
        raise UsageError(Problem(f"{shown(name)} cannot name {what}", hint=hint))
