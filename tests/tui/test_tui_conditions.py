"""Every state of a workspace has a look of its own: words that no other has, small or big."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from test_tui_screen import Driver, driving
from tui_written import session_in

from workbench.tui.progress import Phase

FILES = {
    "workbench.yaml": 'adapters: {mine: {use: python, target: "app:route", timeout: 30}}\n',
    "app.py": "import os, time\ndef route(text):\n    {body}\n",
    "scenarios/day.yaml": """\
scenario: day
adapters: [mine]
prompts:
  - {id: today, text: what is on my calendar, expect: pass}
  - {id: plan, text: build me a workflow}
""",
    "envelopes/chat.yaml": """\
envelope: chat
ingress: channel
template: |-
  <msg>
  {text}
  </msg>
source: {from: made, status: hand-written}
""",
}


def emptied(root: Path) -> None:
    shutil.rmtree(root / "scenarios")


def broken(root: Path) -> None:
    (root / "scenarios" / "night.yaml").write_text("scenario: night\nprompts:\n  - text: [1\n")


def missing(root: Path) -> None:
    file = root / "scenarios" / "day.yaml"
    file.write_text(file.read_text().replace("[mine]", "[gone]"))


def routes(body: str) -> Callable[[Path], None]:
    def write(root: Path) -> None:
        (root / "app.py").write_text(FILES["app.py"].format(body=body))

    return write


STATES: dict[str, tuple[Callable[[Path], None], tuple[str, ...], tuple[str, ...]]] = {
    "empty": (emptied, (), ("This workspace has no scenarios yet", "o begins one here", "no scenarios")),
    "untrusted": (
        routes("return None"),
        ("top",),
        ("This workspace is not trusted yet", "T shows what they start", "not trusted"),
    ),
    "broken": (
        broken,
        ("bottom",),
        ("scenarios/night.yaml:3:11", "this file does not load", "is never closed", "1 bad file"),
    ),
    "missing": (
        missing,
        ("top",),
        ("This scenario cannot be run as it stands", "scenarios/day.yaml:2:12", 'unknown adapter "gone"'),
    ),
    "crashed": (
        routes("os._exit(3) if 'calendar' in text else None"),
        ("top", "run-shown", "next-case"),
        ("exited with status 3", "! error", "no decision", "2 failed"),
    ),
    "same": (
        routes("return 'list' if 'workflow' in text else None"),
        ("top", "run-shown"),
        ("Nothing was found wrong", "✓ day"),
    ),
    "failed": (
        routes("raise RuntimeError('no database')"),
        ("top", "run-shown"),
        ("Everything failed: no adapter gave an answer", "no database", "`.` runs again what failed"),
    ),
    "interrupted": (
        routes("time.sleep(0 if 'workflow' in text else 30)"),
        ("top", "run-shown", "stop"),
        ("The last run was stopped", "R runs the whole", "! stopped after 0 trials"),
    ),
}
"""How it comes about, what is pressed, and what is then said: of all others none has the first."""


def made(name: str, folder: Path) -> Path:
    root = folder / "gateway"
    for file, text in FILES.items():
        path = root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    STATES[name][0](root)
    if name != "untrusted":
        trust = session_in(root).trust
        assert trust is not None
        trust()
    return root


async def seen(driver: Driver, name: str) -> str:
    """What stands there once the state is reached."""
    for command in STATES[name][1]:
        await driver.settle(None if command != "stop" else lambda: phase_of(driver) is Phase.RUNNING)
        await driver.press(command)
    await driver.settle()
    await driver.pilot.pause()
    return driver.text()


def phase_of(driver: Driver) -> Phase:
    return driver.state.progress.phase


@pytest.mark.parametrize("size", [(80, 24), (160, 45)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", STATES)
async def test_a_state_says_what_it_is_and_no_other(
    name: str, size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = made(name, tmp_path)
    monkeypatch.chdir(root)
    async with driving(session_in(root), size) as driver:
        text = await seen(driver, name)
    for words in STATES[name][2]:
        assert words in text, text
    others = {other: said[2][0] for other, said in STATES.items() if other != name}
    assert [other for other, words in others.items() if words in text] == []


async def test_a_file_that_breaks_meanwhile_is_told_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = made("same", tmp_path)
    monkeypatch.chdir(root)
    async with driving(session_in(root)) as driver:
        await driver.settle(lambda: not driver.main.runner.busy)
        watcher = driver.main.runner.watcher
        watcher._seen = watcher._look()
        broken(root)
        await watcher.look()
        await driver.pilot.pause()
        assert driver.toasts() == ['scenarios/night.yaml:3:11: "[" is never closed']
        assert "! night.yaml" in driver.text() and "1 bad file" in driver.text()
        # Once: what is known to be wrong is not told again.
        (root / "app.py").write_text("def route(text): return 'other'\n")
        await watcher.look()
        await driver.pilot.pause()
        assert len(driver.toasts()) == 1
