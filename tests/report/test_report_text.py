"""The text report: what a person pastes into a chat, read line by line."""

from __future__ import annotations

import io
from dataclasses import astuple

import pytest
from report_runs import (
    BUILD,
    KEY,
    QUESTION,
    TAG,
    Told,
    cell_of,
    run_of,
    seed_run,
    shown,
    told_window,
    under,
    window_lines,
    written,
)

from workbench.core.cell import CellKey
from workbench.core.decision import Decision, Json, Outcome
from workbench.core.finding import Finding, Kind, Severity
from workbench.core.text import is_invisible
from workbench.core.turn import Author, bare
from workbench.report.as_text import write_excerpt
from workbench.report.writer import Style

U, T, A = Author.USER, Author.TRANSPORT, Author.ATTACHMENT


def test_an_excerpt_has_every_prompt_one_cells_findings_and_the_number_of_the_others() -> None:
    run, findings = seed_run()
    one = findings[0]
    cell = CellKey(one.scenario, one.prompt or "", one.arm or "", one.adapter)
    kept = [f for f in findings if (f.scenario, f.prompt, f.arm, f.adapter) == astuple(cell)]
    out = io.StringIO()
    write_excerpt(run, findings, cell, out, Style())
    whole, text = written("text", run, findings), out.getvalue()
    assert text.split("\n\n")[:2] == whole.split("\n\n")[:2]
    assert text.splitlines()[-1] == whole.splitlines()[-1]
    assert all(finding.headline in text for finding in kept) and 0 < len(kept) < len(findings)
    assert f"\n… {len(findings) - len(kept)} more findings\n" in text
    assert [line.split()[1] for line in text.splitlines() if line.startswith("  where ")] == [str(cell)]


def test_prompts_come_first_then_findings_then_the_summary() -> None:
    run, findings = seed_run()
    text = written("text", run, findings)
    order = [text.index(words) for words in ("envelope-replay\n", "\ncanary\n", "ENVELOPE DRIFT", "\nFAILED")]
    assert order == sorted(order)
    assert text.splitlines()[-1] == (
        "FAILED  3 errors, 3 warnings  ·  3 prompts, 7 cells, 14 trials, 2 failed, 1.2 s"
        "  (3 drift, 2 miss, 1 no-verdict)"
    )
    assert text.splitlines()[-2] == "dead: not one answer in this run"


def test_a_run_in_which_nothing_is_wrong() -> None:
    cell = cell_of(CellKey("s", "1", "bare", "a"), bare("hi"), Decision(Outcome.PASS))
    assert written("text", run_of([cell])) == (
        "s\n  ✓ 1  hi  a: pass\n\nok  no findings  ·  1 prompt, 1 cell, 1 trial, 1.2 s\n"
    )


def test_alike_findings_are_told_once() -> None:
    run, findings = seed_run()
    text = written("text", run, findings)
    assert text.count("ENVELOPE DRIFT") == 1
    assert "  alike     prompt daily\n" in text


def test_where_and_the_command_that_shows_it_again() -> None:
    lines = shown(Told("bare", "hold"), Told("channel", "pass"))
    assert lines[0] == "✗ error    drift  HEAD"
    assert under("where", lines) == ["s#1@channel:a  scenarios/s.yaml:4"]
    assert lines[-1] == "  again     workbench run 's#1' --adapter a"


def test_how_much_was_read_on_both_arms() -> None:
    plain = told_window(QUESTION, (0, 36, U))
    joined = told_window("x" * 2233 + QUESTION, (0, 2233, A), (2233, 2269, U))
    lines = under("read", shown(Told("bare", "pass", plain), Told("attached", "fire", joined)))
    assert lines == [
        "36 characters bare, 2,269 with the file, on attached",
        "bare      reported, 36 the user's, holds all that was typed",
        "attached  reported, 2,233 the attachment's, 36 the user's, holds all that was typed",
    ]


@pytest.mark.parametrize(
    ("arm", "words"),
    [
        ("attach", "with the file"),
        ("paste", "with the file pasted"),
        ("substitute", "as the app's own sentence"),
        ("reply", "on reply"),
    ],
)
def test_arms_in_words(arm: str, words: str) -> None:
    one = told_window("x", (0, 1, U))
    assert under("read", shown(Told("bare", "pass", one), Told(arm, "pass", one)))[0] == (
        f"1 character bare, 1 {words}"
    )


def test_three_kinds_of_nothing_in_words() -> None:
    failed = Told("bare", None, ok=0, statuses={"timeout": 2}, error="no answer")
    empty = Told("channel", "pass", told_window("", coverage=0.0), scores=(), matches=())
    lines = shown(failed, empty)
    assert under("decided", lines) == [
        "bare     failed: timeout  (2 of 2 trials)",
        "channel  pass  (2 trials)",
    ]
    assert under("read", lines)[0] == "failed on bare, nothing (empty) on channel"
    assert under("matched", lines) == ["bare     failed", "channel  nothing (empty)"]
    assert under("scores", lines) == ["bare: failed", "channel: nothing (empty)"]
    lines = shown(Told("bare", "pass"), Told("channel", "pass", matches=[], scores=()))
    assert under("read", lines)[0] == "not reported on bare, not reported on channel"
    assert under("matched", lines)[0] == "bare     not reported"
    assert under("scores", lines)[0] == "bare: not reported"


