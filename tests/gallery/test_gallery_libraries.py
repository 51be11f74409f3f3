"""Recipes around real libraries, and one without any: what they decide, and that they need no network."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from command import COMMAND
from gallery_kit import Recipe, cell, cells, cut_off, decided, kinds, recipe


@pytest.fixture
def regex(tmp_path: Path) -> Recipe:
    return recipe("regex-table", tmp_path)


@pytest.fixture
def hassil(tmp_path: Path) -> Recipe:
    pytest.importorskip("hassil", reason="pip install hassil")
    return recipe("hassil", tmp_path)


@pytest.fixture
def sklearn(tmp_path: Path) -> Recipe:
    pytest.importorskip("sklearn", reason="pip install scikit-learn")
    return recipe("scikit-learn", tmp_path)


@pytest.fixture
def litellm(tmp_path: Path) -> tuple[Recipe, dict[str, str]]:
    """The recipe, and what the command's environment needs for it."""
    if importlib.util.find_spec("litellm") is not None:
        return recipe("litellm", tmp_path), {}
    apart = os.environ.get("LITELLM_ENVIRONMENT", "")
    if not (apart and shutil.which("python", path=str(Path(apart) / "bin"))):
        pytest.skip(
            "LiteLLM is not installed; LITELLM_ENVIRONMENT may name a virtual environment that has it"
        )
    return recipe("litellm", tmp_path), {"VIRTUAL_ENV": apart}


def run_cut_off(made: Recipe, env: dict[str, str] | None = None) -> Any:
    """The report of the recipe, run where there is no network at all."""
    words = cut_off()
    if words is None:
        pytest.skip("no network namespace can be made here")
    asked = (COMMAND, "run", "--trust", "--no-save", "-q", "--format", "json")
    done = subprocess.run(
        [*words, *asked], cwd=made.bench.folder, capture_output=True, env={**os.environ, **(env or {})}
    )
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)


class TestRegexTable:
    def test_letters_inside_words(self, regex: Recipe) -> None:
        """k2-17: a pass; and where every match has the same score, the report says that it tells nothing."""
        done = regex.run()
        outcome, tools = decided(done, prompt="inside-words", arm="bare", adapter="loose")
        assert (outcome, {"devops", "coder"} <= set(tools)) == ("fire", True)
        assert decided(done, prompt="inside-words", arm="bare", adapter="whole") == ("pass", [])
        constant = [one for one in done.json["findings"] if one["prompt"] is None]
        assert {one["adapter"] for one in constant} == {"loose", "whole"}
        assert all("no threshold can part them" in one["headline"] for one in constant)

    @pytest.mark.parametrize("prompt", ["chinese", "thai", "signs"])
    def test_edges_in_every_script_and_behind_signs(self, regex: Recipe, prompt: str) -> None:
        """k2-19, k2-20: between Chinese characters, in Thai without blanks, and "C++." before a full stop."""
        done = regex.run(f"words#{prompt}")
        assert decided(done, arm="bare", adapter="whole") == ("fire", ["code"])

    def test_the_pair_to_it_passes(self, regex: Recipe) -> None:
        """k2-20: a letter to be translated into French is no code."""
        assert decided(regex.run("words#no-signs"), arm="bare", adapter="whole") == ("pass", [])

    def test_the_longer_command(self, regex: Recipe) -> None:
        """k2-21: a command does not swallow one that begins with its name."""
        done = regex.run("words#longer-command", "words#shorter-command")
        assert decided(done, prompt="longer-command", arm="bare", adapter="whole") == (
            "fire",
            ["config::check"],
        )
        assert decided(done, prompt="shorter-command", arm="bare", adapter="whole") == (
            "fire",
            ["config::show"],
        )
        loose = decided(done, prompt="longer-command", arm="bare", adapter="loose")
        assert set(loose[1]) == {"config::show", "config::check"}

    def test_an_everyday_word_aborts_nothing(self, regex: Recipe) -> None:
        """k2-13: `wait` passes and `stop` fires."""
        done = regex.run("words#wait", "words#please-wait", "words#stop")
        for prompt, wanted in (("wait", "pass"), ("please-wait", "pass"), ("stop", "fire")):
            assert decided(done, prompt=prompt, arm="bare", adapter="whole")[0] == wanted

    @pytest.mark.parametrize("prompt", ["greeting", "emoji", "empty", "blank"])
    def test_thin_prompts_pass(self, regex: Recipe, prompt: str) -> None:
        """k2-24: one word, one emoji, nothing, blanks."""
        done = regex.run(f"words#{prompt}")
        assert {one["decision"]["outcome"] for one in cells(done)} == {"pass"}


