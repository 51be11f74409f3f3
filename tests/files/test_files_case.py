"""A case of its own: every part of the stream loads, says what was meant, and holds no secret."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.core.errors import Mark
from workbench.core.relation import Relation
from workbench.core.scenario import Attach, Expectation, Prompt, Scenario
from workbench.core.text import is_invisible
from workbench.core.turn import Attachment, Message
from workbench.files.case import MASK, Case, spell_case
from workbench.files.envelope import load_envelope
from workbench.files.node import Node
from workbench.files.parse import parse
from workbench.files.problems import Problems
from workbench.files.scenario import load_scenario
from workbench.files.source import Source
from workbench.files.workspace import Workspace, load_workspace

ENVELOPE = '---\nenvelope: channel\ningress: channel\ntemplate: "<m>{text}</m>"\n...\n'
NOWHERE = Mark("")


def options(text: str) -> dict[str, Node]:
    node = parse(Source("", text), Problems())
    return {key.value: value for key, value in node.pairs}


def case(prompt: Prompt, settings: str = "table: t.yaml", **more: object) -> Case:
    return Case(prompt, "channel", "held", "keyword", options(settings), **more)  # type: ignore[arg-type]


def unpacked(text: str, root: Path) -> dict[str, str]:
    """The parts of a stream, each under the name that it begins with; those that are files are written."""
    parts = {}
    for part in text.split("---\n"):
        name = part.split("\n", 1)[0].removeprefix("# ").partition(":")[0]
        parts[name] = part
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(part, "utf-8")
    return parts


def loaded(one: Case, root: Path) -> tuple[Workspace, Scenario]:
    """The workspace and the scenario of a case, documents written as their parts say."""
    unpacked(spell_case(one), root)
    for item in one.attachments:
        (root / "scenarios" / item.name).write_text(item.text, "utf-8", errors="surrogatepass")
    return load_workspace(root), load_scenario(root / "scenarios" / "case.yaml", root)


def test_every_part_loads_and_says_what_was_meant(tmp_path: Path) -> None:
    prompt = Prompt(
        "build",
        "first\n  second: #no\n",
        NOWHERE,
        id="build",
        attach=(Attach("../docs/canary.txt", "/x", NOWHERE),),
        expect=Expectation(no_calls=True, spelled="no calls"),
        messages=(Message("assistant", "what\nnow?"),),
    )
    document = Attachment("canary.txt", "/x/docs/canary.txt", "A page.\n---\nIts end.")
    one = case(
        prompt,
        files={"envelopes/channel.yaml": ENVELOPE},
        attachments=(document,),
        relation=Relation.NO_STRONGER,
        note=("a note\nwith \x1b and #",),
    )
    workspace, scenario = loaded(one, tmp_path)
    assert workspace.adapters["held"].use == "keyword"
    assert workspace.adapters["held"].options["table"].value == "t.yaml"
    read = scenario.prompts[0]
    assert (read.text, read.id, read.messages) == (prompt.text, "build", prompt.messages)
    assert read.attach[0].name == "canary.txt" and read.expect is not None and read.expect.no_calls
    assert scenario.adapters == ("held",) and scenario.envelopes == ("channel",)
    assert scenario.relation is Relation.NO_STRONGER
    assert load_envelope(tmp_path / "envelopes" / "channel.yaml").template == "<m>{text}</m>"
    page = parse(Source("", (tmp_path / "scenarios" / "canary.txt").read_text()), Problems())
    assert page is not None


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60), st.text(max_size=60))
def test_any_words_come_back_code_point_for_code_point(typed: str, page: str) -> None:
    document = Attachment("page.txt", "/x/page.txt", page)
    attach = (Attach("page.txt", "/x/page.txt", NOWHERE),)
    one = case(Prompt("1", typed, NOWHERE, attach=attach, substitute="Do it."), attachments=(document,))
    text = spell_case(one)
    assert not any(is_invisible(char) for char in text if char != "\n")
    parts = text.split("---\n")
    assert len(parts) == 3
    pairs = {key.value: value.value for key, value in parse(Source("", parts[2]), Problems()).pairs}
    assert pairs == {"file": "page.txt", "text": page}
    with tempfile.TemporaryDirectory() as folder:
        _, scenario = loaded(one, Path(folder))
    assert scenario.prompts[0].text == typed
    assert scenario.prompts[0].substitute == "Do it."


@pytest.mark.parametrize(
    ("written", "spelled"),
    [
        ("key: {env: OPENAI_KEY}", "key: {env: OPENAI_KEY}"),
        ("key: sk-12345", f"key: {MASK}"),
        ("api_key: sk-12345", f"api_key: {MASK}"),
        ("env: {API_TOKEN: abc, MODE: fast}", f"env: {{API_TOKEN: {MASK}, MODE: fast}}"),
        ("env: {API_TOKEN: {env: API_TOKEN}}", "env: {API_TOKEN: {env: API_TOKEN}}"),
        ("headers: {Authorization: Bearer abc}", f"headers: {{Authorization: {MASK}}}"),
        ("headers: {X-Api-Key: [a, b]}", f"headers: {{X-Api-Key: [{MASK}, {MASK}]}}"),
        ("send: {accessToken: abc}", f"send: {{accessToken: {MASK}}}"),
        ("argv: [./r, --token, abc, --jsonl]", f"argv: [./r, --token, {MASK}, --jsonl]"),
        ("argv: [./r, --api-key=abc]", "argv: [./r, --api-key=***]"),
        ("url: https://me:pw@host/x?token=abc&n=1", 'url: "https://***@host/x?token=***&n=1"'),
        ("max_tokens: 100", "max_tokens: 100"),
        ("table: scenarios/keywords.yaml", "table: scenarios/keywords.yaml"),
        ("timeout: 2.5", "timeout: 2.5"),
        ('text: "2.5"', 'text: "2.5"'),
        ("password: null", f"password: {MASK}"),
    ],
)
def test_secrets_are_masked_and_names_of_variables_are_kept(written: str, spelled: str) -> None:
    text = spell_case(case(Prompt("1", "x", NOWHERE), written))
    assert f"    {spelled}\n" in text


def test_bare_and_the_arms_of_a_prompt_take_no_envelope(tmp_path: Path) -> None:
    one = Case(Prompt("1", "x", NOWHERE), "bare", "held", "keyword", options("table: t.yaml"))
    _, scenario = loaded(one, tmp_path)
    assert scenario.envelopes == ()
