"""`workbench new`: a scenario, an envelope or a workspace to begin with."""

from __future__ import annotations

import argparse
import sys
from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING

from workbench.cli.audit import COLUMNS, add_columns, count
from workbench.cli.options import add_talk

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.cli.bench import Bench
    from workbench.core.envelope import Ingress

__all__ = ["EXAMPLE", "act", "configure"]

EXAMPLE = """\
  workbench new workspace
  workbench new scenario billing
  workbench new scenario past --from-log logs/router.jsonl --adapter router
  pbpaste | workbench new envelope support --from-text - --typed "close my account" --ingress channel
"""

_INGRESSES = ("channel", "reply", "mention", "email", "attachment", "rag", "harness", "tool", "voice")
"""As core.envelope has them, which `--help` does not load; a test compares."""

_OF_LOGS = ("limit", "adapter", *COLUMNS, "table", "reader")


def configure(parser: argparse.ArgumentParser) -> None:
    kinds = parser.add_subparsers(dest="kind", metavar="WHAT", required=True)
    scenario = kinds.add_parser("scenario", help="scenarios/NAME.yaml")
    scenario.add_argument("name", metavar="NAME")
    _add_logs(scenario)
    envelope = kinds.add_parser(
        "envelope", help="envelopes/NAME.yaml, from one wrapped turn or to be filled in by hand"
    )
    envelope.add_argument("name", metavar="NAME")
    envelope.add_argument(
        "--from-text",
        metavar="FILE",
        help="a turn as the router gets it; - reads stdin. One line feed at its end is the file's",
    )
    envelope.add_argument("--typed", metavar="TEXT", help="the words in it that the user typed")
    envelope.add_argument(
        "--ingress", choices=_INGRESSES, default="channel", help="the kind of delivery path (channel)"
    )
    workspace = kinds.add_parser("workspace", help="workbench.yaml, scenarios/ and envelopes/ in this folder")
    for kind in (scenario, envelope, workspace):
        add_talk(kind)


def _add_logs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--from-log",
        nargs="+",
        metavar="LOG",
        help="of past turns that were routed on what the user did not write; a file or a folder",
    )
    parser.add_argument("--limit", type=count, metavar="N", help="with --from-log, prompts at most (10)")
    parser.add_argument(
        "--adapter", action="append", metavar="ADAPTER", help="with --from-log, who is asked; repeatable"
    )
    add_columns(parser)


def act(arguments: Namespace) -> int:
    act: dict[str, Callable[[Namespace], int]] = {
        "scenario": _scenario,
        "envelope": _envelope,
        "workspace": _workspace,
    }
    return act[arguments.kind](arguments)


def _scenario(arguments: Namespace) -> int:
    from workbench.core.errors import Problem, UsageError
    from workbench.files.edit.fresh import new_scenario
    from workbench.files.edit.save import create

    if arguments.from_log is None and any(getattr(arguments, name) is not None for name in _OF_LOGS):
        options = ", ".join(f"--{name}" for name in _OF_LOGS if getattr(arguments, name) is not None)
        raise UsageError(f"{options}: only with --from-log")
    bench = _own_bench()
    root = bench.workspace.root
    path = root / "scenarios" / f"{arguments.name}.yaml"
    text = new_scenario(arguments.name, bench.near(path), root)
    if (other := _named(bench, arguments.name)) is not None:
        message = f"{bench.near(other)} is called {arguments.name} already"
        raise UsageError(Problem(message, hint="take another name; nothing was written"))
    if arguments.from_log is not None:
        from workbench.cli.new_from_log import scenario_of_log

        text = scenario_of_log(arguments, bench, path)
    create(path, root, text)
    _tell(bench, path, f"workbench run {_quoted(arguments.name)}", quiet=arguments.quiet)
    return 0


def _named(bench: Bench, name: str) -> Path | None:
    """The scenario file that has this name inside, broken files left out."""
    from workbench.core.errors import WorkbenchError
    from workbench.files.locate import find_scenarios
    from workbench.files.scenario import load_scenario

    for path in find_scenarios(bench.workspace.root):
        try:
            if load_scenario(path, bench.workspace.root).name == name:
                return path
        except WorkbenchError:
            continue
    return None