class TestHassil:
    def test_a_slot_without_a_known_value_is_held(self, hassil: Recipe) -> None:
        """k2-11: held, and the slot's value is kept beside the name of the intent."""
        done = hassil.run()
        seen = cell(done, prompt="unknown-place", arm="bare")
        assert seen["decision"]["outcome"] == "hold"
        (call,) = seen["decision"]["calls"]
        assert call == {"name": "who_is", "arguments": {"anywhere": "the inventor of the telephone"}}
        assert seen["decision"]["note"] == "any words would do for anywhere"

    def test_a_known_value_fires(self, hassil: Recipe) -> None:
        done = hassil.run("sentences#known-place", "sentences#calendar", "sentences#greeting")
        assert decided(done, prompt="known-place", arm="bare") == ("fire", ["who_is_in"])
        assert decided(done, prompt="calendar", arm="bare") == ("fire", ["list_events"])
        assert decided(done, prompt="greeting", arm="bare") == ("pass", [])

    def test_a_wrapper_loses_every_match(self, hassil: Recipe) -> None:
        done = hassil.run()
        assert {one["decision"]["outcome"] for one in cells(done, arm="channel")} == {"pass"}
        assert "drift" in kinds(done, prompt="calendar", arm="channel")

    def test_typed_words_mend_it(self, hassil: Recipe) -> None:
        assert hassil.run("--policy", "typed-words").json["findings"] == []

    def test_it_needs_no_network(self, hassil: Recipe) -> None:
        assert run_cut_off(hassil)["cells"] == hassil.run().json["cells"]


class TestScikitLearn:
    def test_a_negation_leaves_the_route_on_top(self, sklearn: Recipe) -> None:
        """k2-08: never a fire; the pair comes out alike, and the one that must not is an error."""
        done = sklearn.run("thresholds#reserve", "thresholds#do-not-reserve")
        pair = [decided(done, prompt=prompt, arm="bare") for prompt in ("reserve", "do-not-reserve")]
        assert pair == [("fire", ["book_room"])] * 2
        assert "expectation" in kinds(done, prompt="do-not-reserve", arm="bare")
        assert "expectation" not in kinds(done, prompt="reserve", arm="bare")

    def test_an_ambiguous_request_is_held_and_names_both(self, sklearn: Recipe) -> None:
        """k2-22: two routes within the gap: a hold, and never the default route."""
        done = sklearn.run("thresholds#ambiguous")
        outcome, tools = decided(done, arm="bare")
        assert (outcome, set(tools)) == ("hold", {"mail", "calendar"})
        scores = {one["route"]: one["value"] for one in cell(done, arm="bare")["scores"]}
        assert 0 < scores["mail"] - scores["calendar"] < 0.1
        assert len(scores) == 5

    def test_a_greeting_before_a_request_is_a_request(self, sklearn: Recipe) -> None:
        """k2-23: the minimal pair, social and work."""
        done = sklearn.run("thresholds#greeting", "thresholds#greeting-and-request")
        assert decided(done, prompt="greeting", arm="bare") == ("pass", [])
        assert decided(done, prompt="greeting-and-request", arm="bare") == ("fire", ["jobs"])

    @pytest.mark.parametrize("prompt", ["short", "nonsense", "empty"])
    def test_thin_prompts_pass_bare_and_fire_in_a_wrapper(self, sklearn: Recipe, prompt: str) -> None:
        """k2-24: no tool; what fires is the wrapper's words, and that is drift."""
        done = sklearn.run(f"thresholds#{prompt}")
        assert decided(done, arm="bare") == ("pass", [])
        if prompt != "short":
            assert {"drift", "leak"} <= kinds(done, arm="channel")

    def test_it_needs_no_network(self, sklearn: Recipe) -> None:
        assert run_cut_off(sklearn)["cells"] == sklearn.run().json["cells"]


@pytest.mark.slow
class TestLiteLlm:
    def test_a_page_buys_a_dearer_model(self, litellm: tuple[Recipe, dict[str, str]]) -> None:
        made, env = litellm
        done = made.run(env=env)
        assert decided(done, prompt="greeting-with-page", arm="bare") == ("fire", ["small"])
        outcome, tools = decided(done, prompt="greeting-with-page", arm="attached")
        assert outcome == "fire" and tools[0] in ("large", "thinker")
        assert {"drift", "leak"} <= kinds(done, prompt="greeting-with-page", arm="attached")
        assert kinds(made.run("--policy", "typed-words", env=env), arm="attached") == set()

    def test_it_needs_no_network(self, litellm: tuple[Recipe, dict[str, str]]) -> None:
        """What it would fetch at import is switched off before the import."""
        made, env = litellm
        report = run_cut_off(made, env)
        assert {cell["failed"] for cell in report["cells"]} == {0}
        assert report["cells"] == made.run(env=env).json["cells"]


def test_a_recipe_that_cannot_load_its_library_says_which(tmp_path: Path) -> None:
    made = recipe("hassil", tmp_path)
    made.bench.write("hassil.py", "raise ImportError('hassil is not there')\n")
    done = made.bench("run", "--trust", "--no-save", "-q", "--format", "json")
    assert done.code == 3
    assert "hassil is not there" in done.json["cells"][0]["errors"][0]["error"]
