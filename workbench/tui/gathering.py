"""The newest answers as a run again, to be looked through: of one prompt, or of whole scenarios."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from workbench.core.cell import BARE, Run
from workbench.core.scenario import Accept
from workbench.tui.board import Board

__all__ = ["is_whole", "prompt_run", "run_of"]


def prompt_run(board: Board, scenario: str, prompt: str, accept: tuple[Accept, ...]) -> Run:
    """The newest answers of one prompt, to be read for the findings that are about it alone."""
    keys = sorted(board.keys(scenario, prompt), key=lambda key: key.arm != BARE)
    cells = tuple(board.cells[key] for key in keys if key in board.cells and key.adapter in board.adapters)
    return Run(board.run, "", 0.0, dict(board.adapters), cells, accept={scenario: accept})


def run_of(
    board: Board,
    prompts: Mapping[str, frozenset[str]],
    interrupted: bool,
    accept: Mapping[str, tuple[Accept, ...]] | None = None,
) -> Run:
    """The newest answers of some scenarios as one run, to be read for findings.

    `prompts` names the prompts that stand in each scenario's file now: others are left out.
    `accept` is what these files know of.
    """
    cells = [
        cell
        for key, cell in board.cells.items()
        if key.prompt in prompts.get(key.scenario, ()) and key.adapter in board.adapters
    ]
    rank = {key: number for number, key in enumerate(board.planned)}
    cells.sort(key=lambda cell: rank.get(cell.key, len(rank)))
    known = accept or {}
    whole = frozenset(
        name for name, labels in prompts.items() if is_whole(board, name, labels, bool(known.get(name)))
    )
    return Run(
        board.run,
        "",
        0.0,
        dict(board.adapters),
        tuple(cells),
        whole=whole,
        interrupted=interrupted,
        accept=known,
        halted=dict(board.halted),
    )


def is_whole(board: Board, scenario: str, prompts: Iterable[str], planned: bool) -> bool:
    """Whether every prompt has an answer from every arm and adapter that is known to be its.

    With `planned` it must be known what is planned: a stored run may have left some of it out.
    """
    if planned and not any(key.scenario == scenario for key in board.planned):
        return False
    return all(_is_answered(board, scenario, label) for label in prompts)


def _is_answered(board: Board, scenario: str, prompt: str) -> bool:
    keys = board.keys(scenario, prompt)
    return bool(keys) and all(key in board.cells and board.cells[key].trials for key in keys)
