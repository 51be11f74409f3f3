"""`workbench probe --window`: which part of a turn each adapter reads, where it does not say so itself."""

from __future__ import annotations

import asyncio
import io
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from workbench.adapters.protocol import Adapter
from workbench.cli.bench import Bench, open_bench, say_where
from workbench.cli.exits import Exit
from workbench.cli.loading import scenarios_of
from workbench.cli.output import Destination, outputs_of, stdout_style
from workbench.cli.running import stoppable
from workbench.cli.streams import atomic_write, say, to_reader
from workbench.cli.window_report import Told, write_windows
from workbench.core.cell import BARE, CellKey
from workbench.core.errors import Problem, UsageError, WorkbenchError
from workbench.core.scenario import Scenario
from workbench.core.text import safe, visible
from workbench.core.turn import Turn, bare
from workbench.explain.asking import Asker, Given, NoAnswer, Stopped
from workbench.explain.papers import Papers
from workbench.explain.smallest import OutOfCalls
from workbench.explain.window import Inferred, Unknown, infer
from workbench.explain.window_phrase import candidates, choose
from workbench.files.keywords import KeywordTable, load_keywords
from workbench.files.problems import Problems
from workbench.replay.arms import Chain
from workbench.replay.choice import Choice, choose_chains
from workbench.replay.executor import LocalExecutor
from workbench.report.writer import Style

__all__ = ["CALLS", "act"]

CALLS = 150
"""Calls of one adapter at most, unless said otherwise."""

_FORMATS = ("text", "json")


def act(arguments: Namespace, phrase: str | None) -> int:
    """Infer, print, and return the exit code. Without a phrase one is looked for. Raises WorkbenchError."""
    outputs = outputs_of(arguments.format, arguments.output)
    for output in outputs:
        if output.format not in _FORMATS:
            raise UsageError(f"--window has no format {output.format}: there are {', '.join(_FORMATS)}")
    most = CALLS if arguments.calls is None else arguments.calls
    if most < 1:
        raise UsageError(f"--calls {most}: at least 1 is needed")
    bench = open_bench()
    say_where(bench, quiet=arguments.quiet)
    chains = _chains(bench, arguments.envelope)
    adapters = _adapters(bench, arguments.adapter, quiet=arguments.quiet)
    bench.admit(adapters.values(), trust=arguments.trust)
    phrases = (phrase,) if phrase else candidates(_scenarios(bench), _tables(bench))
    told = asyncio.run(_all(adapters, phrases, chains, most, quiet=arguments.quiet))
    _write(outputs, told, color=arguments.color)
    return _exit(told)


def _exit(told: Sequence[Told]) -> Exit:
    if any(one.stopped for one in told):
        return Exit.INTERRUPTED
    if any(one.inferred is None for one in told):
        return Exit.NO_ANSWER
    return Exit.UNDECIDED if any(one.unknown is not None for one in told) else Exit.OK


async def _all(
    adapters: Mapping[str, Adapter],
    phrases: Sequence[str],
    chains: Sequence[Chain],
    most: int,
    *,
    quiet: bool,
) -> list[Told]:
    told: list[Told] = []
    with stoppable() as stop, Papers(bare("")) as papers:
        async with LocalExecutor(adapters) as executor:
            for name in adapters:
                say(safe(f"workbench: asking {visible(name)}, at most {most:,} times"), quiet=quiet)
                asker = Asker(executor, CellKey("probe", "window", BARE, name), papers, most, stop)
                told.append(await _one(asker, name, phrases, chains))
                if told[-1].stopped:
                    break
    return told


