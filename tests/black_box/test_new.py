"""`workbench new`: what it writes runs, and nothing is overwritten."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import Bench

from workbench.cli.new import _INGRESSES
from workbench.core.envelope import Ingress


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".workbench" not in path.relative_to(folder).parts
    }


@pytest.fixture
def fresh(bench: Bench) -> Bench:
    assert bench("new", "workspace").code == 0
    return bench


def test_the_ingresses_are_those_of_the_core() -> None:
    assert list(_INGRESSES) == [ingress.value for ingress in Ingress]


def test_a_new_workspace_runs_at_once(bench: Bench) -> None:
    done = bench("new", "workspace")
    assert done.code == 0, done.said
    assert done.text.splitlines() == [
        "wrote envelopes/chat.yaml",
        "wrote scenarios/first.yaml",
        "wrote scenarios/keywords.yaml",
        "wrote workbench.yaml",
    ]
    assert done.said == "next: workbench run first\n"
    run = bench("run", "first", "--format", "json")
    assert run.code == 0, run.said
    assert {cell["arm"] for cell in run.json["cells"]} == {"bare", "chat"}
    assert {tuple(cell["outcomes"]) for cell in run.json["cells"]} == {("fire",), ("pass",)}


@pytest.mark.parametrize("name", ["workbench.yaml", ".workbench.yaml"])
def test_a_workspace_that_is_there_is_left_alone(bench: Bench, name: str) -> None:
    bench.write(name, "adapters: {}\n")
    before = files(bench.folder)
    done = bench("new", "workspace")
    assert (done.code, done.out) == (2, b"")
    assert "is a workspace already" in done.said
    assert files(bench.folder) == before


def test_files_that_are_there_stay(bench: Bench) -> None:
    bench.write("scenarios/first.yaml", "mine\n")
    done = bench("new", "workspace")
    assert done.code == 0
    assert "scenarios/first.yaml is there already and stays as it is" in done.said
    assert (bench.folder / "scenarios" / "first.yaml").read_text() == "mine\n"
    assert (bench.folder / "workbench.yaml").exists()


def test_a_new_scenario_runs(fresh: Bench) -> None:
    done = fresh("new", "scenario", "my billing")
    assert (done.code, done.text) == (0, "wrote scenarios/my billing.yaml\n")
    assert done.said == "next: workbench run 'my billing'\n"
    assert fresh("run", "my billing").code == 0


@pytest.mark.parametrize("name", ["first", "keywords"])
def test_a_scenario_of_that_name_is_not_overwritten(fresh: Bench, name: str) -> None:
    before = files(fresh.folder)
    done = fresh("new", "scenario", name)
    assert (done.code, done.out) == (2, b"")
    assert "already" in done.said and "nothing was written" in done.said
    assert files(fresh.folder) == before


def test_a_scenario_may_have_the_name_inside_another_file(fresh: Bench) -> None:
    fresh.write("scenarios/other.yaml", "scenario: billing\nprompts: [{text: go}]\n")
    done = fresh("new", "scenario", "billing")
    assert done.code == 2
    assert "scenarios/other.yaml is called billing already" in done.said


@pytest.mark.parametrize("name", ["../out", "a/b", ".x", "a#b", "\x1b[2J"])
def test_a_name_that_leads_elsewhere(fresh: Bench, name: str) -> None:
    before = files(fresh.folder)
    for kind in ("scenario", "envelope"):
        done = fresh("new", kind, name)
        assert done.code == 2
        assert b"\x1b" not in done.err
    assert files(fresh.folder) == before


def test_nothing_is_written_into_what_comes_with_the_program(bench: Bench) -> None:
    done = bench("new", "scenario", "billing")
    assert done.code == 2
    assert "`workbench new workspace` makes one" in done.said
    assert files(bench.folder) == {}


TURN = "[support] Ana (10:02):\r\nclose my account\r\n-- sent from the app\n"


def test_an_envelope_from_a_turn_makes_that_turn_again(fresh: Bench) -> None:
    fresh.write("turn.txt", TURN)
    done = fresh(
        "new",
        "envelope",
        "support",
        "--from-text",
        "turn.txt",
        "--typed",
        "close my account",
        "--ingress",
        "email",
    )
    assert done.code == 0, done.said
    assert done.text == "wrote envelopes/support.yaml\n"
    assert "the words stand at 24 to 40 of 62 characters" in done.said
    assert "next: workbench probe 'close my account' --envelope support" in done.said
    probe = fresh("probe", "close my account", "--envelope", "support", "--format", "json")
    assert probe.code == 0, probe.said
    cell = next(cell for cell in probe.json["cells"] if cell["arm"] == "support")
    assert cell["window"]["head"] == TURN.removesuffix("\n")
    assert cell["window"]["spans"] == [[0, 62]]
    listed = fresh("list", "envelopes", "--format", "json").json
    (made,) = [row for row in listed if row["envelope"] == "support"]
    assert (made["ingress"], made["status"], made["from"]) == ("email", "captured", "one turn, turn.txt")


def test_an_envelope_from_stdin(fresh: Bench) -> None:
    done = fresh(
        *("new", "envelope", "said", "--from-text", "-", "--typed", "go & stay", "-q"),
        stdin=b"<b>go &amp; stay</b>",
    )
    assert (done.code, done.said) == (0, "")
    text = (fresh.folder / "envelopes" / "said.yaml").read_text()
    assert "<b>{text}</b>" in text and "transform: [html-escape]" in text


@pytest.mark.parametrize(
    ("arguments", "stdin", "why"),
    [
        (
            ["--from-text", "-", "--typed", "hello"],
            b"<b>go</b>",
            "stand nowhere in this turn of 9 characters",
        ),
        (["--from-text", "-"], b"x", "go together"),
        (["--typed", "x"], b"x", "go together"),
        (["--from-text", "-", "--typed", "x"], b"\xff x", "not UTF-8"),
        (["--from-text", "missing.txt", "--typed", "x"], b"", "cannot be read"),
        (["--ingress", "pigeon"], b"", "invalid choice"),
    ],
)
def test_an_envelope_that_cannot_be_made(fresh: Bench, arguments: list[str], stdin: bytes, why: str) -> None:
    before = files(fresh.folder)
    done = fresh("new", "envelope", "e", *arguments, stdin=stdin)
    assert (done.code, done.out) == (2, b"")
    assert why in done.said
    assert files(fresh.folder) == before


def test_an_envelope_to_fill_in_carries_a_document_where_its_path_does(fresh: Bench) -> None:
    assert fresh("new", "envelope", "folded", "--ingress", "attachment").code == 0
    fresh.write("note.txt", "a note")
    probe = fresh("probe", "go", "--attach", "note.txt", "--envelope", "folded", "--format", "json")
    assert probe.code in (0, 1), probe.said
    assert "a note" in next(c for c in probe.json["cells"] if c["arm"] == "folded")["window"]["head"]


def test_an_envelope_that_is_there_is_not_overwritten(fresh: Bench) -> None:
    fresh.write("envelopes/other.yml", 'envelope: other\ningress: reply\ntemplate: "{text}"\n')
    before = files(fresh.folder)
    for name in ("chat", "other"):
        done = fresh("new", "envelope", name)
        assert (done.code, done.out) == (2, b"")
        assert "there is one already" in done.said
    assert files(fresh.folder) == before
