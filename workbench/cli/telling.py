"""The guided walk in words: each step's caption, its command, and the part of the report that it is about."""

from __future__ import annotations

import asyncio
import os
import shlex
import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.cli.bench import Bench
from workbench.cli.exits import Exit
from workbench.cli.output import stdout_style
from workbench.cli.progress import Progress
from workbench.cli.running import stoppable
from workbench.cli.streams import say, to_reader
from workbench.compare.findings import find
from workbench.core.cell import CellKey, Run
from workbench.core.finding import Finding
from workbench.core.text import safe, visible
from workbench.demo.walk import CALLS, CLOSING, CLOSING_TITLE, RATE, STEPS, WORDS, Step
from workbench.files.workspace import load_workspace, packaged_root
from workbench.replay.choice import Choice
from workbench.replay.engine import replay
from workbench.replay.executor import LocalExecutor
from workbench.report.as_text import write_excerpt
from workbench.report.verdict import silent_adapters
from workbench.report.writer import Line, Piece, Style, Writer, own
from workbench.store.store import Store

if TYPE_CHECKING:
    from workbench.explain.explanation import Explanation

__all__ = ["command_of", "explained_sentence", "explained_step", "rated_sentences", "run_step", "tell_walk"]


def tell_walk(*, color: str, quiet: bool) -> int:
    """Print the walk, each step once it has run; returns the exit code. Raises WorkbenchError."""
    bench = Bench(load_workspace(packaged_root(), packaged=True), Path(os.path.realpath(Path.cwd())))
    say(safe(f"workbench: on {visible(str(bench.workspace.root))}; no run is kept"), quiet=quiet)
    code = Exit.OK
    with Store.temporary() as store:
        for number, step in enumerate(STEPS, start=1):
            if step.counted:
                _show_requests(number, step, stdout_style(color))
                continue
            run = asyncio.run(run_step(bench, step, store, quiet=quiet))
            if run.interrupted:
                return Exit.INTERRUPTED
            found = asyncio.run(explained_step(bench, step)) if step.explained else None
            _show(number, step, run, find(run), found, stdout_style(color))
            if silent := silent_adapters(run):
                names = visible(", ".join(silent))
                say(safe(f"workbench: not one answer from {names}: what the caption says cannot be seen"))
                code = Exit.NO_ANSWER
    with to_reader():
        Writer(sys.stdout, colour=stdout_style(color).colour).lines(_closing(stdout_style(color)))
    return code


async def run_step(bench: Bench, step: Step, store: Store, *, quiet: bool = True) -> Run:
    """Run what a step asks for. Raises WorkbenchError."""
    loaded = bench.load([_target(step)])
    choice = Choice(adapters=(step.at.adapter,) if step.alone else None, prompts=loaded.labels)
    plan, adapters = bench.plan(loaded, choice)
    with stoppable() as stop:
        async with LocalExecutor(adapters) as executor:
            return await replay(plan, executor, store, Progress(quiet=quiet), stop)


async def explained_step(bench: Bench, step: Step) -> Explanation:
    """Why the decision of a step's cell moved. Raises WorkbenchError."""
    from workbench.cli.subject import Named, subject_of
    from workbench.explain.explaining import explain

    at = step.at
    subject, adapters = subject_of(bench, Named(f"{at.scenario}#{at.prompt}", at.arm, at.adapter))
    with stoppable() as stop:
        async with LocalExecutor(adapters) as executor:
            return await explain(subject, executor, stop=stop)


def explained_sentence(step: Step, found: Explanation) -> str:
    """What a step says of the words that moved its cell."""
    from workbench.explain.wording import words_of

    return step.explained.replace(CALLS, str(found.calls)).replace(WORDS, words_of(found))


def command_of(step: Step) -> str:
    """The command that prints the whole of what a step is about."""
    if step.explained:
        return shlex.join(["workbench", "explain", str(CellKey(*step.at))])
    words = ["workbench", "run", _target(step)]
    if step.alone:
        words += ["--adapter", step.at.adapter]
    return shlex.join(words)


def _target(step: Step) -> str:
    return step.at.scenario if step.whole else f"{step.at.scenario}#{step.at.prompt}"


def _show(
    number: int,
    step: Step,
    run: Run,
    findings: Sequence[Finding],
    found: Explanation | None,
    style: Style,
) -> None:
    why = [explained_sentence(step, found)] if found is not None else []
    with to_reader():
        writer = Writer(sys.stdout, colour=style.colour)
        writer.line(Piece(safe(f"{number} of {len(STEPS)}  {step.title}"), "strong"))
        writer.lines(_told((*step.caption, *rated_sentences(step, run), *why), style))
        writer.line()
        writer.line(Piece(safe(f"$ {command_of(step)}"), "dim"))
        if found is not None:
            from workbench.cli.explained import write_explanation

            write_explanation("text", found, None, sys.stdout, style)
        else:
            write_excerpt(run, findings, CellKey(*step.at), sys.stdout, style)
        writer.line()
        writer.line()


def _show_requests(number: int, step: Step, style: Style) -> None:
    """The ledger of what the demo's gateway sends, as its command prints it."""
    from workbench.cli.demo_requests import FOLDER, commands_for, counted_sentence, ledger_of_demo
    from workbench.cli.lanes_ledger_text import ledger_lines

    found = ledger_of_demo()
    with to_reader():
        writer = Writer(sys.stdout, colour=style.colour)
        writer.line(Piece(safe(f"{number} of {len(STEPS)}  {step.title}"), "strong"))
        writer.lines(_told((*step.caption, counted_sentence(step, found)), style))
        writer.line()
        for command in (f"workbench demo --requests {FOLDER}", commands_for(FOLDER)[0]):
            writer.line(Piece(safe(f"$ {visible(command)}"), "dim"))
        for line in ledger_lines(found):
            writer.line(Piece(line))
        writer.line()
        writer.line()


def rated_sentences(step: Step, run: Run) -> list[str]:
    """What a step says of its sampled cells, with the numbers of the run."""
    if not step.rated:
        return []
    from workbench.compare.rates import readings

    known = readings(run)
    told = [(rated, known.get(CellKey(*rated.at))) for rated in step.rated]
    return [
        visible(rated.sentence.replace(RATE, reading.words)) for rated, reading in told if reading is not None
    ]


def _told(sentences: Sequence[str], style: Style) -> Iterator[Line]:
    """A sentence a line; on a terminal no line is longer than that."""
    for sentence in sentences:
        lines = [sentence] if style.width is None else textwrap.wrap(sentence, max(20, style.width))
        for line in lines:
            yield (Piece(own(line, style)),)


def _closing(style: Style) -> Iterator[Line]:
    yield (Piece(own(CLOSING_TITLE, style), "strong"),)
    for line in CLOSING:
        yield (Piece(own(line, style)),)
