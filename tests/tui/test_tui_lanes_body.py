"""The whole text of a request on the lanes tab: every character, its lane's letter, and where it is dark."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st
from test_tui_page import lines_of
from tui_lanes import chat, measured

from workbench.core.text import SafeText, safe
from workbench.lanes.ledger.measured import Measured
from workbench.tui.view.ink import Ground, plain
from workbench.tui.view.lanes.body import body_section, paired_parts
from workbench.tui.view.lanes.marks import Marks
from workbench.tui.view.lanes.owners import Owners
from workbench.tui.view.page import Page
from workbench.tui.view.paper import Document
from workbench.tui.view.rows import Fold, Heading, Pair

RULES = "You are helpful.\nAnswer briefly.\n"
ASKED = "what is on my calendar"
NOTE = "\n## Scope\nOne file is attached."
CLAIMS = (("rules", RULES), ("user_words", ASKED))


def document(after: Measured, before: Measured | None = None) -> Document:
    """The whole text of one request, or of two."""
    marks = Marks([*(before.lanes if before else ()), *after.lanes])
    owners = [Owners.of(side, marks) if side is not None else None for side in (before, after)]
    parts = paired_parts(before.parts if before else (), after.parts)
    rows, stops = body_section(owners[0], owners[1], parts, 0, before is not None)
    return Document((safe("bare") if before else None, safe("wrapped")), tuple(rows), stops=tuple(stops))


def raw_parts(shown: Document, variant: bool) -> list[str]:
    """The texts that the rows of one side hold, each joined again."""
    parts: list[list[str]] = []
    for row in shown.rows:
        pairs = [row.pair(n) for n in range(len(row.texts))] if isinstance(row, Fold) else [row]
        for pair in pairs:
            if isinstance(pair, Heading):
                parts.append([])
            assert isinstance(pair, Heading | Pair)
            words = (pair.variant if variant else pair.baseline) if isinstance(pair, Pair) else None
            if words is not None:
                _ = words.line
                parts[-1].append(words.raw.removesuffix("\n"))
    return ["\n".join(lines) for lines in parts]


TEXTS = st.lists(st.text(st.sampled_from("ab \n\u200b\x1b[é漢")), min_size=1, max_size=4)


@given(TEXTS, TEXTS, st.data())
def test_the_rows_hold_every_character_of_both_sides(
    ours: list[str], theirs: list[str], data: st.DataObject
) -> None:
    sides = []
    for texts in (ours, theirs):
        whole = "".join(texts)
        first = data.draw(st.integers(0, len(whole)))
        last = data.draw(st.integers(first, len(whole)))
        sides.append(measured(chat(*texts), [("a", whole[first:last]), ("b", whole[:first])]))
    shown = document(sides[1], sides[0])
    assert "".join(raw_parts(shown, False)) == "".join(ours)
    assert "".join(raw_parts(shown, True)) == "".join(theirs)
    for row in shown.rows:
        for words in (row.baseline, row.variant) if isinstance(row, Pair) else ():
            if words is not None:
                assert not set("\x1b\u200b\n") & set(plain(words.line))


@given(TEXTS, st.data())
def test_what_is_drawn_dark_is_what_is_dark(texts: list[str], data: st.DataObject) -> None:
    whole = "".join(texts)
    first = data.draw(st.integers(0, len(whole)))
    side = measured(chat(*texts), [("a", whole[:first])] if first else [])
    shown = document(side)
    drawn = sum(
        len(raw[start:end])
        for row in shown.rows
        if isinstance(row, Pair) and row.variant is not None
        for raw, (stretches, _) in [(row.variant.raw, row.variant._read())]
        for start, end, _, ground in stretches
        if ground is Ground.DARK
    )
    assert drawn == side.dark == sum(span.size for span in side.dark_spans)


def test_lines_have_the_letters_of_their_lanes() -> None:
    lines = lines_of(document(measured(chat(RULES + NOTE, ASKED), CLAIMS)))
    assert lines[0].startswith("─ messages[0].content system, ")
    assert lines[1] == "  R   You are helpful."
    assert "  ?   ␊" in lines
    assert "  ?   One file is attached." in lines
    assert "  U   what is on my calendar" in lines


def test_a_text_of_two_lanes_has_both_letters_and_is_marked() -> None:
    side = measured(chat(RULES, ASKED), [*CLAIMS, ("again", "Answer briefly.")])
    shown = document(side)
    assert any(line.startswith("  RA  Answer briefly.") for line in lines_of(shown))
    grounds = [
        (str(piece.text), piece.ground)
        for row in shown.rows
        if isinstance(row, Pair) and row.variant
        for piece in row.variant.line
    ]
    assert ("Answer briefly.", Ground.DOUBLE) in grounds


def test_what_is_dark_is_never_folded_and_is_a_difference_only_where_the_sides_differ() -> None:
    long = (
        "".join(f"line {n}\n" for n in range(60))
        + "nobody's\n"
        + "".join(f"line {n}\n" for n in range(60, 99))
    )
    claims = [("rules", long.split("nobody's\n")[0]), ("rules", long.split("nobody's\n")[1]), ("u", ASKED)]
    before, after = measured(chat(long, ASKED), claims), measured(chat(long, f"<m>\n{ASKED}\n</m>"), claims)
    shown = document(after, before)
    folds = [row for row in shown.rows if isinstance(row, Fold)]
    assert len(folds) == 2 and not [text for fold in folds for text in fold.texts if text == "nobody's"]
    assert [line for line in lines_of(shown, split=False) if "?   nobody's␊" in line]
    differing = [row for row in shown.rows if isinstance(row, Pair) and row.differs]
    assert [row.variant.raw for row in differing if row.variant] == ["<m>\n", ASKED + "\n", "</m>"]
    assert len(shown.stops) == 1 + 2  # nobody's on both sides alike, and the tag before and behind


def test_equal_text_that_one_side_claims_and_the_other_does_not_is_a_difference() -> None:
    before = measured(chat(RULES, ASKED), CLAIMS)
    after = measured(chat(RULES, ASKED), CLAIMS[:1])
    (row,) = (row for row in document(after, before).rows if isinstance(row, Pair) and row.differs)
    assert row.sign == "~" and row.variant is not None and row.variant.raw == ASKED


def test_a_stop_is_found_on_the_screen_line_where_it_begins() -> None:
    # Marks are wider than what they stand for, so places on the screen are others than in the text.
    words = "\u200b" * 40 + " ".join(f"word{n}" for n in range(200))
    side = measured(chat(RULES, words + " nobody's end"), [("rules", RULES), ("words", words)])
    shown = document(side)
    for width in (40, 80, 150):
        page = Page(shown, width, split=False)
        (stop,) = shown.stops
        assert stop.offset == len(words)
        y = page.line_of(0)
        at = next(n for n in range(page.height) if "nobody's" in plain(page.line(n)))
        assert y in (at, at - 1)
        assert any(piece.ground is Ground.DARK for piece in page.line(y))
        before = [piece for n in range(y) for piece in page.line(n)]
        assert not [piece for piece in before if piece.ground is Ground.DARK]


def test_a_megabyte_is_quick_and_made_line_by_line() -> None:
    body = chat(RULES, "x" * 400_000, "a line as long as they are\n" * 15_000, "é漢" * 100_000)
    side = measured(body, [("rules", RULES)])
    began = time.perf_counter()
    shown = document(side)
    page = Page(shown, 120, split=False)
    page.line(0)
    page.line_of(-1)
    assert time.perf_counter() - began < 10  # it takes a tenth; a quadratic one takes minutes
    made = [row for row in shown.rows if isinstance(row, Pair) and row.variant and row.variant.is_visible]
    assert len(made) < 20


def test_letters_are_the_same_for_a_name_and_never_given_twice() -> None:
    names = [f"lane{n}" for n in range(80)]
    marks = Marks(names)
    letters = [marks.letter(name) for name in names]
    given = [one for one in letters if one != "*"]
    assert len(given) == len(set(given)) == 62 and marks.letter("lane0") == "L"
    assert marks.letter(None) == "?" and marks.letter("unheard of") == "*"
    assert Marks(["memory", "messages"]).letter("messages") == "E"
    assert marks.initials(["lane0", "lane1", "lane2", "lane3", None], 3) == SafeText("L?+")
    assert marks.initials(["lane0", None], 3) == SafeText("L?")
