"""A guest's reply becomes an answer: judged by `normalise`, with secrets masked and windows in place."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from workbench.adapters.normalise import normalise
from workbench.adapters.process.environment import Masker
from workbench.adapters.process.host import Reply
from workbench.adapters.process.lines import LOG_KEPT, cut
from workbench.adapters.protocol import Answer
from workbench.core.decision import Decision, Window, WindowSource
from workbench.core.trial import Status

__all__ = ["answer_of"]


def answer_of(
    reply: Reply, masker: Masker, *, turn: str, returns: str = "decision", worker: bool = False
) -> Answer:
    """The answer that a reply amounts to.

    `turn` is the text that was sent. `worker`: the reply is our own worker's, whose extra fields
    (`windows`, `status`, `flags`) count; of any other guest they are ignored.
    """
    log = masker.said(reply.log)[-LOG_KEPT:]
    if reply.status is not Status.OK:
        raw = masker.maybe(reply.raw)
        return Answer(reply.status, None, masker.maybe(reply.error), raw, log)
    try:
        return _read(reply, masker, log, turn, returns, worker)
    except RecursionError:
        return Answer(Status.MALFORMED, None, "the answer is nested too deeply", None, log)


def _read(reply: Reply, masker: Masker, log: str, turn: str, returns: str, worker: bool) -> Answer:
    body = masker.value(dict(reply.body))
    assert isinstance(body, dict)
    windows = _captured(body.get("windows")) if worker else None
    if body.get("error") is not None:
        status = Status.ERROR
        if worker and body.get("status") == Status.NOT_REACHED.value:
            status = Status.NOT_REACHED
        return Answer(status, None, cut(masker.said(_text(body["error"]))), _evidence(windows), log)
    if "decision" not in body:
        return Answer(Status.MALFORMED, None, "neither a decision nor an error", cut(_text(body)), log)
    return _judged(body, windows, turn, returns, log, reply.flags)


def _judged(
    body: Mapping[str, object],
    windows: tuple[Window, ...] | None,
    turn: str,
    returns: str,
    log: str,
    flags: Sequence[str],
) -> Answer:
    said = body["decision"]
    if isinstance(said, dict) and set(said) == {"unreadable"}:
        error = f"what it returned is no value that JSON knows: {_text(said['unreadable'])}"
        return Answer(Status.MALFORMED, None, error, _evidence(windows) or cut(_text(said)), log)
    read = normalise(said, returns=returns, turn=turn if windows is None else None)
    if read.decision is None:
        return Answer(Status.MALFORMED, None, read.error, cut(read.raw), log)
    decision = read.decision if windows is None else _with_captured(read.decision, windows)
    own = body.get("flags")
    extra = (*flags, *(map(str, own) if windows is not None and isinstance(own, list) else ()))
    if extra:
        decision = replace(decision, flags=(*decision.flags, *extra))
    return Answer(Status.OK, decision, log=log)


def _with_captured(decision: Decision, windows: tuple[Window, ...]) -> Decision:
    """What a tapped function was given is its window; what it says that it read is evidence beside it."""
    scanned = decision.windows[-1].text if decision.windows else None
    return replace(decision, windows=windows or None, scanned=scanned)


def _captured(value: object) -> tuple[Window, ...] | None:
    if not isinstance(value, list):
        return None
    return tuple(
        Window(item["text"], WindowSource.CAPTURED, None, tap=str(item.get("tap", "")))
        for item in value
        if isinstance(item, dict) and isinstance(item.get("text"), str)
    )


def _evidence(windows: tuple[Window, ...] | None) -> str | None:
    """What a tapped function was given in a trial that has no decision to keep it."""
    if not windows:
        return None
    return cut(_text({"windows": [{"tap": window.tap, "text": window.text} for window in windows]}))


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
