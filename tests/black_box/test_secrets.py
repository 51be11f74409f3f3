"""No key stands in anything that is stored, written or said, wherever a service or a guest throws it back."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from command import Bench, Done
from loopback import Asked, Service, answering, chat

# Put together here, so that no scanner of this repository takes them for keys.
LETTERS = "aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA"
KEYS = {
    "OPENAI": "sk-" + "proj-" + LETTERS,
    "ANTHROPIC": "sk-" + "ant-api03-" + LETTERS + "-x_y",
    "GOOGLE": "AI" + "za" + LETTERS + "_-q",
    "AWS": "AK" + "IA" + "QRSTUVWX23456789",
    "GITHUB": "gh" + "p_" + LETTERS + "wxyz",
    "SLACK": "xo" + "xb-1234567890-" + LETTERS,
    "HUGGING": "h" + "f_" + LETTERS + "cd",
    # These have no shape: only where they stand tells.
    "PLAIN": "correct horse/battery+staple",
    "QUOTED": 'pa"ss\\w~rd&<é>',
}
ENVIRONMENT = {f"TEST_{name}": value for name, value in KEYS.items() if value.isascii()}

SCENARIO = """\
scenario: leaks
envelopes: []
samples: {max: 3}
prompts:
  - {id: one, text: hello, expect: no calls}
"""
WORKSPACE = """\
adapters:
  openai:
    use: model
    api: openai-chat
    url: "URL/openai"
    model: m
    tools: tools.yaml
    key: {env: TEST_OPENAI}
    headers: {X-Second: {env: TEST_GITHUB}, X-Api-Key: {env: TEST_PLAIN}}
    temperature: 1
  claude:
    use: model
    api: anthropic
    url: "URL/anthropic"
    model: m
    tools: tools.yaml
    max_tokens: 9
    key: {env: TEST_ANTHROPIC}
  gemini: {use: model, api: gemini, url: "URL/gemini", model: m, tools: tools.yaml, key: {env: TEST_GOOGLE}}
  service:
    use: http
    url: "URL/service?key=GOOGLE&page=2"
    send: {text: "{turn}", api_key: HUGGING, deep: {"password": 'QUOTED'}}
    read: {outcome: data.action}
    key: {env: TEST_SLACK}
  guest:
    use: python
    target: "guest:route"
    env: {MY_KEY: {env: TEST_OPENAI}, AWS: {env: TEST_AWS}, PLAIN: {env: TEST_PLAIN}}
"""
GUEST = """\
import os, sys

def route(text):
    print("started with", os.environ["MY_KEY"], file=sys.stderr)
    print("and", os.environ["PLAIN"])
    raise RuntimeError("cannot sign with %s and %s" % (os.environ["AWS"], os.environ["MY_KEY"]))
