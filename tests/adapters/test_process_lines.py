"""Chunks into lines, the log's tail, and which lines are answers."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.adapters.process.lines import LOG_KEPT, RAW_KEPT, Lines, Tail, cut
from workbench.adapters.process.messages import Garbled, Said, read, request_line
from workbench.adapters.protocol import Request
from workbench.core.turn import Attachment, Author, Message, Region, Turn


@given(st.binary(max_size=60), st.lists(st.integers(0, 60)))
def test_lines_do_not_depend_on_how_the_bytes_arrive(data: bytes, cuts: list[int]) -> None:
    edges = [0, *sorted(min(edge, len(data)) for edge in cuts), len(data)]
    lines = Lines()
    found = [line for start, end in itertools.pairwise(edges) for line in lines.feed(data[start:end])]
    assert [*found, lines.take_unfinished()] == data.split(b"\n")


def test_a_long_line_is_joined_once() -> None:
    # Joined at every chunk, this would move terabytes and not end.
    lines = Lines()
    for _ in range(400_000):
        assert lines.feed(b"x" * 64) == []
    (line,) = lines.feed(b"\n")
    assert len(line) == 400_000 * 64


def test_a_line_past_the_cap_is_given_up_and_its_start_kept() -> None:
    lines = Lines(cap=100)
    assert lines.feed(b"before\nxx") == [b"before"]
    assert lines.feed(b"x" * 99) == []
    assert lines.overlong == b"x" * 101
    assert lines.feed(b"\nafter\n") == []


def test_a_tail_keeps_the_end_and_says_that_it_was_cut() -> None:
    tail = Tail()
    for number in range(100_000):
        tail.add(f"{number}\n".encode())
    text = tail.take()
    assert text.startswith("[the beginning is left out]\n")
    assert text.endswith("99998\n99999\n")
    assert LOG_KEPT < len(text) < LOG_KEPT * 1.3
    assert tail.take() == ""


def test_a_tail_shows_bytes_that_are_no_text() -> None:
    tail = Tail()
    tail.add(b"ok \xff\xfe \xc3\xa9")
    assert tail.take() == "ok \\xff\\xfe é"


def test_cut_says_how_long_the_whole_was() -> None:
    assert cut("short") == "short"
    assert cut("y" * 100_000) == "y" * RAW_KEPT + "[cut: 100000 characters in all]"


@pytest.mark.parametrize(
    ("line", "decision"),
    [
        (b'{"id":7,"decision":"fire"}', "fire"),
        (b'  {"decision": null, "id": 7}\r', None),
        (b'\xef\xbb\xbf{"id":7,"decision":"pass"}', "pass"),
        (b'{"id":7,"decision":"\\ud83c"}', "\ud83c"),
        (b'{"id":7,"decision":"\\u0000\\u001b"}', "\x00\x1b"),
        ('{"id":7,"decision":"\u2028 é 😀"}'.encode(), "\u2028 é 😀"),
    ],
)
def test_an_answer_is_read_as_it_stands(line: bytes, decision: object) -> None:
    said = read(line)
    assert isinstance(said, Said)
    assert (said.number, said.body["decision"]) == (7, decision)


def test_numbers_that_json_does_not_know_are_read() -> None:
    said = read(b'{"id":7,"decision":{"x":NaN,"y":-Infinity}}')
    assert isinstance(said, Said)
    assert str(said.body["decision"]) == "{'x': nan, 'y': -inf}"


@pytest.mark.parametrize("line", [b'{"id":7}', b'{"id":7,"message":"no decision"}'])
def test_a_line_with_an_id_alone_is_no_whole_answer(line: bytes) -> None:
    said = read(line)
    assert isinstance(said, Said)
    assert not said.whole


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"loading model",
        b'{"level":"info","message":"started"}',
        b'{"id": 7, torn',
        b'\xff\xfe {"id"',
        b'["id", "decision"]',
        b'debug: {"id":7,"decision":"fire"}',
    ],
)
def test_other_lines_belong_to_the_log(line: bytes) -> None:
    assert read(line) is None


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (b'{"id":7,"decision":"\xff"}', "byte 20 of the answer is not UTF-8"),
        (b'{"id":7,"decision":fire}', "the answer is not JSON: "),
        (b'{"id":7,"decision":' + b"[" * 200_000 + b"]" * 200_000 + b"}", "nested too deeply"),
    ],
)
def test_a_line_that_looks_like_an_answer_and_cannot_be_read_is_garbled(line: bytes, error: str) -> None:
    garbled = read(line)
    assert isinstance(garbled, Garbled)
    assert error in garbled.error
    assert garbled.raw.startswith('{"id":7,"decision":')


def test_a_question_is_ascii_and_carries_everything_of_the_turn() -> None:
    text = 'a\ud800"\x00\u2028😀\n'
    turn = Turn(
        text,
        "a",
        (Region(0, 1, Author.USER), Region(1, 7, Author.TRANSPORT)),
        attachments=(Attachment("n.txt", "/w/n.txt", "é"),),
        messages=(Message("user", "earlier"), Message("user", text)),
    )
    line = request_line(7, Request(turn, attempt=2, seed=9))
    assert line.isascii()
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    assert json.loads(line) == {
        "id": 7,
        "turn": {
            "text": text,
            "typed": "a",
            "regions": [[0, 1, "user"], [1, 7, "transport"]],
            "attachments": [{"name": "n.txt", "path": "/w/n.txt", "text": "é"}],
            "messages": [{"role": "user", "content": "earlier"}, {"role": "user", "content": text}],
            "attempt": 2,
            "seed": 9,
        },
    }
