"""The python adapter: how the user's function is called, under which interpreter, what is refused."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from process_kit import ask, ask_all, module, python, with_files

from workbench.adapters.protocol import Place, Request
from workbench.adapters.python import FIELDS, PythonAdapter
from workbench.core.decision import Decision, Outcome, ToolCall, Window, WindowSource
from workbench.core.errors import WorkbenchError
from workbench.core.trial import Status
from workbench.core.turn import Message, Turn, bare

ECHO = """
import asyncio, json

def text(value): return {"outcome": "pass", "note": json.dumps(value, sort_keys=True)}
def named(**given): return text(given)
async def slow(value):
    await asyncio.sleep(0)
    return text(value)
def future(value):
    async def later(): return text(value)
    return later()
def pieces(value):
    yield "one"
    yield {"name": "two", "arguments": {"a": 1}}
async def stream(value):
    for item in pieces(value):
        yield item
class Router:
    def __init__(self): self.calls = 0
    def route(self, value):
        self.calls += 1
        return text(f"{value} {self.calls}")
router = Router()
loops = []
async def same_loop(value):
    loops.append(asyncio.get_running_loop())
    return text(len(set(map(id, loops))))
def runs_its_own(value): return asyncio.run(slow(value))
"""


async def answered(tmp_path: Path, turn: Turn, **options: object) -> Decision:
    module(tmp_path, ECHO)
    adapter = python(tmp_path, **options)
    try:
        answer = await adapter.decide(Request(turn, attempt=3, seed=5))
    finally:
        await adapter.close()
    assert answer.status is Status.OK, answer
    assert answer.decision is not None
    return answer.decision


@pytest.mark.parametrize(
    ("options", "note"),
    [
        ({"target": "app:text"}, '"wrapped: hi"'),
        ({"target": "app:text", "call": "typed"}, '"hi"'),
        ({"target": "app:text", "call": "paths"}, '["{folder}/a.txt"]'),
        ({"target": "app:text", "call": "documents"}, '["of a"]'),
        ({"target": "app:text", "call": "messages"}, '[{"content": "wrapped: hi", "role": "user"}]'),
        (
            {"target": "app:named", "call": {"message": "typed", "files": "paths", "channel": "'telegram'"}},
            '{"channel": "telegram", "files": ["{folder}/a.txt"], "message": "hi"}',
        ),
        ({"target": "app:named", "call": {"x": '"text"', "y": "''"}}, '{"x": "text", "y": ""}'),
        ({"target": "app:slow"}, '"wrapped: hi"'),
        ({"target": "app:future"}, '"wrapped: hi"'),
        ({"target": "app:runs_its_own"}, '"wrapped: hi"'),
        ({"target": "app:router.route"}, '"wrapped: hi 1"'),
    ],
)
async def test_a_function_is_given_what_call_names(
    tmp_path: Path, options: dict[str, object], note: str
) -> None:
    (tmp_path / "a.txt").write_text("of a")
    plain = with_files("hi", tmp_path / "a.txt")
    text = "wrapped: hi"
    turn = Turn(text, "hi", plain.regions, attachments=plain.attachments, messages=(Message("user", text),))
    decision = await answered(tmp_path, turn, **options)
    assert decision.note == note.replace("{folder}", str(tmp_path))


async def test_a_turn_is_one_dict_in_the_shape_of_the_protocol(tmp_path: Path) -> None:
    decision = await answered(tmp_path, bare("hi"), target="app:text", call="turn")
    assert decision.note == (
        '{"attachments": [], "attempt": 3, "messages": [], "regions": [[0, 2, "user"]], '
        '"seed": 5, "text": "hi", "typed": "hi"}'
    )


@pytest.mark.parametrize("target", ["app:pieces", "app:stream"])
async def test_a_generator_is_read_to_its_end(tmp_path: Path, target: str) -> None:
    decision = await answered(tmp_path, bare("hi"), target=target)
    assert decision.calls == (ToolCall("one"), ToolCall("two", {"a": 1}))


async def test_one_event_loop_serves_all_trials(tmp_path: Path) -> None:
    module(tmp_path, ECHO)
    answers = await ask_all(python(tmp_path, target="app:same_loop"), "a", "b", "c")
    assert [answer.decision.note for answer in answers if answer.decision] == ["1", "1", "1"]


async def test_state_lasts_for_the_run_or_for_one_trial(tmp_path: Path) -> None:
    module(tmp_path, ECHO)
    run = await ask_all(python(tmp_path, target="app:router.route"), "a", "a")
    trial = await ask_all(python(tmp_path, target="app:router.route", restart="trial"), "a", "a")
    assert [answer.decision.note for answer in run if answer.decision] == ['"a 1"', '"a 2"']
    assert [answer.decision.note for answer in trial if answer.decision] == ['"a 1"', '"a 1"']


async def test_every_code_point_arrives_and_comes_back(tmp_path: Path) -> None:
    module(tmp_path, "def route(text): return {'outcome': 'pass', 'scanned': text, 'note': str(len(text))}")
    texts = ["\ud800", "\x00\x1b[31m\u202e\u200b\u2028\r\n", "😀" * 1000, "[/bold]", "x" * 1_000_000, ""]
    for text, answer in zip(texts, await ask_all(python(tmp_path, target="app:route"), *texts), strict=True):
        assert answer.decision is not None
        assert answer.decision.window == Window(text, WindowSource.REPORTED)
        assert answer.decision.note == str(len(text))


async def test_returns_window_takes_the_returned_string_for_the_window(tmp_path: Path) -> None:
    module(tmp_path, "def extract(text): return text[2:] if text != 'none' else None")
    adapter = python(tmp_path, target="app:extract", returns="window")
    assert adapter.capabilities.reports_window
    found, nothing = await ask_all(adapter, "> fire", "none")
    assert found.decision is not None
    assert found.decision.outcome is Outcome.PASS
    assert found.decision.windows == (Window("fire", WindowSource.REPORTED),)
    assert nothing.status is Status.MALFORMED


async def test_what_json_cannot_tell_is_malformed_and_named(tmp_path: Path) -> None:
    module(tmp_path, "def route(text): return object()")
    (answer,) = await ask_all(python(tmp_path, target="app:route"))
    assert answer.status is Status.MALFORMED
    assert answer.error is not None
    assert answer.error.startswith("what it returned is no value that JSON knows: <object object at ")


@pytest.mark.parametrize(
    ("options", "problems"),
    [
        ({}, ["target: expected either target or entry, as package.module:function"]),
        (
            {"target": "a:b", "entry": "a:c", "tap": ["a:b"]},
            ["target: expected either target or entry, as package.module:function"],
        ),
        ({"entry": "a:b"}, ["entry: it needs tap, the functions to watch, e.g. [yourapp.routing:route]"]),
        ({"target": "a:b", "tap": ["a:b"]}, ["tap: it goes with entry, not with target"]),
        ({"target": "a.b"}, ["target: 'a.b' is not of the form package.module:function"]),
        (
            {"entry": "a:b", "tap": ["a:b", "a b:c"]},
            ["tap: 'a b:c' is not of the form package.module:function"],
        ),
        (
            {"target": "a:b", "call": "txet"},
            [
                f"call: 'txet' is no field; expected one of {', '.join(FIELDS)}, "
                "or a mapping of parameters to them"
            ],
        ),
        (
            {"target": "a:b", "call": {"x": "text", "y": "txet", "z": "'"}},
            [
                f"call: parameter {name!r} is given {field!r}; expected one of {', '.join(FIELDS)}, "
                "or a literal in quotes such as \"'chat'\""
                for name, field in (("y", "txet"), ("z", "'"))
            ],
        ),
        ({"target": "a:b", "call": {}}, ["call: it names no parameter"]),
        (
            {"target": "a", "concurrency": 0, "timeout": 0, "restart": "never", "returns": "x", "after": "y"},
            [
                "target: 'a' is not of the form package.module:function",
                "returns: 'x' is none of decision, window",
                "after: 'y' is none of stop, continue",
                "concurrency: 0 is less than 1",
                "timeout: 0 is no number of seconds above 0",
                "restart: 'never' is none of run, trial",
            ],
        ),
        (
            {"entry": "a:b", "tap": ["a:c"], "returns": "window"},
            ["returns: window goes with target; with entry the window is what a tap was given"],
        ),
    ],
)
def test_what_cannot_work_is_refused_all_at_once(
    tmp_path: Path, options: dict[str, object], problems: list[str]
) -> None:
    with pytest.raises(WorkbenchError) as error:
        python(tmp_path, **options)
    assert [problem.message for problem in error.value.problems] == problems


def test_capabilities_say_who_joins_the_turn(tmp_path: Path) -> None:
    target = python(tmp_path, target="a:b").capabilities
    entry = python(tmp_path, entry="a:b", tap=["a:c"]).capabilities
    assert (target.wraps, target.reports_window, target.needs_trust) == (False, False, True)
    assert (entry.wraps, entry.reports_window, entry.needs_trust) == (True, True, True)


def venv(folder: Path) -> Path:
    """A virtual environment with nothing in it; its interpreter."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    return folder / "bin" / "python"


