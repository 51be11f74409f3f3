"""What a person needs to believe a finding: one side of it as plain data, and how to see it again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import PurePath

from workbench.compare.pair import window_of, windows_of
from workbench.compare.window import Part, PlacedWindow
from workbench.core.cell import BARE, Cell
from workbench.core.decision import Decision, Json, Match, Score
from workbench.core.turn import Region

__all__ = ["command", "described", "evidence", "side", "window_view"]

_OWN_ARMS = frozenset({BARE, "attach", "paste", "substitute"})


def side(cell: Cell | None) -> dict[str, Json]:
    """One cell's decision, what it read and how its trials ended; {} where there is no cell."""
    if cell is None:
        return {}
    decision = cell.decision
    failed = next((trial for trial in cell.trials if not trial.ok), None)
    windows = windows_of(cell)
    return {
        "arm": cell.key.arm,
        "outcome": decision.outcome.value if decision else None,
        "tools": list(decision.tools) if decision else [],
        "calls": [{"name": c.name, "arguments": c.arguments} for c in decision.calls] if decision else [],
        "window": window_view(windows[-1]) if windows else None,
        **({"windows": [window_view(window) for window in windows]} if windows and len(windows) > 1 else {}),
        "scores": (
            None
            if decision is None or decision.scores is None
            else [_score_view(score) for score in decision.scores]
        ),
        "matches": (
            None
            if decision is None or decision.matches is None
            else [_match_view(match, cell) for match in decision.matches]
        ),
        "trials": len(cell.trials),
        "ok": len(cell.ok),
        "statuses": dict(cell.statuses),
        "note": decision.note if decision else None,
        "error": failed.error if failed else None,
        **({"answers": _answers(cell)} if cell.delivery.samples is not None else {}),
        **({"flags": list(decision.flags)} if decision and decision.flags else {}),
        **({"scanned": decision.scanned} if decision and _says_otherwise(decision) else {}),
        **_policy(cell, decision),
    }


def _policy(cell: Cell, decision: Decision | None) -> dict[str, Json]:
    """Which policy stood before the adapter, and what it handed on; nothing without one."""
    if cell.delivery.policy is None:
        return {}
    return {"policy": cell.delivery.policy, "handed": decision.handed if decision else None}


def _answers(cell: Cell) -> list[Json]:
    """What a sampled cell answered: outcome and tools, how often, and the calls of one such answer."""
    found: dict[tuple[str, tuple[str, ...]], tuple[Decision, int]] = {}
    for decision, count in cell.answers:
        key = (decision.outcome.value, tuple(sorted(decision.tools)))
        first, before = found.get(key, (decision, 0))
        found[key] = (first, before + count)
    ordered = sorted(found.values(), key=lambda answer: -answer[1])
    return [
        {
            "count": count,
            "outcome": decision.outcome.value,
            "calls": [{"name": call.name, "arguments": call.arguments} for call in decision.calls],
        }
        for decision, count in ordered
    ]


def window_view(window: PlacedWindow) -> dict[str, Json]:
    """A placed window as plain data, with its whole text."""
    return {
        "text": window.text,
        "length": len(window.text),
        "source": window.source.value,
        "tap": window.tap,
        "spans": None if window.spans is None else [list(span) for span in window.spans],
        "user_coverage": window.user_coverage,
        "foreign_share": window.foreign_share,
        "found": window.found.value,
        "places": window.places,
        "ambiguous": window.ambiguous,
        "parts": [[part.start, part.end, part.author.value] for part in window.parts],
    }


def evidence(cell: Cell, **more: Json) -> dict[str, Json]:
    """What every finding carries, and what is its kind's own."""
    delivery = cell.delivery
    return {
        **more,
        "typed": delivery.typed,
        "relation": delivery.relation.value,
        "file": delivery.file,
        "line": delivery.line,
        "command": command(cell),
    }


def command(cell: Cell) -> str:
    """The command line that runs this cell, and its bare one, again."""
    key, file = cell.key, cell.delivery.file
    options = ["--adapter", key.adapter]
    if key.arm not in _OWN_ARMS:
        options += ["--envelope", key.arm]
    if not file:
        for attachment in cell.delivery.turn.attachments:
            options += ["--attach", attachment.path]
        return shlex.join(["workbench", "probe", *options, "--", cell.delivery.typed])
    if cell.delivery.policy is not None:
        options += ["--policy", cell.delivery.policy]
    path = PurePath(file)
    shipped = path.parent.name == "scenarios" and path.stem == key.scenario
    return shlex.join(["workbench", "run", f"{key.scenario if shipped else file}#{key.prompt}", *options])


def described(cell: Cell) -> str:
    """The decision in a few words: `fire calendar::list`, `hold`, or how all trials failed."""
    decision = cell.decision
    if decision is None:
        return " and ".join(cell.statuses) or "not run"
    tools = ", ".join(dict.fromkeys(decision.called))
    return f"{decision.outcome.value} {tools}".rstrip()


def _says_otherwise(decision: Decision) -> bool:
    """Whether a tapped function says that it read something else than it was given."""
    given = decision.window.text if decision.window else None
    return decision.scanned is not None and decision.scanned != given


def _score_view(score: Score) -> dict[str, Json]:
    used: dict[str, Json] = {} if score.used is None else {"used": score.used}
    return {"route": score.route, "value": score.value, "threshold": score.threshold, **used}


def _match_view(match: Match, cell: Cell) -> dict[str, Json]:
    """A match with its place: whose text it stands in, and in which line of it."""
    view: dict[str, Json] = {
        "rule": match.rule,
        "text": match.text,
        "start": match.start,
        "end": match.end,
        "author": None,
        "line": None,
    }
    if match.start is None or match.end is None:
        return view
    turn = cell.delivery.turn
    window = window_of(cell)
    texts: list[tuple[str, Sequence[Region | Part]]] = [(turn.text, turn.regions)]
    if window:
        texts.insert(0 if turn.made_by_app else 1, (window.text, window.parts))
    for text, owners in texts:
        if not _stands(match, text):
            continue
        owner = next((o for o in owners if o.start <= match.start < o.end), None)
        if owner:
            view["author"] = owner.author.value
            view["line"] = text.count("\n", owner.start, match.start) + 1
        break
    return view


def _stands(match: Match, text: str) -> bool:
    """Whether the match is at its offsets in `text`; offsets alone are believed."""
    there = text[match.start : match.end]
    if match.text is None:
        return bool(there)
    return " ".join(there.casefold().split()) == " ".join(match.text.casefold().split())
