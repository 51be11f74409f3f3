"""The options of a model: told at their place, read from files, and in the fingerprint."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from workbench.adapters import registry
from workbench.adapters.model import ModelAdapter
from workbench.adapters.protocol import Adapter, Place
from workbench.core.errors import WorkbenchError
from workbench.core.turn import bare
from workbench.files.workspace import load_workspace

TOOLS = "[{name: send, description: Send it., parameters: {type: object}}]\n"
GOOD = "use: model, api: openai-chat, model: m, tools: t.yaml, url: 'http://127.0.0.1:1/v1'"


def build(folder: Path, options: str) -> Adapter:
    (folder / "t.yaml").write_text(TOOLS)
    (folder / "workbench.yaml").write_text(f"adapters:\n  a: {{{options}}}\n")
    return registry.build(load_workspace(folder).adapters["a"], Place(folder))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("use: model, model: m, tools: t.yaml", 'the key "api" is missing'),
        ("use: model, api: openai, model: m, tools: t.yaml", "api: expected one of"),
        (f"{GOOD}, temperature: hot", "temperature: expected a number"),
        (f"{GOOD}, key: sk-000000", "key: a key does not belong in a file"),
        (f"{GOOD}, price: {{input: 1}}", "price: output is missing"),
        (f"{GOOD}, price: {{input: 1, output: 2, both: 3}}", "price.both: no such price"),
        (f"{GOOD}, max_cost: 1", "max_cost: it needs `price`"),
        (f"{GOOD}, call: typed", "call: it goes with `build`"),
        (f"{GOOD}, classify: [a, b]", "classify: the model picks a route or is offered tools"),
        (f"{GOOD}, system: prompts/none.md", "system: there is no file"),
        (f"{GOOD}, headers: {{'X Y': z}}", "headers.X Y"),
        (f"{GOOD}, timeout: 0", "timeout: 0 is no number above 0"),
        (f"{GOOD}, body: [1]", "body: expected a mapping"),
        ("use: model, api: openai-chat, model: m", "tools: a model without tools calls none"),
        ("use: model, api: openai-chat, model: m, classify: [a]", "classify: one route is no choice"),
        ("use: model, api: openai-chat, model: m, classify: {a: fire, b: go}", "classify.b: 'go' is none of"),
        (
            "use: model, api: openai-chat, model: m, tools: t.yaml, url: 'ftp://x'",
            "url: 'ftp://x' does not begin",
        ),
        (
            "use: model, api: openai-chat, model: m, tools: t.yaml, url: 'http://me:pw@x/'",
            "url: a password does not belong in an address",
        ),
        (
            "use: model, api: anthropic, model: m, tools: t.yaml, url: 'http://api.anthropic.com'",
            "url: the vendor's own host is asked over https",
        ),
    ],
)
def test_a_wrong_option_is_told_at_its_place(tmp_path: Path, options: str, says: str) -> None:
    with pytest.raises(WorkbenchError) as raised:
        build(tmp_path, options)
    (problem,) = raised.value.problems
    assert says in problem.message
    assert problem.mark is not None and problem.mark.line == 2
    option, _, part = says.partition(":")[0].partition(".")
    line = (tmp_path / "workbench.yaml").read_text().splitlines()[1]
    if f" {option}: " in line:
        at = line.index(f" {option}: ") + len(option) + 3
        if part:  # at the value of that part
            at = line.index(f"{part}: " if f"{part}: " in line else f"'{part}': ", at)
            at = line.index(": ", at) + 2
        assert problem.mark.column == at + 1


def test_every_format_is_a_choice(tmp_path: Path) -> None:
    for api in ("openai-chat", "openai-responses", "anthropic", "gemini", "ollama"):
        adapter = build(tmp_path, GOOD.replace("openai-chat", api))
        assert adapter.fingerprint()["api"] == api


def test_a_model_samples_and_is_no_router(tmp_path: Path) -> None:
    able = build(tmp_path, GOOD).capabilities
    assert not able.deterministic
    assert not able.router
    assert able.needs_trust
    assert able.bounds_itself


def test_defaults(tmp_path: Path) -> None:
    adapter = build(tmp_path, GOOD)
    assert (adapter.concurrency, adapter.timeout) == (8, 60)


@pytest.mark.parametrize("said", ["prompts/system.md", "'Be brief, and kind.'", "Short.", "and/or"])
def test_instructions_are_a_file_or_the_text_itself(tmp_path: Path, said: str) -> None:
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "system.md").write_text("From the file.\n")
    (tmp_path / "and").mkdir()
    (tmp_path / "and" / "or").write_text("From another file.")
    adapter = build(tmp_path, f"{GOOD}, system: {said}")
    assert isinstance(adapter, ModelAdapter)
    texts = {"prompts/system.md": "From the file.\n", "and/or": "From another file."}
    assert adapter.instructions == texts.get(said, said.strip("'"))


def test_the_fingerprint_changes_with_what_is_asked_and_with_nothing_else(tmp_path: Path) -> None:
    def of(more: str) -> object:
        return build(tmp_path, f"{GOOD}{more}").fingerprint()

    plain = of("")
    assert plain == of(", requests_per_minute: 5, max_calls: 9, concurrency: 2, timeout: 9")
    assert plain == of(", price: {input: 1, output: 2}, key: {env: SOME}")
    for more in (
        ", temperature: 1",
        ", seed: true",
        ", system: Short.",
        ", body: {top_p: 1}",
        ", stream: true",
    ):
        assert plain != of(more)
    (tmp_path / "t.yaml").write_text(TOOLS)
    before = of("")
    other = tmp_path / "u.yaml"
    other.write_text(TOOLS.replace("Send it.", "Send it now."))
    assert of("") == before
    assert build(tmp_path, GOOD.replace("t.yaml", "u.yaml")).fingerprint() != before


def test_what_a_call_takes_is_told_before_it_is_made(tmp_path: Path) -> None:
    adapter = build(tmp_path, f"{GOOD}, price: {{input: 1, output: 1000}}, max_tokens: 50")
    assert isinstance(adapter, ModelAdapter)
    small, large = adapter.estimate(bare("hi")), adapter.estimate(bare("hi " * 4000))
    assert small.tokens is not None and large.tokens is not None
    assert 50 < small.tokens < 150
    assert 2900 < large.tokens - small.tokens < 4000
    assert small.cost is not None and 0.05 <= small.cost < 0.051


def test_a_tool_that_the_vendor_cannot_name_is_told_before_any_call(tmp_path: Path) -> None:
    (tmp_path / "odd.yaml").write_text("[{name: 'gmail::send', description: d}]\n")
    with pytest.raises(WorkbenchError, match="gmail::send"):
        build(tmp_path, "use: model, api: openai-chat, model: m, tools: odd.yaml")
    assert build(tmp_path, GOOD.replace("t.yaml", "odd.yaml")), "another server may take it"


def test_options_reach_the_body(tmp_path: Path) -> None:
    more = "temperature: 0.5, max_tokens: 7, tool_choice: required, body: {top_p: 0.9}, system: Short."
    adapter = build(tmp_path, f"{GOOD}, {more}")
    assert isinstance(adapter, ModelAdapter)
    body = json.loads(adapter.body_of(bare("hello"), seed=3))
    assert body["messages"] == [
        {"role": "system", "content": "Short."},
        {"role": "user", "content": "hello"},
    ]
    assert (body["temperature"], body["max_tokens"], body["tool_choice"], body["top_p"]) == (
        0.5,
        7,
        "required",
        0.9,
    )
    assert "seed" not in body
    assert [tool["function"]["name"] for tool in body["tools"]] == ["send"]
    seeded = build(tmp_path, f"{GOOD}, seed: true")
    assert isinstance(seeded, ModelAdapter)
    assert json.loads(seeded.body_of(bare("hello"), seed=3))["seed"] == 3


def test_a_fingerprint_tells_no_secret(tmp_path: Path) -> None:
    secret = "AIzaSyA0123456789abcdefghijklmnopqrstuv"
    url = GOOD.replace("/v1'", f"/v1?key={secret}'")
    headers = "headers: {X-Api-Key: plain-text-key-1, X-Beta: tools-2, X-Team: {env: TEAM}}"
    told = build(tmp_path, f"{url}, {headers}, body: {{api_key: {secret}}}").fingerprint()
    assert secret not in str(told)
    assert "plain-text-key-1" not in str(told)
    assert "tools-2" in told["headers"], "it may change the answer"
    assert "{env: TEAM}" in told["headers"]
