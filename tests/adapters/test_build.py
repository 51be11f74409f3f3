"""The builder: what the user's pipeline returned is what is sent, and what goes wrong is said."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from process_kit import APP_PYTHON, left, module, with_files

from workbench.adapters.process import claims, exact, offering, signature
from workbench.adapters.process.builder import Builder, Built
from workbench.adapters.protocol import Place, Request
from workbench.core.errors import WorkbenchError
from workbench.core.trial import Status
from workbench.core.turn import Turn, bare

APP = """
import dataclasses, os, sys, time
from typing import TypedDict

SYSTEM = {"role": "system", "content": "You help."}

def messages(text): return [SYSTEM, {"role": "user", "content": text}]
def body(message, files): return {"model": "m", "messages": messages(message + " " + str(files)), "top_k": 3}
async def later(text): return messages(text)
def pieces(text): yield from messages(text)

class Model:
    def __init__(self, **fields): self.fields = fields
    def model_dump(self, mode="python"):
        return {**self.fields, "mode": mode}
class Sdk(Model):
    def to_dict(self): return dict(self.fields)
class Plain(Model):
    def model_dump(self): return dict(self.fields)
@dataclasses.dataclass
class Message:
    role: str
    content: str

def modelled(text):
    return [Model(role="user", content=text), Sdk(role="user", content=text), Plain(role="user")]
def dataclassed(text): return [Message("user", text)]
def whole(text): return Model(messages=[Message("user", text)])
def tuples(text): return (SYSTEM, {"role": "user", "content": ({"type": "text", "text": text},)})

def a_date(text):
    import datetime
    return [{"role": "user", "content": text, "at": datetime.date(2026, 1, 1)}]
def nan(text): return {"messages": [], "temperature": float("nan")}
def number_key(text): return {"messages": [{1: text}]}
def a_class(text): return [{"role": "user", "content": Message}]
def endless(text):
    rows = []
    rows.append(rows)
    return rows
def words(text): return text
def nothing(text): return None
def mixed(text): return [SYSTEM, text]
def raises(text): raise RuntimeError("no index, " + os.environ.get("APP_SECRET_TOKEN", "-"))
def says(text):
    print("building", text)
    return messages(text)
def slow(text): time.sleep(30)
def dies(text): os._exit(3)
def garbage(text):
    os.write(1, b'{"id": 1, "decision"\\n')
    return messages(text)
def keys(text):
    names = ("OPENAI_API_KEY", "OWN_KEY", "HOME_TOWN", "GIVEN_API_KEY")
    return [{name: os.environ.get(name) for name in names}]