async def test_the_app_runs_under_its_own_environment_that_has_none_of_our_packages(tmp_path: Path) -> None:
    interpreter = venv(tmp_path / "theirs")
    module(
        tmp_path,
        """
        import importlib.util, sys
        def route(text):
            names = ("workbench", "yaml", "textual", "rich")
            ours = [name for name in names if importlib.util.find_spec(name)]
            return {"outcome": "pass", "note": f"{sys.prefix} {ours}"}
        def handle(message):
            return route(message)
        """,
    )
    for options in ({"target": "app:route"}, {"entry": "app:handle", "tap": ["app:route"]}):
        for key in (interpreter, "theirs", "theirs/bin/python"):
            adapter = PythonAdapter("app", Place(tmp_path), python=key, **options)
            assert adapter.interpreter() == (interpreter, "the adapter's key `python`")
            answer = await ask(adapter)
            await adapter.close()
            assert answer.decision is not None, answer
            assert answer.decision.note == f"{tmp_path / 'theirs'} []"


def test_which_interpreter_is_taken_and_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fake(folder: Path) -> Path:
        (folder / "bin").mkdir(parents=True)
        (folder / "bin" / "python").touch()
        return folder / "bin" / "python"

    def adapter(packaged: bool = False) -> PythonAdapter:
        return PythonAdapter("app", Place(tmp_path, packaged), target="a:b")

    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    own = Path(sys.executable)
    assert adapter().interpreter() == (own, "workbench's own: no $VIRTUAL_ENV, and no .venv in the workspace")
    dotted = fake(tmp_path / ".venv")
    assert adapter().interpreter() == (dotted, "the workspace's .venv")
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path / "gone"))
    assert adapter().interpreter() == (dotted, "the workspace's .venv")
    active = fake(tmp_path / "active")
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path / "active"))
    assert adapter().interpreter() == (active, "$VIRTUAL_ENV")
    assert adapter(packaged=True).interpreter() == (own, "workbench's own, for what ships with it")


