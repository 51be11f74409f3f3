"""What a line comes to: real adapters, real envelopes, and the lines that are printed."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from shell_parts import Seat, shipped_copy

from workbench.core.text import SafeText
from workbench.core.turn import Author
from workbench.report.writer import Style
from workbench.shell.delivery import own_words, pasted_turn
from workbench.shell.paste import Draft


@pytest.fixture
async def seat(tmp_path: Path) -> AsyncIterator[Seat]:
    async with Seat(shipped_copy(tmp_path), "keywords") as made:
        yield made


@pytest.fixture
async def routers(tmp_path: Path) -> AsyncIterator[Seat]:
    async with Seat(shipped_copy(tmp_path), "naive", "held", "fixed", "entry") as made:
        yield made


async def test_bare_is_one_line(seat: Seat) -> None:
    said = await seat.say("every morning check my calendar")
    assert said == (
        "keywords  hold, declined google-calendar::list-events"
        ' · matched "every morning" 0–13, "my calendar" 20–31 · hold phrase "every morning"'
    )
    assert await seat.say("hello") == "keywords  pass · matched nothing"


async def test_an_arm_that_differs_has_a_line_and_others_share_one(routers: Seat) -> None:
    await seat_envelopes(routers, "channel reply")
    lines = (await routers.say("build me a workflow that checks my calendar")).splitlines()
    held = lines[lines.index(next(line for line in lines if line.startswith("held"))) :]
    assert held[1].startswith("  ✗ channel  pass · read 52, 52 the transport's, none of yours: ")
    assert '"<untrusted_channel_message channel="chat" from=…"' in held[1]
    assert held[1].endswith("matched nothing · drift, leak, miss")
    assert held[2].startswith("  ✗ reply")
    assert held[3].startswith("fixed        hold, declined")
    assert held[4] == "  =          the same on channel, reply"
    naive = lines[: lines.index(held[0])]
    assert re.search(r"^  ! channel  fire .* all of yours: .* · leak$", naive[1])
    assert lines[-1].startswith("entry"), "an app that wraps by itself has no envelopes"


async def seat_envelopes(seat: Seat, names: str) -> None:
    await seat.say(f"/envelope {names}")
    assert not seat.heard.problems


async def test_a_file_is_taken_by_all_that_carry_one(routers: Seat) -> None:
    await routers.say("/attach scenarios/canary.txt")
    said = await routers.say("How many paragraphs?")
    assert "✗ attached" in said
    assert "✗ retrieved" in said
    assert '"click" 177–182 in the attachment' in said
    assert re.search(r"^entry .*\n  ✗ attach ", said, re.MULTILINE)


async def test_a_file_goes_where_it_can_though_another_envelope_was_chosen(seat: Seat) -> None:
    await seat_envelopes(seat, "channel")
    await seat.say("/attach scenarios/canary.txt")
    for _ in range(2):
        assert "attached" in await seat.say("How many?")
    assert [note for note in seat.heard.talk if "not used" in note] == [
        "envelope channel is not used: it carries no document, and every prompt attaches one"
    ], "told once"
    await seat_envelopes(seat, "channel(attached)")
    said = await seat.say("How many?")
    assert "channel(attached)" in said
    assert "retrieved" not in said


async def test_an_attached_file_is_read_with_every_line(seat: Seat) -> None:
    file = seat.bench.cwd / "note.txt"
    file.write_text("nothing here")
    await seat.say("/attach note.txt")
    assert "fire" not in await seat.say("read it")
    file.write_text("just click")
    assert "fire browser::open-session" in await seat.say("read it")
    file.unlink()
    assert await seat.say("read it") == ""
    assert "note.txt cannot be read" in str(seat.heard.problems[-1])


PASTE = Draft("Summarise this: One click. OAuth handled. Thanks", ((16, 41),))


async def test_a_paste_is_held_against_the_words_without_it(routers: Seat) -> None:
    said = await routers.say(PASTE.text, *PASTE.pastes)
    assert said.startswith(
        "naive      without what was pasted · pass · matched nothing\n  ✗ paste  fire browser::open-session"
    )
    assert '"click" 20–25 in what was pasted' in said
    assert "drift, leak" in said
    assert "! paste: 25 of the 48 characters were pasted, and all of them count as typed" in said
    readers = next(line for line in said.splitlines() if "read what was pasted" in line)
    assert (
        readers == "  naive, held, fixed, entry read what was pasted: so does every router that reads `typed`"
    )


async def test_who_does_not_read_the_paste_is_told_too(routers: Seat) -> None:
    await routers.say("/adapter held fixed")
    said = await routers.say("check my calendar\nOne click.", (18, 28))
    assert "  fixed read what was pasted" in said
    assert "  held read none of it" in said


async def test_on_an_envelope_a_paste_is_held_against_the_line_as_it_stands(routers: Seat) -> None:
    await routers.say("/adapter held fixed")
    await seat_envelopes(routers, "channel")
    said = await routers.say("check my calendar, one click", (19, 28))
    lines = said.splitlines()
    assert lines[0].startswith("held         without what was pasted · fire google-calendar::list-events")
    assert "fire google-calendar::list-events, browser::open-session" in lines[1]
    assert lines[2].startswith("  ✗ channel  pass")
    assert "drift" in lines[2]
    assert lines[5] == "  =          the same on channel", (
        "the paste's own drift is not told of the envelope again"
    )


async def test_all_of_a_line_pasted(routers: Seat) -> None:
    await routers.say("/adapter fixed")
    said = await routers.say("One click.", (0, 10))
    assert "✗ paste" in said
    assert "10 of the 10 characters were pasted" in said


def test_the_turn_of_a_paste() -> None:
    turn = pasted_turn(PASTE)
    assert turn.text == turn.typed == PASTE.text
    assert [region.author for region in turn.regions] == [Author.USER, Author.ATTACHMENT, Author.USER]
    words, pieces = own_words(PASTE)
    assert words == "Summarise this:  Thanks"
    for piece in pieces:
        there = turn.text[piece.start : piece.end]
        assert there == words[piece.typed_start : piece.typed_end]
    assert own_words(Draft("seeONEthis", ((3, 6),)))[0] == "see this", "two words are not made one"
    assert own_words(Draft(" ONE\n", ((1, 4),))) == ("", ())


async def test_trials_that_differ_are_counted(tmp_path: Path) -> None:
    (tmp_path / "workbench.yaml").write_text('adapters: {turns: {use: python, target: "app:route"}}\n')
    (tmp_path / "app.py").write_text(
        "count = 0\n"
        "def route(text):\n"
        "    global count\n"
        "    count += 1\n"
        "    if count % 4 == 0: raise ValueError('no\\x1b[2J luck')\n"
        "    return 'one' if count % 2 else 'two'\n"
    )
    async with Seat(tmp_path) as seat:
        await seat.say("/repeat 3")
        said = await seat.say("x")
        assert said.startswith("turns  fire one (2 of 3 trials, 1 otherwise) · matches not reported")
        assert "unstable" in said
        await seat.say("/repeat 1")
        said = await seat.say("x")
        assert said.startswith("turns  failed: error · ")
        assert "no␛[2J luck" in said
        assert "pass" not in said


async def test_a_window_that_is_not_reported_is_no_empty_one(tmp_path: Path) -> None:
    (tmp_path / "workbench.yaml").write_text(
        'adapters: {a: {use: python, target: "app:silent"}, b: {use: python, target: "app:empty"}}\n'
    )
    (tmp_path / "envelopes").mkdir()
    (tmp_path / "envelopes/frame.yaml").write_text(
        "envelope: frame\ningress: channel\ntemplate: 'on: {text}'\n"
    )
    (tmp_path / "app.py").write_text(
        "def silent(text): return 'one' if text.startswith('on') else None\n"
        "def empty(text):\n"
        "    return {'action': 'pass', 'scanned': '', 'scores': [{'route': 'r', 'value': 0.25}]}\n"
    )
    async with Seat(tmp_path) as seat:
        await seat_envelopes(seat, "frame")
        lines = (await seat.say("x")).splitlines()
        assert lines[0] == "a          pass · matches not reported"
        assert lines[1] == "  ✗ frame  fire one · window not reported · matches not reported · drift"
        assert "read nothing (empty)" in lines[2]
        assert "scores r 0.250" in lines[2]


async def test_hostile_text_comes_out_as_marks(seat: Seat) -> None:
    said = await seat.say("my \u202ecalendar\x1b]0;PWN\x07 [red] <b> click")
    assert all(isinstance(line, SafeText) for line in seat.heard.answers)
    await seat_envelopes(seat, "reply")
    said = await seat.say("click \x1b[2J\u200b")
    assert not set(said) & set("\x1b\x07\u202e\u200b")


async def test_a_narrow_terminal_wraps_behind_the_column(tmp_path: Path) -> None:
    async with Seat(shipped_copy(tmp_path), "keywords", style=Style(width=60)) as seat:
        lines = (await seat.say("every morning check my calendar and send an email")).splitlines()
    assert len(lines) > 1
    assert all(len(line) <= 60 for line in lines)
    assert all(line.startswith(" " * 10) for line in lines[1:])


async def test_ascii_alone(tmp_path: Path) -> None:
    async with Seat(shipped_copy(tmp_path), "held", style=Style(ascii=True)) as seat:
        await seat_envelopes(seat, "channel")
        assert (await seat.say("check my calendar")).isascii()


DICE = """\
import random

