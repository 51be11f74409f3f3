"""Hostile text in every place that text can come from, through the real command and every format."""

from __future__ import annotations

import json

import pytest
from command import Bench

# What a terminal would obey, a markup reader would swallow, or an eye would not see.
HOSTILE = (
    "[/bold] [red]x[/red] [attachment: notes.pdf] <script>alert(1)</script> </document> `tick` |pipe| "
    "\x1b[2J \x1b]0;PWNED\x07 \x1b]52;c;aGk=\x1b\\ \x9b31m \x00 \x08\x7f \r "
    "\u202eevil\u202c \u2066iso\u2069 zero\u200bwidth\ufeff soft\u00adhyphen \u2028 \u00a0nbsp \U000e0041"
)
LONE = "\ud83c alone \udc97"

ROUTER = """
import json
HOSTILE = json.loads({hostile!r})

def mirror(turn):
    print(HOSTILE.encode("utf-8", "replace").decode("utf-8"))
    return {{
        "outcome": "fire",
        "calls": [{{"name": HOSTILE, "arguments": {{HOSTILE: [HOSTILE, {{"deep": HOSTILE}}]}}}}],
        "scanned": turn["text"] + HOSTILE,
        "scores": [{{"route": HOSTILE, "value": 0.5, "threshold": 0.4}}],
        "matches": [{{"rule": HOSTILE, "text": "x", "start": 0, "end": 1}}],
        "note": HOSTILE,
    }}

def breaks(turn):
    raise ValueError(HOSTILE)

def garbage(turn):
    return {{HOSTILE: HOSTILE}}
"""

WORKSPACE = """
adapters:
  mirror: {use: python, target: "r:mirror", call: turn}
  breaks: {use: python, target: "r:breaks", call: turn}
  garbage: {use: python, target: "r:garbage", call: turn}
"""

FORMATS = ("text", "json", "jsonl", "junit", "markdown")


def yaml_text(text: str) -> str:
    return json.dumps(text, ensure_ascii=True)


@pytest.fixture
def work(bench: Bench) -> Bench:
    hostile = HOSTILE + LONE
    bench.write("workbench.yaml", WORKSPACE)
    bench.write("r.py", ROUTER.format(hostile=json.dumps(hostile)))
    bench.write(
        "envelopes/odd.yaml",
        "envelope: odd\ningress: channel\n"
        f"template: {yaml_text('{who}' + hostile + chr(10) + '{text}')}\n"
        f"slots: {{who: {{example: {yaml_text(hostile)}, kind: text}}}}\n",
    )
    bench.write(
        "scenarios/odd.yaml",
        f"scenario: odd\nabout: {yaml_text(HOSTILE)}\n"
        f"prompts:\n  - text: {yaml_text(hostile)}\n    expect: hold\n",
    )
    return bench


def raw(data: bytes) -> list[str]:
    """What must never reach a terminal: any control character but the line feed, and what is invisible."""
    text = data.decode("utf-8")
    return [
        char
        for char in text
        if (ord(char) < 32 and char != "\n") or char in "\x7f\x9b\u202e\u200b\u2028\ufeff"
    ]


@pytest.mark.parametrize("format_name", FORMATS)
@pytest.mark.parametrize("color", ["never", "always"])
def test_nothing_raw_comes_out_and_nothing_vanishes(work: Bench, format_name: str, color: str) -> None:
    done = work("run", "--trust", "--format", format_name, "--color", color)
    assert done.code == 1, done.said
    out = done.out
    if color == "always" and format_name == "text":
        import re

        out = re.sub(rb"\x1b\[[0-9;]*m", b"", out)  # the only sequences that are ours
    assert raw(out) == []
    assert raw(done.err) == []
    if format_name in ("json", "jsonl"):
        assert out.isascii()
        lines = out.decode().splitlines() if format_name == "jsonl" else [out.decode()]
        cells = [json.loads(line) for line in lines if '"typed"' in line]
        first = cells[0]["cells"][0] if format_name == "json" else cells[0]
        assert first["typed"] == HOSTILE + LONE
    else:
        text = out.decode()
        assert "[/bold]" in text
        assert "[attachment: notes.pdf]" in text
        if format_name == "junit":
            return  # it cuts long texts before the rest
        assert "␛]52" in text
        assert "‹U+202E›evil" in text
        assert "‹U+D83C›" in text
        assert "␀" in text
        assert "zero‹U+200B›width" in text


def test_lists_info_and_errors(work: Bench) -> None:
    for arguments in (["list", "scenarios"], ["list", "envelopes"], ["list", "adapters"], ["info"]):
        done = work(*arguments)
        assert raw(done.out) == [], arguments
        assert raw(done.err) == [], arguments
    for arguments in (
        ["run", HOSTILE.replace("\0", "")],
        [HOSTILE.replace("\0", "")],
        ["run", "--format", "\x1b[1m"],
    ):
        done = work(*arguments)
        assert done.code == 2
        assert raw(done.err) == [], arguments
    work.write("scenarios/bad.yaml", 'scenario: bad\n"\\e[2J": 1\nprompts: []\n')
    done = work("run", "--trust")
    assert done.code == 2
    assert "␛[2J" in done.said
    assert raw(done.err) == []


def test_a_long_line_is_cut_for_people_and_whole_for_machines(work: Bench) -> None:
    long = "start " + "x" * 1_000_000 + " end"
    work.write("scenarios/odd.yaml", f"scenario: odd\nadapters: [mirror]\nprompts:\n  - text: {long}\n")
    done = work("run", "--trust", "--format", "json", "-o", "r.json")
    assert done.code in (0, 1)
    cells = json.loads((work.folder / "r.json").read_text())["cells"]
    assert cells[0]["typed"] == long
    text = work("run", "--trust", "--format", "text")
    assert len(text.out) < 200_000


def test_probe_reads_bytes_that_are_no_text(work: Bench) -> None:
    done = work("probe", "-", "--trust", "--adapter", "mirror", "--format", "json", stdin=b"a\xff\x00b")
    assert done.json["cells"][0]["typed"] == "a\udcff\x00b"
