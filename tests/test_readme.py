"""The README's example is what the command prints today. `python tests/test_readme.py` writes it anew."""

from __future__ import annotations

import re
import subprocess
import sys

from command import COMMAND, REPOSITORY, Bench

README = REPOSITORY / "README.md"
BLOCK = re.compile(r"<!-- finding -->\n.*<!-- /finding -->", re.DOTALL)
ASKED = re.compile(r"^\$ (workbench run .*)$", re.MULTILINE)


def arguments() -> list[str]:
    """The command of the example, as its words."""
    import shlex

    asked = ASKED.search(README.read_text("utf-8"))
    assert asked
    return [*shlex.split(asked[1])[1:], "--trust", "--no-save", "--quiet"]


def block(printed: str) -> str:
    """The example as it stands in the README; the run's own time is no part of it."""
    timeless = re.sub(r", [\d.]+ s\b", "", printed.rstrip())
    return f"<!-- finding -->\n```text\n{timeless}\n```\n<!-- /finding -->"


def test_the_example_is_fresh(shipped: Bench) -> None:
    found = BLOCK.search(README.read_text("utf-8"))
    assert found
    assert found[0] == block(shipped(*arguments()).text)


def test_both_set_up_commands_stand_there() -> None:
    commands = [line for line in README.read_text("utf-8").splitlines() if line.startswith("python3 -m venv")]
    assert len(commands) == 2
    assert commands[1].endswith("&& .venv/bin/pytest")


def test_every_file_that_it_names_exists() -> None:
    for link in re.findall(r"\]\(([^)#:]+)\)", README.read_text("utf-8")):
        assert (REPOSITORY / link).exists(), link


def test_every_exit_code_is_explained() -> None:
    from workbench.cli.exits import Exit

    text = README.read_text("utf-8")
    for code in Exit:
        assert re.search(rf"^\| {code.value} \| ", text, re.MULTILINE), code


if __name__ == "__main__":
    done = subprocess.run(
        [COMMAND, *arguments()], cwd=REPOSITORY, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    sys.stderr.write(done.stderr)
    text = README.read_text("utf-8")
    README.write_text(BLOCK.sub(lambda _: block(done.stdout), text), "utf-8")
