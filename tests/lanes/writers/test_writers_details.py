"""What a site says of itself: lane, budget, fence, lateness, function, place."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.lanes.writers.finding import find_writers
from workbench.lanes.writers.site import Cap, Site


def sites(tmp_path: Path, name: str, text: str, known: tuple[str, ...] = ()) -> tuple[Site, ...]:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return find_writers([path], known=known).sites


def last(tmp_path: Path, text: str, name: str = "a.py", known: tuple[str, ...] = ()) -> Site:
    return sites(tmp_path, name, "import openai\n" + text if name.endswith("py") else text, known)[-1]


@pytest.mark.parametrize(
    "text",
    [
        "messages.append({'role': 'user', 'content': claim('memory', text)})\n",
        "messages.append(message(lane='memory', role='user', content=text))\n",
        "messages.append({'role': 'user', 'content': text, 'lane': 'memory'})\n",
        "messages.append({'role': 'user', 'content': text})  # lane: memory\n",
        "# lane: memory\nmessages.append({'role': 'user', 'content': text})\n",
        "with lane('memory'):\n    messages.append({'role': 'user', 'content': text})\n",
        "def f(a, b):\n    prompt = a + b\n    ledger.claim('memory', prompt)\n",
        "def f(rows):\n    with lane('memory') as notes:\n        notes.append('x' + rows)\n",
    ],
)
def test_a_lane_that_is_named_is_read(tmp_path: Path, text: str) -> None:
    assert last(tmp_path, text).lane == "memory"


def test_a_lane_of_the_registry_is_known_where_it_is_quoted(tmp_path: Path) -> None:
    text = "messages.append(wrap('tool_results', {'role': 'user', 'content': text}))\n"
    assert last(tmp_path, text).lane is None
    assert last(tmp_path, text, known=("tool_results",)).lane == "tool_results"


def test_no_lane_is_none(tmp_path: Path) -> None:
    assert last(tmp_path, "prompt = a + 'x'\n").lane is None


@pytest.mark.parametrize(
    ("text", "name", "value", "line"),
    [
        ("prompt = a + text[:4000]\n", "a.py", 4000, 2),
        ("MAX_PAGE = 20_000\nprompt = a + page[:MAX_PAGE]\n", "a.py", 20_000, 3),
        ("page = truncate(page, 900)\nprompt = a + page\n", "a.py", 900, 2),
        ("if len(page) < 900:\n    prompt += page\n", "a.py", 900, 2),
        ("const systemPrompt = a + text.slice(0, 600);\n", "a.ts", 600, 1),
        ("const MAX = 2 * 300;\nconst systemPrompt = a + text.substring(0, MAX);\n", "a.ts", 600, 2),
        ('fn build_prompt(t: &str) -> String {\n    format!("x {}", &t[..300])\n}\n', "a.rs", 300, 2),
        ('package a\nfunc buildPrompt(t string) string {\n\treturn "x" + t[:300]\n}\n', "a.go", 300, 3),
    ],
)
def test_a_budget_near_it(tmp_path: Path, text: str, name: str, value: int, line: int) -> None:
    found = last(tmp_path, text, name).budget
    assert found is not None
    assert (found.value, found.line) == (value, line)


def test_a_budget_that_is_no_number_keeps_its_name(tmp_path: Path) -> None:
    assert last(tmp_path, "prompt = a + text[:limits.MAX_PAGE]\n").budget == Cap("limits.MAX_PAGE", None, 2)


@pytest.mark.parametrize("cut", ["text[1:]", "text[:1]", "text", "rows[0]"])
def test_what_is_no_budget(tmp_path: Path, cut: str) -> None:
    assert last(tmp_path, f"prompt = a + {cut}\n").budget is None


@pytest.mark.parametrize(
    ("text", "fence"),
    [
        ("prompt = f'<page>\\n{x}\\n</page>'\n", "<page>"),
        ("prompt = f'```\\n{x}\\n```'\n", "```"),
        ("prompt = '---\\n' + x + '\\n---\\n'\n", "---"),
        ("prompt = '\\n\\n---\\n\\n' + x\n", None),
        ("prompt = f'<page>\\n{x}'\n", None),
        ("prompt = '## Memory\\n' + x\n", None),
    ],
)
def test_a_fence_opens_and_closes(tmp_path: Path, text: str, fence: str | None) -> None:
    assert last(tmp_path, text).fence == fence


def test_what_comes_after_the_assembler_is_late(tmp_path: Path) -> None:
    text = (
        "import openai\n"
        "def f(turn):\n"
        "    messages = build_messages(turn)\n"
        "    messages.append({'role': 'user', 'content': turn.scope})\n"
        "    return openai.chat.completions.create(model='m', messages=messages)\n"
    )
    (site,) = sites(tmp_path, "a.py", text)
    assert site.late == "after build_messages() in line 3"


def test_what_is_added_to_a_prompt_that_was_handed_in_is_late(tmp_path: Path) -> None:
    text = "def add(prompt, scope):\n    out = prompt + '\\n\\n' + scope\n    out += '\\n'\n    return out\n"
    assert [site.late for site in sites(tmp_path, "a.py", "import openai\n" + text)] == [
        "the caller had assembled prompt",
        "the caller had assembled prompt",
    ]


def test_the_assembler_itself_is_not_late(tmp_path: Path) -> None:
    text = "def build_prompt(prompt, scope):\n    return prompt + '\\n\\n' + scope\n"
    assert [site.late for site in sites(tmp_path, "a.py", text)] == [None]


def test_the_function_with_its_class_and_equal_texts_in_it_are_told_apart(tmp_path: Path) -> None:
    text = (
        "import openai\n"
        "class Bot:\n"
        "    def say(self, text):\n"
        "        self.messages.append({'role': 'user', 'content': text})\n"
        "        self.messages.append({'role': 'user', 'content': text})\n"
        "prompt = a + 'é' + b; prompt += c\n"
    )
    found = sites(tmp_path, "a.py", text)
    assert [(site.function, site.ordinal) for site in found] == [
        ("Bot.say", 1),
        ("Bot.say", 2),
        ("<module>", 1),
        ("<module>", 1),
    ]
    assert [site.column for site in found] == [9, 9, 1, 23]
    assert found[0].text == "self.messages.append({'role': 'user', 'content': text})"


def test_a_key_of_a_record_is_no_lane(tmp_path: Path) -> None:
    text = "body = {'messages': [{'role': 'user', 'content': text}], 'tools': tools}\n"
    assert last(tmp_path, text, known=("tools",)).lane is None


def test_the_lane_of_a_claimed_text_is_that_of_what_it_was_made_of(tmp_path: Path) -> None:
    text = (
        "import openai\n"
        "from ledger import claim\n"
        "def assemble(rows):\n"
        "    parts = ['Notes:']\n"
        "    parts += [fold(row) for row in rows]\n"
        "    notes = '\\n'.join(parts)\n"
        "    claim('notes', notes)\n"
        "    return notes\n"
        "def fold(row):\n"
        "    return f'- {row}\\n'\n"
    )
    found = sites(tmp_path, "a.py", text)
    assert [(site.line, site.lane) for site in found] == [(5, "notes"), (6, "notes"), (10, "notes")]
