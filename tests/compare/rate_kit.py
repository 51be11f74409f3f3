"""Sampled cells and runs, made by hand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from workbench.compare.findings import find
from workbench.core.cell import BARE, AdapterInfo, Cell, CellKey, Delivery, Run
from workbench.core.decision import Decision, Json, Outcome, ToolCall
from workbench.core.finding import Finding
from workbench.core.scenario import Expectation, Samples
from workbench.core.trial import Status, Trial
from workbench.core.turn import Author, Region, Turn, TypedPiece, bare

TYPED = "How many sentences?"
FILE = "\n[a file] Stand up at nine with Maria."
NO_CALLS = Expectation(no_calls=True, spelled="no calls")
HOLD = Expectation(Outcome.HOLD, spelled="hold")
FIRE_MAIL = Expectation(Outcome.FIRE, tool="mail", spelled="fire mail")

Answer = Decision | Status


def fire(*tools: str, **arguments: Json) -> Decision:
    return Decision(Outcome.FIRE, tuple(ToolCall(tool, arguments) for tool in tools))


def said(text: str = "") -> Decision:
    return Decision(Outcome.PASS, note=text or None)


def some(k: int, n: int, decision: Decision | None = None) -> list[Answer]:
    """n answers, k of them a call, spread evenly; the others are words, no two alike."""
    call = decision or fire("mail")
    calls = {int((at + 0.5) * n / k) for at in range(k)}
    return [call if at in calls else said(f"answer {at}") for at in range(n)]


def with_file() -> Turn:
    start = len(TYPED)
    return Turn(
        TYPED + FILE,
        TYPED,
        (Region(0, start, Author.USER), Region(start, start + len(FILE), Author.ATTACHMENT)),
        (TypedPiece(0, start, 0, start),),
    )


def sampled(
    arm: str,
    answers: Iterable[Answer],
    *,
    samples: Samples | None = Samples(60),  # noqa: B008 it is frozen
    prompt: str = "p",
    adapter: str = "a",
    **more: Any,
) -> Cell:
    trials = tuple(
        Trial(index, Status.OK, answer)
        if isinstance(answer, Decision)
        else Trial(index, answer, error="it broke")
        for index, answer in enumerate(answers)
    )
    typed = more.pop("typed", TYPED)
    delivery = Delivery(
        CellKey("s", prompt, arm, adapter),
        typed,
        bare(typed) if arm == BARE else with_file(),
        document=arm == "attached",
        samples=samples,
        file="scenarios/s.yaml",
        **more,
    )
    return Cell(delivery, trials)


def run_of(*cells: Cell, temperature: str | None = None, **more: Any) -> Run:
    fingerprint = f'{{"temperature":"{temperature}"}}' if temperature is not None else ""
    info = AdapterInfo("a", "model", fingerprint, deterministic=False, router=False)
    return Run("r", "2026-01-01T00:00:00+00:00", 1.0, {"a": info}, cells, **more)


def found(*cells: Cell, **more: Any) -> list[Finding]:
    return list(find(run_of(*cells, **more)))


def kinds(*cells: Cell, **more: Any) -> list[tuple[str, str, str | None]]:
    return [(f.kind.value, f.severity.value, f.arm) for f in found(*cells, **more)]
