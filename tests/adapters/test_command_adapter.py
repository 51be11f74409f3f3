"""Routers in other languages: Node and plain sh."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from process_kit import ask_all, left

from workbench.adapters.command import CommandAdapter
from workbench.adapters.protocol import Answer, Place
from workbench.core.decision import Match, Outcome, Score, ToolCall, Window, WindowSource
from workbench.core.errors import WorkbenchError
from workbench.core.trial import Status

NODE = """
const lines = require("readline").createInterface({ input: process.stdin });
console.error("node is up");
console.log("loading the table");
lines.on("line", (line) => {
  const { id, turn } = JSON.parse(line);
  const at = turn.text.indexOf("my calendar");
  const decision = at < 0
    ? { outcome: "pass", scanned: turn.text }
    : { outcome: "fire", calls: [{ name: "calendar::list", arguments: { day: "today" } }],
        scanned: turn.text, spans: [[0, [...turn.text].length]],
        scores: [{ route: "calendar", value: 0.62, threshold: 0.5 }],
        matches: [{ rule: "my calendar", text: "my calendar", start: at, end: at + 11 }], note: "from node" };
  process.stdout.write(JSON.stringify({ id, decision }) + "\\n");
});
"""

SH = """#!/bin/sh
echo "starting up"
while IFS= read -r line; do
  id=$(printf '%s' "$line" | sed 's/^{"id": \\([0-9]*\\).*/\\1/')
  case $line in
    *workflow*) printf '{"id": %s, "decision": "hold"}\\n' "$id" ;;
    *boom*) printf '{"id": %s, "error": "no such table"}\\n' "$id" ;;
    *die*) exit 3 ;;
    *) printf '{"id": %s, "decision": {"outcome": "fire", "tool": "list"}}\\n' "$id" ;;
  esac
done
"""


def shell(folder: Path, source: str, name: str = "router") -> None:
    (folder / name).write_text(source)
    (folder / name).chmod(0o755)


@pytest.mark.skipif(shutil.which("node") is None, reason="no node on this machine")
async def test_a_router_in_node(tmp_path: Path) -> None:
    (tmp_path / "router.js").write_text(NODE)
    adapter = CommandAdapter("engine", Place(tmp_path), argv=["node", "router.js"], timeout=30)
    text = "😀 what's on my calendar"
    fired, passed = await ask_all(adapter, text, "\ud83c hello")
    assert fired.decision is not None, fired
    assert fired.decision.outcome is Outcome.FIRE
    assert fired.decision.calls == (ToolCall("calendar::list", {"day": "today"}),)
    assert fired.decision.windows == (Window(text, WindowSource.REPORTED, ((0, len(text)),)),)
    assert fired.decision.scores == (Score("calendar", 0.62, 0.5),)
    assert fired.decision.matches == (Match("my calendar", "my calendar", 13, 24),)
    assert fired.decision.note == "from node"
    assert "node is up\n" in fired.log
    assert "loading the table\n" in fired.log
    assert passed.decision is not None
    assert passed.decision.window is not None
    assert passed.decision.window.text == "\ud83c hello"


async def test_a_router_in_plain_sh(tmp_path: Path) -> None:
    shell(tmp_path, SH)
    adapter = CommandAdapter("engine", Place(tmp_path), argv=["./router"])
    answers = await ask_all(adapter, "a workflow", "calendar", "boom", "die", "again")
    assert [told(answer) for answer in answers] == [
        (Status.OK, Outcome.HOLD, None),
        (Status.OK, Outcome.FIRE, None),
        (Status.ERROR, None, "no such table"),
        (Status.ERROR, None, "exited with status 3 before its answer"),
        (Status.OK, Outcome.FIRE, None),
    ]
    assert answers[0].log == "starting up\n"
    assert answers[1].decision is not None
    assert answers[1].decision.calls == (ToolCall("list"),)


def told(answer: Answer) -> tuple[Status, Outcome | None, str | None]:
    return answer.status, answer.decision.outcome if answer.decision else None, answer.error


async def test_a_shell_that_answers_once_per_start(tmp_path: Path) -> None:
    # It opens its input by name, which works on a pipe and not on a socket.
    shell(
        tmp_path,
        """#!/bin/sh
        id=$(head -n 1 /dev/stdin | sed 's/^{"id": \\([0-9]*\\).*/\\1/')
        echo "{\\"id\\": $id, \\"decision\\": \\"pass\\"}"
        """,
    )
    adapter = CommandAdapter("engine", Place(tmp_path), argv=["./router"], restart="trial")
    assert [answer.status for answer in await ask_all(adapter, "a", "b", "c")] == [Status.OK] * 3


async def test_a_program_with_a_slash_is_the_workspaces_also_from_another_folder(tmp_path: Path) -> None:
    shell(tmp_path, SH)
    (tmp_path / "elsewhere").mkdir()
    adapter = CommandAdapter("engine", Place(tmp_path), argv=["./router"], cwd="elsewhere")
    assert [answer.status for answer in await ask_all(adapter)] == [Status.OK]


async def test_a_program_without_a_slash_is_looked_up_on_the_path_it_is_given(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    shell(tmp_path / "tools", SH, "only-here")
    path = f"{tmp_path / 'tools'}:/usr/bin:/bin"
    adapter = CommandAdapter("engine", Place(tmp_path), argv=["only-here"], env={"PATH": path})
    assert [answer.status for answer in await ask_all(adapter)] == [Status.OK]


async def test_a_pipeline_of_the_shell_ends_as_a_whole(tmp_path: Path) -> None:
    shell(tmp_path, "#!/bin/sh\necho $$ >> pids\nsleep 600 & echo $! >> pids\nsleep 600 | cat\n")
    adapter = CommandAdapter("engine", Place(tmp_path), argv=["./router"], timeout=0.6)
    assert [answer.status for answer in await ask_all(adapter)] == [Status.TIMEOUT]
    assert left(tmp_path) == []


def test_a_command_needs_a_program(tmp_path: Path) -> None:
    for argv in ([], [""]):
        with pytest.raises(WorkbenchError, match="argv: it names no program"):
            CommandAdapter("engine", Place(tmp_path), argv=argv)


def test_a_fingerprint_changes_with_the_files_that_the_command_names(tmp_path: Path) -> None:
    (tmp_path / "router.js").write_text(NODE)
    adapter = CommandAdapter("engine", Place(tmp_path), argv=["node", "router.js", "--jsonl"])
    before = adapter.fingerprint()
    assert before["argv"] == "node router.js --jsonl"
    assert set(before) == {"argv", "router.js"}
    (tmp_path / "router.js").write_text(NODE + "// changed")
    assert adapter.fingerprint()["router.js"] != before["router.js"]
