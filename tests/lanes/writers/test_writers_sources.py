"""Which files are read, and that none of them is too odd."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from workbench.core.errors import WorkbenchError
from workbench.lanes.syntax.excluded import Excluded
from workbench.lanes.writers.finding import find_writers

WRITER = "import openai\nmessages.append({'role': 'user', 'content': text})\n"


def found(top: Path) -> list[str]:
    return [Path(site.file).relative_to(top).as_posix() for site in find_writers([top]).sites]


def write(top: Path, name: str, text: str = WRITER) -> Path:
    path = top / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize(
    "name", ["tests/a.py", "test_a.py", "a_test.py", "conftest.py", "src/__tests__/a.py", "fixtures/a.py"]
)
def test_tests_are_left_out_unless_they_are_named(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, name)
    write(tmp_path, "src/app.py")
    assert found(tmp_path) == ["src/app.py"]
    assert len(find_writers([path]).sites) == 1


def test_a_folder_of_tests_that_is_named_is_read(tmp_path: Path) -> None:
    write(tmp_path, "tests/app.py")
    assert len(find_writers([tmp_path / "tests"]).sites) == 1


def test_compiled_code_does_not_count_twice(tmp_path: Path) -> None:
    text = "import OpenAI from 'openai';\nmessages.push({ role: 'user', content: text });\n"
    write(tmp_path, "a.ts", text)
    write(tmp_path, "a.js", text)
    write(tmp_path, "b.js", text)
    write(tmp_path, "c.js", text)
    write(tmp_path, "c.mjs", text)
    assert found(tmp_path) == ["a.ts", "b.js", "c.mjs"]


def test_what_is_excluded_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, "a.py")
    write(tmp_path, "gen/b.py")
    got = find_writers([tmp_path], excluded=Excluded.of(["gen/"]))
    assert ([Path(site.file).name for site in got.sites], got.files) == (["a.py"], 1)


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(WRITER.replace("text", "'é'").encode("latin-1"))
    got = find_writers([path])
    assert (got.sites, got.files) == ((), 0)
    assert [(Path(one.file).name, one.reason[:9]) for one in got.unread] == [("a.py", "not UTF-8")]


def test_broken_code_is_read_as_far_as_it_goes_and_named(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "class ) = :\n\n" + WRITER)
    got = find_writers([tmp_path])
    assert [site.line for site in got.sites] == [4]
    assert [one.line for one in got.unread] == [1]


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(WorkbenchError):
        find_writers([tmp_path / "none.py"])


DEEP = {
    "call.py": "prompt = " + "f(\n" * 5_000 + "x" + ")\n" * 5_000,
    "list.py": "messages = " + "[\n" * 5_000 + "{'role': 'system', 'content': x}" + "]\n" * 5_000,
    "objects.ts": "const messages = " + "{ role: 'user', content: [\n" * 3_000 + "]}\n" * 3_000,
    "functions.js": "function f(prompt) {\n" * 5_000 + "prompt += 'x';\n" + "}\n" * 5_000,
    "arrows.js": "const messages = " + "() => (\n" * 5_000 + "{ role: 'user', content: x }" + ")\n" * 5_000,
    "sum.ts": "const prompt = " + "a +\n" * 5_000 + "b;\n",
    "or.ts": "const prompt = " + "a ||\n" * 5_000 + "`x ${b}`;\n",
    "choice.ts": "const prompt = " + "a ? `x ${b}` :\n" * 5_000 + "c;\n",
    "chain.ts": "const prompt = a" + "\n.trim()" * 5_000 + ";\n",
    "open.py": "messages = [{'role': 'user', 'content': " + "(\n" * 5_000,
}


@pytest.mark.parametrize("name", DEEP)
def test_deep_code_does_no_harm(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, name, "// openai\n" + DEEP[name] if not name.endswith("py") else DEEP[name])
    assert find_writers([path], everything=True).files == 1


def test_time_grows_with_the_text(tmp_path: Path) -> None:
    """A square would be 64 times as long, a line 8 times; in between is room for a busy machine."""
    body = "".join(
        f"def f{at}(rows, text):\n"
        "    parts = []\n"
        "    for row in rows:\n"
        "        parts.append(f'- {row}')\n"
        "    prompt = '\\n'.join(parts) + text[:200]\n"
        "    messages = [{'role': 'user', 'content': prompt}]\n"
        "    return client.chat.completions.create(model='m', messages=messages)\n"
        for at in range(60)
    )
    short = write(tmp_path, "short.py", body)
    long = write(tmp_path, "long.py", body * 8)
    assert _seconds(long) < 30 * _seconds(short)
    assert len(find_writers([long]).sites) == 8 * len(find_writers([short]).sites)


def _seconds(path: Path) -> float:
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        find_writers([path])
        best = min(best, time.process_time() - start)
    return best