"""

USER = {"role": "user", "content": "hello"}
SYSTEM = {"role": "system", "content": "You help."}


async def built(folder: Path, function: str, turn: Turn | None = None, **options: Any) -> Built:
    """What one call of the builder gives."""
    module(folder, APP)
    settings = {"python": APP_PYTHON, "timeout": 20, **options}
    builder = Builder("model", Place(folder), build=f"app:{function}", **settings)
    await builder.open()
    try:
        return await builder.build(Request(turn or bare("hello")))
    finally:
        await builder.close()


@pytest.mark.parametrize("function", ["messages", "later", "pieces"])
async def test_messages_are_what_the_function_returned(tmp_path: Path, function: str) -> None:
    assert await built(tmp_path, function) == Built(Status.OK, messages=(SYSTEM, USER))


async def test_a_body_is_made_of_what_call_names(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("of a", encoding="utf-8")
    call = {"message": "typed", "files": "documents"}
    answer = await built(tmp_path, "body", with_files("hello", file), call=call)
    content = {"role": "user", "content": "hello ['of a']"}
    assert answer == Built(Status.OK, body={"model": "m", "messages": [SYSTEM, content], "top_k": 3})


async def test_objects_become_what_they_say_of_themselves(tmp_path: Path) -> None:
    modelled = await built(tmp_path, "modelled")
    assert modelled.messages == ({**USER, "mode": "json"}, USER, {"role": "user"})
    assert (await built(tmp_path, "dataclassed")).messages == (USER,)
    assert (await built(tmp_path, "whole")).body == {"messages": [USER], "mode": "json"}
    tuples = await built(tmp_path, "tuples")
    assert tuples.messages == (SYSTEM, {"role": "user", "content": [{"type": "text", "text": "hello"}]})


@pytest.mark.parametrize(
    ("function", "words"),
    [
        ("a_date", "what app:a_date returned cannot be sent: [0].at is a date, which is no JSON"),
        ("nan", "temperature is nan, which JSON has no number for"),
        ("number_key", "a key of messages[0] is an int; JSON has text only"),
        ("a_class", "[0].content is the class Message, which is no JSON"),
        ("endless", "is nested in itself, or deeper than 60 levels"),
        ("words", "app:words returned text; expected a list of messages, or a whole body"),
        ("nothing", "app:nothing returned nothing; expected"),
        ("mixed", "app:mixed returned a list that does not hold messages alone"),
        ("raises", "RuntimeError: no index, - (app.py:"),
        ("missing", "cannot load app:missing: AttributeError"),
    ],
)
async def test_what_cannot_be_sent_is_an_error_that_says_why(
    tmp_path: Path, function: str, words: str
) -> None:
    answer = await built(tmp_path, function)
    assert answer.status is Status.ERROR
    assert answer.messages is None
    assert answer.body is None
    assert words in (answer.error or "")


async def test_crash_stall_and_garbage_are_never_malformed(tmp_path: Path) -> None:
    died = await built(tmp_path, "dies")
    assert died.status is Status.ERROR
    assert died.error == "exited with status 3 before its answer"
    slow = await built(tmp_path, "slow", timeout=1.5)
    assert slow.status is Status.TIMEOUT
    garbled = await built(tmp_path, "garbage")
    assert garbled.status is Status.OK  # user code's output is log
    assert '"decision"' in garbled.log
    assert not left(tmp_path)


async def test_what_it_prints_is_log(tmp_path: Path) -> None:
    answer = await built(tmp_path, "says")
    assert answer.messages == (SYSTEM, USER)
    assert answer.log == "building hello\n"


async def test_it_goes_on_after_a_crash_and_serves_many_turns(tmp_path: Path) -> None:
    module(tmp_path, APP + "\ndef some(text):\n    return dies(text) if text == 'die' else messages(text)\n")
    builder = Builder("model", Place(tmp_path), build="app:some", python=APP_PYTHON, timeout=20)
    try:
        answers = [await builder.build(Request(bare(text))) for text in ("a", "die", "b")]
    finally:
        await builder.close()
    assert [answer.status for answer in answers] == [Status.OK, Status.ERROR, Status.OK]


async def test_it_gets_no_vendors_key_but_what_env_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OWN_KEY", "HOME_TOWN", "GIVEN_API_KEY"):
        monkeypatch.setenv(name, f"value of {name}")
    answer = await built(tmp_path, "keys", drop=["OWN_KEY"], env={"GIVEN_API_KEY": {"env": "GIVEN_API_KEY"}})
    expected = {"OPENAI_API_KEY": None, "OWN_KEY": None, "HOME_TOWN": "value of HOME_TOWN"}
    assert answer.messages == ({**expected, "GIVEN_API_KEY": "value of GIVEN_API_KEY"},)


async def test_an_app_that_wants_a_key_to_load_says_how_to_give_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-user")
    source = (
        "import os\nif 'OPENAI_API_KEY' not in os.environ:\n    raise RuntimeError('set OPENAI_API_KEY')\n"
    )
    module(tmp_path, source, "client")
    module(tmp_path, "import client\n" + APP)
    builder = Builder("model", Place(tmp_path), build="app:messages", python=APP_PYTHON)
    module(tmp_path, "import client\ndef messages(text): return []\n")
    try:
        answer = await builder.build(Request(bare("hello")))
    finally:
        await builder.close()
    assert answer.status is Status.ERROR
    hint = "; OPENAI_API_KEY is not passed on: give it a value under `env`, or {env: OPENAI_API_KEY}"
    assert (answer.error or "").endswith(hint)


async def test_secrets_of_env_stand_in_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VAULT", "hunter2-hunter2")
    answer = await built(tmp_path, "raises", env={"APP_SECRET_TOKEN": {"env": "VAULT"}})
    assert "no index, ***" in (answer.error or "")
    assert "hunter2" not in f"{answer.error}{answer.log}{answer.raw}"


def test_settings_that_cannot_work_are_refused(tmp_path: Path) -> None:
    with pytest.raises(WorkbenchError) as caught:
        Builder("model", Place(tmp_path), build="app.py", call={"x": "nonsense"}, cwd="nowhere")
    messages = [problem.message.partition(":")[0] for problem in caught.value.problems]
    assert messages == ["build", "call", "cwd"]


async def test_an_unset_variable_is_refused_at_the_start(tmp_path: Path) -> None:
    builder = Builder("model", Place(tmp_path), build="app:f", env={"A": {"env": "NO_SUCH_VARIABLE"}})
    with pytest.raises(WorkbenchError, match="NO_SUCH_VARIABLE is not set"):
        await builder.open()


def test_marks_change_with_the_function_and_what_it_is_given(tmp_path: Path) -> None:
    def marks(**options: Any) -> dict[str, str]:
        return dict(Builder("model", Place(tmp_path), build="app:messages", **options).marks())

    module(tmp_path, APP)
    before = marks()
    assert before == marks()
    assert before != marks(call="typed")
    module(tmp_path, APP + "\n")
    assert before != marks()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(JSON)
def test_json_passes_untouched(value: Any) -> None:
    assert exact.exact(value) == {"value": value}


@given(JSON, st.sampled_from([object(), float("inf"), b"x", {1, 2}, {2: 3}, str]))
def test_what_is_none_is_found_at_any_depth(value: Any, odd: object) -> None:
    assert list(exact.exact([value, {"deep": [odd]}])) == ["unreadable"]


FILES = [Path(file.__file__ or "") for file in (claims, exact, offering, signature)]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_what_the_worker_loads_stands_alone_and_runs_on_python_3_8(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"), feature_version=(3, 8))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in names} <= set(sys.stdlib_module_names)
