"""What the command comes to, in every way it can be called."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command import COMMAND, Bench

ROUTER = """
import os, sys, time

def right(turn):
    return {"outcome": "fire", "calls": ["ops::go"], "scanned": turn["typed"]}

def whole(text):
    return {"outcome": "fire" if text == "go" else "pass", "calls": ["ops::go"] if text == "go" else []}

def crash(text):
    os._exit(3)

def some(text):
    if text != "go":
        raise ValueError("only bare")
    return "ops::go"

def slow(text):
    time.sleep(0.05)
    return "ops::go"
"""

WORKSPACE = """
adapters:
  right: {use: python, target: "r:right", call: turn}
  whole: {use: python, target: "r:whole"}
  crash: {use: python, target: "r:crash"}
  some: {use: python, target: "r:some"}
  slow: {use: python, target: "r:slow"}
"""


@pytest.fixture
def work(bench: Bench) -> Bench:
    bench.write("workbench.yaml", WORKSPACE)
    bench.write("r.py", ROUTER)
    bench.write("envelopes/said.yaml", 'envelope: said\ningress: channel\ntemplate: "<{text}>"\n')
    bench.write("scenarios/go.yaml", "scenario: go\nprompts:\n  - {text: go, expect: fire}\n")
    return bench


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--adapter", "right"], 0),
        (["--adapter", "whole"], 1),
        (["--adapter", "crash"], 3),
        (["--adapter", "some"], 4),
        (["--adapter", "some", "--allow-undecided"], 0),
        (["--adapter", "crash", "--adapter", "whole"], 1),
        (["--adapter", "nobody"], 2),
        (["--envelope", "nothing"], 2),
        (["--format", "yaml"], 2),
        (["--repeat", "0"], 2),
        (["--repeat", "many"], 2),
        (["--no-such-flag"], 2),
        (["--resume", "--no-save"], 2),
        (["--run", "x"], 2),
        (["-o", "no/such/folder/x.json"], 2),
        (["-o", "report.html"], 2),
        (["--adapter", "right", "--plan"], 0),
    ],
)
def test_run(work: Bench, arguments: list[str], code: int) -> None:
    done = work("run", "go", "--trust", *arguments)
    assert done.code == code, done.said
    if code == 2:
        assert done.out == b""
        assert done.err
        assert b"Traceback" not in done.err


def test_a_plan_runs_nothing(work: Bench) -> None:
    done = work("run", "--plan")
    assert done.code == 0
    assert "20 trials" in done.text
    assert not (work.folder / ".workbench").exists()


def test_an_untrusted_workspace_runs_nothing_without_a_terminal(work: Bench) -> None:
    done = work("run", "go", "--adapter", "right")
    assert done.code == 2
    assert "workbench trust" in done.said
    assert not (work.folder / ".workbench").exists()
    assert work("trust").code == 0
    assert work("run", "go", "--adapter", "right").code == 0
    work.write("workbench.yaml", WORKSPACE.replace("r:right", "r:whole").replace(", call: turn", ""))
    assert work("run", "go", "--adapter", "right").code == 2


def test_only_failing_runs_the_failing_cells_and_their_bare_ones(work: Bench) -> None:
    assert work("run", "go", "--trust", "--only-failing").code == 2
    work("run", "go", "--trust", "--adapter", "whole", "--adapter", "right")
    again = work("run", "go", "--trust", "--only-failing", "--format", "json")
    assert again.code == 1
    assert [(cell["adapter"], cell["arm"]) for cell in again.json["cells"]] == [
        ("whole", "bare"),
        ("whole", "said"),
    ]
    work("run", "go", "--trust", "--adapter", "right")
    older = work("run", "go", "--trust", "--only-failing", "--plan")
    assert older.code == 0 and "whole" in older.text, "a later run of another adapter hides no failure"
    clean = work("run", "go", "--trust", "--only-failing", "--adapter", "right")
    assert (clean.code, clean.out) == (0, b"")
    assert "nothing to run again" in clean.said
    assert work("run", "go", "--trust", "--only-failing", "--adapter", "right", "-q").said == ""
    assert work("run", "go", "--trust", "--only-failing", "--adapter", "crash").code == 2


def test_what_failed_then_or_would_now_is_run_again(work: Bench) -> None:
    scenario = (work.folder / "scenarios" / "go.yaml").read_text()
    work("run", "go", "--trust", "--adapter", "right")
    again = ["run", "go", "--trust", "--only-failing", "--adapter", "right", "--format", "json"]
    assert work(*again).out == b""
    work.write("scenarios/go.yaml", scenario.replace("expect: fire", "expect: hold"))
    assert work(*again).code == 1
    work.write("scenarios/go.yaml", scenario)
    assert [cell["arm"] for cell in work(*again).json["cells"]] == ["bare", "said"]
    assert work(*again).out == b""


def test_verbose_says_which_run_and_what_guests_printed(work: Bench) -> None:
    done = work("run", "go", "--trust", "--adapter", "some", "--verbose")
    assert ".workbench" in done.said
    assert "ValueError: only bare" in done.said


def test_no_scenario_is_named_after_it(work: Bench) -> None:
    done = work("run", "gow")
    assert done.code == 2
    assert 'did you mean "go"?' in done.said


def test_a_broken_file_names_every_place(work: Bench) -> None:
    work.write(
        "scenarios/bad.yaml",
        "scenario: bad\nprompts:\n  - txt: a\n  - text: b\n    expect: burn\nabout: []\n",
    )
    done = work("run", "--trust")
    assert done.code == 2
    lines = [line for line in done.said.splitlines() if "bad.yaml:" in line]
    assert [line.split("bad.yaml:")[1].split(": ")[0] for line in lines] == ["3:5", "5:13", "6:8"]


def test_no_terminal_no_screen(work: Bench) -> None:
    for stdin in (b"", None):
        done = work(stdin=stdin)
        assert done.code == 2
        assert done.out == b""
        assert 2 <= len(done.said.splitlines()) <= 5
        assert b"\x1b" not in done.err


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(
    ("arguments", "code"), [("run go --trust --adapter right", 0), ("", 2), ("--help", 0)]
)
def test_closed_streams(work: Bench, closed: str, arguments: str, code: int) -> None:
    done = subprocess.run(
        ["sh", "-c", f"'{COMMAND}' {arguments} {closed}"], cwd=work.folder, capture_output=True, timeout=60
    )
    assert done.returncode == code, done.stderr
    assert b"Traceback" not in done.stderr


def test_a_reader_that_leaves_is_no_error(work: Bench) -> None:
    work.write(
        "scenarios/many.yaml",
        "scenario: many\nprompts:\n" + "".join(f"  - text: prompt number {n}\n" for n in range(150)),
    )
    script = (
        "{ '%s' run many --trust --adapter %s --repeat 1 --quiet --format json; echo $? >code; } | head -n 3"
    )
    for adapter, code in (("right", "0"), ("crash", "3")):
        done = subprocess.run(
            ["sh", "-c", script % (COMMAND, adapter)], cwd=work.folder, capture_output=True, timeout=120
        )
        assert done.stderr == b""
        assert len(done.stdout.splitlines()) == 3
        assert (work.folder / "code").read_text().strip() == code
    whole = work(
        "run", "many", "--trust", "--adapter", "right", "--repeat", "1", "--quiet", "--format", "json"
    )
    assert len(whole.out) > 2**16, "a pipe would have held all of it"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_told(work: Bench) -> None:
    script = f"'{COMMAND}' run go --trust --adapter right --quiet >/dev/full"
    done = subprocess.run(["sh", "-c", script], cwd=work.folder, capture_output=True, timeout=60)
    assert done.returncode == 2
    assert b"cannot write to stdout" in done.stderr
    assert b"Traceback" not in done.stderr


def test_ctrl_c_keeps_what_is_done_and_resume_goes_on(work: Bench) -> None:
    process = subprocess.Popen(
        [COMMAND, "run", "go", "--trust", "--adapter", "slow", "--repeat", "100", "--format", "json"],
        cwd=work.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
    )
    time.sleep(2.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert b"--resume" in err
    import json

    done = json.loads(out)["summary"]["trials"]
    assert 0 < done < 200
    again = work(
        *["run", "go", "--trust", "--adapter", "slow", "--repeat", "100", "--format", "json"], "--resume"
    )
    assert again.json["summary"]["trials"] == 200
    assert again.json["run"]["id"] == json.loads(out)["run"]["id"]
    fresh = work("run", "go", "--trust", "--adapter", "right", "--resume")
    assert "starting anew" in fresh.said


def test_colour_only_where_it_is_wanted(work: Bench) -> None:
    def coloured(*arguments: str, **env: str) -> bool:
        done = work("run", "go", "--trust", "--adapter", "whole", *arguments, env=env)
        assert done.code == 1
        return b"\x1b[" in done.out

    assert not coloured()
    assert coloured("--color", "always")
    assert coloured(FORCE_COLOR="1")
    assert not coloured(FORCE_COLOR="1", NO_COLOR="1")
    assert coloured("--color", "always", NO_COLOR="1")
    assert not coloured("--color", "never", FORCE_COLOR="1")


@pytest.mark.parametrize(
    "env",
    [
        {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        {"PYTHONIOENCODING": "cp1252:strict"},
        {"PYTHONIOENCODING": "ascii:strict"},
        {"TERM": "dumb"},
    ],
)
def test_a_poor_locale_escapes_and_still_answers(work: Bench, env: dict[str, str]) -> None:
    work.write("scenarios/glyphs.yaml", 'scenario: glyphs\nprompts:\n  - text: "→ 中 🧠"\n')
    done = work("run", "glyphs", "--trust", "--adapter", "right", "--format", "text", env=env)
    assert done.code == 0, done.said
    if "TERM" not in env:
        assert b"\\u2192" in done.out or "→".encode() in done.out
        assert "🧠".encode() not in done.out or b"utf" in str(env).encode()
    work("run", "glyphs", "--trust", "--adapter", "right", "-o", "r.txt", env=env)
    assert "→ 中 🧠" in (work.folder / "r.txt").read_text("utf-8")


def test_output_files(work: Bench) -> None:
    done = work("run", "go", "--trust", "--adapter", "right", "-o", "r.json", "-o", "r.md", "-o", "r.xml")
    assert (done.code, done.out) == (0, b"")
    assert done.said == "workbench: ok: no findings; written to r.json, r.md, r.xml\n"
    assert (work.folder / "r.json").read_bytes().startswith(b"{")
    assert (work.folder / "r.xml").read_bytes().startswith(b"<?xml")
    both = work("run", "go", "--trust", "--adapter", "right", "--format", "json,text", "-o", "s.json")
    assert both.code == 0
    assert both.text.startswith("go")
    assert sorted(path.name for path in work.folder.glob("*.part")) == []


def test_every_verb_has_help_with_an_example(work: Bench) -> None:
    for verb in ("run", "probe", "list", "info", "trust"):
        done = work(verb, "--help")
        assert done.code == 0
        assert "example:" in done.text
        assert f"workbench {verb}" in done.text


def test_probe(work: Bench) -> None:
    done = work("probe", "go", "--trust", "--adapter", "whole", "--envelope", "said", "--format", "json")
    assert done.code == 1
    assert {(cell["arm"], cell["decision"]["outcome"]) for cell in done.json["cells"]} == {
        ("bare", "fire"),
        ("said", "pass"),
    }
    assert not (work.folder / ".workbench").exists()
    piped = work("probe", "-", "--trust", "--adapter", "whole", "--format", "json", stdin=b"go\n")
    assert piped.json["cells"][0]["typed"] == "go"
    assert piped.code == 0


def test_lists_and_info(work: Bench) -> None:
    assert "go" in work("list", "scenarios").text
    assert "said" in work("list", "envelopes").text
    assert "target" in work("list", "adapters").text
    assert work("list", "runs").code == 0
    work("run", "go", "--trust", "--adapter", "right")
    assert "finished" in work("list", "runs").text
    assert str(work.folder.resolve()) in work("info").text
    assert work("info", "--format", "json").json["workbench"]


def test_completion(work: Bench) -> None:
    for shell in ("bash", "zsh"):
        done = work("--print-completion", shell)
        assert done.code == 0
        assert "workbench" in done.text


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_a_terminal_is_asked_to_trust(work: Bench) -> None:
    import pty

    for answer, code in ((b"n\n", 2), (b"y\n", 0)):
        leader, follower = pty.openpty()
        process = subprocess.Popen(
            [COMMAND, "run", "go", "--adapter", "right"],
            cwd=work.folder,
            stdin=follower,
            stdout=subprocess.DEVNULL,
            stderr=follower,
        )
        os.close(follower)
        os.write(leader, answer)
        assert process.wait(timeout=30) == code
        os.close(leader)
