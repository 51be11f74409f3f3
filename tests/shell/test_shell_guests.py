"""Adapters stay open from line to line, are opened anew when they change, and only run where trusted."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from shell_parts import Seat, shipped_copy

from workbench.core.errors import UsageError

APP = """
import os
def route(text):
    return {{"action": "fire", "tool": "{tool}", "note": str(os.getpid())}}
"""


def workspace(folder: Path) -> Path:
    (folder / "workbench.yaml").write_text('adapters: {app: {use: python, target: "app:route"}}\n')
    (folder / "app.py").write_text(APP.format(tool="one"))
    return folder


def pid_in(answer: str) -> int:
    return int(answer.rpartition(" · ")[2])


async def test_one_process_answers_every_line(tmp_path: Path) -> None:
    async with Seat(workspace(tmp_path)) as seat:
        pids = {pid_in(await seat.say(text)) for text in ("a", "b", "c")}
        assert len(pids) == 1
        os.kill(pids.pop(), 0)
        last = pid_in(await seat.say("d"))
    with pytest.raises(ProcessLookupError):
        os.kill(last, 0)


async def test_an_edit_of_the_router_counts_with_the_next_line(tmp_path: Path) -> None:
    async with Seat(workspace(tmp_path)) as seat:
        assert "fire one" in await seat.say("a")
        (tmp_path / "app.py").write_text(APP.format(tool="two"))
        assert "fire two" in await seat.say("a")
        assert "app: changed, and opened anew" in seat.heard.talk


async def test_an_edit_of_a_table_counts_and_a_broken_one_leaves_the_last(tmp_path: Path) -> None:
    async with Seat(shipped_copy(tmp_path), "keywords") as seat:
        table = tmp_path / "scenarios/keywords.yaml"
        assert "pass" in await seat.say("dance")
        table.write_text("keywords:\n  - {phrases: [dance], tool: dance::start}\n")
        assert "fire dance::start" in await seat.say("dance")
        table.write_text("keywords: [")
        assert "fire dance::start" in await seat.say("dance")
        assert "keywords.yaml" in str(seat.heard.problems[-1])
        table.unlink()
        assert "fire dance::start" in await seat.say("dance")
        table.write_text("keywords:\n  - {phrases: [dance], tool: dance::stop}\n")
        assert "fire dance::stop" in await seat.say("dance")


async def test_an_edit_of_an_envelope_counts(tmp_path: Path) -> None:
    async with Seat(shipped_copy(tmp_path), "keywords") as seat:
        await seat.say("/envelope voice-note")
        assert "click" not in await seat.say("hello")
        envelope = tmp_path / "envelopes/voice-note.yaml"
        envelope.write_text(envelope.read_text().replace("[Audio]", "[click]"))
        assert "fire browser::open-session" in await seat.say("hello")
        envelope.unlink()
        assert await seat.say("hello") == ""
        assert "voice-note" in str(seat.heard.problems[-1])


async def test_settings_that_cannot_work_are_told_and_tried_again(tmp_path: Path) -> None:
    (tmp_path / "workbench.yaml").write_text(
        'adapters: {app: {use: python, target: "app:route", cwd: later}}\n'
    )
    async with Seat(tmp_path) as seat:
        assert await seat.say("a") == ""
        assert "later" in str(seat.heard.problems[-1])
        (tmp_path / "later").mkdir()
        (tmp_path / "later/app.py").write_text(APP.format(tool="one"))
        assert "fire one" in await seat.say("a")


async def test_a_guest_that_crashes_is_a_failed_answer_and_the_next_line_goes_on(tmp_path: Path) -> None:
    (tmp_path / "workbench.yaml").write_text('adapters: {app: {use: python, target: "app:route"}}\n')
    (tmp_path / "app.py").write_text(
        "import os\ndef route(text):\n    if text == 'die': os._exit(3)\n    return 'one'\n"
    )
    async with Seat(tmp_path) as seat:
        assert "failed: error" in await seat.say("die")
        assert "fire one" in await seat.say("live")


async def test_an_untrusted_workspace_runs_nothing(tmp_path: Path) -> None:
    async with Seat(workspace(tmp_path), trust=False) as seat:
        with pytest.raises(UsageError, match="not trusted"):
            seat.talk.begin(chosen=False)


async def test_where_trust_is_refused_those_that_need_none_are_left(tmp_path: Path) -> None:
    async with Seat(shipped_copy(tmp_path), trust=False) as seat:
        seat.talk.begin(chosen=False)
        assert seat.session.settings.adapters == ("keywords", "commands")
        assert "not trusted" in str(seat.heard.problems[-1])
        assert "keywords" in await seat.say("hello")
        assert await seat.say("/adapter held") == ""
        assert seat.session.settings.adapters == (
            "keywords",
            "commands",
        )  # a command that fails changes nothing
        assert "not trusted" in str(seat.heard.problems[-1])
        with pytest.raises(UsageError):
            seat.session.choose_adapters(("held",))
            seat.talk.begin(chosen=True)
