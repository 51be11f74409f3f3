"""`lanes writers` as it is run: the table, the ratchet, SARIF, and what goes wrong."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from command import Bench, Done

pytest.importorskip("ast_grep_py")

APP = """\
import openai

MAX_PAGE_CHARS = 20_000


def add_page(messages, page):
    messages.append({"role": "user", "content": f"<page>\\n{page[:MAX_PAGE_CHARS]}\\n</page>"})


def chat(messages, memory, rules):
    system_prompt = assemble_prompt(memory)
    system_prompt += rules
    messages.append({"role": "user", "content": memory, "lane": "memory"})
    return openai.chat.completions.create(messages=messages)
"""
LANES = """\
schema_version = 1
unit = "chars"

[[lane]]
name = "memory"
injector = "src/app.py chat"
budget = 800
priority = 2
trust = "owner"
evicts = "oldest first"
"""
LATE = """

def late(messages, note):
    messages.append({"role": "system", "content": note})
"""


@pytest.fixture
def tree(bench: Bench) -> Bench:
    bench.write("src/app.py", APP)
    bench.write("lanes.toml", LANES)
    return bench


def writers(tree: Bench, *more: str) -> Done:
    return tree("lanes", "writers", "src", *more)


def kinds(done: Done) -> list[tuple[str, str, str, int]]:
    return [(f["kind"], f["severity"], f["file"], f["line"]) for f in done.json["findings"]]


def test_a_line_for_each_site_then_the_stanzas(tree: Bench) -> None:
    done = writers(tree)
    assert done.code == 0
    head, page, rules, memory = done.text.split("\n\n")[0].splitlines()
    assert head.split() == ["site", "kind", "function", "lane", "budget", "fence", "late", "stanza"]
    assert page.split() == [
        *("src/app.py:7:5", "push", "add_page", "none", "20,000", "MAX_PAGE_CHARS", "<page>", "page")
    ]
    assert rules.startswith("src/app.py:12:5")
    assert "assemble_prompt()" in rules
    assert memory.split() == ["src/app.py:13:5", "push", "chat", "memory", "none", "none"]
    assert done.text.count("[[lane]]") == 2
    assert "3 writers in 1 file: 2 without a lane, 1 late, 1 with a private budget" in done.said


def test_the_json_has_every_field_and_a_warning_for_each_that_is_not_registered(tree: Bench) -> None:
    done = writers(tree, "--format", "json")
    assert done.code == 0
    assert done.json["workbench"] == 1
    assert kinds(done) == [
        ("writer", "warning", "src/app.py", 7),
        ("writer", "warning", "src/app.py", 12),
    ]
    page, rules, memory = done.json["sites"]
    assert page["budget"] == {"source": "MAX_PAGE_CHARS", "value": 20_000, "line": 7}
    assert (page["lane"], page["registered"], page["fence"]) == (None, False, "<page>")
    assert tomllib.loads(page["stanza"])["lane"][0]["budget"] == 20_000
    assert (memory["lane"], memory["registered"], memory["registered_budget"]) == ("memory", True, 800)
    assert memory["stanza"] is None
    assert rules["late"]
    assert done.json["files"] == 1


def test_a_lane_without_a_stanza_is_told_by_its_name(tree: Bench) -> None:
    tree.write("src/app.py", APP.replace('"lane": "memory"', '"lane": "recall"'))
    done = writers(tree, "--format", "json")
    (fault,) = [one for one in done.json["findings"] if one["lane"] == "recall"]
    assert "no stanza in lanes.toml" in fault["message"]
    assert "recall (no stanza)" in writers(tree).text


@pytest.mark.parametrize(
    ("limit", "unit", "told"), [(900, "chars", True), (800, "chars", False), (900, "tokens", False)]
)
def test_a_limit_above_the_budget_of_its_lane_is_a_warning(
    tree: Bench, limit: int, unit: str, told: bool
) -> None:
    tree.write("lanes.toml", LANES.replace("chars", unit))
    tree.write("src/app.py", APP.replace('memory, "lane"', f'memory[:{limit}], "lane"'))
    faults = writers(tree, "--format", "json").json["findings"]
    over = [(one["kind"], one["severity"], one["lane"]) for one in faults if one["kind"] != "writer"]
    assert over == ([("over-budget", "warning", "memory")] if told else [])
    assert (
        "src/app.py:13: warning over-budget memory: push in chat: the limit" in writers(tree).text
    ) == told


def test_the_stanzas_can_be_pasted_and_then_nothing_is_proposed_for_named_lanes(tree: Bench) -> None:
    tree.write("src/app.py", APP.replace('"lane": "memory"', '"lane": "recall"'))
    added = writers(tree, "--stanzas")
    assert added.code == 0
    tree.write("lanes.toml", LANES + "\n" + added.text)
    checked = tree("lanes", "check", "lanes.toml", "--root", ".")
    assert (checked.code, checked.text) == (0, "")
    assert '"recall"' not in writers(tree, "--stanzas").text


@pytest.mark.parametrize("empty", [True, False])
def test_without_a_registry_the_stanzas_are_a_whole_one(tree: Bench, empty: bool) -> None:
    (tree.folder / "lanes.toml").unlink()
    if empty:  # as a shell makes it for `--stanzas >> lanes.toml`
        tree.write("lanes.toml", "")
    done = writers(tree, "--stanzas", "-o", "new.toml")
    assert (done.code, done.text) == (0, "")
    checked = tree("lanes", "check", "new.toml", "--root", ".")
    assert (checked.code, checked.text) == (0, "")
    assert tomllib.loads((tree.folder / "new.toml").read_text())["unit"] == "chars"


def test_a_baseline_that_holds_prints_nothing(tree: Bench) -> None:
    wrote = writers(tree, "--write-baseline", "known.jsonl")
    assert wrote.code == 0
    assert "known.jsonl: 3 added, 0 struck, 3 in all" in wrote.said
    assert wrote.text.count("added") == 3
    done = writers(tree, "--baseline", "known.jsonl")
    assert (done.code, done.text) == (0, "")
    assert "0 new, 0 gone, 3 as they were" in done.said


def test_lines_that_move_change_nothing(tree: Bench) -> None:
    writers(tree, "--write-baseline", "known.jsonl")
    tree.write(
        "src/app.py", APP.replace("def chat", "# a line\n\n\ndef chat").replace("(memory)", "( memory )")
    )
    assert writers(tree, "--baseline", "known.jsonl").code == 0
    before = (tree.folder / "known.jsonl").read_bytes()
    again = writers(tree, "--write-baseline", "known.jsonl")
    assert (again.text, (tree.folder / "known.jsonl").read_bytes()) == ("", before)


def test_a_new_site_is_an_error_with_its_place(tree: Bench) -> None:
    writers(tree, "--write-baseline", "known.jsonl")
    tree.write("src/app.py", APP + LATE)
    done = writers(tree, "--baseline", "known.jsonl", "--format", "json")
    assert done.code == 1
    assert kinds(done) == [("new-writer", "error", "src/app.py", 18)]
    assert [site["new"] for site in done.json["sites"]] == [False, False, False, True]
    text = writers(tree, "--baseline", "known.jsonl").text
    assert text.startswith("src/app.py:18: error new-writer: push in late is not in the baseline")
    assert text.count("\n") == 1


def test_a_registered_lane_is_no_way_round_the_ratchet(tree: Bench) -> None:
    writers(tree, "--write-baseline", "known.jsonl")
    tree.write("src/app.py", APP + LATE.replace('"content": note', '"content": note, "lane": "memory"'))
    done = writers(tree, "--baseline", "known.jsonl", "--format", "json")
    assert [(one["kind"], one["lane"]) for one in done.json["findings"]] == [("new-writer", "memory")]


def test_a_gone_site_is_an_error_at_its_line_of_the_baseline_until_it_is_struck(tree: Bench) -> None:
    tree.write("src/app.py", APP + LATE)
    writers(tree, "--write-baseline", "known.jsonl")
    tree.write("src/app.py", APP)
    done = writers(tree, "--baseline", "known.jsonl", "--format", "json")
    assert done.code == 1
    ((kind, severity, file, line),) = kinds(done)
    assert (kind, severity, file) == ("gone-writer", "error", "known.jsonl")
    lines = (tree.folder / "known.jsonl").read_text().splitlines(keepends=True)
    assert '"function": "late"' in lines.pop(line - 1)
    tree.write("known.jsonl", "".join(lines))
    assert writers(tree, "--baseline", "known.jsonl").code == 0


def test_a_renamed_file_is_called_one(tree: Bench) -> None:
    writers(tree, "--write-baseline", "known.jsonl")
    (tree.folder / "src/app.py").rename(tree.folder / "src/engine.py")
    done = writers(tree, "--baseline", "known.jsonl")
    assert done.code == 1
    assert done.text.count("stood in src/app.py when the baseline was written (a renamed file?)") == 3
    assert done.text.count("of src/engine.py, line") == 3
    wrote = writers(tree, "--write-baseline", "known.jsonl")
    assert "3 added, 3 struck, 3 in all" in wrote.said


def test_a_baseline_is_the_same_from_any_folder_and_for_a_part_of_the_tree(tree: Bench) -> None:
    tree.write("src/deep/late.py", f"import openai\n{LATE}")
    writers(tree, "--write-baseline", "known.jsonl")
    inner = Bench(tree.folder / "src")("lanes", "writers", ".", "--baseline", "../known.jsonl")
    assert (inner.code, inner.text) == (0, "")
    part = tree("lanes", "writers", "src/deep", "--baseline", "known.jsonl")
    assert part.code == 0
    assert "3 of its writers are in files that were not read: not judged" in part.said
    before = (tree.folder / "known.jsonl").read_bytes()
    tree("lanes", "writers", "src/deep", "--write-baseline", "known.jsonl")
    assert (tree.folder / "known.jsonl").read_bytes() == before
    left_out = writers(tree, "--baseline", "known.jsonl", "--exclude", "deep/")
    assert (left_out.code, left_out.text) == (0, "")


def test_sarif_names_places_from_the_repositorys_top(tree: Bench) -> None:
    (tree.folder / ".git").mkdir()
    writers(tree, "--write-baseline", "known.jsonl")
    tree.write("src/app.py", APP + LATE)
    options = ("--baseline", "../known.jsonl", "--format", "sarif", "-o", "out.sarif")
    done = Bench(tree.folder / "src")("lanes", "writers", ".", *options)
    assert (done.code, done.text) == (1, "")
    (run,) = json.loads((tree.folder / "src/out.sarif").read_text())["runs"]
    (result,) = run["results"]
    assert (result["ruleId"], result["level"]) == ("new-writer", "error")
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "src/app.py", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {"startLine": 18, "startColumn": 5}


def test_the_print_of_a_result_outlives_moved_lines(tree: Bench) -> None:
    def prints() -> list[str]:
        (run,) = writers(tree, "--format", "sarif").json["runs"]
        return [result["partialFingerprints"]["workbench/v1"] for result in run["results"]]

    before = prints()
    tree.write("src/app.py", APP.replace("def chat", "# a line\n\n\ndef chat"))
    assert prints() == before
    assert len(set(before)) == 2


@pytest.mark.parametrize("verb", ["check", "guard", "joins"])
def test_the_verbs_beside_it_write_sarif_too(tree: Bench, verb: str) -> None:
    tree.write("lanes.toml", LANES.replace("800", '"many"'))
    tree.write("src/app.py", APP + '\nemit(lane="ghost")\n')
    sources = {"check": (), "guard": ("src/app.py",), "joins": ("src",)}[verb]
    done = tree("lanes", verb, *sources, "--format", "sarif")
    (run,) = done.json["runs"]
    assert run["automationDetails"]["id"] == f"workbench-lanes-{verb}/"
    assert done.code == (1 if run["results"] else 0)
    assert bool(run["results"]) == (verb != "joins")


def test_what_cannot_be_read_is_a_warning_and_not_gone(tree: Bench) -> None:
    writers(tree, "--write-baseline", "known.jsonl")
    (tree.folder / "src/app.py").write_bytes(APP.encode() + b"# \xff\n")
    done = writers(tree, "--baseline", "known.jsonl", "--format", "json")
    assert done.code == 0
    assert [(one["kind"], one["file"]) for one in done.json["findings"]] == [("skipped", "src/app.py")]
    assert done.json["baseline"]["not_looked_at"] == 3


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--baseline", "none.jsonl"), "none.jsonl cannot be read"),
        (("--baseline", "broken.jsonl"), "broken.jsonl:2:2: no JSON"),
        (("--write-baseline", "broken.jsonl"), "broken.jsonl:2:2: no JSON"),
        (("--baseline", "a", "--write-baseline", "b"), "not allowed with"),
        (("--write-baseline", "no/such/folder.jsonl"), "cannot write"),
        (("--registry", "none.toml"), "none.toml cannot be read"),
        (("--stanzas", "--format", "json"), "--stanzas prints TOML"),
        (("--write-baseline", "b", "--format", "sarif"), "leave out --format sarif"),
        (("--exclude", ""), "is no glob"),
        (("nowhere",), "nowhere"),
    ],
)
def test_mistakes_are_told_and_exit_2(tree: Bench, options: tuple[str, ...], words: str) -> None:
    tree.write("broken.jsonl", '{"workbench": 1, "baseline": "writers"}\n{oh\n')
    done = writers(tree, *options)
    assert (done.code, done.text) == (2, "")
    assert words in done.said
    assert "Traceback" not in done.said


def test_names_from_the_code_cannot_reach_the_terminal(tree: Bench) -> None:
    tree.write("src/\x1b[31mred.py", APP)
    for options in ((), ("--stanzas",), ("--format", "json"), ("--format", "sarif")):
        done = writers(tree, *options)
        assert b"\x1b" not in done.out + done.err
    Path(tree.folder / "known.jsonl").write_text('{"workbench": 1, "baseline": "writers"}\n')
    done = writers(tree, "--baseline", "known.jsonl")
    assert b"\x1b" not in done.out + done.err


def test_no_writer_is_said_and_is_no_fault(tree: Bench) -> None:
    tree.write("src/app.py", "print('hello')\n")
    done = writers(tree)
    assert (done.code, done.text) == (0, "")
    assert "no writer in 1 file" in done.said
    assert "no writer" not in writers(tree, "--quiet").said
