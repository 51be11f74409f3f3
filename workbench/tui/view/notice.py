"""What the comparison pane says while there is nothing to compare: each state has words of its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.core.cell import BARE, Cell, CellKey, Delivery
from workbench.core.errors import Problem
from workbench.core.finding import Finding
from workbench.core.text import safe, visible
from workbench.tui.board import CellState
from workbench.tui.counting import count_of
from workbench.tui.keymap import key_of
from workbench.tui.place import RowKind
from workbench.tui.progress import Phase
from workbench.tui.verdicts import Counts
from workbench.tui.view.headline import headline, sign
from workbench.tui.view.ink import Piece, Tone, ink
from workbench.tui.view.paper import Document
from workbench.tui.view.rows import DocRow, Full, Heading, Pair, Words, note

if TYPE_CHECKING:
    from workbench.tui.state import SessionState

__all__ = ["notice_of", "problem_rows", "unshowable", "untrusted"]

FIRST_SCENARIO = (
    "scenario: first",
    "prompts:",
    "  - text: what's on my calendar today",
    "    expect: fire calendar.list_events",
    "  - text: build me a workflow that checks my calendar",
    "    expect: hold",
)
SHOWN_FINDINGS = 200
SHOWN_ERRORS = 5


def notice_of(state: SessionState) -> Document:
    """Words for what is chosen, where it is no cell with an answer."""
    here = state.place.here
    if here is None:
        sifted = not state.sieve.is_open
        return _document("nothing matches", _sifted(state)) if sifted else _document("welcome", _empty(state))
    if here.kind is RowKind.FILE:
        problems = [p for p in state.session.problems if (p.mark.file if p.mark else "") == here.name]
        return _document("this file does not load", problem_rows(problems))
    if here.prompt is None:
        return _document("scenario", _overview(state, here.name))
    key = state.place.key
    trouble = _trouble(state, here.name)
    if key is None:
        rows = trouble or [note("Nothing is planned for this prompt yet.")]
        return _document("not run", rows)
    return _document(state.board.state(key).value, [*trouble, *_cell(state, key)])


def _document(name: str, rows: Iterable[DocRow]) -> Document:
    return Document((None, safe(name)), tuple(rows))


def unshowable(cell: Cell | None, problems: Iterable[Problem]) -> Document:
    """Stands in for a comparison that failed."""
    rows = [note("This answer cannot be compared:", Tone.STRONG), *problem_rows(problems)]
    return Document((None, safe("comparison")), tuple(rows), cell=cell)


def problem_rows(problems: Iterable[Problem]) -> list[DocRow]:
    """Each problem: where it is, what is wrong, what to do."""
    rows: list[DocRow] = []
    for problem in problems:
        if rows:
            rows.append(note(" "))
        mark = problem.mark
        if mark is not None:
            where = Piece(visible(mark.file), Tone.STRONG)
            rows.append(Full(Words.of(where, ink(f":{mark.line}:{mark.column}", Tone.STRONG))))
        lines = problem.message.split("\n")
        rows += [Full(Words.of(ink("! ", Tone.WARNING), Piece(visible(line)))) for line in lines]
        if problem.hint:
            rows.append(Full(Words.of(ink("→ ", Tone.MUTED), Piece(visible(problem.hint), Tone.MUTED))))
    return rows


def untrusted(state: SessionState) -> list[DocRow]:
    """Why nothing that starts a program is run here, and how that is changed; empty where all is trusted."""
    if not state.session.lacks_trust:
        return []
    return [
        note("! This workspace is not trusted yet.", Tone.WARNING),
        note("Its adapters start programs, and none of these is run before that is allowed:"),
        note(f"{key_of(state, 'trust')} shows what they start and lets them, as `workbench trust` does."),
        note(" "),
    ]


def _empty(state: SessionState) -> list[DocRow]:
    rows: list[DocRow] = [
        note("This workspace has no scenarios yet.", Tone.STRONG),
        note(" "),
        note("A scenario lists prompts, and what is expected of each."),
        note(f"{key_of(state, 'new')} begins one here. By hand, it is such a file:"),
        Full(Words.of(ink("scenarios/first.yaml", Tone.STRONG), ink(":", Tone.MUTED))),
        note(" "),
        *(note(f"  {line}", Tone.PLAIN) for line in FIRST_SCENARIO),
        note(" "),
        note("Adapters, the routers that are asked, are declared in workbench.yaml."),
    ]
    return [*untrusted(state), *rows]


def _sifted(state: SessionState) -> list[DocRow]:
    """The list is empty because of what was asked for, and not because there is nothing."""
    search, told = state.sieve.search, state.sieve.told
    rows = [note("No prompt is left of the list.", Tone.STRONG)]
    if search is not None:
        rows.append(Full(Words.of(ink("searched for  ", Tone.MUTED), Piece(visible(search.words)))))
    if told is not None:
        rows.append(Full(Words.of(ink("only  ", Tone.MUTED), Piece(told))))
    return [*rows, note(f"{key_of(state, 'show-all')} shows everything again.")]


def _trouble(state: SessionState, scenario: str) -> list[DocRow]:
    """What stands in the way of a run of this scenario."""
    rows = untrusted(state)
    problems = state.plan_problems(scenario)
    if problems:
        rows += [
            note("This scenario cannot be run as it stands:", Tone.STRONG),
            *problem_rows(problems),
            note(" "),
        ]
    board = state.board
    for names, words in ((board.broken, " cannot be called: "), (board.halted, " was stopped short: ")):
        for name, reason in names.items():
            who = (ink("! ", Tone.WARNING), Piece(visible(name), Tone.STRONG), ink(words, Tone.WARNING))
            rows += [Full(Words.of(*who, Piece(visible(reason)))), note(" ")]
    if state.run_problems:
        rows += [
            note("The last run did not take place:", Tone.STRONG),
            *problem_rows(state.run_problems),
            note(" "),
        ]
    return rows


def _overview(state: SessionState, name: str) -> list[DocRow]:
    scenario = state.scenarios[name]
    counts = state.counts(name)
    rows = _trouble(state, name)
    if scenario.about:
        rows += [Full(Words.of(Piece(visible(line)))) for line in scenario.about.split("\n")]
    rows.append(Full(Words.of(ink(visible(scenario.file), Tone.MUTED))))
    prompts = len(scenario.prompts)
    said = f"{_plural(prompts, 'prompt')}, {_plural(counts.cells, 'cell')}: "
    said += f"{counts.ok} answered, {counts.failed} failed, {counts.not_run} not run"
    said += f", {counts.running} under way" if counts.running else ""
    rows.append(note(said, Tone.PLAIN))
    findings = state.verdicts.of_scenario(name)
    rows += _standing(state, name, counts, bool(findings))
    if findings:
        rows.append(Heading(safe("findings")))
        rows += [_finding(finding) for finding in findings[:SHOWN_FINDINGS]]
        if len(findings) > SHOWN_FINDINGS:
            rows.append(note(f"and {len(findings) - SHOWN_FINDINGS} more, in the prompts above"))
    return rows


def _standing(state: SessionState, name: str, counts: Counts, found: bool) -> list[DocRow]:
    """How far it is, in words: they stand above the findings, which may be many."""
    every = key_of(state, "run-shown")
    stopped = state.progress.phase is Phase.STOPPED
    if counts.unjudged and not counts.running:
        return [note("The answers are being looked through for findings…", Tone.RUNNING)]
    if counts.unread:
        return [note("Answers of earlier runs are being read for findings…", Tone.RUNNING)]
    if counts.running:
        said = f"Running: {key_of(state, 'stop')} stops the run and keeps what is done."
        return [note(said, Tone.RUNNING)]
    if not counts.ok and not counts.failed:
        said = "The last run was stopped before anything answered" if stopped else "Nothing has been run yet"
        return [note(f"{said}: {every} runs the whole scenario.")]
    rows: list[DocRow] = []
    if not counts.ok:
        rows += _all_failed(state, name)
    elif not found:
        rows.append(note("Nothing was found wrong.", Tone.OK))
    if stopped:
        rows.append(note(f"The last run was stopped, and what it had done is kept: {every} runs all of it."))
    return rows


def _all_failed(state: SessionState, name: str) -> list[DocRow]:
    """Nothing answered: what the first of the failures said is most likely what the others would say."""
    cells = [cell for key, cell in state.board.cells.items() if key.scenario == name and cell.trials]
    rows: list[DocRow] = [note("Everything failed: no adapter gave an answer.", Tone.WARNING)]
    errors = dict.fromkeys(trial.error for cell in cells for trial in cell.trials if trial.error)
    for error in list(errors)[:SHOWN_ERRORS]:
        lines = error.split("\n")[:SHOWN_ERRORS]
        rows += [Full(Words.of(ink("! ", Tone.WARNING), Piece(visible(line)))) for line in lines]
    rows.append(note(f"Once that is mended, {key_of(state, 'run-failed')} runs again what failed."))
    return rows


def _plural(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _finding(finding: Finding) -> Full:
    where = [Piece(visible(part)) for part in (finding.prompt, finding.arm) if part is not None]
    place = [piece for part in where for piece in (part, ink(" · ", Tone.MUTED))]
    said = (sign(finding), ink(" "), *place, Piece(visible(finding.adapter)), ink("  "), *headline(finding))
    return Full(Words.of(*said), cut=True)


def _cell(state: SessionState, key: CellKey) -> list[DocRow]:
    known = state.board.state(key)
    if known is CellState.NO_ARM:
        # Late: the first frame stands on a cell that has an arm.
        from workbench.replay.arms import ATTACH

        arm, adapter = Piece(visible(key.arm), Tone.STRONG), Piece(visible(key.adapter), Tone.STRONG)
        rows: list[DocRow] = [
            Full(Words.of(adapter, ink(" gets no delivery "), arm, ink(" of this prompt.")))
        ]
        info = state.board.adapters.get(key.adapter)
        if info is not None and info.wraps:
            rows.append(note("The app behind it joins the turn itself, so envelopes do not apply."))
        elif key.arm == ATTACH:
            rows.append(
                note("On that arm the app itself joins the file: it takes `entry`, or a model's `build`.")
            )
        return rows
    if known is CellState.RUNNING:
        done = state.board.trials_so_far(key)
        stop = key_of(state, "stop")
        said = f"Running: {_plural(done, 'trial')} so far; {stop} stops the run and keeps what is done."
        return [note(said, Tone.RUNNING), *_live(state, key)]
    if key in state.board.tallies:
        if state.stored.is_unread(key.scenario, key.prompt):
            return [note("Reading the stored answer…", Tone.RUNNING)]
        again = key_of(state, "run-cell")
        said = f"The stored answer cannot be read: the list of files says why. {again} runs it again."
        return [note(said, Tone.WARNING)]
    cell = state.board.cells.get(key)
    if cell is not None and cell.trials:
        window = cell.decision.window if cell.decision is not None else None
        size = f" of {len(window.text):,} characters" if window is not None else ""
        return [note(f"Comparing a window{size}…", Tone.RUNNING)]
    one, every = key_of(state, "run-cell"), key_of(state, "run-shown")
    rows = [note(f"Not run yet: {one} runs this cell, {every} all that is shown.", Tone.STRONG)]
    delivery = state.board.planned.get(key)
    return rows + (_preview(delivery) if delivery is not None else [])


def _live(state: SessionState, key: CellKey) -> list[DocRow]:
    """What a sampled cell counted so far, beside bare; nothing is concluded before the run is over."""
    rows: list[DocRow] = []
    for arm in dict.fromkeys((BARE, key.arm)):
        count = count_of(state.board, replace(key, arm=arm))
        if count is not None and count.n:
            failed = f", {count.failed} failed" if count.failed else ""
            said = (ink(": "), Piece(visible(count.event.name)), ink(f" in {count.k} of {count.n}{failed}"))
            rows.append(Full(Words.of(Piece(visible(arm), Tone.STRONG), *said)))
    return rows


def _preview(delivery: Delivery) -> list[DocRow]:
    """What would be sent, in its authors' tones."""
    # Late: it brings in what compares, and the first frame compares nothing.
    from workbench.tui.view.window import legend, lines_of, side_words

    turn = delivery.turn
    heading = Heading(
        safe("the turn that will be sent"), (ink(f"{len(turn.text):,} characters", Tone.MUTED),)
    )
    rows: list[DocRow] = [heading]
    if not turn.text:
        return [*rows, note("nothing: no words were typed")]
    rows.append(Full(Words.of(*legend({region.author for region in turn.regions}))))
    for line in lines_of(turn.text):
        rows.append(Pair(" ", None, side_words(line, turn.regions)))
    if turn.made_by_app:
        rows.append(note("The app itself joins the attachments to this."))
    return rows
