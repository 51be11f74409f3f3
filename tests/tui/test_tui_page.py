"""Documents and their pages: the same rows split, unified, folded, at every width."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tui_made import DOCUMENT, made_turn, workspace

from workbench.core.cell import BARE, Cell, CellKey, Delivery
from workbench.core.decision import Decision, Match, Outcome, Score, ToolCall, Window, WindowSource
from workbench.core.finding import Finding, Kind, Severity
from workbench.core.text import safe
from workbench.core.trial import Status, Trial
from workbench.core.turn import Author, Turn
from workbench.core.turn import bare as bare_turn
from workbench.tui.view.cells import width_of
from workbench.tui.view.document import Document, Keys, compare_cells
from workbench.tui.view.ink import Ground, Line, Tone, plain
from workbench.tui.view.page import Page
from workbench.tui.view.rows import Fold, Pair
from workbench.tui.view.tabs import Tab

TYPED = "check my calendar"


def cell(arm: str, turn: Turn, *answers: Decision | Status, error: str | None = None) -> Cell:
    key = CellKey("s", "1", arm, "a")
    trials = [
        Trial(n, Status.OK, a) if isinstance(a, Decision) else Trial(n, a, error=error)
        for n, a in enumerate(answers)
    ]
    return Cell(Delivery(key, turn.typed, turn), tuple(trials))


def reads(text: str, outcome: Outcome = Outcome.PASS, *calls: ToolCall, **more: object) -> Decision:
    return Decision(outcome, calls, (Window(text, WindowSource.REPORTED),), **more)  # type: ignore[arg-type]


def bare_reads(text: str = TYPED, *calls: ToolCall, **more: object) -> Cell:
    outcome = Outcome.FIRE if calls else Outcome.PASS
    return cell(BARE, bare_turn(TYPED), reads(text, outcome, *calls, **more))


WRAPPED = made_turn(TYPED, ("<m>\n", Author.TRANSPORT), (TYPED, Author.USER), ("\n</m>", Author.TRANSPORT))


def lines_of(document: Document, width: int = 120, split: bool = True, unfolded: bool = False) -> list[str]:
    page = Page(document, width, split, unfolded)
    return [str(plain(page.line(y))).rstrip() for y in range(page.height)]


def text_of(document: Document, width: int = 120, split: bool = False) -> str:
    return "\n".join(lines_of(document, width, split))


def section(document: Document, name: str, split: bool = True) -> list[str]:
    tab = {"scores": Tab.SCORES, "calls": Tab.CALLS}.get(name, Tab.WINDOW)
    lines = lines_of(document.on(tab), split=split)
    start = next(n for n, line in enumerate(lines) if line.startswith(f"─ {name} "))
    end = next((n for n in range(start + 1, len(lines)) if lines[n].startswith("─ ")), len(lines))
    return lines[start + 1 : end]


@pytest.mark.parametrize("width", [60, 75, 99, 117, 200])
@pytest.mark.parametrize("split", [True, False])
def test_every_line_of_every_comparison_is_exactly_as_wide_as_its_page(width: int, split: bool) -> None:
    made = workspace()
    run = made.run("envelope-replay", "canary")
    for one in run.cells:
        bare = run.cell(CellKey(one.key.scenario, one.key.prompt, BARE, one.key.adapter))
        document = compare_cells(
            bare if bare is not one else None, one, made.find(run)[:2], stale=True, mixed=True
        )
        for unfolded in (False, True):
            page = Page(document, width, split, unfolded)
            assert all(width_of(page.line(y, 0)) == width for y in range(page.height + 3))
            header = page.header()
            assert header is None or width_of(header) == width


def test_the_rows_rebuild_both_windows() -> None:
    variant = cell(
        "attached",
        made_turn(TYPED, (DOCUMENT, Author.ATTACHMENT), ("\n" + TYPED, Author.USER)),
        reads(DOCUMENT),
    )
    document = compare_cells(bare_reads(), variant)
    right = [
        plain(row.variant.line)
        for row in document.rows
        if isinstance(row, Pair) and row.variant and row.variant.letters == "a"
    ]
    assert "\n".join(right) == DOCUMENT


def test_authors_stand_beside_their_words_in_letter_and_tone() -> None:
    document = compare_cells(bare_reads(), cell("channel", WRAPPED, reads(WRAPPED.text)))
    rows = [row for row in document.rows if isinstance(row, Pair) and row.variant and row.variant.letters]
    assert [(row.sign, row.variant.letters) for row in rows if row.variant] == [
        ("+", "t"),
        (" ", "u"),
        ("+", "t"),
    ]
    tones = [piece.tone for row in rows if row.variant for piece in row.variant.line]
    assert tones == [Tone.TRANSPORT, Tone.USER, Tone.TRANSPORT]
    assert "u user's words  t transport" in text_of(document)


def test_several_authors_of_one_line_all_have_their_letter() -> None:
    turn = made_turn(
        TYPED, ("[a]", Author.TRANSPORT), (TYPED, Author.USER), ("[b]", Author.QUOTED), ("x", Author.APP)
    )
    document = compare_cells(None, cell("odd", turn, reads(turn.text)))
    assert any(line.startswith(" ▌tu+") for line in lines_of(document))


def test_changed_words_are_lit_within_their_line() -> None:
    variant = cell(
        "reply", made_turn(TYPED, ("check my wild calendar", Author.USER)), reads("check my wild calendar")
    )
    document = compare_cells(bare_reads(), variant)
    row = next(
        row
        for row in document.rows
        if isinstance(row, Pair) and row.sign == "~" and row.variant and row.variant.letters
    )
    assert row.variant is not None
    lit = "".join(piece.text for piece in row.variant.line if piece.ground is Ground.ADDED_WORD)
    assert lit.strip() == "wild"
    assert all(piece.ground is not Ground.NONE for piece in row.variant.line)


def test_not_reported_reported_empty_and_failed_have_their_own_words() -> None:
    silent = cell("channel", WRAPPED, Decision(Outcome.PASS))
    empty = cell("channel", WRAPPED, reads(""))
    failed = cell("channel", WRAPPED, Status.TIMEOUT, error="no answer within 10 s")
    words = [
        section(compare_cells(bare_reads(), one), "window", split=False) for one in (silent, empty, failed)
    ]
    assert any("not reported: the adapter does not say what it read" in line for line in words[0])
    assert any("empty: reported, and it held no text" in line for line in words[1])
    assert any("failed: nothing was read that is known of" in line for line in words[2])
    text = text_of(compare_cells(bare_reads(), failed))
    assert "no decision: 1 timeout" in text
    assert "error: no answer within 10 s" in text


def test_scores_stand_on_one_row_a_route_with_what_moved() -> None:
    before = bare_reads(scores=(Score("a", 0.6, 0.5), Score("b", 0.4, 0.5)))
    after = cell("channel", WRAPPED, reads(TYPED, scores=(Score("b", 0.7, 0.5), Score("a", 0.6, 0.5))))
    rows = section(compare_cells(before, after), "scores")
    assert rows[0].split() == ["route", "before", "after", "moved", "rank", "threshold"]
    assert rows[1].startswith("~ a") and rows[1].split()[2:7] == ["0.6", "0.6", "0", "#1→#2", "≥"]
    assert rows[2].split()[2:9] == ["0.4", "0.7", "+0.3", "#2→#1", "<→≥", "0.5", "crossed"]
    assert rows[2].endswith("██████▒▒┃▒▒░░░░░")


def test_scores_that_one_side_does_not_report_are_not_zero() -> None:
    before = bare_reads(scores=(Score("a", 0.6),))
    rows = section(compare_cells(before, cell("channel", WRAPPED, reads(TYPED))), "scores")
    assert rows[1].startswith("- a") and rows[1].split()[3:6] == ["–", "–", "#1→–"]
    assert rows[2].strip() == "channel: scores not reported"
    nothing = compare_cells(bare_reads(), cell("channel", WRAPPED, reads(TYPED, scores=())))
    assert "scores not reported" in section(nothing, "scores")[0]
    assert "no scores: reported empty" in section(nothing, "scores")[0]


def test_calls_are_matched_and_their_arguments_compared_by_path() -> None:
    before = bare_reads(TYPED, ToolCall("list", {"day": "today", "n": 1}), ToolCall("gone", {}))
    after = cell(
        "channel",
        WRAPPED,
        reads(TYPED, Outcome.FIRE, ToolCall("list", {"day": "friday", "n": 1}), ToolCall("new")),
    )
    rows = section(compare_cells(before, after), "calls")
    assert rows[0].startswith("~") and '{"day": "today", "n": 1}' in rows[0]
    assert 'day "today"' in rows[1] and 'day "friday"' in rows[1]
    assert any(row.startswith("-") and "gone {}" in row for row in rows)
    assert any("new arguments not reported" in row for row in rows)


def test_declined_calls_are_said_to_be_declined() -> None:
    held = cell("channel", WRAPPED, reads(TYPED, Outcome.HOLD, ToolCall("list", {})))
    document = compare_cells(bare_reads(TYPED, ToolCall("list", {})), held)
    assert "hold declined list" in text_of(document)
    assert section(document, "calls")[0].startswith("~")
    assert section(document, "calls")[0].endswith("list {} declined")


def test_matched_phrases_tell_their_place_and_whose_words_they_are() -> None:
    at = WRAPPED.text.index("my calendar")
    before = bare_reads(matches=(Match("list", "my calendar", 6, 17),))
    after = cell(
        "channel",
        WRAPPED,
        reads(TYPED, matches=(Match("list", "my calendar", at, at + 11), Match("tag", "m", 1, 2))),
    )
    rows = section(compare_cells(before, after), "matched")
    assert "“my calendar” list at 6-17 in user" in rows[0] and f"at {at}-{at + 11} in user" in rows[0]
    assert rows[1].endswith("“m” tag at 1-2 in transport")
    assert "─ matched" not in text_of(compare_cells(bare_reads(), cell("channel", WRAPPED, reads(TYPED))))


def test_some_failures_and_a_second_answer_are_never_hidden() -> None:
    mixed = cell(
        "channel", WRAPPED, reads(TYPED), reads(TYPED, Outcome.HOLD), Status.MALFORMED, error="not JSON"
    )
    text = text_of(compare_cells(bare_reads(), mixed))
    assert "1/2 trials, 1 more failed: 1 malformed" in text
    assert "error: not JSON" in text


def test_long_equal_parts_are_folded_and_can_be_opened() -> None:
    text = "\n".join(f"line {n}" for n in range(40))
    turn = made_turn(text, (text, Author.USER), ("\nend", Author.TRANSPORT))
    before = cell(BARE, bare_turn(text), reads(text))
    document = compare_cells(before, cell("channel", turn, reads(turn.text)))
    folds = [row for row in document.rows if isinstance(row, Fold)]
    assert len(folds) == 1 and len(folds[0].texts) == 37
    folded, opened = Page(document, 120, True), Page(document, 120, True, unfolded=True)
    assert opened.height == folded.height + 36
    at = next(y for y in range(folded.height) if folded.is_fold(y))
    assert plain(folded.line(at)).rstrip().endswith("⋯ 37 unchanged lines")
    keyed = compare_cells(before, cell("channel", turn, reads(turn.text)), keys=Keys(opens=safe("f5")))
    assert "⋯ 37 unchanged lines; f5 opens" in plain(Page(keyed, 120, True).line(at))
    assert not any(opened.is_fold(y) for y in range(opened.height))


def test_more_of_what_is_the_same_stands_round_a_difference() -> None:
    text = "\n".join(f"line {n}" for n in range(40))
    turn = made_turn(text, (text, Author.USER), ("\nend", Author.TRANSPORT))
    document = compare_cells(
        cell(BARE, bare_turn(text), reads(text)), cell("channel", turn, reads(turn.text))
    )

    def drawn(context: int) -> list[str]:
        page = Page(document, 120, False, context=context)
        return [plain(page.line(y)).rstrip() for y in range(page.height)]

    assert any("⋯ 37 unchanged lines" in line for line in drawn(0))
    wider = drawn(5)
    at = next(y for y, line in enumerate(wider) if "⋯ 27 unchanged lines" in line)
    assert [line.split()[-1] for line in wider[at - 5 : at]] == [str(n) for n in range(5)]
    assert [line.split()[-1] for line in wider[at + 1 : at + 4]] == ["32", "33", "34"]
    assert any("⋯ 5 unchanged lines" in line for line in drawn(16))
    assert not any("unchanged lines" in line for line in drawn(17))
    assert drawn(17) == drawn(99)


def test_differences_are_runs_of_rows_in_reading_order() -> None:
    document = compare_cells(bare_reads(), cell("channel", WRAPPED, reads(WRAPPED.text, Outcome.HOLD)))
    page = Page(document, 120, True)
    tops = [page.top_of(number) for number in range(len(document.differences))]
    assert tops == sorted(tops) and len(set(tops)) == 3
    assert page.top_of(-1) == tops[-1]
    for number, top in enumerate(tops):
        gutter = page.line(top, number)[0]
        assert gutter.ground is Ground.CURRENT
        assert page.line(top, number - 1 if number else 1)[0].ground is Ground.NONE


def test_nothing_differs_is_said_in_words() -> None:
    same = compare_cells(bare_reads(), cell("channel", bare_turn(TYPED), reads(TYPED)))
    assert same.differences == ()
    assert "identical, 17 characters" in text_of(same)
    assert Page(same, 120, True).top_of(0) == 0


def test_unified_shows_the_same_rows_below_each_other() -> None:
    document = compare_cells(bare_reads(), cell("channel", WRAPPED, reads(WRAPPED.text, Outcome.HOLD)))
    unified = lines_of(document, 120, split=False)
    assert any(line.startswith("-") and "pass" in line for line in unified)
    assert any(line.startswith("+") and "hold" in line for line in unified)
    assert sum(TYPED in line for line in unified) == 1
    page = Page(document, 100, split=False)
    assert plain(page.header() or ()).strip() == "- bare   + channel"


def test_unified_shows_both_sides_of_what_is_no_difference_unless_they_say_the_same() -> None:
    failed = cell("channel", WRAPPED, Status.TIMEOUT)
    window = section(compare_cells(bare_reads(), failed), "window", split=False)
    assert window[0].startswith("-") and "17 characters" in window[0]
    assert window[1].startswith("+") and "failed: nothing was read" in window[1]
    scores = section(compare_cells(bare_reads(), failed), "scores", split=False)
    assert [line[:1] for line in scores] == ["-", "+"]
    same = section(
        compare_cells(bare_reads(), cell("reply", bare_turn(TYPED), reads(TYPED))), "window", split=False
    )
    assert len([line for line in same if "17 characters" in line]) == 1
    assert same[0].startswith(" ")


def test_headlines_and_doubts_come_first() -> None:
    variant = cell("channel", WRAPPED, reads(TYPED))
    finding = Finding(
        Kind.LEAK, Severity.WARNING, "s", "1", "channel", "a", "the window holds 12 characters of transport"
    )
    document = compare_cells(bare_reads(), variant, [finding], stale=True, mixed=True)
    lines = lines_of(document)
    assert lines[0].strip() == "! leak: the window holds 12 characters of transport"
    headed = replace(finding, headline="LEAK [channel] the window holds 12 characters")
    assert (
        lines_of(compare_cells(bare_reads(), variant, [headed]))[0].strip()
        == "! LEAK [channel] the window holds 12 characters"
    )
    assert lines[1].strip() == "! what would be sent has changed since this answer"
    assert lines[2].strip() == "! the two sides are of different runs"
    keys = Keys(again=safe("f5"))
    lines = lines_of(compare_cells(bare_reads(), variant, [finding], stale=True, mixed=True, keys=keys))
    assert lines[1].strip().endswith("this answer: f5 runs it again")
    assert lines[2].strip().endswith("different runs: f5 runs both again")
    alone = lines_of(compare_cells(None, variant))
    assert "bare has not been run" in alone[0]


def test_words_that_the_window_lacks_are_shown() -> None:
    head = cell("channel", WRAPPED, reads("<m>"))
    text = text_of(compare_cells(bare_reads(), head))
    assert f"lacks {TYPED}" in text
    assert "user 0%, foreign 100%" in text


def test_a_long_line_wraps_with_a_mark_and_both_sides_keep_step() -> None:
    long = "word " * 60
    turn = made_turn(long, (long, Author.USER))
    document = compare_cells(bare_reads(), cell("reply", turn, reads(long)))
    page = Page(document, 100, True)
    lines = [page.line(y) for y in range(page.height)]
    continued = [line for line in lines if any(piece.text == "↪" for piece in line)]
    assert len(continued) >= 4
    assert all(bar_of(line) == bar_of(continued[0]) for line in continued)


def bar_of(line: Line) -> int:
    return str(plain(line)).index("│")


def test_a_page_keeps_its_rows_at_another_width() -> None:
    long = "word " * 60
    document = compare_cells(bare_reads(), cell("reply", made_turn(long, (long, Author.USER)), reads(long)))
    wide, narrow = Page(document, 160, True), Page(document, 60, False)
    for row in range(len(document.rows)):
        assert narrow.row_at(narrow.start_of(row)) == row
        assert wide.row_at(wide.start_of(row)) == row
    assert narrow.height > wide.height


def test_only_what_is_looked_at_is_made_visible() -> None:
    text = "\n".join(f"line {n} of a long window" for n in range(20_000))
    turn = made_turn(TYPED, (text, Author.ATTACHMENT))
    document = compare_cells(bare_reads(), cell("attached", turn, reads(text)))
    page = Page(document, 120, True)
    for y in range(40):
        page.line(y)
    rows = [row for row in document.rows if isinstance(row, Pair) and row.variant is not None]
    assert sum(row.variant is not None and row.variant.is_visible for row in rows) < 60
    assert len(rows) > 20_000
