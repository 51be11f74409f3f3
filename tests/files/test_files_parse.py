"""The YAML reader: what stands in a file is what is read, with either of PyYAML's loaders."""

from __future__ import annotations

import re

import pytest
import yaml
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from workbench.core.errors import Problem, WorkbenchError
from workbench.files.node import Node, NodeKind
from workbench.files.parse import compose, loader_for, parse
from workbench.files.problems import Problems
from workbench.files.source import Source


def read(text: str) -> Node:
    """The top value of a text without a mistake."""
    problems = Problems()
    node = parse(Source("f.yaml", text), problems)
    problems.check()
    return node


def text_of(text: str) -> str:
    """The value of the one key of a text."""
    problems = Problems()
    value = read(text).pairs[0][1].text(problems)
    problems.check()
    assert value is not None
    return value


def mistakes(text: str) -> tuple[Problem, ...]:
    problems = Problems()
    try:
        parse(Source("f.yaml", text), problems)
    except WorkbenchError as error:
        return error.problems
    return problems.ordered()


WORDS = (
    "no on yes off y true false 12:30 1e3 0x1F 0o17 = 2001-01-01 1_000 .inf .nan 10 None <<x 190:20:30 a#b"
)


@pytest.mark.parametrize("word", WORDS.split())
def test_plain_text_is_that_text(word: str) -> None:
    assert text_of(f"text: {word}\n") == word


@pytest.mark.parametrize("word", ["", "~", "null", "Null", "NULL"])
def test_null_is_no_text(word: str) -> None:
    problems = Problems()
    node = read(f"text: {word}\n").pairs[0][1]
    assert node.kind is NodeKind.NOTHING
    assert node.text(problems) is None
    assert len(problems) == 1


@pytest.mark.parametrize("word", ["'null'", '"~"', "''", '"null"'])
def test_null_in_quotes_is_text(word: str) -> None:
    assert text_of(f"text: {word}\n") == word[1:-1]


def test_braces_of_templates_are_text() -> None:
    """Case k5-12."""
    typed = "explain {# .card } and {% if x %} and {{ user }} in this file"
    assert text_of(f"text: {typed}\n") == typed.partition(" #")[0]  # nothing but YAML's own comment sign
    assert text_of(f'text: "{typed}"\n') == typed
    assert text_of(f"text: |-\n  {typed}\n") == typed


def test_escaped_surrogates_keep_their_identity() -> None:
    """Case k5-19: a pair is its character, a lone half stays that half."""
    assert text_of('text: "ok \\ud83c\\udf78"\n') == "ok \U0001f378"
    assert text_of('text: "broken \\ud83c alone"\n') == "broken \ud83c alone"
    assert text_of('text: "\\udc97 from bytes"\n') == "\udc97 from bytes"
    assert text_of('text: "\\udf78\\ud83c"\n') == "\udf78\ud83c"
    assert text_of('text: "\\U0000D83C"\n') == "\ud83c"
    assert text_of("text: '\\ud83c'\n") == "\\ud83c"  # no escape in single quotes


@pytest.mark.parametrize("char", ["\x85", "\u2028", "\u2029", "\ufeff"])
@pytest.mark.parametrize("form", ["{}", "'{}'", '"{}"', "|-\n  {}", ">-\n  {}", "[{}]"])
def test_characters_that_yaml_turns_stay(char: str, form: str) -> None:
    value = f"a{char}b {char} c"
    node = read("text: " + form.format(value) + "\n").pairs[0][1]
    assert (node.items[0] if node.items else node).value == value


def test_a_stand_in_is_never_mistaken_for_text_that_holds_it() -> None:
    assert text_of('text: "\ue000 \x85 \\ue001 \\UE002 \u2028"\n'.replace("\\UE002", "\\U0000E002")) == (
        "\ue000 \x85 \ue001 \ue002 \u2028"
    )