def test_whose_words_without_colour() -> None:
    """A letter in the gutter where a line has one author, letters under the text where it has several."""
    mixed = told_window(f"[reply] {BUILD}", (0, 8, T), (8, 61, U))
    lines = shown(Told("bare", "hold", told_window(BUILD, (0, 53, U))), Told("channel", "pass", mixed))
    assert window_lines(lines) == [
        f"    - U   │ {BUILD}",
        f"    + TU  │ [reply] {BUILD}",
        f"          │ {'T' * 8}{'U' * 53}",
    ]
    assert "      U the user's, T the transport's" in lines


def test_equal_lines_stand_once() -> None:
    wrapped = told_window(f"{TAG}\n{BUILD}\n</tag>", (0, 53, T), (53, 106, U), (106, 113, T))
    lines = shown(Told("bare", "hold", told_window(BUILD, (0, 53, U))), Told("channel", "hold", wrapped))
    assert window_lines(lines) == [f"    + T   │ {TAG}", f"      U   │ {BUILD}", "    + T   │ </tag>"]


def test_the_same_window_on_both_arms() -> None:
    told = told_window(BUILD, (0, 53, U))
    lines = shown(Told("bare", "hold", told), Told("channel", "pass", told), Style(width=160))
    assert "    the same text on both arms" in lines
    assert window_lines(lines) == [f"      U   │ {BUILD}"]


def test_a_matched_phrase_is_marked_and_placed() -> None:
    text = "Notes.\nPut a calendar event there."
    match: dict[str, Json] = {
        "rule": "create",
        "text": "calendar event",
        "start": 33,
        "end": 47,
        "author": "attachment",
    }
    told = told_window(text, (0, len(text), A), spans=[[20, 20 + len(text)]])
    lines = shown(None, Told("attached", "fire", told, matches=[{**match, "line": 2}]))
    assert '"calendar event" at 33–47, in the attachment, line 2  (rule create)' in under("matched", lines)[0]
    assert window_lines(lines)[-1] == "          │       ^^^^^^^^^^^^^^"


def test_a_match_outside_of_the_window_is_not_marked_in_it() -> None:
    match: dict[str, Json] = {
        "rule": "r",
        "text": "line",
        "start": 500,
        "end": 504,
        "author": "quoted",
        "line": 9,
    }
    told = told_window("one line", (0, 8, U), spans=[[0, 8]])
    lines = shown(None, Told("reply", "fire", told, matches=[match]))
    assert window_lines(lines) == ["      U   │ one line"]
    assert under("matched", lines) == ['reply  "line" at 500–504, in the quoted text, line 9  (rule r)']


def test_a_match_is_found_again_by_its_words_where_the_place_is_not_told() -> None:
    told = told_window("see My  Calendar now", (0, 20, U))
    lines = shown(None, Told("x", "fire", told, matches=[{"rule": "my calendar", "text": "my calendar"}]))
    assert window_lines(lines)[1] == "          │     ^^^^^^^^^^^^"


def test_long_windows_are_folded_round_what_matters() -> None:
    lines_of = [f"line {n}" for n in range(100)]
    text = "\n".join([*lines_of[:60], "the needle", *lines_of[60:]])
    at = text.index("needle")
    match: dict[str, Json] = {
        "rule": "r",
        "text": "needle",
        "start": at,
        "end": at + 6,
        "author": "attachment",
        "line": 61,
    }
    told = told_window(text, (0, len(text), A), spans=[[0, len(text)]])
    drawn = window_lines(shown(None, Told("attached", "fire", told, matches=[match])))
    assert len(drawn) < 16
    assert drawn[4] == "    … 434 characters, 55 lines left out …"
    assert "    " + "      A   │ line 59"[4:] in drawn
    assert "      A   │ the needle" in drawn
    assert drawn[-1] == "      A   │ line 99"


def test_a_long_line_is_folded_within() -> None:
    text = "a" * 1000 + " needle " + "b" * 1000
    match: dict[str, Json] = {"rule": "r", "text": "needle", "start": 1001, "end": 1007}
    told = told_window(text, (0, len(text), A), spans=[[0, len(text)]])
    line, marks = window_lines(shown(None, Told("attached", "fire", told, matches=[match])))
    assert line == (
        f"      A   │ {'a' * 120} … 821 characters … {'a' * 59} needle {'b' * 59}"
        f" … 881 characters … {'b' * 60}"
    )
    assert line[marks.index("^") : marks.rindex("^") + 1] == "needle"


def test_piped_text_never_wraps_inside_a_quotation() -> None:
    text = "word " * 75
    told = told_window(text, (0, len(text), U), spans=[[0, len(text)]])
    assert window_lines(shown(None, Told("x", "fire", told))) == [
        f"      U   │ {text}  (ends in 1 space)",
    ]


