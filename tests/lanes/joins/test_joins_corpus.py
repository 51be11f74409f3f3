"""Joins are found in small programs with known answers; a third of them was never tuned on."""

from __future__ import annotations

import pytest
from command import Bench
from joins_corpus import GROUPS, cases, score


@pytest.mark.parametrize("held", [False, True], ids=["open", "held back"])
@pytest.mark.parametrize("group", GROUPS)
def test_precision_and_recall(group: str, held: bool, capsys: pytest.CaptureFixture[str]) -> None:
    found = score(cases(group, held))
    with capsys.disabled():
        print(
            f"\njoins, {group}, {'held back' if held else 'open'}: precision {found.precision:.3f},", end=" "
        )
        print(
            f"recall {found.recall:.3f} of {found.right + len(found.missed)}; wrong {found.wrong},", end=" "
        )
        print(f"missed {found.missed}, instead {found.instead} of {found.insteads}")
    floor = 0.9 if held else 1.0
    assert found.precision >= floor, found.wrong
    assert found.recall >= floor, found.missed
    assert len(found.instead) <= (2 if held else 0), found.instead


@pytest.mark.parametrize("group", GROUPS)
def test_the_corpus_is_large_and_has_look_alikes(group: str) -> None:
    found = cases(group)
    assert len(found) >= 60
    clean = [path for path in found if score([path]).right == 0]
    assert len(clean) >= len(found) / 3


def test_the_command_prints_join_path_call_and_what_to_read(bench: Bench) -> None:
    bench.write(
        "app.py",
        "def handle(message, attachment):\n"
        "    full = message\n"
        "    full += '\\n\\n' + attachment.text\n"
        "    tool = route(full)\n"
        "    return tool\n",
    )
    done = bench("lanes", "joins", ".", "--router", "route", "--format", "json")
    assert done.code == 1
    (join,) = done.json["joins"]
    assert (join["join"]["file"], join["join"]["line"], join["call"]["line"]) == ("app.py", 3, 4)
    assert join["instead"]["variable"] == "message"
    assert [finding["kind"] for finding in done.json["findings"]] == ["joined"]
    text = bench("lanes", "joins", ".", "--router", "route")
    assert text.code == 1
    assert "read message instead" in text.text and "app.py:3:" in text.text


def test_a_router_that_reads_the_message_alone_is_clean(bench: Bench) -> None:
    bench.write(
        "app.py",
        "def handle(message, attachment):\n"
        "    full = message + attachment.text\n"
        "    return route(message), full\n",
    )
    done = bench("lanes", "joins", ".", "--router", "route")
    assert (done.code, done.text) == (0, "")
    assert "1 router call in 1 file; 0 of them read a join" in done.said


def test_nothing_checked_is_said(bench: Bench) -> None:
    bench.write("app.py", "print('hello')\n")
    done = bench("lanes", "joins", ".", "--router", "route", "--format", "json")
    assert (done.code, done.json["router_calls"]) == (0, 0)
    assert "nothing was checked" in done.said
