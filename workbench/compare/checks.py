"""What each kind of finding looks for in one cell, or in one cell against its bare one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from workbench.compare.calls import Change, ChangeKind, call_rows
from workbench.compare.evidence import described, evidence, side
from workbench.compare.expect import why_not
from workbench.compare.pair import window_of, windows_of
from workbench.compare.scores import score_rows
from workbench.compare.window import Found, PlacedWindow, place
from workbench.core.cell import BARE, Cell
from workbench.core.decision import Decision, Json, Outcome, Score, ToolCall, Window, WindowSource
from workbench.core.finding import Finding, Kind, Severity
from workbench.core.relation import broken
from workbench.core.trial import Status
from workbench.core.turn import Author

__all__ = [
    "against_bare",
    "decision_alone",
    "delivery_failed",
    "vacuous_bare",
    "window_alone",
]

_HEADS = {"attach": "ATTACHMENT", "paste": "PASTE", "substitute": "SUBSTITUTE"}


def _finding(
    kind: Kind, severity: Severity, cell: Cell, headline: str, bare: Cell | None, **more: Json
) -> Finding:
    key = cell.key
    baseline = side(bare) if bare is not None and bare is not cell else {}
    return Finding(
        kind,
        severity,
        key.scenario,
        key.prompt,
        key.arm,
        key.adapter,
        headline,
        baseline=baseline,
        variant=side(cell),
        evidence=evidence(cell, **more),
    )


def delivery_failed(cell: Cell, bare: Cell | None) -> Iterator[Finding]:
    """`not-reached`, and `no-verdict` where too many trials, or all, are not ok."""
    quoted = _quoted(cell)
    lost = [trial for trial in cell.trials if trial.status is Status.NOT_REACHED]
    if lost:
        why = lost[0].error or "the delivery did not arrive"
        yield _finding(
            Kind.NOT_REACHED,
            Severity.ERROR,
            cell,
            f"NOT REACHED [{cell.key.arm}] {quoted}: {why}",
            bare,
            not_reached=len(lost),
        )
    if cell.failed > 0.2 * len(cell.trials) or not cell.ok:
        failed = next(trial for trial in cell.trials if not trial.ok)
        counts = ", ".join(f"{n} {status}" for status, n in cell.statuses.items() if status != "ok")
        yield _finding(
            Kind.NO_VERDICT,
            Severity.WARNING,
            cell,
            f"NO VERDICT [{cell.key.arm}] {quoted}: {counts} of {len(cell.trials)} trials"
            + (f": {failed.error}" if failed.error else ""),
            bare,
            failed=cell.failed,
            raw=failed.raw,
            log=failed.log,
        )


def decision_alone(cell: Cell, bare: Cell | None, *, deterministic: bool) -> Iterator[Finding]:
    """`expectation`, on any arm, and `unstable`."""
    expect = cell.delivery.expect
    if expect is not None and cell.ok:
        reasons = [why_not(expect, trial.decision) for trial in cell.ok if trial.decision]
        wrong = [reason for reason in reasons if reason]
        if wrong:
            many = f" ({len(wrong)} of {len(reasons)} trials)" if len(wrong) < len(reasons) else ""
            fired = expect.outcome is Outcome.HOLD and any(
                t.decision and t.decision.outcome is Outcome.FIRE for t in cell.ok
            )
            headline = (
                f"FIRED ON WORKFLOW [{cell.key.arm}] {_quoted(cell)} -> {_tools(cell)}{many}"
                if fired
                else f"EXPECTED {expect.spelled} [{cell.key.arm}] {_quoted(cell)}: {wrong[0]}{many}"
            )
            yield _finding(
                Kind.EXPECTATION,
                Severity.ERROR,
                cell,
                headline,
                bare,
                expect=expect.spelled,
                why=wrong[0],
                wrong=len(wrong),
                of=len(reasons),
            )
    if deterministic and len(cell.ok) > 1:
        yield from _unstable(cell, bare)


def _unstable(cell: Cell, bare: Cell | None) -> Iterator[Finding]:
    answers: dict[object, list[int]] = {}
    for trial in cell.ok:
        if trial.decision:
            answers.setdefault(_answer(trial.decision), []).append(trial.index)
    if len(answers) < 2:
        return
    seen = [t.decision for t in cell.ok if t.decision and t.index in {i[0] for i in answers.values()}]
    words = " / ".join(dict.fromkeys(f"{d.outcome.value} {', '.join(d.tools)}".rstrip() for d in seen))
    what = words if len({d.identity() for d in seen}) > 1 else f"{words}, other window or scores"
    yield _finding(
        Kind.UNSTABLE,
        Severity.ERROR,
        cell,
        f"UNSTABLE [{cell.key.arm}] {_quoted(cell)}: {len(answers)} answers to one turn: {what}",
        bare,
        answers=[
            {
                "trials": trials,
                "outcome": decision.outcome.value,
                "calls": [{"name": c.name, "arguments": c.arguments} for c in decision.calls],
                "window": decision.window.text if decision.window else None,
                "scores": [[s.route, s.value] for s in decision.scores or ()],
            }
            for decision, trials in zip(seen, answers.values(), strict=True)
        ],
    )


def _answer(decision: Decision) -> object:
    """What must come out the same: outcome, calls, windows, and scores to six digits."""
    return (
        decision.identity(),
        tuple(window.text for window in decision.windows or ()),
        tuple((score.route, round(score.value, 6)) for score in decision.scores or ()),
    )


def window_alone(cell: Cell, bare: Cell | None) -> Iterator[Finding]:
    """`leak` and `miss`: what a router read that the user did not write, and what it did not read."""
    windows = windows_of(cell)
    if not windows:
        return
    quoted, arm = _quoted(cell), cell.key.arm
    leaky = next((w for w in windows if foreign(w) and not w.ambiguous), None)
    if leaky and arm != "substitute":
        count = foreign(leaky)
        authors = Counter[str]()
        for part in leaky.parts:
            if part.author is not Author.USER:
                authors[part.author.value] += len("".join(leaky.text[part.start : part.end].split()))
        whose = ", ".join(f"{n} {author}" for author, n in authors.most_common() if n)
        yield _finding(
            Kind.LEAK,
            Severity.ERROR if cell.delivery.document else Severity.WARNING,
            cell,
            f"LEAK [{arm}] {quoted}: the router read {count} characters the user did not write,"
            f" white space aside ({whose}), scanned={_head(leaky)}",
            bare,
            foreign=count,
            authors=dict(authors),
        )
    window = windows[-1]
    if window.lacking:
        typed = cell.delivery.typed
        words = [typed[slice(*_to_words(typed, span))].strip() for span in window.lacking]
        shown = ", ".join(f"'{_cut(word, 40)}'" for word in words[:4])
        more = f" and {len(words) - 4} more" if len(words) > 4 else ""
        yield _finding(
            Kind.MISS,
            Severity.WARNING,
            cell,
            f"MISS [{arm}] {quoted}: the router did not read {shown}{more}, scanned={_head(window)}",
            bare,
            lacking=list(words),
            lacking_spans=[list(span) for span in window.lacking],
        )


def foreign(window: PlacedWindow) -> int:
    """How many characters of a window, white space left out, the user did not write."""
    return sum(
        len("".join(window.text[part.start : part.end].split()))
        for part in window.parts
        if part.author is not Author.USER
    )


def against_bare(cell: Cell, bare: Cell) -> Iterator[Finding]:
    """`drift`, or where the decision stands `score-drift` and `call-drift`; and `foreign-argument`."""
    ours, theirs = bare.decision, cell.decision
    if ours is None or theirs is None:
        return  # a failure equals nothing, another failure neither
    if broken(cell.delivery.relation, ours, theirs):
        yield _drift(cell, bare, ours, theirs)
    elif ours.outcome is theirs.outcome and Counter(ours.tools) == Counter(theirs.tools):
        yield from _score_drift(cell, bare, ours.scores, theirs.scores)
    rows = call_rows(ours.calls, theirs.calls)
    same_tools = Counter(ours.tools) == Counter(theirs.tools)
    changes = [(row.name, change) for row in rows for change in row.changes]
    if same_tools and changes:
        paths = ", ".join(dict.fromkeys(f"{name}({change.path or 'all'})" for name, change in changes))
        yield _finding(
            Kind.CALL_DRIFT,
            Severity.NOTE,
            cell,
            f"CALL DRIFT [{cell.key.arm}] {_quoted(cell)}: same tools, other arguments: {paths}",
            bare,
            changes=[_change_view(name, change) for name, change in changes],
        )
    yield from _foreign_arguments(cell, bare, changes)


def _drift(cell: Cell, bare: Cell, ours: Decision, theirs: Decision) -> Finding:
    arm = cell.key.arm
    head = _HEADS.get(arm) or ("ATTACHMENT" if cell.delivery.document else "ENVELOPE")
    declined = theirs.outcome is ours.outcome is not Outcome.FIRE
    before = f"{ours.outcome.value} {', '.join(ours.tools)}" if declined else described(bare)
    after = f"{theirs.outcome.value} {', '.join(theirs.tools)}" if declined else described(cell)
    if ours.outcome is theirs.outcome and set(ours.tools) == set(theirs.tools):
        before, after = f"{before} x{len(ours.tools)}", f"{after} x{len(theirs.tools)} (multiplicity)"
    window = window_of(cell)
    scanned = f", scanned={_head(window)}" if window else ""
    left, right = window_of(bare), window
    return _finding(
        Kind.DRIFT,
        Severity.ERROR,
        cell,
        f"{head} DRIFT [{arm}] {_quoted(cell)}: {before.strip()} -> {after.strip()}{scanned}",
        bare,
        read={
            "bare": len(left.text) if left else None,
            "variant": len(right.text) if right else None,
        },
    )


def _score_drift(
    cell: Cell, bare: Cell, ours: tuple[Score, ...] | None, theirs: tuple[Score, ...] | None
) -> Iterator[Finding]:
    if not ours or not theirs:
        return
    rows = score_rows(ours, theirs)
    crossed = [row.route for row in rows if row.crossed]
    before, after = _top_two(ours), _top_two(theirs)
    if not crossed and before == after:
        return
    why = [f"margin of {route} changed sign" for route in crossed]
    if before != after:
        why.append(f"top two {', '.join(before)} -> {', '.join(after)}")
    yield _finding(
        Kind.SCORE_DRIFT,
        Severity.WARNING,
        cell,
        f"SCORE DRIFT [{cell.key.arm}] {_quoted(cell)}: {'; '.join(why)}",
        bare,
        crossed=list(crossed),
        top_two=[list(before), list(after)],
    )


def _top_two(scores: tuple[Score, ...]) -> tuple[str, ...]:
    return tuple(score.route for score in sorted(scores, key=lambda score: -score.value)[:2])


def _foreign_arguments(cell: Cell, bare: Cell, changes: list[tuple[str, Change]]) -> Iterator[Finding]:
    turn, typed = cell.delivery.turn, cell.delivery.typed
    hits: list[dict[str, Json]] = []
    for name, change in changes:
        if change.kind is ChangeKind.REMOVED:
            continue
        for path, value in _leaves(change.path, change.after):
            placed = place(Window(value, WindowSource.REPORTED), turn, typed)
            whole = placed.found not in (Found.NOWHERE, Found.PIECES, Found.WORDS)
            if whole and foreign(placed) and not placed.ambiguous and len(value.strip()) > 1:
                authors = {p.author.value for p in placed.parts if p.author is not Author.USER}
                hits.append(
                    {
                        "tool": name,
                        "path": path,
                        "value": value,
                        "before": change.before,
                        "authors": sorted(authors),
                        "spans": None if placed.spans is None else [list(s) for s in placed.spans],
                    }
                )
    if hits:
        first = hits[0]
        yield _finding(
            Kind.FOREIGN_ARGUMENT,
            Severity.ERROR,
            cell,
            f"FOREIGN ARGUMENT [{cell.key.arm}] {_quoted(cell)}: {first['tool']}({first['path']}) ="
            f" '{_cut(str(first['value']), 60)}' stands in text the user did not write",
            bare,
            arguments=hits,
        )


def _leaves(path: str, value: Json) -> Iterator[tuple[str, str]]:
    """Every text and number in a JSON value, with its path."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, int | float):
        yield path, str(value)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(f"{path}.{key}" if path else str(key), inner)
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            yield from _leaves(f"{path}[{index}]", inner)


