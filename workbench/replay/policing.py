"""One call through a policy: the router is handed less, and what it says is put back into the turn."""

from __future__ import annotations

from dataclasses import replace

from workbench.adapters.protocol import Answer, Request
from workbench.compare.window import place
from workbench.core.decision import Decision, Match, Span, Window, WindowSource
from workbench.core.handed import Handed, keep, whole, written
from workbench.core.trial import Status
from workbench.core.turn import Turn
from workbench.replay.executor import Executor
from workbench.replay.policies import Policy

__all__ = ["put_back", "taken_from", "through"]


async def through(policy: Policy, executor: Executor, adapter: str, request: Request) -> Answer:
    """The answer to what the policy hands on, its places given in the turn that was delivered.

    A policy that fails is the trial's failure: the router was asked nothing.
    """
    if policy.hand is not None:
        handed = policy.hand(request.turn)
    else:
        answer = await executor.run(policy.name, request)
        decision = answer.decision
        if answer.status is not Status.OK or decision is None or decision.window is None:
            reason = answer.error or "it answered with no text"
            status = Status.ERROR if answer.status is Status.OK else answer.status
            return replace(answer, status=status, decision=None, error=f"the policy {policy.name}: {reason}")
        handed = taken_from(request.turn, decision.window.text)
    answer = await executor.run(adapter, replace(request, turn=handed.turn))
    if answer.decision is None:
        return answer
    return replace(answer, decision=put_back(answer.decision, handed))


def taken_from(turn: Turn, text: str) -> Handed:
    """What a function returned, found again in the turn as far as that can be."""
    if text == turn.text:
        return whole(turn)
    at = turn.text.find(text) if text else -1
    if not text or (at >= 0 and turn.text.find(text, at + 1) < 0):
        return keep(turn, [(max(at, 0), max(at, 0) + len(text))])
    placed = place(Window(text, WindowSource.CAPTURED), turn, turn.typed)
    return written(turn, text, [(part.start, part.end, part.author) for part in placed.parts])


def put_back(decision: Decision, handed: Handed) -> Decision:
    """The decision with windows and matches where they stood in the turn delivered.

    A window that was not reported stays so: that no more was handed on does not say what was read.
    """
    windows, matches = decision.windows, decision.matches
    return replace(
        decision,
        windows=None if windows is None else tuple(_window(window, handed) for window in windows),
        matches=None if matches is None else tuple(_match(match, handed) for match in matches),
        handed=handed.turn.text,
    )


def _window(window: Window, handed: Handed) -> Window:
    spans = window.spans
    if spans is None:
        found = place(window, handed.turn, handed.turn.typed)
        spans = None if found.ambiguous else found.spans
    return replace(window, spans=None if spans is None else _back(spans, handed))


def _back(spans: tuple[Span, ...], handed: Handed) -> tuple[Span, ...] | None:
    found: list[Span] = []
    for start, end in spans:
        there = handed.back(start, end)
        if there is None or (not there and end > start):
            return None
        found += there
    return tuple(found)


def _match(match: Match, handed: Handed) -> Match:
    if match.start is None or match.end is None:
        return match
    there = handed.back(match.start, match.end)
    if not there:
        return replace(match, start=None, end=None)
    return replace(match, start=there[0][0], end=there[-1][1])