"""
FORMATS = ("text", "json", "junit", "markdown")


def spelled(secret: str) -> set[str]:
    """Every spelling of a secret that could stand in what is written."""
    as_json = json.dumps(secret)[1:-1]
    return {
        secret,
        as_json,
        json.dumps(secret, ensure_ascii=False)[1:-1],
        json.dumps(as_json)[1:-1],
        quote(secret, safe=""),
        base64.b64encode(secret.encode()).decode().rstrip("=")[:-1],
    }


def thrown_back(asked: Asked) -> tuple[int, str]:
    """The worst of services: an error that quotes all of the request, in every way there is."""
    whole = asked.whole
    coded = base64.b64encode(whole.encode()).decode()
    error = {
        "message": f"Incorrect key in {whole}",
        "headers": asked.headers,
        "again": json.dumps(asked.body),
    }
    return 400, json.dumps({"error": error, "coded": coded, "asked": quote(whole)})


def answered(asked: Asked) -> tuple[int, str]:
    """A model that calls a tool with all that it was sent, and says it."""
    return 200, chat(f"You sent {asked.whole}", ("log", {"all": asked.whole, "more": asked.headers}))


@pytest.fixture
def work(bench: Bench) -> Bench:
    bench.write("scenarios/leaks.yaml", SCENARIO)
    bench.write("guest.py", GUEST)
    bench.write("tools.yaml", "- {name: log, description: Logs.}\n")
    return bench


def prepare(work: Bench, service: Service) -> None:
    text = WORKSPACE.replace("URL", service.url)
    for name in ("GOOGLE&", "HUGGING,"):
        text = text.replace(name, KEYS[name[:-1]] + name[-1])
    work.write("workbench.yaml", text.replace("'QUOTED'", json.dumps(KEYS["QUOTED"])))


def run(work: Bench, *arguments: str) -> Done:
    reports = [part for name in FORMATS for part in ("-o", f"out/report.{name}", "--format", name)]
    (work.folder / "out").mkdir(exist_ok=True)
    return work(
        *("run", "leaks", "--trust", "--verbose", "--record", "out/all.jsonl", *arguments, *reports),
        env=ENVIRONMENT,
    )


def everything(work: Bench, *done: Done) -> Iterator[tuple[str, str]]:
    """All that the command left behind or said, as text."""
    mine = {"workbench.yaml", "guest.py"}
    for path in sorted(work.folder.rglob("*")):
        if path.is_file() and path.name not in mine and "__pycache__" not in path.parts:
            yield str(path.relative_to(work.folder)), path.read_bytes().decode("utf-8", "replace")
    for number, each in enumerate(done):
        yield f"stdout {number}", each.out.decode("utf-8", "replace")
        yield f"stderr {number}", each.err.decode("utf-8", "replace")


def leaks(work: Bench, *done: Done) -> list[str]:
    return [
        f"{name} in {where}: {text[max(0, text.index(form) - 60) : text.index(form) + len(form) + 20]!r}"
        for where, text in everything(work, *done)
        for name, secret in KEYS.items()
        for form in spelled(secret)
        if form in text
    ]


def test_the_search_finds_what_is_there(work: Bench) -> None:
    """A search that finds nothing proves nothing."""
    for number, secret in enumerate(KEYS.values()):
        work.write(f"planted/{number}.bin", json.dumps({"x": secret}))
    assert {leak.split()[0] for leak in leaks(work)} == set(KEYS)


@pytest.mark.parametrize("answer", [thrown_back, answered], ids=["errors", "answers"])
def test_no_key_stands_in_what_a_run_leaves_behind(work: Bench, answer: Any) -> None:
    with answering(answer) as service:
        prepare(work, service)
        done = run(work)
        again = run(work, "--resume")
        listed = [
            work(*arguments, env=ENVIRONMENT)
            for arguments in (
                ("runs",),
                ("info",),
                ("list", "adapters"),
                ("list", "runs"),
                ("diff", "last", "last~1"),
            )
        ]
    # They were there to be leaked: each was sent or thrown.
    sent = "\n".join(asked.whole for asked in service.asked)
    for name in ("OPENAI", "ANTHROPIC", "GOOGLE", "GITHUB", "SLACK", "HUGGING", "PLAIN"):
        assert KEYS[name] in sent, name
    report = json.loads((work.folder / "out/report.json").read_text())
    assert {cell["adapter"] for cell in report["cells"]} == {"openai", "claude", "gemini", "service", "guest"}
    assert (work.folder / "out/all.jsonl").read_text().count('"answer"') >= 5
    assert leaks(work, done, again, *listed) == []


def test_no_key_stands_in_a_traceback(work: Bench) -> None:
    """A plug-in that raises: the engine keeps the traceback."""
    with answering(thrown_back) as service:
        prepare(work, service)
        done = work("run", "leaks", "--adapter", "guest", "--trust", "--verbose", env=ENVIRONMENT)
    assert "cannot sign with" in done.text + done.said
    assert leaks(work, done) == []


def test_a_variable_that_is_not_set_is_named_and_no_other_is_shown(work: Bench) -> None:
    with answering(thrown_back) as service:
        prepare(work, service)
        few = {name: value for name, value in ENVIRONMENT.items() if name != "TEST_OPENAI"}
        done = work("run", "leaks", "--adapter", "openai", "--trust", env=few)
    assert done.code in (2, 3)
    assert "TEST_OPENAI" in done.said + done.text
    assert leaks(work, done) == []


@pytest.mark.parametrize(
    "line",
    [
        "key: OPENAI",
        "tools: OPENAI",
        "tool_choice: [OPENAI]",
        'url: "ftp://u:OPENAI@h/p?key=GOOGLE"',
        "unknown: OPENAI",
        "OPENAI: x",
    ],
)
def test_a_mistake_in_the_workspace_file_is_told_without_the_key_that_stands_there(
    work: Bench, line: str
) -> None:
    for name in ("OPENAI", "GOOGLE"):
        line = line.replace(name, KEYS[name])
    work.write("workbench.yaml", f"adapters:\n  m:\n    {{use: model, api: openai-chat, model: m, {line}}}\n")
    done = work("run", "leaks", "--trust")
    assert done.code == 2
    assert "workbench.yaml:" in done.said
    assert leaks(work, done) == []


def test_what_is_masked_is_said_to_be(work: Bench) -> None:
    with answering(thrown_back) as service:
        prepare(work, service)
        run(work, "--adapter", "openai")
    assert "[secret]" in (work.folder / "out/report.json").read_text()


def test_nothing_is_written_outside(work: Bench, hermetic: Path) -> None:
    with answering(answered) as service:
        prepare(work, service)
        done = run(work)
    left = [path for path in hermetic.rglob("*") if path.is_file()]
    assert [
        str(path) for path in left if any(key in path.read_text(errors="replace") for key in KEYS.values())
    ] == []
    assert leaks(work, done) == []