def vacuous_bare(cell: Cell) -> Iterator[Finding]:
    """`vacuous`: bare already fires where none is wanted, so the arms can show nothing new."""
    expect = cell.delivery.expect
    unwanted = expect and (expect.no_calls or expect.outcome in (Outcome.HOLD, Outcome.PASS))
    if cell.key.arm == BARE and unwanted and cell.decision and cell.decision.outcome is Outcome.FIRE:
        yield _finding(
            Kind.VACUOUS,
            Severity.WARNING,
            cell,
            f"VACUOUS {_quoted(cell)}: bare already fires {_tools(cell)} where none is wanted",
            None,
        )


def _change_view(name: str, change: Change) -> dict[str, Json]:
    return {
        "tool": name,
        "path": change.path,
        "kind": change.kind.value,
        "before": change.before,
        "after": change.after,
    }


def _tools(cell: Cell) -> str:
    calls: list[ToolCall] = [
        call
        for trial in cell.ok
        if trial.decision and trial.decision.outcome is Outcome.FIRE
        for call in trial.decision.calls
    ]
    return ", ".join(dict.fromkeys(call.name for call in calls)) or "no tool named"


def _quoted(cell: Cell) -> str:
    return f"'{_cut(cell.delivery.typed, 60)}'"


def _head(window: PlacedWindow) -> str:
    return f"'{_cut(window.text, 50)}'"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _to_words(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """The span grown to the edges of the words that it cuts."""
    start, end = span
    while start > 0 and text[start - 1].isalnum() and text[start].isalnum():
        start -= 1
    while end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
        end += 1
    return start, end
