"""`workbench lanes ledger` on files: the sum is exact, and each planted fault is found, in every shape."""

from __future__ import annotations

import gzip
import json
import os
import random
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lanes_bodies import PROVIDERS, made

from workbench.capture.turns import Place
from workbench.cli.main import main
from workbench.lanes.ledger.call import Call, digest_of
from workbench.lanes.ledger.conversations import Conversations
from workbench.lanes.ledger.joining import Join
from workbench.lanes.ledger.measuring import measure
from workbench.lanes.ledger.receipt import read_receipt

Report = dict[str, Any]


class Bench:
    """A folder with captures and receipts, and the command run on them."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self._capsys = folder, capsys
        (folder / "lanes.toml").write_text("", encoding="utf-8")
        self.registry("")

    def registry(self, stanzas: str) -> None:
        (self.folder / "lanes.toml").write_text(
            f'schema_version = 1\nunit = "chars"\n{stanzas}', encoding="utf-8"
        )

    def file(self, name: str, *values: Any) -> Path:
        path = self.folder / name
        path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
        return path

    def json(self, *arguments: Any, registry: bool = False) -> tuple[int, Report]:
        code = self._run("--format", "json", *arguments, registry=registry)
        return code, json.loads(self._capsys.readouterr().out)

    def text(self, *arguments: Any, registry: bool = False) -> tuple[int, str]:
        code = self._run(*arguments, registry=registry)
        return code, self._capsys.readouterr().out

    def _run(self, *arguments: Any, registry: bool) -> int:
        if not registry:
            (self.folder / "lanes.toml").unlink(missing_ok=True)
        return main(["lanes", "ledger", "--quiet", *map(str, arguments)])


@pytest.fixture
def bench(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.chdir(tmp_path)
    return Bench(tmp_path, capsys)


def kinds(report: Report) -> dict[str, set[str | None]]:
    found: dict[str, set[str | None]] = {}
    for finding in report["findings"]:
        found.setdefault(finding["kind"], set()).add(finding["lane"])
    return found


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_passing_run_prints_dark_0_on_every_request(bench: Bench, provider: str) -> None:
    rng = random.Random(7)
    each = [made(provider, rng) for _ in range(8)]
    capture = bench.file("c.jsonl", *({"request": body, "response": answer} for body, answer, _ in each))
    receipts = bench.file(
        "r.jsonl", *({"request": digest_of(body)[:16], "lanes": lanes} for body, _, lanes in each)
    )
    code, text = bench.text(capture, "--receipts", receipts)
    assert code == 0
    lines = text.splitlines()
    assert len(lines) == 9, text
    assert all(line.startswith("dark=0 + owned=") for line in lines[:8])
    code, report = bench.json(capture, "--receipts", receipts)
    assert (code, report["findings"]) == (0, [])
    for row in report["requests"]:
        assert (row["dark"], row["double"], row["negative"], row["provider"]) == (0, 0, 0, provider)
        assert row["owned"] == row["sent"] == sum(lane["chars"] for lane in row["lanes"])
        assert row["joined_by"] == "request"


@pytest.mark.parametrize("provider", PROVIDERS)
def test_three_planted_faults_are_found_in_every_shape(bench: Bench, provider: str) -> None:
    rng = random.Random(11)
    body, answer, lanes = made(provider, rng)
    rest = [lane for lane in lanes if lane["name"] != "system"]
    capture = bench.file("c.jsonl", *[{"request": body, "response": answer}] * 3)
    system = next(lane["text"] for lane in lanes if lane["name"] == "system")
    planted = [
        {"lanes": rest},
        {"lanes": [*lanes, {"name": "bootstrap", "text": system}]},
        {"lanes": [*lanes, {"name": "summary", "text": "was cut off before it was sent"}]},
    ]
    receipts = bench.file("r.jsonl", *planted)
    code, report = bench.json(capture, "--receipts", receipts)
    assert code == 1
    dark, double, negative = report["requests"]
    assert (dark["dark"], dark["double"], dark["negative"]) == (len(system), 0, 0)
    assert dark["dark_spans"][0]["chars"] == len(system)
    assert (double["dark"], double["double"], double["negative"]) == (0, len(system), 0)
    assert (negative["dark"], negative["double"], negative["negative"]) == (0, 0, 30)
    found = kinds(report)
    assert found == {"dark": {None}, "double": {"bootstrap"}, "negative": {"summary"}}
    told = next(finding["message"] for finding in report["findings"] if finding["kind"] == "double")
    assert "by system and by bootstrap" in told
    assert all(row["owned"] + row["dark"] == row["sent"] for row in report["requests"])


TEXTS = st.text(st.characters(exclude_categories=()), max_size=30)
ENTRIES = st.lists(
    st.fixed_dictionaries(
        {"name": st.sampled_from("abc")},
        optional={"text": TEXTS, "chars": st.integers(0, 90), "start": st.integers(0, 90)},
    ).filter(lambda entry: "text" in entry or "chars" in entry),
    max_size=6,
)


@settings(max_examples=300, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=4), ENTRIES, st.sampled_from(["chars", "bytes", "tokens"]))
def test_owned_and_dark_are_what_was_sent(texts: list[str], entries: list[Any], unit: str) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": text} for text in texts]}
    place = Place("x", 1)
    receipt = read_receipt({"unit": unit, "lanes": entries}, place)
    measured = measure(1, Call(place, body, ""), receipt, Join.ORDER, Conversations())
    assert measured.owned + measured.dark == measured.sent
    whole = "".join(texts)
    size = len(whole.encode("utf-8", "surrogatepass")) if measured.unit.value == "bytes" else len(whole)
    assert measured.sent == size
    assert sum(row.chars for row in measured.lanes.values()) == measured.owned
    ends = [0, *(span.end for span in measured.spans)]
    assert [span.start for span in measured.spans] == ends[:-1] and ends[-1] == len(whole)
    if unit == "tokens":
        assert not measured.compared and measured.owned == 0


def test_bytes_are_converted_from_the_text(bench: Bench) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "naïve 🙂 tea"}]}
    capture = bench.file("c.jsonl", *[body] * 3)
    receipts = bench.file(
        "r.jsonl",
        {
            "unit": "bytes",
            "lanes": [{"name": "a", "bytes": 6, "start": 0}, {"name": "b", "chars": 9, "start": 6}],
        },
        {"unit": "bytes", "lanes": [{"name": "a", "chars": 14}]},
        {"unit": "tokens", "sent": 4, "lanes": [{"name": "a", "tokens": 4}]},
    )
    _, report = bench.json(capture, "--receipts", receipts)
    placed, counted, tokens = report["requests"]
    assert (placed["unit"], placed["sent"], placed["dark"]) == ("chars", 11, 0)
    assert [(lane["name"], lane["chars"], lane["claimed"]) for lane in placed["lanes"]] == [
        ("a", 5, 6),
        ("b", 6, 9),
    ]
    assert (counted["unit"], counted["sent"], counted["owned"]) == ("bytes", 15, 14)
    assert (tokens["compared"], tokens["dark"], tokens["owned"]) == (False, 11, 0)
    assert set(kinds(report)) == {"dark", "unit"}


def test_a_request_without_receipt_is_another_nothing_than_dark(bench: Bench) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
    capture = bench.file("c.jsonl", {"request": body, "turn": "a"}, {"request": body, "turn": "b"})
    receipts = bench.file(
        "r.jsonl", {"turn": "a", "lanes": [{"name": "x", "text": "hi"}]}, {"turn": "z", "lanes": {"x": 2}}
    )
    code, report = bench.json(capture, receipts)
    assert code == 0
    assert [row["joined_by"] for row in report["requests"]] == ["turn", None]
    assert report["requests"][1]["dark"] == 2
    assert [(one["turn"], one["line"]) for one in report["unjoined"]] == [("z", 2)]
    assert set(kinds(report)) == {"no-receipt", "no-request"}
    _, text = bench.text(capture, receipts)
    assert "dark=2 + owned=0 = sent=2  no receipt" in text


def test_without_any_receipt_it_is_a_warning(bench: Bench) -> None:
    capture = bench.file("c.jsonl", {"model": "m", "messages": [{"role": "user", "content": "hi"}]})
    code, report = bench.json(capture)
    assert code == 0
    assert set(kinds(report)) == {"no-receipt"}


def test_a_capture_without_a_request_is_a_bad_file(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    capture = bench.file("c.jsonl", {"hello": 1})
    assert main(["lanes", "ledger", str(capture)]) == 2
    assert "no request of a model" in capsys.readouterr().err


def test_torn_lines_are_listed_with_line_and_reason(bench: Bench) -> None:
    capture = bench.file("c.jsonl", {"model": "m", "messages": [{"role": "user", "content": "hi"}]})
    capture.write_text(capture.read_text() + '{"model": "m", "messa')
    _, report = bench.json(capture)
    assert report["skipped"][0]["line"] == 2
    assert "torn" in report["skipped"][0]["reason"]
    assert len(report["requests"]) == 1


def test_secrets_and_escapes_never_reach_the_report(bench: Bench) -> None:
    key = "sk-abcdefghij0123456789abcdefghij"
    body = {"model": "m", "messages": [{"role": "user", "content": f"\x1b[31m use {key} now \u202e"}]}
    capture = bench.file("c.jsonl", {"request": body, "lanes": [{"name": "x\x1b", "text": "now"}]})
    _, text = bench.text(capture)
    assert key not in text and "\x1b" not in text and "\u202e" not in text
    assert "[secret]" in text
    _, report = bench.json(capture)
    assert key not in json.dumps(report)


def test_five_thousand_bodies_stream_through(bench: Bench) -> None:
    rng = random.Random(3)
    names = list(PROVIDERS)
    capture, receipts = bench.folder / "c.jsonl", bench.folder / "r.jsonl"
    with capture.open("w") as bodies, receipts.open("w") as lines:
        for number in range(5_000):
            body, answer, lanes = made(names[number % 5], rng)
            bodies.write(json.dumps({"request_id": f"q{number}", "request": body, "response": answer}) + "\n")
            lines.write(json.dumps({"request": f"q{number}", "lanes": lanes}) + "\n")
    code, report = bench.json(capture, "--receipts", receipts)
    assert (code, len(report["requests"])) == (0, 5_000)
    assert all(row["dark"] == 0 and row["owned"] == row["sent"] for row in report["requests"])
    assert {route["provider"]: route["requests"] for route in report["routes"]} == dict.fromkeys(names, 1_000)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_captures_that_can_be_read_once_only(bench: Bench) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
    text = json.dumps({"request": body, "lanes": [{"name": "x", "text": "h"}]}) + "\n"
    pipe = bench.folder / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(text,))
    writer.start()
    code, report = bench.json(pipe)
    writer.join()
    assert code == 1
    assert report["requests"][0]["file"] == str(pipe)
    assert (report["requests"][0]["dark"], report["findings"][0]["file"]) == (1, str(pipe))


def test_a_folder_of_packed_captures_and_receipts_by_content(bench: Bench) -> None:
    logs = bench.folder / "logs"
    logs.mkdir()
    body = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
    (logs / "a.jsonl.gz").write_bytes(gzip.compress((json.dumps(body) + "\n").encode()))
    (logs / "b.jsonl").write_text(json.dumps({"lanes": [{"name": "x", "chars": 2, "start": 0}]}) + "\n")
    code, report = bench.json(logs)
    assert (code, report["findings"], report["requests"][0]["joined_by"]) == (0, [], "order")
    code, report = bench.json("--receipts", logs / "b.jsonl", logs / "a.jsonl.gz")
    assert (code, report["requests"][0]["dark"]) == (0, 0)