def _envelope(arguments: Namespace) -> int:
    from workbench.core.envelope import Ingress
    from workbench.core.errors import Mark, Problem, UsageError, WorkbenchError
    from workbench.files.edit.fresh import new_envelope
    from workbench.files.edit.save import create

    if (arguments.from_text is None) != (arguments.typed is None):
        raise UsageError("--from-text and --typed go together: the turn, and the words in it")
    bench = _own_bench()
    root, ingress = bench.workspace.root, Ingress(arguments.ingress)
    path = root / "envelopes" / f"{arguments.name}.yaml"
    if (other := bench.envelope_files.get(arguments.name)) is not None:
        place = Mark(str(bench.near(other)))
        raise WorkbenchError(Problem("there is one already", place, "take another name; nothing was written"))
    if arguments.from_text is None:
        text = new_envelope(arguments.name, bench.near(path), ingress)
    else:
        text = _from_turn(arguments, bench.near(path), ingress)
    create(path, root, text)
    words = "check my calendar" if arguments.typed is None else arguments.typed
    command = f"workbench probe {_quoted(words)} --envelope {arguments.name}"
    if "{document}" in text:
        command = f"workbench probe {_quoted(words)} --attach FILE --envelope {arguments.name}"
    _tell(bench, path, command, quiet=arguments.quiet)
    return 0


def _from_turn(arguments: Namespace, path: Path, ingress: Ingress) -> str:
    from workbench.cli.streams import say
    from workbench.core.text import safe
    from workbench.files.edit.fresh import envelope_from
    from workbench.files.edit.marking import mark_typed

    wrapped = _turn(arguments.from_text)
    marked = mark_typed(wrapped, arguments.typed)
    origin = "one turn, from stdin" if arguments.from_text == "-" else f"one turn, {arguments.from_text}"
    text = envelope_from(arguments.name, path, ingress, marked, wrapped, arguments.typed, origin)
    spans = ", ".join(f"{start:,} to {end:,}" for start, end in marked.spans)
    how = f" (after {marked.transform.value})" if marked.transform else ""
    of = f"of {len(wrapped):,} characters"
    say(safe(f"workbench: the words stand at {spans} {of}{how}"), quiet=arguments.quiet)
    return text


def _turn(file: str) -> str:
    from pathlib import Path

    from workbench.files.source import decode, read_bytes

    data = sys.stdin.buffer.read() if file == "-" else read_bytes(Path(file))
    return decode(data, "stdin" if file == "-" else file).removesuffix("\n")


def _workspace(arguments: Namespace) -> int:
    from pathlib import Path

    from workbench.cli.streams import say
    from workbench.core.errors import Mark, Problem, WorkbenchError
    from workbench.core.text import safe, visible
    from workbench.files.edit.fresh import WORKSPACE
    from workbench.files.edit.save import create
    from workbench.files.workspace import FILES

    root = Path.cwd()
    for name in FILES:
        if (root / name).exists():
            problem = Problem("this folder is a workspace already", Mark(name), "nothing was written")
            raise WorkbenchError(problem)
    # The workspace file comes last: it is what makes the folder one.
    for name, text in reversed(list(WORKSPACE.items())):
        if (root / name).exists():
            say(safe(f"workbench: {visible(name)} is there already and stays as it is"))
        else:
            create(root / name, root, text)
            print(safe(f"wrote {visible(name)}"))
    say(safe("next: workbench run first"), quiet=arguments.quiet)
    return 0


def _own_bench() -> Bench:
    """The workspace of this folder. What comes with the program is not written to."""
    from workbench.cli.bench import open_bench
    from workbench.core.errors import Problem, UsageError

    bench = open_bench()
    if bench.workspace.packaged:
        raise UsageError(
            Problem("there is no workspace here to write to", hint="`workbench new workspace` makes one")
        )
    return bench


def _tell(bench: Bench, path: Path, command: str, *, quiet: bool) -> None:
    from workbench.cli.streams import say
    from workbench.core.text import safe, visible

    print(safe(f"wrote {visible(str(bench.near(path)))}"))
    say(safe(f"next: {visible(command)}"), quiet=quiet)


def _quoted(word: str) -> str:
    import shlex

    return shlex.quote(word)