async def _one(asker: Asker, name: str, phrases: Sequence[str], chains: Sequence[Chain]) -> Told:
    error = ""

    async def ask(turn: Turn) -> Given:
        nonlocal error
        given = await asker.ask(turn, BARE)
        error = given.error or error
        return given

    inferred: Inferred | None = None
    stopped = False
    try:
        chosen = await choose(ask, phrases)
        if chosen.layouts is None or chosen.tells is None or chosen.unknown is not None:
            phrase = chosen.layouts.phrase if chosen.layouts else phrases[0] if len(phrases) == 1 else ""
            inferred = Inferred(phrase, "", (), chosen.unknown or Unknown.NO_PHRASE, ())
        else:
            pool = chosen.layouts.fixed([(chain.name, chain.envelopes) for chain in chains])
            inferred = await infer(ask, chosen.layouts, chosen.tells, pool)
    except OutOfCalls:
        inferred = Inferred("", "", (), Unknown.BUDGET, ())
    except NoAnswer as reason:
        error = str(reason)
        inferred = Inferred("", "", (), Unknown.UNANSWERED, ())
    except Stopped:
        stopped = True
    if asker.calls and asker.calls == asker.failed and not stopped:
        inferred = None  # not one answer: that is no unknown window
    return Told(name, asker.calls, inferred, error, stopped)


def _adapters(bench: Bench, asked: Sequence[str] | None, *, quiet: bool) -> dict[str, Adapter]:
    """Those that were asked for, else all that can be followed. Raises UsageError where one cannot."""
    names = asked or bench.workspace.askable
    unknown = [name for name in names if name not in bench.workspace.adapters]
    if unknown:
        known = ", ".join(bench.workspace.adapters)
        raise UsageError(
            [Problem(f"unknown adapter {name!r}", hint=f"there are {known}") for name in unknown]
        )
    built = bench.build(names)
    fit: dict[str, Adapter] = {}
    problems: list[Problem] = []
    for name, adapter in built.items():
        why = _why_not(adapter)
        if why is None:
            fit[name] = adapter
        elif asked:
            problems.append(Problem(f"the window of {name} is not inferred: {why[0]}", hint=why[1]))
        else:
            say(safe(f"workbench: {visible(name)} is left out: {why[0]}"), quiet=quiet)
    if problems:
        raise UsageError(problems)
    if not fit:
        raise UsageError(
            Problem("no adapter of this workspace can be followed", hint="name one with --adapter")
        )
    return fit


def _why_not(adapter: Adapter) -> tuple[str, str] | None:
    """Why moving a phrase would tell nothing, and what does; None where it does tell."""
    able = adapter.capabilities
    if able.wraps:
        return (
            "the app behind it makes the turn, so that no place in it can be chosen",
            "give it a `tap`, and what the tapped function is given is the window",
        )
    if not able.decides:
        return "it decides nothing: what it returns is its window", "`workbench probe TEXT` shows it"
    if not able.deterministic:
        return (
            "it samples, and one answer says nothing about what was read",
            "what a model reads is the request, and `workbench run` shows who wrote which part of it",
        )
    return None


def _chains(bench: Bench, asked: Sequence[str] | None) -> tuple[Chain, ...]:
    """Those asked for, else all of the workspace. Raises WorkbenchError."""
    problems: list[Problem] = []
    scenario = Scenario("probe", (), file="")
    shelf = bench.envelopes((scenario,), asked)
    chains = choose_chains(scenario, shelf, Choice(envelopes=asked), problems)
    if problems:
        raise UsageError(problems)
    return chains


def _scenarios(bench: Bench) -> Sequence[Scenario]:
    """Those that load: what is wrong with others is not asked here."""
    return scenarios_of(bench.workspace.root, bench.cwd, Problems())


def _tables(bench: Bench) -> Iterator[KeywordTable]:
    for spec in bench.workspace.adapters.values():
        table = spec.options.get("table") if spec.use == "keyword" else None
        if table is not None:
            with suppress(WorkbenchError, OSError):
                yield load_keywords(bench.workspace.root / table.value)


def _write(outputs: Sequence[Destination], told: Sequence[Told], *, color: str) -> None:
    for output in sorted(outputs, key=lambda output: output.file is None):
        if output.file is None:
            with to_reader():
                write_windows(output.format, told, sys.stdout, stdout_style(color))
            continue
        text = io.StringIO()
        write_windows(output.format, told, text, Style())
        atomic_write(output.file, text.getvalue())
