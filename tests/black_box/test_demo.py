"""`workbench demo`, the real command: in a pipe, and in a real terminal that tmux draws."""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from command import COMMAND, Bench
from terminal import Terminal, needs_tmux

from workbench.demo.walk import CLOSING, CLOSING_TITLE, STEPS


def timeless(text: str) -> str:
    """A report without the time that its run took."""
    return re.sub(r", [\d.]+ s\b", "", text)


def paragraphs(text: str) -> list[str]:
    return [part for part in timeless(text).strip().split("\n\n") if part.strip()]


def headlines(parts: list[str]) -> list[str]:
    """One line for each finding of a report."""
    return [line for part in parts for line in part.split("\n") if re.match("[✗!·] ", line)]


class TestText:
    def test_it_prints_the_walk_in_a_pipe_and_writes_nothing(self, bench: Bench, hermetic: Path) -> None:
        done = bench("demo", "--text")
        assert done.code == 0
        assert "no run is kept" in done.said and "no terminal" not in done.said
        for number, step in enumerate(STEPS, start=1):
            assert f"{number} of {len(STEPS)}  {step.title}\n" in done.text
            assert all(f"{sentence}\n" in done.text for sentence in step.caption)
        assert done.text.endswith(f"{CLOSING_TITLE}\n" + "".join(f"{line}\n" for line in CLOSING))
        assert list(bench.folder.iterdir()) == []
        assert [path for path in hermetic.rglob("*") if path.is_file()] == []

    def test_without_a_terminal_it_needs_no_flag_and_says_so(self, bench: Bench) -> None:
        done, asked = bench("demo"), bench("demo", "--text", "--quiet")
        assert done.code == 0
        assert "no terminal here" in done.said
        assert timeless(done.text) == timeless(asked.text)
        assert asked.said == ""
        assert bench("demo", "--auto", "1").code == 0

    @pytest.mark.parametrize("number", range(len(STEPS)), ids=[step.title for step in STEPS])
    def test_what_it_prints_of_a_step_is_what_the_command_named_there_prints(
        self, bench: Bench, number: int
    ) -> None:
        part = bench("demo", "--text", "--quiet").text.split(f"{STEPS[number].title}\n", 1)[1]
        part = part.split(f"{number + 2} of {len(STEPS)}  ")[0].split(CLOSING_TITLE)[0]
        if STEPS[number].counted:
            write, command, report = re.split(r"\$ (.*)\n\$ (.*)\n", part, maxsplit=1)[1:]
            assert bench(*shlex.split(write)[1:], "--quiet").code == 0
            ledger = bench(*shlex.split(command)[1:], "--quiet")
            assert (ledger.code, ledger.text.strip()) == (1, report.strip())
            return
        command, report = re.split(r"\$ (.*)\n", part, maxsplit=1)[1:]
        program, *arguments = shlex.split(command)
        assert program == "workbench"
        once = () if STEPS[number].explained else ("--no-save",)
        whole = paragraphs(bench(*arguments, *once, "--quiet").text)
        told = paragraphs(report)
        if STEPS[number].explained:
            assert told == whole
            return
        more = [one for one in told if re.fullmatch(r"… \d+ more findings?", one)]
        assert [one for one in told if one not in more] == [one for one in whole if one in told]
        found = STEPS[number].rated or not STEPS[number].whole
        assert len(told) - len(more) == (3 if found else 2)
        left_out = len(headlines(whole)) - len(headlines(told))
        assert [int(one.split()[1]) for one in more] == ([left_out] if left_out else [])

    def test_it_is_the_same_in_ones_own_workspace(self, shipped: Bench) -> None:
        shipped.write(".workbench.yaml", "adapters:\n  mine: {use: command, argv: [no-such-program]}\n")
        done = shipped("demo", "--text")
        assert done.code == 0 and "no-such-program" not in done.text + done.said
        assert not (shipped.folder / ".workbench").exists()

    def test_a_stream_that_knows_no_such_characters_gets_others(self, bench: Bench) -> None:
        done = bench("demo", "--text", env={"PYTHONIOENCODING": "ascii", "LANG": "C"})
        assert done.code == 0 and done.out.isascii()
        assert b"... 3 more findings" in done.out

    def test_a_reader_who_leaves_early_is_no_error(self, bench: Bench) -> None:
        script = f"{shlex.quote(str(COMMAND))} demo --text --quiet | head -n 1; exit ${{PIPESTATUS[0]}}"
        done = subprocess.run(
            ["bash", "-c", script], cwd=bench.folder, capture_output=True, text=True, timeout=60
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == f"1 of {len(STEPS)}  {STEPS[0].title}\n"

    def test_the_requests_of_its_gateway_are_there_to_be_looked_into(self, bench: Bench) -> None:
        done = bench("demo", "--requests", "sent")
        assert (done.code, done.text) == (0, "")
        commands = re.findall(r"^  workbench (.*)$", done.said, re.MULTILINE)
        assert len(commands) == 6
        verbs = {}
        for command in commands:
            found = bench(*shlex.split(command), "--format", "json")
            assert found.code in (0, 1), found.said
            verbs[shlex.split(command)[1]] = json.loads(found.text)
        assert [row["dark"] > 0 for row in verbs["ledger"]["requests"]] == [False, True, False]
        assert {one["kind"] for one in verbs["ledger"]["findings"]} == {"dark", "double", "ghost"}
        [ghost] = verbs["check"]["findings"]
        assert (ghost["lane"], ghost["severity"]) == ("rolling_summary", "warning")
        sites = {Path(site["file"]).name: site for site in verbs["writers"]["sites"]}
        assert verbs["guard"]["findings"] == []
        late = sites["gateway.py"]
        assert "SCOPE" in late["text"] and late["lane"] is None
        assert late["late"].startswith("after assembler.assemble() in line ")
        assert len(verbs["joins"]["joins"]) == 3
        again = bench("demo", "--requests", "sent")
        assert again.code == 2 and "there is one already" in again.said

    @pytest.mark.parametrize(
        "arguments",
        [
            ("--auto", "0"),
            ("--auto", "nan"),
            ("--auto", "soon"),
            ("--text", "--auto", "5"),
            ("--requests", "a", "--auto", "5"),
        ],
    )
    def test_wrong_usage_is_told(self, bench: Bench, arguments: tuple[str, ...]) -> None:
        done = bench("demo", *arguments)
        assert done.code == 2 and done.out == b""
        assert "--auto" in done.said and "Traceback" not in done.said
        assert "_seconds" not in done.said

    def test_a_terminal_gets_no_line_of_a_caption_wider_than_itself(self, bench: Bench) -> None:
        master, slave = pty.openpty()
        os.set_blocking(master, False)
        import fcntl
        import struct
        import termios

        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 70, 0, 0))
        seen = bytearray()
        with subprocess.Popen(
            [COMMAND, "demo", "--text", "--quiet", "--color", "never"],
            cwd=bench.folder,
            stdin=subprocess.DEVNULL,
            stdout=slave,
            stderr=subprocess.DEVNULL,
        ) as process:
            os.close(slave)
            while process.poll() is None:
                seen += read(master)
                time.sleep(0.01)
            seen += read(master)
        os.close(master)
        lines = seen.decode().replace("\r\n", "\n").split("\n")
        first = lines[1 : lines.index("")]
        assert all(len(line) <= 70 for line in first)
        assert " ".join(first) == " ".join(STEPS[0].caption)


