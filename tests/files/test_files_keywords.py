"""Keyword tables."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from workbench.core.errors import Mark, WorkbenchError
from workbench.files.keywords import Entry, KeywordTable, Phrase, Scan, Verdict, load_keywords, phrase_key
from workbench.files.parse import loader_for


def load(folder: Path, text: str) -> KeywordTable:
    path = folder / "table.yaml"
    path.write_bytes(text.encode())
    return load_keywords(path)


def test_every_key_is_read(tmp_path: Path) -> None:
    table = load(
        tmp_path,
        "keywords:\n"
        "  - {phrases: [my calendar, Calendar  Event], tool: google-calendar::list-events}\n"
        "  - {phrases: [no, on, '12:30', null x], tool: odd, side_effects: true}\n"
        "hold: [every morning]\nscan: last-message\nprose: hold\nguessed: hold\n",
    )
    file = str(tmp_path / "table.yaml")
    assert table.keywords[0] == Entry(
        (Phrase("my calendar", Mark(file, 2, 16)), Phrase("Calendar  Event", Mark(file, 2, 29))),
        "google-calendar::list-events",
    )
    assert [phrase.text for phrase in table.keywords[1].phrases] == ["no", "on", "12:30", "null x"]
    assert table.keywords[1].side_effects
    assert table.hold == (Phrase("every morning", Mark(file, 4, 8)),)
    assert (table.scan, table.prose, table.guessed) == (Scan.LAST_MESSAGE, Verdict.HOLD, Verdict.HOLD)


def test_defaults(tmp_path: Path) -> None:
    table = load(tmp_path, "keywords: []\n")
    assert table == KeywordTable((), file=str(tmp_path / "table.yaml"))
    assert (table.scan, table.prose, table.guessed) == (Scan.ALL, Verdict.FIRE, Verdict.FIRE)


def test_a_phrase_twice_for_one_tool_is_kept_once(tmp_path: Path) -> None:
    table = load(
        tmp_path, "keywords:\n  - {phrases: [a b, A  B], tool: t}\n  - {phrases: [' a b'], tool: t}\n"
    )
    assert [[phrase.text for phrase in entry.phrases] for entry in table.keywords] == [["a b"], []]


def test_every_phrase_of_two_tools_is_told(tmp_path: Path) -> None:
    with pytest.raises(WorkbenchError) as caught:
        load(tmp_path, "keywords:\n  - {phrases: [a, b], tool: t}\n  - {phrases: [B, c, ' a '], tool: u}\n")
    assert [(p.mark.line, p.mark.column, p.hint) for p in caught.value.problems if p.mark] == [
        (3, 16, "first at line 2"),
        (3, 22, "first at line 2"),
    ]


def test_case_is_folded_as_unicode_has_it() -> None:
    assert phrase_key(" STRASSE \u3000 x\n") == phrase_key("straße x")


def test_a_large_table_is_read_by_the_fast_loader(tmp_path: Path) -> None:
    words = "  - {{phrases: [öffne {0}, find item {0}, item {0} now], tool: srv::tool_{0}}}\n"
    text = "keywords:\n" + "".join(words.format(number) for number in range(1186))
    assert sum(len(entry.phrases) for entry in load(tmp_path, text).keywords) == 3558
    assert loader_for(text) is yaml.CSafeLoader
