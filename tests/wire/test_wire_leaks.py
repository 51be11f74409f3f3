"""Calls written as text: told, and never counted."""

from __future__ import annotations

import json
from time import process_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wire_kit import FORMATS, chat, chat_call, flags_in, read, texts

from workbench.core.decision import Outcome
from workbench.wire.leaks import IN_CODE, LOOKS_LIKE, flags_of

CALL: dict[str, Any] = {"name": "weather", "arguments": {"city": "Oslo"}}
SPELLED = json.dumps(CALL)

SHAPES = {
    "hermes": f"<tool_call>\n{SPELLED}\n</tool_call>",
    "hermes after prose": f"Let me look.\n<tool_call>\n{SPELLED}\n</tool_call>",
    "hermes not closed": f"<tool_call>{SPELLED}",
    "qwen coder": "<function=weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>",
    "llama 3.1": '<function=weather>{"city": "Oslo"}</function>',
    "llama 3 json": '{"name": "weather", "parameters": {"city": "Oslo"}}',
    "llama python tag": f"<|python_tag|>{SPELLED}",
    "pythonic": '[weather(city="Oslo"), weather(city="Rome")]',
    "mistral": f"[TOOL_CALLS][{SPELLED}]",
    "mistral newer": '[TOOL_CALLS]weather{"city": "Oslo"}',
    "granite": f"<|tool_call|>[{SPELLED}]",
    "deepseek": "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>weather\n{}",
    "kimi": "<|tool_calls_section_begin|>functions.weather:0<|tool_call_argument_begin|>{}",
    "glm": "<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>",
    "invoke": '<function_calls>\n<invoke name="weather">\n</invoke>\n</function_calls>',
    "harmony": '<|channel|>commentary to=functions.weather <|constrain|>json<|message|>{"city": "Oslo"}',
    "react": 'Thought: I need it.\nAction: weather\nAction Input: {"city": "Oslo"}',
    "gemma": 'print(default_api.weather(city="Oslo"))',
    "plain json": SPELLED,
    "list": f"[{SPELLED}, {SPELLED}]",
    "nested function": '{"type": "function", "function": {"name": "weather", "arguments": "{}"}}',
    "tool and args": '{"tool": "weather", "args": {}}',
    "several, one without arguments": SPELLED + '\n{"name": "weather"}',
    "fence alone": f"```json\n{SPELLED}\n```",
    "fence not closed": f"```\n{SPELLED}",
    "after reasoning": f"<think>which city?</think>\n{SPELLED}",
}  # fmt: skip


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES)
def test_a_call_in_the_text_is_told(text: str) -> None:
    assert flags_of(text) == (f"{LOOKS_LIKE}: weather",)


@pytest.mark.parametrize("text", ["</tool_call>", "[TOOL_CALLS]", "<|python_tag|>"])
def test_a_sign_without_a_name_is_told(text: str) -> None:
    assert flags_of(text) == (LOOKS_LIKE,)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I would call weather for that.",
        "Call `weather(city)` yourself.",
        '{"city": "Oslo"}',
        '{"name": "Sam", "age": 3}',
        '[{"name": "a", "arguments": {}}, {"b": 1}]',
        "[1, 2]",
        "[link](https://example.org)",
        "[see above]",
        '{"name": "weather", "arguments": {',
        "```json\n{}\n```",
        f"<think>{SPELLED}</think>The weather is fine.",
        f"<think>{SPELLED}",
        f"The answer is {SPELLED}.",
    ],
)
def test_other_text_is_no_call(text: str) -> None:
    assert flags_of(text) == ()


def test_a_call_in_a_code_block_between_words_may_be_an_example() -> None:
    text = f"For example:\n```json\n{SPELLED}\n```\nShall I?"
    assert flags_of(text) == (f"{IN_CODE}: weather",)
    assert flags_of(f"See:\n```\n<tool_call>{SPELLED}</tool_call>\n```\nor not") == (f"{IN_CODE}: weather",)
    assert flags_of("See:\n```python\nprint(1)\n```\n") == ()


def test_many_names_are_cut() -> None:
    text = "\n".join(json.dumps({"name": f"t{number}", "arguments": {}}) for number in range(9))
    assert flags_of(text) == (f"{LOOKS_LIKE}: t0, t1, t2, t3, t4, …",)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("text", [SHAPES["hermes"], SHAPES["plain json"]])
def test_no_format_counts_it(name: str, text: str) -> None:
    reply = read(name, texts(name, text, False))
    assert reply.decision is not None
    assert (reply.decision.outcome, reply.decision.calls) == (Outcome.PASS, ())
    assert reply.decision.note == text
    assert flags_in(reply) == (f"{LOOKS_LIKE}: weather",)


def test_it_is_told_beside_a_call_that_counts() -> None:
    reply = read("openai-chat", chat(content=SPELLED, tool_calls=[chat_call("other", "{}")]))
    assert flags_in(reply) == (f"{LOOKS_LIKE}: weather",)
    assert reply.decision is not None and reply.decision.tools == ("other",)


@settings(deadline=None)
@given(st.text(alphabet='{}[]<>|"`\n:, nametol_cARGU(=)/\\', max_size=120))
def test_any_text_is_looked_at(text: str) -> None:
    assert all(flag.startswith((LOOKS_LIKE, IN_CODE)) for flag in flags_of(text))


@pytest.mark.parametrize(
    "part",
    [
        "[",
        "{",
        "{[",
        "```",
        "```\n",
        "<think>",
        "[a(",
        "Action: a\n",
        "\n",
        " ",
        '{"a":1}',
        "<tool_call>",
        "`",
        "a ",
    ],
)
@pytest.mark.parametrize("lead", ["", "<tool_call>", "Action:", "{"])
def test_the_time_grows_with_the_length_of_the_text(lead: str, part: str) -> None:
    """Eight times the text, and not sixty-four times the time."""

    def quickest(count: int) -> float:
        spent = []
        for _ in range(3):
            began = process_time()
            flags_of(lead + part * count)
            spent.append(process_time() - began)
        return min(spent)

    assert quickest(16_000) <= 30 * max(quickest(2_000), 0.001)
