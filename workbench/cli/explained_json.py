"""An explanation as JSON: every span in code points of what was delivered, foreign text whole."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.core.decision import Decision, Json, Match, Span
from workbench.core.finding import Finding
from workbench.explain.explanation import Counted, Explanation

__all__ = ["as_json"]


def as_json(found: Explanation, finding: Finding | None) -> dict[str, Json]:
    """The record. `attachment` names the file that a span stands in, None: the turn's own text. Of a turn
    that the app joins, spans count in `text`: the words typed, then the files.
    """
    key, material = found.key, found.material
    return {
        "workbench": 1,
        "explanation": {
            "scenario": key.scenario,
            "prompt": key.prompt,
            "arm": key.arm,
            "adapter": key.adapter,
            "finding": None if finding is None else finding.id,
            "ending": found.ending.value,
            "names_a_cause": found.names_a_cause,
            "why": found.why or None,
            "differs_in": None if found.way is None else found.way.value,
            "typed": found.typed,
            "text": material.text,
            "regions": [[r.start, r.end, r.author.value] for r in material.regions],
            "joined_by_the_app": material.turn.made_by_app,
            "bare": _decision(found.bare),
            "variant": _decision(found.variant),
            "cause": {
                "spans": _spans(found, found.cause),
                "minimal": found.minimal,
                "grain": None if found.grain is None else found.grain.value,
                "matches": _matches(found.matches),
            },
            "others": [_spans(found, other) for other in found.others],
            "lost_matches": _matches(found.lost_matches),
            "removal": None
            if found.removal is None
            else {"spans": _spans(found, found.removal), "minimal": found.removal_minimal},
            "no_removal": found.no_removal or None,
            "margins": [
                {
                    "start": margin.span[0],
                    "end": margin.span[1],
                    "text": material.text[slice(*margin.span)],
                    "route": margin.route,
                    "without": margin.value,
                    "change": margin.change,
                }
                for margin in found.margins
            ],
            "rates": _rates(found),
            "steady": found.steady,
            "calls": {
                "asked": found.calls,
                "most": found.most,
                "failed": found.failed,
                "unanswered": found.unanswered,
                "used_up": found.used_up or None,
            },
        },
    }


def _spans(found: Explanation, spans: Sequence[Span]) -> list[Json]:
    made: list[Json] = []
    for span in spans:
        inside = found.material.attachment_of(span)
        made.append(
            {
                "start": span[0],
                "end": span[1],
                "text": found.material.text[slice(*span)],
                "author": found.material.author_at(span[0]).value,
                "attachment": None if inside is None else inside[0],
                "attachment_span": None if inside is None else list(inside[1]),
            }
        )
    return made


def _decision(decision: Decision | None) -> Json:
    if decision is None:
        return None
    return {
        "outcome": decision.outcome.value,
        "calls": [{"name": call.name, "arguments": call.arguments} for call in decision.calls],
    }


def _matches(matches: Sequence[Match]) -> list[Json]:
    return [{"rule": m.rule, "text": m.text, "start": m.start, "end": m.end} for m in matches]


def _rates(found: Explanation) -> Json:
    rates = found.rates
    if rates is None:
        return None
    return {
        "event": rates.event,
        "bare": _counted(rates.bare),
        "variant": _counted(rates.variant),
        "cause": _counted(rates.cause),
        "restored": _counted(rates.restored),
    }


def _counted(counted: Counted | None) -> Json:
    if counted is None:
        return None
    return {"k": counted.k, "n": counted.n, "failed": counted.failed, "e": counted.e}
