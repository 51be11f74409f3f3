"""`workbench shell`: a line loop, for a plain terminal, ssh, or a pipe."""

from __future__ import annotations

import argparse
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from workbench.cli.options import add_delivery

if TYPE_CHECKING:
    from workbench.adapters.protocol import Adapter
    from workbench.cli.bench import Bench
    from workbench.core.envelope import Envelope
    from workbench.core.scenario import Scenario
    from workbench.replay.session import OnEvent
    from workbench.report.writer import Line, Style
    from workbench.shell.session import Session
    from workbench.shell.stage import Stage

__all__ = ["EXAMPLE", "act", "configure"]

EXAMPLE = """\
  workbench shell --adapter keywords --envelope channel
  printf 'check my calendar\\nsend an email to Ana\\n' | workbench shell --adapter keywords
"""

_PATIENCE = 1.0
"""Seconds without a word after which a person wonders."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--attach", action="append", metavar="FILE", help="a file that comes with every line; repeatable"
    )
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="trials of each cell (1)")
    add_delivery(parser)


def act(arguments: Namespace) -> int:
    import asyncio

    from workbench.cli.bench import open_bench
    from workbench.shell.delivery import Settings
    from workbench.shell.session import Session

    bench = open_bench()
    session = Session(bench.workspace, bench.cwd, Settings(()))
    session.choose_adapters(arguments.adapter or ())
    session.choose_envelopes(arguments.envelope or ())
    session.attach(arguments.attach or ())
    session.set_repeat(arguments.repeat)
    asyncio.run(_converse(_stage(bench, arguments), session, chosen=bool(arguments.adapter)))
    return 0


async def _converse(stage: Stage, session: Session, *, chosen: bool) -> None:
    """On a terminal with a prompt, which is drawn on stderr so that stdout stays free; else in a pipe."""
    import os
    import sys

    from workbench.cli.streams import has_terminal
    from workbench.shell.guests import Guests
    from workbench.shell.talk import Talk
    from workbench.store.store import Store

    with Store.temporary() as store:
        async with Guests(stage) as guests:
            talk = Talk(stage, session, guests, store)
            talk.begin(chosen=chosen)
            able = os.environ.get("TERM", "") not in ("dumb", "unknown")
            if has_terminal(sys.stdin) and has_terminal(sys.stderr) and able:
                from workbench.shell.loop import serve_terminal

                await serve_terminal(stage, session, talk)
            else:
                from workbench.shell.pipe import serve_lines

                await serve_lines(sys.stdin.fileno(), talk.take, stage.write)


def _stage(bench: Bench, arguments: Namespace) -> Stage:
    import os
    import sys

    from platformdirs import user_state_path

    from workbench.cli.running import stoppable
    from workbench.cli.streams import say, show_problems, wants_colour
    from workbench.shell.stage import Stage

    def admit(adapters: Iterable[Adapter]) -> None:
        bench.admit(adapters, trust=arguments.trust)

    def envelopes(scenario: Scenario, asked: Sequence[str] | None) -> Mapping[str, Envelope]:
        # A bench of its own each time, so that an envelope that was edited counts at once.
        return type(bench)(bench.workspace, bench.cwd).envelopes((scenario,), asked)

    style = _style(arguments.color)
    return Stage(
        workspace=bench.workspace,
        cwd=bench.cwd,
        build=lambda name: bench.build((name,))[name],
        admit=admit,
        envelopes=envelopes,
        stoppable=stoppable,
        progress=_progress(quiet=arguments.quiet),
        style=style,
        write=_write(style),
        say=lambda line: say(line, quiet=arguments.quiet),
        tell=show_problems,
        history=user_state_path("workbench", appauthor=False) / "shell-history.jsonl",
        colour=wants_colour(sys.stderr, arguments.color, os.environ),
        verbose=arguments.verbose,
    )


def _progress(*, quiet: bool) -> Callable[[], OnEvent]:
    """A listener for each line: counts, and before there is anything to count, that one has to wait."""
    import asyncio
    import sys

    from workbench.cli.progress import Progress
    from workbench.cli.streams import has_terminal
    from workbench.replay.events import Event, RunFinished, RunStarted

    def wait() -> None:
        sys.stderr.write("\r\x1b[2Kwaiting for an answer; Ctrl-C stops")
        sys.stderr.flush()

    def listener() -> OnEvent:
        counts = Progress(quiet=quiet)
        if quiet or not has_terminal(sys.stderr):
            return counts
        waiting: list[asyncio.TimerHandle] = []

        def listen(event: Event) -> None:
            counts(event)
            if isinstance(event, RunStarted):
                waiting.append(asyncio.get_running_loop().call_later(_PATIENCE, wait))
            elif isinstance(event, RunFinished):
                for timer in waiting:
                    timer.cancel()
                sys.stderr.write("\r\x1b[2K")
                sys.stderr.flush()

        return listen

    return listener


def _style(color: str) -> Callable[[], Style]:
    """How to draw on stdout as it is now: a terminal may change its width from line to line."""
    import os
    import sys

    from workbench.cli.streams import can_draw, has_terminal, wants_colour
    from workbench.report.writer import Style

    def style() -> Style:
        width = os.get_terminal_size(sys.stdout.fileno()).columns if has_terminal(sys.stdout) else None
        colour = wants_colour(sys.stdout, color, os.environ)
        return Style(colour=colour, width=width or None, ascii=not can_draw(sys.stdout))

    return style


def _write(style: Callable[[], Style]) -> Callable[[Iterable[Line]], None]:
    """Writing to stdout. A reader that has gone is left to `main`: then there is nobody to go on for."""
    import sys

    from workbench.cli.streams import discard_stdout
    from workbench.core.errors import WorkbenchError
    from workbench.report.writer import Writer

    def write(lines: Iterable[Line]) -> None:
        try:
            Writer(sys.stdout, colour=style().colour).lines(lines)
            sys.stdout.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            discard_stdout()
            raise WorkbenchError(f"cannot write to stdout: {error.strerror or error}") from error

    return write
