"""Performing a planned run for a person at a terminal: progress, Ctrl-C, the report, the exit code."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from workbench.adapters.protocol import Adapter
from workbench.cli.bench import Bench, store_root
from workbench.cli.exits import exit_of
from workbench.cli.output import Destination, write_reports
from workbench.cli.progress import Progress
from workbench.cli.streams import drawn, say
from workbench.compare.findings import find
from workbench.compare.known import mark_known
from workbench.compare.run_diff import RunFacts
from workbench.core.cell import Run
from workbench.core.finding import Finding
from workbench.core.text import join, safe, visible, visible_lines
from workbench.replay.engine import as_new_run, replay
from workbench.replay.events import AdapterBroken, AdapterHalted, Event
from workbench.replay.executor import LocalExecutor
from workbench.replay.plan import Plan
from workbench.store.store import Store

__all__ = ["Running", "perform", "stoppable"]


@dataclass(frozen=True, slots=True)
class Running:
    """What is to be run, and how it is kept. What `baseline` has found already fails nothing."""

    bench: Bench
    plan: Plan
    adapters: Mapping[str, Adapter]
    resume: bool = False
    run: str | None = None
    save: bool = True
    quiet: bool = False
    verbose: bool = False
    baseline: RunFacts | None = None
    record: Path | None = None


def perform(
    running: Running, outputs: Sequence[Destination], *, color: str, allow_undecided: bool = False
) -> int:
    """Run it, report it, and return the exit code. Raises WorkbenchError."""
    for note in running.plan.notes:
        say(join((safe("workbench: "), drawn(note))), quiet=running.quiet)
    store = Store.open(store_root(running.bench.workspace)) if running.save else Store.temporary()
    with store:
        run = asyncio.run(_replay(running, store))
    if running.record is not None:
        from workbench.cli.record import record

        record(running.record, run, running.adapters, running.bench.workspace, quiet=running.quiet)
    findings = find(run)
    if running.baseline is not None:
        findings = mark_known(findings, running.baseline)
    write_reports(outputs, run, findings, color=color)
    if all(destination.file for destination in outputs):
        _say_verdict(run, findings, outputs, quiet=running.quiet)
    if running.verbose:
        _say_more(running, run)
    if run.interrupted or run.halted:
        _say_how_far(running, run)
    return exit_of(run, findings, allow_undecided=allow_undecided)


def _say_how_far(running: Running, run: Run) -> None:
    """What there is of a run that is not whole, and how it goes on."""
    done = sum(len(cell.trials) for cell in run.cells)
    most = "at most " if any(delivery.samples for delivery in running.plan.deliveries) else ""
    words = f"stopped: {done:,} of {most}{running.plan.total:,} trials are done"
    for name, reason in run.halted.items():
        words += f"; {visible(name)} was not called to the end: {visible(reason)}"
    if running.save and run.interrupted:
        words += "; the same command with --resume goes on"
    elif running.save:
        words += "; once that has changed, the same command with --resume goes on"
    say(safe(f"workbench: {words}"))


def _say_verdict(
    run: Run, findings: tuple[Finding, ...], outputs: Sequence[Destination], *, quiet: bool
) -> None:
    """One line for a log whose reports are in files."""
    from workbench.report.verdict import counts, verdict

    found = ", ".join(f"{count} {kind}" for kind, count in counts(findings).items()) or "no findings"
    files = ", ".join(str(destination.file) for destination in outputs)
    words = f"{verdict(run, findings).value}: {found}; written to {visible(files)}"
    say(safe(f"workbench: {words}"), quiet=quiet)


def _say_more(running: Running, run: Run) -> None:
    """Which run this was, what decided, and what the guests of failed trials printed."""
    if running.save:
        root = visible(str(store_root(running.bench.workspace)))
        say(safe(f"workbench: run {visible(run.id)} is kept under {root}/.workbench"))
    for name, info in run.adapters.items():
        say(safe(f"workbench: {visible(name)} is {visible(info.use)} {visible(info.fingerprint)}"))
    for cell in run.cells:
        for trial in cell.trials:
            if not trial.ok and trial.log:
                say(safe(f"workbench: log of {visible(str(cell.key))}, trial {trial.index + 1}:"))
                for line in visible_lines(trial.log.rstrip("\n")):
                    say(safe(f"  {line}"))


async def _replay(running: Running, store: Store) -> Run:
    progress = Progress(quiet=running.quiet)
    recording = None
    if running.resume:
        recording = store.resume(as_new_run(running.plan), running.run)
        if recording is None:
            say(safe("workbench: nothing of this plan is unfinished; starting anew"), quiet=running.quiet)

    def listen(event: Event) -> None:
        progress(event)
        if isinstance(event, AdapterBroken | AdapterHalted):
            progress.clear()
            say(safe(f"workbench: {visible(event.adapter)}: {visible(event.reason)}"))

    with stoppable() as stop:
        async with LocalExecutor(running.adapters) as executor:
            run = await replay(running.plan, executor, store, listen, stop, recording)
        for name, reason in executor.left.items():
            say(safe(f"workbench: {visible(name)}: {visible(reason)}"))
    return run


@contextmanager
def stoppable() -> Iterator[asyncio.Event]:
    """An event that the first Ctrl-C sets; the second one cancels the task."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()

    def interrupt() -> None:
        if stop.is_set() and task is not None:
            task.cancel()
        stop.set()

    signals = (signal.SIGINT, signal.SIGTERM)
    with suppress(NotImplementedError):  # Windows: Ctrl-C raises KeyboardInterrupt instead
        for number in signals:
            loop.add_signal_handler(number, interrupt)
    try:
        yield stop
    finally:
        with suppress(NotImplementedError):
            for number in signals:
                loop.remove_signal_handler(number)
