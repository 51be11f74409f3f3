"""Capturing again: counts are brought up, changes and new paths told, and hand-made edits kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from capture_logs import NAMES, TYPED, channel, header, reply, turns_of

from workbench.capture import pairing
from workbench.capture.captured import Captured, News
from workbench.capture.capturing import capture
from workbench.capture.shelving import Act, Shelved, put, shelf_of
from workbench.capture.turns import LogTurn
from workbench.files.envelope import load_envelope

LOG = Path("router.jsonl")


def run(folder: Path, turns: list[LogTurn], log: Path = LOG) -> tuple[Captured, list[Shelved]]:
    """One capture into a folder."""
    shelf = shelf_of(folder)
    captured = capture(turns, shelf.envelopes)
    return captured, put(captured, shelf, [log])


def test_a_new_form_is_written_as_a_file_that_reads(tmp_path: Path) -> None:
    _, (done,) = run(tmp_path / "envelopes", turns_of(channel))
    assert (done.act, done.form.news) == (Act.WRITTEN, News.NEW)
    envelope = load_envelope(done.path)
    assert envelope.template == done.form.envelope.template
    assert (envelope.source.status, envelope.source.turns, envelope.source.origin) == (
        "captured",
        8,
        "router.jsonl",
    )


def test_the_same_log_changes_nothing(tmp_path: Path) -> None:
    _, (first,) = run(tmp_path, turns_of(channel))
    before = first.path.read_bytes()
    _, (again,) = run(tmp_path, turns_of(channel))
    assert (again.act, again.form.news, first.path.read_bytes()) == (Act.LEFT, News.KNOWN, before)


def test_a_longer_log_of_the_same_name_takes_the_place_of_the_count(tmp_path: Path) -> None:
    run(tmp_path, turns_of(channel, TYPED[:5]))
    _, (again,) = run(tmp_path, turns_of(channel))
    assert (again.act, load_envelope(again.path).source.turns) == (Act.COUNTED, 8)


def test_another_log_is_added(tmp_path: Path) -> None:
    run(tmp_path, turns_of(channel))
    _, (again,) = run(tmp_path, turns_of(channel), Path("newer.jsonl"))
    source = load_envelope(again.path).source
    assert (source.turns, source.origin) == (16, "router.jsonl; newer.jsonl")


def test_too_few_turns_are_provisional_until_there_are_enough(tmp_path: Path) -> None:
    _, (few,) = run(tmp_path, turns_of(channel, TYPED[:4]))
    assert load_envelope(few.path).source.status == "provisional"
    assert any("made of 4 turns" in doubt for doubt in few.form.doubts)
    _, (more,) = run(tmp_path, turns_of(channel))
    assert load_envelope(more.path).source.status == "captured"


def test_one_turn_gives_no_envelope(tmp_path: Path) -> None:
    captured, done = run(tmp_path, turns_of(channel, TYPED[:1]))
    assert done == []
    assert "a single turn" in captured.misfits[0].reason


def _changed(words: str, number: int) -> str:
    return channel(words, number).replace("channel_rules>", "house_rules>").replace("outsiders", "strangers")


def test_a_form_that_has_changed_is_told_and_kept_beside(tmp_path: Path) -> None:
    _, (first,) = run(tmp_path, turns_of(channel))
    before = first.path.read_bytes()
    _, (done,) = run(tmp_path, turns_of(_changed))
    assert (done.form.news, done.form.was, done.act) == (News.CHANGED, first.form.envelope.name, Act.WRITTEN)
    assert done.path != first.path
    assert first.path.read_bytes() == before


def test_a_change_within_one_log_is_told(tmp_path: Path) -> None:
    run(tmp_path, turns_of(channel))
    _, done = run(tmp_path, [*turns_of(channel), *turns_of(_changed)], Path("newer.jsonl"))
    assert sorted(one.form.news for one in done) == [News.CHANGED, News.KNOWN]


def test_a_new_path_beside_a_known_one_is_new(tmp_path: Path) -> None:
    run(tmp_path, turns_of(channel))
    _, done = run(tmp_path, [*turns_of(channel), *turns_of(header), *turns_of(reply)])
    assert [one.form.news for one in done].count(News.NEW) == 2


def test_a_file_that_was_edited_is_left(tmp_path: Path) -> None:
    _, (first,) = run(tmp_path, turns_of(channel, TYPED[:5]))
    edited = first.path.read_text("utf-8").replace("example: name", "example: ours", 1)
    first.path.write_text(edited, "utf-8")
    _, (again,) = run(tmp_path, turns_of(channel))
    assert (again.act, first.path.read_text("utf-8")) == (Act.LEFT, edited)
    assert "edited by hand" in again.why


def test_a_hand_written_file_is_left(tmp_path: Path) -> None:
    _, (first,) = run(tmp_path, turns_of(channel, TYPED[:5]))
    text = first.path.read_text("utf-8").replace("status: captured", "status: hand-written")
    first.path.write_text(text, "utf-8")
    _, (again,) = run(tmp_path, turns_of(channel))
    assert (again.act, first.path.read_text("utf-8")) == (Act.LEFT, text)


def test_a_file_that_is_broken_is_told_and_never_written_over(tmp_path: Path) -> None:
    _, (first,) = run(tmp_path, turns_of(channel))
    first.path.write_text("envelope: [\n", "utf-8")
    shelf = shelf_of(tmp_path)
    assert shelf.broken
    captured = capture(turns_of(channel), shelf.envelopes)
    (done,) = put(captured, shelf, [LOG])
    assert first.path.read_text("utf-8") == "envelope: [\n"
    assert done.act is Act.LEFT


def test_a_provisional_envelope_grows_with_what_it_did_not_fit(tmp_path: Path) -> None:
    def one_name(words: str, number: int) -> str:
        return channel(words, number % 2 * 0)

    run(tmp_path, turns_of(one_name, TYPED[:4]))
    _, done = run(tmp_path, turns_of(channel))
    assert [one.form.news for one in done] == [News.GROWN]
    assert load_envelope(done[0].path).source.turns == 8


def test_an_envelope_that_would_take_any_turn_for_its_own_takes_none(tmp_path: Path) -> None:
    any_turn = (
        "envelope: any\ningress: channel\ntemplate: |-\n  {before}\n  {text}\nslots: {before: {example: x}}\n"
    )
    (tmp_path / "any.yaml").write_text(any_turn, "utf-8")
    _, (done,) = run(tmp_path, turns_of(lambda words, number: f"[Current time]: {NAMES[number]}\n{words}"))
    assert (done.form.news, done.form.envelope.name) == (News.NEW, "current-time")
    assert (tmp_path / "any.yaml").read_text("utf-8") == any_turn


def test_a_long_log_is_learned_in_parts_and_counted_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first part has one form, a later one brings another, and the end comes back to the first."""
    words = [f"{TYPED[number % len(TYPED)]} {number}" for number in range(40)]
    turns = [*turns_of(channel_of, words), *turns_of(header_of, words), *turns_of(channel_of, words)]
    (whole, _) = run(tmp_path / "whole", turns)
    monkeypatch.setattr(pairing, "_MOST", 16)
    (parts, shelved) = run(tmp_path / "parts", [*turns, *turns_of(lambda text, _: text, words)])
    told = {form.envelope.template: (form.turns, form.news) for form in parts.forms}
    assert told == {form.envelope.template: (form.turns, form.news) for form in whole.forms}
    assert sorted(load_envelope(one.path).source.turns or 0 for one in shelved) == [40, 80]
    assert (parts.turns, parts.bare, parts.misfits) == (160, 40, ())


def channel_of(words: str, number: int) -> str:
    return channel(words, number % len(NAMES))


def header_of(words: str, number: int) -> str:
    return header(words, number % len(TYPED))