def read(descriptor: int) -> bytes:
    """What is there to be read now."""
    try:
        return os.read(descriptor, 1 << 20)
    except OSError:
        return b""


class Walked(Terminal):
    """The demo in a terminal; `scratch` is its folder for temporary files, `process` tells its id."""

    def __init__(self, own: Path, folder: Path, *arguments: str, size: tuple[int, int]) -> None:
        self.scratch = own / "scratch"
        self.scratch.mkdir()
        self.process = own / "process"
        noted = ["sh", "-c", 'echo $$ >"$0"; exec "$@"', str(self.process)]
        command = shlex.join([*noted, str(COMMAND), "demo", *arguments])
        there = f"export TMPDIR={shlex.quote(str(self.scratch))}; cd {shlex.quote(str(folder))}"
        super().__init__(own, f"{there}; {command}; echo left with $?; sleep 60", *size)


Start = Callable[..., Walked]


@needs_tmux
class TestTerminal:
    @pytest.fixture
    def start(self, tmp_path: Path) -> Iterator[Start]:
        opened: list[Walked] = []

        def begin(bench: Bench, *arguments: str, size: tuple[int, int] = (120, 36)) -> Walked:
            opened.append(Walked(tmp_path, bench.folder, *arguments, size=size))
            return opened[-1]

        yield begin
        for terminal in opened:
            terminal.close()

    @pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=["80x24", "120x36"])
    def test_a_walk_by_hand(self, bench: Bench, start: Start, size: tuple[int, int]) -> None:
        terminal = start(bench, size=size)
        terminal.wait_for(f"1 of {len(STEPS)}  {STEPS[0].title}", "FIRE", "ran 12 trials", "bare ↔ attached")
        terminal.press("Space")
        terminal.wait_for(f"2 of {len(STEPS)}  {STEPS[1].title}", "bare ↔ attached · naive")
        if size[0] > 80:  # else the caption has no room for all of it
            terminal.wait_for('"delete the records"', "shows them in place")
        terminal.press("Space")
        terminal.wait_for(f"3 of {len(STEPS)}", "bare ↔ channel · held", "ran 6 trials")
        terminal.press("Up", "?")
        terminal.wait_for("Go on to the next step")
        terminal.press("Escape")
        terminal.wait_for("Scenarios 5")
        terminal.press("BSpace")
        terminal.wait_for(f"2 of {len(STEPS)}")
        terminal.press("BSpace")
        terminal.wait_for(f"1 of {len(STEPS)}", "bare ↔ attached · naive")
        for number in range(1, len(STEPS)):
            terminal.press("Space")
            terminal.wait_for(f"{number + 1} of {len(STEPS)}  {STEPS[number].title}")
        terminal.press("Space")
        terminal.wait_for(CLOSING_TITLE, *CLOSING)
        terminal.press("q")
        terminal.wait_for("left with 0")
        assert list(bench.folder.iterdir()) == list(terminal.scratch.iterdir()) == []

    def test_it_plays_by_itself(self, bench: Bench, start: Start) -> None:
        terminal = start(bench, "--auto", "1", size=(100, 30))
        for number, step in enumerate(STEPS, start=1):
            terminal.wait_for(f"{number} of {len(STEPS)}  {step.title}")
        terminal.wait_for(CLOSING_TITLE)
        terminal.wait_for("left with 0")

    @pytest.mark.parametrize("how", ["the window is closed", "killed"])
    def test_nothing_is_left_behind_where_it_is_cut_off(self, bench: Bench, start: Start, how: str) -> None:
        terminal = start(bench)
        terminal.wait_for(f"1 of {len(STEPS)}", "ran 12 trials")
        assert len(list(terminal.scratch.iterdir())) == 1
        if how == "killed":
            os.kill(int(terminal.process.read_text()), signal.SIGTERM)
            terminal.wait_for("left with 143")
        else:
            terminal.close()
        end = time.monotonic() + 10
        while list(terminal.scratch.iterdir()) and time.monotonic() < end:
            time.sleep(0.05)
        assert list(terminal.scratch.iterdir()) == []
