"""The demo's gateway: what reaches its router, and which steps it takes before and after."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from workbench.demo import documents, gateway, router

ROOT = Path(__file__).parents[2]


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    monkeypatch.delenv(gateway.LOG_VARIABLE, raising=False)
    gateway.STEPS.clear()
    yield gateway.STEPS
    gateway.STEPS.clear()


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.txt"
    path.write_text("Just click.\n", encoding="utf-8")
    return path


def test_a_message_without_files_reaches_the_router_as_it_was_typed(steps: list[str]) -> None:
    answer = gateway.handle("what's on my calendar")
    assert answer == "tools: 1, then the model"
    assert steps == [
        "message of 21 characters",
        "routing 21 characters",
        "tool google-calendar::list-events",
        "model given 21 characters",
    ]


def test_a_file_is_joined_to_the_message_before_the_router_reads_it(
    steps: list[str], note: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[str] = []
    original = router.naive
    monkeypatch.setattr(router, "naive", lambda text: given.append(text) or original(text))  # type: ignore[func-returns-value]
    gateway.handle("What does it say?", [str(note)])
    assert given == [
        'What does it say?\n\n<document name="note.txt" id="1">\nPlain text, 11 characters.\n'
        "Just click.\n</document>"
    ]
    assert "tool browser::open-session" in steps


def test_a_file_without_words_gets_a_sentence_that_nobody_typed(note: Path) -> None:
    assert documents.join("  ", [str(note)]).startswith(f"{documents.CARRIER}\n\n<document ")


def test_several_files_are_numbered(note: Path) -> None:
    joined = documents.join("Compare them", [str(note), str(note)])
    assert joined.count("<document ") == 2
    assert '<document name="note.txt" id="2">' in joined


def test_a_quote_goes_inside_the_channel(steps: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[str] = []

    def listen(text: str) -> dict[str, Any]:
        given.append(text)
        return {"calls": []}

    monkeypatch.setattr(router, "naive", listen)
    gateway.handle("yes", channel="chat", sender="ana", quoted="Nine?")
    assert given[0].startswith(
        '<untrusted_channel_message channel="chat" from="ana">\n> <ana> Nine?\n\nyes\n'
    )


def test_no_step_follows_the_router_when_the_call_is_stopped_there(
    steps: list[str], note: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stop(BaseException):
        pass

    def stopped(text: str) -> dict[str, Any]:
        raise Stop

    monkeypatch.setattr(router, "naive", stopped)
    with pytest.raises(Stop):
        gateway.handle("click", [str(note)])
    assert [step.split()[0] for step in steps] == ["message", "routing"]


def test_the_steps_are_written_to_the_file_that_the_variable_names(
    steps: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "steps.log"
    monkeypatch.setenv(gateway.LOG_VARIABLE, str(log))
    gateway.handle("hello")
    assert log.read_text(encoding="utf-8").splitlines() == steps


def test_the_gateway_runs_without_a_single_installed_package() -> None:
    code = (
        "import sys; from workbench.demo.gateway import handle; print(handle('click'));"
        "print([m for m in sys.modules if m.startswith('workbench')])"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); {code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    answer, modules = done.stdout.splitlines()
    assert answer == "tools: 1, then the model"
    assert "workbench.core" not in modules
