"""The verdicts on single turns, and what adds them up."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.capture.audit.frequent import Frequent
from workbench.capture.audit.joining import joined
from workbench.capture.audit.judging import Judge, called
from workbench.capture.audit.known import KnownEnvelopes
from workbench.capture.audit.quoting import Quoter
from workbench.capture.audit.result import Kind
from workbench.capture.audit.tally import Tally
from workbench.capture.turns import LogTurn, Place, Who
from workbench.core.envelope import Envelope, Ingress, Slot, Transform, wrap
from workbench.core.turn import bare
from workbench.files.envelope import load_envelope

ROOT = Path(__file__).parents[3]
SHIPPED = [load_envelope(path) for path in sorted((ROOT / "envelopes").glob("*.yaml"))]
CHANNEL = Envelope("channel", Ingress.CHANNEL, '<in from="{who}">\n{text}\n</in>', {"who": Slot("who", "u1")})
REPLY = Envelope("reply", Ingress.REPLY, "> {quoted}\n\n{text}", {"quoted": Slot("quoted", "before")})
ESCAPED = Envelope(
    "page",
    Ingress.CHANNEL,
    "<p>{text}</p>",
    transforms=((Transform.HTML_ESCAPE, None), (Transform.TRIM, None)),
)
KNOWN = KnownEnvelopes([CHANNEL, REPLY, ESCAPED])
JUDGE = Judge(KNOWN)
HERE = Place("x.jsonl", 1)


def past(typed: str | None, wrapped: str | None, **more: object) -> LogTurn:
    return LogTurn(HERE, "columns", typed=typed, wrapped=wrapped, **more)  # type: ignore[arg-type]


class TestEnvelopes:
    @pytest.mark.parametrize(
        ("typed", "wrapped", "envelope", "unknown"),
        [
            ("hi", "hi", "bare", False),
            ("hi", "  hi\n", "bare", False),
            ("hi", '<in from="someone">\nhi\n</in>', "channel", False),
            ("hi", '<in from="u1">\n> earlier\n\nhi\n</in>', "channel(reply)", False),
            (" a < b ", "<p>a &lt; b</p>", "page", False),
            ("hi", '<in from="u1">\nsomething else\n</in>', None, True),
            ("hi", "<out>\nhi\n</out>", None, True),
            (None, '<in from="u1">\nwho knows\n</in>', "channel", False),
            (None, "<out>\nwho knows\n</out>", None, True),
            (None, "who knows", None, None),
            (None, None, None, None),
            ("hi", None, None, None),
        ],
    )
    def test_are_told(
        self, typed: str | None, wrapped: str | None, envelope: str | None, unknown: bool
    ) -> None:
        verdict = JUDGE.judge(past(typed, wrapped))
        assert (verdict.envelope, verdict.unknown) == (envelope, unknown)

    @pytest.mark.parametrize("envelope", SHIPPED, ids=lambda envelope: envelope.name)
    def test_that_ship_are_known(self, envelope: Envelope) -> None:
        typed = "please dim the lamp & close the door"
        text = wrap(envelope, bare(typed), "A page." if envelope.carries_document else None).text
        verdict = Judge(KnownEnvelopes(SHIPPED)).judge(past(typed, text))
        assert verdict.unknown is False

    def test_one_without_a_mark_is_no_home_for_any_two_lines(self) -> None:
        judge = Judge(KnownEnvelopes(envelope for envelope in SHIPPED if envelope.name == "pasted-log"))
        assert judge.judge(past("close the door", "From: kim\nclose the door")).unknown is True

    def test_by_head_alone(self) -> None:
        sizes = {"typed_length": 2, "wrapped_length": 90}
        assert JUDGE.judge(past(None, None, head='<in from="u1">\nhi', **sizes)).envelope == "channel"
        assert JUDGE.judge(past(None, None, head="<out>\nhi", **sizes)).unknown is True
        assert JUDGE.judge(past(None, None, head="hi and more", **sizes)).unknown is None


class TestGrowth:
    @pytest.mark.parametrize(
        ("typed", "routed", "outgrown"),
        [(10, 40, False), (10, 41, True), (0, 1, True), (None, 9, None), (9, None, None)],
    )
    def test_is_more_than_the_ratio(
        self, typed: int | None, routed: int | None, outgrown: bool | None
    ) -> None:
        assert JUDGE.outgrown(past(None, None, typed_length=typed, wrapped_length=routed)) is outgrown

    def test_counts_what_was_read_where_that_is_known(self) -> None:
        assert JUDGE.outgrown(past("hi", "x" * 99, scanned="hi")) is False

    @pytest.mark.parametrize(
        ("tools", "outcome", "expected"),
        [
            (None, None, None),
            ((), None, False),
            (("a",), None, True),
            (("a",), "hold", False),
            (None, "fire", True),
        ],
    )
    def test_a_hold_calls_nothing(
        self, tools: tuple[str, ...] | None, outcome: str | None, expected: bool
    ) -> None:
        assert called(tools, outcome) is expected


class TestLostWords:
    @pytest.mark.parametrize(
        ("typed", "read", "lost"),
        [
            ("dim the lamp", "x dim the lamp y", ()),
            ("dim  the\nlamp", "Dim the Lamp", ()),
            ("@doc:notes sum it up", "sum it up", ()),
            ("a < b & c", "a &lt; b &amp; c", ()),
            ("line one\nline two", '{"text": "line one\\nline two"}', ()),
            ("dim the lamp", "<in>", ("dim", "the", "lamp")),
            ("dim the lamp", "dim the", ("lamp",)),
            ("", "anything", ()),
        ],
    )
    def test_are_those_that_stand_nowhere(self, typed: str, read: str, lost: tuple[str, ...]) -> None:
        assert JUDGE.judge(past(typed, read)).lost == lost

    def test_a_window_may_lack_what_the_turn_has(self) -> None:
        turn = past("dim the lamp", '<in from="u1">\ndim the lamp\n</in>', scanned='<in from="u1">')
        assert JUDGE.judge(turn).lost == ("dim", "the", "lamp")

    def test_a_text_that_the_log_cut_says_nothing(self) -> None:
        assert JUDGE.judge(past("dim the lamp", "<in>", truncated=True)).lost is None


class TestFrequent:
    @given(st.lists(st.integers(0, 40), max_size=400))
    def test_no_count_is_too_low_by_more_than_it_says(self, keys: list[int]) -> None:
        @dataclass
        class Group:
            n: int = 0

        groups: Frequent[int, Group] = Frequent(Group, lambda group: group.n, most=5)
        for key in keys:
            groups[key].n += 1
        kept = {key: group.n for key, group in groups.top(100)}
        assert len(kept) <= 10
        for key, count in Counter(keys).items():
            assert count - groups.floor <= kept.get(key, 0) <= count


class TestJoining:
    def test_halves_become_one_by_id_or_by_their_session(self) -> None:
        halves = [
            past("hi", None, id="1"),
            past("dim it", None, session="s"),
            past(None, "[x] dim it", session="s"),
            past(None, "[x] hi", id="1", tools=("a",)),
            past(None, "[x] alone", session="s"),
            past("other", None, session="s"),
        ]
        found = [item for item in joined(halves) if isinstance(item, LogTurn)]
        assert [(turn.typed, turn.wrapped) for turn in found] == [
            ("dim it", "[x] dim it"),
            ("hi", "[x] hi"),
            (None, "[x] alone"),
            ("other", None),
        ]
        assert found[1].tools == ("a",)

    def test_none_is_lost_however_many_wait(self) -> None:
        many = (past(f"words {number}", None, id=str(number)) for number in range(12_000))
        assert sum(1 for _ in joined(many)) == 12_000


def tallied(turns: Iterable[LogTurn]) -> Tally:
    tally = Tally(JUDGE, len(KNOWN))
    for turn in turns:
        tally.take(turn)
    return tally


def test_only_a_users_turns_are_counted() -> None:
    others = [past(None, "<x>" * 50, who=who) for who in Who if who is not Who.USER]
    audit = tallied([past("hi", "hi"), *others]).result(["x"])
    assert (audit.turns, sum(audit.others.values())) == (1, len(others))


def test_what_no_turn_says_is_a_gap_and_no_zero() -> None:
    audit = tallied([past(None, "hi there")]).result(["x"])
    assert Kind.OUTGROWN not in audit.asked
    assert [gap.what for gap in audit.gaps] == ["what the user typed", "which tools were called"]


@pytest.mark.parametrize("at", [0, 40, 70, 79])
def test_a_secret_that_is_cut_is_masked_before(at: int) -> None:
    key = "ghp_" + "aB3" * 12
    assert key[:12] not in Quoter().head("x" * at + " " + key, 80)
    assert "0199" not in Quoter().head("call +1 212 555 0199 now", 80)


def test_everything_stays_short(tmp_path: Path) -> None:
    turns = [past("hi " + "y" * 9000, f"<{n}>" + "z" * 99_000, tools=("t" * 900,)) for n in range(300)]
    audit = tallied(turns).result(["x"])
    assert len(json.dumps([str(audit)])) < 60_000
