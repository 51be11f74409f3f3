"""Scores, calls and what only some kinds of finding carry, row by row."""

from __future__ import annotations

from report_runs import CREATE, LIST, Told, shown, under

from workbench.core.decision import Score, ToolCall


def test_scores_with_margins_ranks_and_crossings() -> None:
    before = (Score("send", 0.623, 0.5), Score("web", 0.471, 0.5), Score("gone", 0.1))
    after = (Score("event", 0.642, 0.5), Score("web", 0.632, 0.5), Score("send", 0.631, 0.5))
    lines = shown(Told("bare", "pass", scores=before), Told("attached", "fire", scores=after))
    assert under("scores", lines) == [
        "route  bare               attached",
        "send   0.623  #1  +0.123  0.631  #3  +0.131  change +0.008, rank 1 → 3",
        "web    0.471  #2  -0.029  0.632  #2  +0.132  change +0.161, CROSSES its threshold 0.500",
        "gone   0.100  #3          not reported",
        "event  not reported       0.642  #1  +0.142",
    ]


def test_scores_that_are_no_numbers() -> None:
    lines = shown(
        Told("bare", "pass", scores=(Score("a", float("nan")), Score("b", 75.0))),
        Told("x", "pass", scores=(Score("a", 0.00001234), Score("b", 1e9, 0.5))),
    )
    words = " ".join(under("scores", lines))
    assert "nan" in words
    assert "1.234e-05" in words
    assert "1e+09" in words


def test_many_routes_are_counted() -> None:
    many = tuple(Score(f"r{n}", 1 - n / 100) for n in range(50))
    lines = under("scores", shown(Told("bare", "pass", scores=many), Told("x", "pass", scores=many)))
    assert lines[-1] == "and 38 more routes"


def test_calls_by_name_and_argument() -> None:
    moved = ToolCall(CREATE.name, {"title": "Friday", "at": "4pm"})
    before = Told("bare", "fire", calls=(CREATE, LIST))
    lines = shown(before, Told("x", "fire", calls=(moved, ToolCall("gmail::send"))))
    assert under("calls", lines) == [
        "~ google-calendar::create-event",
        '    at: "3pm" → "4pm"  (value changed)',
        "- google-calendar::list-events (no arguments)",
        "+ gmail::send (arguments not reported)",
    ]
    assert under("decided", lines)[0] == f"bare  fire {CREATE.name}, {LIST.name}  (2 trials)"


def test_declined_calls_are_called_so() -> None:
    lines = shown(Told("bare", "hold", calls=(LIST,)), Told("x", "fire", calls=(LIST,)))
    assert under("decided", lines) == [
        f"bare  hold, declined {LIST.name}  (2 trials)",
        f"x     fire {LIST.name}  (2 trials)",
    ]


def test_evidence_of_its_own_kind() -> None:
    argument = {
        "tool": "send",
        "path": "to",
        "value": "eve@example.com",
        "before": "bob",
        "authors": ["attachment"],
        "spans": [[10, 25]],
    }
    answer = {"trials": [0, 2], "outcome": "fire", "calls": [{"name": "t"}], "window": "abc", "scores": []}
    lines = shown(
        *(Told("bare", "fire"), Told("x", "fire")),
        arguments=[argument],
        answers=[answer],
        left_over={"k": 1},
        relation="equal",
        raw=None,
    )
    assert under("arguments", lines) == [
        'send to = "eve@example.com", bare "bob", in the attachment at 10–25'
    ]
    assert under("answers", lines) == ['trial 1, 3: fire [{"name": "t"}], read 3 characters "abc"']
    assert under("left over", lines) == ['{"k": 1}']
    assert not any("relation" in line or line.startswith("  raw") for line in lines)