def test_nul_and_controls_come_by_escape_alone() -> None:
    assert text_of('text: "a\\0b\\x1b[0m\\r\\x7f\\uFFFE"\n') == "a\0b\x1b[0m\r\x7f\ufffe"
    for char in "\0\x01\x1b\x7f\x80\ufffe\uffff":
        (problem,) = mistakes(f"text: a{char}b\n")
        assert f"U+{ord(char):04X}" in problem.message
        assert problem.mark is not None and problem.mark.column == 8


def test_many_control_characters_are_summed_up() -> None:
    found = mistakes("a: " + "\x01" * 500 + "\n")
    assert len(found) == 11
    assert "490 more" in found[-1].message


@settings(deadline=None)
@given(st.text(alphabet=st.characters()))  # every code point, surrogates too
@example("\ud83c\udf78")
@example("\r\n\x85\u2028\ufeff\0")
def test_any_text_comes_back_from_double_quotes(text: str) -> None:
    quoted = "".join(_escaped(char) for char in text)
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    assert text_of(f'text: "{quoted}"\n') == joined
    assert text_of(f'"text": {{a: x}}\n"{"k" + quoted}": 1\n'.replace("{a: x}", f'"{quoted}"')) == joined


def _escaped(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    if char.isprintable():
        return char
    point = ord(char)
    if point < 0x100:
        return f"\\x{point:02x}"
    return f"\\u{point:04X}" if point < 0x10000 else f"\\U{point:08x}"


LINES = st.lists(
    st.text(st.characters(min_codepoint=0x20, max_codepoint=0x24F, exclude_characters="\x7f\x85"))
)


@settings(deadline=None)
@given(LINES)
def test_any_lines_come_back_from_a_block(lines: list[str]) -> None:
    lines = [re.sub("[\x7f-\x9f]", "", line) for line in lines]
    assume(any(line.strip() for line in lines))
    block = "".join(f"  {line}\n" if line else "\n" for line in lines)
    assert text_of(f"text: |2+\n{block}") == "".join(f"{line}\n" for line in lines)


# A comment right behind a block's sign, which the slow loader refuses, and a colon right before a
# bracket or comma, which the fast one does.
ONE_REFUSES = re.compile(r"[|>][^\n]*#|:[\[\]{},]")
SIGNS = st.text(st.sampled_from("-:,[]{}#&*|>'\"% \n ab\n1:- é\\\u2028\x85🧠"), max_size=14)
BLOCK = ["- ", "a: ", "\n", "\n  ", ": ", "'", '"', "|\n ", ">\n ", "&a ", "*a"]
PIECES = st.lists(st.sampled_from([*BLOCK, "[", "]", "{", "}", ", ", "#"]), max_size=9).map("".join)
BLOCKS = st.lists(st.sampled_from([*BLOCK, "? ", "b", "é?"]), max_size=9).map("".join)


@settings(max_examples=1_500, deadline=None)
@given(SIGNS | PIECES | BLOCKS)
def test_both_loaders_read_alike(text: str) -> None:
    """But for what is scanned for, and for what one of them refuses: tabs, and what ONE_REFUSES finds."""
    assume(not ONE_REFUSES.search(text))
    assert _read_with(yaml.CSafeLoader, text) == _read_with(yaml.SafeLoader, text)


def _read_with(loader: object, text: str) -> Node | set[str]:
    problems = Problems()
    try:
        node = compose(Source("f", text), problems, loader)
    except WorkbenchError as error:
        return {"unreadable"} if error.problems else set()
    return node if not problems else {str(problem) for problem in problems.ordered()}


def test_the_c_loader_is_taken_but_for_escaped_surrogates() -> None:
    assert loader_for("text: \u2028 ok?") is yaml.CSafeLoader
    assert loader_for('text: "\\uD83c"') is yaml.SafeLoader
    assert loader_for('text: "\\U0000dfff"') is yaml.SafeLoader


@pytest.mark.parametrize("loader", [yaml.CSafeLoader, yaml.SafeLoader])
def test_a_question_mark_in_a_flow_is_to_be_quoted(loader: object) -> None:
    problems = Problems()
    try:
        compose(Source("f", "phrases: [who is it, is it on? now]\n"), problems, loader)
    except WorkbenchError as error:
        problems.extend(error.problems)
    (problem,) = problems.ordered()
    assert problem.hint == "put the text in quotes"
    assert problem.mark is not None and problem.mark.column == 30
    assert text_of("text: is it on?\n") == "is it on?"
    assert read("a: ['on?', \"on?\"]\n").pairs[0][1].items[1].value == "on?"


@pytest.mark.parametrize("loader", [yaml.CSafeLoader, yaml.SafeLoader])
def test_an_escape_beyond_unicode_is_a_problem(loader: object) -> None:
    with pytest.raises(WorkbenchError) as caught:
        compose(Source("f", 'text: "\\U00110000"\n'), Problems(), loader)
    assert "names no character" in str(caught.value)


def test_deep_nesting_is_a_problem_and_not_a_crash() -> None:
    for text in ("[" * 100_000, "- " * 20_000 + "a", "{a: " * 500 + "1" + "}" * 500):
        for loader in (yaml.CSafeLoader, yaml.SafeLoader):
            with pytest.raises(WorkbenchError) as caught:
                compose(Source("f", text), Problems(), loader)
            assert "nested too deep" in str(caught.value)


def test_deep_nesting_through_aliases_is_a_problem_too() -> None:
    lines = ["a0: &a0 x"]
    lines += [f"a{n}: &a{n} {'[' * 30}*a{n - 1}{']' * 30}" for n in range(1, 40)]
    assert "nested too deep" in str(mistakes("\n".join(lines))[0])


def test_a_billion_laughs_end_soon() -> None:
    lines = ["a0: &a0 [ha, ha, ha, ha, ha, ha, ha, ha, ha]"]
    lines += [f"a{n}: &a{n} [" + ", ".join([f"*a{n - 1}"] * 9) + "]" for n in range(1, 30)]
    (problem,) = mistakes("\n".join(lines))
    assert "aliases make more than" in problem.message
    assert problem.mark is not None and problem.mark.line <= 6  # long before the last


def test_aliases_in_measure_are_read() -> None:
    node = read("base: &b {text: hi}\nlist: [*b, *b]\n")
    first, second = node.pairs[1][1].items
    assert first.pairs == second.pairs
    assert (first.mark.line, first.mark.column) == (2, 8)
    assert (second.mark.line, second.mark.column) == (2, 12)


def test_an_alias_of_what_holds_it_stands_for_nothing() -> None:
    (problem,) = mistakes("a: &a [*a]\n")
    assert 'the alias "*a"' in problem.message


def test_marks_count_code_points() -> None:
    node = read("é🧠中: [→, \u2028x, last]\n").pairs[0][1]
    assert [item.mark.column for item in node.items] == [7, 10, 14]


def test_nodes_know_their_keys() -> None:
    node = read("a:\n  - b: [c, {d: e}]\n")
    inner = node.pairs[0][1].items[0].pairs[0][1]
    assert [inner.key, inner.items[0].key, inner.items[1].pairs[0][1].key] == ["b", "b", "d"]


def test_an_empty_file_is_nothing() -> None:
    for text in ("", "\n", "# only a comment\n", "---\n", "--- \n...\n"):
        assert read(text).kind is NodeKind.NOTHING


def test_keys_are_text_and_stand_once() -> None:
    assert [p.message for p in mistakes("? [a]\n: b\n")] == ["expected text as a key, found a list"]
    told = mistakes("a: 1\n'a': 2\nb: 3\na: 4\n")
    assert [(p.mark.line, p.hint) for p in told if p.mark] == [(2, "first at line 1"), (4, "first at line 1")]


def test_problems_before_broken_yaml_are_told_with_it() -> None:
    told = mistakes("a: !!int 5\nb: 1\nb: 2\nc: [\n")
    assert [problem.mark.line for problem in told if problem.mark] == [1, 3, 4]
