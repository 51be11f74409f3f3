"""`workbench new scenario --from-log`: past turns that went wrong, to be replayed."""

from __future__ import annotations

import shlex
from argparse import Namespace
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.capture.audit.joining import joined
from workbench.capture.audit.judging import Judge
from workbench.capture.audit.known import KnownEnvelopes
from workbench.capture.audit.stores.database import is_url
from workbench.capture.audit.victims import Pick, Picked, Wrong, pick_victims
from workbench.capture.opening import open_logs
from workbench.capture.redaction import masked
from workbench.capture.turns import LogOptions, Place
from workbench.cli.audit import columns_of, envelopes_of
from workbench.cli.reading import told
from workbench.cli.record import known_secrets
from workbench.cli.streams import say
from workbench.core.errors import Problem, UsageError, WorkbenchError
from workbench.core.mask import Masker
from workbench.core.text import safe, visible
from workbench.files.edit.fresh import scenario_from
from workbench.files.envelope_name import parse_envelope_name
from workbench.files.problems import shown, suggestion

if TYPE_CHECKING:
    from workbench.cli.bench import Bench

__all__ = ["scenario_of_log"]

_LIMIT = 10
_WRONG = {
    Wrong.OUTGROWN: "routed on far more than was typed",
    Wrong.UNREACHED: "words that were typed were not read",
    Wrong.FRAMED: "what was read begins with what was not typed",
}


def scenario_of_log(arguments: Namespace, bench: Bench, path: Path) -> str:
    """The text of the scenario. Raises WorkbenchError where no past turn can be replayed."""
    for name in arguments.adapter or ():
        if name not in bench.workspace.adapters:
            hint = suggestion(name, bench.workspace.adapters)
            raise UsageError(Problem(f"no adapter is called {shown(name)}", hint=hint))
    if any(map(is_url, arguments.from_log)):
        raise UsageError(
            Problem("a scenario is made from files, not from a database", hint="export the turns")
        )
    hide = _Hide(bench)
    picked = _picked(arguments, bench, hide)
    _require_prompts(picked, arguments.from_log)
    text = scenario_from(
        arguments.name,
        bench.near(path),
        bench.workspace.root,
        adapters=arguments.adapter or (),
        envelopes=picked.envelopes,
        prompts=[(picks[0].text, list(hide.notes(picks))) for picks in picked.prompts],
    )
    _say_rest(picked, arguments)
    return text


class _Hide:
    """Takes out what is private: of this workspace, by its shape, and where on this machine a log lies."""

    def __init__(self, bench: Bench) -> None:
        self._known = Masker(known_secrets(bench.workspace))
        self._root = bench.workspace.root

    def text(self, text: str) -> str:
        return self._known.text(masked(self._known.text(text)))

    def notes(self, picks: Iterable[Pick]) -> Iterator[str]:
        """Of each where it stands, in which envelope it came, and what was wrong, on one line."""
        for pick in picks:
            place = visible(self.text(self._place(pick.place))[:200])
            yield f"{place}, in {pick.envelope}: {_WRONG[pick.wrong]}"

    def _place(self, place: Place) -> str:
        file = Path(place.file).absolute()
        near = str(file.relative_to(self._root)) if file.is_relative_to(self._root) else file.name
        return str(Place(near, place.number, place.unit, place.table))


def _picked(arguments: Namespace, bench: Bench, hide: _Hide) -> Picked:
    known = list(envelopes_of(bench.envelope_files.values(), quiet=arguments.quiet))
    folded = {envelope.name for envelope in known if envelope.carries_document}
    options = LogOptions(
        columns_of(arguments), arguments.reader, arguments.table, told(quiet=arguments.quiet)
    )
    return pick_victims(
        joined(open_logs([Path(log) for log in arguments.from_log], options)),
        Judge(KnownEnvelopes(known)),
        lambda name: folded.isdisjoint(parse_envelope_name(name)),
        hide.text,
        arguments.limit or _LIMIT,
    )


def _require_prompts(picked: Picked, logs: list[str]) -> None:
    if picked.prompts:
        return
    turns = _turns(picked.turns)
    if not picked.told:
        raise WorkbenchError(
            Problem(
                f"none of {turns} says both what was typed and what was read; nothing was written",
                hint="name their columns with --typed and --wrapped",
            )
        )
    if not picked.victims:
        raise WorkbenchError(
            Problem(
                f"none of {turns} was routed on what the user did not write; nothing was written",
                hint=f"`{_command('audit', logs)}` says what was looked at",
            )
        )
    if picked.strangers:
        raise WorkbenchError(
            Problem(
                f"{_turns(picked.strangers)} went wrong, in no envelope that is known; nothing was written",
                hint=f"`{_command('capture', logs)}` makes envelopes of them; then do this again",
            )
        )
    raise WorkbenchError(
        Problem(
            f"{_turns(picked.unusable)} went wrong, and none can be replayed; nothing was written",
            hint="they came bare, cut short, with a file folded in, or with too many words",
        )
    )


def _say_rest(picked: Picked, arguments: Namespace) -> None:
    """What was found, and what of it does not stand in the file."""
    prompts = len(picked.prompts)
    said = [f"{prompts:,} prompt{'s' if prompts != 1 else ''} of {_turns(picked.victims)} that went wrong"]
    if picked.strangers:
        command = visible(_command("capture", arguments.from_log))
        said.append(f"{picked.strangers:,} in no envelope that is known (`{command}` makes them)")
    if picked.unusable:
        said.append(f"{picked.unusable:,} that cannot be replayed from their words alone")
    if picked.skipped:
        pieces = "piece" if picked.skipped == 1 else "pieces"
        said.append(f"{picked.skipped:,} {pieces} of the logs could not be read")
    say(safe(f"workbench: {'; '.join(said)}"), quiet=arguments.quiet)


def _turns(count: int) -> str:
    return f"{count:,} past turn{'s' if count != 1 else ''}"


def _command(verb: str, logs: list[str]) -> str:
    return f"workbench {verb} {shlex.join(logs)}"
