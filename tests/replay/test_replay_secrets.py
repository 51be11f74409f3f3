"""What an adapter raises is kept without the keys that it quotes, and so is what identifies it."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

import pytest

from workbench.adapters.protocol import Adapter, Answer, Request
from workbench.core.errors import WorkbenchError
from workbench.core.trial import Status
from workbench.core.turn import bare
from workbench.replay.calling import call
from workbench.replay.executor import Executor
from workbench.replay.identity import fingerprint_of

SHAPED = "sk-" + "proj-aB3dE6gH9jK2mN5pQ8"
PLAIN = "correct-horse-battery"


class Raising:
    """As much of an executor as a call takes."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    async def run(self, adapter: str, request: Request) -> Answer:
        headers = {"authorization": f"Bearer {PLAIN}"}
        raise self._error from ValueError(f"with {headers}")


@pytest.mark.parametrize("kind", [RuntimeError, WorkbenchError])
async def test_no_key_stands_in_an_error_or_its_traceback(
    monkeypatch: pytest.MonkeyPatch, kind: type[Exception]
) -> None:
    monkeypatch.setenv("SOME_API_KEY", PLAIN)
    error = kind(f"401 for {SHAPED} and {PLAIN}")
    answer = await call(cast(Executor, Raising(error)), "any", Request(bare("hello")))
    assert answer.status is Status.ERROR
    assert (answer.error or "").endswith("401 for [secret] and [secret]")
    for text in (answer.error or "", answer.log):
        assert SHAPED not in text and PLAIN not in text
    assert ("Traceback" in answer.log) == (kind is RuntimeError)


def test_no_key_stands_in_a_fingerprint() -> None:
    marks: Mapping[str, Any] = {"url": f"http://h/x?key={SHAPED}&page=2", "send": '{"password": "hunter2"}'}
    adapter = cast(Adapter, SimpleNamespace(fingerprint=lambda: marks))
    spelled = fingerprint_of(adapter)
    assert SHAPED not in spelled and "hunter2" not in spelled
    assert "page=2" in spelled
