"""Which characters were pasted stays known through every edit."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from workbench.shell.paste import Draft, Tracker, edited, pasted


class Editing(RuleBasedStateMachine):
    """A line of characters that know whether they were pasted, edited as an editor does it.

    Few letters, so that what is new often equals what stands beside it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.chars: list[tuple[str, bool]] = []
        self.cursor = 0
        self.tracker = Tracker()
        self.tracker.start()

    @property
    def text(self) -> str:
        return "".join(char for char, _ in self.chars)

    def _insert(self, text: str, *, paste: bool) -> None:
        # The text changes first, and the cursor moves after.
        self.chars[self.cursor : self.cursor] = [(char, paste) for char in text]
        self.tracker.change(self.text, self.cursor)
        self.cursor += len(text)
        self.tracker.cursor = self.cursor

    @rule(char=st.sampled_from("ab\n"))
    def types(self, char: str) -> None:
        self._insert(char, paste=False)

    @rule(text=st.text("ab\n", min_size=1, max_size=6))
    def pastes(self, text: str) -> None:
        self.tracker.expect_paste()
        self._insert(text, paste=True)

    @rule(where=st.floats(0, 1))
    def moves(self, where: float) -> None:
        self.cursor = round(where * len(self.chars))
        self.tracker.cursor = self.cursor

    @rule(count=st.integers(1, 4))
    def deletes_before(self, count: int) -> None:
        count = min(count, self.cursor)
        if count:
            del self.chars[self.cursor - count : self.cursor]
            self.cursor -= count
            self.tracker.change(self.text, self.cursor)

    @rule(count=st.integers(1, 4))
    def deletes_behind(self, count: int) -> None:
        if self.cursor < len(self.chars):
            del self.chars[self.cursor : self.cursor + count]
            self.tracker.change(self.text, self.cursor)

    @rule()
    def takes_as_typed(self) -> None:
        low = high = self.cursor
        while low > 0 and self.chars[low - 1][1]:
            low -= 1
        while high < len(self.chars) and self.chars[high][1]:
            high += 1
        self.chars[low:high] = [(char, False) for char, _ in self.chars[low:high]]
        self.tracker.take_as_typed()

    @invariant()
    def agrees(self) -> None:
        draft = self.tracker.draft
        assert draft.text == self.text
        inside = {at for start, end in draft.pastes for at in range(start, end)}
        assert inside == {at for at, (_, paste) in enumerate(self.chars) if paste}
        typed = {at for start, end in draft.typed for at in range(start, end)}
        assert typed == set(range(len(self.chars))) - inside


TestEditing = Editing.TestCase


@given(st.text("abc", max_size=8), st.text("abc", max_size=8), st.lists(st.integers(0, 8), max_size=4))
def test_spans_stay_inside_whatever_the_text_becomes(old: str, new: str, cuts: list[int]) -> None:
    edges = sorted({min(cut, len(old)) for cut in cuts})
    spans = tuple(zip(edges[::2], edges[1::2], strict=False))
    draft = edited(Draft(old, spans), new)
    assert draft.text == new
    last = -1
    for start, end in draft.pastes:
        assert last < start < end <= len(new)
        last = end


def test_what_is_typed_inside_a_paste_is_the_users() -> None:
    draft = edited(pasted(Draft("read "), 5, "one click"), "read one big click", (9,))
    assert [draft.text[start:end] for start, end in draft.pastes] == ["one ", "click"]


def _typed(tracker: Tracker, text: str) -> None:
    for char in text:
        before = tracker.cursor
        tracker.change(tracker.draft.text[:before] + char + tracker.draft.text[before:], before)
        tracker.cursor = before + 1


def _paste(tracker: Tracker, text: str) -> None:
    at = tracker.cursor
    tracker.expect_paste()
    tracker.change(tracker.draft.text[:at] + text + tracker.draft.text[at:], at)
    tracker.cursor = at + len(text)


def test_undo_brings_a_paste_back_as_a_paste() -> None:
    tracker = Tracker()
    _typed(tracker, "sum: ")
    _paste(tracker, "One click.")
    tracker.change("sum: ", 5)
    assert not tracker.draft.pastes
    tracker.change("sum: One click.", 15)
    assert tracker.draft == Draft("sum: One click.", ((5, 15),))


def test_a_part_of_a_paste_that_is_cut_and_yanked_stays_pasted() -> None:
    tracker = Tracker()
    _paste(tracker, "One click. OAuth handled.")
    tracker.cursor = 10
    tracker.change("One click.", 10)
    tracker.cursor = 0
    tracker.change(" OAuth handled.One click.", 15)
    assert tracker.draft.pastes == ((0, 25),)


def test_what_is_typed_by_hand_is_typed_though_it_was_pasted_once() -> None:
    tracker = Tracker([Draft("click", ((0, 5),))])
    _typed(tracker, "click")
    assert tracker.draft.pastes == ()


def test_history_brings_the_pastes_of_a_line_back() -> None:
    tracker = Tracker([Draft("foo", ((0, 3),)), Draft("plain")])
    _typed(tracker, "foo bar")
    tracker.recall("plain", 0, 2, 1)
    assert tracker.draft == Draft("plain")
    tracker.recall("foo", 0, 1, 0)
    assert tracker.draft == Draft("foo", ((0, 3),))
    tracker.change("fo", 2)
    tracker.recall("plain", 0, 0, 1)
    tracker.recall("fo", 0, 1, 0)
    assert tracker.draft == Draft("fo", ((0, 2),)), "an edited line of history is as it was left"
    tracker.recall("foo bar", 0, 0, 2)
    assert tracker.draft == Draft("foo bar"), "the new line was typed, though history has one like it"


def test_a_line_kept_twice_in_a_row_counts_once() -> None:
    tracker = Tracker([Draft("a")])
    assert not tracker.keep(Draft("a"))
    assert tracker.keep(Draft("a", ((0, 1),)))
    assert tracker.keep(Draft("b"))
    assert tracker.keep(Draft("a", ((0, 1),)))
