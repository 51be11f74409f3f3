"""Bytes to text: encodings, line ends, and files that are none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workbench.core.errors import WorkbenchError
from workbench.files.documents import Documents
from workbench.files.envelope import load_envelope
from workbench.files.keywords import load_keywords
from workbench.files.parse import parse
from workbench.files.problems import Problems
from workbench.files.scenario import load_scenario
from workbench.files.source import Source, read_bytes, read_source
from workbench.files.workspace import load_workspace


def told(read: object, *arguments: object) -> str:
    assert callable(read)
    with pytest.raises(WorkbenchError) as caught:
        read(*arguments)
    assert len(caught.value.problems) == 1
    return str(caught.value)


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"\xef\xbb\xbfkey: value\n")
    assert read_source(path).text == "key: value\n"
    path.write_bytes(b"\xef\xbb\xbf\xef\xbb\xbfkey: value\n")
    assert read_source(path).text == "\ufeffkey: value\n"


def test_bytes_that_are_not_utf8_are_named_with_offset_and_place(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes("één: 1\r\nzwei: caf".encode() + b"\xe9 au lait\n")
    message = told(read_source, path)
    assert message == f"{path}:2:10: not UTF-8: byte 0xe9 at offset 19 (save it as UTF-8)"


@pytest.mark.parametrize(
    "data",
    ["a: b".encode("utf-16"), "{a: b}".encode("utf-16-le"), "a: \ud800".encode("utf-8", "surrogatepass")],
)
def test_other_encodings_are_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(data)
    try:
        parse(read_source(path), problems := Problems())
        problems.check()
    except WorkbenchError as error:
        message = str(error)
    assert "UTF-8" in message or "U+0000" in message
    if data[0] >= 0xFE:
        assert "it looks like UTF-16" in message


def test_what_is_no_file_is_told(tmp_path: Path) -> None:
    assert "No such file" in told(read_source, tmp_path / "none.yaml")
    assert "is a folder" in told(read_source, tmp_path)
    assert "cannot be the name of a file" in told(read_source, tmp_path / "a\0b")
    assert "cannot be the name of a file" in told(read_source, tmp_path / "a\ud800b")
    assert "cannot be read" in told(read_source, tmp_path / ("x" * 5000))
    os.mkfifo(tmp_path / "pipe")
    assert "not a regular file" in told(read_source, tmp_path / "pipe")  # and does not wait for a writer
    (tmp_path / "big").write_bytes(b"12345")
    assert "at most 4 are read" in told(read_bytes, tmp_path / "big", 4)


def test_marks_are_lines_and_code_points() -> None:
    source = Source("f", "a🧠b\n\ncd")
    places = [(source.mark(offset).line, source.mark(offset).column) for offset in range(10)]
    assert places == [(1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (3, 1), (3, 2), (3, 3), (3, 3), (3, 3)]


SCENARIO = """scenario: s
about: |
  two

  lines
prompts:
  - id: a   # note
    text: |-
      first line
        second line
    expect: {outcome: fire, tool: t, arguments: {n: 1}}
  - text: "escaped\\r\\nline
      folded"
    messages:
      - {role: user, content: 'a

          b'}
"""


def test_crlf_files_equal_lf_files(tmp_path: Path) -> None:
    """Case k5-23: a line end of the file is none of the prompt; one of the prompt is written."""
    path = tmp_path / "s.yaml"
    path.write_bytes(SCENARIO.encode())
    with_lf = load_scenario(path, tmp_path)
    path.write_bytes(SCENARIO.replace("\n", "\r\n").encode())
    assert load_scenario(path, tmp_path) == with_lf
    assert with_lf.prompts[0].text == "first line\n  second line"
    assert with_lf.prompts[1].text == "escaped\r\nline folded"


YAML = st.lists(
    st.sampled_from(
        ["a: ", "b", "- ", "\n", "\n  ", "|\n", ">-\n", '"', "'", " x", "é", "#", "[", "]", ",", ": "]
    ),
    max_size=14,
).map("".join)


@settings(deadline=None)
@given(YAML)
def test_crlf_equals_lf_in_any_yaml(text: str) -> None:
    def read(data: str) -> object:
        problems = Problems()
        try:
            node = parse(Source("f", data.replace("\r\n", "\n")), problems)
        except WorkbenchError as error:
            return error.problems
        return node, problems.ordered()

    assert read(text.replace("\n", "\r\n")) == read(text)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(YAML)
def test_crlf_equals_lf_on_disk(tmp_path: Path, text: str) -> None:
    one, other = tmp_path / "one.yaml", tmp_path / "other.yaml"
    one.write_bytes(text.encode())
    other.write_bytes(text.replace("\n", "\r\n").encode())
    assert read_source(one).text == read_source(other).text


def test_files_named_in_other_alphabets(tmp_path: Path) -> None:
    """Case k5-21, the part of the files: names and text beyond any code page are kept."""
    folder = tmp_path / "→ 中 🧠"
    folder.mkdir()
    (folder / "中.txt").write_bytes("→ 🧠\n".encode())
    path = folder / "szenario.yaml"
    path.write_bytes("scenario: → 中 🧠\nprompts:\n  - {text: → 中 🧠, attach: 中.txt}\n".encode())
    scenario = load_scenario(path, folder)
    assert scenario.name == scenario.prompts[0].text == "→ 中 🧠"
    assert Documents().read(scenario.prompts[0].attach[0].path) == "→ 🧠\n"


BYTES = st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass"))
KEYS = "scenario: s\n|prompts:\n|  - text: |envelope: e\n|template: '{text}'\n|slots: "
MORE = "accept:\n|keywords:\n|phrases: |adapters:\n|  a: {use: x}\n|expect: |samples: |attach: |<<: "
SIGNS = "a|null|~|\n|- |? |: |*a|&a "
PARTS = [*KEYS.split("|"), *MORE.split("|"), *SIGNS.split("|"), *'{}[]"|\t\0\r\u2028', "!!x "]
GRAINS = st.lists(st.sampled_from(PARTS), max_size=16).map(lambda parts: "".join(parts).encode())


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(BYTES | GRAINS)
def test_no_bytes_end_in_anything_but_problems(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "workbench.yaml"
    path.write_bytes(data)
    for read in (
        lambda: load_scenario(path, tmp_path),
        lambda: load_envelope(path),
        lambda: load_keywords(path),
        lambda: load_workspace(tmp_path),
    ):
        try:
            read()
        except WorkbenchError as error:
            assert error.problems
            assert list(error.problems) == sorted(
                error.problems,
                key=lambda problem: (problem.mark.line, problem.mark.column) if problem.mark else (0, 0),
            )
