"""A workspace of nobody we know: other names, other envelope, other document, numbers by hand."""

from __future__ import annotations

from typing import Any

import pytest
from command import Bench

ROUTERS = """
def _answer(read):
    hit = "restart" in read.lower()
    return {"action": "fire" if hit else "pass", "tool": "ops::restart" if hit else None, "scanned": read}

def whole(text):
    return _answer(text)

def top_line(text):
    return _answer(text.split("\\n")[0])

def middle(text):
    return _answer(text[10:30])

def tidy(text):
    return _answer(" ".join(text.upper().split()))

class Desk:
    @staticmethod
    async def pick(query, limit=3):
        return whole(query)
"""

FRONT = """
from pathlib import Path
from crew.brain import Desk

async def serve(msg, docs, lang):
    assert lang == "de"
    query = msg + " || " + " ".join(Path(doc).read_text() for doc in docs) if docs else msg
    choice = await Desk.pick(query)
    Path("after.log").write_text("ran " + str(choice))
    return choice
"""

WORKSPACE = """
adapters:
  whole: {use: python, target: "crew.brain:whole"}
  top: {use: python, target: "crew.brain:top_line"}
  middle: {use: python, target: "crew.brain:middle"}
  tidy: {use: python, target: "crew.brain:tidy"}
  front:
    use: python
    entry: "crew.front:serve"
    tap: ["crew.brain:Desk.pick"]
    call: {msg: typed, docs: paths, lang: "'de'"}
"""

TICKET = """
envelope: ticket
ingress: channel
template: |-
  #{num} from {who}:
  {text}
  -- sent from desk
slots: {num: {example: "77", kind: number}, who: {example: Ana, kind: name}}
"""

FOLDED = """
envelope: folded
ingress: attachment
template: |-
  {text}
  [[{file}]]
  {document}
  [[end]]
slots: {file: {example: m.txt, kind: path}}
"""

SCENARIO = """
scenario: desk
prompts:
  - id: box
    text: please restart the box
    expect: fire ops::restart
  - text: what colour is it?
    attach: memo.txt
    expect: no calls
"""


@pytest.fixture
def desk(bench: Bench) -> Bench:
    bench.write("workbench.yaml", WORKSPACE)
    bench.write("crew/brain.py", ROUTERS)
    bench.write("crew/front.py", FRONT)
    bench.write("envelopes/ticket.yaml", TICKET)
    bench.write("envelopes/folded.yaml", FOLDED)
    bench.write("scenarios/desk.yaml", SCENARIO)
    bench.write("scenarios/memo.txt", "Restart the pump.\n")
    return bench


def report(desk: Bench) -> Any:
    done = desk("run", "desk", "--format", "json", "--trust", "--quiet")
    assert done.code == 1, done.said
    return done.json


def windows(report: Any, adapter: str) -> dict[tuple[str, str], Any]:
    return {
        (cell["prompt"], cell["arm"]): {
            key: cell["window"][key]
            for key in ("source", "length", "head", "spans", "user_coverage", "foreign_share")
        }
        for cell in report["cells"]
        if cell["adapter"] == adapter
    }


TYPED = "please restart the box"
WRAPPED = f"#77 from Ana:\n{TYPED}\n-- sent from desk"
ASKED = "what colour is it?"
JOINED = f"{ASKED}\n[[m.txt]]\nRestart the pump.\n\n[[end]]"


def window(head: str, spans: Any, coverage: float, foreign: float, source: str = "reported") -> Any:
    return {
        "source": source,
        "length": len(head),
        "head": head,
        "spans": spans,
        "user_coverage": pytest.approx(coverage),
        "foreign_share": pytest.approx(foreign),
    }


def test_what_each_router_read(desk: Bench) -> None:
    found = report(desk)
    assert windows(found, "whole") == {
        ("box", "bare"): window(TYPED, [[0, 22]], 1, 0),
        ("box", "ticket"): window(WRAPPED, [[0, 54]], 1, 25 / 44),
        ("2", "bare"): window(ASKED, [[0, 18]], 1, 0),
        ("2", "folded"): window(JOINED, [[0, 55]], 1, 31 / 46),
    }
    assert windows(found, "top") == {
        ("box", "bare"): window(TYPED, [[0, 22]], 1, 0),
        ("box", "ticket"): window("#77 from Ana:", [[0, 13]], 0, 1),
        ("2", "bare"): window(ASKED, [[0, 18]], 1, 0),
        ("2", "folded"): window(ASKED, [[0, 18]], 1, 0),
    }
    assert windows(found, "middle") == {
        ("box", "bare"): window("art the box", [[10, 22]], 10 / 19, 0) | {"head": TYPED[10:], "length": 12},
        ("box", "ticket"): window(WRAPPED[10:30], [[10, 30]], 14 / 19, 3 / 17),
        ("2", "bare"): window(ASKED[10:], [[10, 18]], 6 / 15, 0),
        ("2", "folded"): window(JOINED[10:30], [[10, 30]], 6 / 15, 10 / 16),
    }
    tidy = windows(found, "tidy")
    assert tidy["box", "ticket"] == window(" ".join(WRAPPED.upper().split()), [[0, 54]], 1, 25 / 44)
    assert windows(found, "front") == {
        ("box", "bare"): window(TYPED, [[0, 22]], 1, 0, "captured"),
        ("2", "bare"): window(ASKED, [[0, 18]], 1, 0, "captured"),
        ("2", "attach"): window(f"{ASKED} || Restart the pump.\n", [[0, 18]], 1, 17 / 32, "captured"),
    }
    assert not (desk.folder / "after.log").exists()


def test_what_is_wrong_with_each(desk: Bench) -> None:
    found = report(desk)
    seen = {
        (f["kind"], f["severity"], f["adapter"], f["prompt"], f["arm"])
        for f in found["findings"]
        if f["adapter"] != "middle"
    }
    assert seen == {
        ("leak", "warning", "whole", "box", "ticket"),
        ("leak", "error", "whole", "2", "folded"),
        ("drift", "error", "whole", "2", "folded"),
        ("expectation", "error", "whole", "2", "folded"),
        ("leak", "warning", "tidy", "box", "ticket"),
        ("leak", "error", "tidy", "2", "folded"),
        ("drift", "error", "tidy", "2", "folded"),
        ("expectation", "error", "tidy", "2", "folded"),
        ("drift", "error", "top", "box", "ticket"),
        ("miss", "warning", "top", "box", "ticket"),
        ("leak", "warning", "top", "box", "ticket"),
        ("expectation", "error", "top", "box", "ticket"),
        ("leak", "error", "front", "2", "attach"),
        ("drift", "error", "front", "2", "attach"),
        ("expectation", "error", "front", "2", "attach"),
    }
    heads = {f["adapter"]: f["headline"] for f in found["findings"] if f["kind"] == "drift"}
    assert heads["top"].startswith("ENVELOPE DRIFT [ticket]")
    assert heads["whole"].startswith("ATTACHMENT DRIFT [folded]")
    assert heads["front"].startswith("ATTACHMENT DRIFT [attach]")
    assert found["summary"]["verdict"] == "failed"
