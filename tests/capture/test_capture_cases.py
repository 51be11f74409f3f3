"""Inputs after public bug reports: frames on both sides, batches, wordless turns, broken logs."""

from __future__ import annotations

from pathlib import Path

import pytest
from capture_logs import NAMES, TIMES, TYPED, channel, header, turns_of, write_log

from workbench.capture.captured import Captured, Form
from workbench.capture.capturing import capture
from workbench.capture.doubts import SEVERAL
from workbench.capture.opening import open_logs
from workbench.capture.turns import Fault, LogTurn, Place, Who
from workbench.core.envelope import Unwrapped, unwrap


def only(captured: Captured) -> Form:
    (form,) = captured.forms
    return form


def unwrapped(form: Form, text: str) -> Unwrapped:
    found = unwrap(form.envelope, text)
    assert found is not None
    return found


class TestAFrameOnBothSides:
    """k1-03: the rules after the words are as much of the frame as the tag before them."""

    def test_both_sides_are_kept(self) -> None:
        form = only(capture(turns_of(channel), {}))
        assert form.envelope.template.startswith(
            '<untrusted_channel_message channel="{channel}" from="{from}">\n{text}\n'
        )
        assert form.envelope.template.endswith("Never delete calendar events.</channel_rules>")
        assert form.turns == len(TYPED)

    def test_words_of_the_tail_are_not_the_users(self) -> None:
        form = only(capture(turns_of(channel), {}))
        assert unwrapped(form, channel("any news?", 3)).typed == "any news?"


def test_blocks_of_memories_and_json_stand_before_a_stamped_line() -> None:
    """k1-05."""

    def frame(words: str, number: int) -> str:
        name = NAMES[number]
        memories = "\n".join(
            f"- likes {thing}" for thing in ("short answers", "tea", "maps")[: 1 + number % 3]
        )
        return (
            f"<relevant-memories>\n{memories}\n</relevant-memories>\n"
            "Conversation info (untrusted metadata):\n"
            f'```json\n{{"message_id":"{100 + number}","timestamp":"{TIMES[number]} UTC"}}\n```\n\n'
            "Sender (untrusted metadata):\n"
            f'```json\n{{"label":"{name} (u{number})","name":"{name}"}}\n```\n\n'
            f"[{TIMES[number]} UTC] {words}"
        )

    form = only(capture(turns_of(frame), {}))
    found = unwrapped(form, frame("what is my locker number", 5))
    assert found.typed == "what is my locker number"
    assert "timestamp" not in found.typed


def test_a_turn_that_no_human_wrote_has_no_words() -> None:
    """k1-07: no template is made of it, and it is told apart from what fitted nothing."""
    notice = "System (untrusted): [2026-04-10 07:30:00 UTC] Exec completed: nightly-backup, code 0\n"
    made = [
        LogTurn(Place("a.jsonl", 1), "columns", typed="", wrapped=notice),
        LogTurn(Place("a.jsonl", 2), "columns", who=Who.META, typed=None, wrapped=notice),
    ]
    captured = capture([*made, *turns_of(channel)], {})
    assert (captured.wordless, captured.machine, len(captured.forms), captured.misfits) == (1, 1, 1, ())


class TestABatch:
    """k1-31: several texts of users in one turn are told, and never the first of them taken."""

    TEXT = (
        "[Queued messages while agent was busy]\n"
        "- sam: remember to send the email\n- sam: any news on the order?\n"
    )

    def test_halves_that_went_into_one_turn(self) -> None:
        halves = [
            LogTurn(
                Place("a.jsonl", 1), "columns", session="s", time=1.0, typed="remember to send the email"
            ),
            LogTurn(Place("a.jsonl", 2), "columns", session="s", time=2.0, typed="any news on the order?"),
            LogTurn(Place("a.jsonl", 3), "columns", session="s", time=3.0, wrapped=self.TEXT),
        ]
        captured = capture(halves, {})
        assert captured.forms == ()
        assert [misfit.reason for misfit in captured.misfits] == [SEVERAL]

    def test_a_line_among_lines_of_its_kind(self) -> None:
        turn = LogTurn(Place("a.jsonl", 1), "columns", typed="any news on the order?", wrapped=self.TEXT)
        (misfit,) = capture([turn], {}).misfits
        assert misfit.reason.startswith(SEVERAL)

    def test_a_template_of_such_turns_carries_the_doubt(self) -> None:
        def frame(words: str, number: int) -> str:
            return f"[Queued messages while agent was busy]\n- sam: see {TIMES[number]}\n- sam: {words}\n"

        form = only(capture(turns_of(frame), {}))
        assert any(SEVERAL in doubt for doubt in form.doubts)


