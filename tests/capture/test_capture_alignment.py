"""Tokens, what sequences have in common, and the draft of a template."""

from __future__ import annotations

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.capture.alignment import align
from workbench.capture.draft import Detail, Unfit, draft_of
from workbench.capture.tokens import Alphabet, tokenise

FRAMES = st.text(
    alphabet=string.ascii_letters + string.digits + " \n<>[](){}:/.,-+@#\"'é日\r\t", max_size=120
)


@given(FRAMES)
def test_tokens_are_the_text(text: str) -> None:
    assert "".join(token.text for token in tokenise(text)) == text


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("2026-03-02 09:14", "time"),
        ("2026-03-02T09:14:05.123Z", "time"),
        ("Tue, 3 Mar 2026 09:14", "time"),
        ("3:05\u202fPM", "time"),
        ("a1b2c3d4e5f60718", "nonce"),
        ("0b9d3c1e-52a7-4f0e-9c51-1d1c3a6f7e88", "nonce"),
        ("/home/sam/notes.txt", "path"),
        ("src/app/a.py", "path"),
        ("https://example.com/a?b=1", "url"),
        ("ana@corp.example", "private"),
        ('{"a": [1, "x"]}', "json"),
        ("4711", "number"),
    ],
)
def test_a_value_is_one_token(text: str, kind: str) -> None:
    assert [(token.text, token.kind) for token in tokenise(f"({text})")][1] == (text, kind)


@pytest.mark.parametrize("text", ["</file>", "<br/>", "a/b", "12:30:", "- [ ] x", "**bold**", "{text}"])
def test_what_is_no_value_is_none(text: str) -> None:
    kinds = {token.kind for token in tokenise(text)}
    assert kinds.isdisjoint({"nonce", "private", "json", "url"})


@given(st.lists(st.text(alphabet="abcxy", max_size=30), min_size=2, max_size=5))
def test_runs_stand_in_all_sequences_in_order(sequences: list[str]) -> None:
    runs = align(sequences, lambda run, gap: True)
    for number, sequence in enumerate(sequences):
        at = 0
        for run in runs:
            assert sequence[run.starts[number] :].startswith(run.text)
            assert run.starts[number] >= at
            at = run.starts[number] + len(run.text)


@given(
    st.text(alphabet="abc", max_size=20),
    st.text(alphabet="xyz", max_size=20),
    st.text(alphabet="xyz", max_size=20),
)
def test_a_common_beginning_is_a_run(head: str, one: str, other: str) -> None:
    runs = align([head + one, head + other], lambda run, gap: False)
    assert not head or runs[0].text.startswith(head)


def test_tokens_that_change_from_turn_to_turn_are_spelled_alike() -> None:
    alphabet = Alphabet()
    first, second = (alphabet.spell(tokenise(f"[{time}] ")) for time in ("10:00", "11:30"))
    assert first == second


class TestDraft:
    def test_what_all_share_is_literal(self) -> None:
        frames = [(f'<m from="{name}">\n', "\n</m>") for name in ("kim", "Ana Lopez", "bob")]
        pieces = draft_of(frames, Detail.FINE)
        assert [piece.text or piece.values for piece in pieces] == [
            '<m from="', ("kim", "Ana Lopez", "bob"), '">\n', (), "\n</m>",
        ]  # fmt: skip

    def test_a_time_is_a_slot_though_all_have_the_same(self) -> None:
        pieces = draft_of([("[10:00] ", "")] * 3, Detail.FINE)
        assert [piece.is_gap for piece in pieces] == [False, True, False, False]

    def test_a_stop_that_ends_all_prose_is_the_proses(self) -> None:
        frames = [(f"<d>{text}.</d>\n", "") for text in ("a long day", "no news at all", "see you soon")]
        assert all(value.endswith(".") for value in draft_of(frames, Detail.FINE)[1].values)

    def test_lines_that_repeat_are_one_gap(self) -> None:
        frames = [
            ("[H]\n" + "".join(f"> line {n} of it\n" for n in range(count)) + "[Q]\n", "")
            for count in (1, 3, 2)
        ]
        assert [piece.is_gap for piece in draft_of(frames, Detail.FINE)] == [False, True, False, False]

    @pytest.mark.parametrize(
        "frames",
        [
            [("a line\nanother\n", ""), ("one\nmore and more\n", "")],
            [("x", ""), ("y", "")],
            [("[to] a\n\nb\n\n", ""), ("[to] c\nd\n\n", ""), ("[to] e\n\n", "")],
        ],
    )
    def test_where_nothing_marks_the_words_there_is_none(self, frames: list[tuple[str, str]]) -> None:
        with pytest.raises(Unfit):
            draft_of(frames, Detail.FINE)

    @settings(max_examples=60)
    @given(st.lists(st.tuples(FRAMES, FRAMES), min_size=2, max_size=4), st.sampled_from(Detail))
    def test_a_draft_gives_back_every_frame(self, frames: list[tuple[str, str]], detail: Detail) -> None:
        try:
            pieces = draft_of(frames, detail)
        except Unfit:
            return
        for number, frame in enumerate(frames):
            made = "".join("\0" if piece.words else piece.text or piece.values[number] for piece in pieces)
            assert made == "\0".join(frame)
