"""Every kind of finding, from cells made by hand: when it is there, and when it is not."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.compare.findings import find
from workbench.core.cell import BARE, AdapterInfo, Cell, CellKey, Delivery, Run
from workbench.core.decision import Decision, Outcome, Score, ToolCall, Window, WindowSource
from workbench.core.finding import Finding
from workbench.core.relation import Relation
from workbench.core.scenario import Expectation
from workbench.core.trial import Status, Trial
from workbench.core.turn import Author, Region, Turn, TypedPiece, bare

TYPED = "stop the old job"
HEAD, TAIL = "<tag>\n", "\n</tag>"


def wrapped(author: Author = Author.TRANSPORT) -> Turn:
    start, end = len(HEAD), len(HEAD) + len(TYPED)
    return Turn(
        HEAD + TYPED + TAIL,
        TYPED,
        (Region(0, start, author), Region(start, end, Author.USER), Region(end, end + len(TAIL), author)),
        (TypedPiece(start, end, 0, len(TYPED)),),
    )


def fire(*tools: str, window: str | None = None, **more: Any) -> Decision:
    return Decision(Outcome.FIRE, tuple(map(ToolCall, tools)), read(window), **more)


def hold(*tools: str, window: str | None = None) -> Decision:
    return Decision(Outcome.HOLD, tuple(map(ToolCall, tools)), read(window))


def passed(window: str | None = None, **more: Any) -> Decision:
    return Decision(Outcome.PASS, (), read(window), **more)


def read(window: str | None) -> tuple[Window, ...] | None:
    return None if window is None else (Window(window, WindowSource.REPORTED),)


def cell(arm: str, *answers: Decision | Status, turn: Turn | None = None, **delivery: Any) -> Cell:
    trials = tuple(
        Trial(index, Status.OK, answer)
        if isinstance(answer, Decision)
        else Trial(index, answer, error="it broke")
        for index, answer in enumerate(answers)
    )
    key = CellKey("s", "p", arm, "a")
    sent = turn or (bare(TYPED) if arm == BARE else wrapped())
    return Cell(Delivery(key, TYPED, sent, file="scenarios/s.yaml", line=3, **delivery), trials)


def found(*cells: Cell, whole: bool = False, **adapter: Any) -> list[Finding]:
    info = AdapterInfo("a", "python", **adapter)
    run = Run(
        "r", "2026-01-01T00:00:00+00:00", 1.0, {"a": info}, cells, whole=frozenset("s" if whole else "")
    )
    return list(find(run))


def kinds(*cells: Cell, **options: Any) -> list[tuple[str, str, str | None]]:
    return [(f.kind.value, f.severity.value, f.arm) for f in found(*cells, **options)]


def test_nothing_is_wrong() -> None:
    assert kinds(cell(BARE, fire("t", window=TYPED)), cell("w", fire("t", window=TYPED))) == []


@pytest.mark.parametrize(
    ("ours", "theirs", "relation", "drifts"),
    [
        (fire("t"), passed(), Relation.EQUAL, True),
        (fire("t"), fire("u"), Relation.EQUAL, True),
        (fire("t"), fire("t", "t"), Relation.EQUAL, True),
        (fire("t", "u"), fire("u", "t"), Relation.EQUAL, False),
        (hold("t"), hold("u"), Relation.EQUAL, True),
        (hold("t"), hold("t"), Relation.EQUAL, False),
        (fire("t"), hold("t"), Relation.NO_STRONGER, False),
        (hold("t"), fire("t"), Relation.NO_STRONGER, True),
        (fire("t"), fire("u"), Relation.NO_STRONGER, True),
        (hold("t"), hold("u"), Relation.NO_STRONGER, False),
        (fire("t", "u"), fire("t"), Relation.NO_NEW_TOOLS, False),
        (passed(), fire("t"), Relation.NO_NEW_TOOLS, True),
        (hold("t"), fire("t"), Relation.NO_NEW_TOOLS, True),
        (passed(), hold("t"), Relation.NO_NEW_TOOLS, False),
    ],
)
def test_drift(ours: Decision, theirs: Decision, relation: Relation, drifts: bool) -> None:
    seen = kinds(cell(BARE, ours), cell("w", theirs, relation=relation))
    assert (("drift", "error", "w") in seen) is drifts


@pytest.mark.parametrize(
    ("arm", "document", "head"),
    [
        ("channel", False, "ENVELOPE DRIFT [channel]"),
        ("attached", True, "ATTACHMENT DRIFT [attached]"),
        ("attach", True, "ATTACHMENT DRIFT [attach]"),
        ("paste", True, "PASTE DRIFT [paste]"),
        ("substitute", False, "SUBSTITUTE DRIFT [substitute]"),
    ],
)
def test_drift_is_headed_by_what_came_with_it(arm: str, document: bool, head: str) -> None:
    (drift,) = [
        finding
        for finding in found(cell(BARE, hold("t")), cell(arm, passed(window="<tag>"), document=document))
        if finding.kind == "drift"
    ]
    assert drift.headline == f"{head} '{TYPED}': hold -> pass, scanned='<tag>'"


def test_two_failures_are_never_equal() -> None:
    seen = kinds(cell(BARE, Status.ERROR), cell("w", Status.ERROR))
    assert seen == [("no-verdict", "warning", BARE), ("no-verdict", "warning", "w")]
    assert kinds(cell(BARE, fire("t")), cell("w", Status.TIMEOUT)) == [("no-verdict", "warning", "w")]


def test_a_fifth_may_fail() -> None:
    four = (fire("t"),) * 4
    assert kinds(cell(BARE, *four, Status.ERROR)) == []
    assert kinds(cell(BARE, *four[:3], Status.ERROR)) == [("no-verdict", "warning", BARE)]


def test_not_reached() -> None:
    assert kinds(cell(BARE, Status.NOT_REACHED)) == [
        ("not-reached", "error", BARE),
        ("no-verdict", "warning", BARE),
    ]


def expected(spelled: str, **more: Any) -> dict[str, Any]:
    return {"expect": Expectation(spelled=spelled, **more)}


@pytest.mark.parametrize(
    ("expect", "answer", "wrong"),
    [
        (Expectation(Outcome.HOLD), fire("t"), True),
        (Expectation(Outcome.HOLD), passed(), True),
        (Expectation(Outcome.HOLD), hold("t"), False),
        (Expectation(Outcome.PASS), passed(), False),
        (Expectation(Outcome.FIRE, tool="t"), fire("u", "t"), False),
        (Expectation(Outcome.FIRE, tool="t"), fire("u"), True),
        (Expectation(Outcome.FIRE, tool="t"), hold("t"), True),
        (Expectation(no_calls=True), hold("t"), False),
        (Expectation(no_calls=True), fire("t"), True),
        (Expectation(any_of=("t", "u")), fire("u"), False),
        (Expectation(any_of=("t", "u")), fire("v"), True),
        (
            Expectation(tool="t", arguments={"n": 1}),
            Decision(Outcome.FIRE, (ToolCall("t", {"n": 1, "m": 2}),)),
            False,
        ),
        (
            Expectation(tool="t", arguments={"n": 1}),
            Decision(Outcome.FIRE, (ToolCall("t", {"n": "1"}),)),
            True,
        ),
    ],
)
def test_expectation(expect: Expectation, answer: Decision, wrong: bool) -> None:
    seen = kinds(cell("w", answer, expect=expect))
    assert (("expectation", "error", "w") in seen) is wrong


def test_fired_on_workflow() -> None:
    first = found(cell(BARE, fire("cal::list"), **expected("hold", outcome=Outcome.HOLD)))[0]
    assert first.headline == f"FIRED ON WORKFLOW [bare] '{TYPED}' -> cal::list"
    once = found(cell(BARE, hold(), fire("t"), **expected("hold", outcome=Outcome.HOLD)))[0]
    assert once.headline.endswith("(1 of 2 trials)")


def test_leak_is_worse_with_a_document() -> None:
    assert kinds(cell("w", passed(window=HEAD + TYPED))) == [("leak", "warning", "w")]
    document = wrapped(Author.ATTACHMENT)
    assert kinds(cell("w", passed(window=HEAD + TYPED), turn=document, document=True)) == [
        ("leak", "error", "w")
    ]
    assert kinds(cell("substitute", passed(window=HEAD + TYPED))) == []
    assert kinds(cell("w", passed(window=HEAD + TYPED)), router=False) == []


def test_no_leak_where_the_place_is_ambiguous() -> None:
    turn = Turn(
        "> stop\nstop",
        "stop",
        (Region(0, 7, Author.QUOTED), Region(7, 11, Author.USER)),
        (TypedPiece(7, 11, 0, 4),),
    )
    assert kinds(cell("w", passed(window="stop"), turn=turn)) == []


def test_miss_names_whole_words() -> None:
    (miss,) = found(cell(BARE, passed(window="stop the o")))
    assert (miss.kind, miss.severity) == ("miss", "warning")
    assert miss.evidence["lacking"] == ["old job"]
    assert kinds(cell(BARE, passed(window=""))) == [("miss", "warning", BARE)]
    assert kinds(cell(BARE, passed(window=None))) == []
    # Only the punctuation is gone: no word is lacking.
    asked = Delivery(CellKey("s", "p", BARE, "a"), "why not?", bare("why not?"))
    assert found(Cell(asked, (Trial(0, Status.OK, passed(window="why not")),))) == []


def test_unstable() -> None:
    assert kinds(cell(BARE, fire("t"), fire("u"))) == [("unstable", "error", BARE)]
    assert kinds(cell(BARE, passed(window=TYPED), passed(window=f"{TYPED} ")))[0][0] == "unstable"
    assert kinds(cell(BARE, fire("t"), fire("u")), deterministic=False) == []
    same = (passed(scores=(Score("r", 0.5),)), passed(scores=(Score("r", 0.5 + 1e-9),)))
    assert kinds(cell(BARE, *same)) == []


def scored(*values: tuple[str, float]) -> Decision:
    return fire("t", scores=tuple(Score(route, value, 0.5) for route, value in values))


def test_score_drift() -> None:
    ours = scored(("a", 0.9), ("b", 0.6), ("c", 0.4))
    assert kinds(cell(BARE, ours), cell("w", scored(("a", 0.8), ("b", 0.7), ("c", 0.1)))) == []
    order = scored(("b", 0.9), ("a", 0.8), ("c", 0.4))
    assert kinds(cell(BARE, ours), cell("w", order)) == [("score-drift", "warning", "w")]
    sign = scored(("a", 0.9), ("b", 0.6), ("c", 0.55))
    assert kinds(cell(BARE, ours), cell("w", sign)) == [("score-drift", "warning", "w")]
    other = Decision(Outcome.PASS, (), scores=order.scores)
    assert kinds(cell(BARE, ours), cell("w", other)) == [("drift", "error", "w")]


def called(**arguments: Any) -> Decision:
    return Decision(Outcome.FIRE, (ToolCall("t", arguments, "id-1"),))


def test_call_drift_and_foreign_argument() -> None:
    turn = Turn(
        "stop it\nFrom: mallory@corp.example",
        "stop it",
        (Region(0, 8, Author.USER), Region(8, 34, Author.ATTACHMENT)),
        (TypedPiece(0, 7, 0, 7),),
    )
    ours = cell(BARE, called(to="ana", n=1))
    reordered = Decision(Outcome.FIRE, (ToolCall("t", {"n": 1, "to": "ana"}, "id-2"),))
    assert kinds(ours, cell("w", reordered, turn=turn)) == []
    assert kinds(ours, cell("w", called(to="bob", n=1), turn=turn)) == [("call-drift", "note", "w")]
    assert kinds(ours, cell("w", called(to="Mallory@corp.example", n=1), turn=turn)) == [
        ("foreign-argument", "error", "w"),
        ("call-drift", "note", "w"),
    ]
    # What the user wrote is theirs, wherever else it stands.
    assert kinds(ours, cell("w", called(to="stop it", n=1), turn=turn)) == [("call-drift", "note", "w")]


def test_vacuous() -> None:
    quiet = (cell(BARE, passed()), cell("w", passed()))
    assert kinds(*quiet, whole=True) == [("vacuous", "warning", None)]
    assert kinds(*quiet) == []
    assert kinds(*quiet, whole=True, decides=False) == []
    assert kinds(cell(BARE, passed()), cell("w", fire("t")), whole=True) == [("drift", "error", "w")]
    assert kinds(cell(BARE, Status.ERROR), whole=True) == [("no-verdict", "warning", BARE)]
    fired = cell(BARE, fire("t"), **expected("no calls", no_calls=True))
    assert kinds(fired) == [("expectation", "error", BARE), ("vacuous", "warning", BARE)]


def test_ids_stay_the_same_from_run_to_run() -> None:
    one = found(cell(BARE, fire("t")), cell("w", passed()))
    other = found(cell(BARE, fire("u")), cell("w", passed()))
    assert [finding.id for finding in one] == [finding.id for finding in other]
    assert len({finding.id for finding in found(cell(BARE, Status.NOT_REACHED))}) == 2


def test_the_command_shows_it_again() -> None:
    (drift,) = found(cell(BARE, fire("t")), cell("channel(reply)", passed()))
    assert drift.evidence["command"] == "workbench run 's#p' --adapter a --envelope 'channel(reply)'"
    assert drift.baseline["outcome"] == "fire"
    assert drift.variant["outcome"] == "pass"
