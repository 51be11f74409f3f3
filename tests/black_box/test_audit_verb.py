"""`workbench audit` by the real command."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from command import Bench

from workbench.capture.audit.remedy import LINES, WITH_TOOLS
from workbench.capture.opening import open_log
from workbench.capture.turns import LogTurn

WORKSPACE = "adapters:\n  first: {use: keyword, table: table.yaml}\n"
TABLE = """\
scan: first-line
keywords:
  - {phrases: [my calendar], tool: calendar::list}
"""
CHANNEL = """\
envelope: channel
ingress: channel
template: |-
  <in channel="{channel}">
  {text}
  </in>
slots: {channel: {example: chat, kind: name}}
"""
KNOWN = '<in channel="chat">\n{}\n</in>'
KEY = "sk-ant-api03-" + "Ab3" * 20


@pytest.fixture
def app(bench: Bench) -> Bench:
    bench.write("workbench.yaml", WORKSPACE)
    bench.write("table.yaml", TABLE)
    bench.write("envelopes/channel.yaml", CHANNEL)
    return bench


def log(bench: Bench, *turns: Mapping[str, Any], name: str = "turns.jsonl") -> Path:
    return bench.write(name, "".join(json.dumps(turn) + "\n" for turn in turns))


def turn(number: int, typed: str, routed: str, tools: list[str] | None = None) -> dict[str, Any]:
    return {"turn_id": f"t{number}", "user_text": typed, "router_input": routed, "tools_called": tools or []}


def some(bench: Bench) -> Path:
    return log(
        bench,
        turn(1, "open my calendar", "open my calendar", ["calendar::list"]),
        turn(2, "open my calendar", KNOWN.format("open my calendar")),
        turn(3, "hi", f"hi\n\n<document>{'a page. ' * 9}</document>", ["mail::send"]),
        turn(4, "dim the lamp", f"<new from='x'>dim the lamp</new>\x1b[31m{KEY}"),
        turn(5, "what is it about", "<document>nothing of it</document>"),
    )


class TestTheQuestions:
    def test_each_is_answered(self, app: Bench) -> None:
        some(app)
        done = app("audit", "turns.jsonl", "--format", "json")
        assert done.code == 0, done.said
        found = done.json
        assert {kind: asked["found"] for kind, asked in found["questions"].items()} == {
            "outgrown": 1,
            "framing": 3,
            "unknown-envelope": 3,
            "unreached": 1,
            "replay-drift": None,
            "not-logged": 0,
        }
        (victim,) = found["outgrown"]
        assert (victim["id"], victim["typed_size"], victim["tools"]) == ("t3", 2, ["mail::send"])
        assert found["outgrown_uncalled"] == 1
        assert {head["head"][:4]: head["framing"] for head in found["heads"]} == {
            "open": False,
            "<in ": True,
            "hi\n\n": False,
            "<new": True,
            "<doc": True,
        }
        assert {use["tool"]: use["outgrown"] for use in found["tools"]} == {
            "calendar::list": 0,
            "mail::send": 1,
        }
        (loss,) = found["unreached"]
        assert (loss["id"], loss["lost"]) == ("t5", ["what", "is", "about"])

    def test_a_ratio_of_ones_own(self, app: Bench) -> None:
        some(app)
        assert app("audit", "turns.jsonl", "--ratio", "1000", "--format", "json").json["outgrown"] == []
        assert app("audit", "turns.jsonl", "--ratio", "0").code == 2

    def test_text_and_markdown_are_inert_and_hold_no_secret(self, app: Bench) -> None:
        some(app)
        for form in ("text", "markdown", "json"):
            done = app("audit", "turns.jsonl", "--format", form, "--color", "never")
            assert done.code == 0, done.said
            assert b"\x1b" not in done.out
            assert KEY.encode() not in done.out

    def test_what_is_torn_is_told_and_stops_nothing(self, app: Bench) -> None:
        path = some(app)
        path.write_bytes(path.read_bytes() + b'{"turn_id": "t6", "user_t')
        done = app("audit", "turns.jsonl")
        assert done.code == 0
        assert "5 turns of 1 log; 1 piece could not be read" in done.text
        assert "turns.jsonl:6" in done.text

    def test_a_file_that_is_none_is_an_error(self, app: Bench) -> None:
        assert app("audit", "none.jsonl").code == 2
        app.write("notes.txt", "no log at all\n")
        assert app("audit", "notes.txt").code == 2
        assert app("audit", "nodialect://x/y").code == 2


class TestFailOn:
    @pytest.mark.parametrize(
        ("kind", "code"),
        [
            ("outgrown", 1),
            ("framing", 1),
            ("unreached", 1),
            ("any", 1),
            ("replay-drift", 0),
            ("not-logged", 0),
        ],
    )
    def test_only_what_was_named_fails(self, app: Bench, kind: str, code: int) -> None:
        some(app)
        assert app("audit", "turns.jsonl", "--fail-on", kind).code == code

    def test_clean_turns_fail_nothing(self, app: Bench) -> None:
        log(app, turn(1, "open my calendar", "open my calendar", ["calendar::list"]), turn(2, "hi", "hi"))
        assert app("audit", "turns.jsonl", "--fail-on", "any").code == 0


class TestReplay:
    def test_typed_against_routed(self, app: Bench) -> None:
        some(app)
        done = app(
            "audit", "turns.jsonl", "--replay", "first", "--format", "json", "--fail-on", "replay-drift"
        )
        assert done.code == 1, done.said
        replayed = done.json["replayed"]
        assert (replayed["turns"], replayed["failed"], replayed["drifted"]) == (4, 0, 1)
        (drift,) = replayed["drifts"]
        assert (drift["id"], drift["bare"], drift["routed"]) == ("t2", "fire calendar::list", "pass")

    def test_a_program_is_not_started_without_trust(self, app: Bench) -> None:
        some(app)
        probe = [sys.executable, "-c", "open('started', 'w')"]
        app.write("workbench.yaml", f"adapters:\n  mine: {{use: command, argv: {json.dumps(probe)}}}\n")
        assert app("audit", "turns.jsonl", "--replay", "mine").code == 2
        assert not (app.folder / "started").exists()
        assert app("audit", "turns.jsonl", "--replay", "mine", "--trust").code == 3
        assert (app.folder / "started").exists()

    def test_an_unknown_adapter_is_named(self, app: Bench) -> None:
        some(app)
        done = app("audit", "turns.jsonl", "--replay", "frist")
        assert done.code == 2
        assert "first" in done.said


class TestWhatIsNotLogged:
    def test_no_routed_text_is_the_finding(self, app: Bench) -> None:
        log(app, {"turn_id": "1", "user_text": "hi there"}, {"turn_id": "2", "user_text": "dim the lamp"})
        done = app("audit", "turns.jsonl", "--fail-on", "not-logged")
        assert done.code == 1
        assert "no turn says what the router was given" in done.text
        for line in LINES.values():
            assert line in done.text

    @pytest.mark.parametrize("lines", [LINES, WITH_TOOLS], ids=["before", "after"])
    def test_the_python_line_is_read_back(self, lines: Mapping[str, str], tmp_path: Path) -> None:
        script = tmp_path / "app.py"
        script.write_text(PYTHON.replace("LINE", lines["Python"]), "utf-8")
        written = subprocess.run([sys.executable, script], capture_output=True, check=True).stderr
        read_back(tmp_path, written, tools=lines is WITH_TOOLS)

    @pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
    @pytest.mark.parametrize("lines", [LINES, WITH_TOOLS], ids=["before", "after"])
    def test_the_typescript_line_is_read_back(self, lines: Mapping[str, str], tmp_path: Path) -> None:
        script = tmp_path / "app.mjs"
        script.write_text(NODE.replace("LINE", lines["TypeScript"]), "utf-8")
        written = subprocess.run(["node", script], capture_output=True, check=True).stdout
        read_back(tmp_path, written, tools=lines is WITH_TOOLS)

    def test_what_rust_and_go_write_is_read_back(self, tmp_path: Path) -> None:
        sizes = f"route turn=t-1 typed=2 routed={len(HEAD)}"
        rust = r"""head="<in \"a\">\n'hi' 🎈 \u{200b}\u{1b}\\" tools=["m"]"""
        go = r"""head="<in \"a\">\n'hi' 🎈 \u200b\x1b\\" tools=["m"]"""
        for line in (rust, go):
            read_back(tmp_path, f"2026/01/05 10:00:00 {sizes} {line}\n".encode(), tools=True, called=("m",))


HEAD = "<in \"a\">\n'hi' 🎈 \u200b\x1b\\"
PYTHON = f"""
import logging
from types import SimpleNamespace
logging.basicConfig()
log = logging.getLogger()
log.setLevel("INFO")
turn_id, user_text, router_input = "t-1", "hi", {HEAD!a}
tools = [SimpleNamespace(name="a::b"), SimpleNamespace(name="c")]
LINE
"""
NODE = f"""
const turnId = "t-1", userText = "hi", routerInput = {json.dumps(HEAD)};
const tools = [{{ name: "a::b" }}, {{ name: "c" }}];
LINE
"""


def read_back(folder: Path, written: bytes, *, tools: bool, called: tuple[str, ...] = ("a::b", "c")) -> None:
    path = folder / "app.log"
    path.write_bytes(written)
    (found,) = open_log(path)
    assert isinstance(found, LogTurn)
    assert (found.id, found.typed_size, found.wrapped_size) == ("t-1", 2, len(HEAD))
    assert found.wrapped_head == HEAD
    assert found.tools == (called if tools else None)
