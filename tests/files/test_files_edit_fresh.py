"""New files load as they are, and an envelope made from a turn gives that very turn again."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.core.envelope import Ingress, unwrap, wrap
from workbench.core.errors import WorkbenchError
from workbench.core.transform import Transform, apply_to_text
from workbench.core.turn import bare
from workbench.files.edit.fresh import WORKSPACE, envelope_from, new_envelope, new_scenario
from workbench.files.edit.marking import mark_typed
from workbench.files.envelope import load_envelope, read_envelope
from workbench.files.keywords import load_keywords
from workbench.files.scenario import load_scenario, read_scenario
from workbench.files.source import source_of
from workbench.files.workspace import load_workspace

ROOT = Path("/nowhere")
FILE = ROOT / "envelopes" / "e.yaml"


def made(wrapped: str, typed: str, name: str = "e") -> str:
    path = ROOT / "envelopes" / f"{name}.yaml"
    return envelope_from(
        name, path, Ingress.CHANNEL, mark_typed(wrapped, typed), wrapped, typed, "one turn, x"
    )


@pytest.mark.parametrize("name", ["billing", "two words", "2024", "yes", "日本", "v1.2+(b)"])
def test_a_new_scenario_loads(name: str) -> None:
    path = ROOT / "scenarios" / f"{name}.yaml"
    scenario = read_scenario(source_of(new_scenario(name, path, ROOT), str(path)), ROOT)
    assert (scenario.name, [prompt.id for prompt in scenario.prompts]) == (name, ["fires", "stays"])


@pytest.mark.parametrize("name", ["", " a", "a/b", "../x", ".hidden", "a#b", "a\nb", "a\u202eb", "a: b"])
def test_a_name_that_is_no_file_name(name: str) -> None:
    with pytest.raises(WorkbenchError, match="cannot name a scenario"):
        new_scenario(name, ROOT / "x.yaml", ROOT)


@pytest.mark.parametrize("ingress", Ingress)
def test_a_new_envelope_loads(ingress: Ingress) -> None:
    envelope = read_envelope(source_of(new_envelope("e", FILE, ingress), str(FILE)))
    assert envelope.ingress is ingress
    assert envelope.carries_document is (ingress in (Ingress.ATTACHMENT, Ingress.RAG))
    assert envelope.source.status == "hand-written"


@pytest.mark.parametrize("name", ["bare", "Upper", "two words"])
def test_a_name_that_no_envelope_has(name: str) -> None:
    with pytest.raises(WorkbenchError):
        new_envelope(name, ROOT / "envelopes" / f"{name}.yaml", Ingress.CHANNEL)


def test_a_new_workspace_loads(tmp_path: Path) -> None:
    for name, text in WORKSPACE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    workspace = load_workspace(tmp_path)
    assert list(workspace.adapters) == ["table"]
    assert load_scenario(tmp_path / "scenarios" / "first.yaml", tmp_path).name == "first"
    assert load_envelope(tmp_path / "envelopes" / "chat.yaml").name == "chat"
    assert len(load_keywords(tmp_path / "scenarios" / "keywords.yaml").keywords) == 2


@pytest.mark.parametrize(
    ("wrapped", "typed", "template", "transform"),
    [
        ("<chat>\nhello you\n</chat>", "hello you", "<chat>\n{text}\n</chat>", None),
        ("go. (again: go) Django", "go", "{text}. (again: {text}) Django", None),
        ("Django", "go", "Djan{text}", None),
        ("說你好嗎", "你好", "說{text}嗎", None),
        ("<a>1 &lt; 2 &amp; 3</a>", "1 < 2 & 3", "<a>{text}</a>", Transform.HTML_ESCAPE),
        ('{"t":"a\\nb"}', "a\nb", '{"t":"{text}"}', Transform.JSON_ESCAPE),
        ("x\n> a\n> b", "a\nb", "x\n{text}", Transform.QUOTE_PREFIX),
        ("x\r\na\r\nb", "a\nb", "x\r\n{text}", Transform.CRLF),
        ("[hi]", " hi\n", "[{text}]", Transform.TRIM),
        ("[a b]", "a   b", "[{text}]", Transform.COLLAPSE_SPACE),
    ],
)
def test_the_words_are_found(wrapped: str, typed: str, template: str, transform: Transform | None) -> None:
    marked = mark_typed(wrapped, typed)
    assert (marked.template, marked.transform) == (template, transform)
    words = typed if transform is None else apply_to_text([(transform, None)], typed)
    assert all(wrapped[start:end] == words for start, end in marked.spans)
    envelope = read_envelope(source_of(made(wrapped, typed), str(FILE)))
    assert wrap(envelope, bare(typed)).text == wrapped


def test_braces_that_look_like_slots_stay_what_they_are() -> None:
    wrapped = "{text} {document} {name} {literal_text} {{name}} {Name} go"
    marked = mark_typed(wrapped, "go")
    assert marked.template == (
        "{literal_text} {literal_document} {name} {literal_literal_text} {{name}} {Name} {text}"
    )
    envelope = read_envelope(source_of(made(wrapped, "go"), str(FILE)))
    assert wrap(envelope, bare("go")).text == wrapped
    assert not envelope.carries_document


@pytest.mark.parametrize(
    ("wrapped", "typed"), [("<chat>hi</chat>", "hello"), ("", "x"), ("x", ""), ("x", " ")]
)
def test_words_that_are_not_there(wrapped: str, typed: str) -> None:
    with pytest.raises(WorkbenchError, match=r"stand nowhere|no words"):
        mark_typed(wrapped, typed)


def test_the_file_says_where_it_comes_from() -> None:
    text = made("<chat>\nhello you\n</chat>", "hello you", "support")
    assert text.endswith(
        "envelope: support\ningress: channel\ntemplate: |-\n  <chat>\n  {text}\n  </chat>\n"
        "source:\n  from: one turn, x\n  turns: 1\n  status: captured\n"
    )


TEXTS = st.text(st.characters(codec="utf-8"), max_size=20) | st.sampled_from(
    ["{text}", "{a}", "{{", "\n\n", "  x\n", "| ", "\u2028", "\r\n", "'\"", ": ", "#", "\ufeff", "&amp;"]
)


@settings(deadline=None, max_examples=300)
@given(TEXTS, TEXTS.filter(str.strip), TEXTS)
def test_every_turn_comes_out_again(before: str, typed: str, after: str) -> None:
    wrapped = before + typed + after
    envelope = read_envelope(source_of(made(wrapped, typed), str(FILE)))
    assert wrap(envelope, bare(typed)).text == wrapped
    if len(mark_typed(wrapped, typed).spans) == 1 and not envelope.slots:
        found = unwrap(envelope, wrapped)
        assert found is not None and found.typed == typed
