"""Envelope files, and names of nested ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.envelope import Envelope, Ingress, Slot, SlotKind, Source, Transform
from workbench.core.errors import Mark, WorkbenchError
from workbench.core.relation import Relation
from workbench.core.turn import Author
from workbench.files.envelope import load_envelope, load_envelopes, parse_envelope_name

FULL = """\
envelope: mail-reply
ingress: email
template: |-
  {"from": "{sender}", "Date": {}, "n": {n: 1}, {Upper}}
  > {earlier}
  {document}
  {text} {text}
slots:
  sender: {example: u1, kind: name}
  earlier: {example: "two\\nlines"}
regions: {earlier: quoted, document: tool}
transform: [trim, {truncate: 280}, html-escape]
relation: no-new-tools
source: {from: "a log, 2026-01-01", turns: 14, status: captured}
"""


def load(folder: Path, text: str, name: str = "mail-reply.yaml") -> Envelope:
    path = folder / name
    path.write_bytes(text.encode())
    return load_envelope(path)


def test_every_key_is_read(tmp_path: Path) -> None:
    envelope = load(tmp_path, FULL)
    assert (envelope.name, envelope.ingress) == ("mail-reply", Ingress.EMAIL)
    assert envelope.template == (
        '{"from": "{sender}", "Date": {}, "n": {n: 1}, {Upper}}\n> {earlier}\n{document}\n{text} {text}'
    )
    assert envelope.slots == {
        "sender": Slot("sender", "u1", SlotKind.NAME),
        "earlier": Slot("earlier", "two\nlines", SlotKind.TEXT),
    }
    assert envelope.authors == {"earlier": Author.QUOTED, "document": Author.TOOL}
    assert envelope.transforms == (
        (Transform.TRIM, None),
        (Transform.TRUNCATE, 280),
        (Transform.HTML_ESCAPE, None),
    )
    assert envelope.relation is Relation.NO_NEW_TOOLS
    assert envelope.source == Source("a log, 2026-01-01", 14, "captured")
    assert envelope.carries_document


def test_a_template_alone_is_enough(tmp_path: Path) -> None:
    envelope = load(tmp_path, "envelope: e\ningress: voice\ntemplate: '{text}'\n", "e.yml")
    assert envelope == Envelope("e", Ingress.VOICE, "{text}", file=str(tmp_path / "e.yml"))


def test_a_line_feed_at_the_end_of_a_template_stays(tmp_path: Path) -> None:
    text = "envelope: e\ningress: voice\ntemplate: |\n  {text}\n"
    assert load(tmp_path, text, "e.yaml").template == "{text}\n"


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("name", "a b", "' '"),
        ("time", "Tue 09:14", "noon"),
        ("nonce", "a1-b2", "a b"),
        ("path", "/tmp/x", '"a\\nb"'),
        ("number", "-1.5", "five"),
        ("json", "'{\"a\": [1]}'", "'{a}'"),
        ("base64", "aGk=", "'{}'"),
    ],
)
def test_examples_are_of_their_kind(tmp_path: Path, kind: str, good: str, bad: str) -> None:
    text = "envelope: e\ningress: tool\ntemplate: '{s}{text}'\nslots: {s: {kind: KIND, example: EXAMPLE}}\n"
    text = text.replace("KIND", kind)
    load(tmp_path, text.replace("EXAMPLE", good), "e.yaml")
    with pytest.raises(WorkbenchError) as caught:
        load(tmp_path, text.replace("EXAMPLE", bad), "e.yaml")
    assert f"of the kind {kind}" in str(caught.value)


def test_all_mistakes_of_an_envelope_come_at_once(tmp_path: Path) -> None:
    text = (
        "envelope: e\ningress: voce\ntemplate: |-\n  {a}\n  {b} here\n  {text}\n"
        "slots: {c: {example: x}}\nregions: {c: nobody}\ntransform: [upper]\n"
    )
    with pytest.raises(WorkbenchError) as caught:
        load(tmp_path, text, "e.yaml")
    places = [(p.mark.line, p.mark.column) for p in caught.value.problems if p.mark]
    assert places == [(2, 10), (4, 3), (5, 3), (7, 9), (8, 14), (9, 13)]


def test_envelopes_are_listed_by_their_files(tmp_path: Path) -> None:
    folder = tmp_path / "envelopes"
    assert load_envelopes(tmp_path) == {}
    folder.mkdir()
    for name in ("channel.yaml", "reply.yml", "notes.txt", ".hidden.yaml", "README.md"):
        (folder / name).write_text("broken: [")
    (folder / "folder.yaml").mkdir()
    assert load_envelopes(tmp_path) == {"channel": folder / "channel.yaml", "reply": folder / "reply.yml"}
    (folder / "channel.yml").write_text("")
    with pytest.raises(WorkbenchError, match="two envelopes of one name"):
        load_envelopes(tmp_path)


@pytest.mark.parametrize(
    ("spelled", "names"),
    [
        ("channel", ("channel",)),
        ("channel(reply)", ("channel", "reply")),
        ("a(b-2(c_3(4)))", ("a", "b-2", "c_3", "4")),
        ("e(" * 5000 + "e" + ")" * 5000, ("e",) * 5001),
    ],
)
def test_names_nest(spelled: str, names: tuple[str, ...]) -> None:
    assert parse_envelope_name(spelled) == names


SHAPES = ["", "()", "a()", "(a)", "a(b", "a(b))", "a)b", "a(b)(c)", "a(b)c", "a(b,c)", "a (b)", "a(\n)"]
NAMES = ["A", "a.b", "é", "a\n", "-a", "bare", "channel(attach)", "paste(channel)", "substitute"]


@pytest.mark.parametrize("spelled", SHAPES + NAMES)
def test_names_that_name_nothing(spelled: str) -> None:
    mark = Mark("f", 3, 4)
    with pytest.raises(WorkbenchError) as caught:
        parse_envelope_name(spelled, mark)
    assert [problem.mark for problem in caught.value.problems] == [mark]