@pytest.mark.parametrize("width", [40, 60, 80, 119])
def test_in_a_terminal_windows_wrap_with_their_marks_below(width: int) -> None:
    text = "one two three " * 20
    told = told_window(text, (0, 100, T), (100, len(text), U))
    drawn = window_lines(shown(None, Told("x", "fire", told), Style(width=width)))
    assert all(len(line) <= width for line in drawn)
    texts, marks = drawn[::2], drawn[1::2]
    assert "".join(line[12:] for line in texts) == f"{text}  (ends in 1 space)"
    assert "".join(line[12:] for line in marks) == "T" * 100 + "U" * (len(text) - 100)
    assert [line[10] for line in texts] == ["│"] + ["↵"] * (len(texts) - 1)


def test_side_by_side_from_120_cells_on() -> None:
    baseline = Told("bare", "hold", told_window(BUILD, (0, 53, U)))
    variant = Told("channel", "pass", told_window(TAG, (0, 52, T), coverage=0.0))
    wide = shown(baseline, variant, Style(width=120))
    head = next(line for line in wide if line.startswith("    bare ") and "│ channel" in line)
    row = next(line for line in wide if line.startswith("    - U   │ build me"))
    assert row.index("│ + T   │ <untrusted") == head.index("│ channel")
    assert not any("│ channel" in line for line in shown(baseline, variant, Style(width=119)))
    assert not any("│ channel" in line for line in shown(baseline, variant, Style()))


@pytest.mark.parametrize("width", [120, 133, 160, 200])
def test_side_by_side_fits_and_has_as_many_rows_on_both_sides(width: int) -> None:
    run, findings = seed_run()
    text = written("text", run, findings, Style(width=width))
    rows = [line for line in text.splitlines() if line.startswith("    ") and " │ " in line]
    assert rows
    assert all(len(line) <= width for line in rows)
    column = 4 + (width - 4 - 3) // 2
    assert {line[column : column + 3] for line in rows} == {" │ "}
    assert any(line.startswith("    ╱╱╱ ") for line in rows)


def test_part_of_the_trials_failed() -> None:
    told = Told("x", "pass", trials=5, ok=3, statuses={"ok": 3, "error": 2}, error="boom\nTraceback")
    lines = shown(Told("bare", "pass"), told)
    assert under("decided", lines)[1] == "x     pass  (5 trials, 2 failed)"
    assert under("error", lines) == ["x  boom␊Traceback"]


def test_what_stands_in_the_headline_is_not_said_again() -> None:
    assert not any("typed" in line for line in shown(None, Told("x", "pass"), typed="HEAD"))
    assert under("typed", shown(None, Told("x", "pass"), typed="other")) == ["other"]
    assert under("typed", shown(None, Told("x", "pass"), typed="")) == ["(nothing typed)"]


def test_several_tap_calls() -> None:
    told = Told("attach", "pass", told_window("two words", (0, 9, U)))
    side = told.side()
    side["windows"] = [told_window("the first", (0, 9, A), coverage=0.0), side["window"]]
    finding = Finding(Kind.LEAK, Severity.ERROR, "s", "1", "attach", "a", "HEAD", {}, side, {})
    lines = written("text", run_of([cell_of(KEY, bare("x"))]), [finding]).splitlines()
    assert under("read", lines)[1:] == [
        'attach  call 1 of 2: reported, 9 the attachment\'s, holds nothing that was typed: "the first"',
        "        call 2 of 2: reported, 9 the user's, holds all that was typed",
    ]


def test_a_finding_without_sides_or_file() -> None:
    finding = Finding(Kind.VACUOUS, Severity.WARNING, "s", None, None, "a", "VACUOUS s")
    text = written("text", run_of([cell_of(KEY, bare("x"), Decision(Outcome.PASS))]), [finding])
    assert "! warning  vacuous  VACUOUS s\n  where     s:a\n\n" in text


def test_an_interrupted_run_says_what_is_missing() -> None:
    cells = [
        cell_of(KEY, bare("x"), Decision(Outcome.PASS)),
        cell_of(CellKey("s", "2", "bare", "a"), bare("y")),
    ]
    text = written("text", run_of(cells, interrupted=True))
    assert "interrupted: 1 of 2 cells were not run\n" in text
    assert "a: not run" in text


def test_ascii_has_no_glyph_of_ours() -> None:
    run, findings = seed_run()
    headless = [f for f in findings if f.headline.isascii()]
    for width in (None, 60, 140):
        assert written("text", run, headless, Style(width=width, ascii=True)).isascii()
    assert written("markdown", run, headless, Style(ascii=True)).isascii()


def test_colour_is_never_the_only_signal() -> None:
    run, findings = seed_run()
    coloured = written("text", run, findings, Style(colour=True, width=100))
    plain = written("text", run, findings, Style(width=100))
    assert "\x1b[" in coloured
    assert not any(is_invisible(char) for char in plain if char != "\n")
    for words in ("✗ error", "! warning", "U the user's", "FAILED"):
        assert words in plain
