"""The README's example is what the command prints today, and its keys are those of the screen.

`python tests/test_readme.py` writes both anew.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from command import COMMAND, REPOSITORY, Bench

README = REPOSITORY / "README.md"
BLOCK = re.compile(r"<!-- finding -->\n.*<!-- /finding -->", re.DOTALL)
KEYS = re.compile(r"<!-- keys -->\n.*<!-- /keys -->", re.DOTALL)
POLICIES = re.compile(r"<!-- policies -->\n.*<!-- /policies -->", re.DOTALL)
CONTEST = (
    "policies",
    *("envelope-replay", "canary", "paste", "quotes-and-code"),
    *("--adapter", "commands", "--format", "markdown", "--quiet"),
)
RATES = re.compile(r"<!-- rates -->\n.*<!-- /rates -->", re.DOTALL)
SAMPLED = ("run", "canary", "--adapter", "smollm-recorded")
EXPLANATION = re.compile(r"<!-- explanation -->\n.*<!-- /explanation -->", re.DOTALL)
EXPLAINED = ("explain", "paste#question@paste:keywords")
LANES = re.compile(r"<!-- lanes -->\n.*<!-- /lanes -->", re.DOTALL)
MADE = ("demo", "--requests", "sent")
COUNTED = ("lanes", "ledger", "sent", "--src", "workbench/demo")
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


def key_table() -> str:
    """Every command that has a key, a row for each group of the help, as it stands in the README."""
    from workbench.tui.commands import COMMANDS, GROUPS

    lines = ["| | keys |", "|---|---|"]
    for group in GROUPS:
        commands = (command for command in COMMANDS if command.group == group and command.keys)
        entries = (f"{' '.join(map(key_cap, command.shown_keys))} {command.label}" for command in commands)
        lines.append(f"| {group} | {' · '.join(entries)} |")
    return "<!-- keys -->\n{}\n<!-- /keys -->".format("\n".join(lines))


def policy_block(printed: str) -> str:
    """The contest of policies as it stands in the README, with the command that holds it."""
    command = " ".join(("workbench", *CONTEST[:-3]))
    return f"<!-- policies -->\n```sh\n$ {command}\n```\n\n{printed.rstrip()}\n<!-- /policies -->"


def rates_block(printed: str) -> str:
    """The rates of a recorded model as they stand in the README: all up to the first finding."""
    rates, _, _ = printed.partition("\n\n")
    command = " ".join(("workbench", *SAMPLED))
    return f"<!-- rates -->\n```text\n$ {command}\n{rates}\n```\n<!-- /rates -->"


def explanation_block(printed: str) -> str:
    """The words that moved a decision, as they stand in the README, with the command that finds them."""
    command = " ".join(("workbench", EXPLAINED[0], f"'{EXPLAINED[1]}'"))
    return f"<!-- explanation -->\n```text\n$ {command}\n{printed.rstrip()}\n```\n<!-- /explanation -->"


def lanes_block(folder: Path) -> str:
    """What the demo's gateway sends, accounted for, as it stands in the README, with both commands.

    They are run where the README is, but for the requests, which go to a folder of their own.
    """
    for command in (MADE, COUNTED):
        words = [str(folder / word) if word == "sent" else word for word in command]
        done = subprocess.run(
            [COMMAND, *words], cwd=REPOSITORY, capture_output=True, text=True, stdin=subprocess.DEVNULL
        )
        assert done.returncode in (0, 1), done.stderr
    printed = done.stdout.rstrip().replace(f"{folder}/", "")
    commands = "\n".join(f"$ {' '.join(('workbench', *words))}" for words in (MADE, COUNTED))
    return f"<!-- lanes -->\n```text\n{commands}\n{printed}\n```\n<!-- /lanes -->"


def key_cap(key: str) -> str:
    """A key as a table of Markdown takes it."""
    return f"`{key}`".replace("|", "\\|")


def test_the_keys_are_fresh() -> None:
    found = KEYS.search(README.read_text("utf-8"))
    assert found
    assert found[0] == key_table(), "run: python tests/test_readme.py"


def test_the_table_has_every_key_of_every_command_once() -> None:
    from workbench.tui.commands import COMMANDS

    caps = re.findall(r"`([^`]+)`", key_table())
    assert caps == [key for command in COMMANDS for key in command.shown_keys]
    assert len(caps) == len(set(caps)) > 40


def test_the_example_is_fresh(shipped: Bench) -> None:
    found = BLOCK.search(README.read_text("utf-8"))
    assert found
    assert found[0] == block(shipped(*arguments()).text)


def test_the_contest_of_policies_is_fresh(shipped: Bench) -> None:
    found = POLICIES.search(README.read_text("utf-8"))
    assert found
    assert found[0] == policy_block(shipped(*CONTEST).text), "run: python tests/test_readme.py"


def test_typed_words_leave_nothing_on_wrappers_and_do_not_close_the_paste_hole() -> None:
    found = POLICIES.search(README.read_text("utf-8"))
    assert found
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in found[0].splitlines() if "|" in line]
    head, _, *policies = rows
    typed = next(dict(zip(head, row, strict=True)) for row in policies if row[0] == "`typed-words`")
    as_it_is = next(dict(zip(head, row, strict=True)) for row in policies if row[0] == "`none`")
    assert int(as_it_is["left on wrappers"]) > 100
    assert (typed["left on wrappers"], typed["on files"], typed["commands lost"]) == ("0", "0", "0")
    assert int(typed["on paste"]) > 0


def test_the_rates_are_fresh(shipped: Bench) -> None:
    found = RATES.search(README.read_text("utf-8"))
    assert found
    assert found[0] == rates_block(shipped(*SAMPLED, "--no-save", "--quiet").text)


def test_the_explanation_is_fresh(shipped: Bench) -> None:
    found = EXPLANATION.search(README.read_text("utf-8"))
    assert found
    assert found[0] == explanation_block(shipped(*EXPLAINED).text), "run: python tests/test_readme.py"


def test_the_ledger_is_fresh(hermetic: Path, tmp_path: Path) -> None:
    found = LANES.search(README.read_text("utf-8"))
    assert found
    assert found[0] == lanes_block(tmp_path), "run: python tests/test_readme.py"


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
    if done.stdout:  # else it says on stderr why there is none
        text = BLOCK.sub(lambda _: block(done.stdout), text)
    contest = subprocess.run(
        [COMMAND, *CONTEST], cwd=REPOSITORY, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    sys.stderr.write(contest.stderr)
    if contest.stdout:
        text = POLICIES.sub(lambda _: policy_block(contest.stdout), text)
    sampled = subprocess.run(
        [COMMAND, *SAMPLED, "--no-save", "--quiet"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    sys.stderr.write(sampled.stderr)
    if sampled.stdout:
        text = RATES.sub(lambda _: rates_block(sampled.stdout), text)
    words = subprocess.run(
        [COMMAND, *EXPLAINED], cwd=REPOSITORY, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    sys.stderr.write(words.stderr)
    if words.stdout:
        text = EXPLANATION.sub(lambda _: explanation_block(words.stdout), text)
    with tempfile.TemporaryDirectory() as scratch:
        accounted = lanes_block(Path(scratch))
    text = LANES.sub(lambda _: accounted, text)
    README.write_text(KEYS.sub(lambda _: key_table(), text), "utf-8")
