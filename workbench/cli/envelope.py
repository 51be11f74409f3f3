"""`workbench envelope`: one envelope, drawn, or as a function that takes it off an app's turns."""

from __future__ import annotations

import argparse
from argparse import Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.core.decision import Json
    from workbench.core.envelope import Envelope
    from workbench.core.text import SafeText
    from workbench.core.turn import Turn

__all__ = ["EXAMPLE", "act", "configure"]

EXAMPLE = """\
  workbench envelope channel
  workbench envelope channel --unwrap python > unwrap_channel.py
"""

_LANGUAGES = ("python", "typescript")
_TYPED = "what is on today?"
_DOCUMENT = "A page that came with it.\n"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="of an envelope in envelopes/")
    parser.add_argument("--typed", metavar="TEXT", default=_TYPED, help="the words to wrap as an example")
    parser.add_argument(
        "--unwrap",
        choices=_LANGUAGES,
        help="a small function for your app, with its tests: a stop-gap until the app carries the user's "
        "words beside the turn",
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="text or json")


def act(arguments: Namespace) -> int:
    from workbench.core.text import visible_lines

    envelope = _named(arguments.name)
    if arguments.unwrap is not None:
        code = _code(envelope, arguments.unwrap)
        if arguments.format == "json":
            _print_json({"envelope": envelope.name, "language": arguments.unwrap, "code": code})
        else:
            for line in visible_lines(code.removesuffix("\n")):
                print(line)
    elif arguments.format == "json":
        _print_json(_facts(envelope, arguments.typed))
    else:
        for line in _lines(envelope, arguments.typed):
            print(line)
    return 0


def _named(name: str) -> Envelope:
    """The envelope of this workspace. Raises WorkbenchError on a name that is none, or on a broken file."""
    from dataclasses import replace

    from workbench.cli.bench import open_bench
    from workbench.core.errors import Problem, UsageError
    from workbench.files.envelope import load_envelope, parse_envelope_name
    from workbench.files.problems import shown, suggestion

    bench = open_bench()
    nested = parse_envelope_name(name)
    if len(nested) > 1:
        hint = "show one after the other: " + ", ".join(nested)
        raise UsageError(Problem(f"{shown(name)} is several envelopes, one in the other", hint=hint))
    if name not in bench.envelope_files:
        raise UsageError(
            Problem(f"no envelope is called {shown(name)}", hint=suggestion(name, bench.envelope_files))
        )
    path = bench.envelope_files[name]
    return replace(load_envelope(path), file=str(bench.near(path)))


def _code(envelope: Envelope, language: str) -> str:
    from workbench.capture.unwrapping.form import form_of
    from workbench.capture.unwrapping.python import python_code
    from workbench.capture.unwrapping.typescript import typescript_code

    return {"python": python_code, "typescript": typescript_code}[language](form_of(envelope))


def _print_json(facts: Json) -> None:
    import json

    print(json.dumps(facts, ensure_ascii=True, indent=1))


def _wrapped(envelope: Envelope, typed: str) -> Turn:
    from workbench.core.envelope import wrap
    from workbench.core.turn import bare

    return wrap(envelope, bare(typed), _DOCUMENT if envelope.carries_document else None)


def _steps(envelope: Envelope) -> list[Json]:
    """The transforms as the file writes them."""
    return [step.value if number is None else {step.value: number} for step, number in envelope.transforms]


def _facts(envelope: Envelope, typed: str) -> Json:
    from workbench.core.envelope import unwrap
    from workbench.core.turn import Author

    turn = _wrapped(envelope, typed)
    found = unwrap(envelope, turn.text)
    return {
        "envelope": envelope.name,
        "ingress": envelope.ingress.value,
        "file": envelope.file,
        "carries": "document" if envelope.carries_document else "text",
        "template": envelope.template,
        "slots": [
            {
                "name": slot.name,
                "kind": slot.kind.value,
                "example": slot.example,
                "author": envelope.authors.get(slot.name, Author.TRANSPORT).value,
            }
            for slot in envelope.slots.values()
        ],
        "transform": _steps(envelope),
        "loses": list(envelope.loses),
        "relation": envelope.relation.value if envelope.relation else None,
        "source": {
            "from": envelope.source.origin,
            "turns": envelope.source.turns,
            "status": envelope.source.status,
        },
        "example": {
            "typed": typed,
            "text": turn.text,
            "regions": [[region.start, region.end, region.author.value] for region in turn.regions],
            "unwrapped": None
            if found is None
            else {"typed": found.typed, "lossy": found.lossy, "ambiguous": found.ambiguous},
        },
    }


def _lines(envelope: Envelope, typed: str) -> Iterator[SafeText]:
    from workbench.core.text import safe, visible, visible_lines
    from workbench.core.turn import Author

    source, indent = envelope.source, safe("  ")
    carries = ", carries a document" if envelope.carries_document else ""
    yield safe(f"{visible(envelope.name)}  {envelope.ingress.value}{carries}")
    turns = "" if source.turns is None else f", {source.turns:,} turns"
    yield safe(
        f"  source     {source.status}{turns}: {visible(source.origin or 'it does not say from where')}"
    )
    yield safe(f"  file       {visible(envelope.file)}")
    if envelope.relation:
        yield safe(f"  relation   {envelope.relation.value}")
    steps = ", ".join(
        step.value if number is None else f"{step.value} {number}" for step, number in envelope.transforms
    )
    yield safe(f"  transform  {steps or 'none: the words stand as they were typed'}")
    yield safe(f"  loses      {visible('; '.join(envelope.loses)) or 'nothing of the words'}")
    yield safe("")
    yield safe("template")
    for line in visible_lines(envelope.template):
        yield indent + line
    if envelope.slots:
        yield safe("")
        yield safe("slots")
        width = max(map(len, envelope.slots))
        for name, slot in envelope.slots.items():
            author = envelope.authors.get(name, Author.TRANSPORT)
            yield safe(
                f"  {name.ljust(width)}  {slot.kind.value:<6}  {author.value:<10}  {visible(slot.example)}"
            )
    yield safe("")
    yield safe("an example, and who wrote what")
    yield from _drawn(_wrapped(envelope, typed))


def _drawn(turn: Turn) -> Iterator[SafeText]:
    """The turn, its author before each line of each region; a region that goes on has none twice."""
    from workbench.core.text import safe, visible_lines

    width = max((len(region.author.value) for region in turn.regions), default=0)
    for region in turn.regions:
        text = turn.text[region.start : region.end]
        # A line feed ends the line before it: it begins none of the next author's.
        if region.start and turn.text[region.start - 1] != "\n":
            text = text.removeprefix("\n")
        for number, line in enumerate(visible_lines(text.removesuffix("\n"))):
            label = "" if number else region.author.value
            yield safe(f"  {label.ljust(width)} | ") + line
