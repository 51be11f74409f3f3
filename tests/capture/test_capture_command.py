"""The command `workbench capture`, run for real."""

from __future__ import annotations

import csv
import sqlite3

from capture_logs import TYPED, channel, header, write_log
from command import Bench


def _log(bench: Bench, name: str = "router.jsonl", words: tuple[str, ...] = TYPED) -> None:
    records = [
        {"id": f"t{number}", "typed": one, "wrapped": channel(one, number), "ingress": "telegram"}
        for number, one in enumerate(words)
    ]
    write_log(bench.folder / name, records)


def test_it_writes_an_envelope_that_probes(bench: Bench) -> None:
    assert bench("new", "workspace").code == 0
    _log(bench)
    done = bench("capture", "router.jsonl")
    assert done.code == 0, done.said
    assert "8 turns, 8 given back by 1 envelope" in done.text
    assert "telegram  8 turns (100%), a new form" in done.text
    assert "written envelopes/telegram.yaml" in done.text
    probed = bench("probe", "check my calendar event", "--envelope", "telegram")
    assert probed.code == 0, probed.said
    assert "my calendar" in probed.text


def test_a_summary_tells_what_fitted_nothing_and_where(bench: Bench) -> None:
    _log(bench)
    with (bench.folder / "router.jsonl").open("a", encoding="utf-8") as stream:
        stream.write(
            '{"id": "x", "typed": "where is it", "wrapped": "nothing of that", "ingress": "telegram"}\n'
        )
        stream.write('{"id": "y", "typed": "all good", "wrapped": "all good", "ingress": "web"}\n')
        stream.write('{"id": "z", "typed": "cut o{"id": "q"}\n')
    done = bench("capture", "router.jsonl", "-o", "out")
    assert "1 handed on as typed" in done.text
    assert "1 turn fitted nothing" in done.text
    assert "router.jsonl:9" in done.text
    assert "router.jsonl:11" in done.text


def test_all_of_it_as_json(bench: Bench) -> None:
    _log(bench)
    view = bench("capture", "router.jsonl", "-o", "out", "--format", "json").json
    (envelope,) = view["envelopes"]
    assert (view["turns"], envelope["turns"], envelope["news"], envelope["held_out"]) == (8, 8, "new", [8, 8])
    assert (bench.folder / envelope["file"]).is_file()


def test_a_dry_run_writes_nothing(bench: Bench) -> None:
    _log(bench)
    done = bench("capture", "router.jsonl", "-o", "out", "--dry-run")
    assert done.code == 0
    assert not (bench.folder / "out").exists()


def test_columns_by_name_from_csv_and_sqlite(bench: Bench) -> None:
    rows = [(number, one, header(one, number)) for number, one in enumerate(TYPED)]
    with (bench.folder / "a.csv").open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([("n", "u", "r"), *rows])
    base = sqlite3.connect(bench.folder / "a.db")
    base.execute("create table t (n integer, u text, r text)")
    base.executemany("insert into t values (?, ?, ?)", rows)
    base.commit()
    base.close()
    for name, more in (("a.csv", ()), ("a.db", ("--table", "t"))):
        done = bench("capture", name, "-o", f"out-{name}", "--typed", "u", "--wrapped", "r", *more)
        assert done.code == 0, done.text + done.said
        assert "8 given back by 1 envelope" in done.text


def test_halves_in_two_logs_are_joined_by_id(bench: Bench) -> None:
    write_log(
        bench.folder / "typed.jsonl", [{"turn_id": f"t{n}", "user_text": one} for n, one in enumerate(TYPED)]
    )
    write_log(
        bench.folder / "routed.jsonl",
        [{"turn_id": f"t{n}", "router_input": channel(one, n)} for n, one in enumerate(TYPED)],
    )
    done = bench("capture", "typed.jsonl", "routed.jsonl", "-o", "out")
    assert "8 given back by 1 envelope" in done.text, done.text + done.said


def test_nothing_found_is_no_success(bench: Bench) -> None:
    write_log(bench.folder / "a.jsonl", [{"typed": "where is it", "wrapped": "nothing of that"}])
    assert bench("capture", "a.jsonl", "-o", "out").code == 4


def test_a_log_of_bare_turns_needs_no_envelope(bench: Bench) -> None:
    write_log(bench.folder / "a.jsonl", [{"typed": one, "wrapped": one} for one in TYPED])
    done = bench("capture", "a.jsonl", "-o", "out")
    assert (done.code, "8 handed on as typed" in done.text) == (0, True)


def test_wrong_usage_is_told(bench: Bench) -> None:
    _log(bench)
    no_place = bench("capture", "router.jsonl")
    assert (no_place.code, "new workspace" in no_place.said) == (2, True)
    assert bench("capture", "none.jsonl", "-o", "out").code == 2
    in_the_way = bench("capture", "router.jsonl", "-o", "router.jsonl")
    assert (in_the_way.code, "is no folder" in in_the_way.said) == (2, True)
    assert bench("capture", "router.jsonl", "-o", "a/b/c").code == 2


def test_names_in_a_log_cannot_obey_a_terminal(bench: Bench) -> None:
    def frame(words: str, number: int) -> str:
        return f"\x1b[31m[tool \u202e{number}]\x1b[0m says\n{words}"

    records = [
        {"typed": one, "wrapped": frame(one, n), "ingress": "\x1b]0;x\x07"} for n, one in enumerate(TYPED)
    ]
    write_log(bench.folder / "a.jsonl", records)
    done = bench("capture", "a.jsonl", "-o", "out", "--color", "never")
    assert "\x1b" not in done.text + done.said
    assert "\u202e" not in done.text + done.said
    assert all("\x1b" not in path.read_text("utf-8") for path in (bench.folder / "out").iterdir())