async def test_an_interpreter_that_is_not_there_is_an_error_that_names_it(tmp_path: Path) -> None:
    for key in ("venv/bin/python", "no-such-python-here"):
        (answer,) = await ask_all(python(tmp_path, target="a:b", python=key))
        assert answer.status is Status.ERROR
        assert answer.error is not None
        assert answer.error.startswith("cannot start ")
        assert key in answer.error
        assert "there is no such program" in answer.error


def test_a_fingerprint_changes_with_the_file_of_the_function(tmp_path: Path) -> None:
    module(tmp_path, "def route(text): return 'fire'", "pkg.routing")
    before = python(tmp_path, target="pkg.routing:route").fingerprint()
    assert before == python(tmp_path, target="pkg.routing:route").fingerprint()
    module(tmp_path, "def route(text): return 'hold'", "pkg.routing")
    after = python(tmp_path, target="pkg.routing:route").fingerprint()
    assert {key for key in before if before[key] != after[key]} == {"target pkg.routing:route"}
    assert python(tmp_path, target="json:loads").fingerprint()["target json:loads"] == "not in the workspace"


async def test_a_working_folder_of_its_own_comes_first(tmp_path: Path) -> None:
    (tmp_path / "service").mkdir()
    module(
        tmp_path / "service", "import os\ndef route(text): return {'outcome': 'pass', 'note': os.getcwd()}"
    )
    (answer,) = await ask_all(python(tmp_path, target="app:route", cwd="service"))
    assert answer.decision is not None
    assert answer.decision.note == os.fspath(tmp_path / "service")