def test_words_with_other_characters_are_found_but_give_no_template() -> None:
    """k1-32: what is found says how, and nothing is written that would not give the bytes back."""

    def frame(words: str, number: int) -> str:
        return f"<@U{number:06}> " + words.replace(" ", "\u00a0")

    captured = capture(turns_of(frame), {})
    assert all("no-break spaces" in misfit.reason for misfit in captured.misfits)
    assert not any("\u00a0" in form.envelope.template for form in captured.forms)
    assert len(captured.misfits) == len([words for words in TYPED if " " in words])


@pytest.mark.parametrize("number", range(3))
def test_a_broken_separator_is_part_of_the_quote(number: int) -> None:
    """k1-34: the line that should part the thread from the answer was wrapped by the mail program."""

    def frame(words: str, number: int) -> str:
        sentence = ("reopen, escalate, refund", "close", "see the manual, page 3")[number % 3]
        return (
            f"{words}\n\nOn Tue, {number + 1} Mar 2026, Support <help@corp.example> wrote:\n"
            f"> -- reply above\n> this line --\n> You can also say: {sentence}\n"
        )

    form = only(capture(turns_of(frame), {}))
    assert unwrapped(form, frame("yes please close it", number)).typed == "yes please close it"
    assert "help@corp.example" not in form.envelope.template


class TestALabelThatWasTyped:
    """k1-36: what a header's name is told by is the header, not the colon."""

    def test_a_typed_label_stays(self) -> None:
        form = only(capture(turns_of(header), {}))
        found = unwrapped(form, "[Chat Kim 2026-05-01 10:00] Kim: TODO: book the room for Monday")
        assert found.typed == "TODO: book the room for Monday"

    def test_the_name_before_the_words_is_that_of_the_header(self) -> None:
        form = only(capture(turns_of(header), {}))
        assert unwrap(form.envelope, "[Chat Kim 2026-05-01 10:00] Ana: all is well") is None


class TestABrokenLog:
    """k5-24 and k5-28: good lines are used, bad ones listed with their line; nothing is guessed."""

    def test_torn_and_spliced_lines(self, tmp_path: Path) -> None:
        records = [{"typed": turn.typed, "wrapped": turn.wrapped} for turn in turns_of(channel)]
        path = write_log(tmp_path / "log.jsonl", records)
        good = path.read_text("utf-8").splitlines()
        torn = good[3][:40] + good[4]
        path.write_text("\n".join([*good[:3], torn, *good[3:], good[5] + good[6]]) + "\n", "utf-8")
        captured = capture(open_logs([path]), {})
        assert {skipped.place.number for skipped in captured.skipped} >= {4}
        assert only(captured).turns >= len(TYPED)

    def test_nul_bytes(self, tmp_path: Path) -> None:
        records = [{"typed": turn.typed, "wrapped": turn.wrapped} for turn in turns_of(channel)]
        path = write_log(tmp_path / "log.jsonl", records)
        path.write_bytes(path.read_bytes() + b'{"typed": "a' + bytes(400) + b"\n")
        captured = capture(open_logs([path]), {})
        assert [skipped.fault for skipped in captured.skipped] == [Fault.NUL]
        assert only(captured).turns == len(TYPED)


def test_words_that_a_path_cuts_come_back_as_far_as_they_go() -> None:
    def frame(words: str, number: int) -> str:
        return f"<head from='{NAMES[number]}'>\n{words[:24]}\n</head>"

    form = only(capture(turns_of(frame), {}))
    assert (
        unwrapped(form, frame("tell me when the boat from Lisbon is in", 2)).typed
        == "tell me when the boat fr"
    )
    assert any("24 characters" in doubt for doubt in form.doubts)


def test_a_block_that_half_of_the_turns_have_gives_two_envelopes() -> None:
    def frame(words: str, number: int) -> str:
        block = (
            f"<memories>\n- {NAMES[number % 8]} likes tea, very much so\n</memories>\n\n"
            if number % 2
            else ""
        )
        return f"[Chat {TIMES[number % 8]}]\n{block}<m>\n{words}\n</m>"

    captured = capture(turns_of(frame, [f"{words} {turn}" for turn in "ab" for words in TYPED]), {})
    assert sorted(form.turns for form in captured.forms) == [8, 8]
    assert sorted("<memories>" in form.envelope.template for form in captured.forms) == [False, True]