drawn = random.Random(3)

def route(text):
    return ["create_event"] if drawn.random() < (0.9 if "untrusted" in text else 0.0) else None

def broken(text):
    raise RuntimeError("no key: set EXAMPLE_KEY")
"""


class TestWhatSamples:
    @pytest.fixture
    async def dice(self, tmp_path: Path) -> AsyncIterator[Seat]:
        folder = shipped_copy(tmp_path)
        (folder / "dice.py").write_text(DICE, "utf-8")
        with (folder / ".workbench.yaml").open("a", encoding="utf-8") as file:
            file.write('\n  dice: {use: python, target: "dice:route", deterministic: false}\n')
            file.write('  down: {use: python, target: "dice:broken", deterministic: false}\n')
        async with Seat(folder, "dice") as made:
            yield made

    async def test_repeats_are_counted_with_a_bound(self, dice: Seat) -> None:
        await dice.say("/repeat 20")
        assert "pass (20 of 20 trials) · calls any tool 0/20 ≤13.9%" in await dice.say("what is on")
        await seat_envelopes(dice, "channel")
        lines = (await dice.say("what is on")).splitlines()
        assert re.search(r"calls any tool 0/\d+ ≤", lines[0])
        assert re.match(r"^  ✗ channel  fire create_event .* · calls any tool \d+/\d+ ≤", lines[1])
        assert lines[1].endswith("rate-drift")

    async def test_a_single_call_has_no_rate(self, dice: Seat) -> None:
        assert "/1" not in await dice.say("what is on")

    async def test_what_failed_says_why_and_has_no_rate(self, dice: Seat) -> None:
        await dice.say("/adapter down")
        await dice.say("/repeat 3")
        said = await dice.say("what is on")
        assert "no key: set EXAMPLE_KEY" in said and "0/0" not in said
