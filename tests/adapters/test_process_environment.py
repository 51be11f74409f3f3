"""What a guest gets from our environment, and which values no report shows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from process_kit import ask, ask_all, command, module, python

from workbench.adapters.process.environment import Masker, guest_environment, kept_back, vendor_keys
from workbench.core.trial import Status
from workbench.files.node import EnvName

SECRET = 'sk-"very\\secret\nkey é'


def test_our_environment_is_kept_and_no_byte_code_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/their/lib")
    monkeypatch.setenv("PYTHONHOME", "/ours")
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    environment, _ = guest_environment("a", {"MODE": "test"}, drop=("PYTHONHOME",))
    assert environment["PYTHONPATH"] == "/their/lib"
    assert environment["MODE"] == "test"
    assert environment["PYTHONDONTWRITEBYTECODE"] == "1"
    assert "PYTHONHOME" not in environment
    assert "PATH" in environment


def test_the_environment_of_the_run_wins_over_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "")
    monkeypatch.setenv("MODE", "ours")
    monkeypatch.setenv("SOURCE", "value of the source")
    environment, masker = guest_environment("a", {"MODE": "theirs", "KEY": EnvName("SOURCE")})
    assert environment["PYTHONDONTWRITEBYTECODE"] == ""
    assert environment["MODE"] == "theirs"
    assert environment["KEY"] == "value of the source"
    assert masker.text("it is value of the source, and theirs") == "it is ***, and theirs"


def test_a_masker_knows_the_spellings_of_a_secret() -> None:
    masker = Masker([SECRET])
    for spelled in (SECRET, json.dumps(SECRET), json.dumps(SECRET, ensure_ascii=False), repr(SECRET)):
        hidden = masker.text(f"key={spelled};")
        assert "***" in hidden
        assert "secret" not in hidden


def test_short_values_are_left_alone_and_longer_ones_go_first() -> None:
    masker = Masker(["short", "longer", "longer-still"])
    assert masker.text("short longer longer-still") == "short *** ***"


def test_a_masker_reaches_every_text_of_a_value() -> None:
    masker = Masker(["hunter22"])
    value = {"a": ["x hunter22", {"hunter22": 1}], "b": None, "c": 2.5, "d": True}
    assert masker.value(value) == {"a": ["x ***", {"***": 1}], "b": None, "c": 2.5, "d": True}
    assert Masker().value(value) is value


async def test_a_secret_stands_in_no_part_of_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OUR_KEY", SECRET)
    adapter = command(
        tmp_path,
        r"""
        key = os.environ["KEY"]
        for number, text in asked():
            sys.stderr.write("x" * 65500 + f"key is {key!r} {key}\n")
            sys.stderr.flush()
            if text == "error":
                say(json.dumps({"id": number, "error": f"bad key {key}"}))
            elif text == "malformed":
                say(json.dumps({"id": number, "decision": {"key": key}}))
            elif text == "stray":
                say(json.dumps({"id": number + 1, "decision": key}))
            elif text == "half":
                say('{"id": %d, "decision": %s' % (number, json.dumps(key)), end="")
                os._exit(1)
            else:
                answer(number, {"outcome": "fire", "calls": [{"name": "t", "arguments": {"k": [key]}}],
                                "scanned": key, "note": key})
        """,
        env={"KEY": {"env": "OUR_KEY"}},
    )
    answers = await ask_all(adapter, "error", "malformed", "stray", "half", "fine")
    statuses = [Status.ERROR, Status.MALFORMED, Status.MALFORMED, Status.ERROR, Status.OK]
    assert [answer.status for answer in answers] == statuses
    for answer in answers:
        told = repr(answer)
        assert "***" in told
        assert "secret" not in told
    assert answers[-1].decision is not None
    assert answers[-1].decision.calls[0].arguments == {"k": ["***"]}


async def test_a_secret_is_in_no_argument_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUR_KEY", "sk-on-the-command-line")
    module(
        tmp_path,
        """
        import os, sys
        def route(text):
            line = repr(sys.argv)
            if os.path.exists("/proc"):
                line += open(f"/proc/{os.getpid()}/cmdline").read()
            return {"outcome": "pass", "note": f"{os.environ['KEY'][:5]} {'sk-on' in line}"}
        """,
    )
    adapter = python(tmp_path, target="app:route", env={"KEY": EnvName("OUR_KEY")})
    answer = await ask(adapter)
    await adapter.close()
    assert answer.decision is not None
    assert answer.decision.note == "sk-on False"


async def test_a_vendors_key_that_the_app_needs_stands_in_no_part_of_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "of-no-known-shape-4711"
    monkeypatch.setenv("ACME_API_KEY", key)
    looks = "sk-ant-api03-" + "Ab1" * 20
    module(
        tmp_path,
        f"""
        import os
        def route(text):
            key = os.environ["ACME_API_KEY"]
            print("asking with", key, "and", {looks!r})
            if text == "error":
                raise RuntimeError(f"refused: {{key}} {looks}")
            return {{"tool": "t", "arguments": {{"key": key}}, "note": key}}
        """,
    )
    for answer in await ask_all(python(tmp_path, target="app:route"), "hello", "error"):
        said = f"{answer.log}{answer.error}{answer.raw}{answer.decision}"
        assert "asking with ***" in answer.log
        assert key not in said
        assert looks not in said


def test_vendors_keys_are_known_by_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = {"OPENAI_API_KEY", "ACME_API_TOKEN", "HF_TOKEN", "AWS_SECRET_ACCESS_KEY", "ANTHROPIC_AUTH_TOKEN"}
    for name in (*keys, "DJANGO_SECRET_KEY", "PATH_TO_KEYS", "SSH_AUTH_SOCK"):
        monkeypatch.setenv(name, "x")
    assert keys <= vendor_keys()
    assert not vendor_keys() & {"DJANGO_SECRET_KEY", "PATH_TO_KEYS", "SSH_AUTH_SOCK"}


def test_a_complaint_about_a_variable_that_was_kept_back_says_how_to_give_it() -> None:
    hint = kept_back("KeyError: 'A_API_KEY'", {"A_API_KEY", "B_API_KEY"})
    assert hint == "; A_API_KEY is not passed on: give it a value under `env`, or {env: A_API_KEY}"
    assert kept_back("KeyError: 'other'", {"A_API_KEY"}) == ""
