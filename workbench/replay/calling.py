"""One bounded call of a guest: whatever it does, it ends as an answer."""

from __future__ import annotations

import asyncio
import os
import traceback
from dataclasses import replace

from workbench.adapters.protocol import Answer, Request
from workbench.core.errors import WorkbenchError
from workbench.core.mask import Masker
from workbench.core.shapes import is_secret_name
from workbench.core.trial import Status, Trial
from workbench.replay.executor import Executor
from workbench.replay.policies import Policy
from workbench.replay.policing import through

__all__ = ["GRACE", "call", "timed_out", "trial_of"]

GRACE = 2.0
"""Seconds on top of an adapter's own limit, and seconds for a cancelled call to end."""


async def call(executor: Executor, adapter: str, request: Request, policy: Policy | None = None) -> Answer:
    """The answer, through the policy where there is one.

    Anything raised becomes an answer with the status `error`; the time is not bounded here.
    """
    try:
        if policy is None:
            answer = await executor.run(adapter, request)
        else:
            answer = await through(policy, executor, adapter, request)
    except WorkbenchError as error:
        return Answer(Status.ERROR, error=_masker().text(str(error)))
    except (Exception, SystemExit) as error:
        masker = _masker()
        return Answer(Status.ERROR, error=masker.text(_named(error)), log=masker.text(_traced(error)))
    return _checked(answer)


async def timed_out(task: asyncio.Task[Answer], timeout: float) -> Answer:
    """Ends a call that went past its limit. A guest that ignores this is not waited for."""
    task.cancel()
    await asyncio.wait((task,), timeout=GRACE)
    return Answer(Status.TIMEOUT, error=f"no answer within {timeout:g} s")


def trial_of(answer: Answer, index: int, seed: int, seconds: float) -> Trial:
    """The answer as a trial. Only one that is ok keeps a decision. `seconds` is what the call took here."""
    return Trial(
        index=index,
        status=answer.status,
        decision=answer.decision if answer.status is Status.OK else None,
        error=answer.error,
        raw=answer.raw,
        log=answer.log,
        seconds=seconds if answer.seconds is None else answer.seconds,
        seed=seed,
        exchange=answer.exchange,
    )


def _checked(answer: Answer) -> Answer:
    """An adapter of someone else's may break its contract, and then its answer is not taken for one."""
    if not isinstance(answer, Answer):
        return Answer(Status.ERROR, error=f"the adapter answered a {type(answer).__name__}, not an Answer")
    if answer.status is Status.OK and answer.decision is None:
        return replace(answer, status=Status.ERROR, error="the adapter answered `ok` without a decision")
    if answer.status is not Status.OK and answer.error is None:
        reason = f"the adapter answered `{answer.status}` and gave no reason"
        return replace(answer, error=reason)
    return answer


def _masker() -> Masker:
    """For what an adapter raised and has not masked itself: it may quote any variable that is a secret."""
    return Masker(value for name, value in os.environ.items() if is_secret_name(name))


def _named(error: BaseException) -> str:
    try:
        words = str(error)
    except Exception:
        words = "it cannot be printed"
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def _traced(error: BaseException) -> str:
    """The traceback from the adapter on: our own frames say nothing about it."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_globals.get("__name__", "").startswith(_OURS):
        trace = trace.tb_next
    try:
        return "".join(traceback.format_exception(type(error), error, trace))
    except Exception:
        return ""


_OURS = ("workbench.replay.",)
